#include "backend/spirv/control_map.h"

#include <algorithm>

#include "backend/spirv/ir_names.h"
#include "ir/base/zeroed.h"

namespace texlate::spirv {

ControlWalk::ControlWalk(const ir::Module& module, std::span<const uint32_t> markers, bool has_loops,
                         std::pmr::monotonic_buffer_resource& arena)
    : module_(module),
      arena_(arena),
      structure_(module, markers, &arena),
      position_(zeroed<uint32_t>(arena, module.code.size())),
      passes_to_(zeroed<ir::Value>(arena, module.code.size())),
      kept_(zeroed<uint32_t>(arena, structure_.constructs().size())) {
  if (has_loops) live_.emplace(module, structure_, arena);
  std::ranges::fill(kept_, kNoIndex);
  for (const ir::Construct& construct : structure_.constructs()) position_[construct.marker] = kNoIndex;
}

void ControlWalk::visit(uint32_t index, uint32_t position) {
  const Op op = module_.code[index].op;
  position_[index] = position;
  const uint32_t to = receiver(index);
  passes_to_[position] = to != kNoIndex ? module_.code[to].first_result : ir::kNoValue;
  if (ir::closes_construct(op)) around_ = structure_.construct_of(index);
  if (ir::opens_construct(op)) around_ = structure_.of(index).parent;
  if (around_ == kNoIndex) return;
  if (op == Op::break_ || op == Op::continue_) {
    kept_[around_] = std::min(kept_[around_], structure_.of(index).depth + 1);
  } else if (op == Op::return_) {
    kept_[around_] = 0;
  }
}

ControlMap ControlWalk::finish(uint32_t first) {
  ControlMap map;
  const size_t count = module_.code.size() - first;
  map.passes_to = passes_to_.subspan(first);
  map.end_of = zeroed<uint32_t>(arena_, count);
  map.holds_over = zeroed<uint8_t>(arena_, count);
  const auto constructs = structure_.constructs();
  // A construct comes after those around it: going backwards, inner ones are known first.
  for (size_t c = constructs.size(); c-- != 0;) {
    const ir::Construct& construct = constructs[c];
    if (position_[construct.marker] == kNoIndex) continue;
    const uint32_t marker = position_[construct.marker] - first, end = position_[construct.end] - first;
    map.end_of[marker] = end;
    if (construct.otherwise != kNoIndex) {
      map.end_of[marker] = position_[construct.otherwise] - first;
      map.end_of[map.end_of[marker]] = end;
    }
    map.holds_over[marker] = kept_[c] > construct.depth ? 1 : 0;
    if (construct.parent != kNoIndex) kept_[construct.parent] = std::min(kept_[construct.parent], kept_[c]);
  }
  return map;
}

}  // namespace texlate::spirv
