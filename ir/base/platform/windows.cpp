// Windows. A process cannot be copied there: what POSIX systems run in a child runs in this process.

#define WIN32_LEAN_AND_MEAN
#if !defined(NOMINMAX)  // mingw-w64's C++ library defines it
#define NOMINMAX
#endif
#include <windows.h>

#include <fcntl.h>
#include <io.h>

#include <cstdio>
#include <filesystem>

#include "ir/base/platform/dynamic_library.h"
#include "ir/base/platform/files.h"
#include "ir/base/platform/process.h"

namespace texlate::platform {

void* open_library(const char* name) {
  // Drivers install their libraries in the system's folder; a file of this name elsewhere is not meant.
  return LoadLibraryExA(name, nullptr, LOAD_LIBRARY_SEARCH_SYSTEM32);
}

void* find_symbol(void* library, const char* name) {
  return reinterpret_cast<void*>(GetProcAddress(static_cast<HMODULE>(library), name));
}

bool is_terminal(std::FILE* file) {
  return _isatty(_fileno(file)) != 0;
}

void prepare_standard_streams() {
  for (std::FILE* const file : {stdin, stdout, stderr}) {
    _setmode(_fileno(file), _O_BINARY);
    const auto console = reinterpret_cast<HANDLE>(_get_osfhandle(_fileno(file)));
    DWORD mode = 0;
    if (file != stdin && GetConsoleMode(console, &mode) != 0)
      SetConsoleMode(console, mode | ENABLE_VIRTUAL_TERMINAL_PROCESSING);
  }
}

FileKind identify(const std::string& path, std::string& identity) {
  const std::filesystem::path name(path);
  std::error_code error;
  const auto status = std::filesystem::status(name, error);
  if (status.type() == std::filesystem::file_type::not_found) return FileKind::none;
  if (status.type() != std::filesystem::file_type::regular) return FileKind::other;
  const HANDLE file = CreateFileW(name.c_str(), 0, FILE_SHARE_READ | FILE_SHARE_WRITE | FILE_SHARE_DELETE,
                                  nullptr, OPEN_EXISTING, 0, nullptr);
  BY_HANDLE_FILE_INFORMATION found{};
  if (file != INVALID_HANDLE_VALUE && GetFileInformationByHandle(file, &found) != 0) {
    identity = std::to_string(found.dwVolumeSerialNumber) + ":" + std::to_string(found.nFileIndexHigh) + ":" +
               std::to_string(found.nFileIndexLow);
  } else {
    identity = std::filesystem::weakly_canonical(name, error).string();
  }
  if (file != INVALID_HANDLE_VALUE) CloseHandle(file);
  return FileKind::regular;
}

void remove_folder(const std::string& path) {
  std::error_code ignored;
  std::filesystem::remove_all(path, ignored);
}

bool start_child(const std::function<void(int to)>&, Child&) {
  return false;
}

bool wait_for_child(Child& child, std::string&) {
  child = {};
  return true;
}

void write_to_parent(int, std::string_view) {}

bool wait_for_any(std::span<const int> pipes, std::vector<bool>& ready) {
  ready.assign(pipes.size(), false);
  return false;
}

bool read_some(int, std::string&) {
  return false;
}

namespace {

/// A word of a command line, as CommandLineToArgvW reads it.
std::string quoted(const std::string& word) {
  std::string out = "\"";
  size_t backslashes = 0;
  for (const char c : word) {
    if (c == '\\') {
      ++backslashes;
      continue;
    }
    // Before a quote, backslashes count twice.
    out.append(c == '"' ? 2 * backslashes + 1 : backslashes, '\\');
    backslashes = 0;
    out += c;
  }
  return out.append(2 * backslashes, '\\') + "\"";
}

}  // namespace

int run_program(const std::vector<std::string>& arguments, const std::string& log) {
  std::string line;
  for (const std::string& argument : arguments) line += (line.empty() ? "" : " ") + quoted(argument);
  SECURITY_ATTRIBUTES inherited = {sizeof inherited, nullptr, TRUE};
  const HANDLE file = CreateFileA(log.c_str(), GENERIC_WRITE, FILE_SHARE_READ, &inherited, CREATE_ALWAYS,
                                  FILE_ATTRIBUTE_NORMAL, nullptr);
  if (file == INVALID_HANDLE_VALUE) return -1;
  STARTUPINFOA start{};
  start.cb = sizeof start;
  start.dwFlags = STARTF_USESTDHANDLES;
  start.hStdInput = GetStdHandle(STD_INPUT_HANDLE);
  start.hStdOutput = start.hStdError = file;
  PROCESS_INFORMATION process{};
  const BOOL started = CreateProcessA(arguments[0].c_str(), line.data(), nullptr, nullptr, TRUE, 0, nullptr,
                                      nullptr, &start, &process);
  CloseHandle(file);
  if (started == 0) return -1;
  DWORD status = 0;
  const bool ended = WaitForSingleObject(process.hProcess, INFINITE) == WAIT_OBJECT_0 &&
                     GetExitCodeProcess(process.hProcess, &status) != 0;
  CloseHandle(process.hThread);
  CloseHandle(process.hProcess);
  return ended ? static_cast<int>(status) : -1;
}

bool is_executable(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

std::string make_temporary_folder(const std::string& prefix) {
  std::error_code error;
  const auto folder = std::filesystem::temp_directory_path(error);
  for (uint32_t i = 0; i < 1000 && !error; ++i) {
    const auto path = folder / (prefix + std::to_string(GetCurrentProcessId()) + "_" + std::to_string(i));
    if (std::filesystem::create_directory(path, error)) return path.string();
  }
  return {};
}

}  // namespace texlate::platform
