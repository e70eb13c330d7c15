// PTX ISA 9.0, sections 9.7.10 (texture) and 9.7.11 (surface), and the CUDA driver API's texture objects.
// What these documents do not specify is not promised, whatever today's hardware does (docs/reference/ptx.md
// 2 and 9).

#include "backend/ptx/texture_guarantees.h"

#include "backend/launch/stand_in.h"
#include "ir/passes/guarantee_rows.h"

namespace texlate::ptx {

namespace {

using ir::Dimension;
using ir::GuaranteeTable;
using ir::Op;
using namespace ir;  // the Promise flags

constexpr std::string_view kTex = "PTX ISA 9.7.10.3 tex";
constexpr std::string_view kTld4 = "PTX ISA 9.7.10.4 tld4";
constexpr std::string_view kSurface = "PTX ISA 9.7.11 suld, sust";
constexpr std::string_view kMemory = "PTX ISA 9.7.9 ld, st, atom";

constexpr GuaranteeRow kRows[] = {
    // `|p` is the residency of tex and tld4 from sm_60 on; the emitter refuses it for earlier targets.
    // Integer fetches: the ISA does not specify any access out of range, nor how an offset relates to the
    // bounds.
    {Op::tex_fetch, Dimension::buffer, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture1d, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture1d_array, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture2d, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture2d_array, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture2d_ms, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture2d_ms_array, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture3d, kExists | kFeedback, kTex},
    // By direction, from the view's own object, which has a point filter.
    {Op::tex_fetch, Dimension::texture_cube, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture_cube_array, kExists | kFeedback, kTex},
    // Sampling: the object has the address modes. Offsets of -8..7 are promised for all but cubes. tex.grad
    // on
    // 3D and cubes becomes a call to a driver function on sm_90 (docs/reference/ptx.md 3), so the level of
    // these is computed in code.
    {Op::tex_sample, Dimension::texture1d, kExists | kFeedback | kOffset | kGradient, kTex},
    {Op::tex_sample, Dimension::texture1d_array, kExists | kFeedback | kOffset | kGradient, kTex},
    {Op::tex_sample, Dimension::texture2d, kExists | kFeedback | kOffset | kGradient, kTex},
    {Op::tex_sample, Dimension::texture2d_array, kExists | kFeedback | kOffset | kGradient, kTex},
    {Op::tex_sample, Dimension::texture3d, kExists | kFeedback | kOffset, kTex},
    {Op::tex_sample, Dimension::texture_cube, kExists | kFeedback, kTex},
    {Op::tex_sample, Dimension::texture_cube_array, kExists | kFeedback, kTex},
    // tld4's order is Direct3D's: counter-clockwise from the lower left.
    {Op::tex_gather, Dimension::texture2d, kExists | kFeedback | kOffset, kTld4},
    {Op::tex_gather, Dimension::texture2d_array, kExists | kFeedback | kOffset, kTld4},
    {Op::tex_gather, Dimension::texture_cube, kExists | kFeedback, kTld4},
    {Op::tex_gather, Dimension::texture_cube_array, kExists | kFeedback, kTld4},
    // What is read as linear memory is mapped, or the access faults: its status is always good. Surfaces are
    // read as linear memory if their status is requested.
    // Surfaces: `.zero` specifies nothing for slices, and x counts bytes, so that x * size can wrap back into
    // range. Texels are accessed as they are stored: `.p` forms leave missing components and rounding
    // undefined (docs/reference/ptx.md 1.6).
    {Op::surf_load, Dimension::buffer, kExists | kFeedback, kMemory},
    {Op::surf_load, Dimension::texture1d, kExists | kFeedback, kSurface},
    {Op::surf_load, Dimension::texture1d_array, kExists | kFeedback, kSurface},
    {Op::surf_load, Dimension::texture2d, kExists | kFeedback, kSurface},
    {Op::surf_load, Dimension::texture2d_array, kExists | kFeedback, kSurface},
    {Op::surf_load, Dimension::texture3d, kExists | kFeedback, kSurface},
    {Op::surf_store, Dimension::buffer, kExists, kMemory},
    {Op::surf_store, Dimension::texture1d, kExists, kSurface},
    {Op::surf_store, Dimension::texture1d_array, kExists, kSurface},
    {Op::surf_store, Dimension::texture2d, kExists, kSurface},
    {Op::surf_store, Dimension::texture2d_array, kExists, kSurface},
    {Op::surf_store, Dimension::texture3d, kExists, kSurface},
    // PTX has no surface atomic that returns a value: such views are in linear memory (docs/reference/ptx.md
    // 1.6).
    {Op::surf_atomic, Dimension::buffer, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture1d, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture1d_array, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture2d, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture2d_array, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture3d, kExists, kMemory},
    // Buffers are plain global memory.
    {Op::buf_load, Dimension::raw_buffer, kExists | kFeedback, kMemory},
    {Op::buf_load, Dimension::structured_buffer, kExists | kFeedback, kMemory},
    {Op::buf_store, Dimension::raw_buffer, kExists, kMemory},
    {Op::buf_store, Dimension::structured_buffer, kExists, kMemory},
    {Op::buf_atomic, Dimension::raw_buffer, kExists, kMemory},
    {Op::buf_atomic, Dimension::structured_buffer, kExists, kMemory},
    // Queries: txq returns only width, height and depth, and not for mips that do
    // not exist (docs/reference/ptx.md 1.5). The binding record answers all queries,
    // so tex.size, tex.samples, tex.position, tex.lod and buf.size promise nothing
    // here.
};

constexpr GuaranteeTable make_table() {
  GuaranteeTable table;
  table.target = "ptx";
  // With more comparisons than this, a call is cheaper than its code: some 20 instructions instead of 480.
  table.most_comparisons = 16;
  table.wide_buffers = true;
  table.empty_when_unbound = true;  // docs/launch_abi.md: the record is all zeros
  // A launch runs pixels at different positions; those at the same position come in different launches, in
  // order (docs/launch_abi.md, "Rasterizer-ordered views").
  table.ordered_views = true;
  set_stand_ins(table, launch::stand_in);
  set_promises(table, kRows);
  return table;
}

/// The operand of tex and tld4 compares "each element fetched from texture" before it is filtered; the ISA
/// leaves the function to the texture. tex.grad with it is a call to the driver (docs/reference/ptx.md 3).
constexpr Dimension kComparable[] = {Dimension::texture1d,    Dimension::texture1d_array,
                                     Dimension::texture2d,    Dimension::texture2d_array,
                                     Dimension::texture_cube, Dimension::texture_cube_array};

constexpr GuaranteeTable make_table(bool all_mapped, bool native_compare) {
  GuaranteeTable table = make_table();
  table.all_mapped = all_mapped;
  if (!native_compare) return table;
  table.compares_at_levels = true;
  for (size_t op = 0; op < kResourceOps.size(); ++op) {
    if (kResourceOps[op] != Op::tex_sample && kResourceOps[op] != Op::tex_gather) continue;
    for (const Dimension dimension : kComparable)
      table.rows[op][static_cast<size_t>(dimension)].promises |= kCompare;
  }
  return table;
}

}  // namespace

constinit const ir::GuaranteeTable kTextureGuarantees = make_table(false, false);
constinit const ir::GuaranteeTable kAllMappedGuarantees = make_table(true, false);
constinit const ir::GuaranteeTable kComparingGuarantees = make_table(false, true);
constinit const ir::GuaranteeTable kComparingAllMappedGuarantees = make_table(true, true);

}  // namespace texlate::ptx
