#include "backend/maxwell/machine/split_constants.h"

#include <span>

#include "backend/maxwell/machine/access.h"
#include "ir/base/all_ones.h"

namespace texlate::maxwell::machine {

void split_constants(Function& function) {
  // Where a constant was first part of a vector: the adjacent value and the place.
  struct VectorPlace {
    Value neighbor = kNoValue;
    uint8_t index = 0;
    bool known = false;
  };
  auto constant = all_ones<uint32_t>(function.values.size(), function.scratch());
  std::pmr::vector<VectorPlace> places(function.values.size(), VectorPlace{}, function.scratch());
  const auto needs_own = [&](std::span<const Value> values, unsigned e) {
    if (values[e] == kNoValue || values[e] >= constant.size() || constant[values[e]] == kNoIndex)
      return false;
    const Value neighbor = values[(e + 1) % values.size()];
    VectorPlace& place = places[values[e]];
    if (!place.known) place = {neighbor, static_cast<uint8_t>(e), true};
    return place.neighbor != neighbor || place.index != e;
  };
  bool any = false;
  for (uint32_t i = 0; i < function.instructions.size(); ++i) {
    const Instruction& instruction = function.instructions[i];
    visit_vectors(function, instruction, [&](std::span<const Value> values, bool is_result) {
      for (unsigned e = 0; e < values.size() && !is_result; ++e) any |= needs_own(values, e);
    });
    if (!is_constant_move(instruction)) continue;
    const Value v = function.operands[instruction.values];
    if (v != kNoValue) constant[v] = i;
  }
  if (!any) return;

  places.assign(places.size(), VectorPlace{});
  std::pmr::vector<Instruction> copies(function.scratch());  // for one instruction
  const auto give_own = [&](std::span<Value> values, bool is_result) {
    if (is_result) return;
    for (unsigned e = 0; e < values.size(); ++e) {
      if (!needs_own(values, e)) continue;
      copies.push_back(function.instructions[constant[values[e]]]);
      values[e] = function.new_value(ValueClass::general);
    }
  };
  rewrite_instructions(function, [&](uint32_t i, Buffer<Instruction>& out) {
    const auto first_new = static_cast<Value>(function.values.size());
    copies.clear();
    visit_vectors(function, function.instructions[i], give_own);
    // Appends the copies' operand lists only now, because the spans above point into that array.
    for (size_t n = 0; n < copies.size(); ++n) {
      out.push_back(copies[n]);
      out.back().values = static_cast<uint32_t>(function.operands.size());
      function.operands.push_back(first_new + n);
    }
    out.push_back(function.instructions[i]);
  });
}

}  // namespace texlate::maxwell::machine
