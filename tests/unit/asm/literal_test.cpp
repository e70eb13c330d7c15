#include "frontend/asm/literal.h"

#include <gtest/gtest.h>

#include <bit>
#include <cstdlib>
#include <limits>
#include <random>
#include <string_view>

namespace texlate::assembly {
namespace {

uint32_t read(std::string_view text) {
  const char* at = text.data();
  uint32_t bits = 0xdeadbeef;
  EXPECT_EQ(read_literal(at, text.data() + text.size(), bits), LiteralError::none) << text;
  EXPECT_EQ(at, text.data() + text.size()) << text;
  return bits;
}

std::string print(uint32_t bits, LiteralKind kind, bool exact = false) {
  std::pmr::string out;
  print_literal(bits, kind, {.exact = exact}, out);
  return std::string(out);
}

uint32_t bits_of(float value) {
  return std::bit_cast<uint32_t>(value);
}

TEST(Literal, Reads) {
  EXPECT_EQ(read("0.000000"), 0u);
  EXPECT_EQ(read("-0.000000"), 0x80000000u);
  EXPECT_EQ(read("0.333333"), bits_of(0.333333f));
  EXPECT_EQ(read("-1"), 0xffffffffu);
  EXPECT_EQ(read("4294967295"), 0xffffffffu);
  EXPECT_EQ(read("0x7fFFffff"), 0x7fffffffu);
  EXPECT_EQ(read("1.000000012E-007"), bits_of(1e-7f));
  EXPECT_EQ(read("--0.229850411"), bits_of(-0.229850411f));
  EXPECT_EQ(read("340282346638528860000000000000000000000.000000"), 0x7f7fffffu);
  EXPECT_EQ(read("1.#INF00"), 0x7f800000u);
  EXPECT_EQ(read("-1.#INF0000"), 0xff800000u);
  EXPECT_EQ(read("1.#QNAN0") & 0x7fc00000u, 0x7fc00000u);
  EXPECT_EQ(read("-nan(ind)") & 0xffc00000u, 0xffc00000u);
  EXPECT_EQ(read("2.0f"), 0x40000000u);
  EXPECT_EQ(read("64.f"), bits_of(64.f));
  EXPECT_EQ(read("1.00000000e+01"), bits_of(10.f));
  EXPECT_EQ(read("1e-45"), 1u);
  EXPECT_EQ(read("1e-99"), 0u);
  EXPECT_EQ(read("1e99"), 0x7f800000u);
}

TEST(Literal, TiesGoAwayFromZeroOrToEvenByDialect) {
  const auto print_even = [](float value) {
    std::pmr::string out;
    print_literal(bits_of(value), LiteralKind::float_, {.ties_to_even = true}, out);
    return std::string(out);
  };
  EXPECT_EQ(print(bits_of(18.8515625f), LiteralKind::float_), "18.851563");
  EXPECT_EQ(print_even(18.8515625f), "18.851562");  // as in listings of compiler 10.1 in SDL
  EXPECT_EQ(print_even(-18.8515625f), "-18.851562");
  EXPECT_EQ(print_even(0.0078125f), "0.007812");
  EXPECT_EQ(print_even(0.0234375f), "0.023438");   // rounding to even rounds up here
  EXPECT_EQ(print_even(0.00781251f), "0.007813");  // not a tie
  EXPECT_EQ(print_even(0.9999995f), "1.000000");
}

TEST(Literal, ReadsEverySixDecimalNumberAsStrtofDoes) {
  std::mt19937 random(1);
  for (int i = 0; i < 200000; ++i) {
    char text[32];
    const auto next = [&random] { return static_cast<uint32_t>(random()); };
    const uint32_t whole = next() % (1u << (next() % 30));
    const int width = static_cast<int>(1 + next() % 9);
    snprintf(text, sizeof text, "%u.%0*u", whole, width, next() % 1000000);
    EXPECT_EQ(read(text), bits_of(std::strtof(text, nullptr))) << text;
  }
}

TEST(Literal, Refuses) {
  for (std::string_view text :
       {"", "-", "abc", "0x", "1.5.2", "12ab", "0xfffffffff", "4294967296", "-2147483649", "1.#"}) {
    const char* at = text.data();
    uint32_t bits = 0;
    EXPECT_NE(read_literal(at, text.data() + text.size(), bits), LiteralError::none) << text;
  }
}

TEST(Literal, PrintsAsFxcDoes) {
  EXPECT_EQ(print(bits_of(1.f), LiteralKind::float_), "1.000000");
  EXPECT_EQ(print(bits_of(1e-7f), LiteralKind::float_), "0.000000");
  EXPECT_EQ(print(bits_of(1.f / 128), LiteralKind::float_), "0.007813");
  EXPECT_EQ(print(bits_of(0.99999999f), LiteralKind::float_), "1.000000");
  EXPECT_EQ(print(bits_of(999999.96f), LiteralKind::float_), "999999.937500");
  EXPECT_EQ(print(0x7f7fffffu, LiteralKind::float_), "340282346638528860000000000000000000000.000000");
  EXPECT_EQ(print(0x80000000u, LiteralKind::untyped), "-0.000000");
  EXPECT_EQ(print(0x7fffffffu, LiteralKind::untyped), "0x7fffffff");
  EXPECT_EQ(print(0xccccu, LiteralKind::untyped), "0x0000cccc");
  EXPECT_EQ(print(15, LiteralKind::untyped), "15");
  EXPECT_EQ(print(0xffffffffu, LiteralKind::untyped), "-1");
  EXPECT_EQ(print(0x3f800000u, LiteralKind::untyped), "1.000000");
  EXPECT_EQ(print(0x3f800000u, LiteralKind::integer), "0x3f800000");
  EXPECT_EQ(print(9999, LiteralKind::integer), "9999");
  EXPECT_EQ(print(10000, LiteralKind::integer), "0x00002710");
}

TEST(Literal, ExactPrintReadsBackToTheSameBits) {
  std::mt19937 random(2);
  for (int i = 0; i < 300000; ++i) {
    const uint32_t bits = i < 512 ? static_cast<uint32_t>(i) << 23 : static_cast<uint32_t>(random());
    for (LiteralKind kind : {LiteralKind::float_, LiteralKind::integer, LiteralKind::untyped}) {
      const std::string text = print(bits, kind, true);
      ASSERT_EQ(read(text), bits) << text;
    }
    std::pmr::string text;
    const uint64_t wide = (uint64_t{random()} << 32) | bits;
    print_double(wide, {.exact = true}, text);
    const char* at = text.data();
    uint64_t back = 0;
    ASSERT_EQ(read_double(at, text.data() + text.size(), back), LiteralError::none) << text;
    ASSERT_EQ(back, wide) << text;
  }
}

}  // namespace
}  // namespace texlate::assembly
