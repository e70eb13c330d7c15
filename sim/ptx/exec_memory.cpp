// Memory: state spaces, generic addresses, ld, ldu, st (PTX ISA 6.4, 9.7.9.8 to 9.7.9.11).
#include <algorithm>

#include "sim/ptx/opcode.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

uint64_t load_bits(const std::byte* memory, Type type) {
  uint64_t bits = 0;
  std::memcpy(&bits, memory, size_of(type));
  switch (type) {  // signed types extend to the register's width
    case Type::s8: return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int8_t>(bits)));
    case Type::s16: return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int16_t>(bits)));
    case Type::s32: return static_cast<uint64_t>(static_cast<int64_t>(static_cast<int32_t>(bits)));
    default: return bits;
  }
}

uint64_t address_of(Warp& w, const Instruction& i, uint32_t base, int lane) {
  const auto offset = static_cast<uint64_t>(i.offset);
  if (i.fixed_address) return offset;
  // A 32-bit address register holds an offset in a small space.
  const uint64_t address = w.reg(base)[lane] + offset;
  return i.space == Space::shared || i.space == Space::local || i.space == Space::param
             ? address & 0xffffffffffu
             : address;
}

bool is_strong(const Instruction& i) {  // PTX ISA 8.4: a scope, or volatile
  return i.has(Mod::volatile_) || i.has(Mod::relaxed) || i.has(Mod::acquire) || i.has(Mod::release);
}

bool is_global(const Instruction& i) {
  return i.space == Space::global || i.space == Space::generic;
}

void run_ld(Warp& w, const Instruction& i, uint32_t active) {
  if (!i.fixed_address) {
    const uint32_t good = w.refuse_poison(FaultKind::poison_address, i, i.src[0], active, "the address");
    for (int v = 0; v < i.vector; ++v) w.set_poison(i.dst[v], active & ~good, 0xffffffffu);
    active = good;
  }
  const auto size = static_cast<uint32_t>(size_of(i.type));
  std::array<uint32_t, 4> poison{};
  for_each_lane(active, [&](int lane) {
    const uint64_t address = address_of(w, i, i.src[0], lane);
    uint8_t* shadow = nullptr;
    const std::byte* memory = w.memory(i, i.space, lane, address, size * i.vector, false, shadow);
    const bool raced =
        memory != nullptr && is_global(i) &&
        !w.machine().coherence().is_readable(address, size * i.vector, w.block_number(), is_strong(i));
    for (int v = 0; v < i.vector; ++v) {
      if (memory == nullptr || raced) poison[v] |= 1u << lane;
      if (memory == nullptr) continue;
      w.reg(i.dst[v])[lane] = load_bits(memory + size * v, i.type);
      if (shadow != nullptr &&
          std::any_of(shadow + size * v, shadow + size * (v + 1), [](uint8_t p) { return p != 0; })) {
        poison[v] |= 1u << lane;
      }
    }
  });
  for (int v = 0; v < i.vector; ++v) w.set_poison(i.dst[v], active, poison[v]);
}

void run_st(Warp& w, const Instruction& i, uint32_t active) {
  if (!i.fixed_address)
    active = w.refuse_poison(FaultKind::poison_address, i, i.src[4], active, "the address");
  const auto size = static_cast<uint32_t>(size_of(i.type));
  for_each_lane(active, [&](int lane) {
    uint8_t* shadow = nullptr;
    std::byte* memory =
        w.memory(i, i.space, lane, address_of(w, i, i.src[4], lane), size * i.vector, true, shadow);
    if (memory == nullptr) return;
    bool is_changed = false;
    for (int v = 0; v < i.vector; ++v) {
      const uint64_t& value = w.reg(i.src[v])[lane];
      is_changed |= std::memcmp(memory + size * v, &value, size) != 0;
      std::memcpy(memory + size * v, &value, size);
      const bool poisoned = (w.poison(i.src[v]) >> lane & 1) != 0;
      if (shadow != nullptr) {
        std::memset(shadow + size * v, poisoned ? 1 : 0, size);
      } else if (poisoned) {
        w.refuse_poison(FaultKind::poison_store, i, i.src[v], 1u << lane, "the value stored");
      }
    }
    if (!is_changed) return;  // nobody can tell it from no store
    ++w.block().changes;
    if (is_global(i))
      w.machine().coherence().written(address_of(w, i, i.src[4], lane), size * i.vector, w.block_number(),
                                      is_strong(i));
  });
}

}  // namespace

Handler select_memory(const Instruction& i) {
  if (i.type == Type::none || i.type == Type::pred || i.type == Type::f16 || i.type == Type::f16x2)
    return nullptr;
  if (size_of(i.type) * i.vector > 16) return nullptr;  // at most 128 bits
  const auto has_any = [&](std::initializer_list<Mod> modifiers) {
    return std::any_of(modifiers.begin(), modifiers.end(), [&](Mod m) { return i.has(m); });
  };
  // Only what other threads can reach has an order (PTX ISA 8.3), and .nc only global memory (9.7.9.9).
  const bool ordered = has_any({Mod::volatile_, Mod::relaxed, Mod::acquire, Mod::release});
  if (ordered && !is_global(i) && i.space != Space::shared) return nullptr;
  if (i.has(Mod::nc) && (ordered || i.space != Space::global)) return nullptr;
  if (has_any({Mod::acq_rel, Mod::sc})) return nullptr;
  if (i.opcode != Opcode::st) return has_any({Mod::release, Mod::wb, Mod::wt}) ? nullptr : run_ld;
  return i.space == Space::const_ || has_any({Mod::acquire, Mod::ca, Mod::lu, Mod::cv}) ? nullptr : run_st;
}

void Warp::fault(FaultKind kind, const Instruction& i, int lane, std::string_view message) {
  Report& report = block_.report;
  ++report.fault_count;
  if (report.faults.size() >= options().max_faults) return;
  const Dim3 thread{static_cast<uint32_t>(reg(special_register(Special::tid_x))[lane]),
                    static_cast<uint32_t>(reg(special_register(Special::tid_y))[lane]),
                    static_cast<uint32_t>(reg(special_register(Special::tid_z))[lane])};
  report.faults.push_back(
      {kind, i.line, static_cast<uint32_t>(lane), block_.index, thread, std::string(message)});
}

uint32_t Warp::refuse_poison(FaultKind kind, const Instruction& i, uint32_t r, uint32_t active,
                             std::string_view what) {
  const uint32_t poisoned = r == kNone ? 0 : poison_[r] & active;
  if (poisoned == 0 || !options().report_poison) return active;
  for_each_lane(poisoned, [&](int lane) { fault(kind, i, lane, std::string(what) + " is poison"); });
  return active & ~poisoned;
}

constexpr std::array<uint8_t, 16> kAllPoisoned = [] {
  std::array<uint8_t, 16> shadow{};
  shadow.fill(1);
  return shadow;
}();

std::byte* Warp::memory(const Instruction& i, Space space, int lane, uint64_t address, uint32_t size,
                        bool write, uint8_t*& shadow) {
  if (space == Space::generic) {
    space = Space::global;
    for (const auto& [window, mapped] :
         {std::pair(kSharedWindow, Space::shared), std::pair(kLocalWindow, Space::local),
          std::pair(kParamWindow, Space::param)}) {
      if (address - window >= kWindowSize) continue;
      address -= window;
      space = mapped;
      break;
    }
  }
  if (address % size != 0) {  // PTX ISA 9.7.9.8: addresses are naturally aligned
    fault(FaultKind::misaligned, i, lane, "address not a multiple of the access size");
    return nullptr;
  }
  const auto outside = [&](std::string_view what) {
    fault(FaultKind::out_of_range, i, lane, what);
    return nullptr;
  };
  const auto inside = [&](ShadowMemory& area, uint64_t offset) -> std::byte* {
    if (offset > area.bytes.size() || area.bytes.size() - offset < size)
      return outside("address outside the state space");
    shadow = area.poison.data() + offset;
    return area.bytes.data() + offset;
  };
  switch (space) {
    case Space::shared: return inside(block_.shared, address);
    case Space::local: return inside(local_[lane], address);
    case Space::param: {
      if (address >= kCallParameterBase) return inside(call_parameters_[lane], address - kCallParameterBase);
      const size_t block_size = block_.parameters.size();
      if (address > block_size || block_size - address < size)
        return outside("address outside the parameter block");
      if (write) return outside("entry parameters are read-only");
      return const_cast<std::byte*>(block_.parameters.data() + address);  // read only; range checked above
    }
    default: break;
  }
  Machine::Range* range = machine().find_range(address, size);
  if (range == nullptr) return outside("address outside every mapped range");
  if (write && !range->writable) return outside("write to read-only memory");
  const uint64_t offset = address - range->address;
  if (write && module_.has_read_only_loads) range->note_write(offset, size);
  // PTX ISA 9.7.9.9, 9.7.9.10: .nc and ldu read memory that nobody writes while the kernel runs.
  if (!write && reads_constant_memory(i) && range->was_written(offset, size))
    shadow = const_cast<uint8_t*>(kAllPoisoned.data());  // for reading only
  return range->memory + offset;
}

}  // namespace texlate::sim::ptx
