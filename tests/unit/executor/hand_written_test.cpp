// Three shaders of shaders/ as deko3d programs, compared with what an existing compiler (uam 1.1.0) makes of
// equivalent shaders: at most as many instructions, and, where they are checked, at most as many registers.
// Every fetch is started before the first wait for a fetch, if registers allow.
#include <gtest/gtest.h>

#include "backend/maxwell/graphics/program.h"
#include "backend/maxwell/guarantees.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/isa/table.h"
#include "tests/corpus/corpus.h"
#include "tests/support/examples.h"
#include "tests/support/maxwell_codec.h"
#include "tools/executor/dksh_route.h"
#include "tools/executor/shader.h"

namespace texlate::executor {
namespace {

struct Figures {
  const char* name;
  uint32_t instructions, registers, fetches;
};

std::ostream& operator<<(std::ostream& out, const Figures& figures) {
  return out << figures.name;
}

struct Made {
  bool good = false;
  uint32_t instructions = 0, registers = 0, spilled = 0;
  uint32_t fetches = 0;
  uint32_t fetches_before_wait = 0;  // texture instructions before the first wait for a result of one
};

Made make(const std::string& name, uint32_t register_limit, uint32_t fetch_goal) {
  Made made;
  Diagnostics diagnostics;
  Shader shader;
  constexpr Route kRoutes[] = {Route::dksh};
  const std::string source = corpus::read(test::kShaders + "/" + name + ".asm");
  if (!load_shader(source, shader, kRoutes, diagnostics)) return made;
  maxwell::KernelOptions options;
  options.sm = maxwell::graphics::kSm;
  options.finish.register_limit = register_limit;
  options.finish.fetch_register_goal = fetch_goal;
  maxwell::graphics::Program program(shader.legal_dksh.memory());
  if (!maxwell::graphics::make_program(shader.legal_dksh, options, nullptr, program, diagnostics))
    return made;
  made.good = true;
  made.instructions = program.instructions;
  made.registers = program.dksh.registers;
  made.spilled = program.spilled_values;
  std::pmr::vector<maxwell::Instruction> code;
  if (!maxwell::decode_program(program.dksh.words, code)) return made;
  uint32_t results = 0;  // barriers that fetches set for their results
  bool waited = false;
  for (const maxwell::Instruction& instruction : code) {
    waited |= (instruction.control.wait_mask & results) != 0;
    if (maxwell::opcode_info(maxwell::opcode(instruction)).latency_class != maxwell::LatencyClass::texture)
      continue;
    ++made.fetches;
    if (!waited) ++made.fetches_before_wait;
    results |= 1u << instruction.control.write_barrier;
  }
  return made;
}

class HandWritten : public testing::TestWithParam<Figures> {};

TEST_P(HandWritten, EveryFetchIsUnderWayBeforeTheFirstWait) {
  const Figures& figures = GetParam();
  const Made made = make(figures.name, 255, maxwell::graphics::kFetchRegisterGoal);
  ASSERT_TRUE(made.good);
  EXPECT_LE(made.instructions, figures.instructions);
  EXPECT_EQ(made.fetches, figures.fetches);
  EXPECT_EQ(made.fetches_before_wait, figures.fetches);
  EXPECT_EQ(made.spilled, 0u);
}

// Nine results of four words, or eight of three, exceed these registers: then fetches take turns.
TEST_P(HandWritten, FitsTheRegistersOfAnExistingCompiler) {
  const Figures& figures = GetParam();
  const Made made = make(figures.name, figures.registers, figures.registers);
  ASSERT_TRUE(made.good);
  EXPECT_LE(made.instructions, figures.instructions);
  EXPECT_LE(made.registers, figures.registers);
  EXPECT_EQ(made.spilled, 0u);
}

INSTANTIATE_TEST_SUITE_P(Shaders, HandWritten,
                         testing::Values(Figures{"blur9", 55, 16, 9}, Figures{"lambert", 88, 16, 3},
                                         Figures{"sobel", 65, 15, 8}),
                         [](const auto& figures) { return std::string(figures.param.name); });

}  // namespace
}  // namespace texlate::executor
