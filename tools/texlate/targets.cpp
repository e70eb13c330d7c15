#include "tools/texlate/targets.h"

namespace texlate::cli {

std::vector<texlate_target_info> all_targets() {
  std::vector<texlate_target_info> targets(texlate_target_count());
  for (uint32_t i = 0; i < targets.size(); ++i) {
    targets[i].struct_size = sizeof targets[i];
    texlate_target_get_info(i, &targets[i]);
  }
  return targets;
}

std::vector<std::string> target_names() {
  return targets_with([](const texlate_target_info&) { return true; });
}

}  // namespace texlate::cli
