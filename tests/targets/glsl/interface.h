// What a shader declares, and the expressions that stand for it: resources, buffers, inputs, outputs, system
// values, properties of bindings.
#pragma once

#include <string>

#include "tests/targets/glsl/value_kinds.h"

namespace texlate::glsl {

/// "t0", "u1"
std::string name_of(const ir::Resource& resource);
/// "2D" in texture2D, sampler2DShadow, image2D; empty: GLSL has no such type.
std::string_view dimension_name(ir::Dimension dimension);
/// The first letter of texture and image types: "", "i", "u".
std::string_view texel_prefix(const ir::Resource& resource);

/// Appends everything before `main`. What cannot be declared is left out: its accesses are refused.
void declare(const ir::Module& module, const ValueKinds& kinds, Diagnostics& diagnostics,
             std::pmr::string& text);

/// Where an `input`, `output` or `sysval` is; empty: GLSL has no such place.
std::string input_text(const ir::Module& module, const ir::Instruction& instruction);
std::string output_text(const ir::Module& module, const ir::Instruction& instruction);
std::string system_value_text(ir::Stage stage, ir::SystemValue which, uint32_t component, bool is_output);

/// The answer to `bound` or `binding`; empty: GLSL does not tell.
std::string fact_text(const ir::Module& module, ir::BindingQuery query);

/// A literal with exactly these bits.
std::string literal(Kind kind, uint32_t bits);

}  // namespace texlate::glsl
