// tex, tld4, txq (PTX ISA 9.7.10).

#include "sim/ptx/float_rules.h"
#include "sim/ptx/opcode.h"
#include "sim/ptx/query.h"
#include "sim/ptx/texture_geometry.h"
#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

// Poisoned operands are reported. The result in those lanes is poison.
uint32_t lanes_with_texture(Warp& w, const Instruction& i, const TexOperands& operands, uint32_t active) {
  active = w.refuse_poison(FaultKind::poison_texture, i, operands.handle, active, "the texture handle");
  active = w.refuse_poison(FaultKind::poison_texture, i, operands.sampler, active, "the sampler handle");
  const GeometryInfo& info = geometry_info(geometry_of(i));
  const int used = info.axes + (info.array ? 1 : 0) + (info.multisampled ? 1 : 0) + (info.cube ? 1 : 0);
  for (int c = 0; c < used; ++c) {
    active =
        w.refuse_poison(FaultKind::poison_texture, i, operands.coordinate[c], active, "a texture coordinate");
  }
  const int axes = info.cube ? 3 : info.axes;
  for (int c = 0; c < axes; ++c) {
    active = w.refuse_poison(FaultKind::poison_texture, i, operands.ddx[c], active, "a derivative");
    active = w.refuse_poison(FaultKind::poison_texture, i, operands.ddy[c], active, "a derivative");
    if (c < info.axes)
      active = w.refuse_poison(FaultKind::poison_texture, i, operands.offset[c], active, "a texel offset");
  }
  active = w.refuse_poison(FaultKind::poison_texture, i, operands.level, active, "the level");
  return w.refuse_poison(FaultKind::poison_texture, i, operands.reference, active, "the reference");
}

TextureRequest build_request(Warp& w, const Instruction& i, const TexOperands& operands, int lane) {
  const auto word = [&](uint32_t r) { return static_cast<uint32_t>(w.reg(r)[lane]); };
  const auto number = [&](uint32_t r) { return std::bit_cast<float>(word(r)); };
  const GeometryInfo& info = geometry_info(geometry_of(i));
  TextureRequest request;
  request.integer = i.type2 == Type::s32;
  int at = 0;
  // PTX ISA 9.7.10.3 says {sample, layer, x, y}, but its example has the reverse order. ptxas uses the first
  // element as the sample and the second as the layer of TLD.MS for sm_52 to sm_90 (docs/reference/ptx.md
  // 1.2).
  if (info.multisampled) request.sample = word(operands.coordinate[at++]);
  if (info.array) request.layer = word(operands.coordinate[at++]);
  const int axes = info.cube ? 3 : info.axes;
  for (int axis = 0; axis < axes; ++axis, ++at) {
    if (request.integer) {
      request.texel[axis] = static_cast<int32_t>(word(operands.coordinate[at]));
    } else {
      request.coordinate[axis] = number(operands.coordinate[at]);
    }
    if (operands.ddx[axis] != kNone) {
      request.derivatives.ddx[axis] = number(operands.ddx[axis]);
      request.derivatives.ddy[axis] = number(operands.ddy[axis]);
    }
    if (axis < info.axes && operands.offset[axis] != kNone)
      request.offset[axis] = static_cast<int32_t>(word(operands.offset[axis]));
  }
  if (operands.level != kNone) {
    request.level_source = TextureRequest::Level::level;
    request.level = number(operands.level);
    request.integer_level = static_cast<int32_t>(word(operands.level));
  } else if (operands.ddx[0] != kNone) {
    request.level_source = TextureRequest::Level::gradient;
  }
  if (operands.reference != kNone) request.reference = number(operands.reference);
  if (i.opcode == Opcode::tld4)
    request.gather_component = i.has(Mod::r) ? 0 : i.has(Mod::g) ? 1 : i.has(Mod::b) ? 2 : 3;
  return request;
}

bool geometry_fits(Geometry geometry, Dimension dimension) {
  constexpr Dimension kDimensions[] = {
      Dimension::texture1d,          Dimension::texture2d,       Dimension::texture3d,
      Dimension::texture1d_array,    Dimension::texture2d_array, Dimension::texture_cube,
      Dimension::texture_cube_array, Dimension::texture2dms,     Dimension::texture2dms_array};
  return geometry != Geometry::none && kDimensions[static_cast<size_t>(geometry)] == dimension;
}

// The destination type differs from the format's: the ISA defines no conversion.
bool is_half(Type type) {
  return type == Type::f16 || type == Type::f16x2;
}

bool type_fits(Type type, Kind kind) {
  switch (kind) {
    case Kind::uint: return type == Type::u32;
    case Kind::sint: return type == Type::s32;
    default: return type == Type::f32 || is_half(type);
  }
}

// Halves: rounded to nearest even. A register of .f16x2 holds two components, the first one low (PTX ISA
// 9.7.10.3).
void put_halves(Warp& w, const Instruction& i, const std::array<std::array<uint32_t, kLanes>, 4>& values,
                const std::array<uint32_t, 4>& poison, uint32_t active) {
  const auto half = [&](int c, int lane) {
    const float value = std::bit_cast<float>(values[c][lane]);
    return uint64_t{std::isnan(value) ? uint16_t{0x7fff} : double_to_half(value, Rounding::nearest)};
  };
  const bool packed = i.type == Type::f16x2;
  for (int d = 0; d < (packed ? 2 : 4); ++d) {
    const int c = packed ? 2 * d : d;
    for_each_lane(active, [&](int lane) {
      w.reg(i.dst[d])[lane] = packed ? half(c, lane) | half(c + 1, lane) << 16 : half(c, lane);
    });
    w.set_poison(i.dst[d], active, packed ? poison[c] | poison[c + 1] : poison[c]);
  }
}

/// The texture with the sampler's state, if the sampler is a separate operand. Null if one of them is missing
/// or the combination is undefined.
const TextureObject* sampled_object(Warp& w, const Instruction& i, const TexOperands& operands, int lane,
                                    TextureObject& combined) {
  const TextureObject* texture = w.machine().find_texture(w.reg(operands.handle)[lane]);
  if (texture == nullptr || operands.sampler == kNone) return texture;
  const SamplerObject* sampler = w.machine().find_sampler(w.reg(operands.sampler)[lane]);
  if (sampler == nullptr) return nullptr;
  combined = *texture;
  static_cast<SamplerObject&>(combined) = *sampler;
  combined.normalized = texture->normalized && !sampler->force_unnormalized;
  // In this mode the sampler applies to integer coordinates (docs/reference/ptx.md 1.3). They are texel
  // numbers if the sampler leaves them unchanged, as OpenCL requires.
  const bool leaves_texels = !combined.normalized && sampler->filter == Filter::point;
  const bool fetch = i.type2 == Type::s32 && !geometry_info(geometry_of(i)).multisampled;
  return fetch && !leaves_texels ? nullptr : &combined;
}

void run_tex(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  const uint32_t usable = lanes_with_texture(w, i, operands, active);
  const Geometry geometry = geometry_of(i);
  std::array<uint32_t, 4> poison{};
  poison.fill(active & ~usable);
  std::array<std::array<uint32_t, kLanes>, 4> values{};  // a destination may also be a coordinate
  uint32_t mapped = 0;
  for_each_lane(usable, [&](int lane) {
    TextureResult result{{}, kAllPoison};
    TextureObject combined;
    const TextureObject* object = sampled_object(w, i, operands, lane, combined);
    if (object != nullptr && geometry_fits(geometry, object->view.dimension) &&
        (operands.reference != kNone || type_fits(i.type, format_info(object->view.format).kind))) {
      result = read_texture(*object, build_request(w, i, operands, lane), w.options().texture_unit);
    }
    for (int c = 0; c < 4; ++c) {
      values[c][lane] = result.value[c];
      poison[c] |= (result.poison >> c & 1) << lane;
    }
    mapped |= (result.mapped ? 1u : 0u) << lane;
  });
  if (operands.resident != kNone) {
    for_each_lane(active, [&](int lane) { w.reg(operands.resident)[lane] = mapped >> lane & 1; });
    w.set_poison(operands.resident, active, active & ~usable);
  }
  if (is_half(i.type)) return put_halves(w, i, values, poison, active);
  for (int c = 0; c < 4; ++c) {
    uint64_t* d = w.reg(i.dst[c]);
    for_each_lane(active, [&](int lane) { d[lane] = values[c][lane]; });
    w.set_poison(i.dst[c], active, poison[c]);
  }
}

std::optional<uint32_t> answer_txq(Warp& w, const Instruction& i, const TexOperands& operands, int lane) {
  if (operands.sampler != kNone) {
    const SamplerObject* sampler = w.machine().find_sampler(w.reg(operands.sampler)[lane]);
    return sampler == nullptr ? std::nullopt : answer_sampler_query(i, *sampler);
  }
  const TextureObject* object = w.machine().find_texture(w.reg(operands.handle)[lane]);
  if (object == nullptr || !object->view.bound()) return std::nullopt;
  if (i.has(Mod::normalized_coords)) return object->normalized ? 1 : 0;
  for (Mod query : {Mod::filter_mode, Mod::addr_mode_0, Mod::addr_mode_1, Mod::addr_mode_2}) {
    if (i.has(query)) return answer_sampler_query(i, *object);
  }
  const uint32_t level = operands.level == kNone ? 0 : static_cast<uint32_t>(w.reg(operands.level)[lane]);
  if (level >= object->view.mip_count) return std::nullopt;  // not described by the ISA
  return answer_query(i, object->view, level, w.machine().module().independent);
}

void run_txq(Warp& w, const Instruction& i, uint32_t active) {
  const TexOperands& operands = w.machine().module().tex_operands[i.target];
  const uint32_t asked = active;
  active = w.refuse_poison(FaultKind::poison_texture, i, operands.handle, active, "the texture handle");
  active = w.refuse_poison(FaultKind::poison_texture, i, operands.sampler, active, "the sampler handle");
  active = w.refuse_poison(FaultKind::poison_texture, i, operands.level, active, "the level");
  uint32_t poison = asked & ~active;
  for_each_lane(active, [&](int lane) {
    const std::optional<uint32_t> answer = answer_txq(w, i, operands, lane);
    if (!answer) poison |= 1u << lane;
    w.reg(i.dst[0])[lane] = answer.value_or(0);
  });
  w.set_poison(i.dst[0], asked, poison);
}

// PTX ISA 9.7.10.6.
void run_istypep(Warp& w, const Instruction& i, uint32_t active) {
  for_each_lane(active, [&](int lane) {
    const uint64_t handle = w.reg(i.src[0])[lane];
    const bool is = i.has(Mod::texref)       ? w.machine().find_texture(handle) != nullptr
                    : i.has(Mod::samplerref) ? w.machine().find_sampler(handle) != nullptr
                                             : w.machine().find_surface(handle) != nullptr;
    w.reg(i.dst[0])[lane] = is ? 1 : 0;
  });
  w.set_poison(i.dst[0], active, w.poison(i.src[0]));
}

}  // namespace

Handler select_texture(const Instruction& i) {
  if (i.opcode == Opcode::istypep)
    return i.has(Mod::texref) + i.has(Mod::samplerref) + i.has(Mod::surfref) == 1 ? run_istypep : nullptr;
  if (i.opcode == Opcode::txq) return i.type == Type::b32 ? run_txq : nullptr;
  if (i.opcode == Opcode::tld4)
    return i.has(Mod::r) + i.has(Mod::g) + i.has(Mod::b) + i.has(Mod::a) == 1 ? run_tex : nullptr;
  return i.has(Mod::base) + i.has(Mod::level) + i.has(Mod::grad) <= 1 ? run_tex : nullptr;
}

}  // namespace texlate::sim::ptx
