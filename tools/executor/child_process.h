// Runs work that may crash the process: drivers crash on some shaders.
#pragma once

#include <sys/types.h>

#include <functional>
#include <string>

namespace texlate::executor {

/// A process made by fork(), with a pipe to read what it writes.
struct Child {
  pid_t process = -1;
  int from = -1;
};

/// Runs `work` in a child process that ends when `work` returns. What `work` writes to its file descriptor
/// can be read from `child.from`. Its changes to memory stay in the child. Returns false if the system has no
/// process or pipe available. Must be called before the process has threads.
bool start_child(const std::function<void(int to)>& work, Child& child);

/// Closes the pipe and waits for the child. Returns false if it was killed; `death` describes how: "SIGSEGV
/// (Segmentation fault)".
bool wait_for_child(Child& child, std::string& death);

/// Runs `work` in a child process and waits for it. Returns false in the same cases as wait_for_child().
bool survives(const std::function<void()>& work, std::string& death);

}  // namespace texlate::executor
