// Sums of products that share one factor and stand apart for precision's sake:
//   dp4 r0.x, v0, cb0[0]    dp4 r0.y, v0, cb0[1]    dp4 r0.z, v0, cb0[2]    dp4 r0.w, v0, cb0[3]
// OpDot may add in any order, so a precise one is a product and sums of its own, one component after the
// other. Of several, the rows are turned into columns, and each step is one instruction for all of them:
// every lane computes what it computed before, in the same order.

#include <spirv/unified1/GLSL.std.450.h>
#include <algorithm>

#include "backend/spirv/emitter.h"

namespace texlate::spirv {

namespace {

constexpr uint32_t kFewestRows = 3;

}  // namespace

/// Looks for products in straight-line code. A sum that is used ends the product that it belongs to: all are
/// made where the last one stands.
class Emitter::ProductFinder {
 public:
  explicit ProductFinder(Emitter& emitter) : emitter_(emitter), code_(emitter.module_.code) {}

  void run() {
    const bool all_precise = !emitter_.module_.refactoring_allowed;
    if (!all_precise && std::ranges::none_of(code_, [](const Instruction& i) { return i.has(ir::kPrecise); }))
      return;
    for (const uint32_t i : emitter_.constant_loads_) emitter_.need_[code_[i].first_result] |= kStartsRow;
    for (uint32_t i = 0; i < code_.size(); ++i) {
      const Instruction& instruction = code_[i];
      if (opened_ != 0) {
        if (stores_outputs(instruction)) close_all();
        if (instruction.op != Op::output) close_used(instruction);
      }
      if (instruction.op != Op::fmul || !(all_precise || instruction.has(ir::kPrecise))) continue;
      const uint32_t length = chain_length(i);
      if (length < 3) continue;
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

  /// What is held of outputs may be needed here.
  static bool stores_outputs(const Instruction& instruction) {
    const Op op = instruction.op;
    return ir::info(op).has(ir::kControl) || op == Op::emit || op == Op::patch_input ||
           op == Op::output_control_point ||
           ((op == Op::output || op == Op::patch_output) && instruction.has(ir::kIndexOperand));
  }

  uint8_t need(Value value) const { return emitter_.need_[value]; }

  /// An fmul and so many ffma behind it, each of which adds to the one before and alone uses it; at most 4 in
  /// all.
  uint32_t chain_length(uint32_t i) const {
    const bool precise = code_[i].has(ir::kPrecise);
    uint32_t length = 1;
    for (; length < 4 && i + length < code_.size(); ++length) {
      const Instruction& next = code_[i + length];
      const Value sum = code_[i + length - 1].first_result;
      if (next.op != Op::ffma || next.has(ir::kPrecise) != precise || (need(sum) & kShared) != 0) break;
      if (emitter_.operand(next, 2) != sum || emitter_.operand(next, 0) == sum ||
          emitter_.operand(next, 1) == sum)
        break;
    }
    return length;
  }

  Pair factors_of(uint32_t i) const { return {emitter_.operand(code_[i], 0), emitter_.operand(code_[i], 1)}; }
  Value sum_of(uint32_t chain, uint32_t length) const { return code_[chain + length - 1].first_result; }

  void close_used(const Instruction& user) {
    for (const Value value : emitter_.module_.operands_of(user)) {
      if (value == ir::kNoValue || (need(value) & kHeldSum) == 0) continue;
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
    emitter_.need_[sum_of(i, length)] |= kHeldSum;
  }

  /// Joins if step by step one factor is the same and the others are the lanes of a row.
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
    const auto width = [&](Value first) { return (need(first) & kStartsRow) != 0 ? 4 : joined.length; };
    joined.width = width(joined.rows[0]);
    if (width(row) != joined.width) return false;
    ++joined.count;
    joined.chains[joined.count - 1] = i;
    open.product = joined;
    return true;
  }

  /// The values of a row follow each other, of one load or of one instruction's components.
  bool is_lane(Value& row, uint32_t k, Value value) const {
    if (emitter_.module_.is_constant(value)) return false;
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
      emitter_.need_[sum_of(product.chains[r], product.length)] &= static_cast<uint8_t>(~kHeldSum);
    if (product.count >= kFewestRows) keep(product);
    product.count = 0;
  }

  void keep(const Product& product) {
    auto& product_at = emitter_.product_at_;
    if (product_at.empty()) product_at.assign(code_.size(), kNoIndex);
    for (uint32_t r = 0; r < product.count; ++r) {
      for (uint32_t k = 0; k < product.length; ++k)
        product_at[product.chains[r] + k] = static_cast<uint32_t>(emitter_.products_.size());
      for (uint32_t c = 0; c < product.width; ++c) emitter_.need_[product.rows[r] + c] |= kUsed | kNeedsFloat;
    }
    emitter_.products_.push_back(product);
  }

  Emitter& emitter_;
  const std::pmr::vector<Instruction>& code_;
  std::array<Open, 4> open_{};
  uint32_t next_ = 0;
  uint32_t opened_ = 0;
};

void Emitter::find_products() {
  if (options_.vectors) ProductFinder(*this).run();
}

/// The last instruction of a product makes it.
void Emitter::emit_product(const Product& product) {
  if (current_ != product.chains[product.count - 1] + product.length - 1) return;
  const Id type = builder_.vector_type(builder_.float_type(), product.count);
  const Id columns = emit_columns(product, type);
  Id sum = 0;
  for (uint32_t k = 0; k < product.length; ++k) {
    uint32_t precise = 0;
    for (uint32_t r = 0; r < product.count; ++r)
      precise += forbids_contraction(module_.code[product.chains[r] + k]) ? 1 : 0;
    const Id factor = as_float(product.factors[k]);
    if (k == 0 && precise != 0 && precise != product.count) {
      sum = emit_first_products(product, type);
      continue;
    }
    const Id column = emit(spv::OpCompositeExtract, type, {columns, k});
    if (k == 0) {
      sum = emit(spv::OpVectorTimesScalar, type, {column, factor});
    } else {
      const std::array<Id, 4> lanes{factor, factor, factor, factor};
      const Id factors =
          emit(spv::OpCompositeConstruct, type, std::span<const Id>(lanes).first(product.count));
      sum = extended(GLSLstd450Fma, type, {column, factors, sum});
    }
    if (precise != 0) builder_.decorate(sum, spv::DecorationNoContraction);
  }
  for (uint32_t r = 0; r < product.count; ++r) {
    const Value result = module_.code[product.chains[r] + product.length - 1].first_result;
    define(result, Kind::float_, emit(spv::OpCompositeExtract, Scalar::float_, {sum, r}));
  }
}

/// The rows as a matrix, turned.
Id Emitter::emit_columns(const Product& product, Id column_type) {
  const Id row_type = builder_.vector_type(builder_.float_type(), product.width);
  std::array<Id, 4> rows{}, lanes{};
  for (uint32_t r = 0; r < product.count; ++r) {
    for (uint32_t c = 0; c < product.width; ++c) lanes[c] = as_float(product.rows[r] + c);
    rows[r] = emit(spv::OpCompositeConstruct, row_type, std::span<const Id>(lanes).first(product.width));
  }
  const Id matrix = emit(spv::OpCompositeConstruct, builder_.matrix_type(row_type, product.count),
                         std::span<const Id>(rows).first(product.count));
  return emit(spv::OpTranspose, builder_.matrix_type(column_type, product.width), {matrix});
}

/// The first product of each row by itself: of some rows it must not be contracted, of others it may.
Id Emitter::emit_first_products(const Product& product, Id type) {
  std::array<Id, 4> lanes{};
  const Id factor = as_float(product.factors[0]);
  for (uint32_t r = 0; r < product.count; ++r) {
    lanes[r] = emit(spv::OpFMul, Scalar::float_, {as_float(product.rows[r]), factor});
    forbid_contraction(module_.code[product.chains[r]], lanes[r]);
  }
  return emit(spv::OpCompositeConstruct, type, std::span<const Id>(lanes).first(product.count));
}

}  // namespace texlate::spirv
