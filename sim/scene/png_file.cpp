#include "sim/scene/png_file.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "ir/base/diagnostics.h"
#include "sim/scene/png_codec.h"

namespace texlate::sim {

namespace {

struct Close {
  void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, Close>;

}  // namespace

bool read_png(const std::string& path, Picture& picture, Diagnostics& diagnostics) {
  const File file(std::fopen(path.c_str(), "rb"));
  if (!file) return diagnostics.error({}, "{} cannot be read", path), false;
  std::string bytes;
  char block[65536];
  for (size_t count = 0; (count = std::fread(block, 1, sizeof block, file.get())) != 0;)
    bytes.append(block, count);
  if (decode_png(bytes, picture)) return true;
  diagnostics.error({}, "{} is not a PNG picture of at most {} x {} texels", path, kMaxPngSize, kMaxPngSize);
  return false;
}

bool write_png(const std::string& path, const Picture& picture, Diagnostics& diagnostics) {
  const std::string bytes = encode_png(picture);
  if (bytes.empty())
    return diagnostics.error({}, "{} cannot be written: the picture has no texels", path), false;
  errno = 0;
  std::FILE* const file = std::fopen(path.c_str(), "wb");
  const bool whole = file != nullptr && std::fwrite(bytes.data(), 1, bytes.size(), file) == bytes.size();
  int error = errno;
  const bool closed = file != nullptr && std::fclose(file) == 0;
  if (whole && closed) return true;
  if (whole) error = errno;
  std::error_code ignored;
  if (file != nullptr && std::filesystem::is_regular_file(path, ignored))
    std::filesystem::remove(path, ignored);
  diagnostics.error({}, "{} cannot be written: {}", path, std::strerror(error));
  return false;
}

}  // namespace texlate::sim
