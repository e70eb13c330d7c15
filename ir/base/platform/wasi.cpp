// WebAssembly with WASI: one process, no libraries to load, and no files but those that the host hands in.

#include <sys/stat.h>
#include <unistd.h>

#include "ir/base/platform/dynamic_library.h"
#include "ir/base/platform/files.h"
#include "ir/base/platform/process.h"

namespace texlate::platform {

void* open_library(const char*) {
  return nullptr;
}

void* find_symbol(void*, const char*) {
  return nullptr;
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

void remove_folder(const std::string&) {}

bool start_child(const std::function<void(int to)>&, Child&) {
  return false;
}

bool wait_for_child(Child&, std::string&) {
  return true;
}

void write_to_parent(int, std::string_view) {}

bool wait_for_any(std::span<const int>, std::vector<bool>&) {
  return false;
}

bool read_some(int, std::string&) {
  return false;
}

int run_program(const std::vector<std::string>&, const std::string&) {
  return -1;
}

bool is_executable(const std::string&) {
  return false;
}

std::string make_temporary_folder(const std::string&) {
  return {};
}

}  // namespace texlate::platform
