// What kernels of the launch ABI may rely on, whatever their instruction set: its operations and those that
// they lack are the same. A target gives the documents, and adds what it has in addition.
#pragma once

#include "backend/launch/stand_in.h"
#include "ir/passes/guarantee_rows.h"

namespace texlate::launch {

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
constexpr void set_texture_promises(ir::GuaranteeTable& table, const TextureSources& from,
                                    uint32_t more_gather = 0) {
  using ir::Dimension;
  using ir::GuaranteeRow;
  using ir::Op;
  using namespace ir;  // the Promise flags
  constexpr uint32_t kRead = kExists | kFeedback;
  const GuaranteeRow rows[] = {
      // Out of range, nothing is promised, nor how an offset relates to the bounds.
      {Op::tex_fetch, Dimension::buffer, kRead, from.fetch},
      {Op::tex_fetch, Dimension::texture1d, kRead, from.fetch},
      {Op::tex_fetch, Dimension::texture1d_array, kRead, from.fetch},
      {Op::tex_fetch, Dimension::texture2d, kRead, from.fetch},
      {Op::tex_fetch, Dimension::texture2d_array, kRead, from.fetch},
      {Op::tex_fetch, Dimension::texture2d_ms, kRead, from.fetch},
      {Op::tex_fetch, Dimension::texture2d_ms_array, kRead, from.fetch},
      {Op::tex_fetch, Dimension::texture3d, kRead, from.fetch},
      {Op::tex_fetch, Dimension::texture_cube, kRead, from.cube_fetch},
      {Op::tex_fetch, Dimension::texture_cube_array, kRead, from.cube_fetch},
      // The texture object has the address modes.
      {Op::tex_sample, Dimension::texture1d, kRead | kOffset | kGradient, from.gradient_sample},
      {Op::tex_sample, Dimension::texture1d_array, kRead | kOffset | kGradient, from.gradient_sample},
      {Op::tex_sample, Dimension::texture2d, kRead | kOffset | kGradient, from.gradient_sample},
      {Op::tex_sample, Dimension::texture2d_array, kRead | kOffset | kGradient, from.gradient_sample},
      {Op::tex_sample, Dimension::texture3d, kRead | kOffset, from.sample},
      {Op::tex_sample, Dimension::texture_cube, kRead, from.sample},
      {Op::tex_sample, Dimension::texture_cube_array, kRead, from.sample},
      // In Direct3D's order: counter-clockwise from the lower left.
      {Op::tex_gather, Dimension::texture2d, kRead | kOffset | more_gather, from.gather},
      {Op::tex_gather, Dimension::texture2d_array, kRead | kOffset | more_gather, from.gather},
      {Op::tex_gather, Dimension::texture_cube, kRead, from.gather},
      {Op::tex_gather, Dimension::texture_cube_array, kRead, from.gather},
      // Texels are accessed as they are stored. The status of memory is always good: it is mapped, or the
      // access faults. Surfaces whose status is requested are memory.
      {Op::surf_load, Dimension::buffer, kRead, from.memory},
      {Op::surf_load, Dimension::texture1d, kRead, from.surface},
      {Op::surf_load, Dimension::texture1d_array, kRead, from.surface},
      {Op::surf_load, Dimension::texture2d, kRead, from.surface},
      {Op::surf_load, Dimension::texture2d_array, kRead, from.surface},
      {Op::surf_load, Dimension::texture3d, kRead, from.surface},
      {Op::surf_store, Dimension::buffer, kExists, from.memory},
      {Op::surf_store, Dimension::texture1d, kExists, from.surface},
      {Op::surf_store, Dimension::texture1d_array, kExists, from.surface},
      {Op::surf_store, Dimension::texture2d, kExists, from.surface},
      {Op::surf_store, Dimension::texture2d_array, kExists, from.surface},
      {Op::surf_store, Dimension::texture3d, kExists, from.surface},
      // PTX has no surface atomic that returns a value, so that the host gives views with atomics as memory
      // (docs/reference/ptx.md 1.6).
      {Op::surf_atomic, Dimension::buffer, kExists, from.memory},
      {Op::surf_atomic, Dimension::texture1d, kExists, from.memory},
      {Op::surf_atomic, Dimension::texture1d_array, kExists, from.memory},
      {Op::surf_atomic, Dimension::texture2d, kExists, from.memory},
      {Op::surf_atomic, Dimension::texture2d_array, kExists, from.memory},
      {Op::surf_atomic, Dimension::texture3d, kExists, from.memory},
      {Op::buf_load, Dimension::raw_buffer, kRead, from.memory},
      {Op::buf_load, Dimension::structured_buffer, kRead, from.memory},
      {Op::buf_store, Dimension::raw_buffer, kExists, from.memory},
      {Op::buf_store, Dimension::structured_buffer, kExists, from.memory},
      {Op::buf_atomic, Dimension::raw_buffer, kExists, from.memory},
      {Op::buf_atomic, Dimension::structured_buffer, kExists, from.memory},
      // Queries: the binding record answers all of them, also of unbound slots and mips that do not exist.
  };
  set_stand_ins(table, stand_in);
  set_promises(table, rows);
  table.wide_buffers = true;
  table.empty_when_unbound = true;  // docs/launch_abi.md: the record is all zeros
  // A launch runs pixels at different positions; those at the same position come in different launches, in
  // order (docs/launch_abi.md, "Rasterizer-ordered views").
  table.ordered_views = true;
}

/// With more comparisons than this, a call is cheaper than its code: some 20 instructions instead of 480.
inline constexpr uint32_t kMostComparisons = 16;

}  // namespace texlate::launch
