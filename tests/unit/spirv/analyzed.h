// A module from IR text, with the emitter's analyses of it before it writes.
#pragma once

#include "backend/spirv/constant_layout.h"
#include "backend/spirv/matrix_products.h"
#include "backend/spirv/packs.h"
#include "tests/support/ir_text.h"

namespace texlate::spirv {

/// All analyses of a module, in order.
struct Analyzed {
  explicit Analyzed(std::string_view text, const BindingMap& map = {}) {
    ir::parse_or_fail(text, module);
    ir::verify_or_fail(module);
    plan_interface(module, {}, elements);
    control = map_control(module, arena);
    places = find_places(module, map, arena);
    survey(module, arena, found);
    types = infer_types(module, control, found, elements, arena);
    plan_constant_buffers(module, uses, places, types.kind, layouts);
    find_products(module, uses, needs, products);
    note_constant_components(module, uses, needs, layouts);
    find_packs({module, elements, places, types, needs, products}, true, arena, packs);
  }

  /// The n-th instruction with this operation.
  const ir::Instruction& find(ir::Op op, uint32_t n = 0) const {
    for (const ir::Instruction& instruction : module.code) {
      if (instruction.op == op && n-- == 0) return instruction;
    }
    ADD_FAILURE() << "no such instruction: " << ir::info(op).text;
    return module.code[0];
  }
  uint32_t index_of(ir::Op op, uint32_t n = 0) const {
    return static_cast<uint32_t>(&find(op, n) - module.code.data());
  }
  Kind kind_of(ir::Op op, uint32_t n = 0) const { return types.kind[find(op, n).first_result]; }
  uint8_t needs_of(ir::Op op, uint32_t n = 0) const { return needs.flags[find(op, n).first_result]; }

  ir::Module module;
  std::pmr::monotonic_buffer_resource arena;
  InterfaceElements elements{arena};
  ControlMap control;
  RegisterPlaces places;
  Survey found{arena};
  ModuleUses& uses = found.uses;
  ValueNeeds& needs = found.needs;
  ValueTypes types;
  ConstantLayouts layouts{&arena};
  Products products{arena};
  Packs packs{arena};
};

}  // namespace texlate::spirv
