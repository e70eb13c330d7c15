// A decoded instruction word: its operation, the position of its operands, and the registers that it reads
// and writes.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace texlate::sim::maxwell {

constexpr uint8_t kZeroRegister = 255;
constexpr uint8_t kTruePredicate = 7;
constexpr uint8_t kNoBarrier = 7;
constexpr int kBarriers = 6;

enum class Opcode : uint8_t {
#define TEXLATE_OPERATION(opcode, name, operands, immediate, pipe, cc, x) opcode,
#include "sim/maxwell/operation_table.inc"
#undef TEXLATE_OPERATION
  unknown,
};

/// The position of a word's operands.
enum class Form : uint8_t {
  none,         // depends on the operation
  b_register,   // B: register @20; C: register @39
  b_constant,   // B: constant; C: register @39
  c_constant,   // B: register @39; C: constant
  immediate,    // B: 20-bit immediate; C: register @39
  immediate32,  // B: 32-bit immediate
  video,        // B: register @20 or a 16-bit immediate, selected by bit 50; C: register @39
};

/// How a 20-bit immediate is extended.
enum class Immediate : uint8_t { none, integer, unsigned16, float32, float64, bits32, half2 };

/// The unit that executes an instruction; hazards.h says what that means for its results.
enum class Pipe : uint8_t {
  alu,
  range_reduction,  // RRO
  multiply,         // IMUL, IMAD
  special,          // MUFU, conversions, FLO, POPC, S2R
  fp64,
  half,  // HADD2 and similar; inferred from ptxas's barriers for sm_53
  memory,
  texture,
  attribute,
  control,
};

struct Operation {
  Opcode opcode;
  std::string_view name;
  std::string_view operands;  // operation_table.inc
  Immediate immediate;
  Pipe pipe;
  uint8_t cc_write_bit, cc_read_bit;  // 0: none
};
const Operation& operation(Opcode opcode);

/// One slot of a control word.
struct Control {
  uint8_t stall = 0;
  bool yield = false;
  uint8_t write_barrier = kNoBarrier, read_barrier = kNoBarrier;
  uint8_t wait_mask = 0;
  uint8_t reuse = 0;
};

struct RegisterRange {
  uint8_t first = kZeroRegister, count = 0;
};

/// A source: a register, or a value shared by all lanes.
struct Operand {
  enum class Kind : uint8_t { register_, constant, immediate } kind = Kind::register_;
  uint8_t reg = kZeroRegister;
  uint8_t bank = 0;
  int32_t offset = 0;      // bytes
  uint64_t immediate = 0;  // doubles need more than 32 bits
};

class Warp;
struct Instruction;
using Handler = void (*)(Warp&, const Instruction&, uint32_t active);

struct Instruction {
  uint64_t word = 0;
  uint32_t address = 0;  // of the word, in bytes
  Opcode opcode = Opcode::unknown;
  Form form = Form::none;
  Control control;
  uint8_t guard = kTruePredicate;
  bool guard_negated = false;
  Operand b, c;
  Handler run = nullptr;  // null: not executable; `why` gives the reason
  std::string_view why;
  std::array<RegisterRange, 4> reads{};
  std::array<RegisterRange, 2> writes{};
  uint8_t read_count = 0, write_count = 0;
  uint8_t predicates_read = 0, predicates_written = 0;  // bit p: Pp, without the guard
  bool reads_cc = false, writes_cc = false;
  /// A vector with a wrong alignment, or RZ where a value is needed. Empty if the operands are valid.
  std::string_view operand_fault;

  uint32_t field(int position, int width) const {
    return static_cast<uint32_t>(word >> position & ((uint64_t{1} << width) - 1));
  }
  int32_t signed_field(int position, int width) const {
    return static_cast<int32_t>(field(position, width) << (32 - width)) >> (32 - width);
  }
  bool bit(int position) const { return (word >> position & 1) != 0; }
  uint8_t rd() const { return static_cast<uint8_t>(field(0, 8)); }
  uint8_t ra() const { return static_cast<uint8_t>(field(8, 8)); }
  uint8_t rb() const { return static_cast<uint8_t>(field(20, 8)); }
  uint8_t rc() const { return static_cast<uint8_t>(field(39, 8)); }
  std::string_view name() const {
    return opcode == Opcode::unknown ? std::string_view("?") : operation(opcode).name;
  }
  bool reads_register(uint8_t reg) const { return has(std::span(reads).first(read_count), reg); }
  bool writes_register(uint8_t reg) const { return has(std::span(writes).first(write_count), reg); }

 private:
  static bool has(std::span<const RegisterRange> ranges, uint8_t reg) {
    for (const RegisterRange& range : ranges) {
      if (static_cast<uint8_t>(reg - range.first) < range.count) return true;
    }
    return false;
  }
};

/// Every fourth word is a control word, starting with the first; the others are instructions.
constexpr uint32_t kGroupBytes = 32;
/// The address of the instruction that follows the one at `address`.
constexpr uint32_t next_address(uint32_t address) {
  const uint32_t next = address + 8;
  return next % kGroupBytes == 0 ? next + 8 : next;
}
/// Converts an address to the instruction's index, and back.
constexpr uint32_t index_of(uint32_t address) {
  return address / kGroupBytes * 3 + (address % kGroupBytes) / 8 - 1;
}
constexpr uint32_t address_of(uint32_t index) {
  return index / 3 * kGroupBytes + 8 + index % 3 * 8;
}

/// The instruction at `address` of a program. Words without a meaning have opcode `unknown`.
Instruction decode(uint64_t word, const Control& control, uint32_t address);
/// All instructions, in order. `words` consists of whole groups of four.
std::vector<Instruction> decode_program(std::span<const uint64_t> words);
Control decode_control(uint64_t control_word, int slot);

// operand_use.cpp: fills reads, writes, predicates, CC and operand_fault.
void describe_use(Instruction& instruction);

// One family of handlers per file; null with `why` set if the machine does not support the modifiers.
Handler select_float(Instruction& i);
Handler select_double(Instruction& i);
Handler select_half(Instruction& i);
Handler select_compare(Instruction& i);
Handler select_integer(Instruction& i);
Handler select_multiply(Instruction& i);
Handler select_bits(Instruction& i);
Handler select_video(Instruction& i);
Handler select_convert(Instruction& i);
Handler select_predicate(Instruction& i);
Handler select_warp(Instruction& i);
Handler select_memory(Instruction& i);
Handler select_atomic(Instruction& i);
Handler select_texture(Instruction& i);
Handler select_surface(Instruction& i);
Handler select_control(Instruction& i);
Handler select_graphics(Instruction& i);

}  // namespace texlate::sim::maxwell
