// Helpers for the assembly tests.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "frontend/asm/parser.h"
#include "frontend/asm/printer.h"

namespace texlate {

/// Parses a text that must give no diagnostic.
inline sm4::Program parse_good(std::string_view text) {
  sm4::Program program;
  Diagnostics diagnostics;
  EXPECT_TRUE(assembly::parse(text, program, diagnostics)) << text;
  for (const Diagnostic& diagnostic : diagnostics.list()) ADD_FAILURE() << render(diagnostic, "text", text);
  return program;
}

/// "line:column: message" of every diagnostic, one per line.
inline std::string messages(const Diagnostics& diagnostics) {
  std::string text;
  for (const Diagnostic& d : diagnostics.list()) {
    text += fmt::format("{}:{}: {}\n", d.location.line, d.location.column, std::string_view(d.message));
  }
  return text;
}

/// The same without notes.
inline std::string errors(const Diagnostics& diagnostics) {
  Diagnostics list;
  for (const Diagnostic& d : diagnostics.list()) {
    if (d.severity != Severity::note) list.add(d.severity, d.location, d.message);
  }
  return messages(list);
}

inline std::string print_text(const sm4::Program& program, const assembly::PrintOptions& options = {}) {
  std::pmr::string text;
  assembly::print(program, options, text);
  return std::string(text);
}

}  // namespace texlate
