// texlate translate

#include "tools/texlate/translate.h"

#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <new>
#include <thread>

#include "tools/texlate/buffer_header.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/explanation_text.h"
#include "tools/texlate/files.h"
#include "tools/texlate/known_file.h"
#include "tools/texlate/known_hints.h"
#include "tools/texlate/launch_header.h"
#include "tools/texlate/messages.h"

namespace texlate::cli {

namespace {

TranslateArguments g_translate;

/// The output of one input, kept together if several are translated at once.
struct Result {
  int status = kExitGood;
  bool done = false;
  std::string messages;  // for stderr
  std::string text;      // for stdout
  std::string gaps;      // --explain=json: one object
  bool uses_hull = false;
};

std::string output_path(const TranslateArguments& arguments, const std::string& input, const char* suffix) {
  if (arguments.out_dir.empty()) return arguments.output;
  return (std::filesystem::path(arguments.out_dir) / std::filesystem::path(input).stem()).string() + suffix;
}

/// Does anything but the explanation go to standard output?
bool fills_standard_output(const TranslateArguments& arguments) {
  const bool has_one_output = arguments.out_dir.empty();
  return (has_one_output && is_standard_output(arguments.output)) || arguments.reflection == "-" ||
         arguments.header == "-" || arguments.depfile == "-";
}

void fail(Result& result, const std::string& file, const std::string& message) {
  result.status = kExitInput;
  result.messages += file_error_text(file, message);
}

bool write_output(const std::string& path, std::string_view data, Result& result) {
  std::string why;
  if (write_file(path, data, why)) return true;
  fail(result, path, "cannot be written: " + why);
  return false;
}

/// Escapes a file name for make and ninja. A backslash is itself, except before what needs one; the colon
/// after the letter of a drive needs none.
std::string make_name(std::string_view path) {
  std::string out;
  for (size_t i = 0; i < path.size(); ++i) {
    const char c = path[i];
    const bool is_drive = i == 1 && path.size() > 2 && (path[2] == '\\' || path[2] == '/');
    if (c == ' ' || c == '#' || (c == ':' && !is_drive)) {
      for (size_t before = i; before > 0 && path[before - 1] == '\\'; --before) out += '\\';
      out += '\\';
    }
    if (c == '$') out += '$';
    out += c;
  }
  return out;
}

struct HullFile {
  std::string path;
  bool is_named = false;  // for this input alone
};

/// The file after the input's name in --hull, or else the last one without a name.
HullFile hull_of(const TranslateArguments& arguments, const std::string& input) {
  HullFile found;
  for (const std::string& given : arguments.hulls) {
    if (given.size() > input.size() && given.starts_with(input) && given[input.size()] == '=')
      return {given.substr(input.size() + 1), true};
    const auto is_named = [&](const std::string& one) { return given.starts_with(one + "="); };
    if (std::ranges::none_of(arguments.inputs, is_named)) found.path = given;
  }
  return found;
}

bool write_depfile(const TranslateArguments& arguments, const std::string& input, const std::string& output,
                   Result& result) {
  if (arguments.depfile.empty()) return true;
  std::string text = make_name(output);
  const auto add = [&](const std::string& file) {
    if (!is_standard_output(file)) text += " " + make_name(file);  // "-" is no file for make
  };
  add(arguments.reflection);
  add(arguments.header);
  text += ":";
  add(input);
  add(arguments.binding_map);
  add(arguments.device_profile);
  add(arguments.known);
  if (result.uses_hull) add(hull_of(arguments, input).path);
  return write_output(arguments.depfile, text + "\n", result);
}

texlate_translate_options translate_options_of(const TranslateArguments& arguments,
                                               const TranslateSettings& settings,
                                               const texlate_spirv_options& spirv) {
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = settings.target.name;
  options.sm = arguments.sm;
  options.entry = arguments.entry.c_str();
  options.explain = arguments.explain.empty() ? 0 : 1;
  options.uav_formats = settings.formats.data();
  options.uav_format_count = settings.formats.size();
  options.classes = settings.classes.data();
  options.class_count = settings.classes.size();
  options.spirv = &spirv;
  options.reflect = arguments.reflection.empty() && arguments.header.empty() ? 0 : 1;
  return options;
}

/// --print-after: collects the modules after the passes.
struct PassPrinter {
  const std::string& wanted;
  std::string& text;

  static void print(void* self, const char* pass, const char* text, size_t length) {
    const PassPrinter& printer = *static_cast<const PassPrinter*>(self);
    if (printer.wanted != "all" && printer.wanted != pass) return;
    printer.text += fmt::format("; after {}\n{}\n", pass, std::string_view(text, length));
  }
};

void keep(const std::vector<api::Diagnostic>& diagnostics, std::vector<Diagnostic>& list) {
  for (const api::Diagnostic& one : diagnostics) {
    const SourceLocation at{one.line, one.column, one.length, one.offset};
    list.push_back({static_cast<Severity>(one.severity), at, std::pmr::string(one.message)});
  }
}

void keep(const std::string& message, std::vector<Diagnostic>& list) {
  list.push_back({Severity::error, {}, std::pmr::string(message)});
}

std::string gaps_object(const TranslateArguments& arguments, const std::string& input,
                        std::string_view gaps) {
  while (gaps.ends_with('\n')) gaps.remove_suffix(1);
  return fmt::format("{{\"schema\": {}, \"file\": {}, \"target\": \"{}\", \"gaps\": {}}}", kSchema,
                     json_string(input), arguments.target, gaps);
}

/// Writes the files of one translation. The translation itself is the last one: if it is there, a build tool
/// takes all of them for complete.
bool write_files(const TranslateArguments& arguments, const std::string& input, const std::string& path,
                 const TranslateText& text, Result& result) {
  if (!arguments.reflection.empty() && !write_output(arguments.reflection, text.reflection, result))
    return false;
  if (!arguments.header.empty() && !write_output(arguments.header, text.header, result)) return false;
  if (!write_depfile(arguments, input, path, result)) return false;
  if (!is_standard_output(path)) return write_output(path, text.data, result);
  result.text = text.data;
  return true;
}

Result translate_one(const TranslateArguments& arguments, const TranslateSettings& settings,
                     const std::string& input, texlate_context* context) {
  Result result;
  const TranslateText text = translate_text(arguments, settings, input, context);
  result.messages = text.passes + text.file_messages;
  result.uses_hull = text.uses_hull;
  for (const Diagnostic& diagnostic : text.diagnostics)
    result.messages += rendered(diagnostic, input, text.source);
  if (!text.good) {
    result.status = text.wrong_options ? kExitUsage : kExitInput;
    return result;
  }
  const std::string path = output_path(arguments, input, settings.target.suffix);
  if (!write_files(arguments, input, path, text, result)) return result;
  if (arguments.explain == "json") result.gaps = gaps_object(arguments, input, text.explanation_json);
  // On stdout it would mix with the translation.
  if (arguments.explain == "text")
    (fills_standard_output(arguments) ? result.messages : result.text) += text.explanation;
  return result;
}

/// For the threads, which no exception may leave.
Result translate_within_memory(const TranslateArguments& arguments, const TranslateSettings& settings,
                               const std::string& input, texlate_context* context) {
  try {
    return translate_one(arguments, settings, input, context);
  } catch (const std::bad_alloc&) {
    Result result;
    fail(result, input, "out of memory");
    return result;
  }
}

/// `--explain json`: after a blank the word is an input.
bool takes_form_as_input(const TranslateArguments& arguments) {
  std::error_code ignored;
  return std::find(arguments.inputs.begin(), arguments.inputs.end(), "json") != arguments.inputs.end() &&
         !std::filesystem::exists("json", ignored);
}

/// Checks that the tables of options cannot express.
bool is_consistent(const Given& given, const TranslateArguments& arguments) {
  std::string wrong;
  const bool many = arguments.inputs.size() > 1;
  if (given.has("--output") && given.has("--out-dir")) wrong = "--output and --out-dir cannot be combined";
  if (many && arguments.out_dir.empty()) wrong = "several inputs need --out-dir";
  if (given.has("--explain") && takes_form_as_input(arguments))
    wrong = "'json' is taken for an input: the form belongs to the option, --explain=json";
  if (many && given.has("--reflect")) wrong = "--reflect allows only one input";
  if (many && given.has("--emit-header")) wrong = "--emit-header allows only one input";
  if (many && given.has("--depfile")) wrong = "--depfile allows only one input";
  if (given.has("--depfile") && arguments.out_dir.empty() && is_standard_output(arguments.output))
    wrong = "--depfile needs an output file";
  if (!arguments.explain.empty() && message_style().json && fills_standard_output(arguments))
    wrong = "--explain and --diagnostics=json would both go to standard error; give an output file";
  if (given.has("--print-after") && message_style().json)
    wrong = "--print-after and --diagnostics=json would both go to standard error";
  if (!wrong.empty()) usage_error(wrong);
  return wrong.empty();
}

/// Checks that no file is written twice, or both read and written.
bool has_distinct_files(const TranslateArguments& arguments, const char* suffix) {
  std::vector<std::string> read = arguments.inputs;
  read.push_back(arguments.binding_map);
  read.push_back(arguments.known);
  for (const std::string& input : arguments.inputs) read.push_back(hull_of(arguments, input).path);
  std::vector<WrittenFile> written;
  for (const std::string& input : arguments.inputs) {
    const std::string path = output_path(arguments, input, suffix);
    written.push_back({path.empty() ? "-" : path,
                       arguments.out_dir.empty() ? "--output" : "the translation of '" + input + "'"});
  }
  written.push_back({arguments.reflection, "--reflect"});
  written.push_back({arguments.header, "--emit-header"});
  written.push_back({arguments.depfile, "--depfile"});
  return are_distinct(read, written);
}

bool make_folder(const std::string& path) {
  if (path.empty()) return true;
  std::error_code error;
  std::filesystem::create_directories(path, error);
  if (error) file_error(path, "cannot be created: " + error.message());
  return !error;
}

/// Prints results in the order of the inputs, in whatever order they arrive.
class Printer {
 public:
  Printer(std::vector<Result>& results, bool json) : results_(results), json_(json) {}

  void add(size_t index, Result result) {
    const std::lock_guard lock(mutex_);
    results_[index] = std::move(result);
    results_[index].done = true;
    for (; next_ < results_.size() && results_[next_].done; ++next_) print(results_[next_]);
  }
  /// --explain=json: one object, or an array if several inputs were given.
  std::string gaps() const {
    if (results_.size() == 1) return results_[0].gaps.empty() ? std::string() : results_[0].gaps + "\n";
    std::string list;
    for (const Result& result : results_) {
      if (!result.gaps.empty()) list += (list.empty() ? "\n" : ",\n") + result.gaps;
    }
    return json_ ? "[" + list + "\n]\n" : std::string();
  }

 private:
  static void print(const Result& result) {
    write_messages(result.messages);
    std::string why;
    write_file("-", result.text, why);  // an error is remembered and reported when the command ends
  }

  std::vector<Result>& results_;
  bool json_;
  std::mutex mutex_;
  size_t next_ = 0;
};

int run_translate(const Given& given) {
  TranslateArguments& arguments = g_translate;
  TranslateSettings settings;
  if (!is_consistent(given, arguments)) return kExitUsage;
  if (const int status = read_settings(arguments, settings); status != kExitGood) return status;
  if (!has_distinct_files(arguments, settings.target.suffix)) return kExitUsage;
  if (!make_folder(arguments.out_dir)) return kExitInput;
  std::vector<Result> results(arguments.inputs.size());
  Printer printer(results, arguments.explain == "json");
  std::atomic<size_t> next{0};
  auto work = [&] {
    const api::Context context;
    for (size_t i; (i = next++) < arguments.inputs.size();)
      printer.add(i, translate_within_memory(arguments, settings, arguments.inputs[i], context.get()));
  };
  const size_t count = std::min<size_t>(arguments.jobs, arguments.inputs.size());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < count; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  const std::string gaps = printer.gaps();
  std::fwrite(gaps.data(), 1, gaps.size(), fills_standard_output(arguments) ? stderr : stdout);
  int worst = kExitGood;
  for (const Result& result : results) worst = std::max(worst, result.status);
  return worst;
}

/// The library's text about a wrong argument in terms of the command line. The library names members of its
/// structures, such as "options.spirv.bindings[1]".
std::string argument_problem(const TranslateArguments& arguments) {
  struct Member {
    std::string_view path;
    std::string option;
  };
  const Member members[] = {{"uav_formats", "--uav-format"},
                            {"classes", "--class"},
                            {"known", "--known"},
                            {"hull", "--hull"},
                            {"bindings", "--binding-map " + arguments.binding_map},
                            {"combined", "--binding-map " + arguments.binding_map},
                            {"max_threads", "--max-threads"},
                            {"max_registers", "--max-registers"},
                            {"entry", "--entry"},
                            {"sm", "--sm"}};
  std::string text = texlate_argument_error();
  for (const std::string_view structure : {"options.spirv.", "options.kernel.", "options.ptx.", "options."}) {
    for (size_t at; (at = text.find(structure)) != std::string::npos;) text.erase(at, structure.size());
  }
  for (const Member& member : members) {
    if (!text.starts_with(member.path)) continue;
    const std::string rest = text.substr(member.path.size());
    if (rest.starts_with(" is ")) return member.option + rest;
    return fmt::format("{}: {}", member.option, rest.starts_with(": ") ? rest.substr(2) : text);
  }
  return text;
}

/// Says why the library made no translation, where its own diagnostics do not.
void explain_status(texlate_status status, const TranslateArguments& arguments, TranslateText& text) {
  if (status == TEXLATE_OK || status == TEXLATE_ERROR_INPUT) return;
  text.wrong_options = status == TEXLATE_ERROR_ARGUMENT;
  if (status == TEXLATE_ERROR_MEMORY) return keep("out of memory", text.diagnostics);
  if (!text.wrong_options) {
    return keep(fmt::format("texlate failed (status {}); this is a bug in texlate", static_cast<int>(status)),
                text.diagnostics);
  }
  keep(argument_problem(arguments), text.diagnostics);
}

/// Reports an option that has no effect on this shader.
bool suits(const TranslateArguments& arguments, const api::Program& program, TranslateText& text) {
  if (arguments.ptx.max_threads == 0 || program.info().stage != TEXLATE_STAGE_COMPUTE) return true;
  keep("--max-threads is for pixel and vertex shaders: a compute shader declares the size of its groups",
       text.diagnostics);
  text.wrong_options = true;
  return false;
}

/// A format that nothing uses is probably meant for another register.
void warn_of_unused_formats(const TranslateSettings& settings, const api::Program& program,
                            std::vector<Diagnostic>& list) {
  if (program.info().instruction_count == 0) return;  // IR text, whose bindings cannot be asked for
  for (const texlate_uav_format& format : settings.formats) {
    bool is_declared = false;
    std::string range;  // of which the number is a register
    texlate_binding binding{};
    binding.struct_size = sizeof binding;
    for (uint32_t i = 0; texlate_program_get_binding(program.get(), i, &binding) == TEXLATE_OK; ++i) {
      if (binding.kind != TEXLATE_BINDING_UAV || binding.component_type == 0) continue;
      is_declared |= binding.id == format.uav;
      if (binding.lower_bound <= format.uav && format.uav <= binding.upper_bound)
        range = fmt::format("; the format of register u{} is that of its range, u{}", format.uav, binding.id);
    }
    if (!is_declared)
      list.push_back(
          {Severity::warning,
           {},
           std::pmr::string(fmt::format("--uav-format: the shader has no typed u{}{}", format.uav, range))});
  }
}

/// Does the target's reflection describe a parameter block (docs/launch_abi.md)?
bool has_parameter_block(std::string_view target) {
  return target == "ptx" || target == "maxwell" || target == "cubin" || target == "maxwell-bin";
}

}  // namespace

/// --emit-header: the parameter block of a kernel, and the constant buffers that the container names.
bool make_header(const TranslateArguments& arguments, const api::Program& program, TranslateText& text) {
  if (has_parameter_block(arguments.target)) text.header = launch_header(text.reflection);
  text.header += buffer_header(program.definitions(), arguments.entry);
  if (!text.header.empty()) return true;
  keep("--emit-header has nothing to write: the input names no constant buffers (chunk RDEF of a container)",
       text.diagnostics);
  text.good = false;
  return false;
}

/// --hull: reads the hull shader. Its messages name its file.
bool read_hull(const TranslateArguments& arguments, const std::string& file,
               std::optional<api::Program>& hull, TranslateText& text) {
  std::string why;
  const auto source = read_file(file, why);
  if (!source) {
    keep(fmt::format("--hull {} cannot be read: {}", file, why), text.diagnostics);
    return false;
  }
  hull = read_shader(*source, arguments.strict, arguments.lenient);
  // Messages hold as long as what they are about.
  const auto take = [&](const auto& problems) {
    for (const api::Diagnostic& one : problems) text.file_messages += rendered(one, file, *source);
    return false;
  };
  if (!hull->ok()) return take(hull->diagnostics());
  if (hull->info().stage != TEXLATE_STAGE_HULL) return true;
  // What the library would report of it as the translation's.
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "ir";
  const api::Output checked = hull->translate(options);
  return checked.status() != TEXLATE_ERROR_INPUT || take(checked.diagnostics());
}

TranslateText translate_text(const TranslateArguments& arguments, const TranslateSettings& settings,
                             const std::string& input, texlate_context* context) {
  TranslateText text;
  std::string why;
  auto source = read_file(input, why);
  if (!source) {
    keep("cannot be read: " + why, text.diagnostics);
    return text;
  }
  text.source = std::move(*source);
  const api::Program program = read_shader(text.source, arguments.strict, arguments.lenient);
  keep(program.diagnostics(), text.diagnostics);
  if (!program.ok() || !suits(arguments, program, text)) return text;
  warn_of_unused_formats(settings, program, text.diagnostics);
  texlate_spirv_options spirv = settings.spirv;
  spirv.source_name = input.c_str();
  texlate_translate_options options = translate_options_of(arguments, settings, spirv);
  texlate_ptx_options ptx = arguments.ptx;
  ptx.debug = arguments.spirv.debug;
  ptx.source_name = input.c_str();
  if (text.source.find('\0') == std::string::npos) ptx.source = spirv.source = text.source.c_str();
  options.ptx = &ptx;
  options.kernel = &arguments.kernel;
  PassPrinter passes{arguments.print_after, text.passes};
  if (!arguments.print_after.empty()) options.after_pass = PassPrinter::print;
  options.after_pass_user = &passes;
  options.context = context;
  KnownFile known;
  std::vector<lower::ClassInstance> classes;
  for (const texlate_class_instance& one : settings.classes)
    classes.push_back(
        {one.slot, one.table, one.constant_buffer, one.constant_offset, one.texture, one.sampler});
  texlate_known_state state = TEXLATE_KNOWN_STATE_INIT;
  if (!arguments.known.empty()) {
    const bool good = known.read(arguments.known, {text.source, classes, arguments.lenient});
    text.file_messages = known.messages();
    if (!good) return text;
    state = known.lists.state();
    options.known = &state;
  }
  std::optional<api::Program> hull;
  // A file for all inputs is only for the domain shaders among them.
  const HullFile file = hull_of(arguments, input);
  const bool is_for_this =
      file.is_named || arguments.inputs.size() == 1 || program.info().stage == TEXLATE_STAGE_DOMAIN;
  if (!file.path.empty() && is_for_this) {
    if (!read_hull(arguments, file.path, hull, text)) return text;
    options.hull = hull->get();
    text.uses_hull = true;
  }
  const api::Output output = program.translate(options);
  keep(output.diagnostics(), text.diagnostics);
  text.good = output.ok();
  if (output.ok() && !arguments.print_after.empty() && text.passes.empty()) {
    const std::string idle = fmt::format("--print-after: {} has not run", arguments.print_after);
    text.diagnostics.push_back({Severity::warning, {}, std::pmr::string(idle)});
  }
  explain_status(output.status(), arguments, text);
  if (!output.ok()) return text;
  text.data = output.data();
  text.reflection = output.reflection();
  if (!arguments.header.empty() && !make_header(arguments, program, text)) return text;
  if (!arguments.explain.empty()) {
    text.explanation = explanation_text(output, input, text.source);
    if (arguments.explain == "text") text.explanation += known_hints(program, options, text.data);
    text.explanation_json = output.explanation_json();
  }
  return text;
}

Command translate_command() {
  return {
      .name = "translate",
      .summary = "Translate shaders",
      .description =
          "Reads shader assembly, DXBC containers or IR text, recognized by their first bytes, and writes "
          "the form that --to names. Where Direct3D defines something that the target leaves undefined, "
          "guards are added; --explain lists them.\n\nIf something cannot be translated, an error names the "
          "instruction, its line and the target, and nothing is written.",
      .options = [] { return translate_options(g_translate); },
      .run = run_translate,
      .settle = [](const Given& given) { return choose_target(given, g_translate); },
      .statuses = {{kExitGood, "all inputs were translated"},
                   {kExitInput, "an input is wrong or not supported, or a file could not be read or written"},
                   {kExitUsage, "the command line is wrong"}},
      .examples = {{"texlate translate shader.asm -o shader.ptx", "PTX, from the suffix of the output"},
                   {"texlate translate *.dxbc --to spirv --out-dir out -j 4", "many, four at a time"},
                   {"texlate translate shader.asm --to spirv --robustness shader --explain -o shader.spv",
                    "guards for devices without robustness features, and why each is needed"}},
  };
}

}  // namespace texlate::cli
