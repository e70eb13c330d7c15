// FoldingBuilder leaves nothing to fold or to share: it skips the rules of an operation only where none
// matches.
#include "ir/passes/folding_builder.h"

#include <algorithm>
#include <random>

#include "ir/passes/available_values.h"
#include "ir/passes/fold.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

constexpr uint32_t kPrograms = 300;
constexpr uint32_t kOperations = 400;

/// Those of which rules ask, and some others.
constexpr uint32_t kNumbers[] = {0,          1,          2,          5,          31,         32,
                                 0x7fffffff, 0x80000000, 0xffffffff, 0x3f800000, 0xbf800000, 0x40000000,
                                 0x3e800000, 0x40490fdb, 0x7fc00000, 0x00000001};

Type type_of(char letter) {
  return letter == 'p' ? Type::b1 : letter == 'd' ? Type::b64 : Type::b32;
}

/// Operations whose operands decide about their one result.
std::vector<Op> pure_operations() {
  std::vector<Op> found;
  for (uint32_t i = 0; i < kOpCount; ++i) {
    const OpInfo& operation = info(static_cast<Op>(i));
    const bool is_fixed = operation.operands.find('*') == std::string_view::npos &&
                          operation.results.find('*') == std::string_view::npos;
    if (operation.has(kPure) && !operation.has(kReadsMemory) && is_fixed && !operation.operands.empty() &&
        operation.results.size() == 1 && operation.payload == Payload::none)
      found.push_back(static_cast<Op>(i));
  }
  return found;
}

class RandomCode {
 public:
  RandomCode(Module& module, uint32_t seed) : module_(module), builder_(module, kOperations), random_(seed) {
    for (uint32_t i = 0; i < 8; ++i) add(Type::b32, builder_.emit(Op::input, {}, i));
    for (const bool value : {false, true}) add(Type::b1, module_.constant_b1(value));
    add(Type::b64, module_.constant64(0x3ff0000000000000u));
    for (const uint32_t number : kNumbers) add(Type::b32, module_.constant(number));
    add(Type::b1, builder_.emit(Op::ilt, {values_[0][0], values_[0][1]}));
  }

  void run() {
    static const std::vector<Op> operations = pure_operations();
    for (uint32_t i = 0; i < kOperations; ++i) {
      if (below(16) == 0) {
        const auto halves = builder_.unpack(pick(Type::b64));
        for (const Value half : halves) add(Type::b32, half);
        continue;
      }
      const Op op = operations[below(static_cast<uint32_t>(operations.size()))];
      std::vector<Value> operands;
      for (const char letter : info(op).operands) operands.push_back(pick(type_of(letter)));
      // What is not evaluated, for a NaN, depends on the order of two constants.
      if (std::ranges::all_of(operands, [&](Value value) { return module_.is_constant(value); })) continue;
      add(type_of(info(op).results[0]), builder_.emit(op, operands));
    }
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  std::vector<Value>& of(Type type) { return values_[static_cast<uint32_t>(type)]; }
  void add(Type type, Value value) { of(type).push_back(value); }
  /// Mostly a new one, because rules ask how an operand was made.
  Value pick(Type type) {
    const std::vector<Value>& all = of(type);
    const auto count = static_cast<uint32_t>(all.size());
    return below(3) == 0 ? all[below(count)] : all[count - 1 - below(std::min(count, 6u))];
  }

  Module& module_;
  FoldingBuilder builder_;
  std::mt19937 random_;
  std::vector<Value> values_[3];
};

TEST(FoldingBuilder, LeavesNothingToFoldOrToShare) {
  size_t kept = 0;
  for (uint32_t seed = 0; seed < kPrograms; ++seed) {
    Module module;
    RandomCode(module, seed).run();
    kept += module.code.size();
    const std::string before = to_text(module);
    EXPECT_FALSE(fold_and_share(module)) << "seed " << seed << "\n" << before << to_text(module);
    if (testing::Test::HasFailure()) return;
  }
  EXPECT_GT(kept, size_t{kPrograms} * kOperations / 2) << "most operations are not folded";
}

/// Otherwise thousands of samples at different coordinates are in one chain.
TEST(AvailableValues, HashDependsOnTheFirstOfManyOperands) {
  constexpr uint32_t kLists = 4096;
  std::vector<Value> operands(16, Value(7));
  std::vector<uint32_t> buckets;
  for (uint32_t first = 0; first < kLists; ++first) {
    operands[0] = Value(first);
    buckets.push_back(AvailableValues::hash_of(Op::tex_sample, operands, 0) % kLists);
  }
  std::ranges::sort(buckets);
  // clang 14 does not compile std::ranges::unique of libstdc++ 12.
  EXPECT_GT(std::distance(buckets.begin(), std::unique(buckets.begin(), buckets.end())), kLists / 2);
}

}  // namespace
}  // namespace texlate::ir
