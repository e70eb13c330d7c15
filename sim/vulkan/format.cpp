#include "sim/vulkan/format.h"

namespace texlate::sim::vulkan {

namespace {

constexpr VkComponentMapping kIdentity{};
constexpr VkComponentMapping kAlphaOnly{VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_ZERO,
                                        VK_COMPONENT_SWIZZLE_ZERO, VK_COMPONENT_SWIZZLE_R};
constexpr VkComponentMapping kOpaque{VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_IDENTITY,
                                     VK_COMPONENT_SWIZZLE_IDENTITY, VK_COMPONENT_SWIZZLE_ONE};
// VK_FORMAT_R4G4B4A4_UNORM_PACK16 has red in the high bits, where DXGI_FORMAT_B4G4R4A4_UNORM has alpha.
constexpr VkComponentMapping kFourFours{VK_COMPONENT_SWIZZLE_G, VK_COMPONENT_SWIZZLE_B,
                                        VK_COMPONENT_SWIZZLE_A, VK_COMPONENT_SWIZZLE_R};

}  // namespace

// Vulkan, Format Definition. Packed formats name their components from the high bits down.
FormatMapping vulkan_format(Format format) {
  switch (format) {
    case Format::r32g32b32a32_float: return {VK_FORMAT_R32G32B32A32_SFLOAT};
    case Format::r32g32b32a32_uint: return {VK_FORMAT_R32G32B32A32_UINT};
    case Format::r32g32b32a32_sint: return {VK_FORMAT_R32G32B32A32_SINT};
    case Format::r32g32b32_float: return {VK_FORMAT_R32G32B32_SFLOAT};
    case Format::r32g32b32_uint: return {VK_FORMAT_R32G32B32_UINT};
    case Format::r32g32b32_sint: return {VK_FORMAT_R32G32B32_SINT};
    case Format::r16g16b16a16_float: return {VK_FORMAT_R16G16B16A16_SFLOAT};
    case Format::r16g16b16a16_unorm: return {VK_FORMAT_R16G16B16A16_UNORM};
    case Format::r16g16b16a16_uint: return {VK_FORMAT_R16G16B16A16_UINT};
    case Format::r16g16b16a16_snorm: return {VK_FORMAT_R16G16B16A16_SNORM};
    case Format::r16g16b16a16_sint: return {VK_FORMAT_R16G16B16A16_SINT};
    case Format::r32g32_float: return {VK_FORMAT_R32G32_SFLOAT};
    case Format::r32g32_uint: return {VK_FORMAT_R32G32_UINT};
    case Format::r32g32_sint: return {VK_FORMAT_R32G32_SINT};
    case Format::r10g10b10a2_unorm: return {VK_FORMAT_A2B10G10R10_UNORM_PACK32};
    case Format::r10g10b10a2_uint: return {VK_FORMAT_A2B10G10R10_UINT_PACK32};
    case Format::r11g11b10_float: return {VK_FORMAT_B10G11R11_UFLOAT_PACK32};
    case Format::r8g8b8a8_unorm: return {VK_FORMAT_R8G8B8A8_UNORM};
    case Format::r8g8b8a8_unorm_srgb: return {VK_FORMAT_R8G8B8A8_SRGB};
    case Format::r8g8b8a8_uint: return {VK_FORMAT_R8G8B8A8_UINT};
    case Format::r8g8b8a8_snorm: return {VK_FORMAT_R8G8B8A8_SNORM};
    case Format::r8g8b8a8_sint: return {VK_FORMAT_R8G8B8A8_SINT};
    case Format::r16g16_float: return {VK_FORMAT_R16G16_SFLOAT};
    case Format::r16g16_unorm: return {VK_FORMAT_R16G16_UNORM};
    case Format::r16g16_uint: return {VK_FORMAT_R16G16_UINT};
    case Format::r16g16_snorm: return {VK_FORMAT_R16G16_SNORM};
    case Format::r16g16_sint: return {VK_FORMAT_R16G16_SINT};
    case Format::d32_float:
    case Format::r32_float: return {VK_FORMAT_R32_SFLOAT, VK_FORMAT_D32_SFLOAT, kIdentity};
    case Format::r32_uint: return {VK_FORMAT_R32_UINT};
    case Format::r32_sint: return {VK_FORMAT_R32_SINT};
    case Format::r24_unorm_x8_typeless:
      return {VK_FORMAT_X8_D24_UNORM_PACK32, VK_FORMAT_X8_D24_UNORM_PACK32, kIdentity};
    case Format::r8g8_unorm: return {VK_FORMAT_R8G8_UNORM};
    case Format::r8g8_uint: return {VK_FORMAT_R8G8_UINT};
    case Format::r8g8_snorm: return {VK_FORMAT_R8G8_SNORM};
    case Format::r8g8_sint: return {VK_FORMAT_R8G8_SINT};
    case Format::r16_float: return {VK_FORMAT_R16_SFLOAT};
    case Format::d16_unorm:
    case Format::r16_unorm: return {VK_FORMAT_R16_UNORM, VK_FORMAT_D16_UNORM, kIdentity};
    case Format::r16_uint: return {VK_FORMAT_R16_UINT};
    case Format::r16_snorm: return {VK_FORMAT_R16_SNORM};
    case Format::r16_sint: return {VK_FORMAT_R16_SINT};
    case Format::r8_unorm: return {VK_FORMAT_R8_UNORM};
    case Format::r8_uint: return {VK_FORMAT_R8_UINT};
    case Format::r8_snorm: return {VK_FORMAT_R8_SNORM};
    case Format::r8_sint: return {VK_FORMAT_R8_SINT};
    case Format::a8_unorm: return {VK_FORMAT_R8_UNORM, VK_FORMAT_UNDEFINED, kAlphaOnly};
    case Format::r9g9b9e5_sharedexp: return {VK_FORMAT_E5B9G9R9_UFLOAT_PACK32};
    case Format::b5g6r5_unorm: return {VK_FORMAT_R5G6B5_UNORM_PACK16};
    case Format::b5g5r5a1_unorm: return {VK_FORMAT_A1R5G5B5_UNORM_PACK16};
    case Format::b8g8r8a8_unorm: return {VK_FORMAT_B8G8R8A8_UNORM};
    case Format::b8g8r8x8_unorm: return {VK_FORMAT_B8G8R8A8_UNORM, VK_FORMAT_UNDEFINED, kOpaque};
    case Format::b8g8r8a8_unorm_srgb: return {VK_FORMAT_B8G8R8A8_SRGB};
    case Format::b8g8r8x8_unorm_srgb: return {VK_FORMAT_B8G8R8A8_SRGB, VK_FORMAT_UNDEFINED, kOpaque};
    case Format::r16g16b16x16_float: return {VK_FORMAT_R16G16B16A16_SFLOAT, VK_FORMAT_UNDEFINED, kOpaque};
    case Format::b4g4r4a4_unorm: return {VK_FORMAT_R4G4B4A4_UNORM_PACK16, VK_FORMAT_UNDEFINED, kFourFours};
    // A plane of a depth-stencil format needs the memory of both planes. The texture unit rejects
    // block-compressed formats.
    default: return {};
  }
}

}  // namespace texlate::sim::vulkan
