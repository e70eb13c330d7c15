// Random programs of integer and predicate operations, selections and branches on the Maxwell machine,
// compared with the interpreter: one instruction into which instruction selection folds several must mean the
// same as these.
#include <random>

#include "tests/exhaustive/arithmetic_table.h"
#include "tests/support/environment.h"
#include "tests/support/maxwell_launch.h"

namespace texlate {
namespace {

using namespace arithmetic;

/// A program as IR text: values that are in scope, by type.
class RandomProgram {
 public:
  explicit RandomProgram(uint32_t seed) : random_(seed) {
    text_ = "module vertex 5.0 \"main\"\ninput v0.xyzw\noutput o0.xyzw\noutput o1.x\ncode {\n";
    for (uint32_t i = 0; i < 4; ++i) {
      text_ += fmt::format("  %{} = input v0.{}\n", i, "xyzw"[i]);
      words_.push_back(i);
    }
    next_ = 4;
    text_ += "  output o1.x, 7\n";
    make_block(30, 2);
    for (uint32_t i = 0; i < 4; ++i)
      text_ += fmt::format("  output o0.{}, %{}\n", "xyzw"[i], words_[words_.size() - 1 - i]);
    text_ += "}\n";
  }

  const std::string& text() const { return text_; }

 private:
  uint32_t draw(uint32_t count) { return static_cast<uint32_t>(random_() % count); }

  std::string word() {
    if (draw(3) != 0)
      return fmt::format(
          "%{}",
          words_[words_.size() - 1 - draw(std::min<uint32_t>(8, static_cast<uint32_t>(words_.size())))]);
    switch (draw(4)) {
      case 0: return fmt::format("{}", draw(32));
      case 1: return fmt::format("0x{:x}", (1u << draw(32)) - 1);
      case 2: return fmt::format("0x{:x}", 0xffffffffu << draw(32));
      default: return fmt::format("0x{:x}", kWords[draw(std::size(kWords))]);
    }
  }
  std::string predicate() {
    if (predicates_.empty()) return draw(2) == 0 ? "true" : "false";
    return fmt::format("%{}",
                       predicates_[predicates_.size() - 1 -
                                   draw(std::min<uint32_t>(3, static_cast<uint32_t>(predicates_.size())))]);
  }

  void make_operation() {
    while (true) {
      const Op op = static_cast<Op>(draw(ir::kOpCount));
      const ir::OpInfo& info = ir::info(op);
      const bool wanted = info.family == ir::Family::integer || info.family == ir::Family::predicate;
      if (!wanted || !is_tested(op) || info.results.size() != 1) continue;
      if (std::string(info.operands).find('d') != std::string::npos || info.results == "d") continue;
      if (op == Op::select64) continue;
      std::string operands;
      for (const char letter : info.operands) {
        operands += operands.empty() ? " " : ", ";
        operands += ir::type_of_letter(letter) == ir::Type::b1 ? predicate() : word();
      }
      text_ += fmt::format("  %{} = {}{}\n", next_, info.text, operands);
      (ir::type_of_letter(info.results[0]) == ir::Type::b1 ? predicates_ : words_).push_back(next_++);
      return;
    }
  }

  void make_block(uint32_t count, uint32_t depth) {
    for (uint32_t i = 0; i < count; ++i) {
      if (depth != 0 && draw(12) == 0) {
        draw(2) == 0 ? make_if(depth) : make_loop(depth);
      } else {
        make_operation();
      }
    }
  }

  void make_if(uint32_t depth) {
    const size_t words = words_.size(), predicates = predicates_.size();
    text_ += fmt::format("  if {}\n", predicate());
    make_block(5, depth - 1);
    if (draw(3) == 0) text_ += fmt::format("  output o1.x, {}\n", word());
    text_ += fmt::format("  else yields({}, {})\n", word(), word());
    words_.resize(words), predicates_.resize(predicates);
    make_block(3, depth - 1);
    const std::string a = word(), b = word();
    words_.resize(words), predicates_.resize(predicates);
    text_ += fmt::format("  %{}, %{} = endif yields({}, {})\n", next_, next_ + 1, a, b);
    words_.push_back(next_++);
    words_.push_back(next_++);
  }

  void make_loop(uint32_t depth) {
    const size_t words = words_.size(), predicates = predicates_.size();
    const uint32_t counter = next_;
    text_ += fmt::format("  %{}, %{} = loop init(0, {})\n", counter, counter + 1, word());
    next_ += 2;
    words_.push_back(counter + 1);
    text_ += fmt::format("  %{} = uge.u32 %{}, {}\n", next_, counter, 1 + draw(4));
    const uint32_t done = next_++;
    text_ += fmt::format("  %{} = iadd %{}, 1\n", next_, counter);
    const uint32_t next_turn = next_++;
    text_ += fmt::format("  if %{}\n    break yields(%{})\n  else\n  endif\n", done, counter + 1);
    make_block(4, depth - 1);
    if (draw(2) == 0)
      text_ += fmt::format("  if {}\n    continue yields(%{}, {})\n  else\n  endif\n", predicate(), next_turn,
                           word());
    const std::string carried = word();
    words_.resize(words), predicates_.resize(predicates);
    text_ += fmt::format("  %{} = endloop yields(%{}, {})\n", next_, next_turn, carried);
    words_.push_back(next_++);
  }

  std::mt19937 random_;
  std::string text_;
  std::vector<uint32_t> words_, predicates_;
  uint32_t next_ = 0;
};

TEST(MaxwellRandom, ProgramsGiveWhatTheInterpreterGives) {
  const auto first = static_cast<uint32_t>(test::from_environment("TEXLATE_RANDOM_FIRST", 0));
  const auto end = first + static_cast<uint32_t>(test::from_environment("TEXLATE_RANDOM_PROGRAMS", 1000));
  constexpr uint32_t kCount = 64;
  for (uint32_t seed = first; seed != end && !testing::Test::HasFailure(); ++seed) {
    const std::string text = RandomProgram(seed).text();
    SCOPED_TRACE(fmt::format("seed {}\n{}", seed, text));
    ir::Module contract, legal;
    ir::parse_or_fail(text, contract);
    ir::verify_or_fail(contract);
    ir::parse_or_fail(text, legal);
    ir::optimize(legal);
    launch::Layout layout(legal.memory());
    maxwell::Kernel kernel(legal.memory());
    if (!make_maxwell_kernel(legal, layout, kernel, text)) break;
    std::mt19937 random(seed);
    std::vector<uint32_t> planes;
    for (uint32_t i = 0; i < 4 * kCount; ++i)
      planes.push_back(random() % 2 == 0 ? static_cast<uint32_t>(random())
                                         : kWords[random() % std::size(kWords)]);
    std::vector<uint32_t> expected(size_t{8} * kCount, 0);
    Diagnostics diagnostics;
    const auto interpreter = sim::Interpreter::create(contract, diagnostics);
    sim::StreamLaunch launch;
    launch.count = kCount;
    launch.inputs = planes;
    launch.outputs = expected;
    interpreter->run(sim::Bindings(contract), launch);
    const std::vector<uint32_t> got = run_maxwell_planes(kernel, kCount, planes, 8);
    EXPECT_EQ(got, expected) << ir::to_text(legal);
  }
}

}  // namespace
}  // namespace texlate
