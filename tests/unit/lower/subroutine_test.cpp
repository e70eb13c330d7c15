// call, callc, label, and switches that fall through: their results on the interpreter.

#include <array>

#include "sim/ir/interpreter.h"
#include "tests/support/ir_text.h"
#include "tests/unit/lower/lowered.h"

namespace texlate::test {
namespace {

using ir::Op;

/// o0.x of the first lane for the given v0.x; kFailed after an error.
constexpr uint32_t kFailed = 0xdeadbeef;
uint32_t result(std::string_view body, uint32_t input, const lower::Options& options = {}) {
  Lowered lowered("ps_5_0\ndcl_input_ps constant v0.x\ndcl_output o0.x\ndcl_temps 3\n" + std::string(body),
                  options);
  if (!lowered.ok) {
    ADD_FAILURE() << lowered.messages;
    return kFailed;
  }
  ir::verify_or_fail(lowered.module);
  Diagnostics diagnostics;
  const auto interpreter = sim::Interpreter::create(lowered.module, diagnostics);
  if (interpreter == nullptr) return kFailed;
  std::array<uint32_t, 4> inputs, outputs{}, covered, written{};
  inputs.fill(input);
  covered.fill(1);
  sim::StreamLaunch launch;
  launch.count = 4;
  launch.inputs = inputs;
  launch.outputs = outputs;
  launch.covered = covered;
  launch.written = written;
  EXPECT_TRUE(interpreter->run(sim::Bindings(lowered.module), launch, {}).ok());
  return outputs[0];
}

TEST(Subroutines, ShareTheCallersRegisters) {
  const char* body =
      "mov r0.x, v0.x\ncall l0\ncall l0\nmov o0.x, r0.x\nret\nlabel l0\niadd r0.x, r0.x, l(5)\nret\n";
  EXPECT_EQ(result(body, 1), 11u);
}

TEST(Subroutines, ACallMayDependOnACondition) {
  const char* body =
      "mov r0.x, l(1)\ncallc_nz v0.x, l3\nmov o0.x, r0.x\nret\nlabel l3\nmov r0.x, l(2)\nret\n";
  EXPECT_EQ(result(body, 0), 1u);
  EXPECT_EQ(result(body, 7), 2u);
}

TEST(Subroutines, AnEarlyReturnLeavesTheSubroutineAlone) {
  const char* body =
      "mov r0.x, l(1)\ncall l0\niadd o0.x, r0.x, l(100)\nret\nlabel l0\nif_nz v0.x\nmov r0.x, l(2)\nret\n"
      "endif\nmov r0.x, l(3)\nret\n";
  EXPECT_EQ(result(body, 0), 103u);
  EXPECT_EQ(result(body, 1), 102u);
}

TEST(Subroutines, AReturnLeavesTheLoopsAndSwitchesOfItsBody) {
  // Inside two loops and a switch; without the return, the outer loop would not end.
  const char* body =
      "mov r0.x, l(0)\ncall l0\nmov o0.x, r0.x\nret\nlabel l0\nloop\nloop\niadd r0.x, r0.x, l(1)\nswitch "
      "v0.x\n"
      "case l(1)\nige r0.y, r0.x, l(4)\nretc_nz r0.y\nbreak\ndefault\nretc_nz l(1)\nbreak\nendswitch\n"
      "ige r0.z, r0.x, l(2)\nbreakc_nz r0.z\nendloop\nendloop\nmov r0.x, l(99)\nret\n";
  EXPECT_EQ(result(body, 1), 4u);
  EXPECT_EQ(result(body, 0), 1u);
}

TEST(Subroutines, CallEachOther) {
  const char* body =
      "mov r0.x, v0.x\ncall l1\nmov o0.x, r0.x\nret\nlabel l0\nretc_nz r0.y\niadd r0.x, r0.x, l(1)\nret\n"
      "label l1\nmov r0.y, l(0)\ncall l0\ncall l0\nmov r0.y, l(1)\ncall l0\nret\n";
  EXPECT_EQ(result(body, 10), 12u);
}

TEST(Subroutines, RecursionAndUnknownLabelsAreErrors) {
  const std::string head = "ps_5_0\ndcl_output o0.x\ndcl_temps 1\nmov o0.x, l(0)\ncall l0\nret\n";
  const Lowered recursive(head + "label l0\ncall l1\nret\nlabel l1\ncall l0\nret\n");
  EXPECT_FALSE(recursive.ok);
  EXPECT_NE(recursive.messages.find("t.asm:11:1: error: call is recursive"), std::string::npos)
      << recursive.messages;
  const Lowered nowhere(head + "label l1\nret\n");
  EXPECT_FALSE(nowhere.ok);
}

TEST(Subroutines, ExpansionIsBounded) {
  std::string text = "ps_5_0\ndcl_output o0.x\ndcl_temps 1\nmov o0.x, l(0)\ncall l0\nret\n";
  for (uint32_t i = 0; i < 30; ++i) {
    text += "label l" + std::to_string(i) + "\n";
    if (i != 29)
      text += std::string("call l") + std::to_string(i + 1) + "\ncall l" + std::to_string(i + 1) + "\n";
    text += "mov r0.x, l(1)\nret\n";
  }
  const Lowered lowered(text);
  EXPECT_FALSE(lowered.ok);
  EXPECT_NE(lowered.messages.find("expand to more than"), std::string::npos) << lowered.messages;
}

// Two classes: one adds 100 to the row of its variables, the other doubles the number of its texture.
constexpr std::string_view kInterfaces =
    "dcl_function_body fb0\ndcl_function_body fb1\ndcl_function_table ft0 = {fb0}\n"
    "dcl_function_table ft1 = {fb1}\ndcl_interface_dynamicindexed fp2[4][1] = {ft0, ft1}\n";
constexpr std::string_view kMethods =
    "label fb0\nmov r0.z, this[r0.x + 2].y\niadd r0.y, r0.z, l(100)\nret\nlabel fb1\n"
    "iadd r0.y, this[r0.x + 2].z, this[r0.x + 2].z\nif_nz v0.x\nret\nendif\nret\n";
constexpr lower::ClassInstance kInstances[] = {{2, 0, 0, 7, 0, 0}, {3, 1, 0, 0, 9, 0}, {5, 0, 0, 11, 0, 0}};

std::string interface_program(std::string_view call) {
  return std::string(kInterfaces) + "mov r0.x, v0.x\nmov r0.y, l(1)\n" + std::string(call) +
         "\nmov o0.x, r0.y\nret\n" + std::string(kMethods);
}

TEST(ClassLinkage, ALiteralInterfaceCallsItsClass) {
  lower::Options options{kInstances};
  EXPECT_EQ(result(interface_program("fcall fp2[0][0]"), 0, options), 107u);
  EXPECT_EQ(result(interface_program("fcall fp2[1][0]"), 1, options), 18u);
}

// The registers of a subroutine are those of the phase that calls it.
TEST(Subroutines, OfHullShadersNeedTheRegistersOfTheirPhase) {
  const auto messages = [](std::string_view declarations, std::string_view body) {
    const Lowered lowered(
        "hs_5_0\nhs_decls\ndcl_input_control_point_count 1\ndcl_output_control_point_count 1\n"
        "dcl_tessellator_domain domain_tri\ndcl_tessellator_partitioning partitioning_integer\n"
        "dcl_tessellator_output_primitive output_triangle_cw\nhs_control_point_phase\n"
        "dcl_output o0.xyzw\ndcl_temps 1\ndcl_indexableTemp x0[4], 4\nmov o0.xyzw, l(0,0,0,0)\nret\n"
        "hs_fork_phase\ndcl_output_siv o0.x, finalTriInsideTessFactor\n" +
        std::string(declarations) + "mov o0.x, l(1.0)\ncall l0\nret\nlabel l0\n" + std::string(body) +
        "ret\n");
    return lowered.messages;
  };
  constexpr std::string_view kArray = "dcl_indexableTemp x0[2], 2\n";
  EXPECT_EQ(messages(kArray, "mov x0[1].xy, l(1,2,0,0)\nmov o0.x, x0[1].y\n"), "");
  EXPECT_NE(messages("", "mov x0[1].xy, l(1,2,0,0)\n").find("uses undeclared register x0"),
            std::string::npos);
  EXPECT_NE(messages(kArray, "mov x0[2].xy, l(1,2,0,0)\n").find("uses undeclared register x0"),
            std::string::npos);
  EXPECT_NE(messages(kArray, "mov o0.x, x0[1].z\n").find("uses undeclared register x0"), std::string::npos);
  EXPECT_NE(messages("", "mov o0.xy, l(1,2,0,0)\n").find("uses undeclared register o0"), std::string::npos);
}

// D3D11.3 functional specification 22.7.19: fp2[1] and fp3[0] are the same.
TEST(ClassLinkage, AnyInterfaceOfAnArrayIsDeclared) {
  lower::Options options{kInstances};
  EXPECT_EQ(result(interface_program("fcall fp3[0][0]"), 1, options), 18u);
  const std::string program = interface_program("fcall fp3[r0.x + 0][0]");
  EXPECT_EQ(result(program, 0, options), 18u);
  EXPECT_EQ(result(program, 2, options), 111u);
  EXPECT_EQ(result(program, 3, options), 1u) << "beyond fp5";
}

TEST(ClassLinkage, ARunTimeNumberChoosesAmongInstances) {
  lower::Options options{kInstances};
  const std::string program = interface_program("fcall fp2[r0.x + 0][0]");
  EXPECT_EQ(result(program, 0, options), 107u);
  EXPECT_EQ(result(program, 1, options), 18u);
  EXPECT_EQ(result(program, 3, options), 111u);
  EXPECT_EQ(result(program, 2, options), 1u);  // nothing is bound there
}

TEST(ClassLinkage, UnresolvedInterfacesAreErrors) {
  const std::string head = "ps_5_0\ndcl_input_ps constant v0.x\ndcl_output o0.x\ndcl_temps 3\n";
  const Lowered none(head + interface_program("fcall fp2[0][0]"));
  EXPECT_NE(none.messages.find("needs a class instance for fp2 (texlate translate --class)"),
            std::string::npos);
  const lower::ClassInstance wrong[] = {{2, 5, 0, 0, 0, 0}};
  const Lowered other(head + interface_program("fcall fp2[0][0]"), {wrong});
  EXPECT_NE(other.messages.find("ft5, which is not a class of its interface"), std::string::npos)
      << other.messages;
}

TEST(ClassLinkage, MethodsNameTheirResourcesByThis) {
  const std::string head = "ps_5_0\ndcl_input_ps constant v0.x\ndcl_output o0.x\ndcl_temps 3\n";
  const std::string methods =
      "label fb0\nmov r0.zw, this[r0.x + 2].zzzw\nmov r1.z, r0.z\n"
      "sample_indexable(texture2d)(float,float,float,float) r0.y, l(0.5, 0.5, 0, 0), t[r1.z + 0].yxzw, "
      "s[r0.w + 0]\n"
      "mov r1.x, this[r0.x + 2].x\nmov r1.y, this[r0.x + 2].y\nadd r0.y, r0.y, cb[r1.x + 0][r1.y + "
      "1].x\nret\n"
      "label fb1\nret\n";
  const lower::ClassInstance instances[] = {{2, 0, 3, 4, 17, 2}};
  const std::string program =
      head + std::string(kInterfaces) + "mov r0.x, l(0)\nfcall fp2[0][0]\nmov o0.x, r0.y\nret\n" + methods;
  const Lowered lowered(program, {instances});
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  ASSERT_EQ(lowered.module.resources.size(), 1u);
  EXPECT_EQ(lowered.module.resources[0].id, 17u);
  EXPECT_EQ(lowered.module.samplers.at(0).id, 2u);
  EXPECT_EQ(lowered.module.constant_buffers.at(0).id, 3u);
  const ir::Instruction& load = *lowered.all(Op::cb_load).at(0);
  EXPECT_NE(lowered.module.operands_of(load)[0], ir::kNoValue);
}

// Compilers inline methods whose class they know, and leave this[] in main.
TEST(ClassLinkage, TheProgramItselfReadsThisToo) {
  const std::string text =
      "ps_5_0\ndcl_constantbuffer cb1[4], dynamicIndexed\ndcl_function_table ft0 = {}\n"
      "dcl_interface fp2[1][0] = {ft0}\ndcl_output o0.x\ndcl_temps 2\n"
      "mov r1.xy, this[2].yxyy\nmov o0.x, cb[r1.y + 0][r1.x + 0].x\nret\n";
  const lower::ClassInstance instances[] = {{2, 0, 1, 3, 0, 0}};
  const Lowered lowered(text, {instances});
  ASSERT_TRUE(lowered.ok) << lowered.messages;
  const ir::Instruction& load = *lowered.all(Op::cb_load).at(0);
  EXPECT_EQ(lowered.module.constant_bits(lowered.module.operands_of(load)[0]), 3u);
  const Lowered none(text);
  EXPECT_NE(none.messages.find("7:12: error: mov needs a class instance (texlate translate --class)"),
            std::string::npos)
      << none.messages;
}

TEST(SwitchFallThrough, RunsTheFollowingArms) {
  const char* body =
      "mov r0.x, l(0)\nswitch v0.x\ncase l(1)\niadd r0.x, r0.x, l(1)\ncase l(2)\niadd r0.x, r0.x, l(10)\n"
      "case l(3)\ncase l(4)\niadd r0.x, r0.x, l(100)\nbreak\ndefault\niadd r0.x, r0.x, l(1000)\nendswitch\n"
      "mov o0.x, r0.x\nret\n";
  EXPECT_EQ(result(body, 1), 111u);
  EXPECT_EQ(result(body, 2), 110u);
  EXPECT_EQ(result(body, 3), 100u);
  EXPECT_EQ(result(body, 4), 100u);
  EXPECT_EQ(result(body, 9), 1000u);
}

TEST(SwitchFallThrough, OutOfConstructsAndIntoTheLastArm) {
  const char* body =
      "mov r0.x, l(0)\nswitch v0.x\ncase l(1)\nif_nz v0.x\niadd r0.x, r0.x, l(1)\nelse\nbreak\nendif\n"
      "default\nloop\niadd r0.x, r0.x, l(10)\nige r0.y, r0.x, l(30)\nbreakc_nz r0.y\nendloop\nendswitch\n"
      "mov o0.x, r0.x\nret\n";
  EXPECT_EQ(result(body, 1), 31u);
  EXPECT_EQ(result(body, 5), 30u);
}

}  // namespace
}  // namespace texlate::test
