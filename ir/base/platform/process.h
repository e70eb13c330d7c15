// Processes, and what passes between them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace texlate::platform {

/// A copy of this process, with a pipe to read what it writes.
struct Child {
  intptr_t process = -1;
  int from = -1;
};

/// Runs `work` in a child process that ends when `work` returns. What `work` writes to its file descriptor
/// can be read from `child.from`. Its changes to memory stay in the child. Returns false if the system has no
/// process or pipe available, or cannot copy a process (Windows). Must be called before the process has
/// threads.
bool start_child(const std::function<void(int to)>& work, Child& child);

/// Closes the pipe and waits for the child. Returns false if it was killed; `death` describes how: "SIGSEGV
/// (Segmentation fault)".
bool wait_for_child(Child& child, std::string& death);

/// For a child: ends its process if the parent no longer reads.
void write_to_parent(int to, std::string_view bytes);

/// Waits until some pipe can be read without waiting; `ready` says which. Returns false if it was
/// interrupted.
bool wait_for_any(std::span<const int> pipes, std::vector<bool>& ready);

/// Appends what the pipe has. Returns false at its end.
bool read_some(int from, std::string& bytes);

/// Runs a program with its messages in the file `log`. Returns its exit status, or -1.
int run_program(const std::vector<std::string>& arguments, const std::string& log);

bool is_executable(const std::string& path);

/// A new folder whose name begins with `prefix`, in the system's folder for temporary files; empty if there
/// can be none.
std::string make_temporary_folder(const std::string& prefix);

}  // namespace texlate::platform
