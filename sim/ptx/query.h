// What txq and suq answer (PTX ISA 5.3, 9.7.10.5, 9.7.11.4).
#pragma once

#include <optional>

#include "sim/ptx/module.h"

namespace texlate::sim::ptx {

/// Sizes, counts and channels of a texture's or surface's view at `level`. Channel types and orders are
/// numbers of the source language, and OpenCL's are the only ones that the ISA gives (5.3.3): nothing where
/// the module is not in OpenCL's independent mode.
std::optional<uint32_t> answer_query(const Instruction& i, const TextureView& view, uint32_t level,
                                     bool independent);

/// The sampler's half of the queries, numbered as the ISA lists the values; nothing for mirror_once, which it
/// does not list.
std::optional<uint32_t> answer_sampler_query(const Instruction& i, const SamplerObject& sampler);

}  // namespace texlate::sim::ptx
