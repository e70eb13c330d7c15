// What two stages say of the registers between them, and what stream output takes of them, by semantic.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "backend/spirv/emit.h"
#include "frontend/sm4/program.h"

namespace texlate::library {

using Signature = std::pmr::vector<sm4::SignatureElement>;

/// Upper and lower case are the same (in ASCII, as in Direct3D). Null: there is none.
const sm4::SignatureElement* find_element(const Signature& signature, std::string_view name, uint32_t index,
                                          uint32_t stream);

/// Appends an entry for every element that `inputs` has without a system value: where in `outputs`, of stream
/// 0, its semantic stands.
void link(const Signature& outputs, const Signature& inputs, std::pmr::vector<spirv::Varying>& varyings);

}  // namespace texlate::library
