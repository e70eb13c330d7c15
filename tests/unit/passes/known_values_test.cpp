// What KnownValues says holds for every input: random programs, computed by the interpreter's operations.
// What it should find out: a table.

#include "ir/passes/known_values.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <random>

#include "sim/ir/decode.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

constexpr uint32_t kLanes = 16;
using Lanes = std::array<uint32_t, kLanes>;

// Around 0, every power of two and what they mean as floats, so that sums and products just wrap.
constexpr uint32_t kWords[] = {
    0,          1,          2,          3,          5,          7,          8,          31,
    32,         33,         0x7f,       0x80,       0xff,       0x7fff,     0x8000,     0xffff,
    0x10000,    0x10001,    0x7fffff,   0x800000,   0x1000000,  0x7ffffffe, 0x7fffffff, 0x80000000,
    0x80000001, 0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000, 0x3f000000, 0xbf000000, 0x40200000,
    0xc0200000, 0x4f000000, 0xcf000000, 0x4f7fffff, 0x4f800000, 0x7f7fffff, 0xff7fffff, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc12345, 0x00000001, 0x33800000};

constexpr Op kOps[] = {
    Op::and_, Op::or_,    Op::xor_,     Op::iadd,  Op::imul,   Op::imad,  Op::isub,   Op::shl,  Op::ushr,
    Op::ishr, Op::udiv,   Op::urem,     Op::imin,  Op::imax,   Op::umin,  Op::umax,   Op::ubfe, Op::popcount,
    Op::not_, Op::select, Op::f32tof16, Op::fsat,  Op::utof,   Op::itof,  Op::fmin,   Op::fmax, Op::fadd,
    Op::fmul, Op::ffma,   Op::fneg,     Op::frint, Op::ffloor, Op::fceil, Op::ftrunc, Op::ftou, Op::ftoi};

/// A body of random operations on four inputs, constants and each other.
std::string random_body(std::mt19937& random) {
  std::string body;
  uint32_t next = 0;
  std::vector<uint32_t> numbers, predicates;
  for (const char c : std::string("xyzw")) {
    body += fmt::format("  %{} = input v0.{}\n", next, c);
    numbers.push_back(next++);
  }
  const auto any = [&](const auto& list) { return list[random() % std::size(list)]; };
  const auto number = [&] {
    if (random() % 2 == 0) return fmt::format("0x{:08x}", any(kWords));
    // The latest are taken more often, so that chains get long.
    const size_t back =
        random() % 2 == 0 ? random() % std::min<size_t>(numbers.size(), 3) : random() % numbers.size();
    return fmt::format("%{}", numbers[numbers.size() - 1 - back]);
  };
  for (uint32_t n = 0; n < 14; ++n) {
    if (predicates.empty() || n % 5 == 4) {
      body += fmt::format("  %{} = ult.u32 {}, {}\n", next, number(), number());
      predicates.push_back(next++);
    }
    const OpInfo& operation = info(any(kOps));
    body += fmt::format("  %{} = {}", next, operation.text);
    for (size_t i = 0; i < operation.operands.size(); ++i) {
      body += i == 0 ? " " : ", ";
      body += operation.operands[i] == 'p' ? fmt::format("%{}", any(predicates)) : number();
    }
    body += '\n';
    numbers.push_back(next++);
  }
  return body;
}

void expect_holds(const Known& known, uint32_t bits, const std::string& where) {
  EXPECT_LE(bits, known.greatest) << where;
  EXPECT_GE(bits == 0 ? 32 : std::countr_zero(bits), known.zeros) << where;
  if (known.greatest_signed != Known::kMostShort) {
    EXPECT_LE(static_cast<int32_t>(bits), known.greatest_signed) << where;
  }
  const float number = std::bit_cast<float>(bits);
  if (known.number) {
    EXPECT_TRUE(number >= known.least_float && number <= known.greatest_float)
        << where << number << " is not in " << known.least_float << ", " << known.greatest_float;
  }
}

TEST(KnownValues, HoldForEveryInput) {
  std::mt19937 random(7);
  uint32_t bounds = 0, zeros = 0, numbers = 0, signed_bounds = 0;
  for (uint32_t program = 0; program < 20000 && !HasFailure(); ++program) {
    const std::string body = random_body(random);
    Module module;
    parse_or_fail(with_body(body), module);
    std::pmr::monotonic_buffer_resource arena;
    KnownValues known(module, arena);
    std::vector<Lanes> rows(module.values.size());
    for (const Value value : Indices<Value>(module.values)) {
      if (module.is_constant(value)) rows[value].fill(module.constant_bits(value));
    }
    for (uint32_t i = 0; i < module.code.size(); ++i) {
      const Instruction& instruction = module.code[i];
      Lanes& result = rows[instruction.first_result];
      if (instruction.op == Op::input) {
        for (uint32_t& lane : result)
          lane = random() % 4 == 0 ? random() : kWords[random() % std::size(kWords)];
        continue;
      }
      uint32_t* pointers[5] = {result.data()};
      size_t count = 1;
      for (const Value operand : module.operands_of(instruction)) pointers[count++] = rows[operand].data();
      sim::pure_function(instruction.op)(pointers, kLanes);
      if (module.values[instruction.first_result].type != Type::b32) continue;
      const Known said = known.of(instruction.first_result);
      for (const uint32_t lane : result)
        expect_holds(said, lane,
                     fmt::format("{}%{} is 0x{:08x}: ", body, instruction.first_result.number(), lane));
      bounds += said.greatest != 0xffffffffu ? 1 : 0;
      zeros += said.zeros != 0 ? 1 : 0;
      numbers += said.number ? 1 : 0;
      signed_bounds += said.greatest_signed != Known::kMostShort ? 1 : 0;
    }
  }
  EXPECT_GT(bounds, 50000u);
  EXPECT_GT(zeros, 10000u);
  EXPECT_GT(numbers, 40000u);
  EXPECT_GT(signed_bounds, 4000u);
}

struct Row {
  const char* operation;  // on %4, at most 255; %5, a multiple of 16 up to 4080; %6, 0 to 1; %7, anything
  Known expected;
};

Known known(uint32_t greatest, uint8_t zeros = 0, int16_t greatest_signed = Known::kMostShort) {
  return {greatest, greatest_signed, zeros, false, 0, 0};
}
Known number(float least, float greatest, uint32_t most = 0xffffffffu) {
  return {most, Known::kMostShort, 0, true, least, greatest};
}
constexpr uint32_t kAny = 0xffffffffu;

TEST(KnownValues, AreAsGoodAsTheyCanBe) {
  const Row rows[] = {
      {"and %4, %7", known(255)},
      {"and %7, 0xfff0", known(0xfff0, 4)},
      {"and %5, 0xff00", known(4080, 8)},
      {"or %4, %5", known(4095)},
      {"or %5, 256", known(4095, 4)},
      {"xor %4, 256", known(511)},
      {"iadd %4, %5", known(255 + 4080)},
      {"iadd %5, %5", known(8160, 4)},
      {"iadd %4, 0xffffff00", known(kAny)},
      {"iadd %5, 0xffffff00", known(kAny, 4)},
      {"imul %5, 12", known(4080 * 12, 6)},
      {"imul %5, %5", known(4080 * 4080, 8)},
      {"imul %5, 0x200000", known(kAny, 25)},
      {"imad %4, 16, 8", known(255 * 16 + 8, 3)},
      {"imad %4, 16, 0xffffff00", known(kAny, 4)},
      {"isub %5, 16", known(kAny, 4)},
      {"shl %4, 4", known(4080, 4)},
      {"shl %4, 36", known(4080, 4)},
      {"shl %5, 30", known(kAny, 32)},
      {"shr.u32 %7, 28", known(15)},
      {"shr.u32 %4, %7", known(255)},
      {"shr.s32 %4, 4", known(15)},
      {"shr.s32 %7, 4", known(kAny)},
      {"udiv.u32 %5, 16", known(255)},
      {"udiv.u32 %5, 0", known(kAny)},
      {"urem.u32 %7, 10", known(9)},
      {"urem.u32 %4, 1000", known(255)},
      {"imin.s32 %7, 9", known(kAny, 0, 9)},
      {"imin.s32 %4, 9", known(9, 0, 9)},
      {"umin.u32 %7, 9", known(9)},
      {"umax.u32 %4, 300", known(300)},
      {"imax.s32 %7, 0", known(0x7fffffff)},
      {"bfe.u32 5, %7, %7", known(31)},
      {"popcount %7", known(32)},
      {"f32tof16 %7", known(0xffff)},
      {"fsat.f32 %7", number(0, 1)},
      {"utof.u32 %4", number(0, 255)},
      {"itof.s32 %7", number(-2147483648.0f, 2147483648.0f)},
      {"itof.s32 %4", number(0, 255)},
      {"fadd.f32 %6, 0x40200000", number(2.5f, 3.5f)},
      {"fmul.f32 %6, 0xc0000000", number(-2, 0)},
      {"ffma.f32 %6, 0xc0000000, 0x3f800000", number(-1, 1)},
      {"fneg.f32 %6", number(-1, 0)},
      {"fmin.f32 %6, 0x3f000000", number(0, 0.5f)},
      {"fmax.f32 %6, 0x3f000000", number(0.5f, 1)},
      {"fmin.f32 %7, 0x3f000000", number(-std::numeric_limits<float>::infinity(), 0.5f)},
      {"frint.f32 %6", number(0, 1)},
      {"ftou.u32 %6", known(1)},
      {"ftoi.s32 %6", known(1)},
  };
  for (const Row& row : rows) {
    const std::string body =
        std::string(
            "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n"
            "  %4 = and %0, 255\n  %5 = and %1, 4080\n  %6 = fsat.f32 %2\n  %7 = iadd %3, 0\n  %8 = ") +
        row.operation + "\n";
    Module module;
    parse_or_fail(with_body(body), module);
    if (HasFailure()) return;
    std::pmr::monotonic_buffer_resource arena;
    const Known found = KnownValues(module, arena).of(module.code.back().first_result);
    EXPECT_EQ(found.greatest, row.expected.greatest) << row.operation;
    EXPECT_EQ(found.zeros, row.expected.zeros) << row.operation;
    EXPECT_EQ(found.greatest_signed, row.expected.greatest_signed) << row.operation;
    EXPECT_EQ(found.number, row.expected.number) << row.operation;
    if (!row.expected.number) continue;
    EXPECT_EQ(found.least_float, row.expected.least_float) << row.operation;
    EXPECT_EQ(found.greatest_float, row.expected.greatest_float) << row.operation;
  }
}

// An infinite sum has no bounds: added to another one, it may give NaN.
TEST(KnownValues, InfinitiesMayCancel) {
  Module module;
  parse_or_fail(
      with_body("  %0 = input v0.x\n  %1 = ult.u32 %0, 5\n  %2 = select.b32 %1, 0x7f800000, 0\n"
                "  %3 = select.b32 %1, 0xff800000, 0\n  %4 = fadd.f32 %2, %3\n  %5 = fmax.f32 %4, 0\n"),
      module);
  std::pmr::monotonic_buffer_resource arena;
  KnownValues values(module, arena);
  const auto of = [&](size_t i) { return values.of(module.code[i].first_result); };
  EXPECT_TRUE(of(2).number);
  EXPECT_FALSE(of(4).number);
  EXPECT_TRUE(of(5).number) << "NaN gives the other operand";
  EXPECT_EQ(of(5).least_float, 0.0f);
}

// x and y of a pixel's position are inside every viewport: they convert to integers without a clamp. Nothing
// is known of z and w, and nothing of other inputs.
TEST(KnownValues, PlacesOfPixels) {
  const std::string inputs =
      "input v0.xyzw semantic \"SV_Position\" sv(position) linear_noperspective component_type(3)\n"
      "input v1.xy semantic \"TEXCOORD\" linear component_type(3)\n"
      "code {\n  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n"
      "  %4 = input v1.x\n  %5 = ftou.u32 %0\n}\n";
  using enum KnownValues::Positions;
  for (const auto& [stage, positions] :
       {std::pair("pixel", on_screen), std::pair("pixel", any), std::pair("vertex", on_screen)}) {
    Module module;
    parse_or_fail(std::string("module ") + stage + " 5.0 \"\"\n" + inputs, module);
    std::pmr::monotonic_buffer_resource arena;
    KnownValues values(module, arena, KnownValues::Counters::skipped, positions);
    const auto of = [&](size_t i) { return values.of(module.code[i].first_result); };
    const bool is_known = module.stage == Stage::pixel && positions == on_screen;
    for (size_t i = 0; i < 5; ++i) EXPECT_EQ(of(i).number, is_known && i < 2) << stage << i;
    if (!is_known) continue;
    EXPECT_EQ(of(0).least_float, 0.0f);
    EXPECT_EQ(of(1).greatest_float, 32768.0f);
    EXPECT_EQ(of(5).greatest, 32768u);
  }
}

/// What is known of the counter where the body of the loop uses it, and where it leaves the loop.
uint32_t counted(const std::string& start, const std::string& compare, const std::string& arms,
                 const std::string& step, bool outside = false) {
  const std::string body = "  %0 = input v0.x\n  %1 = loop init(" + start + ")\n    %2 = " + compare +
                           "\n    if %2\n" + arms + "    output o0.x, %1\n    %3 = " + step +
                           "\n    continue yields(%3)\n  endloop\n  output o0.y, %1\n";
  Module module;
  parse_or_fail(with_body(body), module);
  if (testing::Test::HasFailure()) return 0;
  std::pmr::monotonic_buffer_resource arena;
  KnownValues values(module, arena, KnownValues::Counters::found);
  for (uint32_t i = 0; i < module.code.size(); ++i) {
    const Instruction& instruction = module.code[i];
    if (instruction.op != Op::output || (instruction.payload % 4 == 1) != outside) continue;
    values.set_instruction(i);
    return values.greatest(module.operands_of(instruction)[0]);
  }
  ADD_FAILURE() << body;
  return 0;
}

TEST(KnownValues, Counters) {
  const std::string leaves = "      break\n    else\n    endif\n",
                    stays = "    else\n      break\n    endif\n", goes_on = "    else\n    endif\n";
  const std::string one = "iadd %1, 1";
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", leaves, one), 7u);
  EXPECT_EQ(counted("0", "uge.u32 %1, 8", leaves, one), 7u);
  EXPECT_EQ(counted("0", "ilt.s32 %1, 8", stays, one), kAny) << "the body is not in the arm of the `if`";
  EXPECT_EQ(counted("0", "ilt.s32 8, %1", leaves, one), 8u);
  EXPECT_EQ(counted("0", "ilt.s32 %1, 8", leaves, one), kAny) << "it stays where it is at least 8";
  EXPECT_EQ(counted("0", "ige.s32 8, %1", leaves, one), kAny);
  EXPECT_EQ(counted("0", "ige.s32 %1, 0", leaves, one), kAny) << "never below";
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", goes_on, one), kAny) << "nothing leaves the loop";
  EXPECT_EQ(counted("0", "ige.s32 %1, %0", leaves, one), kAny);
  EXPECT_EQ(counted("0", "ige.s32 %0, 8", leaves, one), kAny);
  EXPECT_EQ(counted("%0", "ige.s32 %1, 8", leaves, one), kAny);
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", leaves, "iadd 16777216, %1"), 7u);
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", leaves, "iadd %1, 16777217"), kAny) << "it could wrap";
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", leaves, "iadd %1, 0xffffffff"), kAny) << "it counts down";
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", leaves, "iadd %1, %0"), kAny);
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", leaves, "iadd %0, 1"), kAny);
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", leaves, "imul %1, 2"), kAny);
  EXPECT_EQ(counted("16777216", "ige.s32 %1, 8", leaves, one), 7u);
  EXPECT_EQ(counted("16777217", "ige.s32 %1, 8", leaves, one), kAny) << "signed comparisons of great numbers";
  EXPECT_EQ(counted("0", "ige.s32 %1, 16777217", leaves, one), 16777216u);
  EXPECT_EQ(counted("0", "ige.s32 %1, 16777218", leaves, one), kAny);
  EXPECT_EQ(counted("0", "ige.s32 %1, 8", leaves, one, true), kAny) << "outside it is 8";
}

}  // namespace
}  // namespace texlate::ir
