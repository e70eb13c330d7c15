#include "backend/maxwell/isa/program_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace texlate::maxwell {

namespace {

constexpr uint8_t kVertexType = 1;  // also tessellation and geometry
constexpr uint8_t kPixelType = 2;

/// `width` bits from bit `at` of the header, little endian.
struct Field {
  uint32_t at;
  uint32_t width;
};

// Words 0 to 4.
constexpr Field kType{0, 5}, kVersion{5, 5}, kShaderType{10, 4}, kMultipleTargets{14, 1}, kKills{15, 1},
    kGlobalStore{16, 1}, kSassVersion{17, 4}, kLoadOrStore{26, 1}, kDoubles{27, 1};
constexpr Field kStreams{28, 4};
constexpr Field kLocalLow{32, 24}, kCallStack{96, 24};
constexpr Field kThreads{2 * 32 + 24, 8}, kTopology{3 * 32 + 24, 4}, kMaxVertices{4 * 32, 12};
/// The number of words of a patch is in one piece and again in two: Mesa's drivers and uam fill in both.
constexpr Field kPatchWords{32 + 24, 8}, kPatchWordsLow{3 * 32 + 28, 4}, kPatchWordsHigh{4 * 32 + 20, 4};
constexpr Field kStoreFirst{4 * 32 + 12, 8}, kStoreLast{4 * 32 + 24, 8};
// Pixel programs: after the inputs.
constexpr uint32_t kTargets = 72 * 8, kSampleMask = 76 * 8, kDepth = 76 * 8 + 1;

/// A run of attribute words and the place of their bits: those of `first` are at bit `at` of the map.
struct MapRange {
  uint32_t first, count;
  uint32_t at;
  uint32_t bits;  // per word
};

// Bit numbers from the start of the map. System values are one bit in every stage.
constexpr MapRange kVertexMap[] = {
    {0x000 / 4, 6, 4, 1},    {0x060 / 4, 8, 24, 1},   {0x080 / 4, 128, 32, 1},
    {0x280 / 4, 16, 160, 1}, {0x2c0 / 4, 16, 176, 1}, {0x300 / 4, 40, 192, 1},
};
constexpr MapRange kPixelMap[] = {
    {0x060 / 4, 8, 24, 1},   {0x080 / 4, 128, 32, 2}, {0x280 / 4, 8, 288, 2},
    {0x2c0 / 4, 16, 304, 1}, {0x300 / 4, 40, 320, 2},
};
constexpr uint32_t kInputMap = 20 * 8, kOutputMap = 50 * 8;
/// The bit of the viewport mask is separate, at the end of the output map.
constexpr uint32_t kViewportMask = 0x3a0 / 4, kViewportMaskBit = 79 * 8;

std::span<const MapRange> input_map(ProgramStage stage) {
  if (stage == ProgramStage::pixel) return kPixelMap;
  return kVertexMap;
}

uint32_t get(std::span<const uint8_t> bytes, Field field) {
  uint32_t value = 0;
  for (uint32_t i = 0; i < field.width; ++i) {
    const uint32_t bit = field.at + i;
    value |= static_cast<uint32_t>(bytes[bit / 8] >> (bit % 8) & 1) << i;
  }
  return value;
}

void put(ProgramHeaderBytes& bytes, Field field, uint32_t value) {
  for (uint32_t i = 0; i < field.width; ++i) {
    const uint32_t bit = field.at + i;
    if ((value >> i & 1) != 0) bytes[bit / 8] |= static_cast<uint8_t>(1u << (bit % 8));
  }
}

/// visit(attribute word, field) for each bit or pair of a map.
template <typename Visit>
void visit_map(std::span<const MapRange> map, uint32_t base, Visit visit) {
  for (const MapRange& range : map) {
    for (uint32_t i = 0; i < range.count; ++i)
      visit(range.first + i, Field{base + range.at + i * range.bits, range.bits});
  }
}

std::string_view stage_name(ProgramStage stage) {
  switch (stage) {
    case ProgramStage::vertex: return "vertex";
    case ProgramStage::hull: return "hull";
    case ProgramStage::domain: return "domain";
    case ProgramStage::geometry: return "geometry";
    case ProgramStage::pixel: return "pixel";
  }
  return "unknown";
}

std::string_view topology_name(ProgramTopology topology) {
  switch (topology) {
    case ProgramTopology::none: return "no primitives";
    case ProgramTopology::points: return "points";
    case ProgramTopology::line_strip: return "line strips";
    case ProgramTopology::triangle_strip: return "triangle strips";
  }
  return "unknown primitives";
}

constexpr std::string_view kModes[] = {"", "constant", "perspective", "screen linear"};

/// "a[0x80..0x8c] perspective", one line per run of words with the same mode.
void print_map(std::string_view title, const AttributeFlags& flags, bool modes, std::string& out) {
  for (uint32_t first = 0; first < kAttributeWords;) {
    uint32_t end = first + 1;
    while (end < kAttributeWords && flags[end] == flags[first]) ++end;
    if (flags[first] != 0) {
      out += fmt::format("//   {} a[0x{:x}", title, 4 * first);
      if (end - first > 1) out += fmt::format("..0x{:x}", 4 * (end - 1));
      out += ']';
      // System values have one bit, which does not give a mode.
      const bool is_generic = first >= 0x80 / 4 && first < 0x2c0 / 4;
      if (modes && is_generic) out += fmt::format(" {}", kModes[flags[first] & 3]);
      out += '\n';
    }
    first = end;
  }
}

}  // namespace

bool has_input_bit(ProgramStage stage, uint32_t word) {
  return std::ranges::any_of(input_map(stage), [&](const MapRange& range) {
    return word >= range.first && word < range.first + range.count;
  });
}

namespace {

/// visit(field, member) for what has one field. The stage, which decides about others, comes first.
template <typename Header, typename Visit>
void visit_fields(Header& header, Visit visit) {
  visit(kShaderType, header.stage);
  visit(kVersion, header.version);
  visit(kSassVersion, header.sass_version);
  visit(kMultipleTargets, header.multiple_targets);
  visit(kKills, header.kills_pixels);
  visit(kGlobalStore, header.stores_to_memory);
  visit(kLoadOrStore, header.accesses_memory);
  visit(kDoubles, header.uses_doubles);
  visit(kLocalLow, header.local_bytes);
  visit(kCallStack, header.call_stack_bytes);
  visit(kThreads, header.threads);
  visit(kPatchWords, header.patch_words);
  visit(kStreams, header.stream_mask);
  visit(kTopology, header.topology);
  visit(kMaxVertices, header.max_vertices);
  visit(kStoreFirst, header.store_first);
  visit(kStoreLast, header.store_last);
  visit_map(input_map(header.stage), kInputMap,
            [&](uint32_t word, Field field) { visit(field, header.inputs[word]); });
  if (header.stage != ProgramStage::pixel) {
    visit_map(kVertexMap, kOutputMap,
              [&](uint32_t word, Field field) { visit(field, header.outputs[word]); });
    return visit(Field{kViewportMaskBit, 1}, header.outputs[kViewportMask]);
  }
  for (uint32_t t = 0; t < header.targets.size(); ++t) visit(Field{kTargets + 4 * t, 4}, header.targets[t]);
  visit(Field{kSampleMask, 1}, header.writes_sample_mask);
  visit(Field{kDepth, 1}, header.writes_depth);
}

}  // namespace

ProgramHeaderBytes encode_header(const ProgramHeader& header) {
  ProgramHeaderBytes bytes{};
  put(bytes, kType, header.stage == ProgramStage::pixel ? kPixelType : kVertexType);
  visit_fields(header, [&](Field field, auto member) {
    const auto value = static_cast<uint32_t>(member);
    put(bytes, field, field.width == 1 ? (value != 0 ? 1u : 0u) : value);
  });
  put(bytes, kPatchWordsLow, header.patch_words & 0xfu);
  put(bytes, kPatchWordsHigh, header.patch_words >> 4);
  return bytes;
}

ProgramHeader decode_header(std::span<const uint8_t, kProgramHeaderBytes> bytes) {
  ProgramHeader header;
  visit_fields(header, [&]<typename Member>(Field field, Member& member) {
    member = static_cast<Member>(get(bytes, field));
  });
  return header;
}

void print_header(const ProgramHeader& header, std::string& out) {
  out += fmt::format("// {} program, header version {}, SASS version {}\n", stage_name(header.stage),
                     header.version, header.sass_version);
  if (header.multiple_targets) out += "//   each render target has its own results\n";
  if (header.kills_pixels) out += "//   kills pixels\n";
  if (header.accesses_memory)
    out += header.stores_to_memory ? "//   loads from and stores to memory\n" : "//   loads from memory\n";
  if (header.uses_doubles) out += "//   double precision\n";
  if (header.local_bytes != 0) out += fmt::format("//   {} bytes local\n", header.local_bytes);
  if (header.call_stack_bytes != 0)
    out += fmt::format("//   {} bytes of branch stack per warp\n", header.call_stack_bytes);
  if (header.stage == ProgramStage::hull)
    out += fmt::format("//   {} output control points, {} words for each patch\n", header.threads,
                       header.patch_words);
  if (header.stage == ProgramStage::geometry) {
    out += fmt::format("//   {} instances of at most {} vertices, {}, streams 0x{:x}\n", header.threads,
                       header.max_vertices, topology_name(header.topology), header.stream_mask);
  }
  if (header.store_first <= header.store_last)
    out += fmt::format("//   reads back a[0x{:x}..0x{:x}]\n", 4 * header.store_first, 4 * header.store_last);
  print_map("reads", header.inputs, header.stage == ProgramStage::pixel, out);
  print_map("writes", header.outputs, false, out);
  uint32_t reg = 0;
  for (uint32_t t = 0; t < header.targets.size(); ++t) {
    if (header.targets[t] == 0) continue;
    out += fmt::format("//   render target {} from R{}, components 0x{:x}\n", t, reg, header.targets[t]);
    reg += 4;
  }
  if (header.writes_sample_mask) out += fmt::format("//   sample mask from R{}\n", reg);
  if (header.writes_depth) out += fmt::format("//   depth from R{}\n", reg + 1);
}

}  // namespace texlate::maxwell
