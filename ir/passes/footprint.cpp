// Footprints: coordinate to fixed point to texels (D3D11.3 7.18.6 to 7.18.8; docs/reference/direct3d.md 2.3),
// address modes (2.4), mips (2.5). Those of cubes are in legalize_cube.cpp.

#include "ir/passes/footprint.h"

namespace texlate::ir {

namespace {
constexpr uint32_t kSubtexelBits = 8;  // at least 16.8 fixed point for texel coordinates (3.2.4.1, 7.18.6)
constexpr float kSubtexels = 256.0f;
constexpr uint32_t kFarTexel = 1u << 23;  // the limit of 32 bits of fixed point
// D3D11_TEXTURE_ADDRESS_MODE
constexpr uint32_t kWrap = 1, kClamp = 3, kBorder = 4, kMirrorOnce = 5;
}  // namespace

// LOD plus bias, clamped so that MinLOD has precedence, then the nearest or the two adjacent mips (7.18.10).
MipChoice TexelReader::choose_mips(AccessDraft& draft) {
  const Value level = levels_.level_of_access(draft);
  const Value biased = emit(Op::fadd, {level, sampler_fact(draft, BindingFact::lod_bias)});
  // min first: it turns a NaN into MaxLOD. max second: MinLOD has precedence over a smaller MaxLOD.
  const Value upper = emit(Op::fmin, {sampler_fact(draft, BindingFact::max_lod), biased});
  Value clamped = emit(Op::fmax, {sampler_fact(draft, BindingFact::min_lod), upper});
  if (draft.access.has(Slot::lod_clamp)) clamped = emit(Op::fmax, {clamped, levels_.floor_of_level(draft)});
  const Value last = emit(Op::iadd, {fact(draft, BindingFact::levels), word(0xffffffffu)});
  const Value present = emit(Op::fmin, {clamped, emit(Op::utof, {last})});
  const Value linear = emit(Op::ine, {sampler_fact(draft, BindingFact::linear_mip), word(0)});
  // 8.8 fixed point; nearest is floor(LOD + 0.5). ftou saturates: no level is below that of the first mip.
  const Value fixed = emit(Op::ftou, {emit(Op::frint, {emit(Op::fmul, {present, real(kSubtexels)})})});
  const Value half = emit(Op::iadd, {fixed, word(1u << (kSubtexelBits - 1))});
  const Value first = emit(Op::ushr, {emit(Op::select, {linear, fixed, half}), word(kSubtexelBits)});
  const Value fraction =
      emit(Op::fmul, {emit(Op::utof, {emit(Op::and_, {fixed, word(255)})}), real(1.0f / kSubtexels)});
  // Magnified at 0 and below. The filter's word is 2 or 3 if magnification has the other filter.
  const Value filter = sampler_fact(draft, BindingFact::linear_filter);
  const Value magnified = emit(Op::fge, {real(0.0f), clamped});
  const Value differs = emit(Op::select, {magnified, emit(Op::ushr, {filter, word(1)}), word(0)});
  const Value texels = emit(Op::and_, {emit(Op::xor_, {filter, differs}), word(1)});
  return {first, emit(Op::select, {linear, fraction, real(0.0f)}), emit(Op::ine, {texels, word(0)})};
}

// Wrap has period 1 and mirror period 2. Removing whole periods first keeps far coordinates exact
// (docs/reference/direct3d.md 2.3, range reduction). The other modes need no reduction: ftoi saturates far
// outside every texture.
Value TexelReader::reduced_coordinate(Value coordinate, Value mode) {
  const Value is_wrap = emit(Op::ieq, {mode, word(kWrap)});
  const Value turns = emit(Op::fmul, {coordinate, emit(Op::select, {is_wrap, real(1.0f), real(0.5f)})});
  const Value period = emit(Op::select, {is_wrap, real(-1.0f), real(-2.0f)});
  const Value reduced = emit(Op::ffma, {emit(Op::ffloor, {turns}), period, coordinate});
  return emit(Op::select, {emit(Op::ult, {mode, word(kClamp)}), reduced, coordinate});
}

// One axis. ftoi saturates and turns NaN into 0, as the conversion to fixed point does. For a linear
// footprint, texels are chosen in fixed point. A point sample takes the floor, as CUDA's filter does (CUDA
// C++ programming guide, "Texture fetching"), so that it is the texel of a plain sample. Direct3D allows a
// device to snap first or not (docs/reference/direct3d.md 2.3).
TexelReader::AxisPosition TexelReader::axis_position(Value coordinate, Value size) {
  const Value scaled = emit(Op::fmul, {coordinate, emit(Op::utof, {size})});
  const Value centered = emit(Op::fadd, {scaled, real(-0.5f)});
  const Value fixed = emit(Op::ftoi, {emit(Op::frint, {emit(Op::fmul, {centered, real(kSubtexels)})})});
  const Value fraction =
      emit(Op::fmul, {emit(Op::utof, {emit(Op::and_, {fixed, word(255)})}), real(1.0f / kSubtexels)});
  // Leaves room for the offset: a saturated coordinate must not wrap.
  const Value floor = emit(Op::ftoi, {emit(Op::ffloor, {scaled})});
  const Value point = emit(Op::imin, {emit(Op::imax, {floor, word(0u - kFarTexel)}), word(kFarTexel)});
  return {point, emit(Op::ishr, {fixed, word(kSubtexelBits)}), fraction};
}

// Address mode of one texel (docs/reference/direct3d.md 2.4). ~t is -t-1: the mirror image of a negative
// texel.
TexelReader::AddressedTexel TexelReader::address_texel(Value mode, Value texel, Value size) {
  // A texel outside is not read, so it needs no other number.
  if (module_.is_constant(mode, kBorder)) return {texel, emit(Op::ult, {texel, size})};
  const Value negative = emit(Op::ilt, {texel, word(0)});
  const Value mirrored = emit(Op::select, {negative, emit(Op::not_, {texel}), texel});
  const Value last = emit(Op::iadd, {size, word(0xffffffffu)});
  // Wrap and mirror require a division; the other modes, which most samplers use, do not.
  emit(Op::if_, {emit(Op::ult, {mode, word(kClamp)})});
  const Value remainder = emit(Op::urem, {mirrored, size});
  const Value odd = emit(Op::ine, {emit(Op::and_, {emit(Op::udiv, {mirrored, size}), word(1)}), word(0)});
  const Value is_wrap = emit(Op::ieq, {mode, word(kWrap)});
  // flip = wrap ? negative : odd
  const Value flip =
      emit(Op::por, {emit(Op::pand, {is_wrap, negative}), emit(Op::pand, {emit(Op::pnot, {is_wrap}), odd})});
  const Value periodic = emit(Op::select, {flip, emit(Op::isub, {last, remainder}), remainder});
  emit(Op::else_, {periodic});
  const Value clamped = emit(Op::imin, {emit(Op::imax, {texel, word(0)}), last});
  const Value once = emit(Op::umin, {mirrored, last});
  const Value aperiodic = emit(Op::select, {emit(Op::ieq, {mode, word(kMirrorOnce)}), once, clamped});
  const Value result = builder_.emit_variadic(Op::endif, std::array<Value, 1>{aperiodic}, 1);
  // Inside unless the mode is border and the texel is outside.
  const Value in_range = emit(Op::ult, {texel, size});
  return {result, emit(Op::por, {in_range, emit(Op::ine, {mode, word(kBorder)})})};
}

Footprint TexelReader::make_footprint(AccessDraft& draft, Value mip, Value linear) {
  Footprint footprint;
  footprint.mip = mip;
  static constexpr std::array<BindingFact, 2> kSizes = {BindingFact::width, BindingFact::height};
  static constexpr std::array<BindingFact, 2> kModes = {BindingFact::address_u, BindingFact::address_v};
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const Value size = mip_size(draft, kSizes[axis], mip);
    const Value mode = sampler_fact(draft, kModes[axis]);
    const AxisPosition at =
        axis_position(reduced_coordinate(draft.access.get(Slot::coordinate0 + axis), mode), size);
    Value base = emit(Op::select, {linear, at.first, at.point});
    const Value offset = footprint_offset(draft, axis);
    if (offset != kNoValue) base = emit(Op::iadd, {base, offset});
    auto& texels = axis == 0 ? footprint.x : footprint.y;
    auto& inside = axis == 0 ? footprint.x_inside : footprint.y_inside;
    for (uint32_t i = 0; i < 2; ++i) {
      const Value texel = i == 0 ? base : emit(Op::iadd, {base, word(1)});
      const AddressedTexel addressed = address_texel(mode, texel, size);
      texels[i] = addressed.texel;
      inside[i] = addressed.inside;
    }
    (axis == 0 ? footprint.x_weight : footprint.y_weight) =
        emit(Op::select, {linear, at.fraction, real(0.0f)});
  }
  return footprint;
}

// Immediate offsets are -8..7; gather4_po uses the low six bits, signed.
Value TexelReader::footprint_offset(AccessDraft& draft, uint32_t axis) {
  const Value run_time = draft.access.get(Slot::offset0 + axis);
  if (run_time != kNoValue) return emit(Op::ibfe, {word(6), word(0), run_time});
  const int8_t immediate =
      axis < offset_count(draft.dimension) ? draft.access.contract.offset[axis] : int8_t{0};
  return immediate == 0 ? kNoValue : word(static_cast<uint32_t>(immediate));
}

// What all texels read by inserted code have in common.
ResourceAccess TexelReader::tap_contract(const AccessDraft& draft) {
  ResourceAccess contract = draft.access.contract;
  contract.lod = LodRule::level;
  contract.sampler = ResourceAccess::kNoSampler;
  contract.gather_component = 0;
  contract.compare = false;
  contract.has_offset = false;
  contract.offset[0] = contract.offset[1] = contract.offset[2] = 0;
  return contract;
}

// The border color is converted to the integers of an integer format, and clamped to the range of another one
// (docs/reference/direct3d.md 2.4): UNORM, or SNORM, on which Direct3D does not compare.
Value TexelReader::border_of_view(AccessDraft& draft, Value border) {
  const ComponentType type = draft.access.contract.type;
  if (type == ComponentType::uint) return emit(Op::ftou, {border});
  if (type == ComponentType::sint) return emit(Op::ftoi, {border});
  const Value scale = fact(draft, BindingFact::reference_scale);
  if (!draft.access.contract.compare) {
    const Value limited = emit(Op::fmax, {emit(Op::fmin, {border, real(1.0f)}), real(-1.0f)});
    border = emit(Op::select, {emit(Op::flt, {scale, real(0.0f)}), limited, border});
  }
  const Value is_unorm = emit(Op::flt, {real(0.0f), scale});
  return emit(Op::select, {is_unorm, emit(Op::fsat, {border}), border});
}

// Tap i: column i & 1, row i >> 1. The sampler provides border texels.
Tap TexelReader::fetch_tap(AccessDraft& draft, const Footprint& footprint, uint32_t tap, uint32_t component,
                           Value bound) {
  const uint32_t column = tap & 1;
  const uint32_t row = tap >> 1;
  AccessBuilder fetch(tap_contract(draft));
  const Value inside = emit(Op::pand, {footprint.x_inside[column], footprint.y_inside[row]});
  fetch.set(Slot::guard, emit(Op::pand, {bound, inside}));
  const BindingFact which =
      static_cast<BindingFact>(static_cast<uint32_t>(BindingFact::border_red) + component);
  fetch.set(Slot::fallback0 + component, border_of_view(draft, sampler_fact(draft, which)));
  fetch.set(Slot::coordinate0, footprint.x[column]);
  fetch.set(Slot::coordinate1, footprint.y[row]);
  if (draft.access.has(Slot::layer)) fetch.set(Slot::layer, draft.access.get(Slot::layer));
  if (draft.access.has(Slot::resource_index))
    fetch.set(Slot::resource_index, draft.access.get(Slot::resource_index));
  fetch.set(Slot::lod, footprint.mip);
  const Value first = fetch.emit(builder_, Op::tex_fetch);
  return {first + component, draft.access.contract.feedback ? first + 4 : kNoValue};
}

// The weights are products. 1 - w is exact for multiples of 1/256.
Value TexelReader::blend(const Footprint& footprint, const std::array<Value, 4>& taps) {
  auto mix = [this](Value a, Value b, Value weight) {
    if (module_.is_constant(weight, 0)) return a;  // a point sample, if the filter is known
    const Value rest = emit(Op::fadd, {real(1.0f), emit(Op::fneg, {weight})});
    return emit(Op::ffma, {b, weight, emit(Op::fmul, {a, rest})});
  };
  const Value below = mix(taps[2], taps[3], footprint.x_weight);
  const Value above = mix(taps[0], taps[1], footprint.x_weight);
  return mix(above, below, footprint.y_weight);
}

// Taps without weight are ignored (D3D11.3 5.9.4.5.2).
Value TexelReader::status_of(const Footprint& footprint, const Taps& taps) {
  std::array<Value, 4> status;
  for (uint32_t i = 0; i < 4; ++i) status[i] = taps[i].status;
  if (footprint.is_cube) fill_cube_corner(footprint, status, Op::or_);
  Value all = word(kAllMapped);
  for (uint32_t i = 0; i < 4; ++i) {
    const Value in_column = emit(Op::fne, {footprint.x_weight, real((i & 1) != 0 ? 0.0f : 1.0f)});
    const Value in_row = emit(Op::fne, {footprint.y_weight, real((i >> 1) != 0 ? 0.0f : 1.0f)});
    const Value counts = emit(Op::pand, {in_column, in_row});
    all = emit(Op::or_, {all, emit(Op::select, {counts, status[i], word(kAllMapped)})});
  }
  return all;
}

}  // namespace texlate::ir
