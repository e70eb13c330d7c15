#include "tools/executor/child_process.h"

#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>

namespace texlate::executor {

namespace {

std::string signal_text(int number) {
  const char* name = sigabbrev_np(number);
  const char* description = strsignal(number);
  std::string text = name != nullptr ? std::string("SIG") + name : "signal " + std::to_string(number);
  if (description != nullptr) text += std::string(" (") + description + ")";
  return text;
}

}  // namespace

bool start_child(const std::function<void(int to)>& work, Child& child) {
  int ends[2];
  if (pipe(ends) != 0) return false;
  child.process = fork();
  if (child.process < 0) {
    close(ends[0]);
    close(ends[1]);
    return false;
  }
  if (child.process == 0) {
    close(ends[0]);
    work(ends[1]);
    _exit(0);  // runs no destructors and flushes no buffers of the parent
  }
  close(ends[1]);
  child.from = ends[0];
  return true;
}

bool wait_for_child(Child& child, std::string& death) {
  close(child.from);
  int status = 0;
  while (waitpid(child.process, &status, 0) < 0 && errno == EINTR) continue;
  child = {};
  if (!WIFSIGNALED(status)) return true;
  death = signal_text(WTERMSIG(status));
  return false;
}

bool survives(const std::function<void()>& work, std::string& death) {
  Child child;
  // If no process can be created, the result is true: the caller then crashes itself if `work` would.
  return !start_child([&](int) { work(); }, child) || wait_for_child(child, death);
}

}  // namespace texlate::executor
