// Anisotropic samples whose LOD the target's own operation cannot be given beside the derivatives: with a
// bias or a clamp per access, and comparisons (D3D11.3 7.18.11; docs/reference/direct3d.md 2.5). Derivatives
// scaled by 2^bias would give the LOD, but they also scale the line on which the texels are. These samples
// are therefore averaged over probes with an explicit LOD, each of them isotropic.

#include "ir/passes/legalize_anisotropy.h"

#include <limits>

namespace texlate::ir {

/// Other dimensions are isotropic; so are the 1D textures for which a 2D texture stands in.
bool AnisotropicSamples::is_anisotropic(const AccessDraft& draft) {
  return draft.dimension == Dimension::texture2d || draft.dimension == Dimension::texture2d_array;
}

// major = the longer derivative, det = |dX x dY|, ratio = min(major^2 / det, MaxAnisotropy), LOD =
// log2(major / ratio). Where the minor axis is shorter than a texel, only `major` probes are needed. Their
// number, which Direct3D leaves open, is rounded up, but not for an excess of 1/512: common ratios are whole.
Probes AnisotropicSamples::place_probes(AccessDraft& draft) {
  closed(draft, Gap::level_in_code);
  const std::array<Value, 2> size = {emit(Op::utof, {fact(draft, BindingFact::width)}),
                                     emit(Op::utof, {fact(draft, BindingFact::height)})};
  std::array<Value, 2> x, y;
  for (uint32_t axis = 0; axis < 2; ++axis) {
    x[axis] = emit(Op::fmul, {draft.access.get(Slot::ddx0 + axis), size[axis]});
    y[axis] = emit(Op::fmul, {draft.access.get(Slot::ddy0 + axis), size[axis]});
  }
  const auto square = [&](const std::array<Value, 2>& v) {
    return emit(Op::ffma, {v[1], v[1], emit(Op::fmul, {v[0], v[0]})});
  };
  const Value x_square = square(x), y_square = square(y);
  const Value major_square = emit(Op::fmax, {x_square, y_square});
  const Value product = emit(Op::fmul, {x[1], y[0]});
  const Value det = emit(Op::fabs, {emit(Op::ffma, {x[0], y[1], emit(Op::fneg, {product})})});
  // A host that knows nothing of anisotropy has 0 in the record. A NaN ratio becomes the limit.
  const Value given = emit(Op::utof, {sampler_fact(draft, BindingFact::max_anisotropy)});
  const Value limit = emit(Op::fmax, {given, real(1.0f)});
  const Value ratio = emit(Op::fmin, {emit(Op::fdiv, {major_square, det}), limit});

  Probes probes;
  const Value major_level = emit(Op::fmul, {emit(Op::flog2, {major_square}), real(0.5f)});
  probes.level = emit(Op::fadd, {major_level, emit(Op::fneg, {emit(Op::flog2, {ratio})})});
  const Value needed = emit(Op::fmin, {ratio, emit(Op::fsqrt, {major_square})});
  const Value rounded = emit(Op::fceil, {emit(Op::fadd, {needed, real(-1.0f / 512)})});
  const Value finite = emit(Op::flt, {major_square, real(std::numeric_limits<float>::infinity())});
  probes.count = emit(Op::select, {finite, emit(Op::fmax, {rounded, real(1.0f)}), real(1.0f)});
  const Value x_is_major = emit(Op::feq, {x_square, major_square});  // not if it is NaN
  for (uint32_t axis = 0; axis < 2; ++axis) {
    const Value longer = emit(
        Op::select, {x_is_major, draft.access.get(Slot::ddx0 + axis), draft.access.get(Slot::ddy0 + axis)});
    probes.axis[axis] = emit(Op::select, {finite, longer, real(0.0f)});
  }
  return probes;
}

// Gives the access an explicit LOD in place of derivatives, if it may be anisotropic; its bias is added.
std::optional<Probes> AnisotropicSamples::spread_probes(AccessDraft& draft) {
  ResourceAccess& access = draft.access.contract;
  const bool native = (access.lod == LodRule::implicit && draft.promises(kImplicitLevel)) ||
                      (access.lod == LodRule::bias && draft.promises(kBias));
  const bool given = access.lod == LodRule::zero || access.lod == LodRule::level;
  if (!is_anisotropic(draft) || given || (native && !draft.access.has(Slot::lod_clamp) && !access.compare))
    return std::nullopt;
  closed(draft, Gap::anisotropy);
  if (access.lod != LodRule::gradient) {
    closed(draft, Gap::implicit_level);
    levels_.derive_coordinates(draft);
  }
  Probes probes = place_probes(draft);
  if (draft.access.has(Slot::lod)) probes.level = emit(Op::fadd, {probes.level, draft.access.get(Slot::lod)});
  draft.set_level(probes.level);
  return probes;
}

bool AnisotropicSamples::biases_anisotropy(const AccessDraft& draft) const {
  const ResourceAccess& access = draft.access.contract;
  return access.lod == LodRule::bias && !draft.promises(kBias) && is_anisotropic(draft) && !access.compare &&
         draft.promises(kGradient) && !(draft.access.has(Slot::lod_clamp) && !draft.promises(kLodClamp)) &&
         !is_zero(draft.access.get(Slot::lod));
}

// Derivatives scaled by 2^bias are right for an isotropic sampler, and without a bias. That sample comes
// first, so that nothing of the usual case is in a branch; it is replaced if it was not right.
void AnisotropicSamples::sample_with_bias(AccessDraft& draft) {
  closed(draft, Gap::bias);
  closed(draft, Gap::implicit_level);
  const Value bias = draft.access.get(Slot::lod);
  levels_.derive_coordinates(draft);
  draft.access.clear(Slot::lod);
  draft.access.contract.lod = LodRule::gradient;
  if (!draft.promises(kUnbound)) guard_bound(draft);
  AccessDraft probed = draft;
  levels_.scale_gradients(draft, bias);
  const Results5 scaled = read_once(draft);

  const uint32_t count = draft.instruction->result_count;
  const Value most = sampler_fact(draft, BindingFact::max_anisotropy);
  emit(Op::if_, {emit(Op::pand, {emit(Op::ult, {word(1), most}), emit(Op::fne, {bias, real(0.0f)})})});
  probed.access.set(Slot::lod, bias);
  const std::optional<Probes> probes = spread_probes(probed);
  const Results5 average = read_probes(probed, *probes);
  emit(Op::else_, std::span(average).first(count));
  const Value first = builder_.emit_variadic(Op::endif, std::span(scaled).first(count), count);
  finish_with(draft, {first, first + 1, first + 2, first + 3, first + 4});
}

/// The same with an explicit LOD, averaged over the probes.
TextureRewriter::Results5 AnisotropicSamples::read_probes(AccessDraft& draft, const Probes& probes) {
  uint32_t wanted = 0;
  for (uint32_t i = 0; i < 4; ++i) wanted |= is_used(draft.instruction->first_result + i) ? 1u << i : 0u;
  return average_probes(draft, probes, wanted, [&](AccessDraft& at) { return read_once(at); });
}

}  // namespace texlate::ir
