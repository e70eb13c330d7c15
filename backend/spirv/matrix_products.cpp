#include "backend/spirv/matrix_products.h"

#include <algorithm>

namespace texlate::spirv {

namespace {

using Needs = ValueNeeds;

constexpr uint32_t kFewestRows = 3, kShortestRow = 3;

/// Looks for products in straight-line code. A use of a sum ends its product: all chains are computed at the
/// place of the last one.
class ProductFinder {
 public:
  ProductFinder(const ir::Module& module, Survey& survey, Products& products)
      : module_(module), uses_(survey.uses), needs_(survey.needs), products_(products), code_(survey.code) {}

  void run() {
    if (code_.size() < size_t{kFewestRows} * kShortestRow) return;
    const bool all_precise = !module_.refactoring_allowed;
    if (!all_precise && std::ranges::none_of(code_, [](const Instruction& i) { return i.has(ir::kPrecise); }))
      return;
    for (const uint32_t i : uses_.constant_loads) needs_.flags[code_[i].first_result] |= Needs::kStartsRow;
    const uint32_t count = static_cast<uint32_t>(code_.size());
    for (uint32_t i = 0; i < count; ++i) {
      const Instruction& instruction = code_[i];
      if (opened_ != 0) {
        if (stores_outputs(instruction)) close_all();
        if (instruction.op != Op::output) close_used(instruction);
      }
      if (instruction.op != Op::fmul || !(all_precise || instruction.has(ir::kPrecise))) continue;
      const uint32_t length = chain_length(i);
      if (length < kShortestRow) continue;
      if (opened_ != 0) {
        for (uint32_t k = 1; k < length; ++k) close_used(code_[i + k]);
      }
      add_chain(i, length);
      i += length - 1;
    }
    close_all();
  }

 private:
  using Pair = std::array<Value, 2>;
  struct Open {
    Product product;
    std::array<Pair, 4> factors;  // of the first chain, by step
  };

  /// Outputs that are held may be needed here.
  static bool stores_outputs(const Instruction& instruction) {
    const Op op = instruction.op;
    return ir::info(op).has(ir::kControl) || op == Op::emit || op == Op::patch_input ||
           op == Op::output_control_point ||
           ((op == Op::output || op == Op::patch_output) && instruction.has(ir::kIndexOperand));
  }

  Value operand(const Instruction& instruction, uint32_t i) const {
    return module_.operands[instruction.first_operand + i];
  }
  uint16_t need(Value value) const { return needs_.flags[value]; }

  /// Length of the chain of an fmul and the ffma after it, each of which adds to the previous one and is its
  /// only user; at most 4.
  uint32_t chain_length(uint32_t i) const {
    const bool precise = code_[i].has(ir::kPrecise);
    uint32_t length = 1;
    for (; length < 4 && i + length < code_.size(); ++length) {
      const Instruction& next = code_[i + length];
      const Value sum = code_[i + length - 1].first_result;
      if (next.op != Op::ffma || next.has(ir::kPrecise) != precise || (need(sum) & Needs::kShared) != 0)
        break;
      if (operand(next, 2) != sum || operand(next, 0) == sum || operand(next, 1) == sum) break;
    }
    return length;
  }

  Pair factors_of(uint32_t i) const { return {operand(code_[i], 0), operand(code_[i], 1)}; }
  Value sum_of(uint32_t chain, uint32_t length) const { return code_[chain + length - 1].first_result; }

  void close_used(const Instruction& user) {
    for (Value value : module_.operands_of(user)) {
      if (value == ir::kNoValue) continue;
      if ((need(value) & Needs::kNegation) != 0) value = needs_.source[value].negated;
      if ((need(value) & Needs::kMaximum) != 0)
        value = operand(module_.code[needs_.source[value].maximum], 0);
      if ((need(value) & Needs::kHeldSum) == 0) continue;
      for (Open& open : open_) {
        for (uint32_t r = 0; r < open.product.count; ++r) {
          if (sum_of(open.product.chains[r], open.product.length) != value) continue;
          close(open);
          break;
        }
      }
    }
  }

  void add_chain(uint32_t i, uint32_t length) {
    bool joined = false;
    for (Open& open : open_) {
      if (joined || open.product.count == 0 || open.product.count == 4) continue;
      joined = open.product.length == length && join(open, i);
    }
    if (!joined) {
      Open& open = open_[next_++ % open_.size()];
      close(open);
      open.product.chains[0] = i;
      open.product.count = 1;
      open.product.length = length;
      for (uint32_t k = 0; k < length; ++k) open.factors[k] = factors_of(i + k);
      ++opened_;
    }
    needs_.flags[sum_of(i, length)] |= Needs::kHeldSum;
  }

  /// Joins if in each step one factor is the same and the other factors are the lanes of a row.
  bool join(Open& open, uint32_t i) const {
    Product joined = open.product;
    Value& row = joined.rows[joined.count];
    for (uint32_t k = 0; k < joined.length; ++k) {
      const Pair mine = factors_of(i + k);
      Value& common = joined.factors[k];
      if (joined.count == 1) {
        const Pair& first = open.factors[k];
        const bool second = first[0] != mine[0] && first[0] != mine[1];
        common = first[second ? 1 : 0];
        if (!is_lane(joined.rows[0], k, first[second ? 0 : 1])) return false;
      }
      if (common != mine[0] && common != mine[1]) return false;
      if (!is_lane(row, k, mine[common == mine[0] ? 1 : 0])) return false;
    }
    const auto width = [&](Value first) {
      return (need(first) & Needs::kStartsRow) != 0 ? 4 : joined.length;
    };
    joined.width = width(joined.rows[0]);
    if (width(row) != joined.width) return false;
    ++joined.count;
    joined.chains[joined.count - 1] = i;
    open.product = joined;
    return true;
  }

  /// The values of a row are consecutive, from one load or from one instruction's components.
  bool is_lane(Value& row, uint32_t k, Value value) const {
    if (module_.is_constant(value)) return false;
    if (k == 0) row = value;
    return value == row + k;
  }

  void close_all() {
    for (Open& open : open_) close(open);
  }

  void close(Open& open) {
    Product& product = open.product;
    if (product.count == 0) return;
    --opened_;
    for (uint32_t r = 0; r < product.count; ++r)
      needs_.flags[sum_of(product.chains[r], product.length)] &= static_cast<uint16_t>(~Needs::kHeldSum);
    if (product.count >= kFewestRows) keep(product);
    product.count = 0;
  }

  void keep(const Product& product) {
    auto& product_at = products_.by_instruction;
    if (product_at.empty()) product_at.assign(code_.size(), kNoIndex);
    for (uint32_t r = 0; r < product.count; ++r) {
      for (uint32_t k = 0; k < product.length; ++k)
        product_at[product.chains[r] + k] = static_cast<uint32_t>(products_.all.size());
      for (uint32_t c = 0; c < product.width; ++c) needs_.flags[product.rows[r] + c] |= Needs::kUsed;
    }
    products_.all.push_back(product);
  }

  const ir::Module& module_;
  const ModuleUses& uses_;
  ValueNeeds& needs_;
  Products& products_;
  const std::span<const Instruction> code_;
  std::array<Open, 4> open_{};
  uint32_t next_ = 0;
  uint32_t opened_ = 0;
};

}  // namespace

void find_products(const ir::Module& module, Survey& survey, Products& products) {
  ProductFinder(module, survey, products).run();
}

}  // namespace texlate::spirv
