#include "sim/vulkan/fixed_functions.h"

#include <algorithm>

namespace texlate::sim::vulkan {

namespace {

VkCompareOp compare_of(Compare compare) {
  switch (compare) {
    case Compare::never: return VK_COMPARE_OP_NEVER;
    case Compare::less: return VK_COMPARE_OP_LESS;
    case Compare::equal: return VK_COMPARE_OP_EQUAL;
    case Compare::less_equal: return VK_COMPARE_OP_LESS_OR_EQUAL;
    case Compare::greater: return VK_COMPARE_OP_GREATER;
    case Compare::not_equal: return VK_COMPARE_OP_NOT_EQUAL;
    case Compare::greater_equal: return VK_COMPARE_OP_GREATER_OR_EQUAL;
    case Compare::always: return VK_COMPARE_OP_ALWAYS;
  }
  return VK_COMPARE_OP_ALWAYS;
}

VkStencilOp stencil_op_of(StencilOp op) {
  switch (op) {
    case StencilOp::keep: return VK_STENCIL_OP_KEEP;
    case StencilOp::zero: return VK_STENCIL_OP_ZERO;
    case StencilOp::replace: return VK_STENCIL_OP_REPLACE;
    case StencilOp::increment_sat: return VK_STENCIL_OP_INCREMENT_AND_CLAMP;
    case StencilOp::decrement_sat: return VK_STENCIL_OP_DECREMENT_AND_CLAMP;
    case StencilOp::invert: return VK_STENCIL_OP_INVERT;
    case StencilOp::increment: return VK_STENCIL_OP_INCREMENT_AND_WRAP;
    case StencilOp::decrement: return VK_STENCIL_OP_DECREMENT_AND_WRAP;
  }
  return VK_STENCIL_OP_KEEP;
}

VkBlendFactor factor_of(BlendFactor factor) {
  switch (factor) {
    case BlendFactor::zero: return VK_BLEND_FACTOR_ZERO;
    case BlendFactor::one: return VK_BLEND_FACTOR_ONE;
    case BlendFactor::source_color: return VK_BLEND_FACTOR_SRC_COLOR;
    case BlendFactor::inverse_source_color: return VK_BLEND_FACTOR_ONE_MINUS_SRC_COLOR;
    case BlendFactor::source_alpha: return VK_BLEND_FACTOR_SRC_ALPHA;
    case BlendFactor::inverse_source_alpha: return VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA;
    case BlendFactor::target_alpha: return VK_BLEND_FACTOR_DST_ALPHA;
    case BlendFactor::inverse_target_alpha: return VK_BLEND_FACTOR_ONE_MINUS_DST_ALPHA;
    case BlendFactor::target_color: return VK_BLEND_FACTOR_DST_COLOR;
    case BlendFactor::inverse_target_color: return VK_BLEND_FACTOR_ONE_MINUS_DST_COLOR;
    case BlendFactor::source_alpha_saturated: return VK_BLEND_FACTOR_SRC_ALPHA_SATURATE;
    case BlendFactor::constant: return VK_BLEND_FACTOR_CONSTANT_COLOR;
    case BlendFactor::inverse_constant: return VK_BLEND_FACTOR_ONE_MINUS_CONSTANT_COLOR;
    case BlendFactor::source1_color: return VK_BLEND_FACTOR_SRC1_COLOR;
    case BlendFactor::inverse_source1_color: return VK_BLEND_FACTOR_ONE_MINUS_SRC1_COLOR;
    case BlendFactor::source1_alpha: return VK_BLEND_FACTOR_SRC1_ALPHA;
    case BlendFactor::inverse_source1_alpha: return VK_BLEND_FACTOR_ONE_MINUS_SRC1_ALPHA;
  }
  return VK_BLEND_FACTOR_ONE;
}

VkBlendOp blend_op_of(BlendOp op) {
  switch (op) {
    case BlendOp::add: return VK_BLEND_OP_ADD;
    case BlendOp::subtract: return VK_BLEND_OP_SUBTRACT;
    case BlendOp::reverse_subtract: return VK_BLEND_OP_REVERSE_SUBTRACT;
    case BlendOp::min: return VK_BLEND_OP_MIN;
    case BlendOp::max: return VK_BLEND_OP_MAX;
  }
  return VK_BLEND_OP_ADD;
}

VkCullModeFlags cull_mode_of(CullMode cull) {
  switch (cull) {
    case CullMode::none: return VK_CULL_MODE_NONE;
    case CullMode::front: return VK_CULL_MODE_FRONT_BIT;
    case CullMode::back: return VK_CULL_MODE_BACK_BIT;
  }
  return VK_CULL_MODE_NONE;
}

class Converter {
 public:
  Converter(const Context& context, const DrawJob& draw) : context_(context), draw_(draw) {}

  FixedFunctions convert() {
    set_viewport();
    set_raster();
    set_depth();
    set_blend();
    return made_;
  }

 private:
  void needs(VkBool32 there, const char* what) const {
    if (there == VK_FALSE) fail_missing("'{}' lacks {}, which the draw needs", context_.name, what);
  }

  /// Direct3D's y points up in clip space: the viewport is upside down (Vulkan 1.1, VkViewport::height).
  void set_viewport() {
    const Viewport& from = draw_.viewport;
    const bool is_empty = !(from.width > 0 && from.height > 0);
    made_.viewport = {from.left, from.top, 1, 1, from.min_depth, from.max_depth};
    if (!is_empty) {
      made_.viewport.y = from.top + from.height;
      made_.viewport.width = from.width;
      made_.viewport.height = -from.height;
    }
    const auto width = static_cast<int32_t>(draw_.width), height = static_cast<int32_t>(draw_.height);
    const ScissorRectangle all{0, 0, width, height};
    const ScissorRectangle& given = draw_.raster.scissor_enabled ? draw_.raster.scissor : all;
    const int32_t left = std::clamp(given.left, 0, width), top = std::clamp(given.top, 0, height);
    const int32_t right = std::clamp(given.right, left, width),
                  bottom = std::clamp(given.bottom, top, height);
    made_.scissor = {{left, top}, {static_cast<uint32_t>(right - left), static_cast<uint32_t>(bottom - top)}};
    if (is_empty) made_.scissor.extent = {0, 0};
  }

  void set_raster() {
    const RasterState& from = draw_.raster;
    VkPipelineRasterizationStateCreateInfo& to = made_.raster;
    needs(context_.depth_clip, "depthClipEnable");
    needs(context_.features.depthClamp, "depthClamp");
    // Depths are always clamped to the viewport's range; triangles are clipped only if the state says so.
    to.depthClampEnable = VK_TRUE;
    made_.clips_depth = from.depth_clip;
    to.polygonMode = VK_POLYGON_MODE_FILL;
    to.cullMode = cull_mode_of(from.cull);
    to.frontFace = from.front_counter_clockwise ? VK_FRONT_FACE_COUNTER_CLOCKWISE : VK_FRONT_FACE_CLOCKWISE;
    to.depthBiasEnable = from.depth_bias != 0 || from.slope_scaled_bias != 0;
    to.depthBiasConstantFactor = static_cast<float>(from.depth_bias);
    to.depthBiasSlopeFactor = from.slope_scaled_bias;
    to.depthBiasClamp = from.depth_bias_clamp;
    if (to.depthBiasClamp != 0) needs(context_.features.depthBiasClamp, "depthBiasClamp");
    to.lineWidth = 1.0f;
    made_.bresenham = draw_.draws_lines;
    if (draw_.draws_lines) needs(context_.bresenham_lines, "bresenhamLines");
  }

  VkStencilOpState face(const StencilFace& from) const {
    VkStencilOpState to{};
    to.failOp = stencil_op_of(from.fail);
    to.passOp = stencil_op_of(from.pass);
    to.depthFailOp = stencil_op_of(from.depth_fail);
    to.compareOp = compare_of(from.compare);
    to.compareMask = draw_.depth.read_mask;
    to.writeMask = draw_.depth.write_mask;
    to.reference = draw_.depth.reference;
    return to;
  }

  void set_depth() {
    const bool exists = draw_.depth_format != DepthFormat::none;
    VkPipelineDepthStencilStateCreateInfo& to = made_.depth;
    to.depthTestEnable = exists && draw_.depth.enabled;
    to.depthWriteEnable = draw_.depth.writes;
    to.depthCompareOp = compare_of(draw_.depth.compare);
    to.stencilTestEnable = draw_.depth.stencil_enabled && has_stencil(draw_.depth_format);
    to.front = face(draw_.depth.front);
    to.back = face(draw_.depth.back);
  }

  void set_blend() {
    const BlendTarget& from = draw_.blend.targets[0];
    if (reads_second_source(from)) needs(context_.features.dualSrcBlend, "dualSrcBlend");
    VkPipelineColorBlendAttachmentState& to = made_.blend;
    to.blendEnable = from.enabled && !format_info(draw_.format).is_integer();
    to.srcColorBlendFactor = factor_of(from.color.source);
    to.dstColorBlendFactor = factor_of(from.color.target);
    to.colorBlendOp = blend_op_of(from.color.op);
    to.srcAlphaBlendFactor = factor_of(from.alpha.source);
    to.dstAlphaBlendFactor = factor_of(from.alpha.target);
    to.alphaBlendOp = blend_op_of(from.alpha.op);
    constexpr std::array kParts = {VK_COLOR_COMPONENT_R_BIT, VK_COLOR_COMPONENT_G_BIT,
                                   VK_COLOR_COMPONENT_B_BIT, VK_COLOR_COMPONENT_A_BIT};
    for (size_t c = 0; c < kParts.size(); ++c) {
      if (((from.write_mask >> c) & 1) != 0) to.colorWriteMask |= kParts[c];
    }
    made_.blend_constants = draw_.blend.constant;
    made_.sample_mask = draw_.blend.sample_mask;
  }

  const Context& context_;
  const DrawJob& draw_;
  FixedFunctions made_;
};

}  // namespace

FixedFunctions fixed_functions_of(const Context& context, const DrawJob& draw) {
  return Converter(context, draw).convert();
}

VkFormat vulkan_format(DepthFormat format) {
  switch (format) {
    case DepthFormat::none: return VK_FORMAT_UNDEFINED;
    case DepthFormat::d16: return VK_FORMAT_D16_UNORM;
    case DepthFormat::d24s8: return VK_FORMAT_D24_UNORM_S8_UINT;
    case DepthFormat::d32: return VK_FORMAT_D32_SFLOAT;
    case DepthFormat::d32s8: return VK_FORMAT_D32_SFLOAT_S8_UINT;
  }
  return VK_FORMAT_UNDEFINED;
}

bool has_stencil(DepthFormat format) {
  return format == DepthFormat::d24s8 || format == DepthFormat::d32s8;
}

}  // namespace texlate::sim::vulkan
