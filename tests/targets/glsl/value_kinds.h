// The type of each value: a 32-bit value of the IR is bits, a variable of GLSL is a float or a uint.
//
// An operation's letters (ir/ops.inc) decide for its operands and results. What only passes bits on
// (selections, values of constructs, rows of constant buffers) gets the type that most of its users want.
#pragma once

#include <vector>

#include "ir/structure.h"

namespace texlate::glsl {

enum class Kind : uint8_t { uint, float_, boolean };

/// The scalar type and the vector's prefix: "float" and "", "uint" and "u".
std::string_view scalar_type(Kind kind);
std::string_view vector_prefix(Kind kind);

struct ValueKinds {
  std::pmr::vector<Kind> of;                // by value
  std::pmr::vector<Kind> constant_buffers;  // of their words
};

ValueKinds find_kinds(const ir::Module& module, const ir::Structure& structure);

/// The kind of a texture's or view's components, and of an input or output register.
Kind texel_kind(const ir::Module& module, const ir::ResourceAccess& access);
Kind register_kind(const ir::Parameter& parameter);

/// As what an instruction reads its operand number `position`; for what it passes on, the kind of `passed`.
Kind operand_kind(const ir::Module& module, const ir::Instruction& instruction, uint32_t position,
                  Kind passed);

/// The instruction whose results get the operands of this one, an `else`, `break` or other marker; kNoIndex:
/// none.
uint32_t receiver_of(const ir::Module& module, const ir::Structure& structure, uint32_t instruction);

}  // namespace texlate::glsl
