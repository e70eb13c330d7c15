// TEX, TEXS, TLD, TLDS, TLD4, TLD4S, TXD, TMML, TXQ, through the texture unit.
#include <algorithm>
#include <bit>
#include <cmath>

#include "sim/maxwell/float_rules.h"
#include "sim/maxwell/texture_form.h"
#include "sim/maxwell/texture_level.h"
#include "sim/maxwell/warp.h"
#include "sim/texture_unit/query.h"
#include "sim/texture_unit/sample.h"

namespace texlate::sim::maxwell {

namespace {

// Bits 19:0 are the header, bits 31:20 the sampler; from a register, or from a word of the texture constant
// bank.
uint32_t handle_of(Warp& w, const Instruction& i, uint8_t reg, int lane) {
  if (reg != kZeroRegister) return w.reg(reg)[lane];
  return w.constant(w.options().texture_bank, int64_t{i.field(36, 13)} * 4);
}

bool is_level(const Instruction& i) {
  return i.opcode == Opcode::tmml || i.opcode == Opcode::tmml_b;
}

/// Do the instruction and the texture agree in 1D, 2D, 3D or cube?
bool axes_fit(const TextureForm& form, const TextureView& view) {
  const DimensionInfo& info = dimension_info(view.dimension);
  const uint8_t axes = info.cube ? 3 : info.axes;
  return form.axes == axes && form.cube == info.cube && form.multisampled == info.multisampled;
}

bool dimension_fits(const TextureForm& form, const TextureView& view) {
  return axes_fit(form, view) && form.array == (dimension_info(view.dimension).slice >= 0);
}

int32_t offset_field(uint32_t word, int axis, int width, int shift) {
  const uint32_t bits = word >> (shift + axis * (width == 4 ? 4 : 8));
  return static_cast<int32_t>(bits << (32 - width)) >> (32 - width);
}

struct Request {
  const Instruction& i;
  const TextureForm& form;
  const TextureHeader& header;
  const Sampler* sampler;
  int lane;
  bool* mapped;  // set to false if an unmapped texel was needed
};

TexelOffset offsets_of(Warp& w, const Request& r) {
  TexelOffset offset{};
  if (r.form.offset[0] == kZeroRegister) return offset;
  const uint32_t word = w.reg(r.form.offset[0])[r.lane];
  for (int axis = 0; axis < r.form.axes && axis < 3; ++axis)
    offset[static_cast<size_t>(axis)] = offset_field(word, axis, r.form.gather ? 6 : 4, r.form.offset_shift);
  return offset;
}

uint32_t layer_of(Warp& w, const Request& r) {
  return r.form.layer == kZeroRegister ? 0 : w.reg(r.form.layer)[r.lane] & 0xffff;
}

// The unit's coordinate: axes in order, with the layer in the component that the unit expects.
std::array<float, 4> coordinate_of(Warp& w, const Request& r) {
  std::array<float, 4> coordinate{};
  const DimensionInfo& info = dimension_info(r.header.view.dimension);
  for (size_t axis = 0; axis < r.form.axes; ++axis)
    coordinate[axis] = as_float(w.reg(r.form.coordinate[axis])[r.lane]);
  if (!r.header.normalized && !info.cube) {
    const Extent size = r.header.view.size(0);
    for (int axis = 0; axis < info.axes; ++axis)
      coordinate[static_cast<size_t>(axis)] /= static_cast<float>(size[axis]);
  }
  if (info.slice >= 0) {
    const uint32_t layers = r.header.view.array_size();
    coordinate[static_cast<size_t>(info.slice)] =
        static_cast<float>(std::min(layer_of(w, r), layers == 0 ? 0 : layers - 1));
  }
  return coordinate;
}

// TLD: texels by number. Outside the texture: Direct3D's result, or a report (trust_fetch_bounds).
Word4 fetch(Warp& w, const Request& r) {
  const TextureView& view = r.header.view;
  const DimensionInfo& info = dimension_info(view.dimension);
  const TexelOffset offset = offsets_of(w, r);
  const int64_t level =
      r.form.lod == kZeroRegister ? 0 : int64_t{static_cast<int32_t>(w.reg(r.form.lod)[r.lane])};
  bool inside = level >= 0 && level < view.mip_count;
  const Extent size = inside ? view.size(static_cast<uint32_t>(level)) : Extent{};
  std::array<uint32_t, 3> texel{};
  for (size_t axis = 0; axis < info.axes && inside; ++axis) {
    const int64_t at = int64_t{static_cast<int32_t>(w.reg(r.form.coordinate[axis])[r.lane])} + offset[axis];
    inside = at >= 0 && at < size[static_cast<int>(axis)];
    texel[axis] = static_cast<uint32_t>(at);
  }
  const uint32_t layer = layer_of(w, r);
  const uint32_t sample = r.form.sample == kZeroRegister ? 0 : w.reg(r.form.sample)[r.lane];
  inside = inside && (info.slice < 0 || layer < view.array_size()) &&
           (!info.multisampled || sample < view.texture->desc().samples);
  if (!inside) {
    if (!w.options().trust_fetch_bounds)
      w.fault(FaultKind::texture, r.i, r.lane, "a fetch outside the texture");
    return out_of_bounds_value(view.format);
  }
  sim::Access access;
  const Word4 value =
      load_texel(view, static_cast<uint32_t>(level), layer, texel[0], texel[1], texel[2], sample, access);
  *r.mapped = access.mapped;
  return value;
}

// Differences over the quad: the right and the lower neighbor minus the left and the upper one.
Derivatives quad_derivatives(Warp& w, const Request& r) {
  Derivatives d;
  const int lane = r.lane;
  for (size_t axis = 0; axis < r.form.axes; ++axis) {
    const uint32_t* values = w.reg(r.form.coordinate[axis]);
    d.ddx[axis] = as_float(values[lane | 1]) - as_float(values[lane & ~1]);
    d.ddy[axis] = as_float(values[lane | 2]) - as_float(values[lane & ~2]);
  }
  return d;
}

Derivatives given_derivatives(Warp& w, const Request& r) {
  Derivatives d;
  for (size_t axis = 0; axis < r.form.axes; ++axis) {
    const auto base = static_cast<uint8_t>(r.form.gradients + 2 * axis);
    d.ddx[axis] = as_float(w.reg(base)[r.lane]);
    d.ddy[axis] = as_float(w.reg(static_cast<uint8_t>(base + 1))[r.lane]);
  }
  return d;
}

/// TEXS.LL.DC compares only if the sampler does; every other .DC compares whatever the sampler's state is
/// (TEXS page).
bool compares(const Request& r) {
  const bool as_sampler = r.i.opcode == Opcode::texs && r.form.level == TextureLevel::level;
  return r.form.compare && (!as_sampler || r.sampler->reduction == Reduction::comparison);
}

// Unnormalized coordinates support only clamp and border. A sampler with a comparison may also be used
// without it.
Sampler sampler_of(const Request& r) {
  Sampler sampler = *r.sampler;
  if (!r.header.normalized) {
    for (AddressMode& mode : sampler.address) {
      if (mode != AddressMode::border) mode = AddressMode::clamp;
    }
  }
  if (compares(r)) {
    sampler.reduction = Reduction::comparison;
  } else if (sampler.reduction == Reduction::comparison) {
    sampler.reduction = Reduction::standard;
  }
  return sampler;
}

Word4 sampled(Warp& w, const Request& r) {
  const bool comparing = compares(r);
  SampleOperands operands;
  operands.coordinate = coordinate_of(w, r);
  operands.offset = offsets_of(w, r);
  if (comparing) operands.reference = as_float(w.reg(r.form.reference)[r.lane]);
  const float lod = r.form.lod == kZeroRegister ? 0 : as_float(w.reg(r.form.lod)[r.lane]);
  switch (r.form.level) {
    case TextureLevel::automatic:
      operands.lod_source = LodSource::derivatives;
      operands.derivatives = quad_derivatives(w, r);
      break;
    case TextureLevel::bias:
      operands.lod_source = LodSource::bias;
      operands.derivatives = quad_derivatives(w, r);
      operands.lod = lod;
      break;
    case TextureLevel::zero:
    case TextureLevel::level:
      operands.lod_source = LodSource::level;
      operands.lod = lod;
      break;
    case TextureLevel::gradient:
      operands.lod_source = LodSource::gradients;
      operands.derivatives = given_derivatives(w, r);
      break;
  }
  sim::Access access;
  Word4 value = sample(r.header.view, sampler_of(r), operands, w.options().texture_unit, access);
  *r.mapped = access.mapped;
  if (access.undefined_on_device())
    w.report_undefined(FaultKind::undefined, r.i, 1u << r.lane, undefined_names(access.undefined));
  // The result of a comparison is in R, G and B; A reads 1.
  if (comparing) value[3] = 0x3f800000u;
  return value;
}

Word4 gathered(Warp& w, const Request& r) {
  const std::array<float, 4> coordinate = coordinate_of(w, r);
  const TexelOffset offset = offsets_of(w, r);
  const Sampler sampler = sampler_of(r);
  sim::Access access;
  const UnitOptions& unit = w.options().texture_unit;
  const Word4 value =
      r.form.compare ? gather4_c(r.header.view, sampler, coordinate, offset,
                                 as_float(w.reg(r.form.reference)[r.lane]), unit, access)
                     : gather4(r.header.view, sampler, coordinate, offset, r.form.component, unit, access);
  *r.mapped = access.mapped;
  if (access.undefined_on_device())
    w.report_undefined(FaultKind::undefined, r.i, 1u << r.lane, undefined_names(access.undefined));
  return value;
}

uint32_t half_of(uint32_t value) {
  return double_to_half(double{as_float(value)}, Rounding::nearest);
}

void write_results(Warp& w, const TextureForm& form, int lane, const Word4& value) {
  size_t k = 0;
  for (size_t c = 0; c < 4; ++c) {
    if ((form.mask >> c & 1) == 0) continue;
    const uint8_t to = form.destination[k];
    if (!form.half) {
      w.target(to)[lane] = value[c];
    } else {
      uint32_t& word = w.target(to)[lane];
      const uint32_t bits = half_of(value[c]);
      word = k % 2 == 0 ? bits : word | bits << 16;
    }
    ++k;
  }
}

Word4 execute(Warp& w, const Request& r) {
  if (r.form.integer) return fetch(w, r);
  if (r.form.gather) return gathered(w, r);
  if (is_level(r.i)) {
    sim::Access access;
    return texture_level(r.header.view, sampler_of(r), coordinate_of(w, r), quad_derivatives(w, r), access);
  }
  return sampled(w, r);
}

void run_texture(Warp& w, const Instruction& i, uint32_t active) {
  const TextureForm form = texture_form(i);
  std::array<Word4, kLanes> values;  // a destination may also be a coordinate
  uint32_t resident = 0;
  for_each_lane(active, [&](int lane) {
    const uint32_t handle = handle_of(w, i, form.handle, lane);
    const TextureHeader* header = w.machine().find_texture(handle);
    const Sampler* sampler = w.machine().find_sampler(handle);
    const auto l = static_cast<size_t>(lane);
    values[l] = {};
    if (header == nullptr || !header->view.bound()) {
      w.fault(FaultKind::texture, i, lane, "the handle does not refer to a texture header");
      return;
    }
    if (!form.integer && sampler == nullptr) {
      w.fault(FaultKind::texture, i, lane, "the handle does not refer to a sampler");
      return;
    }
    // Of TMML alone a document gives the result: zeros, while arrays and plain textures may be mixed (TMML
    // page).
    if (is_level(i) && !axes_fit(form, header->view)) return;
    if (!is_level(i) && !dimension_fits(form, header->view)) {
      w.fault(FaultKind::texture, i, lane, "the instruction's dimension is not the texture's");
      return;
    }
    // The result is unpredictable on SPA 5.2 (TEXS page).
    if (form.half && format_info(header->view.format).is_integer())
      w.fault(FaultKind::texture, i, lane, "half-precision results of an integer texture");
    bool mapped = true;
    values[l] = execute(w, {i, form, *header, sampler, lane, &mapped});
    resident |= (mapped ? 1u : 0u) << lane;
  });
  for_each_lane(active, [&](int lane) { write_results(w, form, lane, values[static_cast<size_t>(lane)]); });
  const uint32_t residency = i.field(51, 3);
  if ((i.predicates_written >> residency & 1) != 0) w.set_predicate(residency, active, resident);
}

constexpr uint32_t kQueryDimension = 1, kQueryType = 2;

Word4 query(const TextureView& view, uint32_t what, uint32_t level) {
  if (what == kQueryDimension) {
    const DimensionInfo& info = dimension_info(view.dimension);
    const Extent size = level < view.mip_count ? view.size(level) : Extent{};
    // Layers follow the axes; the header of a cube array counts cubes.
    if (view.dimension == Dimension::texture1d_array)
      return {size.width, view.array_size(), 0, view.mip_count};
    // A header has one depth, which bounds images, too: that of the slices that the view has (docs/dksh.md).
    const uint32_t depth = info.slice >= 0 ? view.array_size() : std::min(size.depth, view.slice_count);
    return {size.width, size.height, depth, view.mip_count};
  }
  return {0, 0, view.texture->desc().samples, 0};
}

void run_query(Warp& w, const Instruction& i, uint32_t active) {
  const bool bindless = i.opcode == Opcode::txq_b;
  const auto level_register = static_cast<uint8_t>(i.ra() + (bindless ? 1 : 0));
  for_each_lane(active, [&](int lane) {
    const uint32_t handle = handle_of(w, i, bindless ? i.ra() : kZeroRegister, lane);
    const uint32_t level = w.reg(level_register)[lane];
    const TextureHeader* header = w.machine().find_texture(handle);
    Word4 value{};
    if (header == nullptr || !header->view.bound()) {
      w.fault(FaultKind::texture, i, lane, "the handle does not refer to a texture header");
    } else {
      value = query(header->view, i.field(22, 6), level);
    }
    uint8_t to = i.rd();
    for (size_t c = 0; c < 4; ++c) {
      if (i.bit(31 + static_cast<int>(c))) w.target(to == kZeroRegister ? to : to++)[lane] = value[c];
    }
  });
}

}  // namespace

Handler select_texture(Instruction& i) {
  switch (i.opcode) {
    case Opcode::tex:
    case Opcode::tex_b:
    case Opcode::texs:
    case Opcode::tld:
    case Opcode::tld_b:
    case Opcode::tlds:
    case Opcode::tld4:
    case Opcode::tld4_b:
    case Opcode::tld4s:
    case Opcode::txd:
    case Opcode::txd_b:
    case Opcode::tmml:
    case Opcode::tmml_b:
      i.why = texture_form(i).fault;
      if (texture_form(i).per_texel_offsets) i.why = "an offset for each texel (.PTP)";
      return i.why.empty() ? run_texture : nullptr;
    case Opcode::txq:
    case Opcode::txq_b:
      if (i.field(22, 6) != kQueryDimension && i.field(22, 6) != kQueryType)
        i.why = "a query that the machine does not answer";
      return i.why.empty() ? run_query : nullptr;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
