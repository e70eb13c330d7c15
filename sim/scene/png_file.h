// PNG pictures: 8 or 16 bits per component, always four components.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace texlate {
class Diagnostics;
}

namespace texlate::sim {

struct Picture {
  uint32_t width = 0, height = 0;
  uint32_t bits = 8;             // per component: 8 or 16
  std::vector<uint16_t> texels;  // RGBA, row by row from the top
};

/// Grey and palette pictures become RGBA; alpha is opaque if the file has none. Values are used as stored (no
/// gamma).
bool read_png(const std::string& path, Picture& picture, Diagnostics& diagnostics);
/// Writes 8 bits per component. The error has the system's reason; no partial file remains.
bool write_png(const std::string& path, const Picture& picture, Diagnostics& diagnostics);

}  // namespace texlate::sim
