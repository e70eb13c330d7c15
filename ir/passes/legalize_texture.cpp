#include "ir/passes/legalize_texture.h"

#include <algorithm>

#include "ir/passes/texture_legalizer.h"

namespace texlate::ir {

/// For each instruction behind the first replacement.
[[gnu::always_inline]] inline void TextureLegalizer::remap_operands(const Instruction& instruction) {
  const Value* const replacement = rewrite_.replacement.data();
  const size_t count = rewrite_.replacement.size();
  Value* operand = module_.operands.data() + instruction.first_operand;
  for (const Value* const end = operand + instruction.operand_count; operand != end; ++operand) {
    if (*operand < count && replacement[*operand] != kNoValue) *operand = replacement[*operand];
  }
}

/// What the rules need to know of the whole module.
void TextureLegalizer::survey() {
  const bool judges_addresses = std::ranges::any_of(module_.resources, [this](const Resource& resource) {
    const bool structured = resource.dimension == Dimension::structured_buffer;
    const bool bytes = structured || resource.dimension == Dimension::raw_buffer;
    return (bytes && !table_.find(Op::buf_load, resource.dimension).has(kByteOffset)) ||
           (structured && table_.structures_wrap);
  });
  if (judges_addresses || facts_ != nullptr) rewrite_.values.emplace(module_, rewrite_.scratch);
  comparisons_.count();
  if (table_.measures_samplers) floors_.measure_biases();
}

bool TextureLegalizer::run() {
  if (!has_any_concern()) return true;
  const uint32_t errors_before = rewrite_.diagnostics.error_count();
  Code& out = rewrite_.code;
  out.reserve(module_.code.size() * 2);
  survey();
  const std::span<const Instruction> code = module_.code;
  for (size_t i = 0; i < code.size(); ++i) {
    const size_t first = i;
    for (; i < code.size() && !is_concern(code[i]); ++i) {
      if (!rewrite_.replacement.empty()) remap_operands(code[i]);
    }
    out.append(code.subspan(first, i - first));
    if (i == code.size()) break;
    if (!rewrite_.replacement.empty()) remap_operands(code[i]);
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
  module_.code.swap(out);
  return rewrite_.diagnostics.error_count() == errors_before;
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
    replace_result(instruction.first_result + instruction.result_count - 1, word(kAllMapped));
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
  if (table_.measures_samplers && MeasuredFloors::has_floor_in_code(draft)) return floors_.sample(draft);
  // A clamp beyond the last mip compares with 0, which a guarded native comparison could not do.
  const bool clamps = draft.access.has(Slot::lod_clamp) && !draft.promises(kLodClamp);
  if (access.compare && (!draft.promises(kCompare) || clamps)) return comparisons_.compare(draft);
  if (access.has_offset && !draft.promises(kOffset)) return refuse(draft, "an offset");
  if (anisotropy_.biases_anisotropy(draft)) return anisotropy_.sample_with_bias(draft);
  const bool by_level = clamps || !draft.promises(kGradient) || (access.compare && table_.compares_at_levels);
  const std::optional<Probes> probes =
      by_level && table_.has_sampler_facts ? anisotropy_.spread_probes(draft) : std::nullopt;
  levels_.guard_floor(draft);
  levels_.make_level_explicit(draft);
  if (!draft.promises(kUnbound)) guard_bound(draft);
  probes ? finish_with(draft, anisotropy_.read_probes(draft, *probes)) : finish(draft);
}

// gather4 (22.4.2): four texels of mip 0, unfiltered; the sampler's address modes apply.
void TextureLegalizer::legalize_gather(AccessDraft& draft) {
  const ResourceAccess& access = draft.access.contract;
  substitute_dimension(draft);
  if (!draft.promises(kFloatLayer)) round_layer(draft);
  if (draft.access.has(Slot::offset0) && !draft.promises(kRunTimeOffset)) return gather_by_fetches(draft);
  if (access.has_offset && !draft.promises(kOffset)) return refuse(draft, "an offset");
  if (!draft.promises(kUnbound)) guard_bound(draft);
  if (access.compare && !draft.promises(kCompare)) return comparisons_.compare_gathered(draft);
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

bool legalize_texture(Module& module, const GuaranteeTable& table, Diagnostics& diagnostics,
                      std::pmr::vector<ClosedGap>* closed, KnownFacts* known) {
  TextureRewrite rewrite(module, table, diagnostics, closed, known);
  return TextureLegalizer(rewrite).run();
}

}  // namespace texlate::ir
