// ATOM, ATOM.CAS, RED, ATOMS, ATOMS.CAS. Lanes execute one after the other, so that every operation is
// atomic.
#include "sim/maxwell/atomic.h"

#include <algorithm>

#include "sim/maxwell/float_rules.h"
#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

template <typename T>
T integer_result(AtomicOp op, T memory, T value) {
  switch (op) {
    case AtomicOp::minimum: return std::min(memory, value);
    case AtomicOp::maximum: return std::max(memory, value);
    default: return memory;
  }
}

struct Target {
  Warp::Space space;
  bool wide_address;
  int64_t offset;
  AtomicOp op;
  AtomicType type;
  uint8_t data;
  bool returns;
};

constexpr AtomicType kGlobalTypes[8] = {AtomicType::u32,  AtomicType::s32, AtomicType::u64, AtomicType::f32,
                                        AtomicType::none, AtomicType::s64, AtomicType::f64, AtomicType::none};
constexpr AtomicType kSharedTypes[4] = {AtomicType::u32, AtomicType::s32, AtomicType::u64, AtomicType::s64};

Target target_of(const Instruction& i) {
  const auto op = [](uint32_t field) { return field <= 8 ? static_cast<AtomicOp>(field) : AtomicOp::none; };
  switch (i.opcode) {
    case Opcode::atom:
      return {Warp::Space::global,
              i.bit(48),
              i.signed_field(28, 20),
              op(i.field(52, 4)),
              kGlobalTypes[i.field(49, 3)],
              i.rb(),
              true};
    case Opcode::atom_cas:
      return {Warp::Space::global,
              i.bit(48),
              i.signed_field(28, 20),
              AtomicOp::compare_exchange,
              i.bit(49) ? AtomicType::u64 : AtomicType::u32,
              i.rb(),
              true};
    case Opcode::red:
      return {Warp::Space::global,
              i.bit(48),
              i.signed_field(28, 20),
              op(i.field(23, 3)),
              kGlobalTypes[i.field(20, 3)],
              i.rd(),
              false};
    case Opcode::atoms:
      return {Warp::Space::shared,
              false,
              int64_t{i.signed_field(30, 22)} * 4,
              op(i.field(52, 4)),
              kSharedTypes[i.field(28, 2)],
              i.rb(),
              true};
    default:
      return {Warp::Space::shared,
              false,
              int64_t{i.signed_field(30, 22)} * 4,
              AtomicOp::compare_exchange,
              i.bit(52) ? AtomicType::u64 : AtomicType::u32,
              i.rb(),
              true};
  }
}

void run_atomic(Warp& w, const Instruction& i, uint32_t active) {
  const Target target = target_of(i);
  const uint32_t bytes = atomic_bytes(target.type);
  const auto second = static_cast<uint8_t>(target.data + bytes / 4);
  for_each_lane(active, [&](int lane) {
    const uint64_t base = target.wide_address ? w.wide(i.ra(), lane) : w.reg(i.ra())[lane];
    uint64_t address = base + static_cast<uint64_t>(target.offset);
    if (!target.wide_address) address = static_cast<uint32_t>(address);
    uint8_t* shadow = nullptr;
    std::byte* memory = w.memory(i, target.space, lane, address, bytes, true, shadow);
    if (memory == nullptr) return;
    if (shadow != nullptr && shadow[0] == 0 && w.options().check_uninitialized &&
        target.op != AtomicOp::exchange) {
      w.report_undefined(FaultKind::uninitialized, i, 1u << lane, "uninitialized memory is read");
    }
    uint64_t before = 0;
    std::memcpy(&before, memory, bytes);
    const auto operand = [&](uint8_t r) { return bytes == 8 ? w.wide(r, lane) : w.reg(r)[lane]; };
    const uint64_t other = target.op == AtomicOp::compare_exchange ? operand(second) : 0;
    const uint64_t after = apply_atomic(target.op, target.type, before, operand(target.data), other,
                                        target.space == Warp::Space::global);
    std::memcpy(memory, &after, bytes);
    if (shadow != nullptr) std::memset(shadow, 1, bytes);
    if (!target.returns) return;
    if (bytes == 8) {
      w.set_wide(i.rd(), lane, before);
    } else {
      w.target(i.rd())[lane] = static_cast<uint32_t>(before);
    }
  });
}

}  // namespace

uint32_t atomic_bytes(AtomicType type) {
  return type == AtomicType::u64 || type == AtomicType::s64 || type == AtomicType::f64 ? 8 : 4;
}

uint64_t apply_atomic(AtomicOp op, AtomicType type, uint64_t memory, uint64_t value, uint64_t other,
                      bool flushes) {
  const auto m32 = static_cast<uint32_t>(memory), v32 = static_cast<uint32_t>(value);
  switch (op) {
    case AtomicOp::add:
      if (type == AtomicType::f32) {
        const uint32_t sum = as_bits(as_float(m32) + as_float(v32));
        return std::isnan(as_float(sum)) ? kCanonicalNan : flushes ? flush(sum) : sum;
      }
      if (type == AtomicType::f64) return as_bits(as_double(memory) + as_double(value));
      return memory + value;
    case AtomicOp::minimum:
    case AtomicOp::maximum:
      switch (type) {
        case AtomicType::s32:
          return static_cast<uint32_t>(
              integer_result(op, static_cast<int32_t>(m32), static_cast<int32_t>(v32)));
        case AtomicType::s64:
          return static_cast<uint64_t>(
              integer_result(op, static_cast<int64_t>(memory), static_cast<int64_t>(value)));
        default: return integer_result(op, memory, value);
      }
    case AtomicOp::increment: return m32 >= v32 ? 0 : m32 + 1;
    case AtomicOp::decrement: return m32 == 0 || m32 > v32 ? v32 : m32 - 1;
    case AtomicOp::and_: return memory & value;
    case AtomicOp::or_: return memory | value;
    case AtomicOp::xor_: return memory ^ value;
    case AtomicOp::exchange: return value;
    case AtomicOp::compare_exchange: return memory == value ? other : memory;
    case AtomicOp::none: break;
  }
  return memory;
}

Handler select_atomic(Instruction& i) {
  switch (i.opcode) {
    case Opcode::atom:
    case Opcode::atom_cas:
    case Opcode::red:
    case Opcode::atoms:
    case Opcode::atoms_cas: break;
    default: return nullptr;
  }
  const Target target = target_of(i);
  if (target.op == AtomicOp::none || target.type == AtomicType::none) {
    i.why = "an atomic operation or type that the machine does not have";
    return nullptr;
  }
  return run_atomic;
}

}  // namespace texlate::sim::maxwell
