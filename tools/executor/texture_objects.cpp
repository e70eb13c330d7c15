#include "tools/executor/texture_objects.h"

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
