// The text of a module, and the registers and labels that it uses.
//
// Registers: value n is %r<n> (b32), %rd<n> (b64) or %p<n> (b1); temporaries are %t<n>, %td<n>, %tp<n>, %h<n>
// (b16). All 32-bit registers are untyped, as the IR's values are; the instruction gives them a type.
#pragma once

#include <array>
#include <charconv>
#include <cstring>
#include <string_view>
#include <type_traits>

#include "ir/base/buffer.h"
#include "ir/module.h"

namespace texlate::ptx {

using ir::Instruction;
using ir::Op;
using ir::Value;

/// A value whose constants are spelled as the letter says (ir/ops.inc).
template <char letter>
struct Spelled {
  Value value;
};
using Int = Spelled<'i'>;     // decimal or hexadecimal
using Float = Spelled<'f'>;   // 0f3F800000
using Double = Spelled<'d'>;  // 0d...
using Pred = Spelled<'p'>;    // %p<n>; constants are registers that the prologue sets
/// As one of these.
struct Operand {
  Value value;
  char letter;
};

/// A temporary or a label, by its number among those of its kind.
template <typename Kind>
struct Numbered {
  uint32_t n;
};
using Temp = Numbered<struct OfWord>;
using Temp64 = Numbered<struct OfAddress>;
using TempPred = Numbered<struct OfPredicate>;
using Half = Numbered<struct OfHalf>;
using Mask = Numbered<struct OfLanes>;  // of the lanes on a path
using Label = Numbered<struct OfCode>;
inline constexpr Label kExitLabel = {0};  // LEXIT, the end of the program

/// The lowest digits of a number, in hexadecimal.
struct Hex {
  uint64_t bits;
  uint32_t digits;
};
/// `count` consecutive values, at most four: a vector, or a register.
struct Words {
  Value first;
  uint32_t count;
};
/// An address with a displacement.
struct MemoryPlace {
  Value address;
  uint32_t displacement;
};
/// "@%p<n> ", the guard of the line; nothing for kNoValue.
struct Guard {
  Value value;
};

/// When an access takes effect: if its guard is true, and, for pixels and vertices, if they are not
/// helpers.
struct Effect {
  Value guard = ir::kNoValue;
  bool is_live = false;  // the condition is only %live
  bool is_both = false;  // `both` is their conjunction
  TempPred both = {0};
  bool is_conditional() const { return guard != ir::kNoValue || is_live; }
};

/// A binding record: at a known place in the parameter block, or, for a run-time index, at a pointer into the
/// block or a table.
struct Record {
  uint32_t base = 0;
  bool dynamic = false;
  Temp64 pointer = {0};
  bool in_table = false;
};

/// The kernel's parameter, and the register for the block's address if the parameter is that address.
inline constexpr std::string_view kParameters = "texlate_params";
inline constexpr std::string_view kBlock = "%block";

// ---- numbers, for a writer that has reserved the space

namespace detail {
/// "00" to "99".
inline constexpr auto kPairs = [] {
  std::array<char, 200> pairs{};
  for (unsigned i = 0; i < 100; ++i) {
    pairs[2 * i] = static_cast<char>('0' + i / 10);
    pairs[2 * i + 1] = static_cast<char>('0' + i % 10);
  }
  return pairs;
}();
}  // namespace detail

/// In decimal, at most ten characters; returns the end. Registers usually have up to four digits.
inline char* write_number(char* at, uint32_t number) {
  const auto pair = [](char* to, uint32_t two) { std::memcpy(to, &detail::kPairs[2 * size_t{two}], 2); };
  if (number < 10) {
    *at = static_cast<char>('0' + number);
    return at + 1;
  }
  if (number < 100) {
    pair(at, number);
    return at + 2;
  }
  if (number < 1000) {
    *at = static_cast<char>('0' + number / 100);
    pair(at + 1, number % 100);
    return at + 3;
  }
  if (number < 10000) {
    pair(at, number / 100);
    pair(at + 2, number % 100);
    return at + 4;
  }
  return std::to_chars(at, at + 10, number).ptr;
}

/// `digits` of the lowest hexadecimal digits, in capitals; returns the end.
inline char* write_hex(char* at, uint64_t bits, uint32_t digits) {
  for (uint32_t i = digits; i-- != 0;) *at++ = "0123456789ABCDEF"[(bits >> (4 * i)) & 15];
  return at;
}

class Text {
 public:
  /// `block`: the address of the parameter block.
  Text(const ir::Module& module, std::string_view block)
      : block_(block), module_(module), body_(module.memory()) {}

  Temp temp() { return {temps_++}; }
  Temp64 temp64() { return {temps64_++}; }
  TempPred temp_pred() { return {temp_preds_++}; }
  Half half() { return {halves_++}; }
  /// The first of so many consecutive ones.
  Label labels(uint32_t count) { return {(labels_ += count) - count}; }
  Mask masks(uint32_t count) { return {(masks_ += count) - count}; }

  // put() appends parts: text, numbers, operands, registers, labels.
  template <typename... Parts>
  void put(const Parts&... parts) {
    const size_t room = (most(parts) + ...);
    char* const start = body_.extend(room);
    char* at = start;
    ((at = write(at, parts)), ...);
    body_.shrink(room - static_cast<size_t>(at - start));
  }
  /// One line: a tab, the parts in order, and a semicolon.
  template <typename... Parts>
  void line(const Parts&... parts) {
    put('\t', parts..., ";\n");
  }
  void place(Label l) { put(l, ":\n"); }
  void declare_registers();
  uint32_t mask_count() const { return masks_; }
  /// Registers for the constants true and false.
  void declare_constants();
  void set_constants();

  /// Takes the text that has been written.
  Buffer<char> take() {
    Buffer<char> text(module_.memory());
    text.swap(body_);
    return text;
  }
  void reserve(size_t size) { body_.reserve(size); }
  uint32_t lines() const { return lines_; }

  // For lines whose space is reserved once.
  char* extend(size_t room) { return body_.extend(room); }
  void shrink(size_t room) { body_.shrink(room); }
  template <size_t N>
  char* write(char* at, const char (&text)[N]) {
    if constexpr (N > 1) {
      if (text[N - 2] == '\n') ++lines_;
    }
    std::memcpy(at, text, N - 1);
    return at + N - 1;
  }
  char* write(char* at, std::string_view text) {
    if (text.ends_with('\n')) ++lines_;
    std::memcpy(at, text.data(), text.size());
    return at + text.size();
  }
  char* write(char* at, char c) {
    if (c == '\n') ++lines_;
    *at = c;
    return at + 1;
  }
  char* write(char* at, uint32_t number) { return write_number(at, number); }
  char* write(char* at, Int operand);
  char* write(char* at, Float operand);
  char* write(char* at, Double operand);
  char* write(char* at, Pred operand);
  char* write(char* at, Operand operand) {
    switch (operand.letter) {
      case 'f': return write(at, Float{operand.value});
      case 'd': return write(at, Double{operand.value});
      case 'p': return write(at, Pred{operand.value});
      default: return write(at, Int{operand.value});
    }
  }
  char* write(char* at, Temp t) { return write_register(at, "%t", t.n); }
  char* write(char* at, Temp64 t) { return write_register(at, "%td", t.n); }
  char* write(char* at, TempPred t) { return write_register(at, "%tp", t.n); }
  char* write(char* at, Half h) { return write_register(at, "%h", h.n); }
  char* write(char* at, Mask m) { return write_register(at, "%m", m.n); }
  char* write(char* at, Label l) {
    return l.n == kExitLabel.n ? write(at, "LEXIT") : write_register(at, "L", l.n);
  }
  char* write(char* at, Hex number) { return write_hex(at, number.bits, number.digits); }
  char* write(char* at, Words words);
  char* write(char* at, MemoryPlace place) {
    return write(write(write(at, Double{place.address}), '+'), place.displacement);
  }
  char* write(char* at, Guard guard) {
    return guard.value == ir::kNoValue ? at : write(write(write(at, '@'), Pred{guard.value}), ' ');
  }
  char* write(char* at, const Effect& effect) {
    return effect.is_both   ? write(at, effect.both)
           : effect.is_live ? write(at, "%live")
                            : write(at, Pred{effect.guard});
  }
  char* write(char* at, const Record& record) {
    return record.dynamic ? write(at, record.pointer) : write(at, block_);
  }

 private:
  template <size_t N>
  static char* write_register(char* at, const char (&name)[N], uint32_t number) {
    std::memcpy(at, name, N - 1);
    return write_number(at + N - 1, number);
  }
  template <size_t N>
  static char* write_register(char* at, const char (&name)[N], Value value) {
    return write_register(at, name, value.number());
  }
  /// The most characters that a part can have.
  template <typename Part>
  static size_t most(const Part& part) {
    if constexpr (std::is_array_v<Part>) {
      return sizeof(Part) - 1;
    } else if constexpr (std::is_convertible_v<const Part&, std::string_view>) {
      return std::string_view(part).size();
    } else if constexpr (std::is_same_v<Part, Words>) {
      return 80;
    } else if constexpr (std::is_same_v<Part, MemoryPlace>) {
      return 40;
    } else {
      return 20;
    }
  }

  const std::string_view block_;
  const ir::Module& module_;
  Buffer<char> body_;
  uint32_t lines_ = 0;  // written so far
  uint32_t temps_ = 0, temps64_ = 0, temp_preds_ = 0, halves_ = 0, labels_ = 1, masks_ = 1;
  bool needs_true_ = false, needs_false_ = false;
};

}  // namespace texlate::ptx
