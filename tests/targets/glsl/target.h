// GLSL 4.50 for Vulkan as a target: text that a person can read. It is built only with the tests and shows
// what a target consists of. `spirv` is the target for use.
#pragma once

#include "backend/target.h"

namespace texlate::glsl {

std::span<const backend::Target> targets();

/// What GLSL 4.50 and Vulkan 1.1 promise without any robustness feature.
ir::Guarantees promises(const ir::Module& module, const backend::Options& options);

/// Appends a legalized module as text, one statement for each operation. False, with located errors, for what
/// GLSL cannot express.
bool emit(const ir::Module& module, const backend::Options& options, std::pmr::string& text,
          backend::Host& host, Diagnostics& diagnostics);

}  // namespace texlate::glsl
