// texlate translate: its arguments, and their conversion to the library's options.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "ir/base/diagnostics.h"
#include "texlate/texlate.h"
#include "tools/texlate/binding_map.h"
#include "tools/texlate/options.h"

namespace texlate::cli {

struct TranslateArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::string out_dir;
  std::string target = "ptx";
  std::string reflection;
  std::string depfile;
  std::string entry = "main";
  std::vector<std::string> uav_formats;
  std::vector<std::string> classes;
  std::string known;               // a file
  std::vector<std::string> hulls;  // FILE, or INPUT=FILE
  uint32_t sm = 0;                 // 0: the target's default
  uint32_t jobs = 1;
  std::string explain;  // empty, text or json
  std::string print_after;
  bool strict = false;  // a wrong digest is an error
  bool lenient = false;
  // SPIR-V
  std::string robustness = "driver";
  std::string spirv_version = "1.3";
  std::string binding_map;
  std::string device_profile;                                // a file
  std::string without;                                       // names of features
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;  // its flags
  // Kernels
  texlate_kernel_options kernel = TEXLATE_KERNEL_OPTIONS_INIT;
  texlate_ptx_options ptx = TEXLATE_PTX_OPTIONS_INIT;
  std::string header;
};

/// The library's options from the arguments; the same for all inputs.
struct TranslateSettings {
  texlate_target_info target{};
  std::vector<texlate_uav_format> formats;
  std::vector<texlate_class_instance> classes;
  BindingMap map;
  std::vector<texlate_device_property> device;
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
};

/// The table of options, which stores values in `arguments`.
std::vector<Option> translate_options(TranslateArguments& arguments);

/// Chooses the target by the output's suffix if there is no `--to`. Returns false if a message was printed.
bool choose_target(const Given& given, TranslateArguments& arguments);

/// Returns an exit status: not kExitGood if a message was printed.
int read_settings(const TranslateArguments& arguments, TranslateSettings& settings);

/// One translation and its messages.
struct TranslateText {
  bool good = false;
  bool wrong_options = false;  // not good because of an option, not of the input
  std::string source;          // of the input
  std::string data, reflection;
  std::string header;            // --emit-header
  std::string explanation;       // --explain as readable text
  std::string explanation_json;  // an array of gaps
  std::string passes;            // --print-after
  bool uses_hull = false;
  std::string file_messages;  // about the files of --known and --hull
  std::vector<Diagnostic> diagnostics;
};

/// Reads and translates one input. Writes and prints nothing. Makes reflection and explanation only if the
/// arguments request them.
TranslateText translate_text(const TranslateArguments& arguments, const TranslateSettings& settings,
                             const std::string& input, texlate_context* context = nullptr);

}  // namespace texlate::cli
