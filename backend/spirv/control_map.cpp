#include "backend/spirv/control_map.h"

#include <algorithm>

#include "ir/base/zeroed.h"
#include "ir/structure.h"

namespace texlate::spirv {

namespace {

using ir::Op;

void find_what_holds(const ir::Module& module, const ir::Structure& structure, ControlMap& map,
                     std::pmr::monotonic_buffer_resource& arena) {
  const auto constructs = structure.constructs();
  // By construct: the number of constructs around it, from the outermost on, that nothing inside it leaves.
  const std::span<uint32_t> kept = zeroed<uint32_t>(arena, constructs.size());
  std::ranges::fill(kept, kNoIndex);
  const uint32_t count = static_cast<uint32_t>(module.code.size());
  uint32_t around = kNoIndex;  // the innermost construct
  for (uint32_t i = 0; i < count; ++i) {
    const Op op = module.code[i].op;
    if (ir::opens_construct(op)) around = structure.construct_of(i);
    if (ir::closes_construct(op)) around = structure.of(i).parent;
    if (around == kNoIndex) continue;
    switch (op) {
      case Op::break_:
      case Op::continue_: kept[around] = std::min(kept[around], structure.of(i).depth + 1); break;
      case Op::output:
      case Op::patch_output:
      case Op::patch_input:
      case Op::output_control_point:
      case Op::emit:
      case Op::return_: kept[around] = 0; break;
      default: break;
    }
  }
  // A construct comes after those around it: going backwards, inner ones are known first.
  for (size_t c = constructs.size(); c-- != 0;) {
    const ir::Construct& construct = constructs[c];
    map.holds_over[construct.marker] = kept[c] > construct.depth ? 1 : 0;
    if (construct.parent != kNoIndex) kept[construct.parent] = std::min(kept[construct.parent], kept[c]);
  }
}

}  // namespace

ControlMap map_control(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena) {
  ControlMap map;
  if (ir::is_straight_line(module)) return map;
  const ir::Structure structure(module, &arena, ir::Structure::Extent::control);
  map.end_of = zeroed<uint32_t>(arena, module.code.size());
  map.flows_to = zeroed<uint32_t>(arena, module.code.size());
  std::ranges::fill(map.flows_to, kNoIndex);
  map.holds_over = zeroed<uint8_t>(arena, module.code.size());
  ir::find_ends(structure, map.end_of);
  for (const ir::Construct& construct : structure.constructs()) {
    // Where operands go: those of a loop and of its continues to its head, all others to the end marker.
    for (uint32_t i = construct.first_exit; i != kNoIndex; i = structure.next(i))
      map.flows_to[i] = construct.end;
    for (uint32_t i = construct.first_repeat; i != kNoIndex; i = structure.next(i))
      map.flows_to[i] = construct.marker;
    if (construct.op == Op::loop) map.flows_to[construct.marker] = construct.marker;
  }
  find_what_holds(module, structure, map, arena);
  return map;
}

}  // namespace texlate::spirv
