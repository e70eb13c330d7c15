// What a program of deko3d may rely on where it differs from a kernel of the launch ABI. There are no binding
// records in addition to the descriptors, so the hardware's own descriptors handle ranges, formats and
// comparisons. NVK, Mesa's Vulkan driver, advertises robustImageAccess2 on this hardware without a check in
// the shader (docs/reference/maxwell.md 5); fetches outside a texture rely on that. deko3d has no unbound
// slots: every slot that a program names must be bound (docs/dksh.md).

#include "backend/maxwell/guarantees.h"

#include "ir/passes/guarantee_rows.h"

namespace texlate::maxwell {

namespace {

using namespace ir;  // the Promise flags

constexpr std::string_view kTld =
    "docs/reference/maxwell.md 5: TLD out of range reads a zero texel, extended by the format; 3: offsets of "
    "4 bits";
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

// kMissing is the descriptor's swizzle. deko3d's are Direct3D's but for depth formats (docs/dksh.md).
constexpr uint32_t kBoundByHost = kExists | kUnbound;
constexpr uint32_t kFetch =
    kBoundByHost | kCoordinateRange | kSliceRange | kLevelRange | kMissing | kFeedback;
constexpr uint32_t kSample = kBoundByHost | kMissing | kFloatLayer | kFeedback;
constexpr uint32_t kLevels = kImplicitLevel | kBias;
constexpr uint32_t kImage = kBoundByHost | kMissing | kConversion | kCoordinateRange | kSliceRange;

constexpr TexturePromises kTextureRows = [] {
  TexturePromises rows;
  set_stand_ins(rows, [](Dimension dimension) { return dimension; });
  const auto set = [&](const GuaranteeRow& row) { set_promises(rows, row); };
  set({{Op::tex_fetch}, {Dimension::buffer, kTexture1d}, kFetch, kTld1d});
  set({{Op::tex_fetch}, {kTexture2d, Dimension::texture3d}, kFetch | kOffset, kTld});
  set({{Op::tex_fetch}, kMultisampled, kFetch | kSampleRange, kTldMs});
  const uint32_t flat = kSample | kLevels | kOffset | kGradient | kCompare;
  set({{Op::tex_sample}, {kTexture1d, kTexture2d}, flat, kTex});
  set({{Op::tex_sample}, Dimension::texture3d, kSample | kLevels | kOffset, kTex});
  set({{Op::tex_sample}, kCubes, kSample | kLevels | kCompare, kTex});
  set({{Op::tex_gather}, kTexture2d, kSample | kOffset | kRunTimeOffset | kCompare, kTld4});
  set({{Op::tex_gather}, kCubes, kSample | kCompare, kTld4});
  set({{Op::tex_lod}, {kImages, kCubes}, kBoundByHost, kTmml});
  set({{Op::tex_size}, {kImages, kMultisampled, kCubes}, kBoundByHost, kTxq});
  set({{Op::tex_samples}, kMultisampled, kBoundByHost, kTxq});
  set({{Op::surf_load}, {Dimension::buffer, kImages}, kImage, kSurface});
  set({{Op::surf_store}, {Dimension::buffer, kImages}, kImage | kStoredRange, kSurface});
  set({{Op::surf_atomic}, {Dimension::buffer, kImages}, kBoundByHost, kAtomic});
  // Memory that is read is mapped.
  set({{Op::buf_load}, kUntypedBuffers, kBoundByHost | kFeedback, kMemory});
  set({{Op::buf_store, Op::buf_atomic}, kUntypedBuffers, kBoundByHost, kMemory});
  return rows;
}();

}  // namespace

constinit const ir::GuaranteeTable kGraphicsTextureGuarantees = {
    .target = "dksh",
    .rows = &kTextureRows,
    .counter_guarded = true,      // the host binds the slots of counters, too
    .centroid_evaluation = true,  // IPA.CENTROID (docs/reference/maxwell.md 6)
    .compares_at_levels = true,   // TXD has no .DC (docs/reference/maxwell.md 3)
    .has_sampler_facts = false,   // deko3d passes none
};

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
