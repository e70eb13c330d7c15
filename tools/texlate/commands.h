// The subcommands of texlate.
#pragma once

#include <string>
#include <vector>

#include "texlate/texlate.h"

namespace CLI {
class App;
}

namespace texlate::cli {

// Exit statuses.
inline constexpr int kExitGood = 0;
inline constexpr int kExitInput = 1;  // the input is wrong or unsupported
inline constexpr int kExitUsage = 2;

struct TranslateArguments {
  std::vector<std::string> inputs;
  std::string output;
  std::string out_dir;
  std::string target = "ptx";
  std::string reflection;
  std::string entry = "main";
  std::vector<std::string> uav_formats;
  std::vector<std::string> classes;
  unsigned sm = 75;
  unsigned jobs = 1;
  std::string explain;  // empty, text or json
  bool strict = false;  // a wrong digest is an error
  // SPIR-V
  std::string robustness = "driver";
  std::string spirv_version = "1.3";
  std::string binding_map;
  bool float_controls = false;
  bool preserve_specials = false;
  bool debug = false;
  bool optimize = false;
  bool validate = false;
};

void add_translate(CLI::App& app, TranslateArguments& arguments);
int run_translate(const TranslateArguments& arguments);

/// assemble and disassemble.
struct AssembleArguments {
  std::string input;
  std::string output;
  std::string isa = "d3d";
  bool words = false;           // disassemble, Maxwell
  bool exact_literals = false;  // disassemble, Direct3D
  bool strict = false;          // Direct3D: a wrong digest is an error
  bool unconstrained = false;   // assemble, Maxwell
};

void add_assemble(CLI::App& app, AssembleArguments& arguments);
int run_assemble(const AssembleArguments& arguments);
void add_disassemble(CLI::App& app, AssembleArguments& arguments);
int run_disassemble(const AssembleArguments& arguments);

/// info and check.
struct InspectArguments {
  std::vector<std::string> inputs;
  bool json = false;    // info
  bool strict = false;  // a wrong digest is an error
};

void add_info(CLI::App& app, InspectArguments& arguments);
int run_info(const InspectArguments& arguments);
void add_check(CLI::App& app, InspectArguments& arguments);
int run_check(const InspectArguments& arguments);

}  // namespace texlate::cli
