#include "tools/page/translation.h"

#include <algorithm>
#include <charconv>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "backend/launch/launch.h"
#include "backend/spirv/target.h"
#include "ir/spelling.h"
#include "ir/text_printer.h"
#include "library/foreign_input.h"
#include "library/pipeline.h"
#include "tools/page/slots.h"

namespace texlate::page {

namespace {

using Json = nlohmann::json;

/// A text whose lines are linked to lines of the source.
class PaneWriter {
 public:
  void add(std::string_view line, uint32_t source) {
    if (!lines_.empty()) text_ += '\n';
    text_ += line;
    lines_.push_back(source);
  }
  Json json(std::string_view id, std::string_view title) && {
    return {{"id", id}, {"title", title}, {"text", std::move(text_)}, {"lines", std::move(lines_)}};
  }

 private:
  std::string text_;
  std::vector<uint32_t> lines_;
};

uint32_t number_at(std::string_view text) {
  uint32_t number = 0;
  std::from_chars(text.data(), text.data() + text.size(), number);
  return number;
}

template <typename Take>
void for_each_line(std::string_view text, Take take) {
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    take(line);
    text.remove_prefix(std::min(end + 1, text.size()));
  }
}

/// IR as printed: a comment marks where the source line changes. The page needs only the number.
Json ir_pane(const ir::Module& module, std::string_view id, std::string_view title) {
  constexpr std::string_view kMark = "  ; line ";
  PaneWriter pane;
  std::pmr::string text;
  ir::print(module, text);
  uint32_t now = 0;
  bool in_code = false;
  for_each_line(text, [&](std::string_view line) {
    if (line.starts_with("code {")) in_code = true;
    const size_t mark = line.rfind(kMark);
    if (mark != line.npos) now = number_at(line.substr(mark + kMark.size()));
    if (line.ends_with("; no line")) now = 0;
    std::string_view shown = line.substr(0, mark);
    while (shown.ends_with(' ')) shown.remove_suffix(1);
    pane.add(shown, in_code && line.starts_with("  ") ? now : 0);
  });
  return std::move(pane).json(id, title);
}

/// SPIR-V's OpLine gives the source lines and is not shown.
void add_spirv(std::string_view text, PaneWriter& pane) {
  uint32_t now = 0;
  for_each_line(text, [&](std::string_view line) {
    const size_t at = line.find("OpLine ");
    if (at == line.npos) {
      if (line.find("OpFunctionEnd") != line.npos || line.find("OpNoLine") != line.npos) now = 0;
      pane.add(line, now);
      return;
    }
    const size_t file = line.find(' ', at + 7);  // OpLine %file line column
    now = file == line.npos ? 0 : number_at(line.substr(file + 1));
  });
}

void add_marked(std::string_view text, std::span<const launch::LineMark> marks, PaneWriter& pane) {
  uint32_t number = 0;
  for_each_line(
      text, [&](std::string_view line) { pane.add(line, launch::location_of_line(marks, ++number).line); });
}

void keep_gaps(const library::ClosedGaps& closed, std::string_view pane, Json& gaps) {
  for (const ir::ClosedGap& gap : closed) {
    if (gap.known != 0) continue;  // the host's promise closes it: there is no code
    const ir::GapText& text = ir::text_of(gap.gap);
    gaps.push_back({{"pane", pane},
                    {"line", gap.location.line},
                    {"operation", ir::info(gap.op).text},
                    {"done", text.done},
                    {"lack", text.lack},
                    {"document", gap.source}});
  }
}

std::string title_of(std::string_view target) {
  if (target == "ptx") return "PTX";
  if (target == "maxwell") return "Maxwell";
  if (target == "spirv-text") return "SPIR-V";
  return std::string(target);
}

/// The IR after legalization for a target, and the target's output, or why there is none.
void add_target(const Source& source, const std::string& name, const TranslationOptions& options,
                Json& page) {
  const backend::Target* const target = library::find_target(name);
  if (target == nullptr) return;
  library::TranslateOptions own;
  own.classes = options.classes;
  spirv::TargetOptions spirv;
  spirv.emit.robustness = options.guards_by_driver ? spirv::Robustness::driver : spirv::Robustness::shader;
  spirv.emit.debug = true;
  const bool is_spirv = name == "spirv-text";
  if (is_spirv) own.backend.own = &spirv;
  if ((target->takes & backend::kTakesSm) != 0) own.backend.sm = options.sm;
  std::pmr::monotonic_buffer_resource arena;
  ir::Module module(&arena);
  Diagnostics diagnostics;
  library::Explanation explanation(&arena);
  bool good;
  if (source.is_ir) {
    module = source.contract;
    good = library::legalize(module, *target, own.backend, diagnostics, &explanation.gaps());
  } else {
    good = library::prepare(source.program, target, own, module, diagnostics, &explanation.gaps());
  }
  const std::string title = title_of(name);
  library::Emitted emitted(&arena);
  if (good) page["panes"].push_back(ir_pane(module, name + "-ir", "IR for " + title));
  good = good && library::emit(module, *target, own.backend, emitted, diagnostics);
  PaneWriter pane;
  if (good && is_spirv) add_spirv(emitted.data, pane);
  if (good && !is_spirv) add_marked(emitted.data, launch::launch_of(emitted.host).lines, pane);
  if (good) {
    explanation.write_out();
    keep_gaps(explanation.gaps(), name, page["gaps"]);
  }
  Json shown = std::move(pane).json(name, title);
  if (!good) shown["failure"] = diagnostics_json(diagnostics);
  page["panes"].push_back(std::move(shown));
}

}  // namespace

Json diagnostics_json(const Diagnostics& diagnostics) {
  constexpr std::string_view kNames[] = {"note", "warning", "error"};
  Json list = Json::array();
  for (const Diagnostic& one : diagnostics.list()) {
    Json json = {{"severity", kNames[static_cast<size_t>(one.severity)]},
                 {"message", std::string_view(one.message)}};
    const SourceLocation& at = one.location;
    if (at.line != 0) {
      json["line"] = at.line;
      json["column"] = at.column;
      json["length"] = at.length;
    } else if (at.offset != SourceLocation::kNoOffset) {
      json["offset"] = at.offset;
    }
    list.push_back(std::move(json));
  }
  return list;
}

bool read_source(std::string_view bytes, const TranslationOptions& options, Source& source,
                 Diagnostics& diagnostics) {
  dxbc::Container container(&source.arena);
  source.is_ir = library::is_ir_text(bytes);
  source.text = bytes;
  source.program.lenient = options.lenient;
  if (source.is_ir) return library::read_module(bytes, source.contract, diagnostics);
  if (!library::read_program(bytes, dxbc::DigestCheck::warn, source.program, container, diagnostics))
    return false;
  if (!container.chunks.empty()) {
    // The line numbers are those of the listing.
    source.was_container = true;
    library::Translation listing(&source.arena);
    library::TranslateOptions as_text;
    as_text.to = "asm";
    if (!library::translate(source.program, &container, as_text, listing, diagnostics)) return false;
    source.text = listing.data;
    source.program = sm4::Program(&source.arena);
    source.program.lenient = options.lenient;
    dxbc::Container none(&source.arena);
    if (!library::read_program(source.text, dxbc::DigestCheck::warn, source.program, none, diagnostics))
      return false;
  }
  library::TranslateOptions contract;
  contract.classes = options.classes;
  return library::prepare(source.program, nullptr, contract, source.contract, diagnostics);
}

Json translation_json(const Source& source, const TranslationOptions& options) {
  const ir::Module& module = source.contract;
  Json page = {{"summary", fmt::format("{} shader, model {}.{}", ir::spelling(module.stage),
                                       module.shader_model / 10, module.shader_model % 10)},
               {"stage", ir::spelling(module.stage)},
               {"text", source.text},
               {"is_ir", source.is_ir},
               {"was_container", source.was_container},
               {"slots", slots_json(module)},
               {"panes", Json::array()},
               {"gaps", Json::array()}};
  if (!source.is_ir) page["panes"].push_back(ir_pane(module, "ir", "IR"));
  for (const std::string& name : options.targets) add_target(source, name, options, page);
  return page;
}

}  // namespace texlate::page
