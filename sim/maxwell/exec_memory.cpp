// LDC, LDG, STG, LD, ST, LDS, STS, LDL, STL.
#include <algorithm>

#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

struct Size {
  uint8_t bytes;
  bool is_signed;
};
constexpr Size kSizes[8] = {{1, false}, {1, true},  {2, false},  {2, true},
                            {4, false}, {8, false}, {16, false}, {16, false}};

struct Access {
  Warp::Space space;
  bool wide;  // a 64-bit address
  int64_t offset;
  Size size;
};

Access access_of(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::ldg:
    case Opcode::stg: return {Warp::Space::global, i.bit(45), i.signed_field(20, 24), kSizes[i.field(48, 3)]};
    case Opcode::lds:
    case Opcode::sts: return {Warp::Space::shared, false, i.signed_field(20, 24), kSizes[i.field(48, 3)]};
    case Opcode::ldl:
    case Opcode::stl: return {Warp::Space::local, false, i.signed_field(20, 24), kSizes[i.field(48, 3)]};
    default: return {Warp::Space::generic, i.bit(52), i.signed_field(20, 32), kSizes[i.field(53, 3)]};
  }
}

uint64_t address_of(Warp& w, const Instruction& i, const Access& access, int lane) {
  if (access.wide) return w.wide(i.ra(), lane) + static_cast<uint64_t>(access.offset);
  return static_cast<uint32_t>(w.reg(i.ra())[lane] + static_cast<uint32_t>(access.offset));
}

uint32_t extend(uint32_t value, const Size& size) {
  if (!size.is_signed) return value;
  return size.bytes == 1 ? static_cast<uint32_t>(static_cast<int8_t>(value))
                         : static_cast<uint32_t>(static_cast<int16_t>(value));
}

void check_written(Warp& w, const Instruction& i, int lane, const uint8_t* shadow, uint32_t bytes) {
  if (shadow == nullptr || !w.options().check_uninitialized) return;
  if (std::all_of(shadow, shadow + bytes, [](uint8_t written) { return written != 0; })) return;
  w.report_undefined(FaultKind::uninitialized, i, 1u << lane, "uninitialized memory is read");
}

void run_load(Warp& w, const Instruction& i, uint32_t active) {
  const Access access = access_of(i);
  for_each_lane(active, [&](int lane) {
    uint8_t* shadow = nullptr;
    const std::byte* memory =
        w.memory(i, access.space, lane, address_of(w, i, access, lane), access.size.bytes, false, shadow);
    if (memory != nullptr) check_written(w, i, lane, shadow, access.size.bytes);
    std::array<uint32_t, 4> words{};
    if (memory != nullptr) std::memcpy(words.data(), memory, access.size.bytes);
    if (access.size.bytes < 4) words[0] = extend(words[0], access.size);
    if (i.rd() == kZeroRegister) return;
    for (uint32_t k = 0; k < std::max(1u, access.size.bytes / 4u); ++k)
      w.reg(static_cast<uint8_t>(i.rd() + k))[lane] = words[k];
  });
}

void run_store(Warp& w, const Instruction& i, uint32_t active) {
  const Access access = access_of(i);
  for_each_lane(active, [&](int lane) {
    uint8_t* shadow = nullptr;
    std::byte* memory =
        w.memory(i, access.space, lane, address_of(w, i, access, lane), access.size.bytes, true, shadow);
    if (memory == nullptr) return;
    std::array<uint32_t, 4> words{};
    for (uint32_t k = 0; k < std::max(1u, access.size.bytes / 4u) && i.rd() != kZeroRegister; ++k)
      words[k] = w.reg(static_cast<uint8_t>(i.rd() + k))[lane];
    std::memcpy(memory, words.data(), access.size.bytes);
    if (shadow != nullptr) std::memset(shadow, 1, access.size.bytes);
  });
}

void run_ldc(Warp& w, const Instruction& i, uint32_t active) {
  const Size size = kSizes[i.field(48, 3)];
  const uint32_t bank = i.field(36, 5);
  for_each_lane(active, [&](int lane) {
    const int64_t at = int64_t{w.reg(i.ra())[lane]} + i.signed_field(20, 16);
    if (i.rd() == kZeroRegister) return;
    w.reg(i.rd())[lane] = extend(w.constant(bank, at, std::min<uint32_t>(size.bytes, 4)), size);
    if (size.bytes == 8) w.reg(static_cast<uint8_t>(i.rd() + 1))[lane] = w.constant(bank, at + 4);
  });
}

}  // namespace

Handler select_memory(Instruction& i) {
  switch (i.opcode) {
    case Opcode::ldg:
    case Opcode::lds:
    case Opcode::ldl:
    case Opcode::ld: return run_load;
    case Opcode::stg:
    case Opcode::sts:
    case Opcode::stl:
    case Opcode::st: return run_store;
    case Opcode::ldc:
      if (i.field(44, 2) != 0 || i.field(48, 3) > 5) i.why = "the mode of LDC";
      return i.why.empty() ? run_ldc : nullptr;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
