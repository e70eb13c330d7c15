// Converts Direct3D's sampler state to Vulkan's.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/vulkan/resources.h"

namespace texlate::sim::vulkan {

namespace {

VkFilter filter(Filter from) {
  return from == Filter::linear ? VK_FILTER_LINEAR : VK_FILTER_NEAREST;
}

VkSamplerAddressMode address(AddressMode from, bool mirror_once) {
  switch (from) {
    case AddressMode::wrap: return VK_SAMPLER_ADDRESS_MODE_REPEAT;
    case AddressMode::mirror: return VK_SAMPLER_ADDRESS_MODE_MIRRORED_REPEAT;
    case AddressMode::border: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_BORDER;
    case AddressMode::mirror_once:
      if (!mirror_once) fail("the device has no address mode 'mirror once'");
      return VK_SAMPLER_ADDRESS_MODE_MIRROR_CLAMP_TO_EDGE;
    default: return VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
  }
}

/// One of the fixed colors, or CUSTOM.
VkBorderColor border_color(const Sampler& sampler) {
  const std::array<float, 4>& color = sampler.border;
  if (sampler.border_is_bits) {
    const auto is_zero = [](float bits) { return std::bit_cast<uint32_t>(bits) == 0; };
    return std::all_of(color.begin(), color.end(), is_zero) ? VK_BORDER_COLOR_INT_TRANSPARENT_BLACK
                                                            : VK_BORDER_COLOR_INT_CUSTOM_EXT;
  }
  if (color == std::array<float, 4>{0, 0, 0, 0}) return VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
  if (color == std::array<float, 4>{0, 0, 0, 1}) return VK_BORDER_COLOR_FLOAT_OPAQUE_BLACK;
  if (color == std::array<float, 4>{1, 1, 1, 1}) return VK_BORDER_COLOR_FLOAT_OPAQUE_WHITE;
  return VK_BORDER_COLOR_FLOAT_CUSTOM_EXT;
}

}  // namespace

VkSampler make_sampler(Job& job, const Sampler& sampler) {
  const Context& context = job.context;
  auto info = structure<VkSamplerCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO);
  const bool linear = sampler.anisotropic;
  info.magFilter = linear ? VK_FILTER_LINEAR : filter(sampler.mag_filter);
  info.minFilter = linear ? VK_FILTER_LINEAR : filter(sampler.min_filter);
  info.mipmapMode = linear || sampler.mip_filter == Filter::linear ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                                   : VK_SAMPLER_MIPMAP_MODE_NEAREST;
  info.addressModeU = address(sampler.address[0], context.mirror_once);
  info.addressModeV = address(sampler.address[1], context.mirror_once);
  info.addressModeW = address(sampler.address[2], context.mirror_once);
  info.mipLodBias =
      std::clamp(sampler.mip_lod_bias, -context.limits.maxSamplerLodBias, context.limits.maxSamplerLodBias);
  info.anisotropyEnable =
      sampler.anisotropic && sampler.max_anisotropy > 1 && context.features.samplerAnisotropy != VK_FALSE;
  info.maxAnisotropy = std::clamp(static_cast<float>(sampler.max_anisotropy), 1.0f,
                                  std::max(1.0f, context.limits.maxSamplerAnisotropy));
  info.compareEnable = sampler.reduction == Reduction::comparison;
  // D3D11_COMPARISON_FUNC counts from 1, VkCompareOp from 0, in the same order.
  info.compareOp = static_cast<VkCompareOp>(static_cast<int>(sampler.comparison) - 1);
  info.minLod = sampler.min_lod;
  info.maxLod = std::max(sampler.min_lod, sampler.max_lod);
  auto reduction =
      structure<VkSamplerReductionModeCreateInfo>(VK_STRUCTURE_TYPE_SAMPLER_REDUCTION_MODE_CREATE_INFO);
  if (sampler.reduction == Reduction::minimum || sampler.reduction == Reduction::maximum) {
    if (!context.min_max) fail("the device has no minimum and maximum reduction filters");
    reduction.reductionMode = sampler.reduction == Reduction::minimum ? VK_SAMPLER_REDUCTION_MODE_MIN
                                                                      : VK_SAMPLER_REDUCTION_MODE_MAX;
    info.pNext = &reduction;
  }
  info.borderColor = border_color(sampler);
  auto custom = structure<VkSamplerCustomBorderColorCreateInfoEXT>(
      VK_STRUCTURE_TYPE_SAMPLER_CUSTOM_BORDER_COLOR_CREATE_INFO_EXT);
  const bool is_integer = info.borderColor == VK_BORDER_COLOR_INT_CUSTOM_EXT;
  if (info.borderColor == VK_BORDER_COLOR_FLOAT_CUSTOM_EXT || is_integer) {
    const bool used = std::find(sampler.address.begin(), sampler.address.end(), AddressMode::border) !=
                      sampler.address.end();
    if (!used) {
      info.borderColor =
          is_integer ? VK_BORDER_COLOR_INT_TRANSPARENT_BLACK : VK_BORDER_COLOR_FLOAT_TRANSPARENT_BLACK;
    } else {
      if (!context.custom_border) fail("the device has no custom border colors");
      std::memcpy(&custom.customBorderColor, sampler.border.data(), sizeof custom.customBorderColor);
      custom.pNext = info.pNext;
      info.pNext = &custom;
    }
  }
  VkSampler made = VK_NULL_HANDLE;
  check(job.vk.CreateSampler(context.device, &info, nullptr, &made), "vkCreateSampler");
  job.defer([&job, made] { job.vk.DestroySampler(job.context.device, made, nullptr); });
  return made;
}

}  // namespace texlate::sim::vulkan
