#include "ir/structure.h"

#include "tests/support/ir_text.h"
#include "tests/support/random_ir.h"

namespace texlate::ir {
namespace {

constexpr uint32_t kNone = Structure::kNoIndex;

struct Parsed {
  explicit Parsed(std::string_view body, Form form = Form::ssa) {
    parse_or_fail(with_body(body), module);
    verify_or_fail(module, form);
    structure = std::make_unique<Structure>(module, std::pmr::get_default_resource());
  }
  std::vector<uint32_t> list(uint32_t first) const {
    std::vector<uint32_t> all;
    for (; first != kNone; first = structure->next(first)) all.push_back(first);
    return all;
  }
  using List = std::vector<uint32_t>;

  Module module;
  std::unique_ptr<Structure> structure;
};
using List = Parsed::List;

TEST(Structure, OfNoConstruct) {
  const Parsed code("  %1 = input v0.x\n  output o0.x, %1\n  return\n");
  EXPECT_TRUE(code.structure->constructs().empty());
  for (uint32_t i = 0; i < 3; ++i) {
    EXPECT_EQ(code.structure->construct_of(i), kNone);
    EXPECT_EQ(code.structure->around(i), kNone);
    EXPECT_TRUE(code.structure->reached(i));
    EXPECT_EQ(code.structure->continues(i), i != 2);
  }
}

TEST(Structure, OfAnIf) {
  const Parsed code(
      "  %1 = input v0.x\n"        // 0
      "  %2 = flt.f32 %1, 0.0f\n"  // 1
      "  if %2\n"                  // 2
      "    discard %2\n"           // 3
      "  else yields(%1)\n"        // 4
      "    return\n"               // 5
      "  %3 = endif\n"             // 6
      "  output o0.x, %3\n"        // 7
      "  return\n");               // 8
  const Structure& structure = *code.structure;
  ASSERT_EQ(structure.constructs().size(), 1u);
  const Construct& construct = structure[0];
  EXPECT_EQ(construct.op, Op::if_);
  EXPECT_EQ(construct.marker, 2u);
  EXPECT_EQ(construct.otherwise, 4u);
  EXPECT_EQ(construct.end, 6u);
  EXPECT_EQ(construct.parent, kNone);
  EXPECT_EQ(construct.depth, 0u);
  EXPECT_EQ(code.list(construct.first_exit), List({4, 6}));
  for (uint32_t i : {2u, 4u, 6u}) {
    EXPECT_EQ(structure.construct_of(i), 0u);
    EXPECT_EQ(structure.around(i), kNone) << "a marker stands around its construct";
  }
  EXPECT_EQ(structure.around(3), 0u);
  EXPECT_TRUE(structure.reached(4)) << "the first arm ends";
  EXPECT_TRUE(structure.continues(4)) << "the second arm starts";
  EXPECT_FALSE(structure.reached(6)) << "the second arm does not end";
  EXPECT_TRUE(structure.continues(6)) << "but the first one does";
}

TEST(Structure, JumpsGoToLoopsAndBreaksToSwitchesToo) {
  const Parsed code(
      "  %1 = sysval is_front_face.x\n"  // 0
      "  %2 = ine %1, 0\n"               // 1
      "  loop\n"                         // 2
      "    switch %1\n"                  // 3
      "    case 1\n"                     // 4
      "      break\n"                    // 5: leaves the switch
      "    case 2\n"                     // 6
      "    default\n"                    // 7
      "      if %2\n"                    // 8
      "        continue\n"               // 9: past the switch
      "      else\n"                     // 10
      "      endif\n"                    // 11
      "      break\n"                    // 12
      "    endswitch\n"                  // 13
      "    break\n"                      // 14: leaves the loop
      "  endloop\n"                      // 15
      "  return\n");                     // 16
  const Structure& structure = *code.structure;
  ASSERT_EQ(structure.constructs().size(), 3u);
  EXPECT_EQ(structure[0].op, Op::loop);
  EXPECT_EQ(structure[1].op, Op::switch_);
  EXPECT_EQ(structure[2].op, Op::if_);
  EXPECT_EQ(structure[1].parent, 0u);
  EXPECT_EQ(structure[2].parent, 1u);
  EXPECT_EQ(structure[2].depth, 2u);
  EXPECT_EQ(structure.construct_of(5), 1u);
  EXPECT_EQ(structure.construct_of(9), 0u);
  EXPECT_EQ(structure.around(9), 2u);
  EXPECT_EQ(structure.construct_of(14), 0u);
  EXPECT_EQ(code.list(structure[1].first_arm), List({4, 6, 7}));
  EXPECT_EQ(code.list(structure[1].first_exit), List({5, 12}));
  EXPECT_EQ(code.list(structure[0].first_exit), List({14}));
  EXPECT_EQ(code.list(structure[0].first_repeat), List({9, 15}));
  EXPECT_FALSE(structure.reached(4)) << "nothing comes to a label from before it";
  EXPECT_TRUE(structure.continues(4));
  EXPECT_FALSE(structure.reached(15)) << "no iteration ends at the bottom";
  EXPECT_TRUE(structure.continues(15));
}

TEST(Structure, NothingIsReachedInALoopThatIsNotEntered) {
  const Parsed code(
      "  return\n"   // 0
      "  loop\n"     // 1
      "    break\n"  // 2
      "  endloop\n"  // 3
      "  return\n",  // 4
      Form::registers);
  for (uint32_t i = 1; i < 5; ++i) EXPECT_FALSE(code.structure->reached(i)) << i;
  EXPECT_FALSE(code.structure->continues(3));
}

// An endless loop: the code after it is unreachable.
TEST(Structure, NothingFollowsAnEndlessLoop) {
  const Parsed code("  loop\n  endloop\n");
  EXPECT_TRUE(code.structure->reached(1));
  EXPECT_FALSE(code.structure->continues(1));
}

void expect_sound(const Module& module) {
  const Structure structure(module, std::pmr::get_default_resource());
  std::vector<uint32_t> passes(module.code.size(), 0);
  for (uint32_t c = 0; c < structure.constructs().size(); ++c) {
    const Construct& construct = structure[c];
    ASSERT_LT(construct.marker, construct.end);
    EXPECT_EQ(construct.otherwise != kNone, construct.op == Op::if_);
    if (construct.parent == kNone) {
      EXPECT_EQ(construct.depth, 0u);
    } else {
      const Construct& parent = structure[construct.parent];
      ASSERT_LT(construct.parent, c) << "parents come first";
      EXPECT_EQ(construct.depth, parent.depth + 1);
      EXPECT_TRUE(parent.marker < construct.marker && construct.end < parent.end);
    }
    for (uint32_t first : {construct.first_arm, construct.first_exit, construct.first_repeat}) {
      for (uint32_t i = first, before = construct.marker; i != kNone; before = i, i = structure.next(i)) {
        ++passes[i];
        EXPECT_EQ(structure.construct_of(i), c);
        EXPECT_TRUE(before < i && i <= construct.end);
      }
    }
  }
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const Op op = module.code[i].op;
    const bool in_a_list = op == Op::else_ || op == Op::endif || op == Op::endloop || op == Op::case_ ||
                           op == Op::default_ || op == Op::break_ || op == Op::continue_;
    EXPECT_EQ(passes[i], in_a_list ? 1u : 0u);
    if (i != 0 && !bounds_region(op)) {
      EXPECT_EQ(structure.reached(i), structure.continues(i - 1));
    }
    const uint32_t around = structure.around(i);
    if (around != kNone) {
      EXPECT_TRUE(structure[around].marker < i && i < structure[around].end);
    }
  }
}

TEST(Structure, IsSoundForRandomModules) {
  size_t constructs = 0;
  for (uint32_t seed = 0; seed < 500 && !testing::Test::HasFailure(); ++seed) {
    Module module;
    RandomIrOptions options;
    options.form = seed % 2 == 0 ? Form::ssa : Form::registers;
    make_random_module(seed, options, module);
    SCOPED_TRACE(seed);
    expect_sound(module);
    constructs += Structure(module, std::pmr::get_default_resource()).constructs().size();
  }
  EXPECT_GT(constructs, 500u);
}

}  // namespace
}  // namespace texlate::ir
