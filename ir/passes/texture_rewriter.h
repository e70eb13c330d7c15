// What the rules of legalize_texture write with: the module that is rewritten, the access that is on its way
// to the target, guards and facts. Each group of rules is a class over it, in a file of its own.
#pragma once

#include <array>
#include <optional>

#include "ir/builder.h"
#include "ir/passes/known_values.h"
#include "ir/passes/legalize_texture.h"

namespace texlate::ir {

/// The module, and what is known while its code is rewritten.
struct TextureRewrite {
  TextureRewrite(Module& target, const GuaranteeTable& guarantees, Diagnostics& sink,
                 std::pmr::vector<ClosedGap>* gaps, KnownFacts* known_facts);

  Module& module;
  const GuaranteeTable& table;
  Diagnostics& diagnostics;
  std::pmr::vector<ClosedGap>* report;
  KnownFacts* facts;  // null: nothing is known
  Code code;
  Builder builder;
  std::pmr::vector<uint8_t> used;  // by value, filled by the first is_used()
  Buffer<Value> replacement;       // by value: its replacement; empty while nothing is replaced
  std::pmr::monotonic_buffer_resource scratch;
  std::optional<KnownValues> values;  // for byte offsets and the indices of structures
  uint32_t asked = 0;                 // bit BindingFact: known ones that the current guard asked for
};

/// An access on its way to the target: its contract, which the rules change one after the other, and what
/// the target promises for it.
struct AccessDraft {
  const Instruction* instruction;
  AccessBuilder access;
  TextureGuarantee guarantee;
  Dimension dimension;  // Direct3D's; access.contract.dimension may become the stand-in
  Value guard = kNoValue;

  bool promises(Promise promise) const { return guarantee.has(promise); }
  /// An explicit level in place of what gave the level before.
  void set_level(Value level) {
    for (uint32_t i = 0; i < 3; ++i) {
      access.clear(Slot::ddx0 + i);
      access.clear(Slot::ddy0 + i);
    }
    access.contract.lod = LodRule::level;
    access.set(Slot::lod, level);
  }
};

class TextureRewriter {
 public:
  /// The components of a texel.
  using Results = std::array<Value, 4>;
  /// The same and the residency status.
  using Results5 = std::array<Value, 5>;

  explicit TextureRewriter(TextureRewrite& rewrite)
      : rewrite_(rewrite),
        module_(rewrite.module),
        table_(rewrite.table),
        builder_(rewrite.builder),
        facts_(rewrite.facts) {}

 protected:
  AccessDraft draft_of(const Instruction& instruction) const;

  Value emit(Op op, std::initializer_list<Value> operands, uint32_t payload = 0) {
    if (facts_ != nullptr) {
      const Value known = fold_known(op, {operands.begin(), operands.size()});
      if (known != kNoValue) return known;
    }
    return builder_.emit(op, operands, payload);
  }
  Value emit(Op op, std::span<const Value> operands) { return builder_.emit(op, operands); }
  Value word(uint32_t bits) { return module_.constant(bits); }
  Value real(float value) { return module_.constant_float(value); }
  /// The constant 0 or -0 of a float.
  bool is_zero(Value value) const {
    return module_.is_constant(value) && (module_.constant_bits(value) & 0x7fffffffu) == 0;
  }

  // Facts of the view and the sampler that an access uses
  Value fact(const AccessDraft& draft, BindingFact fact);
  Value sampler_fact(const AccessDraft& draft, BindingFact fact);
  Value mip_size(AccessDraft& draft, BindingFact fact, Value level);

  // Guards
  Value both(Value guard, Value condition);
  void add_guard(AccessDraft& draft, Value condition);
  void require(AccessDraft& draft, Gap gap, Value condition);
  void guard_bound(AccessDraft& draft);

  // The explanation
  void closed(const AccessDraft& draft, Gap gap) {
    if (rewrite_.report == nullptr) return;
    rewrite_.report->push_back({module_.location_of(*draft.instruction), draft.instruction->op, gap, true,
                                draft.dimension, draft.guarantee.source});
  }
  void leave_out(const AccessDraft& draft, Gap gap);
  void refuse(const AccessDraft& draft, std::string_view what);

  // Results
  /// Does any operand of the original code use this value?
  bool is_used(Value value);
  void replace_result(Value result, Value by);
  void replace_results(const Instruction& instruction, std::span<const Value> results);
  void set_fallback(AccessDraft& draft);
  void fill_missing_components(AccessDraft& draft, Results& results);
  Results5 read_once(AccessDraft& draft);
  void finish(AccessDraft& draft);
  void finish_with(AccessDraft& draft, Results5 results);

  TextureRewrite& rewrite_;
  Module& module_;
  const GuaranteeTable& table_;
  Builder& builder_;
  KnownFacts* const facts_;

 private:
  Value fold_known(Op op, std::span<const Value> operands);
  Value ask(const AccessDraft& draft, Op op, Slot slot, BindingQuery query);
  bool is_compared_with_a_size(const AccessDraft& draft) const;
  static bool fills_missing(const AccessDraft& draft);
};

}  // namespace texlate::ir
