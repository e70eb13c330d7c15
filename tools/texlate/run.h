// texlate run and texlate diff.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace texlate::cli {

struct RunArguments {
  std::string input;
  std::string scene;
  bool unguarded = false;
  uint32_t scale = 1;
  std::vector<std::string> via;  // run: one; diff: two or more
  std::string device;
  std::string robustness = "driver";
  std::string derivatives = "each";
  std::string output;
  unsigned tolerance = 0;
  double absolute = 0;
  unsigned gain = 16;
  unsigned long long budget = 1ull << 34;
  uint32_t schedules = 1;
};

void add_run(CLI::App& command, RunArguments& arguments);
int run_run(const RunArguments& arguments);
void add_diff(CLI::App& command, RunArguments& arguments);
int run_diff(const RunArguments& arguments);

}  // namespace texlate::cli
