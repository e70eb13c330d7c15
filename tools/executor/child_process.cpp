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

bool survives(const std::function<void()>& work, std::string& death) {
  const pid_t child = fork();
  if (child < 0) return true;  // no process to be had: the caller finds out by itself
  if (child == 0) {
    work();
    _exit(0);  // neither destructors nor buffers of the parent's
  }
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  if (!WIFSIGNALED(status)) return true;
  death = signal_text(WTERMSIG(status));
  return false;
}

}  // namespace texlate::executor
