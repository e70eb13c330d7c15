// What the page shows of a shader: its text, its IR and its translations, with the source line of each line,
// and the guards that translations added. Everything is JSON, because the page is a program of its own
// (docs/playground.md).
#pragma once

#include <memory_resource>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/lower/lower.h"
#include "frontend/sm4/program.h"
#include "ir/module.h"

namespace texlate::page {

struct TranslationOptions {
  std::vector<std::string> targets = {"ptx", "maxwell", "spirv-text"};
  uint32_t sm = 0;               // 0: the target's default
  bool guards_by_driver = true;  // SPIR-V: robustness is the driver's
  bool lenient = false;          // sm4::Program::lenient
  std::vector<lower::ClassInstance> classes;
};

/// A shader as the page has it: text. Containers become their listing.
struct Source {
  std::pmr::monotonic_buffer_resource arena;
  std::string text;
  sm4::Program program{&arena};  // of assembly; its lines are those of `text`
  ir::Module contract{&arena};
  bool is_ir = false;
  bool was_container = false;
};

/// Reads assembly, a container or IR text. Returns false with errors. `source.text` is what the page shows in
/// any case.
bool read_source(std::string_view bytes, const TranslationOptions& options, Source& source,
                 Diagnostics& diagnostics);

/// {"summary", "stage", "text", "slots", "panes": [{"id", "title", "text", "lines", "failure"?,
/// "diagnostics"?}], "gaps": [{"pane", "line", "operation", "done", "lack", "document"}]}. `lines` has, for
/// each line of a pane, its line in the source, or 0.
nlohmann::json translation_json(const Source& source, const TranslationOptions& options);

/// [{"severity", "message", "line", "column", "length"}], or "offset" in place of these for containers.
nlohmann::json diagnostics_json(const Diagnostics& diagnostics);

}  // namespace texlate::page
