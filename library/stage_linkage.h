// Matches the registers between two stages, and the registers of stream output, by semantic.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "backend/spirv/emit.h"
#include "frontend/sm4/program.h"

namespace texlate::library {

using Signature = std::pmr::vector<sm4::SignatureElement>;

/// Ignores ASCII case, as Direct3D does. Returns null if there is none.
const sm4::SignatureElement* find_element(const Signature& signature, std::string_view name, uint32_t index,
                                          uint32_t stream);

/// Refuses the argument `name`, a program of stage `next`, if no such stage takes the outputs of `stage`.
void require_follows(sm4::Stage next, sm4::Stage stage, std::string_view name);

/// Appends an entry for every element of `inputs` that has no system value, with the position of its semantic
/// in stream 0 of `outputs`. The rasterizer takes the index of a render target or viewport from the last
/// stage before it: for a hull or geometry shader as the next stage it has no system value.
void link(const Signature& outputs, const Signature& inputs, std::pmr::vector<spirv::Varying>& varyings,
          sm4::Stage next = sm4::Stage::pixel);

}  // namespace texlate::library
