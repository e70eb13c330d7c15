#include "sim/scene/png_file.h"

#include <cerrno>
#include <cstring>

#include "ir/base/diagnostics.h"
#include "ir/base/platform/files.h"
#include "sim/scene/png_codec.h"

namespace texlate::sim {

bool read_png(const std::string& path, Picture& picture, Diagnostics& diagnostics) {
  std::string bytes;
  if (!platform::read_file(path, bytes)) return diagnostics.error({}, "{} cannot be read", path), false;
  if (decode_png(bytes, picture)) return true;
  diagnostics.error({}, "{} is not a PNG picture of at most {} x {} texels", path, kMaxPngSize, kMaxPngSize);
  return false;
}

bool write_png(const std::string& path, const Picture& picture, Diagnostics& diagnostics) {
  const std::string bytes = encode_png(picture);
  if (bytes.empty())
    return diagnostics.error({}, "{} cannot be written: the picture has no texels", path), false;
  if (platform::write_file(path, bytes)) return true;
  diagnostics.error({}, "{} cannot be written: {}", path, std::strerror(errno));
  return false;
}

}  // namespace texlate::sim
