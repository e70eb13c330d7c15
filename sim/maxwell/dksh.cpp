#include "sim/maxwell/dksh.h"

#include <algorithm>
#include <cstring>

namespace texlate::sim::maxwell {

namespace {

constexpr uint32_t kMagic = 0x48534b44;  // "DKSH"
constexpr uint32_t kHeaderBytes = 80, kRecordBytes = 64, kFileHeaderBytes = 24;
constexpr uint32_t kSystemValues = 20 * 8;  // bits 0..31 of the maps, from byte 20

class Bits {
 public:
  explicit Bits(std::span<const std::byte> bytes) : bytes_(bytes) {}
  uint32_t get(uint32_t at, uint32_t width) const {
    uint32_t value = 0;
    for (uint32_t i = width; i-- != 0;) {
      const uint32_t bit = at + i;
      value = value << 1 | (std::to_integer<uint32_t>(bytes_[bit / 8]) >> (bit % 8) & 1u);
    }
    return value;
  }

 private:
  std::span<const std::byte> bytes_;
};

/// `count` attribute words from `address` on; each has `width` bits, starting at bit `at`.
void read_words(const Bits& bits, uint32_t address, uint32_t count, uint32_t at, uint32_t width,
                std::array<uint8_t, kAttributeWords>& out) {
  for (uint32_t i = 0; i < count; ++i)
    out[address / 4 + i] = static_cast<uint8_t>(bits.get(at + i * width, width));
}

/// Input and output maps of vertices: 30 bytes each.
void read_vertex_map(const Bits& bits, uint32_t first, std::array<uint8_t, kAttributeWords>& out) {
  read_words(bits, 0x000, 6, first + 4, 1, out);
  read_words(bits, 0x060, 8, first + 24, 1, out);
  read_words(bits, 0x080, 128, first + 32, 1, out);
  read_words(bits, 0x280, 16, first + 160, 1, out);
  read_words(bits, 0x2c0, 16, first + 176, 1, out);
  read_words(bits, 0x300, 40, first + 192, 1, out);
}

void read_pixel_maps(const Bits& bits, Dksh& result) {
  read_words(bits, 0x060, 8, kSystemValues + 24, 1, result.inputs);
  read_words(bits, 0x080, 128, kSystemValues + 32, 2, result.inputs);
  read_words(bits, 0x280, 8, 56 * 8, 2, result.inputs);
  read_words(bits, 0x2c0, 16, 58 * 8, 1, result.inputs);
  for (uint32_t t = 0; t < 8; ++t) result.targets[t] = static_cast<uint8_t>(bits.get(72 * 8 + 4 * t, 4));
  result.writes_sample_mask = bits.get(76 * 8, 1) != 0;
  result.writes_depth = bits.get(76 * 8 + 1, 1) != 0;
  uint32_t registers = 0;
  for (const uint8_t mask : result.targets) registers += mask != 0 ? 4 : 0;
  if (result.writes_sample_mask || result.writes_depth) registers += result.writes_depth ? 2 : 1;
  result.program.result_registers = registers;
}

/// The number that the header has for a stage; 0: it has none.
uint32_t stage_number(Dksh::Stage stage) {
  switch (stage) {
    case Dksh::Stage::vertex: return 1;
    case Dksh::Stage::hull: return 2;
    case Dksh::Stage::domain: return 3;
    case Dksh::Stage::geometry: return 4;
    case Dksh::Stage::pixel: return 5;
    case Dksh::Stage::compute: break;
  }
  return 0;
}

/// Fields of hull, domain and geometry programs. Refuses what makes the hardware refuse the header.
bool read_primitive_fields(const Bits& bits, Dksh& result, std::string& error) {
  const auto fail = [&](const char* what) {
    error = what;
    return false;
  };
  result.threads = bits.get(2 * 32 + 24, 8);
  result.patch_words = bits.get(32 + 24, 8);
  result.streams = bits.get(28, 4);
  result.topology = bits.get(3 * 32 + 24, 4);
  result.max_vertices = bits.get(4 * 32, 12);
  result.store_first = bits.get(4 * 32 + 12, 8);
  result.store_last = bits.get(4 * 32 + 24, 8);
  constexpr uint32_t kMostThreads = 32, kMostWords = 1024;
  switch (result.stage) {
    case Dksh::Stage::hull:
      if (result.patch_words != (bits.get(3 * 32 + 28, 4) | bits.get(4 * 32 + 20, 4) << 4))
        return fail("the header's two numbers of patch words differ");
      if (result.patch_words > 128) return fail("the header has more than 128 words of a patch");
      if (result.threads == 0 || result.threads > kMostThreads)
        return fail("the header does not have 1 to 32 output control points");
      return true;
    case Dksh::Stage::domain:
      if (result.outputs[0x2f0 / 4] == 0 || result.outputs[0x2f4 / 4] == 0)
        return fail("the header of a domain program does not list the domain point as an output");
      return true;
    case Dksh::Stage::geometry: {
      uint32_t words = 0;
      for (const uint8_t written : result.outputs) words += written;
      if (result.threads == 0 || result.threads > kMostThreads)
        return fail("the header does not have 1 to 32 instances");
      if (result.max_vertices == 0 || result.max_vertices * words > kMostWords)
        return fail("the header has no vertices, or more than 1,024 words of them");
      if (result.topology != 1 && result.topology != 6 && result.topology != 7)
        return fail("the header has an unknown topology");
      // The last handle, which EXIT takes.
      result.program.result_registers = 1;
      return true;
    }
    default: return true;
  }
}

bool read_header(std::span<const std::byte> header, Dksh& result, std::string& error) {
  const Bits bits(header);
  const bool pixel = result.stage == Dksh::Stage::pixel;
  if (bits.get(0, 5) != (pixel ? 2u : 1u) || bits.get(5, 5) != 3 ||
      bits.get(10, 4) != stage_number(result.stage)) {
    error = "the program header is not for this stage";
    return false;
  }
  result.kills_pixels = bits.get(15, 1) != 0;
  result.stores = bits.get(16, 1) != 0;
  result.loads_or_stores = bits.get(26, 1) != 0;
  result.program.local_bytes = bits.get(32, 24);
  if (pixel) {
    read_pixel_maps(bits, result);
    return true;
  }
  read_vertex_map(bits, 20 * 8, result.inputs);
  read_vertex_map(bits, 50 * 8, result.outputs);
  return read_primitive_fields(bits, result, error);
}

}  // namespace

bool read_dksh(std::span<const std::byte> file, Dksh& result, std::string& error) {
  const auto word = [&](size_t at) {
    uint32_t value = 0;
    if (at + 4 <= file.size()) std::memcpy(&value, file.data() + at, 4);
    return value;
  };
  const auto fail = [&](const char* what) {
    error = what;
    return false;
  };
  if (word(0) != kMagic || word(4) != kFileHeaderBytes || word(16) != kFileHeaderBytes || word(20) != 1)
    return fail("not a .dksh file with one program");
  const size_t control = word(8), size = word(12);
  if (control % 256 != 0 || size % 256 != 0 || control + size != file.size() ||
      control < kFileHeaderBytes + kRecordBytes) {
    return fail("the sections do not cover the file");
  }
  const size_t record = kFileHeaderBytes;
  const std::span<const std::byte> section = file.subspan(control, size);
  result.stage = static_cast<Dksh::Stage>(word(record));
  const bool compute = result.stage == Dksh::Stage::compute;
  if (result.stage > Dksh::Stage::compute) return fail("the machine does not run this stage");
  const size_t entry = word(record + 4), first = entry + (compute ? 0 : kHeaderBytes);
  if (first % 32 != 0 || first >= size) return fail("the code does not start at an instruction group");
  result.program.registers = word(record + 8);
  result.program.block_registers = kBlockRegistersOfTegra;
  const size_t constants = word(record + 12), constant_bytes = word(record + 16);
  if (constants % 256 != 0 || constants + constant_bytes > size)
    return fail("the constants lie outside the code section");
  const size_t end = constant_bytes != 0 ? constants : size;
  if (end < first) return fail("the constants lie before the code");
  result.program.words.resize((end - first) / 32 * 4);
  std::memcpy(result.program.words.data(), section.data() + first, result.program.words.size() * 8);
  result.program.banks[1].assign(section.begin() + static_cast<ptrdiff_t>(constants),
                                 section.begin() + static_cast<ptrdiff_t>(constants + constant_bytes));
  if (result.stage == Dksh::Stage::domain) result.mode = word(record + 24);
  if (!compute) return read_header(section.subspan(entry, kHeaderBytes), result, error);
  result.block = {word(record + 24), word(record + 28), word(record + 32)};
  result.program.shared_bytes = word(record + 36);
  result.program.local_bytes = word(record + 40);
  return true;
}

}  // namespace texlate::sim::maxwell
