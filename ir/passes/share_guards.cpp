#include "ir/passes/share_guards.h"

#include <algorithm>
#include <array>

#include "ir/base/zeroed.h"
#include "ir/builder.h"
#include "ir/passes/rewriter.h"

namespace texlate::ir {

namespace {

constexpr size_t kLeastGroup = 3;
constexpr size_t kLeastMasks = 8;       // fewer are not worth a branch and a second copy
constexpr size_t kMostGroup = 12;       // 48 registers live at once
constexpr uint32_t kWindow = 256;       // instructions that are searched for a group
constexpr size_t kMostConditions = 32;  // of the branch
constexpr int32_t kFarthestOffset = 4096;
constexpr uint32_t kGone = 0xffffffffu;

/// A fetch, and the further use of its components: masks for what the format lacks, or nothing.
struct Fetch {
  uint32_t at;  // index of the instruction
  struct Component {
    Value last = kNoValue;  // the value that the program uses; kNoValue: the component is not read
    Value keep = kNoValue;  // the mask, kNoValue: there is none
    uint32_t masks[2] = {0, 0};
    uint32_t mask_count = 0;
  };
  std::array<Component, 4> component;
};

bool may_join(const Module& module, const Instruction& instruction) {
  if (instruction.op != Op::tex_fetch) return false;
  const ResourceAccess& access = module.access_of(instruction);
  return !access.feedback && access.has(Slot::guard);
}

class GuardSharer {
 public:
  explicit GuardSharer(Module& module)
      : module_(module),
        scratch_(module.memory()),
        definition_(&scratch_),
        user_(&scratch_),
        uses_(zeroed<uint32_t>(scratch_, module.values.size())),
        late_(zeroed<uint32_t>(scratch_, module.values.size())),
        guard_uses_(zeroed<uint32_t>(scratch_, module.values.size())),
        done_(zeroed<uint8_t>(scratch_, module.code.size())),
        replacements_(module, &scratch_),
        group_(module.memory()),
        window_(module.memory()),
        sunk_(module.memory()),
        yields_(module.memory()),
        code_(module.memory()),
        builder_(module, code_) {}

  bool run() {
    if (find_uses() < kLeastGroup) return false;
    const auto count = static_cast<uint32_t>(module_.code.size());
    code_.reserve(size_t{count} * 2);
    for (uint32_t i = 0; i < count; ++i) {
      if (done_[i] != 0) continue;
      if (is_candidate(module_.code[i]) && find_group(i)) {
        emit_group();
      } else {
        append(i);
      }
    }
    module_.code.swap(code_);
    return changed_;
  }

 private:
  /// Finds definitions, uses, and how many fetches may join a group.
  size_t find_uses() {
    for (ArenaBuffer<uint32_t>* const by_value : {&definition_, &user_}) {
      by_value->reserve(module_.values.size());
      by_value->extend(module_.values.size());
    }
    size_t fetches = 0;
    uint32_t at = 0;
    for (const Instruction& instruction : module_.code) {
      fetches += is_candidate(instruction) ? 1 : 0;
      for (const Value value : module_.operands_of(instruction)) {
        ++uses_[value];
        user_[value] = at;
      }
      for (uint32_t r = 0; r < instruction.result_count; ++r) definition_[instruction.first_result + r] = at;
      ++at;
    }
    return fetches;
  }

  bool is_candidate(const Instruction& instruction) const { return may_join(module_, instruction); }

  void append(uint32_t i) {
    replacements_.apply(module_, module_.code[i]);
    builder_.append(module_.code[i]);
    done_[i] = 1;
  }

  bool is_late(const Instruction& instruction) const {
    return std::ranges::any_of(module_.operands_of(instruction), [this](Value value) {
      return value < late_.size() && late_[value] == stamp_;
    });
  }

  // Starting at the fetch: fetches of its resource that depend on none of the group, and what can be computed
  // before them. The rest comes after the group.
  bool find_group(uint32_t first) {
    ++stamp_;
    group_.clear();
    window_.clear();
    const uint16_t resource = module_.access_of(module_.code[first]).resource;
    const uint32_t end = static_cast<uint32_t>(std::min<size_t>(module_.code.size(), first + kWindow));
    uint32_t last = first;
    window_end_ = first;
    for (uint32_t i = first; i < end; ++i) {
      const Instruction& instruction = module_.code[i];
      const OpInfo& operation = info(instruction.op);
      if (operation.has(kControl)) break;
      window_end_ = i + 1;
      if (done_[i] != 0) continue;
      const bool waits = is_late(instruction);
      if (!waits && is_candidate(instruction) && group_.size() < kMostGroup &&
          module_.access_of(instruction).resource == resource) {
        group_.push_back({i, {}});
        last = i;
      } else if (!waits && operation.has(kPure) && !operation.has(kConvergent)) {
        window_.push_back(i);
        continue;
      }
      for (uint32_t r = 0; r < instruction.result_count; ++r) late_[instruction.first_result + r] = stamp_;
    }
    if (group_.size() < kLeastGroup) return false;
    // Nothing after the last fetch is moved before the group, except facts for its masks.
    size_t masks = 0;
    for (Fetch& fetch : group_) masks += find_masks(fetch);
    if (masks < kLeastMasks) return false;
    const auto needed = [&](uint32_t i) { return i < last || is_mask_fact(module_.code[i]); };
    window_.erase(std::remove_if(window_.begin(), window_.end(), [&](uint32_t i) { return !needed(i); }),
                  window_.end());
    if (!collect_conditions()) return false;
    find_sunk();
    return true;
  }

  bool is_mask_fact(const Instruction& instruction) const {
    return instruction.op == Op::binding && instruction.operand_count == 0;
  }

  /// Is `value` this fact of the resource, and known before the group's branch?
  bool is_fact(Value value, uint16_t resource, BindingFact fact) const {
    if (value >= definition_.size() || module_.is_constant(value)) return false;
    const Instruction& instruction = module_.code[definition_[value]];
    if (instruction.op != Op::binding || instruction.operand_count != 0) return false;
    const BindingQuery query = BindingQuery::unpack(instruction.payload);
    return query.resource == resource && query.fact == fact && definition_[value] < window_end_;
  }

  /// The only user of a value, if it is `op` with the fact as its other operand.
  bool is_masked(Value value, Op op, uint16_t resource, BindingFact fact, Value& other) const {
    if (uses_[value] != 1) return false;
    const Instruction& user = module_.code[user_[value]];
    if (user.op != op || user_[value] >= window_end_) return false;
    const auto operands = module_.operands_of(user);
    other = operands[0] == value ? operands[1] : operands[0];
    return is_fact(other, resource, fact);
  }

  // result -> and keep -> (alpha) or missing_alpha. Returns how many components are masked.
  size_t find_masks(Fetch& fetch) {
    size_t masked = 0;
    const Instruction& instruction = module_.code[fetch.at];
    const uint16_t resource = module_.access_of(instruction).resource;
    for (uint32_t c = 0; c < 4; ++c) {
      Fetch::Component& component = fetch.component[c];
      const Value result = instruction.first_result + c;
      if (uses_[result] == 0) continue;
      component.last = result;
      const auto keep = static_cast<BindingFact>(static_cast<uint32_t>(BindingFact::keep0) + c);
      Value mask = kNoValue;
      if (!is_masked(result, Op::and_, resource, keep, mask)) continue;
      const Instruction& masking = module_.code[user_[result]];
      Value alpha = kNoValue;
      if (c == 3) {
        if (!is_masked(masking.first_result, Op::or_, resource, BindingFact::missing_alpha, alpha)) continue;
        component.masks[1] = user_[masking.first_result];
        component.mask_count = 1;
      }
      component.masks[0] = user_[result];
      ++component.mask_count;
      component.keep = mask;
      ++masked;
      component.last = c == 3 ? module_.code[component.masks[1]].first_result : masking.first_result;
    }
    return masked;
  }

  /// The conditions of all guards, each once, without those that others imply. False: there are too many.
  bool collect_conditions() {
    condition_count_ = 0;
    for (const Fetch& fetch : group_) {
      if (!add_conditions(module_.operand(module_.code[fetch.at], Slot::guard))) return false;
    }
    drop_implied();
    return true;
  }

  /// `base + offset < size`
  struct Bound {
    Value base = kNoValue, size = kNoValue;
    int32_t offset = 0;
  };
  Bound bound_of(Value condition) const {
    if (condition >= definition_.size() || module_.is_constant(condition)) return {};
    const Instruction& compare = module_.code[definition_[condition]];
    if (compare.op != Op::ult) return {};
    const auto operands = module_.operands_of(compare);
    Bound bound{operands[0], operands[1], 0};
    if (bound.base >= definition_.size() || module_.is_constant(bound.base)) return bound;
    const Instruction& sum = module_.code[definition_[bound.base]];
    if (sum.op != Op::iadd) return bound;
    const auto terms = module_.operands_of(sum);
    const bool second = module_.is_constant(terms[1]);
    if (!second && !module_.is_constant(terms[0])) return bound;
    const auto offset = static_cast<int32_t>(module_.constant_bits(terms[second ? 1 : 0]));
    if (offset < -kFarthestOffset || offset > kFarthestOffset) return bound;
    return {terms[second ? 0 : 1], bound.size, offset};
  }

  // All texels of a row between two texels in bounds are in bounds: sizes are far below 2^32, so that nothing
  // wraps on the way.
  void drop_implied() {
    std::array<Bound, kMostConditions> bounds;
    for (size_t i = 0; i < condition_count_; ++i) bounds[i] = bound_of(conditions_[i]);
    const auto implied = [&](size_t i) {
      bool below = false, above = false;
      for (size_t j = 0; j < condition_count_ && bounds[i].base != kNoValue; ++j) {
        if (bounds[j].base != bounds[i].base || bounds[j].size != bounds[i].size) continue;
        below |= bounds[j].offset < bounds[i].offset;
        above |= bounds[j].offset > bounds[i].offset;
      }
      return below && above;
    };
    size_t kept = 0;
    std::array<Value, kMostConditions> rest;
    for (size_t i = 0; i < condition_count_; ++i) {
      if (!implied(i)) rest[kept++] = conditions_[i];
    }
    conditions_ = rest;
    condition_count_ = kept;
  }

  // Instructions that only the guards need are computed with the guards, not before the branch.
  void find_sunk() {
    sunk_.clear();
    const auto by_guards = [&](Value value) -> uint32_t& { return guard_uses_[value]; };
    const auto count = [&](Value value, bool undo = false) {
      if (value < guard_uses_.size()) by_guards(value) = undo ? 0 : by_guards(value) + 1;
    };
    const auto asked = std::span(conditions_).first(condition_count_);
    for (const Fetch& fetch : group_) count(module_.operand(module_.code[fetch.at], Slot::guard));
    for (size_t w = window_.size(); w-- != 0;) {
      const Instruction& instruction = module_.code[window_[w]];
      if (instruction.op != Op::pand && instruction.op != Op::ult) continue;
      const Value result = instruction.first_result;
      if (by_guards(result) != uses_[result] || std::ranges::find(asked, result) != asked.end()) continue;
      for (const Value operand : module_.operands_of(instruction)) count(operand);
      sunk_.push_back(window_[w]);
      window_[w] = kGone;
    }
    std::erase(window_, kGone);
    std::ranges::reverse(sunk_);
    for (const Fetch& fetch : group_) count(module_.operand(module_.code[fetch.at], Slot::guard), true);
    for (const uint32_t i : sunk_) {
      for (const Value operand : module_.operands_of(module_.code[i])) count(operand, true);
    }
  }
  bool add_conditions(Value guard) {
    if (guard < definition_.size() && !module_.is_constant(guard)) {
      const Instruction& definer = module_.code[definition_[guard]];
      if (definer.op == Op::pand) {
        const auto operands = module_.operands_of(definer);
        const Value first = operands[0], second = operands[1];
        return add_conditions(first) && add_conditions(second);
      }
    }
    const auto known = std::span(conditions_).first(condition_count_);
    if (std::ranges::find(known, guard) != known.end()) return true;
    if (condition_count_ == kMostConditions) return false;
    conditions_[condition_count_++] = guard;
    return true;
  }

  void emit_group() {
    changed_ = true;
    for (const uint32_t i : window_) append(i);
    builder_.set_location(module_.code[group_.front().at]);
    builder_.set_flags(0);
    const Value all = common_condition();
    builder_.emit(Op::if_, {all});
    yields_.clear();
    for (const Fetch& fetch : group_) emit_plain(fetch);
    builder_.emit(Op::else_, std::span<const Value>(yields_));
    yields_.clear();
    for (const uint32_t i : sunk_) append(i);
    for (const Fetch& fetch : group_) {
      append(fetch.at);
      for (const Fetch::Component& component : fetch.component) {
        for (uint32_t m = 0; m < component.mask_count; ++m) append(component.masks[m]);
        if (component.last != kNoValue) yields_.push_back(component.last);
      }
    }
    const auto count = static_cast<uint32_t>(yields_.size());
    const Value joined = builder_.emit_variadic(Op::endif, yields_, count);
    for (uint32_t i = 0; i < count; ++i) replacements_.replace(yields_[i], joined + i);
  }

  // Formats have their components without gaps from red on, or lack red: if a format has the first and the
  // last component that are read, it has all in between.
  Value common_condition() {
    Value all = kNoValue;
    const auto add = [&](Value condition) {
      all = all == kNoValue ? condition : builder_.emit(Op::pand, {all, condition});
    };
    for (const Value condition : std::span(conditions_).first(condition_count_))
      add(replacements_.resolve(condition));
    std::array<Value, 4> keep = {kNoValue, kNoValue, kNoValue, kNoValue};
    for (const Fetch& fetch : group_) {
      for (uint32_t c = 0; c < 4; ++c) {
        if (fetch.component[c].keep != kNoValue) keep[c] = fetch.component[c].keep;
      }
    }
    const auto is_there = [](Value value) { return value != kNoValue; };
    const auto first = std::ranges::find_if(keep, is_there);
    if (first == keep.end()) return all;
    const auto last = std::find_if(keep.rbegin(), keep.rend(), is_there);
    const Value every = module_.constant(0xffffffffu);
    add(builder_.emit(Op::ieq, {*first, every}));
    if (*last != *first) add(builder_.emit(Op::ieq, {*last, every}));
    return all;
  }

  /// The fetch without its guard, and its components for the end of the branch.
  void emit_plain(const Fetch& fetch) {
    const Instruction instruction = module_.code[fetch.at];
    replacements_.apply(module_, instruction);
    AccessBuilder plain(module_, instruction);
    plain.clear(Slot::guard);
    for (uint32_t c = 0; c < 4; ++c) plain.clear(Slot::fallback0 + c);
    const Value first = plain.emit(builder_, Op::tex_fetch);
    for (uint32_t c = 0; c < 4; ++c) {
      if (fetch.component[c].last != kNoValue) yields_.push_back(first + c);
    }
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  ArenaBuffer<uint32_t> definition_, user_;  // by value defined in the original code
  std::span<uint32_t> uses_;                 // likewise by value
  std::span<uint32_t> late_;                 // by value: stamp of the group that it waits for
  std::span<uint32_t> guard_uses_;           // by value, while a group is formed; otherwise 0
  std::span<uint8_t> done_;                  // by instruction: written out
  Replacements replacements_;
  std::pmr::vector<Fetch> group_;
  std::pmr::vector<uint32_t> window_;  // instructions that come before the group
  std::pmr::vector<uint32_t> sunk_;    // those that only its guards need
  std::pmr::vector<Value> yields_;
  Code code_;
  Builder builder_;
  std::array<Value, kMostConditions> conditions_{};
  size_t condition_count_ = 0;
  uint32_t stamp_ = 0, window_end_ = 0;
  bool changed_ = false;
};

}  // namespace

bool may_share_guards(const Module& module) {
  struct Counts {
    uint32_t fetches = 0, masks = 0;
  };
  std::pmr::vector<Counts> of(module.resources.size(), Counts{}, module.memory());
  const auto is_keep = [](BindingFact fact) {
    return fact == BindingFact::keep0 || fact == BindingFact::keep1 || fact == BindingFact::keep2 ||
           fact == BindingFact::keep3;
  };
  for (const Instruction& instruction : module.code) {
    if (may_join(module, instruction)) {
      ++of[module.access_of(instruction).resource].fetches;
    } else if (instruction.op == Op::binding) {
      const BindingQuery query = BindingQuery::unpack(instruction.payload);
      if (is_keep(query.fact)) ++of[query.resource].masks;
    }
  }
  return std::ranges::any_of(
      of, [](const Counts& each) { return each.fetches >= kLeastGroup && each.masks >= kLeastMasks; });
}

bool share_guards(Module& module) {
  return GuardSharer(module).run();
}

}  // namespace texlate::ir
