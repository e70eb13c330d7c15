#include <bit>
#include <memory>

#include "sim/maxwell/instruction.h"

namespace texlate::sim::maxwell {

namespace {

struct Encoding {
  Opcode opcode;
  Form form;
  std::string_view bits;
};
constexpr Encoding kEncodings[] = {
#define TEXLATE_ENCODING(opcode, form, bits) {Opcode::opcode, Form::form, bits},
#include "sim/maxwell/encoding_table.inc"
#undef TEXLATE_ENCODING
};

constexpr Operation kOperations[] = {
#define TEXLATE_OPERATION(opcode, name, operands, immediate, pipe, cc, x) \
  {Opcode::opcode, name, operands, Immediate::immediate, Pipe::pipe, cc, x},
#include "sim/maxwell/operation_table.inc"
#undef TEXLATE_OPERATION
};

constexpr uint8_t kNoEncoding = 255;
static_assert(std::size(kEncodings) < kNoEncoding);

// The row for each value of bits 63..48; the row with more fixed bits wins.
struct Lookup {
  std::array<uint8_t, 65536> row;
  Lookup() {
    row.fill(kNoEncoding);
    std::array<uint8_t, 65536> fixed{};
    for (size_t e = 0; e < std::size(kEncodings); ++e) {
      uint16_t mask = 0, value = 0;
      for (char c : kEncodings[e].bits) {
        mask = static_cast<uint16_t>(mask << 1 | (c != '-' ? 1 : 0));
        value = static_cast<uint16_t>(value << 1 | (c == '1' ? 1 : 0));
      }
      const auto strength = static_cast<uint8_t>(std::popcount(mask));
      const auto free = static_cast<uint16_t>(~mask);
      // Enumerates all subsets of the free bits.
      uint16_t bits = 0;
      do {
        const size_t at = static_cast<size_t>(value | bits);
        if (row[at] == kNoEncoding || strength > fixed[at]) {
          row[at] = static_cast<uint8_t>(e);
          fixed[at] = strength;
        }
        bits = static_cast<uint16_t>((bits - free) & free);
      } while (bits != 0);
    }
  }
};

Operand register_at(const Instruction& i, int position) {
  Operand operand;
  operand.reg = static_cast<uint8_t>(i.field(position, 8));
  return operand;
}

Operand constant_of(const Instruction& i) {
  Operand operand;
  operand.kind = Operand::Kind::constant;
  operand.bank = static_cast<uint8_t>(i.field(34, 5));
  operand.offset = i.signed_field(20, 14) * 4;
  return operand;
}

Operand immediate_of(const Instruction& i, Immediate kind) {
  Operand operand;
  operand.kind = Operand::Kind::immediate;
  const uint64_t low = i.field(20, 19), sign = i.bit(56) ? 1 : 0;
  switch (kind) {
    case Immediate::integer:
      operand.immediate = static_cast<uint32_t>(static_cast<int32_t>((low | sign << 19) << 12) >> 12);
      break;
    case Immediate::unsigned16: operand.immediate = i.field(20, 16); break;
    case Immediate::float32: operand.immediate = low << 12 | sign << 31; break;
    case Immediate::float64: operand.immediate = low << 44 | sign << 63; break;
    case Immediate::bits32: operand.immediate = i.field(20, 32); break;
    // The upper ten bits of each half; the low half's sign is at 29, the high half's at 56.
    case Immediate::half2:
      operand.immediate = uint64_t{i.field(20, 9)} << 6 | uint64_t{i.bit(29)} << 15 |
                          uint64_t{i.field(30, 9)} << 22 | sign << 31;
      break;
    case Immediate::none: break;
  }
  return operand;
}

// The shift and field operands of a two-source operation are integers even if the result is not.
void place_operands(Instruction& i, Immediate kind) {
  switch (i.form) {
    case Form::none: return;
    case Form::b_register:
      i.b = register_at(i, 20);
      i.c = register_at(i, 39);
      return;
    case Form::b_constant:
      i.b = constant_of(i);
      i.c = register_at(i, 39);
      return;
    case Form::c_constant:
      i.b = register_at(i, 39);
      i.c = constant_of(i);
      return;
    case Form::immediate:
      i.b = immediate_of(i, kind);
      i.c = register_at(i, 39);
      return;
    case Form::immediate32: i.b = immediate_of(i, Immediate::bits32); return;
    case Form::video:
      i.b = i.bit(50) ? register_at(i, 20) : immediate_of(i, Immediate::unsigned16);
      i.c = register_at(i, 39);
      return;
  }
}

Handler select(Instruction& i) {
  // The families are disjoint: each accepts only its own opcodes.
  constexpr Handler (*kFamilies[])(Instruction&) = {
      select_float,  select_double,  select_half,    select_compare,   select_integer, select_multiply,
      select_bits,   select_video,   select_convert, select_predicate, select_warp,    select_memory,
      select_atomic, select_texture, select_surface, select_control,   select_graphics};
  for (const auto family : kFamilies) {
    if (const Handler handler = family(i)) return handler;
    if (!i.why.empty()) return nullptr;
  }
  i.why = "the machine does not execute this instruction";
  return nullptr;
}

// These have no guard: the bits are zero or part of another field (nvdisasm).
bool has_guard(Opcode opcode) {
  switch (opcode) {
    case Opcode::ssy:
    case Opcode::pbk:
    case Opcode::pcnt:
    case Opcode::cal:
    case Opcode::jcal:
    case Opcode::pret:
    case Opcode::sam:
    case Opcode::ram:
    case Opcode::bpt: return false;
    default: return true;
  }
}

}  // namespace

const Operation& operation(Opcode opcode) {
  return kOperations[static_cast<size_t>(opcode)];
}

Control decode_control(uint64_t control_word, int slot) {
  const auto bits = static_cast<uint32_t>(control_word >> (21 * slot) & 0x1fffff);
  Control control;
  control.stall = bits & 15;
  control.yield = (bits >> 4 & 1) == 0;
  control.write_barrier = static_cast<uint8_t>(bits >> 5 & 7);
  control.read_barrier = static_cast<uint8_t>(bits >> 8 & 7);
  control.wait_mask = static_cast<uint8_t>(bits >> 11 & 63);
  control.reuse = static_cast<uint8_t>(bits >> 17 & 15);
  return control;
}

Instruction decode(uint64_t word, const Control& control, uint32_t address) {
  static const Lookup lookup;
  Instruction i;
  i.word = word;
  i.control = control;
  i.address = address;
  const uint8_t row = lookup.row[word >> 48];
  if (row == kNoEncoding) {
    i.why = "the word is not an instruction that the machine supports";
    return i;
  }
  i.opcode = kEncodings[row].opcode;
  i.form = kEncodings[row].form;
  if (has_guard(i.opcode)) {
    i.guard = static_cast<uint8_t>(i.field(16, 3));
    i.guard_negated = i.bit(19);
  }
  place_operands(i, operation(i.opcode).immediate);
  describe_use(i);
  i.run = select(i);
  return i;
}

std::vector<Instruction> decode_program(std::span<const uint64_t> words) {
  std::vector<Instruction> code;
  code.reserve(words.size() / 4 * 3);
  for (size_t group = 0; group + 4 <= words.size(); group += 4) {
    for (int slot = 0; slot < 3; ++slot) {
      const auto address = static_cast<uint32_t>((group + 1 + static_cast<size_t>(slot)) * 8);
      code.push_back(
          decode(words[group + 1 + static_cast<size_t>(slot)], decode_control(words[group], slot), address));
    }
  }
  return code;
}

}  // namespace texlate::sim::maxwell
