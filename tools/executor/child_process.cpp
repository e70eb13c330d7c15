#include "tools/executor/child_process.h"

namespace texlate::executor {

bool survives(const std::function<void()>& work, std::string& death) {
  Child child;
  // If no process can be created, the result is true: the caller then crashes itself if `work` would.
  return !start_child([&](int) { work(); }, child) || wait_for_child(child, death);
}

}  // namespace texlate::executor
