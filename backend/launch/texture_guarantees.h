// What kernels of the launch ABI may rely on, whatever their instruction set: its operations and those that
// they lack are the same. A target gives the documents, and adds what it has in addition.
#pragma once

#include "ir/passes/guarantee_rows.h"

namespace texlate::launch {

/// CUDA's 1D arrays have 2D headers, so one-dimensional textures are bound as two-dimensional ones of height
/// 1 (docs/reference/ptx.md 2, "1D textures"). CUDA cannot make multisampled arrays, so samples are bound as
/// slices (docs/launch_abi.md).
constexpr ir::Dimension stand_in(ir::Dimension dimension) {
  switch (dimension) {
    case ir::Dimension::texture1d: return ir::Dimension::texture2d;
    case ir::Dimension::texture1d_array: return ir::Dimension::texture2d_array;
    case ir::Dimension::texture2d_ms:
    case ir::Dimension::texture2d_ms_array: return ir::Dimension::texture2d_array;
    default: return dimension;
  }
}

/// Documents, with their sections.
struct TextureSources {
  std::string_view fetch;
  std::string_view cube_fetch;       // by direction: the texture object of the view has a point filter
  std::string_view sample;           // 3D and cubes, whose level from gradients is computed in code
  std::string_view gradient_sample;  // the others
  std::string_view gather;
  std::string_view surface;
  std::string_view memory;
};

/// `more_gather`: promises of gathers on 2D textures and their arrays, in addition.
constexpr ir::TexturePromises texture_promises(const TextureSources& from, uint32_t more_gather = 0) {
  using ir::Dimension;
  using ir::Op;
  using namespace ir;  // the Promise flags and sets of dimensions
  constexpr uint32_t kRead = kExists | kFeedback;
  ir::TexturePromises rows;
  set_stand_ins(rows, stand_in);
  // Out of range, nothing is promised, nor how an offset relates to the bounds.
  const Dimensions fetched = {Dimension::buffer, kTexture1d, kTexture2d, kMultisampled, Dimension::texture3d};
  set_promises(rows, {{Op::tex_fetch}, fetched, kRead, from.fetch});
  set_promises(rows, {{Op::tex_fetch}, kCubes, kRead, from.cube_fetch});
  // The texture object has the address modes.
  const Dimensions flat = {kTexture1d, kTexture2d};
  set_promises(rows, {{Op::tex_sample}, flat, kRead | kOffset | kGradient, from.gradient_sample});
  set_promises(rows, {{Op::tex_sample}, Dimension::texture3d, kRead | kOffset, from.sample});
  set_promises(rows, {{Op::tex_sample}, kCubes, kRead, from.sample});
  // In Direct3D's order: counter-clockwise from the lower left.
  set_promises(rows, {{Op::tex_gather}, kTexture2d, kRead | kOffset | more_gather, from.gather});
  set_promises(rows, {{Op::tex_gather}, kCubes, kRead, from.gather});
  // Texels are accessed as they are stored. The status of memory is always good: it is mapped, or the access
  // faults. Surfaces whose status is requested are memory.
  set_promises(rows, {{Op::surf_load}, kImages, kRead, from.surface});
  set_promises(rows, {{Op::surf_store}, kImages, kExists, from.surface});
  set_promises(rows, {{Op::surf_load}, Dimension::buffer, kRead, from.memory});
  set_promises(rows, {{Op::surf_store}, Dimension::buffer, kExists, from.memory});
  // PTX has no surface atomic that returns a value, so that the host gives views with atomics as memory
  // (docs/reference/ptx.md 1.6).
  set_promises(rows, {{Op::surf_atomic}, {Dimension::buffer, kImages}, kExists, from.memory});
  set_promises(rows, {{Op::buf_load}, kUntypedBuffers, kRead, from.memory});
  set_promises(rows, {{Op::buf_store, Op::buf_atomic}, kUntypedBuffers, kExists, from.memory});
  return rows;
}

/// With more comparisons than this, a call is cheaper than its code: some 20 instructions instead of 480.
inline constexpr uint32_t kMostComparisons = 16;

/// `rows`: of texture_promises(), in static storage.
constexpr ir::GuaranteeTable texture_guarantees(std::string_view target, const ir::TexturePromises& rows) {
  ir::GuaranteeTable table;
  table.target = target;
  table.rows = &rows;
  table.most_comparisons = kMostComparisons;
  // Queries: the binding record answers all of them, also of unbound slots and mips that do not exist.
  table.wide_buffers = true;
  table.empty_when_unbound = true;  // docs/launch_abi.md: the record is all zeros
  // A launch runs pixels at different positions; those at the same position come in different launches, in
  // order (docs/launch_abi.md, "Rasterizer-ordered views").
  table.ordered_views = true;
  return table;
}

}  // namespace texlate::launch
