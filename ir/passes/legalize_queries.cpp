// resinfo, sampleinfo, samplepos, lod, bufinfo from the binding's facts, and gather4_po by fetches.

#include "ir/passes/footprint.h"
#include "ir/passes/sample_patterns.h"
#include "ir/passes/texture_legalizer.h"

namespace texlate::ir {

// resinfo (D3D11.3 22.4.14): sizes of the mip, 0 if there is no such mip; the number of mips in any case.
// Facts of an unbound slot are 0, and so is every result here.
void TextureLegalizer::legalize_size(AccessDraft& draft) {
  if (draft.promises(kExists)) return guard_size(draft);
  closed(draft, Gap::query);
  const Value level = draft.access.get(Slot::lod);
  const Value levels = fact(draft, BindingFact::levels);
  const Value exists = emit(Op::ult, {level, levels});
  static constexpr std::array<BindingFact, 3> kSizes = {BindingFact::width, BindingFact::height,
                                                        BindingFact::depth};
  Results results = {word(0), word(0), word(0), levels};
  const uint32_t axes = is_cube(draft.dimension) ? 2 : coordinate_count(draft.dimension);
  for (uint32_t i = 0; i < axes; ++i) {
    // A cube's face is square.
    const BindingFact which = is_cube(draft.dimension) ? BindingFact::width : kSizes[i];
    results[i] = emit(Op::select, {exists, mip_size(draft, which, level), word(0)});
  }
  if (is_array(draft.dimension)) {
    results[axes] = emit(Op::select, {exists, fact(draft, BindingFact::layers), word(0)});
  }
  replace_results(*draft.instruction, results);
}

/// 0 if the guard is false; kNoValue: it is always true.
Value TextureLegalizer::guarded(Value guard, Value value) {
  return guard == kNoValue ? value : emit(Op::select, {guard, value, word(0)});
}

// The target's query, if it leaves mips that do not exist or unbound slots undefined. A bound resource has a
// mip 0.
void TextureLegalizer::guard_size(AccessDraft& draft) {
  const Value level = draft.access.get(Slot::lod);
  const bool judges_level =
      !draft.promises(kLevelRange) && level != kNoValue && !module_.is_constant(level, 0);
  if (draft.promises(kUnbound) && !judges_level) return finish(draft);
  Value bound = kNoValue;
  if (!draft.promises(kUnbound)) {
    guard_bound(draft);
    bound = draft.guard;
  }
  if (judges_level) guard_level(draft);
  const Value first = draft.access.emit(builder_, Op::tex_size);
  Results results = {word(0), word(0), word(0), word(0)};
  for (uint32_t i = 0; i < 3; ++i) {
    if (is_used(draft.instruction->first_result + i)) results[i] = guarded(draft.guard, first + i);
  }
  results[3] = guarded(bound, first + 3);
  replace_results(*draft.instruction, results);
}

void TextureLegalizer::legalize_samples(AccessDraft& draft) {
  if (draft.promises(kExists) && draft.promises(kUnbound)) return finish(draft);
  closed(draft, Gap::query);
  replace_results(*draft.instruction, std::array<Value, 1>{fact(draft, BindingFact::samples)});
}

// samplepos: the standard patterns (D3D11.3 19.2.4) in one table; a count or index without an entry gives (0,
// 0).
void TextureLegalizer::legalize_position(AccessDraft& draft) {
  if (draft.promises(kExists)) return finish(draft);
  closed(draft, Gap::query);
  const std::array<Value, 2> position =
      standard_sample_position(builder_, fact(draft, BindingFact::samples), draft.access.get(Slot::sample));
  replace_results(*draft.instruction, position);
}

// samplepos of the rasterizer: no target has it; the target itself provides the render target's samples.
void TextureLegalizer::legalize_raster_position(const Instruction& instruction) {
  builder_.set_location(instruction);
  const std::array<Value, 2> position = standard_sample_position(builder_, builder_.emit(Op::raster_samples),
                                                                 module_.operands_of(instruction)[0]);
  replace_results(instruction, position);
}

void TextureLegalizer::legalize_sample_evaluation(const Instruction& instruction) {
  builder_.set_location(instruction);
  evaluate_at_sample(instruction, module_.operands_of(instruction)[0]);
}

// The center of a pixel that is wholly covered, otherwise the first covered sample
// (docs/reference/pipeline.md 5). Helpers have none: the center, too.
void TextureLegalizer::legalize_centroid_evaluation(const Instruction& instruction) {
  builder_.set_location(instruction);
  const Value covered = emit(Op::system_value, {}, static_cast<uint32_t>(SystemValue::coverage) * 4);
  const Value all = emit(Op::iadd, {emit(Op::shl, {word(1), builder_.emit(Op::raster_samples)}), word(~0u)});
  const Value first = emit(Op::firstbit_lo, {covered});
  // A sample that does not exist is at the center.
  evaluate_at_sample(instruction, emit(Op::select, {emit(Op::ieq, {covered, all}), word(~0u), first}));
}

// Positions of samples are multiples of 1/16 pixel (D3D11.3 19.2.4), the unit of eval_snapped (22.4.25).
void TextureLegalizer::evaluate_at_sample(const Instruction& instruction, Value sample) {
  const std::array<Value, 2> position =
      standard_sample_position(builder_, builder_.emit(Op::raster_samples), sample);
  std::array<Value, 2> sixteenths;
  for (uint32_t i = 0; i < 2; ++i)
    sixteenths[i] = emit(Op::ftoi, {emit(Op::fmul, {position[i], real(16.0f)})});
  replace_results(instruction, std::array<Value, 1>{emit(Op::eval_snapped, {sixteenths[0], sixteenths[1]},
                                                         instruction.payload)});
}

// lod (22.5.6): the level before and after the sampler's clamps and the view's mips.
void TextureLegalizer::legalize_lod(AccessDraft& draft) {
  if (draft.promises(kExists) && draft.promises(kUnbound)) return finish(draft);
  if (draft.promises(kExists)) {
    closed(draft, Gap::unbound);
    const Value bound = fact(draft, BindingFact::bound);
    const Value levels = draft.access.emit(builder_, Op::tex_lod);
    const std::array<Value, 2> results = {emit(Op::select, {bound, levels, word(0)}),
                                          emit(Op::select, {bound, levels + 1, word(0)})};
    return replace_results(*draft.instruction, results);
  }
  closed(draft, Gap::level_in_code);
  levels_.derive_coordinates(draft);
  const Value of_gradients = AnisotropicSamples::is_anisotropic(draft) ? anisotropy_.place_probes(draft).level
                                                                       : levels_.level_of_gradients(draft);
  const Value level = emit(Op::fadd, {of_gradients, sampler_fact(draft, BindingFact::lod_bias)});
  const Value upper = emit(Op::fmin, {sampler_fact(draft, BindingFact::max_lod), level});
  const Value clamped = emit(Op::fmax, {sampler_fact(draft, BindingFact::min_lod), upper});
  const Value last = emit(Op::iadd, {fact(draft, BindingFact::levels), word(0xffffffffu)});
  const Value in_view = emit(Op::fmin, {emit(Op::fmax, {clamped, real(0.0f)}), emit(Op::utof, {last})});
  const Value bound = fact(draft, BindingFact::bound);
  replace_results(*draft.instruction, std::array<Value, 2>{emit(Op::select, {bound, in_view, word(0)}),
                                                           emit(Op::select, {bound, level, word(0)})});
}

void TextureLegalizer::legalize_buffer_size(AccessDraft& draft) {
  if (draft.promises(kExists) && draft.promises(kUnbound)) return finish(draft);
  closed(draft, Gap::query);
  const bool raw = draft.dimension == Dimension::raw_buffer;
  replace_results(*draft.instruction,
                  std::array<Value, 1>{fact(draft, raw ? BindingFact::bytes : BindingFact::width)});
}

// gather4_po and gather4_po_c: offsets of -32..31, known only at run time.
void TextureLegalizer::gather_by_fetches(AccessDraft& draft) {
  closed(draft, Gap::run_time_offset);
  closed(draft, Gap::unbound);
  const bool compare = draft.access.contract.compare;
  const uint32_t component = compare ? 0 : draft.access.contract.gather_component;
  const Value bound = fact(draft, BindingFact::bound);
  const Value reference = compare ? comparisons_.quantized_reference(draft) : kNoValue;
  const Value functions = compare ? comparisons_.function_mask(draft) : kNoValue;
  // gather4 reads the bilinear footprint whatever the filter is.
  const Footprint footprint = texels_.make_footprint(draft, word(0), module_.constant_b1(true));
  // Result order (-,+) (+,+) (+,-) (-,-) (docs/reference/direct3d.md 1.4, gather4).
  static constexpr std::array<uint32_t, 4> kTapOfResult = {2, 3, 1, 0};
  const bool feedback = draft.access.contract.feedback;
  Results texels = {word(0), word(0), word(0), word(0)};
  Value status = word(kAllMapped);
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(draft.instruction->first_result + i) && !feedback) continue;
    const Tap tap = texels_.fetch_tap(draft, footprint, kTapOfResult[i], component, bound);
    texels[i] = compare
                    ? emit(Op::select, {bound, comparisons_.passes(functions, reference, tap.texel), word(0)})
                    : tap.texel;
    if (feedback) status = emit(Op::or_, {status, tap.status});
  }
  if (!compare && !draft.promises(kMissing)) fill_missing_components(draft, texels);
  const std::array<Value, 5> results = {texels[0], texels[1], texels[2], texels[3], status};
  replace_results(*draft.instruction, std::span(results).first(feedback ? 5u : 4u));
}

}  // namespace texlate::ir
