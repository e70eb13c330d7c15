// The text form, against SPIRV-Tools: forms that the other tests' modules do not have. Every other test of
// this program compares the text of its modules, too (tests/support/spirv_text.h).

#include "backend/spirv/disassembler.h"

#include "tests/support/spirv_text.h"

namespace texlate::spirv {
namespace {

const std::string kHead =
    "OpCapability Shader\nOpCapability Float64\nOpCapability Float16\nOpCapability Int64\nOpCapability "
    "Int16\n"
    "%glsl = OpExtInstImport \"GLSL.std.450\"\nOpMemoryModel Logical GLSL450\n";

std::vector<uint32_t> assembled(const std::string& text) {
  std::vector<uint32_t> words;
  spvtools::SpirvTools tools(SPV_ENV_UNIVERSAL_1_6);
  tools.SetMessageConsumer([](spv_message_level_t, const char*, const spv_position_t&, const char* message) {
    ADD_FAILURE() << message;
  });
  if (tools.Assemble(kHead + text, &words))
    words[2] = 0;  // not of SPIRV-Tools, but of a tool that is not registered
  return words;
}

TEST(SpirvText, Numbers) {
  std::string text =
      "%f = OpTypeFloat 32\n%d = OpTypeFloat 64\n%h = OpTypeFloat 16\n%i = OpTypeInt 32 1\n%u = OpTypeInt 32 "
      "0\n"
      "%l = OpTypeInt 64 1\n%m = OpTypeInt 64 0\n%s = OpTypeInt 16 1\n%t = OpTypeInt 16 0\n";
  int n = 0;
  const auto constant = [&](const std::string& type, const std::string& value) {
    text += "%c" + std::to_string(n++) + " = OpConstant %" + type + " " + value + "\n";
  };
  for (const char* value : {"0", "-0", "1", "-1.5", "0.1", "0.333333343", "1e10", "1e-10", "3.40282347e38",
                            "1.17549435e-38", "16777216", "123456789", "0x1p-149", "0x1.fffffcp-127",
                            "-0x1.8p-130", "0x1p+128", "-0x1p+128", "0x1.8p+128", "0x1.000002p+128"})
    constant("f", value);
  for (const char* value : {"0", "-0", "0.1", "-2.5e300", "2.2250738585072014e-308", "0x1p-1074",
                            "0x1.ffffffffffffep-1023", "0x1p+1024", "0x1.8p+1024", "1e16", "1e17"})
    constant("d", value);
  for (const char* value :
       {"0", "-0", "1", "0.1", "-65504", "0x1p-24", "0x1.ff8p-15", "0x1p+16", "0x1.8p+16"})
    constant("h", value);
  for (const char* value : {"0", "-1", "2147483647", "-2147483648"}) constant("i", value);
  for (const char* value : {"0", "4294967295"}) constant("u", value);
  for (const char* value : {"-1", "9223372036854775807", "-9223372036854775808"}) constant("l", value);
  constant("m", "18446744073709551615");
  for (const char* value : {"-1", "-32768", "32767"}) constant("s", value);
  constant("t", "65535");
  EXPECT_NE(to_text(assembled(text)), "");
}

// Names of OpName win over built-ins, and both over what a value is. Equal names get numbers, which may be in
// use.
TEST(SpirvText, Names) {
  const std::string text = to_text(assembled(
      "OpName %a \"x y\"\nOpName %b \"x_y_0\"\nOpName %c \"x_y\"\nOpName %e \"x-y\"\nOpName %g \"\"\nOpName "
      "%k \"17\"\n"
      "OpDecorate %a BuiltIn Position\nOpDecorate %v BuiltIn Position\nOpDecorate %w BuiltIn Position\n"
      "OpDecorate %z BuiltIn FragCoord\nOpDecorate %q BuiltIn VertexIndex\nOpDecorate %r BuiltIn BaseVertex\n"
      "%f = OpTypeFloat 32\n%p = OpTypePointer Input %f\n%o = OpTypePointer Output %f\n%bool = OpTypeBool\n"
      "%a = OpVariable %p Input\n%b = OpVariable %p Input\n%c = OpVariable %p Input\n%e = OpVariable %p "
      "Input\n"
      "%g = OpVariable %p Input\n%k = OpVariable %p Input\n%v = OpVariable %o Output\n%w = OpVariable %o "
      "Output\n"
      "%z = OpVariable %p Input\n%q = OpVariable %p Input\n%r = OpVariable %p Input\n%t = OpConstantTrue "
      "%bool\n"
      "%y = OpConstantFalse %bool\n%n = OpConstant %f -1.5\n%n2 = OpConstant %f -1.5\n%m = OpTypeVector %f "
      "4\n"
      "%x = OpTypeMatrix %m 3\n%u = OpTypeInt 32 0\n%u5 = OpConstant %u 5\n%array = OpTypeArray %x %u5\n"
      "%run = OpTypeRuntimeArray %u\n%st = OpTypeStruct %array %run\n"));
  for (const char* name :
       {"x_y", "x_y_0", "x_y_1", "x_y_2", "%_ ", "gl_Position_0", "float_n1_5_0", "_arr_mat3v4float_uint_5"})
    EXPECT_NE(text.find(name), std::string::npos) << name;
}

TEST(SpirvText, Operands) {
  to_text(assembled(
      "OpExtension \"SPV_\\\\KHR\\\"x\"\nOpEntryPoint GLCompute %main \"a \\\"b\\\" \\\\c\"\nOpExecutionMode "
      "%main LocalSize 8 4 1\n"
      "%file = OpString \"1234\"\nOpSource HLSL 500 %file \"text\"\nOpDecorate %st Block\nOpMemberDecorate "
      "%st 0 Offset 0\n"
      "%void = OpTypeVoid\n%fn = OpTypeFunction %void\n%u = OpTypeInt 32 0\n%i = OpTypeInt 32 1\n%l = "
      "OpTypeInt 64 1\n%f = OpTypeFloat 32\n"
      "%v = OpTypeVector %f 4\n%st = OpTypeStruct %u\n%sp = OpTypePointer StorageBuffer %st\n%up = "
      "OpTypePointer StorageBuffer %u\n"
      "%b = OpVariable %sp StorageBuffer\n%u0 = OpConstant %u 0\n%i1 = OpConstant %i -1\n%l1 = OpConstant %l "
      "-1\n%f1 = OpConstant %f 1\n"
      "%sc = OpSpecConstant %u 3\n%so = OpSpecConstantOp %u IAdd %sc %u0\n%vc = OpConstantComposite %v %f1 "
      "%f1 %f1 %f1\n"
      "%img = OpTypeImage %f 2D 0 0 0 2 R32f\n%main = OpFunction %void None|Pure %fn\n%entry = OpLabel\n"
      "OpLine %file 3 4\n%chain = OpAccessChain %up %b %u0\n%load = OpLoad %u %chain Aligned|Volatile "
      "16\nOpNoLine\n"
      "OpStore %chain %load None\n%sh = OpVectorShuffle %v %vc %vc 0 1 0xffffffff 7\n%ex = OpExtInst %f "
      "%glsl FClamp %f1 %f1 %f1\n"
      "OpSelectionMerge %merge DontFlatten\nOpSwitch %i1 %merge -5 %one 7 %merge\n%one = OpLabel\nOpBranch "
      "%merge\n"
      "%merge = OpLabel\nOpSelectionMerge %last None\nOpSwitch %l1 %last -5000000000 %last\n%last = OpLabel\n"
      "OpMemoryBarrier %u0 %u0\nOpReturn\nOpFunctionEnd\n"));
}

TEST(SpirvText, NoModule) {
  const auto fails = [](std::vector<uint32_t> words) {
    std::pmr::string text;
    return !disassemble(words, text);
  };
  const std::vector<uint32_t> good = assembled("%void = OpTypeVoid\n");
  const auto with = [&](std::initializer_list<uint32_t> line) {
    std::vector<uint32_t> words = good;
    words.insert(words.end(), line);
    return words;
  };
  EXPECT_FALSE(fails(good));
  EXPECT_TRUE(fails({}));
  EXPECT_TRUE(fails({0x07230203, 0x10000, 0, 1}));
  EXPECT_TRUE(fails(with({0}))) << "an instruction of no words";
  EXPECT_TRUE(fails(with({0x2003b, 1}))) << "OpVariable without its operands";
  EXPECT_TRUE(fails(with({0x20011}))) << "words are missing";
  EXPECT_TRUE(fails(with({0x1ffff}))) << "no such opcode";
  EXPECT_TRUE(fails(with({0x20011, 0xffff}))) << "no such capability";
  EXPECT_TRUE(fails(with({0x20013, 1000}))) << "an id beyond the bound";
  EXPECT_TRUE(fails(with({0x2000a, 0x41414141}))) << "a string without an end";
  EXPECT_TRUE(fails(with({0x100fd, 0x100fd, 0x200fd, 1}))) << "an operand too many";
}

}  // namespace
}  // namespace texlate::spirv
