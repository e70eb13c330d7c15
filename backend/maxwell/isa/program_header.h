// The header before the code of a graphics program, 80 bytes: which attributes the stage reads and writes,
// which results it leaves in registers, and whether it accesses memory. docs/reference/maxwell-graphics.md 1
// and 2.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>

namespace texlate::maxwell {

constexpr uint32_t kProgramHeaderBytes = 80;

/// Attributes, by word of a[]: address / 4.
constexpr uint32_t kAttributeWords = 256;
using AttributeFlags = std::array<uint8_t, kAttributeWords>;

/// How an input of a pixel program is interpolated; for other stages, only whether it is read.
enum class InputMode : uint8_t { none, constant, perspective, screen_linear };

enum class ProgramStage : uint8_t { vertex = 1, hull = 2, domain = 3, geometry = 4, pixel = 5 };

/// What a geometry program makes of its vertices.
enum class ProgramTopology : uint8_t { none = 0, points = 1, line_strip = 6, triangle_strip = 7 };

struct ProgramHeader {
  ProgramStage stage = ProgramStage::vertex;
  uint8_t version = 3;
  uint8_t sass_version = 3;
  bool multiple_targets = false;
  bool kills_pixels = false;
  bool stores_to_memory = false;
  bool accesses_memory = false;  // loads or stores
  bool uses_doubles = false;
  uint32_t local_bytes = 0;       // of a thread, a multiple of 16
  uint32_t call_stack_bytes = 0;  // of a warp
  /// Hull programs: output control points. Geometry programs: instances.
  uint8_t threads = 0;
  uint8_t patch_words = 0;  // hull programs: words of the patch's attributes, from a[0] on
  // Geometry programs.
  uint8_t stream_mask = 0;  // a bit for each stream that is written
  ProgramTopology topology = ProgramTopology::none;
  uint16_t max_vertices = 0;  // of an instance
  // Range of attribute words that are read back; empty: 0xff, 0.
  uint8_t store_first = 0xff;
  uint8_t store_last = 0;

  AttributeFlags inputs{};  // InputMode; system values: not 0 where read
  // Vertex, hull, domain and geometry programs.
  AttributeFlags outputs{};
  // Pixel programs: components of each render target, and two further results.
  std::array<uint8_t, 8> targets{};
  bool writes_sample_mask = false;
  bool writes_depth = false;

  bool operator==(const ProgramHeader&) const = default;
};

using ProgramHeaderBytes = std::array<uint8_t, kProgramHeaderBytes>;

/// Is there a bit for this attribute word in the map of what the stage reads?
bool has_input_bit(ProgramStage stage, uint32_t word);

ProgramHeaderBytes encode_header(const ProgramHeader& header);
/// Decodes the bits. Fields that this code does not write (colors of fixed-function pixels, reserved bits)
/// are lost.
ProgramHeader decode_header(std::span<const uint8_t, kProgramHeaderBytes> bytes);

/// Comment lines for listings.
void print_header(const ProgramHeader& header, std::string& out);

}  // namespace texlate::maxwell
