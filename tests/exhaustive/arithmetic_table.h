// Every pure operation of the IR's table as a line of IR text, and its input words in the arithmetic suites:
// difficult ones in all combinations, and random ones.
#pragma once

#include <fmt/format.h>

#include <random>
#include <string>
#include <vector>

#include "ir/op.h"

namespace texlate::arithmetic {

using ir::Op;

inline constexpr uint32_t kWords[] = {
    0,          1,          2,          31,         32,         33,         63,         0x7f,
    0x80,       0xff,       0x100,      0x1234,     0x7fff,     0x8000,     0xffff,     0x00010000,
    0x12345678, 0x7fffffff, 0x80000000, 0x80000001, 0xfffffffe, 0xffffffff, 0x3f800000, 0xbf800000,
    0x3f000000, 0xbf000000, 0x40490fdb, 0x3fc00000, 0x40200000, 0xc0200000, 0x4b000001, 0x4effffff,
    0x4f000000, 0xcf000000, 0xcf000001, 0x4f7fffff, 0x4f800000, 0x477fe000, 0x477fefff, 0x47800000,
    0x33800000, 0x387fc000, 0x38800000, 0x7f7fffff, 0xff7fffff, 0x00800000, 0x80800000, 0x7f800000,
    0xff800000, 0x7fc00000, 0xffc00000, 0x7fa00001, 0x00000400, 0x00003c00, 0x00007bff, 0x00007c00,
    0x00007e00, 0x0000fc00, 0x00008001, 0x000003ff,
};

/// Is it an operation on values alone? Derivatives and operations with a payload are not.
inline bool is_tested(Op op) {
  const ir::OpInfo& info = ir::info(op);
  if (!info.has(ir::kPure) || info.has(ir::kConvergent) || info.payload != ir::Payload::none) return false;
  return ir::is_arithmetic(info.family);
}

inline bool is_float_op(Op op) {
  return ir::info(op).operands.starts_with('f');
}
inline bool is_denormal(uint32_t word) {
  return (word & 0x7f800000u) == 0 && (word & 0x007fffffu) != 0;
}
inline bool is_nan(uint32_t word) {
  return (word & 0x7fffffffu) > 0x7f800000u;
}

/// Words of an operand: two for a b64.
inline uint32_t words_of(char letter) {
  return ir::type_of_letter(letter) == ir::Type::b64 ? 2 : 1;
}

/// The operation on `in` words of values from %0 on; `results` names the resulting values. The body's own
/// values are numbered from 100 on.
struct OperationText {
  uint32_t in = 0;
  std::string body;
  std::vector<std::string> results;
};

inline OperationText operation_text(Op op) {
  const ir::OpInfo& info = ir::info(op);
  OperationText text;
  std::string operands, results;
  uint32_t next = 100;
  for (char letter : info.operands) {
    operands += operands.empty() ? "" : ", ";
    switch (ir::type_of_letter(letter)) {
      case ir::Type::b32: operands += fmt::format("%{}", text.in); break;
      case ir::Type::b1:
        text.body += fmt::format("  %{} = ine %{}, 0\n", next, text.in);
        operands += fmt::format("%{}", next++);
        break;
      case ir::Type::b64:
        text.body += fmt::format("  %{} = pack.b64 %{}, %{}\n", next, text.in, text.in + 1);
        operands += fmt::format("%{}", next++);
        break;
    }
    text.in += words_of(letter);
  }
  const uint32_t first = next;
  next += static_cast<uint32_t>(info.results.size());
  results = info.results.size() == 1 ? fmt::format("%{}", first) : fmt::format("%{}..%{}", first, next - 1);
  text.body += fmt::format("  {} = {} {}\n", results, info.text, operands);
  for (size_t r = 0; r < info.results.size(); ++r) {
    const uint32_t value = first + static_cast<uint32_t>(r);
    switch (ir::type_of_letter(info.results[r])) {
      case ir::Type::b1:
        text.body += fmt::format("  %{} = mask %{}\n", next, value);
        text.results.push_back(fmt::format("%{}", next++));
        break;
      case ir::Type::b64:
        text.body += fmt::format("  %{}..%{} = unpack.b64 %{}\n", next, next + 1, value);
        text.results.push_back(fmt::format("%{}", next++));
        text.results.push_back(fmt::format("%{}", next++));
        break;
      case ir::Type::b32: text.results.push_back(fmt::format("%{}", value)); break;
    }
  }
  return text;
}

/// All combinations for one and two words, many for three and four; then random ones.
inline std::vector<uint32_t> rows_of(Op op, uint32_t in) {
  std::vector<uint32_t> rows;
  std::mt19937 random(static_cast<uint32_t>(op) + 1);
  const size_t count = std::size(kWords);
  const auto add_all = [&](size_t step) {
    size_t total = 1;
    for (uint32_t i = 0; i < in; ++i) total *= (count + step - 1) / step;
    for (size_t n = 0; n < total; ++n) {
      size_t rest = n;
      for (uint32_t i = 0; i < in; ++i) {
        rows.push_back(kWords[rest % ((count + step - 1) / step) * step % count]);
        rest /= (count + step - 1) / step;
      }
    }
  };
  if (in <= 2) {
    add_all(1);
  } else if (in == 3) {
    add_all(3);
  } else {
    for (int n = 0; n < 20000; ++n) {
      for (uint32_t i = 0; i < in; ++i) rows.push_back(kWords[random() % count]);
    }
  }
  for (int n = 0; n < 4096; ++n) {
    for (uint32_t i = 0; i < in; ++i) {
      // Random bits, or a float of ordinary size.
      const uint32_t bits = random();
      rows.push_back(n % 2 == 0 ? bits : (bits & 0x80ffffffu) | (0x3c + bits % 8) << 24);
    }
  }
  return rows;
}

}  // namespace texlate::arithmetic
