// Reads signatures from a listing's header comments.
#pragma once

#include <string_view>

#include "frontend/sm4/program.h"

namespace texlate::assembly {

/// Receives the `//` lines above the profile line one by one and collects the tables
///
///     // Output signature:
///     //
///     // Name                 Index   Mask Register SysValue  Format   Used
///     // -------------------- ----- ------ -------- -------- ------- ------
///     // SV_Target                0   xyzw        0   TARGET   float   xyzw
///
/// If a table occurs twice (decompiled HLSL above the listing), the last one counts. Rows that cannot be
/// parsed are comments and are skipped.
class SignatureParser {
 public:
  explicit SignatureParser(sm4::Program& program) : program_(program) {}

  /// `line` is a comment without its `//`.
  void feed(std::string_view line);
  /// A line that is not a comment ends a table.
  void end_table() { table_ = nullptr; }
  /// The profile line ends the header. It decides whose patch constants these are: outputs of a hull shader,
  /// inputs of a domain shader.
  void set_stage(sm4::Stage stage);

 private:
  void add_row(std::string_view line);

  sm4::Program& program_;
  std::pmr::vector<sm4::SignatureElement>* table_ = nullptr;
  bool in_rows_ = false;
};

}  // namespace texlate::assembly
