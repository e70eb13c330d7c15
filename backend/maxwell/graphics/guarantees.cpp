// What a program of deko3d may rely on where it differs from a kernel of the launch ABI. There are no binding
// records in addition to the descriptors, so the hardware's own descriptors handle ranges, formats and
// comparisons. NVK, Mesa's Vulkan driver, advertises robustImageAccess2 on this hardware without a check in
// the shader (docs/reference/maxwell.md 5); fetches outside a texture rely on that. deko3d has no unbound
// slots: every slot that a program names must be bound (docs/dksh.md).

#include "backend/maxwell/guarantees.h"

#include "ir/passes/guarantee_rows.h"

namespace texlate::maxwell {

namespace {

using ir::Dimension;
using ir::GuaranteeTable;
using ir::Op;
using namespace ir;  // the Promise flags

constexpr std::string_view kTld =
    "docs/reference/maxwell.md 5: TLD out of range reads a zero texel, extended by the format; 3: offsets of "
    "4 "
    "bits";
constexpr std::string_view kTld1d =
    "docs/reference/maxwell.md 5: TLD out of range reads a zero texel, extended by the format";
constexpr std::string_view kTldMs =
    "docs/reference/maxwell.md 5: no driver checks the sample of TLD, which Direct3D leaves undefined";
constexpr std::string_view kTex =
    "docs/reference/maxwell.md 3, TEX and TXD; 6b: .DC compares; 5: the layer is clamped";
constexpr std::string_view kTld4 =
    "docs/reference/maxwell.md 2.4 and 3, TLD4: offsets of 6 bits per coordinate; 6b: .DC compares";
constexpr std::string_view kTmml = "docs/reference/maxwell.md 3 and 6b, TMML";
constexpr std::string_view kTxq =
    "docs/reference/maxwell.md 3, TXQ; 5: a mip that does not exist is not documented";
constexpr std::string_view kSurface =
    "docs/reference/maxwell.md 5: out of range, SULD.IGN reads a zero texel and SUST.IGN writes nothing; 3: "
    ".P converts";
constexpr std::string_view kAtomic =
    "docs/reference/maxwell.md 3, SUATOM: x counts bytes (BA); no source states what happens out of range";
constexpr std::string_view kMemory = "docs/reference/maxwell.md 5: LDG, STG and ATOM have no bounds checks";

constexpr uint32_t kBoundByHost = kExists | kUnbound;
constexpr uint32_t kFetch =
    kBoundByHost | kCoordinateRange | kSliceRange | kLevelRange | kMissing | kFeedback;
constexpr uint32_t kSample = kBoundByHost | kMissing | kFloatLayer | kFeedback;
constexpr uint32_t kLevels = kImplicitLevel | kBias;
constexpr uint32_t kImage = kBoundByHost | kMissing | kConversion | kCoordinateRange | kSliceRange;

constexpr GuaranteeRow kRows[] = {
    {Op::tex_fetch, Dimension::buffer, kFetch, kTld1d},
    {Op::tex_fetch, Dimension::texture1d, kFetch, kTld1d},
    {Op::tex_fetch, Dimension::texture1d_array, kFetch, kTld1d},
    {Op::tex_fetch, Dimension::texture2d, kFetch | kOffset, kTld},
    {Op::tex_fetch, Dimension::texture2d_array, kFetch | kOffset, kTld},
    {Op::tex_fetch, Dimension::texture2d_ms, kFetch | kSampleRange, kTldMs},
    {Op::tex_fetch, Dimension::texture2d_ms_array, kFetch | kSampleRange, kTldMs},
    {Op::tex_fetch, Dimension::texture3d, kFetch | kOffset, kTld},
    {Op::tex_sample, Dimension::texture1d, kSample | kLevels | kOffset | kGradient | kCompare, kTex},
    {Op::tex_sample, Dimension::texture1d_array, kSample | kLevels | kOffset | kGradient | kCompare, kTex},
    {Op::tex_sample, Dimension::texture2d, kSample | kLevels | kOffset | kGradient | kCompare, kTex},
    {Op::tex_sample, Dimension::texture2d_array, kSample | kLevels | kOffset | kGradient | kCompare, kTex},
    {Op::tex_sample, Dimension::texture3d, kSample | kLevels | kOffset, kTex},
    {Op::tex_sample, Dimension::texture_cube, kSample | kLevels | kCompare, kTex},
    {Op::tex_sample, Dimension::texture_cube_array, kSample | kLevels | kCompare, kTex},
    {Op::tex_gather, Dimension::texture2d, kSample | kOffset | kRunTimeOffset | kCompare, kTld4},
    {Op::tex_gather, Dimension::texture2d_array, kSample | kOffset | kRunTimeOffset | kCompare, kTld4},
    {Op::tex_gather, Dimension::texture_cube, kSample | kCompare, kTld4},
    {Op::tex_gather, Dimension::texture_cube_array, kSample | kCompare, kTld4},
    {Op::tex_lod, Dimension::texture1d, kBoundByHost, kTmml},
    {Op::tex_lod, Dimension::texture1d_array, kBoundByHost, kTmml},
    {Op::tex_lod, Dimension::texture2d, kBoundByHost, kTmml},
    {Op::tex_lod, Dimension::texture2d_array, kBoundByHost, kTmml},
    {Op::tex_lod, Dimension::texture3d, kBoundByHost, kTmml},
    {Op::tex_lod, Dimension::texture_cube, kBoundByHost, kTmml},
    {Op::tex_lod, Dimension::texture_cube_array, kBoundByHost, kTmml},
    {Op::tex_size, Dimension::texture1d, kBoundByHost, kTxq},
    {Op::tex_size, Dimension::texture1d_array, kBoundByHost, kTxq},
    {Op::tex_size, Dimension::texture2d, kBoundByHost, kTxq},
    {Op::tex_size, Dimension::texture2d_array, kBoundByHost, kTxq},
    {Op::tex_size, Dimension::texture2d_ms, kBoundByHost, kTxq},
    {Op::tex_size, Dimension::texture2d_ms_array, kBoundByHost, kTxq},
    {Op::tex_size, Dimension::texture3d, kBoundByHost, kTxq},
    {Op::tex_size, Dimension::texture_cube, kBoundByHost, kTxq},
    {Op::tex_size, Dimension::texture_cube_array, kBoundByHost, kTxq},
    {Op::tex_samples, Dimension::texture2d_ms, kBoundByHost, kTxq},
    {Op::tex_samples, Dimension::texture2d_ms_array, kBoundByHost, kTxq},
    {Op::surf_load, Dimension::buffer, kImage, kSurface},
    {Op::surf_load, Dimension::texture1d, kImage, kSurface},
    {Op::surf_load, Dimension::texture1d_array, kImage, kSurface},
    {Op::surf_load, Dimension::texture2d, kImage, kSurface},
    {Op::surf_load, Dimension::texture2d_array, kImage, kSurface},
    {Op::surf_load, Dimension::texture3d, kImage, kSurface},
    {Op::surf_store, Dimension::buffer, kImage, kSurface},
    {Op::surf_store, Dimension::texture1d, kImage, kSurface},
    {Op::surf_store, Dimension::texture1d_array, kImage, kSurface},
    {Op::surf_store, Dimension::texture2d, kImage, kSurface},
    {Op::surf_store, Dimension::texture2d_array, kImage, kSurface},
    {Op::surf_store, Dimension::texture3d, kImage, kSurface},
    {Op::surf_atomic, Dimension::buffer, kBoundByHost, kAtomic},
    {Op::surf_atomic, Dimension::texture1d, kBoundByHost, kAtomic},
    {Op::surf_atomic, Dimension::texture1d_array, kBoundByHost, kAtomic},
    {Op::surf_atomic, Dimension::texture2d, kBoundByHost, kAtomic},
    {Op::surf_atomic, Dimension::texture2d_array, kBoundByHost, kAtomic},
    {Op::surf_atomic, Dimension::texture3d, kBoundByHost, kAtomic},
    // Memory that is read is mapped.
    {Op::buf_load, Dimension::raw_buffer, kBoundByHost | kFeedback, kMemory},
    {Op::buf_load, Dimension::structured_buffer, kBoundByHost | kFeedback, kMemory},
    {Op::buf_store, Dimension::raw_buffer, kBoundByHost, kMemory},
    {Op::buf_store, Dimension::structured_buffer, kBoundByHost, kMemory},
    {Op::buf_atomic, Dimension::raw_buffer, kBoundByHost, kMemory},
    {Op::buf_atomic, Dimension::structured_buffer, kBoundByHost, kMemory},
};

constexpr GuaranteeTable make_table() {
  GuaranteeTable table;
  table.target = "dksh";
  table.counter_guarded = true;  // the host binds the slots of counters, too
  set_stand_ins(table, [](Dimension dimension) { return dimension; });
  set_promises(table, kRows);
  return table;
}

}  // namespace

constinit const ir::GuaranteeTable kGraphicsTextureGuarantees = make_table();

// Constant buffers are banks; the host binds as much as the shader declares.
constinit const ir::MemoryTable kGraphicsMemoryGuarantees = {
    .constant_buffer = {ir::kAligned,
                        "docs/reference/maxwell.md 5: reads past a constant bank are not documented"},
    .table = {ir::kAligned, "docs/reference/maxwell.md 5: reads past a constant bank are not documented"},
    .local = {ir::kAligned, "docs/reference/maxwell.md 6, LDL and STL"},
    .shared = {0, "docs/reference/maxwell.md 6, LDS, STS and ATOMS"},
    .input = {ir::kAligned,
              "docs/reference/maxwell-graphics.md 1: attributes of other registers are next to them"},
    .range = {ir::kAligned,
              "docs/reference/maxwell-graphics.md 4: slots of other registers are next to them"},
    .guard = ir::GuardForm::operand,
    .limit = ir::RowLimit::declared,
};

}  // namespace texlate::maxwell
