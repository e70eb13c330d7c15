// The instructions of SPIR-V and their operands, from SPIRV-Headers' machine-readable grammar: what the text
// form needs. The emitter does not use it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace texlate::spirv {

/// Of a module, before its first instruction (SPIR-V 2.3).
inline constexpr size_t kHeaderWords = 5;

}  // namespace texlate::spirv

namespace texlate::spirv::grammar {

enum class OperandKind : uint8_t;

enum class Quantifier : uint8_t { one, optional, any_number };

struct Operand {
  OperandKind kind;
  Quantifier quantifier;
};

/// An instruction, or a value of an enumeration. Operands of a value follow those of its instruction.
struct Row {
  uint32_t number;  // the opcode, or the value
  uint16_t first_operand;
  uint16_t operand_count;
  const char* name;  // of instructions with "Op"
};

/// What is special about literals and pairs; everything else follows from the grammar's category.
enum class Form : uint8_t {
  id,
  type_id,  // of the result
  result_id,
  value,
  mask,
  integer,
  string,
  number,      // of the result's type
  extended,    // the number of an extended instruction
  opcode,      // of OpSpecConstantOp
  literal_id,  // a pair; the literal has the type of the selector
  id_literal,
  id_id,
};

/// Null if the grammar has no such instruction, or value.
const Row* find_instruction(uint32_t opcode);
const Row* find_value(OperandKind kind, uint32_t value);
/// Of a set that OpExtInstImport names.
const Row* find_extended_instruction(std::string_view set, uint32_t number);

std::span<const Operand> operands(const Row& row);
Form form_of(OperandKind kind);
/// Names of values that other parts need, too; of unknown ones that of the kind.
const char* storage_class_name(uint32_t value);
const char* capability_name(uint32_t value);

}  // namespace texlate::spirv::grammar
