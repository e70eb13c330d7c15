// The library's targets, for the tables of options.
#pragma once

#include <string>
#include <vector>

#include "texlate/texlate.h"

namespace texlate::cli {

std::vector<texlate_target_info> all_targets();
/// Their names, for `--to`.
std::vector<std::string> target_names();
/// Names of the targets for which `wanted` holds.
template <typename Wanted>
std::vector<std::string> targets_with(Wanted wanted) {
  std::vector<std::string> names;
  for (const texlate_target_info& target : all_targets()) {
    if (wanted(target)) names.emplace_back(target.name);
  }
  return names;
}

}  // namespace texlate::cli
