// The properties of each IR operation, from ops.inc.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace texlate::ir {

enum class Op : uint8_t {
#define IR_OP(enumerator, text, family, results, operands, payload, traits) enumerator,
#include "ir/ops.inc"
#undef IR_OP
};

enum class Type : uint8_t { b1, b32, b64 };

/// Operations that the same part of a pass, an executor or an emitter handles. A switch over one family
/// covers it without `default`, see op_cases.inc.
enum class Family : uint8_t {
  float32,          // arithmetic and comparisons of floats
  conversion,       // between 32-bit floats, integers and halves
  integer,          // arithmetic, bits and comparisons of integers
  predicate,        // logic of predicates, selection
  float64,          // arithmetic, comparisons and conversions of doubles
  derivative,       // exchanges over a quad of pixels
  source_register,  // r# before SSA construction
  interface,        // inputs, outputs, system values
  memory,           // constant buffers and tables, x#, g#
  texture,          // accesses of resources through texture units
  surface,          // accesses of typed unordered access views
  buffer,           // accesses of raw and structured buffers, counters
  binding,          // properties of bindings
  control,          // markers of constructs, jumps
  effect,           // discard, barriers, vertices emitted
};

/// What Instruction::payload means for an operation.
enum class Payload : uint8_t {
  none,
  reg,              // register * 4 + component
  system_value,     // SystemValue * 4 + component
  constant_buffer,  // index into Module::constant_buffers
  table,            // index into Module::tables
  local,            // index into Module::locals * 4 + component
  shared,           // index into Module::shared
  shared_atomic,    // index into Module::shared * 16 + AtomicOp
  access,           // index into Module::accesses
  binding_query,    // see BindingQuery
  value,            // a plain number
  barrier,          // BarrierFlags
  phase,            // HullPhase index into Module::phases
  text,             // offset of a string in Module::names
};

enum OpTraits : uint16_t {
  kPure = 1 << 0,         // no side effect, same operands give the same result
  kCommutative = 1 << 1,  // of the first two operands
  kReadsMemory = 1 << 2,
  kWritesMemory = 1 << 3,  // has an effect: never removed
  kControl = 1 << 4,
  kTerminator = 1 << 5,     // nothing after it in its region is reached
  kConvergent = 1 << 6,     // exchanges with other lanes: not moved or merged across control flow
  kResource = 1 << 7,       // carries a ResourceAccess
  kFlushesInputs = 1 << 8,  // reads 32-bit floats as numbers: denormals are zero, all NaNs are the same
  kNeverDenormal = 1 << 9,  // the 32-bit float result is flushed, or cannot be a denormal
  kFlushes = kFlushesInputs | kNeverDenormal,
  kRounds = 1 << 10,  // targets may fuse it with others, or simplify it, unless it is precise
  kNearby = 1 << 11,  // costs less than registers do: computed again where an earlier result is far away
};

struct alignas(64) OpInfo {  // a power of two: indexing is a shift
  std::string_view text;
  std::string_view results;  // letters, see ops.inc
  std::string_view operands;
  Family family{};
  Payload payload = Payload::none;
  uint16_t traits = 0;

  /// Does it have the trait, or any of several?
  constexpr bool has(OpTraits trait) const { return (traits & trait) != 0; }
  /// Are the results those that a construct passes? The instruction then gives their number.
  constexpr bool passes_results() const { return results.ends_with('*'); }
};

namespace detail {
inline constexpr OpInfo kOps[] = {
#define IR_OP(enumerator, text, family, results, operands, payload, traits) \
  {text, results, operands, Family::family, Payload::payload, static_cast<uint16_t>(traits)},
#include "ir/ops.inc"
#undef IR_OP
};
}  // namespace detail

inline constexpr uint32_t kOpCount = sizeof(detail::kOps) / sizeof(detail::kOps[0]);
constexpr const OpInfo& info(Op op) {
  return detail::kOps[static_cast<uint32_t>(op)];
}

/// Type of a letter of OpInfo::results and ::operands.
constexpr Type type_of_letter(char letter) {
  return letter == 'p' ? Type::b1 : letter == 'd' ? Type::b64 : Type::b32;
}

/// Does the family work only on values: no payload, no memory, no pipeline?
constexpr bool is_arithmetic(Family family) {
  switch (family) {
    case Family::float32:
    case Family::conversion:
    case Family::integer:
    case Family::predicate:
    case Family::float64:
    case Family::derivative: return true;
    case Family::source_register:
    case Family::interface:
    case Family::memory:
    case Family::texture:
    case Family::surface:
    case Family::buffer:
    case Family::binding:
    case Family::control:
    case Family::effect: return false;
  }
  return false;
}
constexpr bool is_arithmetic(Op op) {
  return is_arithmetic(info(op).family);
}

/// Is it logic on 32-bit words? The operands are neither floats nor integers, but bits.
constexpr bool is_bitwise(Op op) {
  return op == Op::and_ || op == Op::or_ || op == Op::xor_ || op == Op::not_;
}

}  // namespace texlate::ir
