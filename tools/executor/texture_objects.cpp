#include "tools/executor/texture_objects.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace texlate::executor {

sim::ptx::SamplerObject sampler_object(const sim::Sampler& sampler, bool anisotropic) {
  sim::ptx::SamplerObject object;
  object.address = sampler.address;
  const bool linear = sampler.anisotropic || sampler.mag_filter == sim::Filter::linear ||
                      sampler.min_filter == sim::Filter::linear;
  object.filter = linear ? sim::Filter::linear : sim::Filter::point;
  object.mip_filter = sampler.anisotropic ? sim::Filter::linear : sampler.mip_filter;
  object.mip_bias = sampler.mip_lod_bias;
  object.min_lod = sampler.min_lod;
  object.max_lod = sampler.max_lod;
  object.max_anisotropy = sampler.anisotropic && anisotropic ? sampler.max_anisotropy : 1;
  object.border = sampler.border;
  return object;
}

std::array<float, 4> border_of(const sim::Sampler& sampler, const sim::FormatInfo& format) {
  std::array<float, 4> border = sampler.border;
  if (!format.is_integer()) return border;
  const bool is_signed = format.kind == sim::Kind::sint;
  for (float& value : border) {
    const double least = is_signed ? -2147483648.0 : 0.0, most = is_signed ? 2147483647.0 : 4294967295.0;
    const double clamped = std::isnan(value) ? 0.0 : std::clamp(double{value}, least, most);
    value = std::bit_cast<float>(static_cast<uint32_t>(static_cast<int64_t>(clamped)));
  }
  return border;
}

std::string_view beyond_texture_objects(const sim::Sampler& sampler, uint32_t axes) {
  for (uint32_t axis = 0; axis < axes; ++axis) {
    if (sampler.address[axis] == sim::AddressMode::mirror_once) return "address mode mirror_once";
  }
  if (!sampler.anisotropic && sampler.min_filter != sampler.mag_filter)
    return "different filters for minification and magnification";
  if (sampler.reduction == sim::Reduction::minimum || sampler.reduction == sim::Reduction::maximum)
    return "minimum or maximum reduction";
  return {};
}

}  // namespace texlate::executor
