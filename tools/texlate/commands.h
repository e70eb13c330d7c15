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
  unsigned sm = 75;
  unsigned jobs = 1;
  bool explain = false;
};

void add_translate(CLI::App& app, TranslateArguments& arguments);
int run_translate(const TranslateArguments& arguments);

}  // namespace texlate::cli
