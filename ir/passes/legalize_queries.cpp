// resinfo, sampleinfo, samplepos, lod, bufinfo from the binding's facts, and gather4_po by fetches.

#include "ir/passes/footprint.h"
#include "ir/passes/sample_patterns.h"
#include "ir/passes/texture_legalizer.h"

namespace texlate::ir {

// resinfo (D3D11.3 22.4.16): sizes of the mip, 0 if there is no such mip; the number of mips in any case.
// Facts of an unbound slot are 0, and so is every result here.
void TextureLegalizer::legalize_size(Work& work) {
  if (work.promises(kExists)) return guard_size(work);
  closed(work, Gap::query);
  const Value level = work.access.get(Slot::lod);
  const Value levels = fact(work, BindingFact::levels);
  const Value exists = emit(Op::ult, {level, levels});
  static constexpr std::array<BindingFact, 3> kSizes = {BindingFact::width, BindingFact::height,
                                                        BindingFact::depth};
  Results results = {word(0), word(0), word(0), levels};
  const uint32_t axes = is_cube(work.dimension) ? 2 : coordinate_count(work.dimension);
  for (uint32_t i = 0; i < axes; ++i) {
    // A cube's face is square.
    const BindingFact which = is_cube(work.dimension) ? BindingFact::width : kSizes[i];
    results[i] = emit(Op::select, {exists, mip_size(work, which, level), word(0)});
  }
  if (is_array(work.dimension)) {
    results[axes] = emit(Op::select, {exists, fact(work, BindingFact::layers), word(0)});
  }
  replace_results(*work.instruction, results);
}

/// 0 if the guard is false; kNoValue: it is always true.
Value TextureLegalizer::guarded(Value guard, Value value) {
  return guard == kNoValue ? value : emit(Op::select, {guard, value, word(0)});
}

// The target's query, if it leaves mips that do not exist or unbound slots undefined. A bound resource has a
// mip 0.
void TextureLegalizer::guard_size(Work& work) {
  const Value level = work.access.get(Slot::lod);
  const bool judges_level =
      !work.promises(kLevelRange) && level != kNoValue && !module_.is_constant(level, 0);
  if (work.promises(kUnbound) && !judges_level) return finish(work);
  Value bound = kNoValue;
  if (!work.promises(kUnbound)) {
    guard_bound(work);
    bound = work.guard;
  }
  if (judges_level) guard_level(work);
  const Value first = work.access.emit(builder_, Op::tex_size);
  Results results = {word(0), word(0), word(0), word(0)};
  for (uint32_t i = 0; i < 3; ++i) {
    if (is_used(work.instruction->first_result + i)) results[i] = guarded(work.guard, first + i);
  }
  results[3] = guarded(bound, first + 3);
  replace_results(*work.instruction, results);
}

void TextureLegalizer::legalize_samples(Work& work) {
  if (work.promises(kExists) && work.promises(kUnbound)) return finish(work);
  closed(work, Gap::query);
  replace_results(*work.instruction, std::array<Value, 1>{fact(work, BindingFact::samples)});
}

// samplepos: the standard patterns (D3D11.3 19.2.4) in one table; a count or index without an entry gives (0,
// 0).
void TextureLegalizer::legalize_position(Work& work) {
  if (work.promises(kExists)) return finish(work);
  closed(work, Gap::query);
  const std::array<Value, 2> position =
      standard_sample_position(builder_, fact(work, BindingFact::samples), work.access.get(Slot::sample));
  replace_results(*work.instruction, position);
}

// samplepos of the rasterizer: no target has it; the target itself provides the render target's samples.
void TextureLegalizer::legalize_raster_position(const Instruction& instruction) {
  builder_.set_location(instruction);
  const std::array<Value, 2> position = standard_sample_position(builder_, builder_.emit(Op::raster_samples),
                                                                 module_.operands_of(instruction)[0]);
  replace_results(instruction, position);
}

// Positions of samples are multiples of 1/16 pixel (D3D11.3 3.5.6.6.1), the unit of eval_snapped.
void TextureLegalizer::legalize_sample_evaluation(const Instruction& instruction) {
  builder_.set_location(instruction);
  const std::array<Value, 2> position = standard_sample_position(builder_, builder_.emit(Op::raster_samples),
                                                                 module_.operands_of(instruction)[0]);
  std::array<Value, 2> sixteenths;
  for (uint32_t i = 0; i < 2; ++i)
    sixteenths[i] = emit(Op::ftoi, {emit(Op::fmul, {position[i], real(16.0f)})});
  replace_results(instruction, std::array<Value, 1>{emit(Op::eval_snapped, {sixteenths[0], sixteenths[1]},
                                                         instruction.payload)});
}

// lod (22.4.18): the level before and after the sampler's clamps and the view's mips.
void TextureLegalizer::legalize_lod(Work& work) {
  if (work.promises(kExists) && work.promises(kUnbound)) return finish(work);
  if (work.promises(kExists)) {
    closed(work, Gap::unbound);
    const Value bound = fact(work, BindingFact::bound);
    const Value levels = work.access.emit(builder_, Op::tex_lod);
    const std::array<Value, 2> results = {emit(Op::select, {bound, levels, word(0)}),
                                          emit(Op::select, {bound, levels + 1, word(0)})};
    return replace_results(*work.instruction, results);
  }
  closed(work, Gap::level_by_hand);
  derive_coordinates(work);
  const Value of_gradients = is_anisotropic(work) ? place_probes(work).level : level_of_gradients(work);
  const Value level = emit(Op::fadd, {of_gradients, sampler_fact(work, BindingFact::lod_bias)});
  const Value upper = emit(Op::fmin, {sampler_fact(work, BindingFact::max_lod), level});
  const Value clamped = emit(Op::fmax, {sampler_fact(work, BindingFact::min_lod), upper});
  const Value last = emit(Op::iadd, {fact(work, BindingFact::levels), word(0xffffffffu)});
  const Value in_view = emit(Op::fmin, {emit(Op::fmax, {clamped, real(0.0f)}), emit(Op::utof, {last})});
  const Value bound = fact(work, BindingFact::bound);
  replace_results(*work.instruction, std::array<Value, 2>{emit(Op::select, {bound, in_view, word(0)}),
                                                          emit(Op::select, {bound, level, word(0)})});
}

void TextureLegalizer::legalize_buffer_size(Work& work) {
  if (work.promises(kExists) && work.promises(kUnbound)) return finish(work);
  closed(work, Gap::query);
  const bool raw = work.dimension == Dimension::raw_buffer;
  replace_results(*work.instruction,
                  std::array<Value, 1>{fact(work, raw ? BindingFact::bytes : BindingFact::width)});
}

// gather4_po and gather4_po_c: offsets of -32..31, known only at run time.
void TextureLegalizer::gather_by_fetches(Work& work) {
  closed(work, Gap::run_time_offset);
  closed(work, Gap::unbound);
  const bool compare = work.access.contract.compare;
  const uint32_t component = compare ? 0 : work.access.contract.gather_component;
  const Value bound = fact(work, BindingFact::bound);
  const Value reference = compare ? quantized_reference(work) : kNoValue;
  const Value functions = compare ? function_mask(work) : kNoValue;
  // gather4 reads the bilinear footprint whatever the filter is.
  const Footprint footprint = make_footprint(work, word(0), module_.constant_b1(true));
  // Result order (-,+) (+,+) (+,-) (-,-) (docs/reference/direct3d.md 1.4, gather4).
  static constexpr std::array<uint32_t, 4> kTapOfResult = {2, 3, 1, 0};
  const bool feedback = work.access.contract.feedback;
  Results texels = {word(0), word(0), word(0), word(0)};
  Value status = word(0xffffffffu);
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(work.instruction->first_result + i) && !feedback) continue;
    const Tap tap = fetch_tap(work, footprint, kTapOfResult[i], component, bound);
    texels[i] =
        compare ? emit(Op::select, {bound, passes(functions, reference, tap.texel), word(0)}) : tap.texel;
    if (feedback) status = emit(Op::and_, {status, tap.status});
  }
  if (!compare && !work.promises(kMissing)) fill_missing_components(work, texels);
  const std::array<Value, 5> results = {texels[0], texels[1], texels[2], texels[3], status};
  replace_results(*work.instruction, std::span(results).first(feedback ? 5u : 4u));
}

}  // namespace texlate::ir
