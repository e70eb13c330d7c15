// More predicates than there are registers for them.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory_resource>
#include <vector>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/program.h"
#include "backend/maxwell/machine/spill.h"
#include "tests/unit/maxwell_machine/random_function.h"

namespace texlate::maxwell::machine::test {
namespace {

constexpr unsigned kSelectors = 12;

/// Twelve comparisons, then a use of each. The comparisons read only a register or constants.
unsigned count_selections(bool reads_register) {
  std::pmr::monotonic_buffer_resource memory;
  Function function(&memory);
  Builder builder(function);
  builder.begin(builder.block());
  maxwell::Instruction make = make_instruction(Opcode::s2r);
  make.operands[0].reg = kVirtual;
  Value sum = builder.general();
  builder.append(make, {sum});
  const Value compared = sum;
  std::vector<Value> predicates;
  for (unsigned n = 0; n < kSelectors; ++n) {
    maxwell::Instruction compare = make_instruction(Opcode::isetp, Shape::cbuf);
    compare.operands[0].reg = kVirtual;
    if (reads_register) compare.operands[2].reg = kVirtual;
    compare.operands[3] = Operand::c(0, static_cast<int32_t>(0x140 + 4 * n));
    predicates.push_back(builder.predicate());
    if (reads_register) {
      builder.append(compare, {predicates.back(), compared});
    } else {
      builder.append(compare, {predicates.back()});
    }
  }
  for (const Value p : predicates) {
    maxwell::Instruction add = make_instruction(Opcode::iadd, Shape::imm);
    add.operands[0].reg = add.operands[1].reg = kVirtual;
    add.operands[2].value = 1;
    const Value next = builder.general();
    builder.append(add, {next, sum}, p);
    builder.merge(std::array{sum});
    sum = next;
  }
  builder.exit(std::array{sum});
  builder.finish();
  Program program(&memory);
  EXPECT_EQ(finish(function, {.schedule = false}, program), FinishError::none);
  return static_cast<unsigned>(
      std::count_if(program.instructions.begin(), program.instructions.end(),
                    [](const maxwell::Instruction& i) { return opcode(i) == Opcode::sel; }));
}

TEST(Spill, PredicatesBecomeNumbersInRegisters) {
  EXPECT_GE(count_selections(true), kSelectors - 7);
}

TEST(Spill, ComparisonsOfConstantsAreMadeAgain) {
  EXPECT_EQ(count_selections(false), 0u);
}

TEST(Spill, LivenessIsThatOfTheNewFunction) {
  unsigned spilled = 0;
  for (uint32_t seed = 0; seed < 200; ++seed) {
    std::pmr::monotonic_buffer_resource memory;
    Function function(&memory);
    std::vector<SideEffect> effects;
    make_random_function(seed, {.size = 80, .pressure = 20, .calls = 2}, function, effects);
    Liveness liveness = find_liveness(function);
    if (!spill(function, liveness, {}, 24, spilled)) continue;
    const Liveness found = find_liveness(function);
    EXPECT_EQ(liveness.first, found.first) << "seed " << seed;
    EXPECT_EQ(liveness.items, found.items) << "seed " << seed;
    const Pressure pressure = find_pressure(function, found);
    EXPECT_LE(pressure.general, 24u) << "seed " << seed;
    EXPECT_LE(pressure.predicates, 7u) << "seed " << seed;
  }
  EXPECT_GT(spilled, 100u);
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
