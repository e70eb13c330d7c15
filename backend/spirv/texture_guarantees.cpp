// Vulkan 1.1 and, for Robustness::driver, VK_EXT_robustness2. What the documents leave undefined is not
// promised.

#include "backend/spirv/guarantees.h"
#include "ir/passes/guarantee_rows.h"

namespace texlate::spirv {

namespace {

using namespace ir;  // the Promise flags

constexpr std::string_view kFetch = "Vulkan, Texel Input Validation Operations, VK_EXT_robustness2";
constexpr std::string_view kSample = "Vulkan, Image Operations";
constexpr std::string_view kStorage = "Vulkan, Texel Output Operations, VK_EXT_robustness2";
constexpr std::string_view kBuffer = "Vulkan, robustBufferAccess, VK_EXT_robustness2";
constexpr std::string_view kQuery = "SPIR-V 3.42.10 (image queries)";

// robustImageAccess2 tests coordinates, layer, level and sample of fetches, and gives 0 in the components
// that the format has; nullDescriptor reads 0. ConstOffset is added before the test.
constexpr uint32_t kRobustFetch =
    kCoordinateRange | kSliceRange | kLevelRange | kSampleRange | kUnbound | kOffset;
constexpr uint32_t kRobustSurface = kCoordinateRange | kSliceRange | kUnbound;

/// Optional: what VK_EXT_robustness2 adds, or shaderResourceMinLod (kLodClamp).
constexpr TexturePromises kTextureRows = [] {
  TexturePromises rows;
  set_stand_ins(rows, [](Dimension dimension) { return dimension; });
  set_promises(rows, {{Op::buf_load, Op::buf_store, Op::buf_atomic},
                      kUntypedBuffers,
                      kExists | kFeedback | kByteOffset,
                      kBuffer,
                      kCoordinateRange | kUnbound});
  set_promises(rows, {{Op::tex_fetch},
                      {Dimension::buffer, kImages, kMultisampled},
                      kExists | kMissing | kFeedback,
                      kFetch,
                      kRobustFetch});
  set_promises(rows, {{Op::surf_load, Op::surf_store, Op::surf_atomic},
                      {Dimension::buffer, kImages},
                      kExists | kMissing | kConversion | kFeedback,
                      kStorage,
                      kRobustSurface});
  // A mip that does not exist has an undefined size; a resource without mips has no such mip.
  set_promises(rows, {{Op::buf_size}, {Dimension::buffer, kUntypedBuffers}, kExists, kQuery, kUnbound});
  set_promises(rows, {{Op::tex_size}, {kImages, kMultisampled, kCubes}, kExists, kQuery, kUnbound});
  set_promises(rows, {{Op::tex_samples}, kMultisampled, kExists, kQuery, kUnbound});
  set_promises(rows, {{Op::tex_lod}, {kImages, kCubes}, kExists, kQuery, kUnbound});
  // The array index: rounding to nearest even is preferred, floor(a + 0.5) is the alternative (Vulkan,
  // Unnormalized Texel Coordinate Operations).
  constexpr uint32_t kLookup = kExists | kMissing | kOffset | kNearLayer | kFeedback;
  constexpr uint32_t kSampling = kLookup | kImplicitLevel | kBias | kGradient;
  set_promises(rows, {{Op::tex_sample},
                      {kTexture1d, kTexture2d, kCubes},
                      kSampling | kCompare,
                      kSample,
                      kUnbound | kLodClamp});
  set_promises(rows, {{Op::tex_sample}, Dimension::texture3d, kSampling, kSample, kUnbound | kLodClamp});
  set_promises(rows, {{Op::tex_gather}, kTexture2d, kLookup | kCompare | kRunTimeOffset, kSample, kUnbound});
  set_promises(rows, {{Op::tex_gather}, kCubes, kLookup | kCompare, kSample, kUnbound});
  return rows;
}();

}  // namespace

ir::GuaranteeTable texture_guarantees(Robustness robustness, bool clamps_levels) {
  const bool driver = robustness == Robustness::driver;
  GuaranteeTable table;
  table.target = "spirv";
  table.rows = &kTextureRows;
  table.chosen = (driver ? kRobustFetch | kRobustSurface : 0u) | (clamps_levels ? uint32_t{kLodClamp} : 0u);
  table.ordered_views = true;
  table.sample_evaluation = true;
  table.centroid_evaluation = true;
  // nullDescriptor: the sizes of an unbound slot are 0.
  table.facts = {driver ? uint32_t{kUnbound} : 0u, "SPIR-V 3.42.10 (image queries), VK_EXT_robustness2"};
  table.counter_guarded = driver;
  // The emitter multiplies words, and drivers addresses in bytes: both with 32 bits.
  table.structures_wrap = driver;
  table.measures_samplers = !clamps_levels;
  return table;
}

}  // namespace texlate::spirv
