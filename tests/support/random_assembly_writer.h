// The tools that write every part of a random program: random numbers, lines, and operands from registers
// that hold the right kind of value.
#pragma once

#include <fmt/format.h>

#include <array>
#include <bit>
#include <cstdint>
#include <random>
#include <string>

#include "tests/support/random_assembly.h"

namespace texlate::test {

// Registers by contents, so that most results are determined: r0..r3 small floats, r4..r7 integers, r8 values
// that are only close, r9 conditions and addresses, r10 loop counters, r11 rows of arrays.
constexpr uint32_t kFloats = 0;
constexpr uint32_t kIntegers = 4;
constexpr uint32_t kRegisters = 4;
constexpr uint32_t kClose = 8;
constexpr uint32_t kScratch = 9;
constexpr uint32_t kCounters = 10;
constexpr uint32_t kIndices = 11;
constexpr uint32_t kTemps = 14;
constexpr uint32_t kInputs = 4;
constexpr uint32_t kOutputs = 4;
constexpr uint32_t kRows = 8;       // of cb0 and icb
constexpr uint32_t kArrayRows = 4;  // of x0 and x1
constexpr uint32_t kWordsEach = 8;  // words of a lane in u0 and in g0

class AssemblyWriter {
 public:
  explicit AssemblyWriter(uint64_t seed) : random_(seed) {}

  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  bool chance(uint32_t one_in) { return below(one_in) == 0; }
  bool is_compute() const { return made.stage == sm4::Stage::compute; }
  bool is_pixel() const { return made.stage == sm4::Stage::pixel; }

  template <typename... Args>
  void line(fmt::format_string<Args...> format, Args&&... args) {
    made.text += fmt::format(format, std::forward<Args>(args)...);
    made.text += '\n';
  }

  uint32_t small_float() {
    return std::bit_cast<uint32_t>(static_cast<float>(static_cast<int32_t>(below(65)) - 32) / 4);
  }
  uint32_t word() {
    switch (below(4)) {
      case 0: return below(40);
      case 1: return 0u - below(40);
      case 2: return 1u << below(32);
      default: return static_cast<uint32_t>(random_());
    }
  }
  std::array<uint32_t, 4> float_row() { return {small_float(), small_float(), small_float(), small_float()}; }
  std::array<uint32_t, 4> word_row() { return {word(), word(), word(), word()}; }

  // ---- operands

  std::string literal(bool is_float) { return fmt::format("0x{:08x}", is_float ? small_float() : word()); }
  std::string literals(bool is_float);
  std::string mask();
  std::string swizzle();
  char component() { return "xyzw"[below(4)]; }
  /// A row number in r9.x, usually less than `limit`.
  std::string row(uint32_t limit);
  /// A row of a constant buffer, sometimes outside the bound range.
  std::string beyond(uint32_t limit);
  /// A row of x0 that r11 or x1 holds, perhaps since another region.
  std::string kept_row();
  /// r11 or a row of x1, of which each component is a row: 0 to 3.
  std::string kept_rows();
  std::string registers(bool is_float);
  std::string source(bool is_float);
  std::string scalar(bool is_float) { return fmt::format("{}.{}", registers(is_float), component()); }

  RandomAssembly made;
  bool single = false;  // one thread: every atomic, and its result
  bool uniform = true;  // all lanes reach this place

 private:
  std::mt19937_64 random_;
};

// Statements that read textures and buffers, for any stage.
void read_texture(AssemblyWriter& w);
void read_buffer(AssemblyWriter& w);
// Compute shaders: the lane's words, from byte offset r13.x on; atomics; views.
void use_own_memory(AssemblyWriter& w);
void use_atomics(AssemblyWriter& w);
void use_typed_view(AssemblyWriter& w);
/// The counter of u4. One program allocates or consumes (22.17.17).
void use_counter(AssemblyWriter& w);
/// A neighbor's words, between barriers; all lanes must reach it.
void share_memory(AssemblyWriter& w);

}  // namespace texlate::test
