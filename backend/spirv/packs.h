// Joins scalar operations into instructions on vectors.
//
// The IR is scalar, so a source instruction such as
//   mad r0.xyz, v1.xyz, cb0[0].xyz, r2.w
// is three operations in it. This joins them again:
//   %x = fmul %a0, %b0
//   %y = fmul %a1, %b1       ->   {%x, %y} = {%a0, %a1} * {%b0, %b1}   (a0, a1 are components of one vector)
// Operations of one basic block that are lanes of one source instruction (ir::Instruction::location) and
// become the same instruction are a **pack** of two to four lanes at the place of the first; nothing else
// moves. Lanes are neighbors, or as far apart as the operations that one lane of the source was expanded to.
// Only operations that work component by component take part, so every lane computes what it computed before.
//
// Packs are formed when they are written: what is known then about operands (are they a vector already?) and
// what survey() has told about users (do they take lanes as scalars?) decides whether a pack is worth it.
#pragma once

#include "backend/spirv/matrix_products.h"
#include "backend/spirv/values.h"

namespace texlate::spirv {

/// Operations that are one instruction, or a single operation.
struct Pack {
  std::array<Group, kMostOperands> operands;
  std::array<Values::Gather, kMostOperands> gathers;  // of the operands, if it is a vector
  Lanes results;
  Row row;
  uint8_t operand_count;
  uint8_t size;
  uint8_t neighbors;  // so many instructions, from the first on, are in it
  bool exact;         // must not be contracted
  bool is_vector;     // false: the members are together at the place of the first, as scalars
};

/// A sum of products of the components of two vectors that may be contracted: an fmul, then ffma directly
/// behind it whose addend is the previous one; each is the only user of the previous one.
struct Dot {
  std::array<Lanes, 2> factors;
  uint32_t size;
};

class PackFormer {
 public:
  /// `join`: if false, every operation is a pack of its own.
  PackFormer(const ir::Module& module, const std::span<const ir::Instruction>& code, const Products& products,
             Values& values, bool join)
      : module_(module), code_(code), products_(products), values_(values), join_(join) {}

  /// The pack that starts with this instruction. Returns false if that is not a single operation.
  bool form(uint32_t first, Pack& pack);
  bool may_start_dot(const ir::Instruction& first) const {
    return first.op == ir::Op::fmul && (&first)[1].op == ir::Op::ffma && join_;
  }
  /// The same for a dot product, if the first one has the right operations. Returns false if there is none.
  bool form_dot(uint32_t first, Dot& dot) const;

 private:
  /// How far apart lanes may be. Twice as far finds nothing more that pays.
  static constexpr uint32_t kMostStep = 6;

  /// An operation as the instruction that it becomes.
  struct Operation {
    Row row;
    uint8_t count = 0;
    std::array<ir::Value, kMostOperands> operands{};
    std::array<uint32_t, kMostOperands> parts;  // of the operands, see Values::part_of()
  };

  bool read(const ir::Instruction& instruction, Operation& operation) const;
  uint32_t step_from(uint32_t first) const;
  void add_lanes(uint32_t first, Pack& pack);
  template <uint32_t kCount>
  void add_lanes_of(uint32_t first, uint32_t step, Pack& pack);
  template <uint32_t kCount>
  bool add_lane(const ir::Instruction& instruction, Pack& pack) const;
  static void align(const Pack& pack, Operation& operation);
  template <uint32_t kCount>
  void decide(Pack& pack);
  template <uint32_t kCount>
  bool is_worth_it(const Pack& pack, int32_t cost) const;

  const ir::Module& module_;
  const std::span<const ir::Instruction>& code_;
  const Products& products_;
  Values& values_;
  const bool join_;
};

// These run for each operation of a module: the compiler does not inline them by itself.

/// Reads the operation as an instruction. Returns false if it is not a single one.
[[gnu::always_inline]] inline bool PackFormer::read(const ir::Instruction& instruction,
                                                    Operation& operation) const {
  const ir::Value* const operands = module_.operands.data() + instruction.first_operand;
  operation.row = row_of(instruction.op);
  const auto take_all = [&] {
    operation.count = static_cast<uint8_t>(instruction.operand_count);
    operation.operands[0] = operands[0];
    if (operation.count > 1) operation.operands[1] = operands[1];
    if (operation.count > 2) operation.operands[2] = operands[2];
    return true;
  };
  if (operation_row(operation.row).is_plain) return take_all();
  const auto set = [&operation](Row row, uint8_t count, ir::Value a, ir::Value b,
                                ir::Value c = kLiteralZero) {
    operation.row = row;
    operation.count = count;
    operation.operands = {a, b, c};
    return true;
  };
  switch (instruction.op) {
    case ir::Op::fadd: {
      const ValueNeeds::Addends sum = values_.needs().addends({operands, 2});
      return set(sum.subtracts ? kDifference : row_of(ir::Op::fadd), 2, sum.values[0], sum.values[1]);
    }
    case ir::Op::fmin:
    case ir::Op::dmin:
      if (const ir::Instruction* const maximum = values_.needs().clamped_maximum(module_, instruction)) {
        const auto bounded = module_.operands_of(*maximum);
        return set(row_of(instruction.op == ir::Op::fmin ? ir::Op::fsat : ir::Op::dsat), 3, bounded[0],
                   bounded[1], operands[1]);
      }
      break;
    case ir::Op::fsat:
    case ir::Op::dsat: return set(row_of(instruction.op), 3, operands[0], kLiteralZero, kLiteralOne);
    case ir::Op::frcp: return set(row_of(ir::Op::fdiv), 2, kLiteralOne, operands[0]);
    case ir::Op::mask: return set(row_of(ir::Op::select), 3, operands[0], kLiteralOnes, kLiteralZero);
    case ir::Op::select:
      if (values_.kind(instruction.first_result) == Kind::float_) operation.row = kFloatSelect;
      break;
    default: return false;
  }
  return take_all();
}

[[gnu::always_inline]] inline bool PackFormer::form(uint32_t first, Pack& pack) {
  const ir::Instruction* const code = code_.data() + first;
  Operation operation;
  if (!read(code[0], operation)) return false;
  pack.row = operation.row;
  pack.operand_count = operation.count;
  pack.size = pack.neighbors = 1;
  pack.exact = (values_.needs().flags[code->first_result] & ValueNeeds::kExact) != 0;
  pack.is_vector = false;
  pack.results[0] = code->first_result;
  for (uint32_t o = 0; o < kMostOperands; ++o) pack.operands[o].lanes[0] = operation.operands[o];
  if (join_ && code[1].location == code->location) add_lanes(first, pack);
  return true;
}

}  // namespace texlate::spirv
