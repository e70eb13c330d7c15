#include "ir/passes/legalize_texture.h"

#include <algorithm>

#include "ir/passes/texture_legalizer.h"
#include "ir/spelling.h"

namespace texlate::ir {

TextureLegalizer::TextureLegalizer(Module& target, const GuaranteeTable& guarantees, Diagnostics& sink,
                                   std::pmr::vector<ClosedGap>* report, KnownFacts* known)
    : module_(target),
      table_(guarantees),
      diagnostics_(sink),
      report_(report),
      code_(target.memory()),
      builder_(target, code_),
      used_(target.memory()),
      biases_(target.memory()),
      replacement_(target.memory()),
      scratch_(target.memory()),
      facts_(known),
      errors_before_(sink.error_count()) {}

/// For each instruction behind the first replacement.
[[gnu::always_inline]] inline void TextureLegalizer::remap_operands(const Instruction& instruction) {
  const Value* const replacement = replacement_.data();
  const size_t count = replacement_.size();
  Value* operand = module_.operands.data() + instruction.first_operand;
  for (const Value* const end = operand + instruction.operand_count; operand != end; ++operand) {
    if (*operand < count && replacement[*operand] != kNoValue) *operand = replacement[*operand];
  }
}

bool TextureLegalizer::run() {
  if (!has_any_concern()) return true;
  code_.reserve(module_.code.size() * 2);
  const bool judges_addresses = std::ranges::any_of(module_.resources, [this](const Resource& resource) {
    const bool structured = resource.dimension == Dimension::structured_buffer;
    const bool bytes = structured || resource.dimension == Dimension::raw_buffer;
    return (bytes && !table_.find(Op::buf_load, resource.dimension).has(kByteOffset)) ||
           (structured && table_.structures_wrap);
  });
  if (judges_addresses || facts_ != nullptr) known_.emplace(module_, scratch_);
  if (table_.most_comparisons != 0xffffffffu) {
    const auto compares = [this](const Instruction& instruction) {
      return instruction.op == Op::tex_sample && module_.access_of(instruction).compare;
    };
    calls_comparisons_ =
        static_cast<size_t>(std::ranges::count_if(module_.code, compares)) > table_.most_comparisons;
  }
  if (table_.measures_samplers) measure_biases();
  const std::span<const Instruction> code = module_.code;
  for (size_t i = 0; i < code.size(); ++i) {
    const size_t first = i;
    for (; i < code.size() && !is_concern(code[i]); ++i) {
      if (!replacement_.empty()) remap_operands(code[i]);
    }
    code_.append(code.subspan(first, i - first));
    if (i == code.size()) break;
    if (!replacement_.empty()) remap_operands(code[i]);
    if (code[i].op == Op::raster_position) {
      legalize_raster_position(code[i]);
    } else if (code[i].op == Op::eval_sample) {
      legalize_sample_evaluation(code[i]);
    } else if (code[i].op == Op::eval_centroid) {
      legalize_centroid_evaluation(code[i]);
    } else {
      legalize(code[i]);
    }
  }
  module_.code.swap(code_);
  return diagnostics_.error_count() == errors_before_;
}

[[gnu::always_inline]] inline bool TextureLegalizer::is_concern(const Instruction& instruction) const {
  const Op op = instruction.op;
  if (info(op).has(kResource)) return !is_native(instruction);
  return op == Op::raster_position || (op == Op::eval_sample && !table_.sample_evaluation) ||
         (op == Op::eval_centroid && !table_.centroid_evaluation);
}

/// Most samples and fetches, on targets that promise all they need: legalize() would change nothing.
bool TextureLegalizer::is_native(const Instruction& instruction) const {
  constexpr uint32_t kSample = kExists | kUnbound | kMissing | kImplicitLevel | kGradient;
  constexpr uint32_t kFetch =
      kExists | kUnbound | kMissing | kOffset | kLevelRange | kSliceRange | kSampleRange | kCoordinateRange;
  if (facts_ != nullptr) return false;
  const bool is_fetch = instruction.op == Op::tex_fetch;
  if (!is_fetch && instruction.op != Op::tex_sample) return false;
  const ResourceAccess& access = module_.access_of(instruction);
  const TextureGuarantee guarantee = table_.find(instruction.op, access.dimension);
  const uint32_t needed = is_fetch ? kFetch : kSample;
  if ((guarantee.promises & needed) != needed || guarantee.stand_in != access.dimension || access.feedback)
    return false;
  if (is_fetch) return true;
  const bool has_own_level = access.lod == LodRule::bias || access.lod == LodRule::zero;
  return !has_own_level && !access.compare && !access.has_offset && !is_array(access.dimension) &&
         !access.has(Slot::lod_clamp);
}

bool TextureLegalizer::has_any_concern() const {
  return std::ranges::any_of(module_.code, [this](const Instruction& one) { return is_concern(one); });
}

bool TextureLegalizer::is_used(Value value) {
  if (used_.empty()) {
    used_.assign(module_.values.size(), 0);
    for (const Instruction& instruction : module_.code) {
      for (const Value operand : module_.operands_of(instruction)) used_[operand] = 1;
    }
  }
  return value < used_.size() && used_[value] != 0;
}

void TextureLegalizer::replace_result(Value result, Value by) {
  if (replacement_.empty()) replacement_.assign(module_.values.size(), kNoValue);
  replacement_[result] = by;
}

void TextureLegalizer::replace_results(const Instruction& instruction, std::span<const Value> results) {
  for (uint32_t i = 0; i < instruction.result_count && i < results.size(); ++i)
    replace_result(instruction.first_result + i, results[i]);
}

void TextureLegalizer::refuse(const AccessDraft& draft, std::string_view what) {
  diagnostics_.error(module_.location_of(*draft.instruction), "{} ({}) cannot be expressed on {}", what,
                     spelling(draft.dimension), table_.target);
}

TextureLegalizer::AccessDraft TextureLegalizer::draft_of(const Instruction& instruction) {
  const Dimension dimension = module_.access_of(instruction).dimension;
  // A counter is memory that is changed, too.
  const Op row = instruction.op == Op::counter ? Op::buf_atomic : instruction.op;
  return {&instruction, AccessBuilder(module_, instruction), table_.find(row, dimension), dimension};
}

void TextureLegalizer::legalize(const Instruction& instruction) {
  AccessDraft draft = draft_of(instruction);
  builder_.set_location(instruction);
  builder_.set_flags(instruction.flags);
  if (instruction.op != Op::counter && !check_expressible(draft)) {
    builder_.append(instruction);
    return;
  }
  if (draft.access.contract.feedback && table_.all_mapped) {
    draft.access.contract.feedback = false;
    replace_result(instruction.first_result + instruction.result_count - 1, word(0xffffffffu));
  }
  switch (instruction.op) {
    case Op::tex_fetch: legalize_fetch(draft); break;
    case Op::tex_sample: legalize_sample(draft); break;
    case Op::tex_gather: legalize_gather(draft); break;
    case Op::tex_lod: legalize_lod(draft); break;
    case Op::tex_size: legalize_size(draft); break;
    case Op::tex_samples: legalize_samples(draft); break;
    case Op::sample_position: legalize_position(draft); break;
    case Op::surf_load:
    case Op::surf_store:
    case Op::surf_atomic: legalize_surface(draft); break;
    case Op::buf_load:
    case Op::buf_store:
    case Op::buf_atomic: legalize_buffer(draft); break;
    case Op::buf_size: legalize_buffer_size(draft); break;
    case Op::counter: legalize_counter(draft); break;
    case Op::mapped:  // accesses no resource
#define IR_COVERED_texture
#define IR_COVERED_surface
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      break;
  }
  builder_.set_flags(0);
}

bool TextureLegalizer::check_expressible(AccessDraft& draft) {
  const ResourceAccess& access = draft.access.contract;
  const bool is_computed = draft.instruction->op == Op::tex_lod || draft.instruction->op == Op::tex_size ||
                           draft.instruction->op == Op::tex_samples ||
                           draft.instruction->op == Op::sample_position ||
                           draft.instruction->op == Op::buf_size;
  if (!draft.promises(kExists) && !is_computed) {
    refuse(draft, "this access");
    return false;
  }
  // An unordered access instead of an ordered one would be wrong code.
  if (module_.resources[access.resource].rasterizer_ordered && !table_.ordered_views) {
    refuse(draft, "a rasterizer-ordered view");
    return false;
  }
  if (access.feedback && !table_.all_mapped && !gives_feedback(draft)) {
    refuse(draft, "residency feedback");
    return false;
  }
  return true;
}

/// Texels that inserted code reads have the status of these reads.
bool TextureLegalizer::gives_feedback(const AccessDraft& draft) const {
  const bool sampled = draft.instruction->op == Op::tex_sample;
  const bool reads_texels = (sampled && draft.access.contract.compare && !draft.promises(kCompare)) ||
                            (draft.access.has(Slot::offset0) && !draft.promises(kRunTimeOffset));
  return reads_texels ? table_.find(Op::tex_fetch, draft.dimension).has(kFeedback)
                      : draft.promises(kFeedback);
}

// ld, ld2dms and ld on typed buffers (D3D11.3 22.4.6; docs/reference/direct3d.md 1.3): unsigned addresses,
// offset with 32-bit wrap; everything out of range gives 0 in the components that the format has.
void TextureLegalizer::legalize_fetch(AccessDraft& draft) {
  substitute_dimension(draft);
  if (!draft.promises(kOffset)) fold_offset(draft);
  if (!draft.promises(kUnbound)) guard_bound(draft);
  if (!draft.promises(kLevelRange)) guard_level(draft);
  if (!draft.promises(kSliceRange)) guard_slice(draft);
  if (!draft.promises(kSampleRange)) guard_sample(draft);
  if (!draft.promises(kCoordinateRange)) guard_coordinates(draft);
  finish(draft);
}

// The sample family (22.4.15 and following): the sampler's address modes handle coordinates, so what remains
// is the source of the level, the array index, the comparison, and the components that the format lacks.
void TextureLegalizer::legalize_sample(AccessDraft& draft) {
  ResourceAccess& access = draft.access.contract;
  substitute_dimension(draft);
  if (!draft.promises(kFloatLayer)) round_layer(draft);
  if (table_.measures_samplers && has_floor_in_code(draft))
    return measures_bias(draft) ? sample_above_floor(draft) : finish(draft);
  // A clamp beyond the last mip compares with 0, which a guarded native comparison could not do.
  const bool clamps = draft.access.has(Slot::lod_clamp) && !draft.promises(kLodClamp);
  if (access.compare && (!draft.promises(kCompare) || clamps))
    return calls_comparison(draft) ? compare_by_call(draft) : compare_by_hand(draft);
  if (access.has_offset && !draft.promises(kOffset)) return refuse(draft, "an offset");
  if (biases_anisotropy(draft)) return sample_with_bias(draft);
  const bool by_level = clamps || !draft.promises(kGradient) || (access.compare && table_.compares_at_levels);
  const std::optional<Probes> probes = by_level ? spread_probes(draft) : std::nullopt;
  guard_floor(draft);
  make_level_explicit(draft);
  if (!draft.promises(kUnbound)) guard_bound(draft);
  probes ? finish_with(draft, read_probes(draft, *probes)) : finish(draft);
}

// gather4 (22.4.2): four texels of mip 0, unfiltered; the sampler's address modes apply.
void TextureLegalizer::legalize_gather(AccessDraft& draft) {
  const ResourceAccess& access = draft.access.contract;
  substitute_dimension(draft);
  if (!draft.promises(kFloatLayer)) round_layer(draft);
  if (draft.access.has(Slot::offset0) && !draft.promises(kRunTimeOffset)) return gather_by_fetches(draft);
  if (access.has_offset && !draft.promises(kOffset)) return refuse(draft, "an offset");
  if (!draft.promises(kUnbound)) guard_bound(draft);
  if (access.compare && !draft.promises(kCompare)) return compare_gathered(draft);
  finish(draft);
}

// Typed unordered access (22.17.6.1): ld on its only mip; stores and atomics out of range are dropped.
void TextureLegalizer::legalize_surface(AccessDraft& draft) {
  substitute_dimension(draft);
  if (!draft.promises(kUnbound)) guard_bound(draft);
  if (!draft.promises(kSliceRange)) guard_slice(draft);
  if (!draft.promises(kCoordinateRange)) guard_coordinates(draft);
  finish(draft);
}

void TextureLegalizer::legalize_counter(AccessDraft& draft) {
  if (!table_.counter_guarded) guard_bound(draft);
  finish(draft);
}

void TextureLegalizer::substitute_dimension(AccessDraft& draft) {
  AccessBuilder& access = draft.access;
  const Dimension stand_in = draft.guarantee.stand_in;
  if (stand_in == draft.dimension) return;
  closed(draft, Gap::dimension);
  access.contract.dimension = stand_in;
  if (is_multisampled(draft.dimension)) {
    // Sample s of slice n is slice n * samples + s of the stand-in; both are range-checked separately.
    if (!draft.promises(kSampleRange)) guard_sample(draft);
    if (is_array(draft.dimension) && !draft.promises(kSliceRange)) guard_slice(draft);
    Value layer = access.get(Slot::sample);
    if (is_array(draft.dimension)) {
      layer = emit(Op::imad, {access.get(Slot::layer), fact(draft, BindingFact::samples), layer});
    }
    access.set(Slot::layer, layer);
    access.clear(Slot::sample);
    access.contract.layer_is_integer = true;
    return;
  }
  // A 1D texture is a 2D texture of height 1: row 0, or its middle if coordinates are normalized.
  const Op op = draft.instruction->op;
  const bool normalized = op == Op::tex_sample || op == Op::tex_gather;
  access.set(Slot::coordinate1, normalized ? real(0.5f) : word(0));
  if (access.has(Slot::ddx0)) {
    access.set(Slot::ddx1, real(0.0f));
    access.set(Slot::ddy1, real(0.0f));
  }
}

bool TextureLegalizer::fills_missing(const AccessDraft& draft) {
  const Op op = draft.instruction->op;
  const bool texels =
      op == Op::tex_fetch || op == Op::tex_sample || op == Op::tex_gather || op == Op::surf_load;
  return texels && !draft.access.contract.compare && !draft.promises(kMissing);
}

/// If the target fills in what the format lacks, the out-of-range value must still be provided.
void TextureLegalizer::set_fallback(AccessDraft& draft) {
  if (draft.promises(kMissing) && is_used(draft.instruction->first_result + 3))
    draft.access.set(Slot::fallback3, fact(draft, BindingFact::missing_alpha));
}

void TextureLegalizer::finish(AccessDraft& draft) {
  AccessBuilder& access = draft.access;
  const Op op = draft.instruction->op;
  if (draft.guard != kNoValue) {
    access.set(Slot::guard, draft.guard);
    if (op == Op::tex_fetch || op == Op::surf_load) set_fallback(draft);
  }
  // The pass that closes this gap knows the formats: pack_texels, in the target's emission.
  const bool converts = op == Op::surf_load || op == Op::surf_store;
  if (converts && !draft.promises(kConversion)) closed(draft, Gap::conversion);
  const bool fills = fills_missing(draft);
  if (!fills && access.is(module_, *draft.instruction)) return builder_.append(*draft.instruction);
  const Value first = access.emit(builder_, op);
  if (draft.instruction->result_count == 0) return;
  // The residency status is the last result; if the caller guarantees it, it has been replaced already.
  const uint32_t count = draft.instruction->result_count;
  std::array<Value, 5> results = {first, first + 1, first + 2, first + 3, first + 4};
  const auto kept = [&] {
    return std::span<const Value>(results).first(std::min(count, access.contract.feedback ? 5u : 4u));
  };
  if (count < 4) return replace_results(*draft.instruction, kept());
  Results texel = {results[0], results[1], results[2], results[3]};
  if (fills) fill_missing_components(draft, texel);
  for (uint32_t i = 0; i < 4; ++i) results[i] = texel[i];
  replace_results(*draft.instruction, kept());
}

// (texel and keep) or missing: one logic instruction per component. Out of range, the texel is 0, which
// becomes the out-of-range value; for an unbound slot both facts are 0, and so is the result.
void TextureLegalizer::fill_missing_components(AccessDraft& draft, Results& results) {
  asked_ = 0;
  const Results before = results;
  const bool gather = draft.instruction->op == Op::tex_gather;
  for (uint32_t i = 0; i < 4; ++i) {
    if (!is_used(draft.instruction->first_result + i)) continue;
    const uint32_t component = gather ? draft.access.contract.gather_component : i;
    const BindingFact keep = static_cast<BindingFact>(static_cast<uint32_t>(BindingFact::keep0) + component);
    results[i] = emit(Op::and_, {results[i], fact(draft, keep)});
    if (component == 3) results[i] = emit(Op::or_, {results[i], fact(draft, BindingFact::missing_alpha)});
  }
  if (results == before) return leave_out(draft, Gap::missing_components);
  closed(draft, Gap::missing_components);
}

Value TextureLegalizer::fact(const AccessDraft& draft, BindingFact which) {
  const Op op = which == BindingFact::bound ? Op::bound : Op::binding;
  const Value value = ask(draft, op, Slot::resource_index, {draft.access.contract.resource, which});
  if (op == Op::bound || table_.facts.has(kUnbound)) return value;
  return emit(Op::select, {fact(draft, BindingFact::bound), value, word(0)});
}

Value TextureLegalizer::sampler_fact(const AccessDraft& draft, BindingFact which) {
  return ask(draft, Op::binding, Slot::sampler_index, {draft.access.contract.sampler, which});
}

/// Asks about the same element of a 5.1 range as the access; `slot` has its index.
Value TextureLegalizer::ask(const AccessDraft& draft, Op op, Slot slot, BindingQuery query) {
  const Value index = draft.access.get(slot);
  if (facts_ != nullptr) {
    if (const auto value = facts_->find(query, index)) {
      if (!query.is_sampler_fact()) asked_ |= 1u << static_cast<uint32_t>(query.fact);
      return op == Op::bound ? module_.constant_b1(*value != 0) : word(*value);
    }
    if (const auto constant = facts_->find_specialized(query, index))
      return emit(Op::specialized, {}, *constant);
  }
  if (index == kNoValue) return emit(op, {}, query.pack());
  const Value value = emit(op, {index}, query.pack());
  if (draft.access.contract.non_uniform) builder_.last().flags |= kNonUniform;
  return value;
}

bool legalize_texture(Module& module, const GuaranteeTable& table, Diagnostics& diagnostics,
                      std::pmr::vector<ClosedGap>* closed, KnownFacts* known) {
  return TextureLegalizer(module, table, diagnostics, closed, known).run();
}

}  // namespace texlate::ir
