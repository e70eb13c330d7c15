// atom, red (PTX ISA 9.7.13.5, .6). Lanes execute one after the other, so every operation is atomic and
// ordered.
#include <algorithm>
#include <optional>

#include "sim/ptx/float_rules.h"
#include "sim/ptx/opcode.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

template <typename T>
T apply_minmax(const Instruction& i, T a, T b) {
  return i.has(Mod::min) ? std::min(a, b) : std::max(a, b);
}

// 9.7.13.5 atom, 9.7.13.6 red: subnormal operands and results are flushed in global memory and kept in shared
// memory.
float add_floats(float memory, float b, bool is_shared) {
  return canonical(is_shared ? memory + b : flush(flush(memory) + flush(b)));
}

uint64_t apply(const Instruction& i, uint64_t memory, uint64_t b, uint64_t c, bool is_shared) {
  if (i.has(Mod::exch)) return b;
  if (i.has(Mod::and_)) return memory & b;
  if (i.has(Mod::or_)) return memory | b;
  if (i.has(Mod::xor_)) return memory ^ b;
  const bool wide = size_of(i.type) == 8;
  if (i.has(Mod::cas))
    return (wide ? memory == b : static_cast<uint32_t>(memory) == static_cast<uint32_t>(b)) ? c : memory;
  const auto m32 = static_cast<uint32_t>(memory), b32 = static_cast<uint32_t>(b);
  if (i.has(Mod::inc)) return m32 >= b32 ? 0 : m32 + 1;
  if (i.has(Mod::dec)) return m32 == 0 || m32 > b32 ? b32 : m32 - 1;
  if (i.has(Mod::add)) {
    if (i.type == Type::f32)
      return to_bits(add_floats(from_bits<float>(memory), from_bits<float>(b), is_shared));
    if (i.type == Type::f64) return to_bits(from_bits<double>(memory) + from_bits<double>(b));
    return memory + b;
  }
  switch (i.type) {
    case Type::u32: return apply_minmax<uint32_t>(i, m32, b32);
    case Type::s32:
      return static_cast<uint32_t>(
          apply_minmax<int32_t>(i, static_cast<int32_t>(m32), static_cast<int32_t>(b32)));
    case Type::u64: return apply_minmax<uint64_t>(i, memory, b);
    default:
      return static_cast<uint64_t>(
          apply_minmax<int64_t>(i, static_cast<int64_t>(memory), static_cast<int64_t>(b)));
  }
}

void run_atomic(Warp& w, const Instruction& i, uint32_t active) {
  const uint32_t asked = active;
  if (!i.fixed_address)
    active = w.refuse_poison(FaultKind::poison_address, i, i.src[3], active, "the address");
  for (int s = 0; s < 2; ++s)
    active = w.refuse_poison(FaultKind::poison_store, i, i.src[s], active, "an atomic's operand");
  uint32_t poison = asked & ~active;
  const auto size = static_cast<uint32_t>(size_of(i.type));
  for_each_lane(active, [&](int lane) {
    const uint64_t address = (i.fixed_address ? 0 : w.reg(i.src[3])[lane]) + static_cast<uint64_t>(i.offset);
    const bool is_shared =
        i.space == Space::shared || (i.space == Space::generic && address - kSharedWindow < kWindowSize);
    uint8_t* shadow = nullptr;
    std::byte* memory = w.memory(i, i.space, lane, address, size, true, shadow);
    if (memory == nullptr) {
      poison |= 1u << lane;
      return;
    }
    uint64_t before = 0;
    std::memcpy(&before, memory, size);
    const uint64_t c = i.src[1] == kNone ? 0 : w.reg(i.src[1])[lane];
    const uint64_t after = apply(i, before, w.reg(i.src[0])[lane], c, is_shared);
    if (std::memcmp(memory, &after, size) != 0) ++w.block().changes;
    std::memcpy(memory, &after, size);
    if (!is_shared) w.machine().coherence().written(address, size, w.block_number(), true);
    if (shadow != nullptr && shadow[0] != 0) {
      poison |= 1u << lane;
      if (i.has(Mod::exch)) std::memset(shadow, 0, size);
    }
    if (i.opcode == Opcode::atom) w.reg(i.dst[0])[lane] = before;
  });
  if (i.opcode == Opcode::atom) w.set_poison(i.dst[0], asked, poison);
}

}  // namespace

Handler select_atomic(const Instruction& i) {
  if (i.space != Space::generic && i.space != Space::global && i.space != Space::shared) return nullptr;
  for (const Mod m :
       {Mod::volatile_, Mod::weak, Mod::sc, Mod::ca, Mod::cg, Mod::cs, Mod::lu, Mod::cv, Mod::wb, Mod::wt}) {
    if (i.has(m)) return nullptr;
  }
  const bool bits = i.type == Type::b32 || i.type == Type::b64;
  const bool integer =
      i.type == Type::u32 || i.type == Type::s32 || i.type == Type::u64 || i.type == Type::s64;
  if (i.has(Mod::cas) != (i.src[1] != kNone)) return nullptr;
  if (i.has(Mod::cas) || i.has(Mod::exch)) return i.opcode == Opcode::atom && bits ? run_atomic : nullptr;
  if (i.has(Mod::and_) || i.has(Mod::or_) || i.has(Mod::xor_)) return bits ? run_atomic : nullptr;
  if (i.has(Mod::inc) || i.has(Mod::dec)) return i.type == Type::u32 ? run_atomic : nullptr;
  if (i.has(Mod::min) || i.has(Mod::max)) return integer ? run_atomic : nullptr;
  if (!i.has(Mod::add)) return nullptr;
  return (integer && i.type != Type::s64) || i.type == Type::f32 || i.type == Type::f64 ? run_atomic
                                                                                        : nullptr;
}

}  // namespace texlate::sim::ptx
