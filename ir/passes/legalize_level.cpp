// Where the level of a sample comes from (D3D11.3 7.18.10, 7.18.11; docs/reference/direct3d.md 2.5).

#include "ir/passes/legalize_level.h"

#include <limits>

#include "ir/passes/constant_evaluation.h"

namespace texlate::ir {

void SampleLevels::make_level_explicit(AccessDraft& draft) {
  ResourceAccess& access = draft.access.contract;
  if (access.lod == LodRule::bias && is_zero(draft.access.get(Slot::lod))) {
    // The LOD is the same without it, and so is the range to which the sampler's bias is clamped. One engine
    // emits every sample as `sample_b ..., l(0)`.
    draft.access.clear(Slot::lod);
    access.lod = LodRule::implicit;
  }
  if (draft.access.has(Slot::lod_clamp) && !draft.promises(kLodClamp)) return clamp_level(draft);
  Value bias = kNoValue;
  if (access.lod == LodRule::zero) {
    if (draft.promises(kLevelZero)) return;
    closed(draft, Gap::level_zero);
    return draft.set_level(real(0.0f));
  }
  if (access.lod == LodRule::bias && !draft.promises(kBias)) {
    closed(draft, Gap::bias);
    bias = draft.access.get(Slot::lod);
    draft.access.clear(Slot::lod);
    access.lod = LodRule::implicit;
  }
  if (access.lod == LodRule::implicit && (!draft.promises(kImplicitLevel) || bias != kNoValue)) {
    closed(draft, Gap::implicit_level);
    derive_coordinates(draft);
    access.lod = LodRule::gradient;
  }
  if (access.lod != LodRule::gradient) return;
  if (draft.promises(kGradient) && !(access.compare && table_.compares_at_levels)) {
    if (bias != kNoValue) scale_gradients(draft, bias);
    return;
  }
  closed(draft, Gap::level_in_code);
  Value level = level_of_gradients(draft);
  if (bias != kNoValue) level = emit(Op::fadd, {level, bias});
  draft.set_level(level);
}

// The level that an access gives, or its derivatives, with the access's own bias.
Value SampleLevels::level_of_access(AccessDraft& draft) {
  ResourceAccess& access = draft.access.contract;
  if (access.lod == LodRule::zero) return real(0.0f);
  if (access.lod == LodRule::level) return draft.access.get(Slot::lod);
  if (access.lod != LodRule::gradient) {
    closed(draft, Gap::implicit_level);
    derive_coordinates(draft);
  }
  closed(draft, Gap::level_in_code);
  const Value level = level_of_gradients(draft);
  return access.lod == LodRule::bias ? emit(Op::fadd, {level, draft.access.get(Slot::lod)}) : level;
}

// Is the floor of a level that of a mip that exists? A floor past the last mip reads nothing, be it by a
// fraction (D3D11.3 5.8.5, 5.9.4.5.4). NaN and negative floors are 0.
Value SampleLevels::is_floor_in_view(AccessDraft& draft) {
  const Value mip = emit(Op::ftou, {emit(Op::fceil, {draft.access.get(Slot::lod_clamp)})});
  return emit(Op::ult, {mip, fact(draft, BindingFact::levels)});
}

// The floor that the access specifies for its level.
Value SampleLevels::floor_of_level(AccessDraft& draft) {
  closed(draft, Gap::lod_clamp);
  add_guard(draft, is_floor_in_view(draft));
  set_fallback(draft);
  const Value floor = draft.access.get(Slot::lod_clamp);
  draft.access.clear(Slot::lod_clamp);
  return floor;
}

// A target's own floor leaves a level at the last mip. A comparison keeps that: nothing tells its function,
// so that nothing tells the result of a comparison with the out-of-range value.
void SampleLevels::guard_floor(AccessDraft& draft) {
  if (!draft.access.has(Slot::lod_clamp) || !draft.promises(kLodClamp) || draft.access.contract.compare)
    return;
  rewrite_.asked = 0;
  require(draft, Gap::lod_clamp_range, is_floor_in_view(draft));
  set_fallback(draft);
}

// The sampler adds its bias to an explicit level, so the bias is subtracted from the floor. Such a sample is
// isotropic, unless probes are read one by one. A NaN level becomes the sampler's greatest level, which fmax
// alone would hide.
void SampleLevels::clamp_level(AccessDraft& draft) {
  ResourceAccess& access = draft.access.contract;
  const Value floor = floor_of_level(draft);
  Value level = access.lod == LodRule::zero ? real(0.0f) : draft.access.get(Slot::lod);
  if (access.lod != LodRule::zero && access.lod != LodRule::level) {
    const Value bias = level;
    if (access.lod != LodRule::gradient) {
      closed(draft, Gap::implicit_level);
      derive_coordinates(draft);
    }
    closed(draft, Gap::level_in_code);
    level = level_of_gradients(draft);
    if (bias != kNoValue) level = emit(Op::fadd, {level, bias});
  }
  const Value lowered = emit(Op::fadd, {floor, emit(Op::fneg, {sampler_fact(draft, BindingFact::lod_bias)})});
  const Value number = emit(Op::fmin, {level, real(std::numeric_limits<float>::infinity())});
  draft.set_level(emit(Op::fmax, {number, lowered}));
}

// The array index has no derivative. That of a constant, for instance the coordinate of a stand-in, is folded
// here: the code for gradients that are 0 is shorter.
void SampleLevels::derive_coordinates(AccessDraft& draft) {
  for (uint32_t i = 0; i < coordinate_count(draft.access.contract.dimension); ++i) {
    const Value coordinate = draft.access.get(Slot::coordinate0 + i);
    const auto derivative = [&](Op op) {
      if (!module_.is_constant(coordinate)) return emit(op, {coordinate});
      const uint64_t bits = module_.constant_bits(coordinate);
      const std::optional<uint64_t> known = evaluate(op, {&bits, 1});
      return known ? word(static_cast<uint32_t>(*known)) : emit(op, {coordinate});
    };
    draft.access.set(Slot::ddx0 + i, derivative(Op::ddx_fine));
    draft.access.set(Slot::ddy0 + i, derivative(Op::ddy_fine));
  }
}

// log2(|d| * 2^bias) = log2(|d|) + bias: scaling both gradients moves the level and keeps the anisotropy.
void SampleLevels::scale_gradients(AccessDraft& draft, Value bias) {
  const Value scale = emit(Op::fexp2, {bias});
  for (uint32_t i = 0; i < coordinate_count(draft.access.contract.dimension); ++i) {
    for (Slot slot : {Slot::ddx0 + i, Slot::ddy0 + i}) {
      const Value gradient = draft.access.get(slot);
      if (!module_.is_constant(gradient, 0)) draft.access.set(slot, emit(Op::fmul, {gradient, scale}));
    }
  }
}

// log2(max(|dX|, |dY|)) with dX, dY in texels of mip 0. Half the logarithm of the square avoids the root.
Value SampleLevels::level_of_gradients(AccessDraft& draft) {
  Results x = {draft.access.get(Slot::ddx0), draft.access.get(Slot::ddx0 + 1),
               draft.access.get(Slot::ddx0 + 2), kNoValue};
  Results y = {draft.access.get(Slot::ddy0), draft.access.get(Slot::ddy0 + 1),
               draft.access.get(Slot::ddy0 + 2), kNoValue};
  uint32_t axes = coordinate_count(draft.access.contract.dimension);
  const bool cube = is_cube(draft.dimension);
  if (cube) {
    project_cube_gradients(draft, x, y);
    axes = 2;
  }
  static constexpr std::array<BindingFact, 3> kSizes = {BindingFact::width, BindingFact::height,
                                                        BindingFact::depth};
  Value x_square = kNoValue;
  Value y_square = kNoValue;
  for (uint32_t i = 0; i < axes; ++i) {
    const Value size = emit(Op::utof, {fact(draft, cube ? BindingFact::width : kSizes[i])});
    const Value dx = emit(Op::fmul, {x[i], size});
    const Value dy = emit(Op::fmul, {y[i], size});
    x_square = i == 0 ? emit(Op::fmul, {dx, dx}) : emit(Op::ffma, {dx, dx, x_square});
    y_square = i == 0 ? emit(Op::fmul, {dy, dy}) : emit(Op::ffma, {dy, dy, y_square});
  }
  return emit(Op::fmul, {emit(Op::flog2, {emit(Op::fmax, {x_square, y_square})}), real(0.5f)});
}

// d' = (d_minor - p_minor / |major| * d|major|) / |major|, halved because a face spans -1..1
// (docs/reference/direct3d.md 2.5, Cube). Two divisions: |major|^2 would flush to zero for short directions.
// The face's mirroring changes only signs, which do not affect the lengths; ties go to Z, then Y, then X.
void SampleLevels::project_cube_gradients(AccessDraft& draft, Results& x, Results& y) {
  Results position;
  Results magnitude;
  for (uint32_t i = 0; i < 3; ++i) {
    position[i] = draft.access.get(Slot::coordinate0 + i);
    magnitude[i] = emit(Op::fabs, {position[i]});
  }
  const Value z_major = emit(
      Op::pand, {emit(Op::fge, {magnitude[2], magnitude[0]}), emit(Op::fge, {magnitude[2], magnitude[1]})});
  const Value y_major = emit(Op::fge, {magnitude[1], magnitude[0]});
  auto choose = [&](const Results& v, uint32_t for_z, uint32_t for_y, uint32_t for_x) {
    return emit(Op::select, {z_major, v[for_z], emit(Op::select, {y_major, v[for_y], v[for_x]})});
  };
  const Value major = choose(position, 2, 1, 0);
  const Value major_size = choose(magnitude, 2, 1, 0);
  // The two other axes, in any order.
  const std::array<Value, 2> minor = {choose(position, 0, 0, 1), choose(position, 1, 2, 2)};
  std::array<Value, 2> slope;
  for (uint32_t i = 0; i < 2; ++i) slope[i] = emit(Op::fneg, {emit(Op::fdiv, {minor[i], major_size})});
  const Value sign_fold = emit(Op::flt, {major, real(0.0f)});
  for (Results* d : {&x, &y}) {
    const Value d_major_signed = choose(*d, 2, 1, 0);
    // d|major| = sign(major) * d_major
    const Value d_major = emit(Op::select, {sign_fold, emit(Op::fneg, {d_major_signed}), d_major_signed});
    const std::array<Value, 2> d_minor = {choose(*d, 0, 0, 1), choose(*d, 1, 2, 2)};
    for (uint32_t i = 0; i < 2; ++i) {
      const Value moved = emit(Op::ffma, {slope[i], d_major, d_minor[i]});
      (*d)[i] = emit(Op::fmul, {emit(Op::fdiv, {moved, major_size}), real(0.5f)});
    }
  }
}

}  // namespace texlate::ir
