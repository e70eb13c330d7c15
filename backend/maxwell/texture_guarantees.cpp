// NVIDIA documents the instructions of Maxwell nowhere in full. Two sources count as promises here: PTX ISA
// 9.7.10, whose operations are these instructions (ptxas translates each to one, docs/maxwell-isa.md), and
// what several independent compilers rely on (docs/reference/maxwell.md 2 to 5). Neither defines accesses out
// of range.

#include "backend/maxwell/guarantees.h"

#include "backend/launch/stand_in.h"
#include "ir/passes/guarantee_rows.h"

namespace texlate::maxwell {

namespace {

using ir::Dimension;
using ir::GuaranteeTable;
using ir::Op;
using namespace ir;  // the Promise flags

constexpr std::string_view kTld = "docs/reference/maxwell.md 5, TLD: out of range is not documented";
constexpr std::string_view kTex =
    "docs/reference/maxwell.md 3, TEX: offsets of 4 bits per coordinate; levels from derivatives in pixel "
    "shaders only";
constexpr std::string_view kTxd =
    "docs/reference/maxwell.md 3, TEX and TXD: derivatives for 1D, 2D and their arrays";
constexpr std::string_view kTld4 =
    "docs/reference/maxwell.md 2.4 and 3, TLD4: offsets of 6 bits per coordinate, in a register";
constexpr std::string_view kSurface =
    "docs/reference/maxwell.md 3, SULD and SUST: .IGN is not documented for slices, and x counts bytes";
constexpr std::string_view kMemory = "docs/reference/maxwell.md 5: LDG, STG and ATOM have no bounds checks";

constexpr GuaranteeRow kRows[] = {
    {Op::tex_fetch, Dimension::buffer, kExists | kFeedback, kTld},
    {Op::tex_fetch, Dimension::texture1d, kExists | kFeedback, kTld},
    {Op::tex_fetch, Dimension::texture1d_array, kExists | kFeedback, kTld},
    {Op::tex_fetch, Dimension::texture2d, kExists | kFeedback, kTld},
    {Op::tex_fetch, Dimension::texture2d_array, kExists | kFeedback, kTld},
    {Op::tex_fetch, Dimension::texture2d_ms, kExists | kFeedback, kTld},
    {Op::tex_fetch, Dimension::texture2d_ms_array, kExists | kFeedback, kTld},
    {Op::tex_fetch, Dimension::texture3d, kExists | kFeedback, kTld},
    // By direction, for comparisons: TEX on the view's own object, which has a point filter.
    {Op::tex_fetch, Dimension::texture_cube, kExists | kFeedback, kTex},
    {Op::tex_fetch, Dimension::texture_cube_array, kExists | kFeedback, kTex},
    {Op::tex_sample, Dimension::texture1d, kExists | kFeedback | kOffset | kGradient, kTxd},
    {Op::tex_sample, Dimension::texture1d_array, kExists | kFeedback | kOffset | kGradient, kTxd},
    {Op::tex_sample, Dimension::texture2d, kExists | kFeedback | kOffset | kGradient, kTxd},
    {Op::tex_sample, Dimension::texture2d_array, kExists | kFeedback | kOffset | kGradient, kTxd},
    {Op::tex_sample, Dimension::texture3d, kExists | kFeedback | kOffset, kTex},
    {Op::tex_sample, Dimension::texture_cube, kExists | kFeedback, kTex},
    {Op::tex_sample, Dimension::texture_cube_array, kExists | kFeedback, kTex},
    {Op::tex_gather, Dimension::texture2d, kExists | kFeedback | kOffset | kRunTimeOffset, kTld4},
    {Op::tex_gather, Dimension::texture2d_array, kExists | kFeedback | kOffset | kRunTimeOffset, kTld4},
    {Op::tex_gather, Dimension::texture_cube, kExists | kFeedback, kTld4},
    {Op::tex_gather, Dimension::texture_cube_array, kExists | kFeedback, kTld4},
    // .D moves texels as they are stored.
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
    // In the launch ABI views with atomics are linear memory: the same host launches PTX, which has no
    // surface atomic that returns a value.
    {Op::surf_atomic, Dimension::buffer, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture1d, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture1d_array, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture2d, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture2d_array, kExists, kMemory},
    {Op::surf_atomic, Dimension::texture3d, kExists, kMemory},
    {Op::buf_load, Dimension::raw_buffer, kExists | kFeedback, kMemory},
    {Op::buf_load, Dimension::structured_buffer, kExists | kFeedback, kMemory},
    {Op::buf_store, Dimension::raw_buffer, kExists, kMemory},
    {Op::buf_store, Dimension::structured_buffer, kExists, kMemory},
    {Op::buf_atomic, Dimension::raw_buffer, kExists, kMemory},
    {Op::buf_atomic, Dimension::structured_buffer, kExists, kMemory},
    // Queries are answered from the binding record, which contains more than TXQ returns (unbound slots, mips
    // that do not exist).
};

constexpr GuaranteeTable make_table(bool all_mapped, bool calls) {
  GuaranteeTable table;
  table.target = "maxwell";
  table.all_mapped = all_mapped;
  if (calls) table.most_comparisons = 16;  // as for PTX
  table.wide_buffers = true;
  table.empty_when_unbound = true;  // docs/launch_abi.md: the record is all zeros
  // The host's launches guarantee this (docs/launch_abi.md, "Rasterizer-ordered views").
  table.ordered_views = true;
  set_stand_ins(table, launch::stand_in);
  set_promises(table, kRows);
  return table;
}

}  // namespace

constinit const ir::GuaranteeTable kTextureGuarantees = make_table(false, true);
constinit const ir::GuaranteeTable kAllMappedGuarantees = make_table(true, true);
constinit const ir::GuaranteeTable kGuaranteesWithoutCalls = make_table(false, false);
constinit const ir::GuaranteeTable kAllMappedGuaranteesWithoutCalls = make_table(true, false);

}  // namespace texlate::maxwell
