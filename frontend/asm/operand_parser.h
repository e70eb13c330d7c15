// The parser for operands.
#pragma once

#include <optional>
#include <vector>

#include "frontend/asm/cursor.h"
#include "frontend/sm4/program.h"

namespace texlate::assembly {

/// What declarations of RenderDoc say about the operands below them.
struct ListedRegisters {
  /// A name: `Diffuse (t0)`.
  struct Name {
    std::string_view name;
    sm4::RegisterFile file;
    uint32_t id;
  };
  /// A range of registers in model 5.1: `T0 space=0,reg=3`. If it has one register, operands leave out the
  /// number of the register: `T0`, `CB1[4]`.
  struct Range {
    sm4::RegisterFile file;
    uint32_t id;
    uint32_t register_number;
    bool is_single;
  };

  std::vector<Name> names;
  std::vector<Range> ranges;
  bool has_friendly_names = false;  // of resources or constant buffers
};

/// `r` of `r3`.
std::optional<sm4::RegisterFile> parse_register_name(Cursor& cursor);

class OperandParser {
 public:
  OperandParser(Cursor& cursor, sm4::Program& program) : cursor_(cursor), program_(program) {}

  /// Parses the operand at the cursor. Appends registers in its indices to the program.
  bool parse(sm4::OperandShape shape, sm4::Operand& operand, sm4::OperandPlace& place);
  /// Declarations are added here.
  ListedRegisters& listed() { return listed_; }

 private:
  bool parse_register(sm4::OperandShape shape, sm4::Operand& operand);
  bool take_resource_name(sm4::Operand& operand);
  bool add_register_number(sm4::Operand& operand, const char* from);
  bool parse_indices(sm4::Operand& operand);
  bool parse_index(sm4::Operand& operand);

  Cursor& cursor_;
  sm4::Program& program_;
  ListedRegisters listed_;
  uint32_t depth_ = 0;  // of indices
};

}  // namespace texlate::assembly
