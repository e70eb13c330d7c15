#include "ir/module.h"

#include <bit>

namespace texlate::ir {

namespace {

constexpr uint32_t kInitialSlots = 256;

uint32_t hash(Type type, uint64_t bits) {
  // Fibonacci hashing; the type only has to distinguish 0:b1 from 0:b32.
  return static_cast<uint32_t>(((bits ^ (static_cast<uint64_t>(type) << 59)) * 0x9e3779b97f4a7c15ull) >> 32);
}

}  // namespace

Module::Module(std::pmr::memory_resource* memory)
    : name(memory),
      code(memory),
      operands(memory),
      values(memory),
      accesses(memory),
      resources(memory),
      samplers(memory),
      constant_buffers(memory),
      inputs(memory),
      outputs(memory),
      patch_constants(memory),
      locals(memory),
      shared(memory),
      tables(memory),
      table_words(memory),
      phases(memory),
      names(memory),
      locations(memory),
      relied(memory),
      specialized(memory),
      constant_slots_(memory) {}

Value Module::constant_float(float value) {
  return constant(std::bit_cast<uint32_t>(value));
}

Value Module::constant(Type type, uint64_t bits) {
  if (constant_count_ * 2 >= constant_slots_.size()) grow_constants();
  const uint32_t mask = static_cast<uint32_t>(constant_slots_.size()) - 1;
  for (uint32_t slot = hash(type, bits) & mask;; slot = (slot + 1) & mask) {
    const Value value = constant_slots_[slot];
    if (value == kNoValue) {
      const Value fresh = next_value();
      values.push_back({bits, type, true, 0});
      constant_slots_[slot] = fresh;
      ++constant_count_;
      return fresh;
    }
    if (values[value].bits == bits && values[value].type == type) return value;
  }
}

void Module::grow_constants() {
  Buffer<Value> old(std::move(constant_slots_));
  const size_t size = old.empty() ? kInitialSlots : old.size() * 2;
  constant_slots_.assign(size, kNoValue);
  const uint32_t mask = static_cast<uint32_t>(size) - 1;
  for (const Value value : old) {
    if (value == kNoValue) continue;
    uint32_t slot = hash(values[value].type, values[value].bits) & mask;
    while (constant_slots_[slot] != kNoValue) slot = (slot + 1) & mask;
    constant_slots_[slot] = value;
  }
}

void Module::take_code(Module& from) {
  Code taken_code(from.memory());
  Buffer<Value> taken_operands(from.memory());
  Buffer<ValueInfo> taken_values(from.memory());
  Buffer<ResourceAccess> taken_accesses(from.memory());
  Buffer<SourceLocation> taken_locations(from.memory());
  taken_code.swap(from.code);
  taken_operands.swap(from.operands);
  taken_values.swap(from.values);
  taken_accesses.swap(from.accesses);
  taken_locations.swap(from.locations);
  *this = from;
  code.swap(taken_code);
  operands.swap(taken_operands);
  values.swap(taken_values);
  accesses.swap(taken_accesses);
  locations.swap(taken_locations);
}

void Module::drop_code() {
  code = Code(memory());
  operands = Buffer<Value>(memory());
  values = Buffer<ValueInfo>(memory());
  accesses = Buffer<ResourceAccess>(memory());
  locations = Buffer<SourceLocation>(memory());
}

uint32_t Module::add_location(SourceLocation location) {
  if (location.line == 0 && location.offset == SourceLocation::kNoOffset) return 0;
  if (locations.empty() || location != locations.back()) locations.push_back(location);
  return static_cast<uint32_t>(locations.size());
}

Value Module::new_values(Type type, uint32_t count) {
  const Value first = next_value();
  values.resize(values.size() + count, ValueInfo{0, type, false, 0});
  return first;
}

}  // namespace texlate::ir
