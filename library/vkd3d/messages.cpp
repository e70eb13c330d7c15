#include "library/vkd3d/messages.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

namespace texlate::vkd3d {

void Messages::add(LogLevel level, char letter, MessageCode code, std::string_view text) {
  char number[16];
  std::snprintf(number, sizeof number, "%c%04u: ", letter, static_cast<unsigned>(code));
  const std::string line = std::string(number).append(text);
  if (!all_.empty()) all_ += "; ";
  all_ += line;
  if (level <= level_) kept_.append(prefix_).append(line).append("\n");
}

void Messages::copy_to(char** to) const {
  if (to == nullptr) return;
  *to = nullptr;
  if (kept_.empty()) return;
  *to = static_cast<char*>(std::malloc(kept_.size() + 1));
  if (*to != nullptr) std::memcpy(*to, kept_.c_str(), kept_.size() + 1);
}

}  // namespace texlate::vkd3d
