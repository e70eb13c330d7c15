#include "ir/base/platform/files.h"

#include <cerrno>
#include <memory>

namespace texlate::platform {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

}  // namespace

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
