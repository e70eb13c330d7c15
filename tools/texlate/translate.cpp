// texlate translate

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <cstdio>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "tools/texlate/binding_map.h"
#include "tools/texlate/class_instance.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/files.h"

namespace texlate::cli {

namespace {

std::vector<texlate_target_info> all_targets() {
  std::vector<texlate_target_info> targets(texlate_target_count());
  for (uint32_t i = 0; i < targets.size(); ++i) {
    targets[i].struct_size = sizeof targets[i];
    texlate_target_get_info(i, &targets[i]);
  }
  return targets;
}

/// Output of one input, kept together when several run at once.
struct Result {
  int status = kExitGood;
  std::string messages;  // for stderr
  std::string text;      // for stdout
};

std::string_view source_line(std::string_view source, uint32_t line) {
  for (; line > 1; --line) {
    const size_t end = source.find('\n');
    if (end == std::string_view::npos) return {};
    source.remove_prefix(end + 1);
  }
  source = source.substr(0, source.find_first_of("\r\n"));
  while (!source.empty() && source.front() == ' ') source.remove_prefix(1);
  return source;
}

/// What was closed, by source line or byte offset: the place once, then its gaps.
std::string explanation_text(const api::Output& output, const std::string& file, std::string_view source) {
  std::string text;
  std::string last;
  for (const api::Diagnostic& gap : output.explanations()) {
    std::string place = file + ":\n";
    if (gap.line != 0) {
      place = fmt::format("{}:{}: {}\n", file, gap.line, source_line(source, gap.line));
    } else if (gap.offset != UINT32_MAX) {
      place = fmt::format("{}: offset {:#x}\n", file, gap.offset);
    }
    if (place != last) text += place;
    last = std::move(place);
    text += fmt::format("    {}\n", gap.message);
  }
  if (text.empty()) text = fmt::format("{}: the target promises all that the shader asks for\n", file);
  return text;
}

/// Formats whose components have different widths, or another order.
struct NamedFormat {
  std::string_view name;
  uint32_t components, bits;
  texlate_texel_kind kind;
};
constexpr NamedFormat kNamedFormats[] = {
    {"rgb10a2_unorm", 4, 10, TEXLATE_TEXEL_UNORM},      {"rgb10a2_uint", 4, 10, TEXLATE_TEXEL_UINT},
    {"r11g11b10_float", 3, 11, TEXLATE_TEXEL_FLOAT},    {"bgra8_unorm", 4, 8, TEXLATE_TEXEL_UNORM_BGRA},
    {"bgrx8_unorm", 3, 8, TEXLATE_TEXEL_UNORM_BGRA},    {"b5g6r5_unorm", 3, 5, TEXLATE_TEXEL_UNORM_BGRA},
    {"b5g5r5a1_unorm", 4, 5, TEXLATE_TEXEL_UNORM_BGRA}, {"bgra4_unorm", 4, 4, TEXLATE_TEXEL_UNORM_BGRA},
    {"a8_unorm", 1, 8, TEXLATE_TEXEL_UNORM_ALPHA},
};

/// "u0=rgba8_unorm", "u1=r32_uint", "u2=r11g11b10_float": register, components, bits, kind.
std::optional<texlate_uav_format> parse_uav_format(const std::string& text) {
  static constexpr const char* kKinds[] = {"float", "unorm", "snorm", "uint", "sint"};
  const size_t equals = text.find('=');
  const size_t underscore = text.find('_');
  if (equals == std::string::npos || underscore == std::string::npos || equals < 2 || underscore < equals ||
      text[0] != 'u') {
    return std::nullopt;
  }
  texlate_uav_format format{};
  const std::string number = text.substr(1, equals - 1);
  for (const NamedFormat& named : kNamedFormats) {
    if (std::string_view(text).substr(equals + 1) != named.name || number.size() > 4 ||
        number.find_first_not_of("0123456789") != std::string::npos)
      continue;
    return texlate_uav_format{static_cast<uint32_t>(std::stoul(number)), named.components, named.bits,
                              named.kind};
  }
  const std::string layout = text.substr(equals + 1, underscore - equals - 1);
  const size_t digits = layout.find_first_of("0123456789");
  if (digits == std::string::npos || number.find_first_not_of("0123456789") != std::string::npos ||
      number.size() > 4 || layout.find_first_not_of("0123456789", digits) != std::string::npos ||
      layout.size() - digits > 2) {
    return std::nullopt;
  }
  format.uav = static_cast<uint32_t>(std::stoul(number));
  format.bits = static_cast<uint32_t>(std::stoul(layout.substr(digits)));
  const std::string components = layout.substr(0, digits);
  if (components != "r" && components != "rg" && components != "rgba") return std::nullopt;
  format.components = static_cast<uint32_t>(components.size());
  for (int kind = 0; kind < 5; ++kind) {
    if (text.substr(underscore + 1) != kKinds[kind]) continue;
    format.kind = static_cast<texlate_texel_kind>(kind);
    return format;
  }
  return std::nullopt;
}

std::string output_path(const TranslateArguments& arguments, const std::string& input,
                        const char* extension) {
  if (arguments.out_dir.empty()) return arguments.output;
  return (std::filesystem::path(arguments.out_dir) / std::filesystem::path(input).stem()).string() +
         extension;
}

/// What the arguments say, in the library's terms; the same for all inputs.
struct Settings {
  texlate_target_info target{};
  std::vector<texlate_uav_format> formats;
  std::vector<texlate_class_instance> classes;
  BindingMap map;
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
};

Result translate_one(const TranslateArguments& arguments, const Settings& settings,
                     const std::string& input) {
  Result result;
  const auto source = read_file(input);
  if (!source) {
    return {kExitInput, fmt::format("{}: error: cannot be read\n", input), {}};
  }
  const api::Program program = read_shader(*source, arguments.strict);
  for (const api::Diagnostic& diagnostic : program.diagnostics())
    result.messages += rendered(diagnostic, input, *source);
  if (!program.ok()) {
    result.status = kExitInput;
    return result;
  }
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = settings.target.name;
  options.sm = arguments.sm;
  options.entry = arguments.entry.c_str();
  options.explain = arguments.explain.empty() ? 0 : 1;
  options.uav_formats = settings.formats.data();
  options.uav_format_count = settings.formats.size();
  options.classes = settings.classes.data();
  options.class_count = settings.classes.size();
  texlate_spirv_options spirv = settings.spirv;
  spirv.source_name = input.c_str();
  options.spirv = &spirv;
  options.reflect = arguments.reflection.empty() ? 0 : 1;
  const api::Output output = program.translate(options);
  for (const api::Diagnostic& diagnostic : output.diagnostics())
    result.messages += rendered(diagnostic, input, *source);
  if (!output.ok()) {
    if (output.status() != TEXLATE_ERROR_INPUT) {
      result.messages +=
          fmt::format("{}: error: texlate failed (status {})\n", input, static_cast<int>(output.status()));
    }
    result.status = kExitInput;
    return result;
  }
  const std::string path = output_path(arguments, input, settings.target.suffix);
  if (path.empty() || path == "-") {
    result.text = output.data();
  } else if (!write_file(path, output.data())) {
    return {kExitInput, fmt::format("{}: error: cannot be written\n", path), {}};
  }
  if (!arguments.reflection.empty() && !write_file(arguments.reflection, output.reflection())) {
    return {kExitInput, fmt::format("{}: error: cannot be written\n", arguments.reflection), {}};
  }
  // On stdout behind the translation it would be part of it.
  if (!arguments.explain.empty()) {
    (path.empty() || path == "-" ? result.messages : result.text) +=
        arguments.explain == "json" ? std::string(output.explanation_json())
                                    : explanation_text(output, input, *source);
  }
  return result;
}

bool read_spirv_settings(const TranslateArguments& arguments, Settings& settings) {
  settings.spirv.robustness =
      arguments.robustness == "shader" ? TEXLATE_ROBUSTNESS_SHADER : TEXLATE_ROBUSTNESS_DRIVER;
  settings.spirv.version = 0x00010000u | static_cast<uint32_t>(arguments.spirv_version[2] - '0') << 8;
  settings.spirv.debug = arguments.debug ? 1 : 0;
  settings.spirv.optimize = arguments.optimize ? 1 : 0;
  settings.spirv.validate = arguments.validate ? 1 : 0;
  settings.spirv.float_controls = arguments.float_controls ? 1 : 0;
  settings.spirv.preserve_specials = arguments.preserve_specials ? 1 : 0;
  if (arguments.binding_map.empty()) return true;
  const auto json = read_file(arguments.binding_map);
  std::string error = "cannot be read";
  if (!json || !parse_binding_map(*json, settings.map, error)) {
    usage_error(fmt::format("binding map '{}': {}", arguments.binding_map, error));
    return false;
  }
  settings.spirv.bindings = settings.map.bindings.data();
  settings.spirv.binding_count = settings.map.bindings.size();
  settings.spirv.combined = settings.map.combined.data();
  settings.spirv.combined_count = settings.map.combined.size();
  return true;
}

/// False: a message was printed.
bool read_settings(const TranslateArguments& arguments, Settings& settings) {
  const bool reflect = !arguments.reflection.empty();
  std::string reflecting, taking_sm, taking_formats;
  const auto add = [](std::string& list, const char* name) {
    list += (list.empty() ? "" : ", ") + std::string(name);
  };
  for (const texlate_target_info& target : all_targets()) {
    if (arguments.target == target.name) settings.target = target;
    if (target.reflection != 0) add(reflecting, target.name);
    if (target.takes_sm != 0) add(taking_sm, target.name);
    if (target.takes_uav_formats != 0) add(taking_formats, target.name);
  }
  std::string wrong;
  if (arguments.inputs.size() > 1 && arguments.out_dir.empty()) wrong = "several inputs need --out-dir";
  if (arguments.inputs.size() > 1 && reflect) wrong = "--reflect goes with one input";
  if (reflect && settings.target.reflection == 0) wrong = "--reflect goes with --to " + reflecting;
  if (arguments.sm != 0 && settings.target.takes_sm == 0) wrong = "--sm goes with --to " + taking_sm;
  if (!arguments.uav_formats.empty() && settings.target.takes_uav_formats == 0)
    wrong = "--uav-format goes with --to " + taking_formats;
  if (!arguments.explain.empty() && arguments.explain != "text" && arguments.explain != "json")
    wrong = "--explain is for text or json, not " + arguments.explain;
  if (!wrong.empty()) {
    usage_error(wrong);
    return false;
  }
  for (const std::string& text : arguments.uav_formats) {
    const auto format = parse_uav_format(text);
    if (!format) {
      usage_error("'" + text + "' is no UAV format such as u0=rgba8_unorm");
      return false;
    }
    settings.formats.push_back(*format);
  }
  for (const std::string& text : arguments.classes) {
    const auto instance = parse_class_instance(text);
    if (!instance) {
      usage_error("'" + text + "' is no class instance such as fp0=ft1,cb0[4],t3,s1");
      return false;
    }
    settings.classes.push_back(*instance);
  }
  return read_spirv_settings(arguments, settings);
}

void add_spirv_options(CLI::App& command, TranslateArguments& arguments) {
  command
      .add_option(
          "--robustness", arguments.robustness,
          "SPIR-V: driver (the device has robustBufferAccess2, robustImageAccess2, nullDescriptor on: no "
          "guards) or shader (nothing is assumed: guards where Direct3D defines what Vulkan does not)")
      ->check(CLI::IsMember({"driver", "shader"}))
      ->capture_default_str();
  command
      .add_option("--binding-map", arguments.binding_map,
                  "SPIR-V: a JSON file that places registers in sets and bindings (docs/spirv.md)")
      ->check(CLI::ExistingFile);
  command.add_option("--spirv-version", arguments.spirv_version, "SPIR-V: the version of the module")
      ->check(CLI::IsMember({"1.3", "1.4", "1.5", "1.6"}))
      ->capture_default_str();
  command.add_flag("--debug", arguments.debug,
                   "SPIR-V: names of bindings, inputs and outputs, and the assembly's lines as OpLine");
  command.add_flag(
      "--float-controls", arguments.float_controls,
      "SPIR-V: demand Direct3D's rounding, denormals, INF and NaN (VK_KHR_shader_float_controls)");
  command.add_flag("--preserve-specials", arguments.preserve_specials,
                   "SPIR-V: of these only signed zeros, INF and NaN of 32 bits (SignedZeroInfNanPreserve)");
  command.add_flag("--optimize", arguments.optimize, "SPIR-V: run SPIRV-Tools' passes for performance");
  command.add_flag("--validate", arguments.validate, "SPIR-V: judge the module by SPIRV-Tools' validator");
}

}  // namespace

void add_translate(CLI::App& command, TranslateArguments& arguments) {
  command.add_option("inputs", arguments.inputs, "Shader assembly as fxc prints it; - for standard input")
      ->required();
  std::vector<std::string> names;
  std::string titles;
  for (const texlate_target_info& target : all_targets()) {
    names.emplace_back(target.name);
    titles += fmt::format("{}{} ({})", titles.empty() ? "" : ", ", target.name, target.title);
  }
  command.add_option("--to", arguments.target, titles)->check(CLI::IsMember(names))->capture_default_str();
  auto* output = command.add_option("-o,--output", arguments.output,
                                    "Output file; standard output without it (one input only)");
  auto* out_dir = command.add_option("--out-dir", arguments.out_dir,
                                     "Folder for outputs, one file an input, named after it");
  output->excludes(out_dir);
  command.add_option("-j,--jobs", arguments.jobs, "Inputs translated at the same time")
      ->check(CLI::Range(1u, 256u))
      ->capture_default_str();
  command.add_flag(
      "--explain{text}", arguments.explain,
      "Tell for each instruction what was done so that the target means what Direct3D means, and which "
      "document does not promise it; --explain=json for programs (docs/explain.md)");
  command.add_option("--sm", arguments.sm, "PTX: the target architecture, as in .target sm_<sm>")
      ->default_str("75");
  command.add_option("--entry", arguments.entry, "PTX, SPIR-V: the name of the entry point")
      ->capture_default_str();
  command.add_option("--uav-format", arguments.uav_formats,
                     "How a typed UAV is stored, for example u0=rgba8_unorm, u1=r32_uint, u2=rg16_float");
  command.add_option(
      "--class", arguments.classes,
      "What is bound to an interface slot: class, then where its variables, textures and samplers "
      "start, for example fp0=ft1,cb0[4],t3,s1");
  command.add_option("--reflect", arguments.reflection,
                     "PTX, SPIR-V: write to this JSON file what the host must bind");
  add_strict(command, arguments.strict);
  add_spirv_options(command, arguments);
}

int run_translate(const TranslateArguments& arguments) {
  Settings settings;
  if (!read_settings(arguments, settings)) return kExitUsage;
  if (!arguments.out_dir.empty()) {
    std::error_code error;
    std::filesystem::create_directories(arguments.out_dir, error);
    if (error) {
      usage_error("folder '" + arguments.out_dir + "' cannot be made");
      return kExitUsage;
    }
  }
  std::atomic<size_t> next{0};
  std::atomic<int> status{kExitGood};
  std::mutex print;
  auto work = [&] {
    for (size_t i; (i = next++) < arguments.inputs.size();) {
      const Result result = translate_one(arguments, settings, arguments.inputs[i]);
      if (result.status != kExitGood) status = result.status;
      const std::lock_guard lock(print);
      std::fwrite(result.messages.data(), 1, result.messages.size(), stderr);
      std::fwrite(result.text.data(), 1, result.text.size(), stdout);
    }
  };
  const size_t count = std::min<size_t>(arguments.jobs, arguments.inputs.size());
  std::vector<std::thread> threads;
  for (size_t i = 1; i < count; ++i) threads.emplace_back(work);
  work();
  for (std::thread& thread : threads) thread.join();
  return status;
}

}  // namespace texlate::cli
