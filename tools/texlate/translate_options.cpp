// The options of texlate translate, and their meaning.

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "tools/texlate/class_instance.h"
#include "tools/texlate/commands.h"
#include "tools/texlate/device_profile.h"
#include "tools/texlate/files.h"
#include "tools/texlate/known_file.h"
#include "tools/texlate/messages.h"
#include "tools/texlate/targets.h"
#include "tools/texlate/translate.h"
#include "tools/texlate/uav_format.h"

namespace texlate::cli {

namespace {

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

/// Targets for which a shader is lowered. The others are forms of the program itself.
bool is_lowered(const texlate_target_info& target) {
  return !is_one_of(target.name, {"asm", "dxbc"});
}
bool is_emitted(const texlate_target_info& target) {
  return is_lowered(target) && !is_one_of(target.name, {"ir"});
}
/// Targets whose output has the name of the entry point.
bool is_named(const texlate_target_info& target) {
  return is_emitted(target) && !is_one_of(target.name, {"maxwell-bin", "dksh"});
}

std::vector<std::string> lowered_targets() {
  return targets_with(is_lowered);
}
std::vector<std::string> emitted_targets() {
  return targets_with(is_emitted);
}

std::vector<std::string> pass_names() {
  std::vector<std::string> names{"all"};
  for (uint32_t i = 0; texlate_pass_name(i) != nullptr; ++i) names.emplace_back(texlate_pass_name(i));
  return names;
}

std::vector<Option> output_options(TranslateArguments& arguments) {
  constexpr std::string_view kTopic = "Output";
  return {
      {.names = "-o,--output",
       .to = &arguments.output,
       .help = "The file to write; standard output without it (one input only)",
       .value = "FILE",
       .topic = kTopic,
       .completion = Completion::file},
      {.names = "--out-dir",
       .to = &arguments.out_dir,
       .help = "The folder to write to: one file per input, named after it",
       .value = "FOLDER",
       .topic = kTopic,
       .completion = Completion::folder},
      {.names = "-j,--jobs",
       .to = &arguments.jobs,
       .help = "How many inputs are translated at the same time; the output does not depend on it",
       .value = "N",
       .topic = kTopic,
       .least = 1,
       .most = 256},
      {.names = "--explain",
       .to = &arguments.explain,
       .help = "List for each instruction the guards that were added, and which document does not promise "
               "what Direct3D defines (docs/explain.md)",
       .value = "FORM",
       .topic = kTopic,
       .choices = {"text", "json"},
       .implied = "text",
       .with = {"--to", emitted_targets}},
      {.names = "--reflect",
       .to = &arguments.reflection,
       .help = "Write what the host must bind to this JSON file",
       .value = "FILE",
       .topic = kTopic,
       .with = {"--to",
                [] {
                  return targets_with(
                      [](const texlate_target_info& target) { return target.reflection != 0; });
                }},
       .completion = Completion::file},
      {.names = "--emit-header",
       .to = &arguments.header,
       .help = "Write C structures to this file: the constant buffers that a container names, and the "
               "parameter block of a kernel (docs/getting_started.md)",
       .value = "FILE",
       .topic = kTopic,
       .completion = Completion::file},
      {.names = "--depfile",
       .to = &arguments.depfile,
       .help = "Write the files that the output depends on to this file, as a make rule",
       .value = "FILE",
       .topic = kTopic,
       .completion = Completion::file},
  };
}

std::vector<Option> program_options(TranslateArguments& arguments) {
  constexpr std::string_view kTopic = "Translation";
  return {
      {.names = "--sm",
       .to = &arguments.sm,
       .help = "The GPU's compute capability, 75 for sm_75. ptx: from 50 on, 75 by default; maxwell, cubin, "
               "maxwell-bin: 50, 52 (the default) or 53; dksh: 53",
       .value = "N",
       .topic = kTopic,
       .least = 1,
       .with = {"--to",
                [] {
                  return targets_with([](const texlate_target_info& target) { return target.takes_sm != 0; });
                }}},
      {.names = "--entry",
       .to = &arguments.entry,
       .help = "The name of the entry point",
       .value = "NAME",
       .topic = kTopic,
       .with = {"--to", [] { return targets_with(is_named); }}},
      {.names = "--uav-format",
       .to = &arguments.uav_formats,
       .help =
           "The format of a typed UAV, for example u0=rgba8_unorm, u1=r32_uint, u2=rg16_float; of a range of "
           "shader model 5.1, U0 in the listing, u0 is that of all its registers",
       .value = "U=FORMAT",
       .topic = kTopic,
       .with = {"--to",
                [] {
                  return targets_with(
                      [](const texlate_target_info& target) { return target.takes_uav_formats != 0; });
                }}},
      {.names = "--hull",
       .to = &arguments.hulls,
       .help = "The hull shader before a domain shader, which declares the partitioning and the output "
               "primitive; SHADER=FILE for one of several inputs",
       .value = "FILE",
       .topic = kTopic,
       .with = {"--to", {"dksh"}},
       .completion = Completion::file},
      known_option(arguments.known, kTopic, {"--to", emitted_targets}),
      {.names = "--class",
       .to = &arguments.classes,
       .help = "What is bound to an interface slot: the class, then the first of its variables, textures and "
               "samplers, for example fp0=ft1,cb0[4],t3,s1",
       .value = "INSTANCE",
       .topic = kTopic,
       .with = {"--to", lowered_targets}},
      strict_option(arguments.strict),
      lenient_option(arguments.lenient),
      {.names = "--print-after",
       .to = &arguments.print_after,
       .help = "Print the IR, or the machine function (docs/maxwell.md), to standard error each time this "
               "pass has run",
       .value = "PASS",
       .topic = "Debugging",
       .choices = pass_names,
       .with = {"--to", lowered_targets}},
  };
}

/// The option of a row of option_rows.inc, unless it has none. Its type and default are the library's.
void add_row(Destination to, const char* option, const char* value, double least, double most,
             const char* help, std::vector<Option>& options) {
  if (*option == '\0') return;
  options.push_back({.names = option, .to = to, .help = help, .value = value});
  if (options.back().is_flag()) return;
  options.back().least = least;
  options.back().most = most;
}

std::vector<Option> spirv_options(TranslateArguments& arguments) {
  constexpr std::string_view kTopic = "SPIR-V";
  std::vector<Option> options = {
      {.names = "--robustness",
       .to = &arguments.robustness,
       .help = "Who handles out-of-bounds accesses: driver (robustBufferAccess2, robustImageAccess2 and "
               "nullDescriptor are on: no guards) or shader (they are off: guards where Direct3D defines "
               "what Vulkan does not)",
       .value = "WHO",
       .choices = {"driver", "shader"}},
      {.names = "--binding-map",
       .to = &arguments.binding_map,
       .help = "A JSON file that assigns registers to sets and bindings (docs/spirv.md)",
       .value = "FILE",
       .completion = Completion::file},
      {.names = "--device-profile",
       .to = &arguments.device_profile,
       .help = "What the device has, as vulkaninfo --json writes it. A shader that needs more takes another "
               "form, or is an error that names what is missing (docs/spirv.md)",
       .value = "FILE",
       .completion = Completion::file},
      {.names = "--without",
       .to = &arguments.without,
       .help = "Features that the device lacks, for example shaderFloat64,VK_EXT_shader_stencil_export",
       .value = "FEATURES"},
      {.names = "--spirv-version",
       .to = &arguments.spirv_version,
       .help = "The SPIR-V version of the module",
       .value = "V",
       .choices = {"1.0", "1.3", "1.4", "1.5", "1.6"}},
      {.names = "--printf",
       .to = &arguments.spirv.messages,
       .help = "Translate the shader's printf() and errorf() (NonSemantic.DebugPrintf)"},
      {.names = "--optimize",
       .to = &arguments.spirv.optimize,
       .help = "Run SPIRV-Tools' performance passes on the module"},
      {.names = "--validate",
       .to = &arguments.spirv.validate,
       .help = "Check the module with SPIRV-Tools' validator"},
  };
#define OPTION(member, type, standard, ...) add_row(&arguments.spirv.member, __VA_ARGS__, options);
#include "backend/spirv/option_rows.inc"
#undef OPTION
  for (Option& option : options) {
    option.topic = kTopic;
    option.with = {"--to", {"spirv", "spirv-text"}};
    if (option.names == "--debug") option.with.values = {"spirv", "spirv-text", "ptx"};
  }
  return options;
}

std::vector<Option> kernel_options(TranslateArguments& arguments) {
  std::vector<Option> options;
  const auto finish = [&](size_t first, std::string_view topic, const Words& targets) {
    for (size_t i = first; i < options.size(); ++i) {
      options[i].topic = topic;
      options[i].with = {"--to", targets};
    }
  };
#define OPTION(member, type, standard, ...) add_row(&arguments.kernel.member, __VA_ARGS__, options);
#include "backend/launch/option_rows.inc"
#undef OPTION
  finish(0, "Kernels", {"ptx", "maxwell", "cubin", "maxwell-bin", "dksh"});
  const size_t own = options.size();
#define OPTION(member, type, standard, ...) add_row(&arguments.ptx.member, __VA_ARGS__, options);
#include "backend/ptx/option_rows.inc"
#undef OPTION
  finish(own, "PTX", {"ptx"});
  return options;
}

/// Options that have no effect together. Returns false if a message was printed.
bool has_effects(const TranslateArguments& arguments) {
  std::string wrong;
  if (arguments.ptx.function != 0 && arguments.ptx.max_threads != 0)
    wrong = "--function and --max-threads cannot be combined: only a kernel has a block";
  if (arguments.ptx.function != 0 && arguments.kernel.max_registers != 0)
    wrong = "--function and --max-registers cannot be combined: the kernel that calls the function decides";
  if (!wrong.empty()) usage_error(wrong);
  return wrong.empty();
}

/// Returns false if a message was printed.
bool read_uav_formats(const TranslateArguments& arguments, TranslateSettings& settings) {
  std::set<uint32_t> views;
  for (const std::string& text : arguments.uav_formats) {
    const auto format = parse_uav_format(text);
    std::string wrong;
    if (!format) {
      wrong = "'" + text + "' is not a UAV format such as u0=rgba8_unorm";
    } else if (!views.insert(format->uav).second) {
      wrong = fmt::format("--uav-format: u{} is given twice", format->uav);
    }
    if (!wrong.empty()) {
      usage_error(wrong);
      return false;
    }
    settings.formats.push_back(*format);
  }
  return true;
}

/// The exit status; other than kExitGood, a message was printed.
int read_device(const TranslateArguments& arguments, TranslateSettings& settings) {
  if (!arguments.device_profile.empty()) {
    const auto json = read_file(arguments.device_profile);
    if (!json) return kExitInput;
    Diagnostics diagnostics;
    if (!parse_device_profile(*json, settings.device, diagnostics)) {
      for (const Diagnostic& diagnostic : diagnostics.list())
        write_messages(rendered(diagnostic, arguments.device_profile, *json));
      return kExitInput;
    }
  }
  const auto unknown = parse_missing_features(arguments.without, settings.device);
  if (unknown) {
    usage_error(unknown_feature(*unknown));
    return kExitUsage;
  }
  settings.spirv.device = settings.device.data();
  settings.spirv.device_count = settings.device.size();
  return kExitGood;
}

bool read_spirv_settings(const TranslateArguments& arguments, TranslateSettings& settings) {
  settings.spirv.robustness =
      arguments.robustness == "shader" ? TEXLATE_ROBUSTNESS_SHADER : TEXLATE_ROBUSTNESS_DRIVER;
  settings.spirv.version = 0x00010000u | static_cast<uint32_t>(arguments.spirv_version[2] - '0') << 8;
  if (arguments.binding_map.empty()) return true;
  const auto json = read_file(arguments.binding_map);
  if (!json) return false;
  Diagnostics diagnostics;
  if (!parse_binding_map(*json, settings.map, diagnostics)) {
    for (const Diagnostic& diagnostic : diagnostics.list())
      write_messages(rendered(diagnostic, arguments.binding_map, *json));
    return false;
  }
  settings.spirv.bindings = settings.map.bindings.data();
  settings.spirv.binding_count = settings.map.bindings.size();
  settings.spirv.combined = settings.map.combined.data();
  settings.spirv.combined_count = settings.map.combined.size();
  return true;
}

}  // namespace

std::vector<Option> translate_options(TranslateArguments& arguments) {
  std::vector<Option> options = {
      {.names = "SHADER",
       .to = &arguments.inputs,
       .help = "Shader assembly as fxc prints it, a DXBC container, or IR text; - for standard input",
       .value = "SHADER",
       .completion = Completion::file,
       .required = true},
      {.names = "--to",
       .to = &arguments.target,
       .help = "The target ('texlate help targets'); without it the suffix of the output decides",
       .value = "TARGET",
       .choices = target_names},
  };
  for (auto* more : {output_options, program_options, spirv_options, kernel_options}) {
    for (Option& option : more(arguments)) options.push_back(std::move(option));
  }
  return options;
}

bool choose_target(const Given& given, TranslateArguments& arguments) {
  const std::string suffix = suffix_of(arguments.output);
  if (suffix.empty()) return true;
  const texlate_target_info* named = nullptr;
  const std::vector<texlate_target_info> targets = all_targets();
  for (const texlate_target_info& target : targets) {
    if (suffix == target.suffix) named = &target;
  }
  if (!given.has("--to")) {
    if (named != nullptr) {
      arguments.target = named->name;
      return true;
    }
    usage_error(fmt::format("'{}': no target has the suffix {}; name the target with --to", arguments.output,
                            suffix));
    return false;
  }
  if (named == nullptr || arguments.target == named->name) return true;
  for (const texlate_target_info& target : targets) {
    if (arguments.target == target.name && suffix == target.suffix) return true;
  }
  usage_error(fmt::format("'{}' has the suffix of {}, but --to {} was given", arguments.output, named->name,
                          arguments.target));
  return false;
}

int read_settings(const TranslateArguments& arguments, TranslateSettings& settings) {
  for (const texlate_target_info& target : all_targets()) {
    if (arguments.target == target.name) settings.target = target;
  }
  if (!has_effects(arguments) || !read_uav_formats(arguments, settings)) return kExitUsage;
  for (const std::string& text : arguments.classes) {
    const auto instance = parse_class_instance(text);
    if (!instance) {
      usage_error("'" + text + "' is not a class instance such as fp0=ft1,cb0[4],t3,s1");
      return kExitUsage;
    }
    settings.classes.push_back(*instance);
  }
  settings.spirv = arguments.spirv;
  if (const int status = read_device(arguments, settings); status != kExitGood) return status;
  return read_spirv_settings(arguments, settings) ? kExitGood : kExitInput;
}

}  // namespace texlate::cli
