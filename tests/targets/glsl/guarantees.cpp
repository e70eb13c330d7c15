// The GLSL documents are the OpenGL Shading Language 4.50 and GL_KHR_vulkan_glsl, which maps it to SPIR-V.
// What they leave undefined is not promised.

#include "ir/passes/guarantee_rows.h"
#include "tests/targets/glsl/target.h"

namespace texlate::glsl {

namespace {

using namespace ir;  // the flags

// ---- resources. Raw and structured buffers, atomics and counters have no row: they are refused. ----

constexpr std::string_view kFetch = "GLSL 4.50 8.9.2 (texelFetch)";
constexpr std::string_view kSample = "GLSL 4.50 8.9.2 (texture), Vulkan, Image Operations";
constexpr std::string_view kGather = "GLSL 4.50 8.9.3 (textureGather)";
constexpr std::string_view kLevel = "GLSL 4.50 8.9.1 (textureQueryLod)";
constexpr std::string_view kImage = "GLSL 4.50 8.12 (imageLoad, imageStore)";

constexpr TexturePromises kTextureRows = [] {
  TexturePromises rows;
  set_stand_ins(rows, [](Dimension dimension) { return dimension; });
  for (uint32_t d = 0; d < kDimensionCount; ++d) {
    const auto dimension = static_cast<Dimension>(d);
    const auto set = [&](Op op, uint32_t promises, std::string_view source) {
      set_promises(rows, {{op}, dimension, promises, source});
    };
    if (dimension == Dimension::raw_buffer || dimension == Dimension::structured_buffer) continue;
    if (!is_cube(dimension)) set(Op::tex_fetch, kExists | kMissing, kFetch);
    if (is_multisampled(dimension)) continue;
    if (!is_cube(dimension)) {
      set(Op::surf_load, kExists | kMissing | kConversion, kImage);
      set(Op::surf_store, kExists | kMissing | kConversion, kImage);
    }
    if (is_buffer(dimension)) continue;
    const bool plane = dimension == Dimension::texture2d || dimension == Dimension::texture2d_array;
    const uint32_t compare = dimension == Dimension::texture3d ? 0u : uint32_t{kCompare};
    // The layer is floor(layer + 0.5), clamped.
    const uint32_t sampling = kExists | kMissing | kOffset | kNearLayer | compare;
    set(Op::tex_sample, sampling | kImplicitLevel | kBias | kGradient, kSample);
    set(Op::tex_lod, kExists, kLevel);
    if (plane || is_cube(dimension))
      set(Op::tex_gather, sampling | (plane ? uint32_t{kRunTimeOffset} : 0u), kGather);
  }
  return rows;
}();

constinit const GuaranteeTable kTextures = {
    .target = "glsl",
    .rows = &kTextureRows,
    .facts = {0, "GLSL 4.50 8.9.1 (texture queries)"},
    .centroid_evaluation = true,
    .measures_samplers = true,
};

// ---- the shader's own memory: an index outside an array is undefined, and so is what it reaches ----

constinit const MemoryTable kMemory = {
    .constant_buffer = {kAligned, "GLSL 4.50 5.11 (out-of-bounds accesses)"},
    .table = {kAligned, "GLSL 4.50 5.11 (out-of-bounds accesses)"},
    .local = {kAligned, "GLSL 4.50 5.11 (out-of-bounds accesses)"},
    .shared = {kAligned, "GLSL 4.50 5.11 (out-of-bounds accesses)"},
    .input = {kAligned, "GLSL 4.50 5.11 (out-of-bounds accesses)"},
    .range = {kAligned, "GLSL 4.50 4.1.7 (opaque types)"},
    .guard = GuardForm::operand,
    .limit = RowLimit::declared,
};

// ---- arithmetic ----

constexpr ArithmeticRow kRows[] = {
    {Op::udiv, kNative, "GLSL 4.50 5.9 (a division by 0 is undefined)"},
    {Op::urem, kNative, "GLSL 4.50 5.9 (a division by 0 is undefined)"},
    {Op::shl, 0, "GLSL 4.50 5.9 (shifts by 32 and more are undefined)"},
    {Op::ishr, 0, "GLSL 4.50 5.9 (shifts by 32 and more are undefined)"},
    {Op::ushr, 0, "GLSL 4.50 5.9 (shifts by 32 and more are undefined)"},
    {Op::ubfe, 0, "GLSL 4.50 8.8 bitfieldExtract"},
    {Op::ibfe, 0, "GLSL 4.50 8.8 bitfieldExtract"},
    {Op::bfi, 0, "GLSL 4.50 8.8 bitfieldInsert"},
    {Op::firstbit_lo, kNative, "GLSL 4.50 8.8 findLSB"},
    {Op::firstbit_hi, 0, "GLSL 4.50 8.8 findMSB (counts from the low end)"},
    {Op::firstbit_shi, 0, "GLSL 4.50 8.8 findMSB (counts from the low end)"},
    {Op::msad, 0, "GLSL 4.50 8.8 (integer functions)"},
    {Op::ffrac, kNative, "GLSL 4.50 8.3 fract"},
    {Op::ftoi, 0, "GLSL 4.50 5.4.1 (conversions)"},
    {Op::ftou, 0, "GLSL 4.50 5.4.1 (conversions)"},
    {Op::dtoi, 0, "GLSL 4.50 5.4.1 (conversions)"},
    {Op::dtou, 0, "GLSL 4.50 5.4.1 (conversions)"},
    {Op::f32tof16, 0, "GLSL 4.50 8.4 packHalf2x16"},
    {Op::f16tof32, 0, "GLSL 4.50 8.4 unpackHalf2x16"},
    {Op::fmin, 0, "GLSL 4.50 8.3 min, 4.7.1 (NaN)"},
    {Op::fmax, 0, "GLSL 4.50 8.3 max, 4.7.1 (NaN)"},
    {Op::dmin, 0, "GLSL 4.50 8.3 min, 4.7.1 (NaN)"},
    {Op::dmax, 0, "GLSL 4.50 8.3 max, 4.7.1 (NaN)"},
    {Op::fdiv, kNative, "GLSL 4.50 5.9 (/)"},
    {Op::ddiv, kNative, "GLSL 4.50 5.9 (/)"},
    {Op::drcp, kNative, "GLSL 4.50 5.9 (/)"},
    {Op::dfma, 0, "Vulkan, Precision of GLSL.std.450 Instructions, Fma"},
    {Op::fneg, kSignBit, "GL_KHR_vulkan_glsl (OpFNegate)"},
    {Op::fabs, kSignBit, "GL_KHR_vulkan_glsl (FAbs)"},
    {Op::dneg, kSignBit, "GL_KHR_vulkan_glsl (OpFNegate)"},
    {Op::dabs, kSignBit, "GL_KHR_vulkan_glsl (FAbs)"},
    {Op::fsin, 0, "Vulkan, Precision of GLSL.std.450 Instructions, Sin"},
    {Op::fcos, 0, "Vulkan, Precision of GLSL.std.450 Instructions, Cos"},
};

constinit const ArithmeticTable kArithmetic = make_arithmetic_table(kRows);

}  // namespace

Guarantees promises(const Module&, const backend::Options&) {
  return {kTextures, kMemory, kArithmetic};
}

}  // namespace texlate::glsl
