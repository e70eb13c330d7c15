// texlate assemble, texlate disassemble

#include <fmt/format.h>

#include <algorithm>

#include "backend/maxwell/containers.h"
#include "backend/maxwell/isa/directives.h"
#include "ir/base/diagnostics.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/targets.h"

namespace texlate::cli {

namespace {

struct AssembleArguments {
  std::string input;
  std::string output;
  std::string isa = "d3d";
  bool words = false;           // disassemble, Maxwell
  bool exact_literals = false;  // disassemble, Direct3D
  bool strict = false;          // Direct3D: a wrong digest is an error
  bool unconstrained = false;   // assemble, Maxwell
  std::string sm;               // assemble, Maxwell; empty: any target
  std::string into;             // assemble, Maxwell: the cubin or dksh that gets the code
  std::string target;           // assemble, Maxwell: maxwell-bin, cubin, dksh; empty: by the output's name
};
AssembleArguments g_assemble;

const Condition kDirect3d = {"--isa", {"d3d"}};

void print(const std::vector<api::Diagnostic>& diagnostics, std::string_view source) {
  for (const api::Diagnostic& diagnostic : diagnostics)
    write_messages(rendered(diagnostic, g_assemble.input, source));
}

/// Prints diagnostics and writes the output. Returns the exit status.
int finish(const api::Output& output, std::string_view source) {
  print(output.diagnostics(), source);
  return output.ok() && write_file(g_assemble.output, output.data()) ? kExitGood : kExitInput;
}

/// True for a cubin or a deko3d program, recognized by the first bytes (docs/dksh.md).
bool holds_machine_code(std::string_view file) {
  return file.starts_with("\177ELF") || file.starts_with("DKSH");
}

/// A line of Maxwell assembly: a directive or label of the disassembler, a control column, or an instruction,
/// which is in upper case and ends with a semicolon. Direct3D's listings have none of these.
bool is_maxwell_line(std::string_view line) {
  const std::string_view column = line.substr(0, line.find_first_of(" \t"));
  if (line.starts_with(".kernel") || line.starts_with(".flag63") || line.starts_with(".word") ||
      line.starts_with(".L") || maxwell::is_directive(column))
    return true;
  if (column.size() >= 10 && column[2] == ':' && column[4] == ':' && column[6] == ':' && column[8] == ':')
    return true;
  return (line.front() == '@' || (line.front() >= 'A' && line.front() <= 'Z')) &&
         line.find(';') != std::string_view::npos;
}

/// Decided by the first line that is neither empty nor a comment.
bool is_maxwell_listing(std::string_view text) {
  text = without_byte_order_mark(text);
  while (!text.empty()) {
    const size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    const size_t begin = line.find_first_not_of(" \t\r");
    if (begin == std::string_view::npos) continue;
    line.remove_prefix(begin);
    if (!line.starts_with("//")) return is_maxwell_line(line);
  }
  return false;
}

constexpr const char* kListing = "the listing becomes";
constexpr const char* kDisassembly = "the disassembly is";

/// Reports an output whose suffix is that of another target, or of a file that no target is. `what` is the
/// beginning of a clause that ends with `target`.
bool has_fitting_suffix(std::string_view what, std::string_view target) {
  const std::string suffix = suffix_of(g_assemble.output);
  std::string_view named;
  for (const char* const other : {".png", ".json", ".html"})
    if (suffix == other && g_assemble.target.empty()) named = other;
  for (const texlate_target_info& one : all_targets()) {
    if (suffix.empty() || suffix != one.suffix) continue;
    if (target == one.name) return true;
    named = one.name;
  }
  if (named.empty()) return true;
  usage_error(fmt::format("'{}' has the suffix of {}, but {} {}", g_assemble.output, named, what, target));
  return false;
}

/// --into: writes a copy of that file with the assembled code. Returns the exit status.
int finish_container(const api::Output& output, std::string_view source) {
  print(output.diagnostics(), source);
  if (!output.ok()) return kExitInput;
  auto file = read_file(g_assemble.into);
  if (!file) return kExitInput;
  if (!holds_machine_code(*file)) {
    file_error(g_assemble.into, "is neither a cubin nor a deko3d program");
    return kExitInput;
  }
  const char* const kind = file->starts_with("DKSH") ? "dksh" : "cubin";
  if (!has_fitting_suffix(fmt::format("the copy of '{}' is", g_assemble.into), kind)) return kExitUsage;
  const std::string_view code = output.data();
  Diagnostics diagnostics;
  const bool good =
      maxwell::replace_code({reinterpret_cast<const uint8_t*>(code.data()), code.size()},
                            {reinterpret_cast<uint8_t*>(file->data()), file->size()}, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.list())
    write_messages(rendered(diagnostic, g_assemble.into, {}));
  return good && write_file(g_assemble.output, *file) ? kExitGood : kExitInput;
}

/// What a Maxwell listing becomes: as --to says, or else by the suffix of the output. Empty, with a message,
/// if that names nothing.
std::string assembled_target() {
  if (!g_assemble.target.empty()) return g_assemble.target;
  const std::string suffix = suffix_of(g_assemble.output);
  if (suffix.empty()) return "maxwell-bin";
  const std::vector<texlate_target_info> targets = all_targets();
  if (std::ranges::none_of(targets, [&](const texlate_target_info& one) { return suffix == one.suffix; })) {
    usage_error(
        fmt::format("'{}': no Maxwell listing becomes a file with the suffix {}; name the target with --to",
                    g_assemble.output, suffix));
    return "";
  }
  for (const char* const one : {"cubin", "dksh"})
    if (suffix.substr(1) == one) return one;
  return "maxwell-bin";
}

int run_maxwell(std::string_view source, bool assemble) {
  texlate_maxwell_options options = TEXLATE_MAXWELL_OPTIONS_INIT;
  options.words = g_assemble.words ? 1 : 0;
  options.unconstrained = g_assemble.unconstrained ? 1 : 0;
  if (!g_assemble.sm.empty()) options.sm = static_cast<uint32_t>(std::stoul(g_assemble.sm));
  const bool is_copy = !g_assemble.into.empty();
  const std::string target = !assemble ? "maxwell" : is_copy ? "maxwell-bin" : assembled_target();
  if (target.empty() || (!is_copy && !has_fitting_suffix(assemble ? kListing : kDisassembly, target)))
    return kExitUsage;
  if (assemble) options.target = target.c_str();
  texlate_output* output = nullptr;
  const texlate_status status =
      assemble ? texlate_maxwell_assemble(source.data(), source.size(), &options, &output)
               : texlate_maxwell_disassemble(source.data(), source.size(), &options, &output);
  if (is_copy) return finish_container(api::Output(output, status), source);
  return finish(api::Output(output, status), assemble ? source : std::string_view{});
}

int run_d3d(std::string_view source, bool assemble) {
  const char* const target = assemble ? "dxbc" : "asm";
  if (!has_fitting_suffix(assemble ? kListing : kDisassembly, target)) return kExitUsage;
  const api::Program program = read_shader(source, g_assemble.strict);
  print(program.diagnostics(), source);
  if (!program.ok()) return kExitInput;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  options.rounded_literals = g_assemble.exact_literals ? 0 : 1;
  return finish(program.translate(options), source);
}

/// Reports an option that has no effect on such a file, although --isa does not tell.
bool suits(const Given& given, bool is_maxwell, bool assemble) {
  std::string_view option;
  for (const char* const one : {"--words", "--unconstrained", "--sm", "--into", "--to"}) {
    if (!is_maxwell && given.has(one)) option = one;
  }
  for (const char* const one : {"--strict", "--exact-literals"}) {
    if (is_maxwell && given.has(one)) option = one;
  }
  if (given.has("--to") && given.has("--into")) {
    usage_error("--to cannot be used with --into, which writes a file like the given one");
    return false;
  }
  if (option.empty()) return true;
  const std::string what = !is_maxwell ? "d3d"
                           : assemble  ? "maxwell: '" + g_assemble.input + "' is Maxwell assembly"
                                       : "maxwell: '" + g_assemble.input + "' has machine code";
  usage_error(
      fmt::format("{} can only be used with --isa {}, not {}", option, is_maxwell ? "d3d" : "maxwell", what));
  return false;
}

/// Reports an --isa that the file contradicts. Of machine code, whose words may look like anything, only
/// containers and listings do.
bool is_of_given_isa(const Given& given, std::string_view source, bool assemble, bool is_maxwell) {
  if (!given.has("--isa")) return true;
  const bool is_text = source.find('\0') == std::string_view::npos;
  std::string_view what;
  if (g_assemble.isa == "d3d" && is_maxwell) what = assemble ? "Maxwell assembly" : "machine code";
  if (g_assemble.isa == "maxwell" && source.starts_with("DXBC")) what = "a DXBC container";
  if (!assemble && is_text && is_maxwell_listing(source)) what = "Maxwell assembly, which 'assemble' reads";
  if (what.empty()) return true;
  usage_error(fmt::format("--isa {} was given, but '{}' is {}", g_assemble.isa, g_assemble.input, what));
  return false;
}

int run(const Given& given, bool assemble) {
  if (!are_distinct({g_assemble.input, g_assemble.into}, {{g_assemble.output, "--output"}}))
    return kExitUsage;
  const auto source = read_file(g_assemble.input);
  if (!source) return kExitInput;
  const bool is_recognized = assemble ? is_maxwell_listing(*source) : holds_machine_code(*source);
  const bool is_maxwell = g_assemble.isa == "maxwell" || is_recognized;
  if (!is_of_given_isa(given, *source, assemble, is_maxwell) || !suits(given, is_maxwell, assemble))
    return kExitUsage;
  if (is_maxwell && source->empty()) {
    file_error(g_assemble.input, "the input is empty");
    return kExitInput;
  }
  return is_maxwell ? run_maxwell(*source, assemble) : run_d3d(*source, assemble);
}

std::vector<Option> options(const char* input, bool assemble) {
  std::vector<Option> list = {
      {.names = "FILE",
       .to = &g_assemble.input,
       .help = input,
       .value = "FILE",
       .completion = Completion::file,
       .required = true},
      {.names = "-o,--output",
       .to = &g_assemble.output,
       .help = "The file to write; standard output without it",
       .value = "FILE",
       .completion = Completion::file},
      {.names = "--isa",
       .to = &g_assemble.isa,
       .help =
           assemble
               ? "d3d (shader models 4.0 to 5.1) or maxwell (sm_50 to sm_53), whose listings are recognized "
                 "without it"
               : "d3d (shader models 4.0 to 5.1) or maxwell (sm_50 to sm_53); cubins and deko3d "
                 "programs are recognized without it",
       .value = "ISA",
       .choices = {"d3d", "maxwell"}},
  };
  list.push_back(strict_option(g_assemble.strict));
  list.back().with = kDirect3d;
  if (assemble) {
    list.push_back({.names = "--unconstrained",
                    .to = &g_assemble.unconstrained,
                    .help = "Also accept what can be encoded but is not allowed on the machine (misaligned "
                            "vectors ...; Maxwell "
                            "only)"});
    list.push_back({.names = "--sm",
                    .to = &g_assemble.sm,
                    .help = "Refuse instructions that this target lacks; without it, that of the listing's "
                            ".sm (Maxwell only)",
                    .value = "N",
                    .choices = {"50", "52", "53"}});
    list.push_back({.names = "--to",
                    .to = &g_assemble.target,
                    .help = "What a Maxwell listing becomes; without it, the suffix of the output decides: "
                            ".cubin, .dksh, or "
                            "machine code for .bin and names without one",
                    .value = "TARGET",
                    .choices = {"maxwell-bin", "cubin", "dksh"}});
    list.push_back(
        {.names = "--into",
         .to = &g_assemble.into,
         .help =
             "Write a copy of this cubin or deko3d program with the assembled code, which must be as long "
             "and need no more registers (Maxwell only)",
         .value = "FILE",
         .completion = Completion::file});
  } else {
    list.push_back({.names = "--words",
                    .to = &g_assemble.words,
                    .help = "Show the raw word of each instruction (Maxwell only)"});
    list.push_back({.names = "--exact-literals",
                    .to = &g_assemble.exact_literals,
                    .help = "Print literals so that no bit is lost; fxc prints only six decimals",
                    .with = kDirect3d});
  }
  return list;
}

const std::vector<ExitStatus> kStatuses = {
    {kExitGood, "success"},
    {kExitInput, "the input is wrong, or a file could not be read or written"},
    {kExitUsage, "the command line is wrong"}};

}  // namespace

Command assemble_command() {
  return {.name = "assemble",
          .summary = "Turn shader assembly into a DXBC container, or Maxwell assembly into machine code",
          .description =
              "Writes a container with every chunk that the listing shows (docs/frontend.md), or machine "
              "code with its control words (docs/maxwell-isa.md).",
          .options = [] { return options("Assembly text; - for standard input", true); },
          .run = [](const Given& given) { return run(given, true); },
          .statuses = kStatuses,
          .examples = {{"texlate assemble shader.asm -o shader.dxbc", "a container that Direct3D loads"},
                       {"texlate assemble kernel.sass -o kernel.bin", "machine code"},
                       {"texlate assemble kernel.sass -o kernel.cubin", "a cubin, as the directives say"},
                       {"texlate assemble kernel.sass --into kernel.cubin -o edited.cubin",
                        "a cubin of another compiler whose code was disassembled and edited"}}};
}

Command disassemble_command() {
  return {.name = "disassemble",
          .summary =
              "Turn a DXBC container into shader assembly, or a cubin, machine code or hexadecimal words "
              "into Maxwell assembly",
          .description = "The output assembles back to the same program.",
          .options = [] { return options("A container or machine code; - for standard input", false); },
          .run = [](const Given& given) { return run(given, false); },
          .statuses = kStatuses,
          .examples = {{"texlate disassemble shader.dxbc", "the listing, as fxc prints it"},
                       {"texlate disassemble --isa maxwell --words kernel.cubin",
                        "Maxwell assembly with its words"}}};
}

}  // namespace texlate::cli
