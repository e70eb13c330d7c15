// Expands comparisons and footprints into code, for targets whose sampling cannot compare (D3D11.3 22.4.19;
// docs/reference/direct3d.md 1.4, 2.2 to 2.5, 2.7): quantise the reference, choose the mip, read the four
// texels with the sampler's address modes, compare each of them, weight the results. Integer fetches are
// exact on every target, so the result does not depend on the target's filter.

#include "ir/passes/legalize_compare.h"

#include <algorithm>
#include <bit>

#include "ir/passes/split_reciprocal.h"

namespace texlate::ir {

// Like a depth write: a UNORM depth format clamps the reference to [0,1] and rounds it to its precision. It
// is compared with texels, which are the nearest floats, so the quotient is, too.
Value Comparisons::quantized_reference(AccessDraft& draft) {
  const Value reference = draft.access.get(Slot::reference);
  const Value scale = fact(draft, BindingFact::reference_scale);
  const Value is_unorm = emit(Op::flt, {real(0.0f), scale});
  if (module_.is_constant(is_unorm, 0)) return reference;
  builder_.set_flags(draft.instruction->flags | kPrecise);
  const Value steps = nearest_step(emit(Op::fsat, {reference}), scale);
  const Value quotient = module_.is_constant(scale)
                             ? quotient_of_steps(steps, std::bit_cast<float>(module_.constant_bits(scale)))
                             : emit(Op::fdiv, {steps, scale});
  builder_.set_flags(draft.instruction->flags);
  return emit(Op::select, {is_unorm, quotient, reference});
}

/// The integer nearest to value * scale, for values from 0 to 1 and scales below 2^24. Floats from 2^23 on
/// are integers: a smaller product is rounded once, to an integer, when 2^23 is added to it; a greater one is
/// an integer by itself. Rounding the product first and then to an integer would be off by up to 0.75 of a
/// step, and Direct3D allows 0.6 (D3D11.3 3.2.3.6).
Value Comparisons::nearest_step(Value value, Value scale) {
  constexpr float kIntegers = 8388608.0f;
  const Value sum = emit(Op::ffma, {value, scale, real(kIntegers)});
  const Value steps = emit(Op::fadd, {sum, real(-kIntegers)});
  if (module_.is_constant(scale) && std::bit_cast<float>(module_.constant_bits(scale)) <= kIntegers)
    return steps;
  const Value product = emit(Op::fmul, {value, scale});
  return emit(Op::select, {emit(Op::flt, {product, real(kIntegers)}), steps, product});
}

/// steps / scale, correctly rounded, for integers from 0 to the scale.
Value Comparisons::quotient_of_steps(Value steps, float scale) {
  const SplitReciprocal reciprocal = split_reciprocal(scale);
  const Value rest = emit(Op::fmul, {steps, real(reciprocal.low)});
  return emit(Op::ffma, {steps, real(reciprocal.high), rest});
}

// ComparisonFunction - 1 has bit 0 for "less", bit 1 for "equal", bit 2 for "greater" (D3D11_COMPARISON_FUNC:
// 1 never .. 8 always). Bit 3 is added for NaN: with NaN only not_equal and always hold, the functions with
// both "less" and "greater".
Value Comparisons::function_mask(AccessDraft& draft) {
  const Value bits = emit(Op::iadd, {sampler_fact(draft, BindingFact::compare_function), word(0xffffffffu)});
  const Value less_greater = emit(Op::ieq, {emit(Op::and_, {bits, word(5)}), word(5)});
  return emit(Op::or_, {bits, emit(Op::select, {less_greater, word(8), word(0)})});
}

/// One comparison, if the function is known.
Value Comparisons::passes_known(uint32_t functions, Value reference, Value texel) {
  constexpr uint32_t kLess = 1, kEqual = 2, kGreater = 4, kNan = 8;
  switch (functions) {
    case 0: return module_.constant_b1(false);
    case kLess: return emit(Op::flt, {reference, texel});
    case kEqual: return emit(Op::feq, {reference, texel});
    case kLess | kEqual: return emit(Op::fge, {texel, reference});
    case kGreater: return emit(Op::flt, {texel, reference});
    case kLess | kGreater | kNan: return emit(Op::fne, {reference, texel});
    case kEqual | kGreater: return emit(Op::fge, {reference, texel});
    default: return module_.constant_b1(true);  // always
  }
}

// 1.0 or 0.0. The reference is the left operand.
Value Comparisons::passes(Value functions, Value reference, Value texel) {
  if (module_.is_constant(functions))
    return emit(Op::select,
                {passes_known(module_.constant_bits(functions), reference, texel), real(1.0f), real(0.0f)});
  const Value greater_or_nan = emit(Op::select, {emit(Op::flt, {texel, reference}), word(4), word(8)});
  const Value not_less = emit(Op::select, {emit(Op::feq, {reference, texel}), word(2), greater_or_nan});
  const Value relation = emit(Op::select, {emit(Op::flt, {reference, texel}), word(1), not_less});
  const Value holds = emit(Op::ine, {emit(Op::and_, {functions, relation}), word(0)});
  return emit(Op::select, {holds, real(1.0f), real(0.0f)});
}

// gather4_c: the gather without comparison, then four comparisons.
void Comparisons::compare_gathered(AccessDraft& draft) {
  closed(draft, Gap::comparison);
  const Value reference = quantized_reference(draft);
  const Value functions = function_mask(draft);
  AccessBuilder& access = draft.access;
  access.contract.compare = false;
  access.clear(Slot::reference);
  if (draft.guard != kNoValue) access.set(Slot::guard, draft.guard);
  const Value first = access.emit(builder_, Op::tex_gather);
  std::array<Value, 5> results;
  results[4] = first + 4;
  for (uint32_t i = 0; i < 4; ++i) {
    results[i] = word(0);
    if (!is_used(draft.instruction->first_result + i)) continue;
    results[i] = passes(functions, reference, first + i);
    // An unbound slot gives 0, whatever the comparison with 0 gives.
    if (draft.guard != kNoValue) results[i] = emit(Op::select, {draft.guard, results[i], word(0)});
  }
  replace_results(*draft.instruction, std::span(results).first(access.contract.feedback ? 5u : 4u));
}

void Comparisons::count() {
  if (table_.most_comparisons == 0xffffffffu) return;
  const auto compares = [this](const Instruction& instruction) {
    return instruction.op == Op::tex_sample && module_.access_of(instruction).compare;
  };
  calls_ = static_cast<size_t>(std::ranges::count_if(module_.code, compares)) > table_.most_comparisons;
}

void Comparisons::compare(AccessDraft& draft) {
  calls_comparison(draft) ? compare_by_call(draft) : compare_in_code(draft);
}

bool Comparisons::calls_comparison(const AccessDraft& draft) const {
  return calls_ && !draft.access.contract.feedback && !draft.access.has(Slot::lod_clamp);
}

// The routine asks for these facts. Those that are known are constants in it.
void Comparisons::rely_on_known_comparison(const AccessDraft& draft) {
  if (facts_ == nullptr) return;
  using enum BindingFact;
  static constexpr BindingFact kOfTexture[] = {bound, width, height, layers, levels, reference_scale};
  static constexpr BindingFact kOfSampler[] = {compare_function, linear_filter, linear_mip,
                                               min_lod,          max_lod,       lod_bias};
  static constexpr BindingFact kOfAxes[] = {address_u, address_v, border_red};
  const auto ask_for = [&](Slot slot, uint16_t declaration, std::span<const BindingFact> facts) {
    for (const BindingFact each : facts) facts_->find({declaration, each}, draft.access.get(slot));
  };
  const ResourceAccess& contract = draft.access.contract;
  ask_for(Slot::resource_index, contract.resource, kOfTexture);
  ask_for(Slot::sampler_index, contract.sampler, kOfSampler);
  if (!is_cube(draft.dimension)) ask_for(Slot::sampler_index, contract.sampler, kOfAxes);
}

void Comparisons::compare_by_call(AccessDraft& draft) {
  closed(draft, Gap::comparison);
  rely_on_known_comparison(draft);
  guard_bound(draft);
  const std::optional<Probes> probes = anisotropy_.spread_probes(draft);
  const Value level = levels_.level_of_access(draft);
  draft.set_level(level);
  probes ? finish_with(draft, anisotropy_.read_probes(draft, *probes)) : finish(draft);
}

// sample_c and sample_c_lz.
void Comparisons::compare_in_code(AccessDraft& draft) {
  if (is_cube(draft.dimension) && !texels_.fetches_cubes(draft.dimension))
    return refuse(draft, "a comparison on a cube, whose texels cannot be fetched");
  closed(draft, Gap::comparison);
  const bool feedback = draft.access.contract.feedback;
  const Value bound = fact(draft, BindingFact::bound);
  closed(draft, Gap::unbound);
  draft.guard = bound;
  const std::optional<Probes> probes = anisotropy_.spread_probes(draft);
  const MipChoice mips = texels_.choose_mips(draft);
  const Value reference = quantized_reference(draft);
  const Value functions = function_mask(draft);
  std::array<Value, 2> compared;
  if (probes) {
    const Results5 average = anisotropy_.average_probes(draft, *probes, 1, [&](AccessDraft& at) {
      const auto [result, resident] = compare_mips(at, mips, reference, functions);
      return Results5{result, result, result, result, resident};
    });
    compared = {average[0], average[4]};
  } else {
    compared = compare_mips(draft, mips, reference, functions);
  }
  // Beyond the last mip nothing is read, and the comparison is with red 0. An unbound slot gives 0.
  Value visible = compared[0];
  if (draft.guard != bound) {
    const Value with_zero = passes(functions, reference, real(0.0f));
    visible = emit(Op::select, {draft.guard, visible, with_zero});
  }
  visible = emit(Op::select, {bound, visible, word(0)});
  const std::array<Value, 5> results = {visible, visible, visible, visible, compared[1]};
  replace_results(*draft.instruction, std::span(results).first(feedback ? 5u : 4u));
}

// One iteration for the mip, and a second one for the next mip if the sampler blends mips and the weight is
// not 0. A weight that is not 0 means a level below that of the last mip, so there is a next mip.
std::array<Value, 2> Comparisons::compare_mips(AccessDraft& draft, const MipChoice& mips, Value reference,
                                               Value functions) {
  const bool feedback = draft.access.contract.feedback;
  if (module_.is_constant(mips.weight, 0)) return compare_mip(draft, mips, mips.first, reference, functions);
  const std::array<Value, 4> entry = {
      word(0), real(0.0f), emit(Op::fadd, {real(1.0f), emit(Op::fneg, {mips.weight})}), word(kAllMapped)};
  const uint32_t carried_count = feedback ? 4 : 3;
  const Value carried =
      builder_.emit_variadic(Op::loop, std::span(entry).first(carried_count), carried_count);
  const Value step = carried;
  const Value sum = carried + 1;
  const Value weight = carried + 2;
  const Value mip = emit(Op::iadd, {mips.first, step});
  const auto [filtered, resident] = compare_mip(draft, mips, mip, reference, functions);
  const Value total = emit(Op::ffma, {filtered, weight, sum});
  const Value status = feedback ? emit(Op::or_, {carried + 3, resident}) : kNoValue;
  const Value last =
      emit(Op::por, {emit(Op::ine, {step, word(0)}), emit(Op::feq, {mips.weight, real(0.0f)})});
  const std::array<Value, 2> outcome = {total, status};
  const uint32_t outcomes = feedback ? 2 : 1;
  emit(Op::if_, {last});
  builder_.emit(Op::break_, std::span(outcome).first(outcomes));
  emit(Op::else_, {});
  emit(Op::endif, {});
  const std::array<Value, 4> next = {word(1), total, mips.weight, status};
  const Value result = builder_.emit_variadic(Op::endloop, std::span(next).first(carried_count), outcomes);
  return {result, feedback ? result + 1 : kNoValue};
}

// The filtered comparisons of one mip, and the residency of its texels if requested.
std::array<Value, 2> Comparisons::compare_mip(AccessDraft& draft, const MipChoice& mips, Value mip,
                                              Value reference, Value functions) {
  Footprint footprint;
  Taps taps;
  const bool cube = is_cube(draft.dimension);
  if (cube) {
    const TexelReader::FacePosition face = texels_.position_on_face(draft);
    footprint = texels_.cube_footprint_of_mip(draft, face, mip, mips.linear);
    taps = texels_.fetch_cube_taps(draft, face, footprint);
  } else {
    footprint = texels_.make_footprint(draft, mip, mips.linear);
    for (uint32_t i = 0; i < 4; ++i) taps[i] = texels_.fetch_tap(draft, footprint, i, 0, draft.guard);
  }
  std::array<Value, 4> passed;
  for (uint32_t i = 0; i < 4; ++i) passed[i] = passes(functions, reference, taps[i].texel);
  if (cube) texels_.fill_cube_corner(footprint, passed, Op::fadd);
  const Value resident = draft.access.contract.feedback ? texels_.status_of(footprint, taps) : kNoValue;
  return {texels_.blend(footprint, passed), resident};
}

}  // namespace texlate::ir
