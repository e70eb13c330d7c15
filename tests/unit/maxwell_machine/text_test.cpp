// The text form: what is printed parses back to the same, and what is wrong is located.
#include "backend/maxwell/machine/text.h"

#include <gtest/gtest.h>

#include <memory_resource>

#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/machine/program.h"
#include "ir/base/diagnostics.h"
#include "tests/unit/maxwell_machine/parse_text.h"
#include "tests/unit/maxwell_machine/random_function.h"
#include "tests/unit/maxwell_machine/run_pass.h"

namespace texlate::maxwell::machine::test {
namespace {

std::string first_message(const Diagnostics& diagnostics) {
  if (diagnostics.list().empty()) return "no message";
  const Diagnostic& one = diagnostics.list().front();
  return std::to_string(one.location.line) + ":" + std::to_string(one.location.column) + ": " +
         std::string(one.message);
}

/// The text of what the text is read as; or the message.
std::string again(std::string_view text) {
  std::pmr::monotonic_buffer_resource memory;
  Function function(&memory);
  Layout layout(&memory);
  Diagnostics diagnostics;
  std::string out;
  if (text.starts_with("lines")) {
    if (!parse(text, function, layout, diagnostics)) return first_message(diagnostics);
    print(function, layout, out);
  } else {
    if (!parse(text, function, diagnostics)) return first_message(diagnostics);
    print(function, out);
  }
  return out;
}

struct PassCheck {
  unsigned passes = 0;
  std::string wrong;

  static void after(void* self, std::string_view pass, std::string_view text) {
    PassCheck& check = *static_cast<PassCheck*>(self);
    ++check.passes;
    const std::string read = again(text);
    if (check.wrong.empty() && read != text)
      check.wrong = "after " + std::string(pass) + "\n" + std::string(text) + "is read as\n" + read;
  }
};

std::vector<uint64_t> words_of(Function& function, const Options& options) {
  Program program(function.memory());
  EXPECT_EQ(finish(function, options, program), FinishError::none);
  std::pmr::vector<uint64_t> words;
  encode_unchecked(program.instructions, words);
  return {words.begin(), words.end()};
}

/// A function, and the same read from its text, become the same program; every pass's text parses back.
void check_random(uint32_t seed, const RandomFunctionOptions& shape, Options options) {
  std::pmr::monotonic_buffer_resource memory;
  Function function(&memory), read(&memory);
  std::vector<SideEffect> effects;
  make_random_function(seed, shape, function, effects);
  std::string text;
  print(function, text);
  Diagnostics diagnostics;
  ASSERT_TRUE(parse(text, read, diagnostics)) << "seed " << seed << ": " << first_message(diagnostics) << '\n'
                                              << text;
  PassCheck check;
  const PassText observer{PassCheck::after, &check};
  const std::vector<uint64_t> wanted = words_of(read, options);
  options.observer = &observer;
  EXPECT_EQ(words_of(function, options), wanted) << "seed " << seed;
  EXPECT_GE(check.passes, 12u);
  ASSERT_TRUE(check.wrong.empty()) << "seed " << seed << ": " << check.wrong;
}

TEST(MachineText, RandomFunctionsParseBack) {
  for (uint32_t seed = 0; seed < 60; ++seed) check_random(seed, {.size = 80, .depth = 3}, {});
  for (uint32_t seed = 0; seed < 20; ++seed) {
    check_random(seed, {.size = 100, .depth = 3, .pressure = 60, .calls = 5}, {.register_limit = 48});
    check_random(seed, {.size = 60, .depth = 2, .outputs = true}, {.weighs_registers = true});
  }
}

TEST(MachineText, EveryPartParsesBack) {
  for (const std::string_view text : {
           R"(
           values routine apart local=16
           block0(v0, v1):
             MOV32I v2, 0x3f800000 from 7
             ISETP.LT.AND p3, p4, v0, v2, !p_
             @!p3 LDG.E.128 v5:v6:v_:v8, [v0:v1+0x10] else v2:v_:v_:v0 reads 3 from 9
             @p4 STL [v0], v5 writes local
             ATOM.E.CAS v9, [v0:v1], v5, v6 writes any
             BAR.SYNC 0x0 orders
             FFMA32I v10, -v0, 2, v9
             IADD v11.CC, v9, -v10
             IADD.X v12, v9, c[0x0][0x140]
             STL [0x8], v12 writes spill
             loop merge block3 continue block2
             jump block1(v12, v_)
           block1(v13, v14):
             call routine2 clobbers 9(v13, v_)
           block2(v15):
             branch uniform !p3, block1, block3
           block3:
             exit(v_, v0)
           )",
           R"(
           registers exits=2
           block0:
             @!P6 TEXS.LZ R2, R0, R4, R5, 0x12, 2D, RGBA from 3
             selection merge block2
             branch !P0, block1, block2
           block1:
             jump block2
           block2:
             exit
           )",
           R"(
           lines timed exits=1 stack=2
           block0:
             --:-:-:-:1  SSY block2
             --:-:-:-:5  @P0 BRA block1
             --:-:-:-:5  SYNC to block2
           block1:
             3f:5:0:Y:15  TEXS.LZ.P R2, R0, R4, R5, 0x12, 2D, RGBA from 3
             --:-:-:-:0  FADD R7, R8.reuse, R9
             --:-:-:-:5  SYNC to block2
           block2:
             --:-:-:-:5  CAL routine3
             --:-:-:-:5  EXIT
           )"}) {
    const std::string plain = unindented(text);
    EXPECT_EQ(again(plain), plain);
  }
}

TEST(MachineText, CommentsAndEmptyLines) {
  EXPECT_EQ(again("\n; after select\nvalues ; of a test\n\nblock0: ; entry\n  exit;\n"),
            "values\nblock0:\n  exit\n");
}

TEST(MachineText, Mistakes) {
  const auto values = [](const std::string& line) {
    return again("values\nblock0:\n  " + line + "\n  exit\n");
  };
  EXPECT_EQ(again("block0:\n"), "1:1: the text must begin with its form: values or registers");
  EXPECT_EQ(again("values loca=3\n"), "1:8: unknown property 'loca'");
  EXPECT_EQ(again("values local=x\n"), "1:8: local needs a number");
  EXPECT_EQ(again("values\n  exit\n"), "2:3: an instruction outside a block");
  EXPECT_EQ(again("values\nblock1:\n"), "2:1: block0 expected: blocks are in order");
  EXPECT_EQ(again("values\nblock0:\n"), "3:1: the last block has no end");
  EXPECT_EQ(again("values\nblock0:\nblock1:\n"), "3:1: block0 has no end");
  EXPECT_EQ(values("FADX v0, v1"), "3:3: unknown instruction 'FADX'");
  EXPECT_EQ(values("FADD v0, v1"), "3:14: FADD needs a register here");
  EXPECT_EQ(values("FADD R0, v1, v2"), "3:3: operand 1 covers 1 registers, but '' names 1");
  EXPECT_EQ(values("FADD v0, v1, p2"), "3:16: FADD needs a register here, not 'P0'");
  EXPECT_EQ(values("FADD v0:v1, v2, v3"), "3:3: operand 1 covers 1 registers, but 'v0:v1' names 2");
  EXPECT_EQ(values("DADD v0, v2:v3, v4:v5"), "3:3: operand 1 covers 2 registers, but 'v0' names 1");
  EXPECT_EQ(values("FADD v0, v1, v2 else v3"), "3:3: 'else' needs a guard");
  EXPECT_EQ(values("@p5 FADD v0, v1, v2 else v3:v4"), "3:7: 'else' needs 1 values, one for each result");
  EXPECT_EQ(values("@v5 FADD v0, v1, v2"), "3:4: a predicate is expected here, such as p3");
  EXPECT_EQ(values("FADD v99999999, v1, v2"), "3:3: operand 1 covers 1 registers, but 'v99999999' names 1");
  EXPECT_EQ(values("LDS v0, [v1] reads globe"),
            "3:3: 'globe' is no space: any, local, spill or a number below 255");
  EXPECT_EQ(values("LDS v0, [v1] reads 2 from x"), "3:3: 'from' needs a number");
  EXPECT_EQ(values("jump there"), "3:8: a block is expected here, such as block3");
  EXPECT_EQ(values("branch p0 block1"), "3:13: ',' expected");
  EXPECT_EQ(values("exit(v0"), "3:10: ')' expected");
  EXPECT_EQ(values("exit(R0)"), "3:8: a value is expected here, such as v3 or p4");
  EXPECT_EQ(again("registers\nblock0:\n  exit(v0)\n"), "3:8: there are no values any more");
  EXPECT_EQ(again("registers\nblock0:\n  branch p0, block0, block0\n"),
            "3:10: a predicate is expected here, such as P0");
  EXPECT_EQ(again("lines\n  EXIT\n"), "2:3: an instruction before the first block");
  EXPECT_EQ(again("lines\nblock0:\n  BRA block7\n"), "4:1: there is no block7");
  EXPECT_EQ(again("lines timed\nblock0:\n  EXIT\n"), "3:3: control column expected, such as --:-:0:Y:2");
}

}  // namespace
}  // namespace texlate::maxwell::machine::test
