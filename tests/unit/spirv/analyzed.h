// A module from IR text, with the emitter's analyses of it before it writes.
#pragma once

#include <algorithm>

#include "backend/spirv/constant_layout.h"
#include "backend/spirv/matrix_products.h"
#include "tests/support/ir_text.h"

namespace texlate::spirv {

/// All analyses of a module, in order.
struct Analyzed {
  explicit Analyzed(std::string_view text, const BindingMap& map = {}) {
    ir::parse_or_fail(text, module);
    ir::verify_or_fail(module);
    plan_interface(module, {}, elements);
    places = find_places(module, map, arena);
    survey(module, elements, arena, found);
    plan_constant_buffers(module, found, places, layouts);
    find_products(module, found, products);
    note_constant_components(module, found, layouts);
  }

  /// Is an instruction with this operation needed?
  bool needs_some(ir::Op op) const {
    return std::ranges::any_of(found.code, [op](const ir::Instruction& one) { return one.op == op; });
  }
  /// The n-th instruction with this operation that is needed.
  const ir::Instruction& find(ir::Op op, uint32_t n = 0) const {
    for (const ir::Instruction& instruction : found.code) {
      if (instruction.op == op && n-- == 0) return instruction;
    }
    ADD_FAILURE() << "no such instruction: " << ir::info(op).text;
    return found.code[0];
  }
  uint32_t index_of(ir::Op op, uint32_t n = 0) const {
    return static_cast<uint32_t>(&find(op, n) - found.code.data());
  }
  /// The index in the text of an instruction with a result, from that among those that are needed.
  uint32_t index_in_text(uint32_t index) const {
    const auto is_it = [result = found.code[index].first_result](const ir::Instruction& one) {
      return one.first_result == result;
    };
    return static_cast<uint32_t>(std::ranges::find_if(module.code, is_it) - module.code.begin());
  }
  Kind kind_of(ir::Op op, uint32_t n = 0) const { return types.kind[find(op, n).first_result]; }
  uint16_t needs_of(ir::Op op, uint32_t n = 0) const { return needs.flags[find(op, n).first_result]; }

  ir::Module module;
  std::pmr::monotonic_buffer_resource arena;
  InterfaceElements elements{arena};
  RegisterPlaces places;
  Survey found{arena};
  ControlMap& control = found.control;
  ValueNeeds& needs = found.needs;
  ValueTypes& types = found.types;
  ConstantLayouts layouts{&arena};
  Products products{arena};
};

}  // namespace texlate::spirv
