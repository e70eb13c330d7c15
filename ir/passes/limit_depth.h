// The depth that a pixel shader returns, where the host's output merger may take it as it is:
// - of conservative depth, the greater (oDepthGE) or the lesser (oDepthLE) of the shader's depth and the
//   rasterizer's is merged (D3D11.3 16.9.3.1);
// - a depth is clamped to the viewport's range, which lies within 0 to 1, and a NaN becomes its least value
//   (15.6). The shader clamps to 0 and 1; what is left is a clamp of numbers, which the host does.
//
// before:                                               after:
//   input v0.x linear                                     input v0.x linear
//   output depth_greater_equal.x sv(depth_greater_equal)  input v1.z linear_noperspective_centroid sv(...)
//   %0 = input v0.x                                       output depth_greater_equal.x sv(...)
//   output depth_greater_equal.x, %0                      %0 = input v0.x
//                                                         %1 = input v1.z
//                                                         %2 = fmax.f32 %0, %1
//                                                         %3 = fsat.f32 %2
//                                                         output depth_greater_equal.x, %3
#pragma once

#include "ir/module.h"
#include "ir/passes/closed_gap.h"

namespace texlate::ir {

/// The rasterizer's depth is z of the position: at sample frequency the sample's, otherwise the centroid's
/// (16.9.3.2). If the shader's position is declared otherwise, it is a second position. A NaN of conservative
/// depth becomes it. A depth that is ignored (Module::early_depth_stencil) stays as it is. `source`: the
/// document that does not promise the limits, for `closed`. Returns true when something changed.
bool limit_depth(Module& module, std::string_view source, std::pmr::vector<ClosedGap>* closed = nullptr);

}  // namespace texlate::ir
