// PNG pictures: 8 or 16 bits a component, always four components.
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
  uint32_t bits = 8;             // of a component: 8 or 16
  std::vector<uint16_t> texels;  // RGBA, row by row from the top
};

/// Grey and palette pictures become RGBA; alpha is opaque where there is none. Values are taken as stored (no
/// gamma).
bool read_png(const std::string& path, Picture& picture, Diagnostics& diagnostics);
/// The bytes of such a file, 8 bits per component; empty if there are no texels.
std::string encode_png(const Picture& picture);
/// 8 bits a component.
bool write_png(const std::string& path, const Picture& picture, Diagnostics& diagnostics);

}  // namespace texlate::sim
