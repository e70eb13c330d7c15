// Fetch, sample and gather of one lane: converts the slots of an access to operands of the texture unit.

#include "sim/ir/float_rules.h"
#include "sim/ir/machine.h"
#include "sim/texture_unit/sample.h"

namespace texlate::sim {

using ir::Slot;

namespace {

/// Tests ld's rules 2 to 5 (docs/reference/direct3d.md 1.3).
bool is_inside(const TextureView& view, const Word4& address, uint32_t sample, const char*& what) {
  const DimensionInfo& info = dimension_info(view.dimension);
  const uint32_t mip = info.multisampled ? 0 : address[3];
  if (mip >= view.mip_count) return what = "a mip that does not exist", false;
  const Extent size = view.size(mip);
  for (int axis = 0; axis < info.axes; ++axis) {
    if (address[static_cast<size_t>(axis)] >= size[axis]) return what = "a coordinate outside the mip", false;
  }
  if (info.slice >= 0 && address[static_cast<size_t>(info.slice)] >= view.array_size()) {
    return what = "a slice that does not exist", false;
  }
  if (info.multisampled && sample >= view.texture->desc().samples)
    return what = "a sample that does not exist", false;
  return true;
}

constexpr Word4 kForeignTexel = {kForeign, kForeign, kForeign, kForeign};

}  // namespace

// True if another dimension replaces the declared one: 1D textures are bound with height 1, samples as
// slices.
bool Machine::stands_in(const LaneAccess& at) const {
  return at.contract.dimension != module_.resources[at.contract.resource].dimension;
}

Word4 Machine::texel_address(const LaneAccess& at, const TextureView& view) const {
  const DimensionInfo& info = dimension_info(view.dimension);
  Word4 address{};
  for (uint32_t axis = 0; axis < info.axes; ++axis) {
    if (has(at, Slot::coordinate0 + axis)) address[axis] = slot(at, Slot::coordinate0 + axis);
  }
  if (info.slice >= 0 && has(at, Slot::layer))
    address[static_cast<size_t>(info.slice)] = slot(at, Slot::layer);
  return address;
}

std::array<float, 4> Machine::coordinate_of(const LaneAccess& at, const TextureView& view) const {
  const DimensionInfo& info = dimension_info(view.dimension);
  std::array<float, 4> coordinate{};
  const uint32_t axes = info.cube ? 3 : info.axes;
  for (uint32_t axis = 0; axis < axes; ++axis) coordinate[axis] = float_slot(at, Slot::coordinate0 + axis);
  if (info.slice >= 0 && has(at, Slot::layer)) {
    const uint32_t layer = slot(at, Slot::layer);
    coordinate[static_cast<size_t>(info.slice)] =
        at.contract.layer_is_integer ? static_cast<float>(layer) : float_of(layer);
  }
  return coordinate;
}

// Over the quad, like ddx.coarse and ddy.coarse.
Derivatives Machine::derivatives_of(LaneAccess& at) const {
  Derivatives derivatives;
  const uint32_t quad = at.lane & ~3u;
  if (((active_.words[quad / 64] >> (quad % 64)) & 15u) != 15u) at.access.flag(Undefined::divergent_quad);
  // The derivatives of a direction are projected on each pixel's face.
  const bool cube = ir::is_cube(at.contract.dimension);
  const bool shared = options_.derivatives == QuadDerivatives::shared && !cube;
  const uint32_t pixel = shared ? quad : at.lane;
  for (uint32_t axis = 0; axis < 3; ++axis) {
    const Slot which = Slot::coordinate0 + axis;
    if (!has(at, which)) continue;
    const ir::Value value = module_.operands[at.instruction.first_operand + at.contract.position(which)];
    const uint32_t* lanes = row(program_.row_of[value]);
    auto difference = [&](uint32_t step) {
      return float_of(finish(flushed(lanes[pixel | step]) - flushed(lanes[pixel & ~step])));
    };
    derivatives.ddx[axis] = difference(1);
    derivatives.ddy[axis] = difference(2);
  }
  return derivatives;
}

void Machine::fetch(LaneAccess& at, const BoundResource& resource) {
  if (resource.buffer.bound()) {
    const uint32_t element = slot(at, Slot::coordinate0);
    if (element >= resource.buffer.element_count && options_.promise_nothing) {
      unguarded(at, "an element outside the buffer");
      return put_texel(at, kForeignTexel, Format::unknown);
    }
    return put_texel(at, ld_buffer(resource.buffer, element, at.access), resource.buffer.format);
  }
  const TextureView& view = resource.texture;
  const DimensionInfo& info = dimension_info(view.dimension);
  if (info.cube) return fetch_by_direction(at, view);
  Word4 address = texel_address(at, view);
  if (has(at, Slot::lod)) address[3] = slot(at, Slot::lod);
  uint32_t sample = has(at, Slot::sample) ? slot(at, Slot::sample) : 0;
  if (stands_in(at) && info.multisampled) {
    const uint32_t samples = view.texture->desc().samples;
    const uint32_t slice = slot(at, Slot::layer);
    sample = info.slice >= 0 ? slice % samples : slice;
    if (info.slice >= 0) address[static_cast<size_t>(info.slice)] = slice / samples;
  }
  if (options_.promise_nothing) {
    const char* what = nullptr;
    bool inside = is_inside(view, address, sample, what);
    if (at.contract.has_offset) inside = false, what = "an offset, which the target does not support";
    if (stands_in(at) && !info.multisampled && slot(at, Slot::coordinate1) != 0) {
      inside = false, what = "a row that a 1D texture does not have";
    }
    if (!inside) {
      unguarded(at, what);
      return put_texel(at, kForeignTexel, Format::unknown);
    }
  }
  TexelOffset offset{};
  if (at.contract.has_offset) {
    for (size_t axis = 0; axis < 3; ++axis) offset[axis] = at.contract.offset[axis];
  }
  const Word4 texel = info.multisampled ? ld2dms(view, address, sample, offset, at.access)
                                        : ld(view, address, offset, at.access);
  put_texel(at, texel, view.format);
}

// The texel of a cube's mip that a direction selects.
void Machine::fetch_by_direction(LaneAccess& at, const TextureView& view) {
  SampleOperands operands;
  operands.coordinate = coordinate_of(at, view);
  operands.lod_source = LodSource::level;
  operands.lod = has(at, Slot::lod) ? static_cast<float>(slot(at, Slot::lod)) : 0.0f;
  Sampler nearest;
  nearest.min_filter = nearest.mag_filter = nearest.mip_filter = Filter::point;
  put_texel(at, sample(view, nearest, operands, options_.texture_unit, at.access), view.format);
}

void Machine::sample_texture(LaneAccess& at, const BoundResource& resource) {
  const TextureView& view = resource.texture;
  SampleOperands operands;
  operands.coordinate = coordinate_of(at, view);
  switch (at.contract.lod) {
    case ir::LodRule::bias:
      operands.lod_source = LodSource::bias;
      operands.lod = float_slot(at, Slot::lod);
      operands.derivatives = derivatives_of(at);
      break;
    case ir::LodRule::level:
      operands.lod_source = LodSource::level;
      operands.lod = float_slot(at, Slot::lod);
      break;
    case ir::LodRule::zero: operands.lod_source = LodSource::zero; break;
    case ir::LodRule::gradient:
      operands.lod_source = LodSource::gradients;
      for (uint32_t axis = 0; axis < 3; ++axis) {
        operands.derivatives.ddx[axis] = float_slot(at, Slot::ddx0 + axis);
        operands.derivatives.ddy[axis] = float_slot(at, Slot::ddy0 + axis);
      }
      break;
    default: operands.derivatives = derivatives_of(at); break;
  }
  if (at.contract.has_offset) {
    for (size_t axis = 0; axis < 3; ++axis) operands.offset[axis] = at.contract.offset[axis];
  }
  if (has(at, Slot::lod_clamp)) operands.lod_clamp = float_slot(at, Slot::lod_clamp);
  if (at.contract.compare) operands.reference = float_slot(at, Slot::reference);
  Sampler sampler = sampler_of(at);
  // After legalization a comparison is done in code, and the sampler is bound without a comparison.
  if (!at.contract.compare && options_.promise_nothing && sampler.reduction == Reduction::comparison) {
    sampler.reduction = Reduction::standard;
  }
  put_texel(at, sample(view, sampler, operands, options_.texture_unit, at.access), view.format,
            at.contract.compare);
}

void Machine::gather(LaneAccess& at, const BoundResource& resource) {
  const TextureView& view = resource.texture;
  TexelOffset offset{};
  if (at.contract.has_offset) {
    for (size_t axis = 0; axis < 3; ++axis) offset[axis] = at.contract.offset[axis];
  }
  if (has(at, Slot::offset0)) offset = programmable_offset(slot(at, Slot::offset0), slot(at, Slot::offset1));
  const std::array<float, 4> coordinate = coordinate_of(at, view);
  Sampler sampler = sampler_of(at);
  if (at.contract.compare) {
    const Word4 texels = gather4_c(view, sampler, coordinate, offset, float_slot(at, Slot::reference),
                                   options_.texture_unit, at.access);
    return put_texel(at, texels, Format::unknown);
  }
  if (options_.promise_nothing && sampler.reduction == Reduction::comparison)
    sampler.reduction = Reduction::standard;
  const int component = at.contract.gather_component;
  const Word4 texels =
      gather4(view, sampler, coordinate, offset, component, options_.texture_unit, at.access);
  const bool missing = options_.promise_nothing && !format_info(view.format).has(component);
  put_texel(at, missing ? kForeignTexel : texels, Format::unknown);
}

}  // namespace texlate::sim
