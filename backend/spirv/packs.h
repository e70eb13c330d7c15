// Joins scalar operations into instructions on vectors.
//
// The IR is scalar, so a source instruction such as
//   mad r0.xyz, v1.xyz, cb0[0].xyz, r2.w
// is three operations in it. This joins them again:
//   %x = fmul %a0, %b0
//   %y = fmul %a1, %b1       ->   {%x, %y} = {%a0, %a1} * {%b0, %b1}   (a0, a1 are components of one vector)
// Operations of one basic block with the same row (operation_rows.h) and the same permission to be contracted
// become a **pack** of two to four lanes at the place of the first; nothing else moves. They are lanes of one
// source instruction (ir::Instruction::location), mostly neighbors. Only operations that work component by
// component take part, so every lane computes what it computed before.
#pragma once

#include "backend/spirv/matrix_products.h"
#include "backend/spirv/operation_rows.h"
#include "backend/spirv/register_places.h"

namespace texlate::spirv {

constexpr uint32_t kMostLanes = 4;

// Constants that operations take and the IR does not name; used instead of values.
constexpr ir::Value kLiteralZero = 0xfffffff0u, kLiteralOne = 0xfffffff1u, kLiteralOnes = 0xfffffff2u;
constexpr bool is_literal(ir::Value value) {
  return value >= kLiteralZero;
}

using Lanes = std::array<ir::Value, kMostLanes>;

/// How the lanes of an operand are combined into one vector.
enum class GatherKind : uint8_t { vector, constant, splat, shuffle, construct };

/// What is known about the lanes of an operand, lane by lane, and what follows from it.
struct Gather {
  static constexpr uint8_t kConstants = 1;  // among the lanes
  static constexpr uint8_t kScalars = 2;    // neither constants nor components of `first` and `second`
  static constexpr uint8_t kDiffer = 4;     // not all lanes are the same value
  static constexpr uint8_t kMoved = 8;      // some component is in a lane other than in its vector
  static constexpr uint8_t kFirst = 16, kSecond = 32;  // these exist

  uint32_t first, second;  // the vectors with components in the lanes; 0: none
  uint8_t flags;
  GatherKind kind;

  bool from_vectors() const { return kind == GatherKind::vector || kind == GatherKind::shuffle; }
};

// Operands other than a vector or a shuffle of two are composed of vectors and scalars. `part_of`: for a
// lane, 4 * the number of its vector + the component; 0: not a component. `size_of`: of the vector.

/// The lane to insert if all other lanes are in their places in one vector; kMostLanes: it is not so, or
/// there are only two lanes.
template <typename PartOf, typename SizeOf>
uint32_t lane_to_insert(std::span<const ir::Value> lanes, PartOf part_of, SizeOf size_of) {
  if (lanes.size() < 3) return kMostLanes;
  for (uint32_t known = 0; known < 2; ++known) {
    const uint32_t part = part_of(lanes[known]);
    if (part < kMostLanes || part % kMostLanes != known || size_of(part / kMostLanes) != lanes.size())
      continue;
    uint32_t odd = kMostLanes, count = 0;
    for (uint32_t l = 0; l < lanes.size(); ++l) {
      if (part_of(lanes[l]) == part - known + l) continue;
      odd = l;
      ++count;
    }
    if (count == 1) return odd;
  }
  return kMostLanes;
}

/// How many lanes, from `first` on, are one whole vector; 0: none.
template <typename PartOf, typename SizeOf>
uint32_t whole_vector_at(std::span<const ir::Value> lanes, uint32_t first, PartOf part_of, SizeOf size_of) {
  const uint32_t part = part_of(lanes[first]);
  if (part < kMostLanes || part % kMostLanes != 0) return 0;
  const uint32_t size = size_of(part / kMostLanes);
  if (first + size > lanes.size()) return 0;
  for (uint32_t l = 1; l < size; ++l) {
    if (part_of(lanes[first + l]) != part + l) return 0;
  }
  return size;
}

/// Operations that are one instruction, or a single operation.
struct Pack {
  std::array<Lanes, kMostOperands> operands;
  std::array<uint32_t, kMostLanes> members;  // instructions of the IR
  Row row;
  uint8_t operand_count;
  uint8_t size;
  bool exact;      // must not be contracted
  bool is_vector;  // false: the members are together at the place of the first, as scalars
  // For the search
  std::array<Gather, kMostOperands> gathers;  // of the operands
  uint32_t vector;                            // the vector that it defines
  uint32_t previous;                          // the pack before this one with the same row
  uint32_t origin;                            // the source instruction of its first member
};

/// A sum of products of the components of two vectors that may be contracted: an fmul, then ffma whose addend
/// is the previous one; each is the only user of the previous one.
struct Dot {
  std::array<Lanes, 2> factors;
  uint32_t size;
};

struct Packs {
  explicit Packs(std::pmr::monotonic_buffer_resource& arena) : packs(&arena), dots(&arena) {}

  // What an instruction is in by_instruction
  static constexpr uint32_t kOther = 0;          // not in a pack: written by itself
  static constexpr uint32_t kNothing = 1;        // another instruction includes it
  static constexpr uint32_t kFirst = 2;          // the first member of packs[what - kFirst]
  static constexpr uint32_t kDot = 0x80000000u;  // the last member of dots[what - kDot]

  std::span<uint32_t> by_instruction;
  ArenaBuffer<Pack> packs;
  ArenaBuffer<Dot> dots;
};

/// The input of the search.
struct PackSources {
  const ir::Module& module;
  const InterfaceElements& interface;
  const RegisterPlaces& places;
  const Survey& survey;
  const Products& products;
};

/// `join`: if false, every operation is a pack of its own. Linear in the module.
void find_packs(const PackSources& sources, bool join, std::pmr::monotonic_buffer_resource& arena,
                Packs& packs);

}  // namespace texlate::spirv
