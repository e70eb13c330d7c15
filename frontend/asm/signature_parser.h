// Signatures out of a listing's header comments.
#pragma once

#include <string_view>

#include "frontend/sm4/program.h"

namespace texlate::assembly {

/// Fed with the `//` lines above the profile line, one by one; collects the tables
///
///     // Output signature:
///     //
///     // Name                 Index   Mask Register SysValue  Format   Used
///     // -------------------- ----- ------ -------- -------- ------- ------
///     // SV_Target                0   xyzw        0   TARGET   float   xyzw
///
/// A table that occurs twice (decompiled HLSL with the listing below) counts once, the last one. Rows that do
/// not parse are left out: they are comments.
class SignatureParser {
 public:
  explicit SignatureParser(sm4::Program& program) : program_(program) {}

  /// `line` is a comment without its `//`.
  void feed(std::string_view line);
  /// A line that is not a comment ends a table.
  void end_table() { table_ = nullptr; }
  /// The profile line, at the end: a hull shader's patch constants are outputs, a domain shader's inputs.
  void set_stage(sm4::Stage stage);

 private:
  void add_row(std::string_view line);

  sm4::Program& program_;
  std::pmr::vector<sm4::SignatureElement>* table_ = nullptr;
  bool in_rows_ = false;
};

}  // namespace texlate::assembly
