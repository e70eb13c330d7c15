// Which 32-bit values are floats and which unsigned integers.
//
// A 32-bit value of the IR is bits. In SPIR-V it is a float or an unsigned integer, or both (one OpBitcast
// after its definition). Signed operations take unsigned operands in SPIR-V, so there is no third kind.
// Operations have kinds. What only passes bits on (select, values of control flow, loads) takes the kind that
// most of its users need; in a tie, the kind of its sources.
#pragma once

#include <memory_resource>
#include <span>

#include "backend/spirv/control_map.h"
#include "backend/spirv/interface_elements.h"
#include "backend/spirv/survey.h"

namespace texlate::spirv {

struct ValueTypes {
  std::span<Kind> kind;                             // by value
  std::span<Kind> locals, shared, buffers, tables;  // kind of the elements, by array or resource
};

/// The kind of a texture's or view's components.
Kind texel_kind(const ir::Module& module, const ir::ResourceAccess& access);

/// Takes over survey.kinds.
ValueTypes infer_types(const ir::Module& module, const ControlMap& control, const Survey& survey,
                       const InterfaceElements& interface, std::pmr::monotonic_buffer_resource& arena);

/// visit(value, kind) for each operand of the instruction with this index: the kind that it is read as.
/// Kind::none: it has no kind, or any.
class OperandKinds {
 public:
  OperandKinds(const ir::Module& module, const ControlMap& control, const InterfaceElements& interface,
               const ValueTypes& types)
      : module_(module), control_(control), interface_(interface), types_(types) {}

  template <typename Visit>
  void for_each(uint32_t index, Visit visit) const {
    const ir::Instruction& instruction = module_.code[index];
    const OpKinds& kinds = kinds_of(instruction.op);
    const ir::Value* const operands = module_.operands.data() + instruction.first_operand;
    if (kinds.common != Kind::varies) {
      for (uint32_t o = 0; o < instruction.operand_count; ++o) visit(operands[o], kinds.common);
      return;
    }
    for (uint32_t o = 0; o < instruction.operand_count; ++o) {
      Kind kind = kinds.operand(o);
      if (kind == Kind::varies) kind = varying_operand(instruction, o);
      if (kind == Kind::flexible) kind = passed_on(instruction, index, o);
      visit(operands[o], kind);
    }
  }
  /// For a result whose type does not follow from its operation.
  Kind varying_result(const ir::Instruction& instruction, uint32_t result) const;

 private:
  Kind varying_operand(const ir::Instruction& instruction, uint32_t position) const;
  Kind access_operand(const ir::Instruction& instruction, uint32_t position) const;
  Kind access_result(const ir::Instruction& instruction, uint32_t result) const;
  Kind passed_on(const ir::Instruction& instruction, uint32_t index, uint32_t position) const;

  const ir::Module& module_;
  const ControlMap& control_;
  const InterfaceElements& interface_;
  const ValueTypes& types_;
};

}  // namespace texlate::spirv
