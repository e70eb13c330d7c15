// What is known of each IR operation, from ops.inc.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace texlate::ir {

enum class Op : uint8_t {
#define IR_OP(enumerator, text, results, operands, payload, traits) enumerator,
#include "ir/ops.inc"
#undef IR_OP
};

enum class Type : uint8_t { b1, b32, b64 };

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
};

enum OpTraits : uint16_t {
  kPure = 1 << 0,         // no side effect, same operands give the same result
  kCommutative = 1 << 1,  // of the first two operands
  kReadsMemory = 1 << 2,
  kWritesMemory = 1 << 3,  // has an effect: never removed
  kControl = 1 << 4,
  kTerminator = 1 << 5,  // nothing after it in its region is reached
  kConvergent = 1 << 6,  // exchanges with other lanes: not moved or merged across control flow
  kResource = 1 << 7,    // carries a ResourceAccess
};

struct alignas(64) OpInfo {  // a power of two: found by a shift
  std::string_view text;
  std::string_view results;  // type letters, see ops.inc
  std::string_view operands;
  Payload payload = Payload::none;
  uint16_t traits = 0;

  constexpr bool has(OpTraits trait) const { return (traits & trait) != 0; }
};

namespace detail {
inline constexpr OpInfo kOps[] = {
#define IR_OP(enumerator, text, results, operands, payload, traits) \
  {text, results, operands, Payload::payload, static_cast<uint16_t>(traits)},
#include "ir/ops.inc"
#undef IR_OP
};
}  // namespace detail

inline constexpr uint32_t kOpCount = sizeof(detail::kOps) / sizeof(detail::kOps[0]);
constexpr const OpInfo& info(Op op) {
  return detail::kOps[static_cast<uint32_t>(op)];
}

/// Type of a letter of OpInfo::results and ::operands ('*' has none).
constexpr Type type_of_letter(char letter) {
  return letter == 'p' ? Type::b1 : letter == 'l' ? Type::b64 : Type::b32;
}

}  // namespace texlate::ir
