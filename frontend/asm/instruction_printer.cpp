#include "frontend/asm/instruction_printer.h"

#include <charconv>

namespace texlate::assembly {

using sm4::ComponentCount;
using sm4::Instruction;
using sm4::Operand;
using sm4::OperandType;
using sm4::RegisterFile;
using sm4::Selection;

namespace {

/// Registers of 5.1 that are named by range id and index: `T0[3]`, `CB1[0][2]`.
constexpr bool is_bound(RegisterFile file) {
  return file == RegisterFile::resource || file == RegisterFile::sampler ||
         file == RegisterFile::unordered_access_view || file == RegisterFile::constant_buffer;
}

LiteralKind literal_kind(OperandType type) {
  switch (type) {
    case OperandType::float_: return LiteralKind::float_;
    case OperandType::signed_:
    case OperandType::unsigned_: return LiteralKind::integer;
    default: return LiteralKind::untyped;
  }
}

}  // namespace

void InstructionPrinter::number(uint32_t value) {
  char text[16];
  auto [end, status] = std::to_chars(text, text + sizeof text, value);
  out_.append(text, static_cast<size_t>(end - text));
}

void InstructionPrinter::print(const Instruction& instruction) {
  const sm4::OpcodeInfo& info = sm4::info(instruction.opcode);
  if (info.has(sm4::kDeclaration)) return print_declaration(instruction);
  print_mnemonic(instruction);
  const auto operands = program_.operands_of(instruction);
  // fxc prints a blank after the mnemonic even if there is no operand.
  if (!info.has(sm4::kSync)) out_ += ' ';
  for (uint32_t i = 0; i < operands.size(); ++i) {
    if (i != 0) out_ += ", ";
    if (i < sm4::kMaxOperands) print_operand(operands[i], info.types[i], result_precision(instruction, i));
    if (info.has(sm4::kCallSite)) {
      out_ += '[';
      number(word_at(instruction, 0));
      out_ += ']';
    }
  }
}

void InstructionPrinter::print_mnemonic(const Instruction& instruction) {
  const sm4::OpcodeInfo& info = sm4::info(instruction.opcode);
  out_ += info.mnemonic;
  if (info.has(sm4::kSync)) {
    // fxc prints bit 13 as _sat, too, and of the two flags for views only one: sync_sat_ugroup_g_t,
    // sync_sat_uglobal.
    const bool global = (instruction.controls & sm4::controls::kSyncUavGlobal) != 0;
    if ((instruction.controls & sm4::controls::kSyncUavGroup) != 0) out_ += "_sat";
    for (const sm4::Keyword& flag : sm4::kSyncFlagNames) {
      if ((instruction.controls & flag.value) == 0 || flag.name == "sat") continue;
      if (flag.value == sm4::controls::kSyncUavGroup && global) continue;
      out_ += '_';
      out_ += flag.name;
    }
    return;
  }
  if (info.has(sm4::kSaturate) && instruction.saturate()) out_ += "_sat";
  if (info.has(sm4::kTest)) out_ += instruction.test_nonzero() ? "_nz" : "_z";
  print_texture_suffixes(instruction);
}

void InstructionPrinter::print_texture_suffixes(const Instruction& instruction) {
  const sm4::OpcodeInfo& info = sm4::info(instruction.opcode);
  const uint8_t precise = instruction.precise_mask();
  if (instruction.has_offset) out_ += "_aoffimmi";
  if (instruction.has_dimension) out_ += "_indexable";
  if (precise != 0) {
    out_ += " [precise";
    if (precise != sm4::kFullMask) {
      out_ += '(';
      for (uint32_t i = 0; i < 4; ++i) {
        if ((precise >> i) & 1) out_ += "xyzw"[i];
      }
      out_ += ')';
    }
    out_ += ']';
  }
  if (instruction.has_offset) {
    char text[8];
    for (uint32_t i = 0; i < 3; ++i) {
      out_ += i == 0 ? '(' : ',';
      auto [end, status] = std::to_chars(text, text + sizeof text, int{instruction.offset[i]});
      out_.append(text, static_cast<size_t>(end - text));
    }
    out_ += ')';
  }
  if (instruction.has_dimension) {
    out_ += '(';
    out_ += spell(sm4::kDimensionNames, static_cast<uint32_t>(instruction.dimension));
    if (instruction.dimension == sm4::ResourceDimension::structured_buffer) {
      out_ += ", stride=";
      number(instruction.stride);
    }
    out_ += ')';
  }
  if (instruction.has_return_type) print_return_types(instruction.return_types);
  if (info.has(sm4::kResinfoReturn) && instruction.resinfo_return() != sm4::ResinfoReturn::float_) {
    out_ += '_';
    out_ += spell(sm4::kResinfoReturnNames, static_cast<uint32_t>(instruction.resinfo_return()));
  }
  if (info.has(sm4::kSampleinfoReturn) && (instruction.controls & 1) != 0) out_ += "_uint";
}

void InstructionPrinter::print_return_types(uint16_t packed) {
  for (uint32_t i = 0; i < 4; ++i) {
    out_ += i == 0 ? '(' : ',';
    out_ += spell(sm4::kReturnTypeNames, static_cast<uint32_t>(sm4::return_type(packed, i)));
  }
  out_ += ')';
}

// The precision of an instruction is that of its result. Operands of the same kind of number that have
// another one are converted.
sm4::MinPrecision InstructionPrinter::result_precision(const Instruction& instruction, uint32_t i) const {
  const sm4::OpcodeInfo& info = sm4::info(instruction.opcode);
  const Operand& operand = program_.operands[instruction.first_operand + i];
  const bool is_converted = assembly::is_windows_10(options_.dialect_or_default()) &&
                            !operand.is_immediate() && info.shapes[0] == sm4::OperandShape::destination &&
                            info.shapes[i] == sm4::OperandShape::source && info.types[i] == info.types[0];
  return is_converted ? program_.operands[instruction.first_operand].min_precision : operand.min_precision;
}

void InstructionPrinter::print_operand(const Operand& operand, OperandType type) {
  print_operand(operand, type, operand.min_precision);
}

void InstructionPrinter::print_operand(const Operand& operand, OperandType type, sm4::MinPrecision result) {
  const auto modifier = static_cast<uint32_t>(operand.modifier);
  if (modifier & 1) out_ += '-';
  if (modifier & 2) out_ += '|';
  if (operand.is_immediate()) {
    print_immediates(operand, type);
  } else {
    print_register(operand);
  }
  if (operand.min_precision != sm4::MinPrecision::none || result != operand.min_precision) {
    out_ += " {";
    out_ += spell(sm4::kMinPrecisionNames, static_cast<uint32_t>(operand.min_precision));
    if (result != operand.min_precision) {
      out_ += " as ";
      out_ += spell(sm4::kMinPrecisionNames, static_cast<uint32_t>(result));
    }
    out_ += '}';
  }
  if (modifier & 2) out_ += '|';
  if (operand.non_uniform) out_ += " { nonuniform }";
}

void InstructionPrinter::print_register(const Operand& operand) {
  const std::string_view name = info(operand.file).spelling;
  if (sm51() && is_bound(operand.file)) {
    for (char c : name) out_ += static_cast<char>(c - 32);
  } else {
    out_ += name;
  }
  print_indices(operand);
  print_components(operand);
}

void InstructionPrinter::print_indices(const Operand& operand) {
  const sm4::RegisterFileInfo& file = info(operand.file);
  for (uint32_t i = 0; i < operand.index_count; ++i) {
    // `v3`, but `v[r0.x + 3]`, and `v[2][0]` if there is a vertex index
    const bool vertex_input = operand.file == RegisterFile::input && operand.index_count == 2;
    if (i == 0 && file.indices == sm4::IndexSpelling::kSuffix && !vertex_input &&
        operand.index[0].relative == sm4::kNoOperand) {
      number(operand.index[0].immediate);
      continue;
    }
    print_index(operand, i);
  }
}

void InstructionPrinter::print_index(const Operand& operand, uint32_t i) {
  const sm4::OperandIndex& index = operand.index[i];
  out_ += '[';
  if (index.relative != sm4::kNoOperand) {
    print_operand(program_.operands[index.relative], OperandType::none);
    out_ += " + ";  // also `+ 0`, whether or not the tokens hold a 0
    number(index.immediate);
  } else {
    number(index.immediate);
  }
  out_ += ']';
}

void InstructionPrinter::print_components(const Operand& operand) {
  if (operand.component_count != ComponentCount::four) return;
  if (operand.selection == Selection::mask) {
    if (operand.components == 0) return;
    out_ += '.';
    for (uint32_t i = 0; i < 4; ++i) {
      if ((operand.components >> i) & 1) out_ += "xyzw"[i];
    }
  } else {
    out_ += '.';
    const uint32_t lanes = operand.selection == Selection::select ? 1 : 4;
    for (uint32_t i = 0; i < lanes; ++i) out_ += "xyzw"[(operand.components >> (2 * i)) & 3];
  }
}

void InstructionPrinter::print_immediates(const Operand& operand, OperandType type) {
  if (operand.file == RegisterFile::immediate64) {
    out_ += "d(";
    for (uint32_t i = 0; i < 2; ++i) {
      if (i != 0) out_ += ", ";
      print_double(operand.immediate[2 * i] | (uint64_t{operand.immediate[2 * i + 1]} << 32),
                   options_.literal_style(), out_);
    }
    out_ += ')';
    return;
  }
  const LiteralKind kind = literal_kind(type);
  const uint32_t count = operand.component_count == ComponentCount::four ? 4 : 1;
  out_ += "l(";
  for (uint32_t i = 0; i < count; ++i) {
    // Only the untyped form has no blank after the comma.
    if (i != 0) out_ += kind == LiteralKind::untyped ? "," : ", ";
    print_literal(operand.immediate[i], kind, options_.literal_style(), out_);
  }
  out_ += ')';
}

}  // namespace texlate::assembly
