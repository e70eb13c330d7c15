// texlate diff --random: random scenes until the routes differ.
#pragma once

#include <functional>

#include "tools/texlate/execution.h"

namespace texlate::cli {

struct RandomScenes {
  uint64_t count = 0;
  uint64_t seed = 1;                  // of the first one
  std::string keep;                   // where the scene of the first difference is written
  uint64_t elements = 0, masked = 0;  // compared so far, and skipped as undefined
};

enum class SceneVerdict : uint8_t { agree, differ, undecided };

/// Runs the scenes of `random` until one of them is not `agree`d on, which is then in `execution` and in the
/// file. `judge` runs and judges the scene in `execution`. Returns the exit status.
int run_random_scenes(const RunArguments& arguments, Execution& execution, RandomScenes& random,
                      const std::function<SceneVerdict()>& judge);

}  // namespace texlate::cli
