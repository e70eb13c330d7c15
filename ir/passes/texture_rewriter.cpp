#include "ir/passes/texture_rewriter.h"

#include "ir/spelling.h"

namespace texlate::ir {

TextureRewrite::TextureRewrite(Module& target, const GuaranteeTable& guarantees, Diagnostics& sink,
                               std::pmr::vector<ClosedGap>* gaps, KnownFacts* known_facts)
    : module(target),
      table(guarantees),
      diagnostics(sink),
      report(gaps),
      facts(known_facts),
      code(target.memory()),
      builder(target, code),
      used(target.memory()),
      replacement(target.memory()),
      scratch(target.memory()) {}

AccessDraft TextureRewriter::draft_of(const Instruction& instruction) const {
  const Dimension dimension = module_.access_of(instruction).dimension;
  // A counter is memory that is changed, too.
  const Op row = instruction.op == Op::counter ? Op::buf_atomic : instruction.op;
  return {&instruction, AccessBuilder(module_, instruction), table_.find(row, dimension), dimension};
}

Value TextureRewriter::fact(const AccessDraft& draft, BindingFact which) {
  const Op op = which == BindingFact::bound ? Op::bound : Op::binding;
  const Value value = ask(draft, op, Slot::resource_index, {draft.access.contract.resource, which});
  if (op == Op::bound || table_.facts.has(kUnbound)) return value;
  return emit(Op::select, {fact(draft, BindingFact::bound), value, word(0)});
}

Value TextureRewriter::sampler_fact(const AccessDraft& draft, BindingFact which) {
  return ask(draft, Op::binding, Slot::sampler_index, {draft.access.contract.sampler, which});
}

/// Asks about the same element of a 5.1 range as the access; `slot` has its index.
Value TextureRewriter::ask(const AccessDraft& draft, Op op, Slot slot, BindingQuery query) {
  const Value index = draft.access.get(slot);
  if (facts_ != nullptr) {
    if (const auto value = facts_->find(query, index)) {
      if (!query.is_sampler_fact()) rewrite_.asked |= 1u << static_cast<uint32_t>(query.fact);
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

// max(1, size >> mip) (docs/reference/direct3d.md 1.3, rule 3). A mip out of range shifts by its low five
// bits, and its own guard fails.
Value TextureRewriter::mip_size(AccessDraft& draft, BindingFact which, Value level) {
  const Value size = fact(draft, which);
  if (level == kNoValue || module_.is_constant(level, 0)) return size;
  return emit(Op::umax, {emit(Op::ushr, {size, level}), word(1)});
}

void TextureRewriter::add_guard(AccessDraft& draft, Value condition) {
  draft.guard = both(draft.guard, condition);
}

/// The condition of both; a guard that is always true is none (kNoValue).
Value TextureRewriter::both(Value guard, Value condition) {
  if (module_.is_constant(condition, 1)) return guard;
  return guard == kNoValue ? condition : emit(Op::pand, {guard, condition});
}

/// Does any guard of a fetch, a surface or a buffer compare with a size of the binding? Guards of address 0
/// in a texture do not.
bool TextureRewriter::is_compared_with_a_size(const AccessDraft& draft) const {
  const Op op = draft.instruction->op;
  const bool by_address = op == Op::tex_fetch || info(op).family == Family::surface;
  if (!by_address)
    return op != Op::counter && info(op).family == Family::buffer && !draft.promises(kCoordinateRange);
  if (draft.promises(kCoordinateRange)) return false;
  if (draft.dimension == Dimension::buffer) return true;
  for (uint32_t i = 0; i < coordinate_count(draft.dimension); ++i) {
    if (!module_.is_constant(draft.access.get(Slot::coordinate0 + i), 0)) return true;
  }
  return false;
}

void TextureRewriter::guard_bound(AccessDraft& draft) {
  rewrite_.asked = 0;
  // An access that is compared with a size needs no other guard, unless the size is known.
  const bool by_size = table_.empty_when_unbound && is_compared_with_a_size(draft);
  if (by_size && facts_ == nullptr) return closed(draft, Gap::unbound);
  const Value bound = fact(draft, BindingFact::bound);
  if (by_size && !module_.is_constant(bound)) return closed(draft, Gap::unbound);
  require(draft, Gap::unbound, bound);
}

void TextureRewriter::refuse(const AccessDraft& draft, std::string_view what) {
  rewrite_.diagnostics.error(module_.location_of(*draft.instruction), "{} ({}) cannot be expressed on {}",
                             what, spelling(draft.dimension), table_.target);
}

bool TextureRewriter::is_used(Value value) {
  if (rewrite_.used.empty()) {
    rewrite_.used.assign(module_.values.size(), 0);
    for (const Instruction& instruction : module_.code) {
      for (const Value operand : module_.operands_of(instruction)) rewrite_.used[operand] = 1;
    }
  }
  return value < rewrite_.used.size() && rewrite_.used[value] != 0;
}

void TextureRewriter::replace_result(Value result, Value by) {
  if (rewrite_.replacement.empty()) rewrite_.replacement.assign(module_.values.size(), kNoValue);
  rewrite_.replacement[result] = by;
}

void TextureRewriter::replace_results(const Instruction& instruction, std::span<const Value> results) {
  for (uint32_t i = 0; i < instruction.result_count && i < results.size(); ++i)
    replace_result(instruction.first_result + i, results[i]);
}

/// If the target fills in what the format lacks, the out-of-range value must still be provided.
void TextureRewriter::set_fallback(AccessDraft& draft) {
  if (draft.promises(kMissing) && is_used(draft.instruction->first_result + 3))
    draft.access.set(Slot::fallback3, fact(draft, BindingFact::missing_alpha));
}

bool TextureRewriter::fills_missing(const AccessDraft& draft) {
  const Op op = draft.instruction->op;
  const bool texels =
      op == Op::tex_fetch || op == Op::tex_sample || op == Op::tex_gather || op == Op::surf_load;
  return texels && !draft.access.contract.compare && !draft.promises(kMissing);
}

// (texel and keep) or missing: one logic instruction per component. Out of range, the texel is 0, which
// becomes the out-of-range value; for an unbound slot both facts are 0, and so is the result.
void TextureRewriter::fill_missing_components(AccessDraft& draft, Results& results) {
  rewrite_.asked = 0;
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

/// The access as it is; components that the format lacks are not filled in.
TextureRewriter::Results5 TextureRewriter::read_once(AccessDraft& draft) {
  if (draft.guard != kNoValue) draft.access.set(Slot::guard, draft.guard);
  const Value first = draft.access.emit(builder_, draft.instruction->op);
  return {first, first + 1, first + 2, first + 3, first + 4};
}

void TextureRewriter::finish(AccessDraft& draft) {
  AccessBuilder& access = draft.access;
  const Op op = draft.instruction->op;
  if (draft.guard != kNoValue) {
    access.set(Slot::guard, draft.guard);
    if (op == Op::tex_fetch || op == Op::surf_load) set_fallback(draft);
  }
  // The pass that closes this gap knows the formats: pack_texels, in the target's emission.
  const bool converts = op == Op::surf_load || op == Op::surf_store;
  if (converts && !draft.promises(kConversion)) closed(draft, Gap::conversion);
  if (!fills_missing(draft) && access.is(module_, *draft.instruction))
    return builder_.append(*draft.instruction);
  const Value first = access.emit(builder_, op);
  if (draft.instruction->result_count == 0) return;
  // The residency status is the last result; if the caller guarantees it, it has been replaced already.
  const uint32_t count = draft.instruction->result_count;
  const Results5 results = {first, first + 1, first + 2, first + 3, first + 4};
  if (count < 4) return replace_results(*draft.instruction, std::span(results).first(count));
  finish_with(draft, results);
}

/// Replaces the instruction by these results.
void TextureRewriter::finish_with(AccessDraft& draft, Results5 results) {
  Results texel = {results[0], results[1], results[2], results[3]};
  if (fills_missing(draft)) fill_missing_components(draft, texel);
  for (uint32_t i = 0; i < 4; ++i) results[i] = texel[i];
  replace_results(*draft.instruction, std::span(results).first(draft.access.contract.feedback ? 5u : 4u));
}

}  // namespace texlate::ir
