#include "backend/spirv/constant_layout.h"

#include <algorithm>

namespace texlate::spirv {

namespace {

/// A second view of an array, of the other kind, takes about as many instructions as this number of casts.
constexpr uint32_t kFewLoads = 8;

}  // namespace

/// A row that one load reads as floats and another as integers has the kind of the first load.
void ConstantLayout::read_row(uint32_t row, Kind kind) {
  end = std::max(end, row + 1);
  if (overflowed || member_of(row) != kNoIndex) return;
  if (count == kMostMembers) {
    overflowed = true;
    return;
  }
  uint32_t at = count++;
  for (; at != 0 && rows[at - 1].row > row; --at) rows[at] = rows[at - 1];
  rows[at] = {row, kind, 0};
}

void plan_constant_buffers(const ir::Module& module, const Survey& survey, const RegisterPlaces& places,
                           ConstantLayouts& layouts) {
  const std::span<Kind> kinds = survey.types.kind;
  layouts.assign(module.constant_buffers.size(), {});
  for (const uint32_t i : survey.uses.constant_loads) {
    const Instruction& load = survey.code[i];
    ConstantLayout& layout = layouts[load.payload];
    ++layout.loads[kinds[load.first_result] == Kind::float_ ? 0 : 1];
    const Value row = module.operands_of(load)[0];
    if (!module.is_constant(row)) {
      layout.indexed = true;
    } else if (module.constant_bits(row) < kMostConstantRows) {
      layout.read_row(module.constant_bits(row), kinds[load.first_result]);
    }
  }
  for (size_t i = 0; i < layouts.size(); ++i) {
    ConstantLayout& layout = layouts[i];
    // A member takes a separate decoration and index; an array takes a stride, a length and a type.
    const bool few = layout.count < ConstantLayout::kMostMembers || layout.rows[0].row != 0;
    layout.is_array = layout.indexed || layout.overflowed || layout.count == 0 || !few ||
                      is_array(places.constant_buffers[i], module.constant_buffers[i]);
  }
  for (const uint32_t i : survey.uses.constant_loads) {
    const Instruction& load = survey.code[i];
    const ConstantLayout& layout = layouts[load.payload];
    Kind kind = kinds[load.first_result];
    if (layout.is_array) {
      if (std::min(layout.loads[0], layout.loads[1]) <= kFewLoads)
        kind = layout.loads[0] >= layout.loads[1] ? Kind::float_ : Kind::uint;
    } else if (const uint32_t member = layout.member_of(module.constant_bits(module.operands_of(load)[0]));
               member != kNoIndex) {
      kind = layout.rows[member].kind;
    }
    for (uint32_t r = 0; r < 4; ++r) kinds[load.first_result + r] = kind;
  }
}

void note_constant_components(const ir::Module& module, const Survey& survey, ConstantLayouts& layouts) {
  for (const uint32_t i : survey.uses.constant_loads) {
    const Instruction& load = survey.code[i];
    ConstantLayout& layout = layouts[load.payload];
    if (layout.is_array) continue;
    const uint32_t member = layout.member_of(module.constant_bits(module.operands_of(load)[0]));
    if (member == kNoIndex) continue;
    for (uint32_t r = 0; r < 4; ++r) {
      if (survey.needs.is_used(load.first_result + r))
        layout.rows[member].used |= static_cast<uint8_t>(1u << r);
    }
  }
}

}  // namespace texlate::spirv
