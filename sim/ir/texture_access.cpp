// Textures: converts the slots of one lane's access to operands of the texture unit.
#include "sim/ir/lane_access.h"
#include "sim/texture_unit/query.h"
#include "sim/texture_unit/sample.h"

namespace texlate::sim {

using ir::Op;
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

// The texel of a cube's mip that a direction selects.
void fetch_by_direction(LaneAccess& at, const TextureView& view) {
  SampleOperands operands;
  operands.coordinate = at.coordinate(view);
  operands.lod_source = LodSource::level;
  operands.lod = at.has(Slot::lod) ? static_cast<float>(at.slot(Slot::lod)) : 0.0f;
  Sampler nearest;
  nearest.min_filter = nearest.mag_filter = nearest.mip_filter = Filter::point;
  at.put_texel(sample(view, nearest, operands, at.lanes.options.texture_unit, at.access), view.format);
}

}  // namespace

void fetch(LaneAccess& at, const BoundResource& resource) {
  if (resource.buffer.bound()) {
    const uint32_t element = at.slot(Slot::coordinate0);
    if (element >= resource.buffer.element_count && at.lanes.options.promise_nothing) {
      at.report_unguarded("an element outside the buffer");
      return at.put_texel(kForeignTexel, Format::unknown);
    }
    return at.put_texel(ld_buffer(resource.buffer, element, at.access), resource.buffer.format);
  }
  const TextureView& view = resource.texture;
  const DimensionInfo& info = dimension_info(view.dimension);
  if (info.cube) return fetch_by_direction(at, view);
  Word4 address = at.texel_address(view);
  if (at.has(Slot::lod)) address[3] = at.slot(Slot::lod);
  uint32_t sample = at.has(Slot::sample) ? at.slot(Slot::sample) : 0;
  if (at.stands_in() && info.multisampled) {
    const uint32_t samples = view.texture->desc().samples;
    const uint32_t slice = at.slot(Slot::layer);
    sample = info.slice >= 0 ? slice % samples : slice;
    if (info.slice >= 0) address[static_cast<size_t>(info.slice)] = slice / samples;
  }
  if (at.lanes.options.promise_nothing) {
    const char* what = nullptr;
    bool inside = is_inside(view, address, sample, what);
    if (at.contract.has_offset) inside = false, what = "an offset, which the target does not support";
    if (at.stands_in() && !info.multisampled && at.slot(Slot::coordinate1) != 0) {
      inside = false, what = "a row that a 1D texture does not have";
    }
    if (!inside) {
      at.report_unguarded(what);
      return at.put_texel(kForeignTexel, Format::unknown);
    }
  }
  TexelOffset offset{};
  if (at.contract.has_offset) {
    for (size_t axis = 0; axis < 3; ++axis) offset[axis] = at.contract.offset[axis];
  }
  const Word4 texel = info.multisampled ? ld2dms(view, address, sample, offset, at.access)
                                        : ld(view, address, offset, at.access);
  at.put_texel(texel, view.format);
}

void sample_texture(LaneAccess& at, const BoundResource& resource) {
  const TextureView& view = resource.texture;
  SampleOperands operands;
  operands.coordinate = at.coordinate(view);
  switch (at.contract.lod) {
    case ir::LodRule::bias:
      operands.lod_source = LodSource::bias;
      operands.lod = at.float_slot(Slot::lod);
      operands.derivatives = at.derivatives();
      break;
    case ir::LodRule::level:
      operands.lod_source = LodSource::level;
      operands.lod = at.float_slot(Slot::lod);
      break;
    case ir::LodRule::zero: operands.lod_source = LodSource::zero; break;
    case ir::LodRule::gradient:
      operands.lod_source = LodSource::gradients;
      for (uint32_t axis = 0; axis < 3; ++axis) {
        operands.derivatives.ddx[axis] = at.float_slot(Slot::ddx0 + axis);
        operands.derivatives.ddy[axis] = at.float_slot(Slot::ddy0 + axis);
      }
      break;
    default: operands.derivatives = at.derivatives(); break;
  }
  if (at.contract.has_offset) {
    for (size_t axis = 0; axis < 3; ++axis) operands.offset[axis] = at.contract.offset[axis];
  }
  if (at.has(Slot::lod_clamp)) operands.lod_clamp = at.float_slot(Slot::lod_clamp);
  if (at.contract.compare) operands.reference = at.float_slot(Slot::reference);
  Sampler sampler = at.sampler();
  // After legalization a comparison is done in code, and the sampler is bound without a comparison.
  if (!at.contract.compare && at.lanes.options.promise_nothing &&
      sampler.reduction == Reduction::comparison) {
    sampler.reduction = Reduction::standard;
  }
  at.put_texel(sample(view, sampler, operands, at.lanes.options.texture_unit, at.access), view.format,
               at.contract.compare);
}

void gather(LaneAccess& at, const BoundResource& resource) {
  const TextureView& view = resource.texture;
  TexelOffset offset{};
  if (at.contract.has_offset) {
    for (size_t axis = 0; axis < 3; ++axis) offset[axis] = at.contract.offset[axis];
  }
  if (at.has(Slot::offset0)) offset = programmable_offset(at.slot(Slot::offset0), at.slot(Slot::offset1));
  const std::array<float, 4> coordinate = at.coordinate(view);
  Sampler sampler = at.sampler();
  if (at.contract.compare) {
    const Word4 texels = gather4_c(view, sampler, coordinate, offset, at.float_slot(Slot::reference),
                                   at.lanes.options.texture_unit, at.access);
    return at.put_texel(texels, Format::unknown);
  }
  if (at.lanes.options.promise_nothing && sampler.reduction == Reduction::comparison)
    sampler.reduction = Reduction::standard;
  const int component = at.contract.gather_component;
  const Word4 texels =
      gather4(view, sampler, coordinate, offset, component, at.lanes.options.texture_unit, at.access);
  const bool missing = at.lanes.options.promise_nothing && !format_info(view.format).has(component);
  at.put_texel(missing ? kForeignTexel : texels, Format::unknown);
}

void query(LaneAccess& at, const BoundResource& resource) {
  const bool is_uav = at.lanes.module.resources[at.contract.resource].is_uav;
  switch (at.instruction.op) {
    case Op::tex_size: {
      const Word4 sizes = resinfo(resource.texture, at.slot(Slot::lod), ResinfoType::uint, is_uav);
      return at.put_texel(sizes, Format::unknown);
    }
    case Op::tex_samples: return at.put(0, resource.texture.texture->desc().samples);
    case Op::sample_position: {
      const Word4 position = samplepos(resource.texture.texture->desc().samples, at.slot(Slot::sample));
      at.put(0, position[0]);
      return at.put(1, position[1]);
    }
    case Op::tex_lod: {
      const Word4 levels =
          lod(resource.texture, at.sampler(), at.coordinate(resource.texture), at.derivatives(), at.access);
      at.put(0, levels[0]);
      return at.put(1, levels[1]);
    }
    case Op::buf_size: return at.put(0, bufinfo(resource.buffer)[0]);
    case Op::tex_fetch:
    case Op::tex_sample:
    case Op::tex_gather:
    case Op::mapped:
    case Op::buf_load:
    case Op::buf_store:
    case Op::buf_atomic:
    case Op::counter:  // no queries
#define IR_COVERED_texture
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      return;
  }
}

}  // namespace texlate::sim
