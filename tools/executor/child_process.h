// Work that may take the process with it: drivers crash on shaders.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace texlate::executor {

/// A process made by fork(), with a pipe that what it writes can be read from.
struct Child {
  pid_t process = -1;
  int from = -1;
};

/// Runs `work` in a child process, which ends when it returns; what `work` writes to its file descriptor can
/// be read from `child.from`. What it changes stays in the child. False: the system has no process or pipe to
/// give. To be called before the process has threads.
bool start_child(const std::function<void(int to)>& work, Child& child);

/// Closes the pipe and waits for the child. False when it was killed; `death` says how: "SIGSEGV
/// (Segmentation fault)".
bool wait_for_child(Child& child, std::string& death);

/// Runs `work` in a child process to its end. False as for wait_for_child().
bool survives(const std::function<void()>& work, std::string& death);

}  // namespace texlate::executor
