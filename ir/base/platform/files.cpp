#include "ir/base/platform/files.h"

#include <cerrno>
#include <memory>

#include "ir/base/characters.h"

namespace texlate::platform {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

bool is_separator(char c) {
#ifdef _WIN32
  return c == '/' || c == '\\';
#else
  return c == '/';
#endif
}

/// On Windows, a path on a drive is absolute as well: `C:` stands for that drive's current folder.
bool is_absolute(const std::string& path) {
#ifdef _WIN32
  if (path.size() >= 2 && path[1] == ':' && is_letter(path[0])) return true;
#endif
  return !path.empty() && is_separator(path.front());
}

}  // namespace

std::string path_in(const std::string& folder, const std::string& name) {
  if (folder.empty() || is_absolute(name)) return name;
  return is_separator(folder.back()) ? folder + name : folder + '/' + name;
}

bool read_file(const std::string& path, std::string& bytes) {
  errno = 0;
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return false;
  char block[65536];
  while (const size_t count = std::fread(block, 1, sizeof block, file.get())) bytes.append(block, count);
  return std::ferror(file.get()) == 0;
}

bool write_file(const std::string& path, std::string_view bytes) {
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  if (file == nullptr) return false;
  const bool whole = std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  const int error = errno;
  const bool closed = std::fclose(file) == 0;
  if (whole && closed) return true;
  const int reason = whole ? errno : error;
  std::string identity;
  if (identify(path, identity) == FileKind::regular) std::remove(path.c_str());
  errno = reason;
  return false;
}

}  // namespace texlate::platform
