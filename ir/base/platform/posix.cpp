// Linux, macOS and other systems with POSIX.1-2008.

#include <dlfcn.h>
#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>
#include <cstring>
#include <filesystem>

#include "ir/base/platform/dynamic_library.h"
#include "ir/base/platform/files.h"
#include "ir/base/platform/process.h"

extern char** environ;  // NOLINT: POSIX declares it nowhere

namespace texlate::platform {

void* open_library(const char* name) {
  return dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void* find_symbol(void* library, const char* name) {
  return dlsym(library, name);
}

bool is_terminal(std::FILE* file) {
  return isatty(fileno(file)) != 0;
}

void prepare_standard_streams() {}

FileKind identify(const std::string& path, std::string& identity) {
  struct stat status {};
  if (stat(path.c_str(), &status) != 0) return FileKind::none;
  if (!S_ISREG(status.st_mode)) return FileKind::other;
  identity = std::to_string(status.st_dev) + ":" + std::to_string(status.st_ino);
  return FileKind::regular;
}

namespace {

std::string signal_text(int number) {
  std::string text = "signal " + std::to_string(number);
#if defined(__GLIBC__)
  if (const char* name = sigabbrev_np(number); name != nullptr) text = std::string("SIG") + name;
#endif
  if (const char* description = strsignal(number); description != nullptr)
    text += std::string(" (") + description + ")";
  return text;
}

}  // namespace

void remove_folder(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

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
  while (waitpid(static_cast<pid_t>(child.process), &status, 0) < 0 && errno == EINTR) continue;
  child = {};
  if (!WIFSIGNALED(status)) return true;
  death = signal_text(WTERMSIG(status));
  return false;
}

void write_to_parent(int to, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(to, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) _exit(1);
    bytes.remove_prefix(static_cast<size_t>(written));
  }
}

bool wait_for_any(std::span<const int> pipes, std::vector<bool>& ready) {
  std::vector<pollfd> waiting;
  for (const int pipe : pipes) waiting.push_back({pipe, POLLIN, 0});
  ready.assign(pipes.size(), false);
  if (poll(waiting.data(), static_cast<nfds_t>(waiting.size()), -1) < 0) return false;
  for (size_t i = 0; i < waiting.size(); ++i) ready[i] = waiting[i].revents != 0;
  return true;
}

bool read_some(int from, std::string& bytes) {
  char buffer[4096];
  const ssize_t count = read(from, buffer, sizeof buffer);
  if (count > 0) bytes.append(buffer, static_cast<size_t>(count));
  return count > 0 || (count < 0 && errno == EINTR);
}

int run_program(const std::vector<std::string>& arguments, const std::string& log) {
  std::vector<char*> pointers;
  pointers.reserve(arguments.size() + 1);
  // POSIX: posix_spawn does not change the strings, although its type does not say so.
  for (const std::string& argument : arguments) pointers.push_back(const_cast<char*>(argument.c_str()));
  pointers.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, log.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0600);
  posix_spawn_file_actions_adddup2(&actions, STDOUT_FILENO, STDERR_FILENO);
  pid_t child = 0;
  const int started = posix_spawn(&child, pointers[0], &actions, nullptr, pointers.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  int status = 0;
  if (started != 0 || waitpid(child, &status, 0) != child) return -1;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

bool is_executable(const std::string& path) {
  return access(path.c_str(), X_OK) == 0;
}

std::string make_temporary_folder(const std::string& prefix) {
  std::string pattern = (std::filesystem::temp_directory_path() / (prefix + "XXXXXX")).string();
  return mkdtemp(pattern.data()) != nullptr ? pattern : std::string();
}

}  // namespace texlate::platform
