// What known state makes of guards: conditions of constants are decided here, so that a guard that cannot
// fail is never made.

#include <algorithm>
#include <array>

#include "ir/passes/constant_evaluation.h"
#include "ir/passes/texture_rewriter.h"

namespace texlate::ir {

/// The value that an operation gives, if it is one of its operands or a constant; otherwise kNoValue.
Value TextureRewriter::fold_known(Op op, std::span<const Value> operands) {
  const auto is = [&](uint32_t i, uint64_t bits) { return module_.is_constant(operands[i], bits); };
  switch (op) {
    case Op::select:
      if (module_.is_constant(operands[0])) return operands[is(0, 1) ? 1 : 2];
      break;
    case Op::pand:
    case Op::por: {
      const uint64_t neutral = op == Op::pand ? 1 : 0;
      for (uint32_t i = 0; i < 2; ++i) {
        if (is(i, neutral)) return operands[1 - i];
        if (module_.is_constant(operands[i])) return operands[i];
      }
      break;
    }
    case Op::and_:
    case Op::or_: {
      const uint32_t neutral = op == Op::and_ ? 0xffffffffu : 0u;
      for (uint32_t i = 0; i < 2; ++i) {
        if (is(i, neutral)) return operands[1 - i];
        if (is(i, ~neutral)) return operands[i];
      }
      break;
    }
    case Op::ult:
      if (module_.is_constant(operands[1]) &&
          rewrite_.values->greatest(operands[0]) < module_.constant_bits(operands[1]))
        return module_.constant_b1(true);
      break;
    default: break;  // only constants
  }
  const OpInfo& operation = info(op);
  if (!operation.has(kPure) || operation.payload != Payload::none || operation.results.size() != 1)
    return kNoValue;
  std::array<uint64_t, 4> bits{};
  if (operands.empty() || operands.size() > bits.size()) return kNoValue;
  for (size_t i = 0; i < operands.size(); ++i) {
    if (!module_.is_constant(operands[i])) return kNoValue;
    bits[i] = module_.values[operands[i]].bits;
  }
  const auto result = evaluate(op, std::span(bits.data(), operands.size()));
  if (!result) return kNoValue;
  return module_.constant(type_of_letter(operation.results[0]), *result);
}

/// Adds a guard that closes a gap, unless known state says that it holds.
void TextureRewriter::require(AccessDraft& draft, Gap gap, Value condition) {
  if (module_.is_constant(condition, 1)) return leave_out(draft, gap);
  closed(draft, gap);
  add_guard(draft, condition);
}

/// Reports that a gap needs no code, because of the facts that were asked for.
void TextureRewriter::leave_out(const AccessDraft& draft, Gap gap) {
  if (rewrite_.report == nullptr || rewrite_.asked == 0) return;
  closed(draft, gap);
  rewrite_.report->back().known = rewrite_.asked;
  const Resource& resource = module_.resources[draft.access.contract.resource];
  rewrite_.report->back().known_of = resource.is_uav ? RegisterFile::uav : RegisterFile::resource;
  rewrite_.report->back().known_register = resource.id;
}

}  // namespace texlate::ir
