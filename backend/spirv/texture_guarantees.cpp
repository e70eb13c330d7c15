// Vulkan 1.1 and, for Robustness::driver, VK_EXT_robustness2. What the documents leave undefined is not
// promised.

#include "backend/spirv/guarantees.h"

namespace texlate::spirv {

namespace {

using ir::Dimension;
using ir::GuaranteeTable;
using ir::Op;
using namespace ir;  // the Promise flags

constexpr std::string_view kFetch = "Vulkan 16.8 (texel input validation), VK_EXT_robustness2";
constexpr std::string_view kSample = "Vulkan 16.5 to 16.9 (image operations)";
constexpr std::string_view kStorage = "Vulkan 16.3, 16.8 (texel output), VK_EXT_robustness2";
constexpr std::string_view kBuffer = "Vulkan 15.6 (robust buffer access), VK_EXT_robustness2";
constexpr std::string_view kQuery = "SPIR-V 3.42.10 (image queries)";

// robustImageAccess2 tests coordinates, layer, level and sample of fetches, and gives 0 in the components
// that the format has; nullDescriptor reads 0. ConstOffset is added before the test.
constexpr uint32_t kRobustFetch =
    kCoordinateRange | kSliceRange | kLevelRange | kSampleRange | kUnbound | kOffset;
constexpr uint32_t kRobustSurface = kCoordinateRange | kSliceRange | kUnbound;

/// `optional`: what VK_EXT_robustness2 adds, or shaderResourceMinLod (kLodClamp).
constexpr void set(GuaranteeTable& table, Op op, Dimension dimension, uint32_t promises, uint32_t optional,
                   std::string_view source) {
  for (size_t i = 0; i < kResourceOps.size(); ++i) {
    if (kResourceOps[i] != op) continue;
    TextureGuarantee& guarantee = table.rows[i][static_cast<size_t>(dimension)];
    guarantee.promises = promises;
    guarantee.optional = optional;
    guarantee.source = source;
  }
}

constexpr void add_dimension(GuaranteeTable& table, Dimension dimension) {
  if (dimension == Dimension::raw_buffer || dimension == Dimension::structured_buffer) {
    for (Op op : {Op::buf_load, Op::buf_store, Op::buf_atomic})
      set(table, op, dimension, kExists | kFeedback | kByteOffset, kCoordinateRange | kUnbound, kBuffer);
    set(table, Op::buf_size, dimension, kExists, kUnbound, kQuery);
    return;
  }
  if (!is_cube(dimension))
    set(table, Op::tex_fetch, dimension, kExists | kMissing | kFeedback, kRobustFetch, kFetch);
  if (!is_cube(dimension) && !is_multisampled(dimension)) {
    for (Op op : {Op::surf_load, Op::surf_store, Op::surf_atomic})
      set(table, op, dimension, kExists | kMissing | kConversion | kFeedback, kRobustSurface, kStorage);
  }
  if (dimension == Dimension::buffer) return set(table, Op::buf_size, dimension, kExists, kUnbound, kQuery);
  // A mip that does not exist has an undefined size; a resource without mips has no such mip.
  set(table, Op::tex_size, dimension, kExists, kUnbound, kQuery);
  if (is_multisampled(dimension)) return set(table, Op::tex_samples, dimension, kExists, kUnbound, kQuery);
  // The array index: rounding to nearest even is preferred, floor(a + 0.5) is the alternative
  // (Vulkan 16.6.1).
  const uint32_t compare = dimension == Dimension::texture3d ? 0u : uint32_t{kCompare};
  const uint32_t sampling = kExists | kMissing | kOffset | kNearLayer | kFeedback | compare;
  set(table, Op::tex_sample, dimension, sampling | kImplicitLevel | kBias | kGradient, kUnbound | kLodClamp,
      kSample);
  set(table, Op::tex_lod, dimension, kExists, kUnbound, kQuery);
  const bool plane = dimension == Dimension::texture2d || dimension == Dimension::texture2d_array;
  if (!plane && !is_cube(dimension)) return;
  set(table, Op::tex_gather, dimension, sampling | (plane ? uint32_t{kRunTimeOffset} : 0u), kUnbound,
      kSample);
}

constexpr GuaranteeTable make_texture_table(Robustness robustness, bool clamps_levels) {
  const bool driver = robustness == Robustness::driver;
  GuaranteeTable table;
  table.target = "spirv";
  table.ordered_views = true;
  table.sample_evaluation = true;
  table.centroid_evaluation = true;
  for (uint32_t d = 0; d < kDimensionCount; ++d) {
    const Dimension dimension = static_cast<Dimension>(d);
    for (auto& op_row : table.rows) op_row[d].stand_in = dimension;
    add_dimension(table, dimension);
  }
  // nullDescriptor: the sizes of an unbound slot are 0.
  table.facts = {driver ? uint32_t{kUnbound} : 0u, "SPIR-V 3.42.10 (image queries), VK_EXT_robustness2"};
  table.counter_guarded = driver;
  // The emitter multiplies words, and drivers addresses in bytes: both with 32 bits.
  table.structures_wrap = driver;
  table.measures_samplers = !clamps_levels;
  return table.with((driver ? kRobustFetch | kRobustSurface : 0u) |
                    (clamps_levels ? uint32_t{kLodClamp} : 0u));
}

// Not made for each shader: it would be a twentieth of the cost of a short one. By clamps_levels.
constinit const GuaranteeTable kDriverTextures[] = {make_texture_table(Robustness::driver, false),
                                                    make_texture_table(Robustness::driver, true)};
constinit const GuaranteeTable kShaderTextures[] = {make_texture_table(Robustness::shader, false),
                                                    make_texture_table(Robustness::shader, true)};

}  // namespace

ir::GuaranteeTable texture_guarantees(Robustness robustness, bool clamps_levels) {
  return (robustness == Robustness::driver ? kDriverTextures : kShaderTextures)[clamps_levels ? 1 : 0];
}

}  // namespace texlate::spirv
