// Comparison and footprints by hand, for targets whose sampling cannot compare (D3D11.3 22.4.19;
// docs/reference/direct3d.md 1.4, 2.2 to 2.5, 2.7): quantise the reference, pick the mip, read the four
// texels under the sampler's address modes, compare each, weigh the results. Integer fetches are exact on
// every target, so the result does not depend on its filter.

#include "ir/passes/footprint.h"
#include "ir/passes/legalizer.h"

namespace texlate::ir {

// Like a depth write: a UNORM depth format clamps the reference to [0,1] and rounds it to its precision.
Value Legalizer::quantized_reference(Work& work) {
  const Value reference = work.access.get(Slot::reference);
  const Value scale = fact(work, BindingFact::reference_scale);
  const Value is_float = emit(Op::ieq, {scale, word(0)});
  const Value steps = emit(Op::frint, {emit(Op::fmul, {emit(Op::fsat, {reference}), scale})});
  return emit(Op::select, {is_float, reference, emit(Op::fdiv, {steps, scale})});
}

// ComparisonFunction - 1 has bit 0 for "less", bit 1 for "equal", bit 2 for "greater" (D3D11_COMPARISON_FUNC:
// 1 never .. 8 always). Bit 3 is added for NaN, where only not_equal and always hold: those with both "less"
// and "greater".
Value Legalizer::function_mask(Work& work) {
  const Value bits = emit(Op::iadd, {sampler_fact(work, BindingFact::compare_function), word(0xffffffffu)});
  const Value less_greater = emit(Op::ieq, {emit(Op::and_, {bits, word(5)}), word(5)});
  return emit(Op::or_, {bits, emit(Op::select, {less_greater, word(8), word(0)})});
}

// 1.0 or 0.0. The reference is the left operand.
Value Legalizer::passes(Value functions, Value reference, Value texel) {
  const Value greater_or_nan = emit(Op::select, {emit(Op::flt, {texel, reference}), word(4), word(8)});
  const Value not_less = emit(Op::select, {emit(Op::feq, {reference, texel}), word(2), greater_or_nan});
  const Value relation = emit(Op::select, {emit(Op::flt, {reference, texel}), word(1), not_less});
  const Value holds = emit(Op::ine, {emit(Op::and_, {functions, relation}), word(0)});
  return emit(Op::select, {holds, real(1.0f), real(0.0f)});
}

// gather4_c: the gather without comparison, then four comparisons.
void Legalizer::compare_gathered(Work& work) {
  closed(work, Gap::comparison);
  const Value reference = quantized_reference(work);
  const Value functions = function_mask(work);
  AccessBuilder& access = work.access;
  access.contract.compare = false;
  access.clear(Slot::reference);
  if (work.guard != kNoValue) access.set(Slot::guard, work.guard);
  const Value first = access.emit(builder_, Op::tex_gather);
  Results results;
  for (uint32_t i = 0; i < 4; ++i) {
    results[i] = word(0);
    if (!is_used(work.instruction->first_result + i)) continue;
    results[i] = passes(functions, reference, first + i);
    // Unbound reads 0, whatever the comparison says of 0.
    if (work.guard != kNoValue) results[i] = emit(Op::select, {work.guard, results[i], word(0)});
  }
  replace_results(*work.instruction, results);
}

// sample_c and sample_c_lz.
void Legalizer::compare_by_hand(Work& work) {
  closed(work, Gap::comparison);
  if (is_cube(work.dimension)) return compare_on_cube(work);
  const Value bound = fact(work, BindingFact::bound);
  closed(work, Gap::unbound);
  work.guard = bound;
  const MipChoice mips = choose_mips(work);
  const Value reference = quantized_reference(work);
  const Value functions = function_mask(work);

  // One pass for the mip, a second one for the next where the sampler blends mips and its weight is not 0. A
  // weight that is not 0 means a level below that of the last mip: there is a next one.
  const std::array<Value, 3> entry = {word(0), real(0.0f),
                                      emit(Op::fadd, {real(1.0f), emit(Op::fneg, {mips.weight})})};
  const Value carried = builder_.emit_variadic(Op::loop, entry, 3);
  const Value step = carried;
  const Value sum = carried + 1;
  const Value weight = carried + 2;
  const Value mip = emit(Op::iadd, {mips.first, step});
  const Footprint footprint = make_footprint(work, mip);
  std::array<Value, 4> taps;
  for (uint32_t i = 0; i < 4; ++i) {
    taps[i] = passes(functions, reference, fetch_tap(work, footprint, i, 0, work.guard));
  }
  const Value filtered = blend(footprint, taps);
  const Value total = emit(Op::ffma, {filtered, weight, sum});
  const Value last =
      emit(Op::por, {emit(Op::ine, {step, word(0)}), emit(Op::feq, {mips.weight, real(0.0f)})});
  emit(Op::if_, {last});
  emit(Op::break_, {total});
  emit(Op::else_, {});
  emit(Op::endif, {});
  const std::array<Value, 3> next = {word(1), total, mips.weight};
  const Value result = builder_.emit_variadic(Op::endloop, next, 1);
  const Value visible = emit(Op::select, {work.guard, result, word(0)});
  replace_results(*work.instruction, Results{visible, visible, visible, visible});
}

// A cube's footprint crosses faces; the gather knows how. It reads mip 0, so only sample_c_lz comes here, and
// a sampler whose bias or MinLOD leaves mip 0 must be bound with a view that starts at the mip meant
// (docs/launch_abi.md).
void Legalizer::compare_on_cube(Work& work) {
  if (work.access.contract.lod != LodRule::zero) {
    return refuse(work, "a comparison on a cube with a level other than 0");
  }
  guard_bound(work);
  const Value reference = quantized_reference(work);
  const Value functions = function_mask(work);
  const Footprint footprint = cube_footprint(work);
  AccessBuilder& access = work.access;
  access.contract.compare = false;
  access.contract.lod = LodRule::none;
  access.clear(Slot::reference);
  access.set(Slot::guard, work.guard);
  const Value first = access.emit(builder_, Op::tex_gather);
  // Gather order is (-,+) (+,+) (+,-) (-,-); footprints count x first: (-,-) (+,-) (-,+) (+,+).
  static constexpr std::array<uint32_t, 4> kTapOfGather = {2, 3, 1, 0};
  std::array<Value, 4> taps;
  for (uint32_t i = 0; i < 4; ++i) taps[kTapOfGather[i]] = passes(functions, reference, first + i);
  const Value visible = emit(Op::select, {work.guard, blend(footprint, taps), word(0)});
  replace_results(*work.instruction, Results{visible, visible, visible, visible});
}

}  // namespace texlate::ir
