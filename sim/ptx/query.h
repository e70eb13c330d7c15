// The results of txq and suq (PTX ISA 5.3, 9.7.10.5, 9.7.11.4).
#pragma once

#include <optional>

#include "sim/ptx/module.h"

namespace texlate::sim::ptx {

/// Sizes, counts and channels of a texture's or surface's view at `level`. Channel types and orders are
/// numbers of the source language. The ISA gives only OpenCL's (5.3.3), so the result is empty unless the
/// module is in OpenCL's independent mode.
std::optional<uint32_t> answer_query(const Instruction& i, const TextureView& view, uint32_t level,
                                     bool independent);

/// The queries of sampler properties. Values are numbered in the order of the ISA's list. Empty for
/// mirror_once, which the list lacks.
std::optional<uint32_t> answer_sampler_query(const Instruction& i, const SamplerObject& sampler);

}  // namespace texlate::sim::ptx
