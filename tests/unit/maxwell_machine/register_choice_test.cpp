// For how many registers instructions are ordered: an SM holds fewer warps of a program with more of them,
// but each of these waits less.
#include <gtest/gtest.h>

#include <memory_resource>
#include <vector>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/program.h"

namespace texlate::maxwell::machine::test {
namespace {

constexpr unsigned kLoads = 16;

struct Made {
  unsigned registers = 0;
  unsigned loads_before_wait = 0;  // for one of them
};

/// Sums up `kept` numbers, which all stay in registers meanwhile, and `loads` words of memory; `times` such
/// sums, each of which has the address of the next.
class Sums {
 public:
  Sums(unsigned kept, unsigned loads, unsigned times) : function_(&memory_), builder_(function_) {
    builder_.begin(builder_.block());
    std::vector<Value> numbers;
    for (unsigned n = 0; n < kept; ++n) numbers.push_back(number());
    Value sum = number();
    for (unsigned t = 0; t < times; ++t) {
      const Value address = sum;
      for (unsigned n = 0; n < loads; ++n) sum = add(sum, load(address, static_cast<int32_t>(4 * n)));
    }
    for (const Value n : numbers) sum = add(sum, n);
    builder_.exit(std::array{sum});
    builder_.finish();
  }

  Made make(const Options& options) {
    Program program(&memory_);
    EXPECT_EQ(finish(function_, options, program), FinishError::none);
    Made made{program.register_count};
    uint32_t barriers = 0;
    for (const maxwell::Instruction code : program.instructions) {
      if ((code.control.wait_mask & barriers) != 0) break;
      if (opcode(code) != Opcode::ldg) continue;
      ++made.loads_before_wait;
      barriers |= 1u << code.control.write_barrier;
    }
    return made;
  }

 private:
  Value number() {
    maxwell::Instruction code = make_instruction(Opcode::s2r);
    code.operands[0].reg = kVirtual;
    const Value result = builder_.general();
    builder_.append(code, {result});
    return result;
  }
  Value load(Value address, int32_t offset) {
    maxwell::Instruction code = make_instruction(Opcode::ldg);
    code.operands[0].reg = kVirtual;
    code.operands[1] = Operand::address(kVirtual, offset);
    const Value result = builder_.general();
    builder_.append(code, {result, address}).effect = Effect::read;
    return result;
  }
  Value add(Value a, Value b) {
    maxwell::Instruction code = make_instruction(Opcode::iadd);
    for (unsigned i = 0; i < 3; ++i) code.operands[i].reg = kVirtual;
    const Value result = builder_.general();
    builder_.append(code, {result, a, b});
    return result;
  }

  std::pmr::monotonic_buffer_resource memory_;
  Function function_;
  Builder builder_;
};

Options options(bool weighs) {
  Options out;
  out.register_goal = out.fetch_register_goal = 38;
  out.weighs_registers = weighs;
  return out;
}

// With 80 registers in use, those above 38 cost no warp that the SM could hold otherwise.
TEST(RegisterChoice, LoadsDoNotWaitForEachOtherWhereRegistersAreInUseAnyway) {
  const Made plain = Sums(80, kLoads, 4).make(options(false));
  const Made weighed = Sums(80, kLoads, 4).make(options(true));
  EXPECT_LT(plain.loads_before_wait, kLoads);
  EXPECT_EQ(weighed.loads_before_wait, kLoads);
  EXPECT_LE(weighed.registers, 128u);
}

// The four schedulers are busy with fewer registers, too.
TEST(RegisterChoice, MoreWarpsIfAnSmNeedsNoMoreTime) {
  const Made plain = Sums(0, 60, 1).make(options(false));
  const Made weighed = Sums(0, 60, 1).make(options(true));
  EXPECT_GT(plain.registers, 32u);
  EXPECT_LE(weighed.registers, 32u);
}

// Two warps that wait as long as one each do twice as much.
TEST(RegisterChoice, NoFewerWarpsForLittleTime) {
  for (const unsigned loads : {2u, 4u}) {
    const Made weighed = Sums(20, loads, 40).make(options(true));
    EXPECT_LE(weighed.registers, 32u) << loads;
  }
}

TEST(RegisterChoice, KeepsTheLimit) {
  Options limited = options(true);
  limited.register_limit = 90;
  EXPECT_LE(Sums(80, kLoads, 4).make(limited).registers, 90u);
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
