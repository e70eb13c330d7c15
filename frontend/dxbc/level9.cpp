#include "frontend/dxbc/level9.h"

#include <fmt/format.h>

#include <algorithm>
#include <iterator>

#include "frontend/dxbc/byte_reader.h"

namespace texlate::dxbc {

namespace {

constexpr uint32_t kCodeSize = 8;
constexpr uint32_t kCodeOffset = 12;
constexpr uint32_t kConstantTable = 16;
constexpr uint32_t kSamplerTable = 28;
constexpr uint32_t kRuntimeTable = 32;
constexpr uint32_t kConstantSize = 12;
constexpr uint32_t kSamplerSize = 4;
constexpr uint32_t kRuntimeSize = 4;

/// A table's entries, as far as they are inside the chunk.
struct Table {
  Table(const ByteReader& reader, uint32_t at, uint32_t size) : offset(reader.word(at + 2)) {
    const uint32_t room = reader.has(offset, 0) ? static_cast<uint32_t>(reader.size() - offset) / size : 0;
    count = std::min<uint32_t>(reader.word(at), room);
  }
  uint32_t offset;
  uint32_t count = 0;
};

void print_constants(const ByteReader& reader, std::pmr::string& out) {
  const Table table(reader, kConstantTable, kConstantSize);
  if (table.count == 0) return;
  out +=
      "//\n// Constant buffer to DX9 shader constant mappings:\n//\n"
      "// Target Reg Buffer  Start Reg # of Regs        Data Conversion\n"
      "// ---------- ------- --------- --------- ----------------------\n";
  auto to = std::back_inserter(out);
  for (uint32_t i = 0; i < table.count; ++i) {
    const uint32_t at = table.offset + i * kConstantSize;
    fmt::format_to(to, "// {:<10} {:<7} {:>9} {:>9}  (", fmt::format("c{}", reader.word(at + 6)),
                   fmt::format("cb{}", reader.word(at)), reader.word(at + 2), reader.word(at + 4));
    for (uint32_t component = 0; component < 4; ++component) {
      const uint8_t conversion = reader.byte(at + 8 + component);
      fmt::format_to(to, "{:>4}{}", conversion == 0 ? "FLT" : std::to_string(conversion),
                     component == 3 ? ")\n" : ",");
    }
  }
  out += "//\n";
}

void print_samplers(const ByteReader& reader, std::pmr::string& out) {
  const Table table(reader, kSamplerTable, kSamplerSize);
  if (table.count == 0) return;
  out +=
      "//\n// Sampler/Resource to DX9 shader sampler mappings:\n//\n"
      "// Target Sampler Source Sampler  Source Resource\n"
      "// -------------- --------------- ----------------\n";
  for (uint32_t i = 0; i < table.count; ++i) {
    const uint32_t at = table.offset + i * kSamplerSize;
    fmt::format_to(std::back_inserter(out), "// {:<14} {:<15} {:<16} \n",
                   fmt::format("s{}", reader.byte(at + 2)), fmt::format("s{}", reader.byte(at + 1)),
                   fmt::format("t{}", reader.byte(at)));
  }
  out += "//\n";
}

void print_runtime_constants(const ByteReader& reader, std::pmr::string& out) {
  const Table table(reader, kRuntimeTable, kRuntimeSize);
  if (table.count == 0) return;
  out +=
      "//\n// Runtime generated constant mappings:\n//\n"
      "// Target Reg                               Constant Description\n"
      "// ---------- --------------------------------------------------\n";
  for (uint32_t i = 0; i < table.count; ++i) {
    const uint32_t at = table.offset + i * kRuntimeSize;
    const uint16_t kind = reader.word(at);
    fmt::format_to(std::back_inserter(out), "// {:<10} {:>50}\n", fmt::format("c{}", reader.word(at + 2)),
                   kind == 0 ? "Vertex Shader position offset" : fmt::format("unknown kind {}", kind));
  }
  out += "//\n";
}

}  // namespace

void print_level9(std::span<const std::byte> chunk, std::pmr::string& out) {
  const ByteReader reader(chunk);
  const uint32_t offset = reader.dword(kCodeOffset);
  const uint32_t size = reader.dword(kCodeSize);
  if (!reader.has(offset, size)) return;
  print_constants(reader, out);
  print_samplers(reader, out);
  print_runtime_constants(reader, out);
  out += "//\n// Level9 shader bytecode:\n//\n";
  print_direct3d9_listing(chunk.subspan(offset, size), out);
}

}  // namespace texlate::dxbc
