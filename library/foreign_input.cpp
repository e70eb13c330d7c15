#include "library/foreign_input.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "ir/base/diagnostics.h"

namespace texlate::library {

namespace {

using namespace std::string_view_literals;

uint8_t byte_at(std::string_view bytes, size_t i) {
  return i < bytes.size() ? static_cast<uint8_t>(bytes[i]) : uint8_t{0};
}

/// A version token of shader models 1 to 3: minor and major version, then 0xfffe (vertex) or 0xffff (pixel)
/// (Direct3D 9 shader codes).
bool is_direct3d9(std::string_view bytes) {
  const uint8_t kind = byte_at(bytes, 2);
  return bytes.size() >= 8 && byte_at(bytes, 3) == 0xff && (kind == 0xfe || kind == 0xff) &&
         byte_at(bytes, 1) >= 1 && byte_at(bytes, 1) <= 3;
}

/// True if the container has a chunk with this tag. The chunk table begins at byte 32, and the number of
/// chunks precedes it.
bool has_chunk(std::string_view container, std::string_view tag) {
  const auto word = [&](size_t at) {
    return uint32_t{byte_at(container, at)} | uint32_t{byte_at(container, at + 1)} << 8 |
           uint32_t{byte_at(container, at + 2)} << 16 | uint32_t{byte_at(container, at + 3)} << 24;
  };
  constexpr size_t kCount = 28, kTable = 32, kMostChunks = 64;
  const size_t count = std::min<size_t>(word(kCount), kMostChunks);
  for (size_t i = 0; i < count; ++i) {
    const size_t at = word(kTable + 4 * i);
    if (at + 4 <= container.size() && container.substr(at, 4) == tag) return true;
  }
  return false;
}

/// UTF-16: with a byte order mark, or two characters of ASCII. (A version token that looks like that would
/// name stage 9 or a higher one.)
bool is_utf16(std::string_view bytes) {
  if (bytes.starts_with("\xff\xfe"sv) || bytes.starts_with("\xfe\xff"sv)) return true;
  const auto ascii = [&](size_t i) { return byte_at(bytes, i) >= '\t' && byte_at(bytes, i) < 0x7f; };
  if (bytes.size() < 4) return false;
  const bool little_endian = ascii(0) && bytes[1] == '\0' && ascii(2) && bytes[3] == '\0';
  return little_endian || (bytes[0] == '\0' && ascii(1) && bytes[2] == '\0' && ascii(3));
}

struct Mark {
  std::string_view text;  // searched for in the first kilobytes
  std::string_view message;
};

constexpr std::string_view kHlsl =
    "this looks like HLSL source: compile it first, with 'fxc /T ps_5_0' (Windows SDK; it also runs in "
    "Wine), or with "
    "'vkd3d-compiler -x hlsl -p ps_5_0 -b dxbc-tpf' of vkd3d 1.3 or later (Debian 12 has 1.2, which reads no "
    "HLSL)";
constexpr std::string_view kPtx = "this is PTX, which texlate writes but does not read";
constexpr std::string_view kMaxwell = "this is a Maxwell listing: 'texlate assemble --isa maxwell' reads it";
constexpr std::string_view kLlvm =
    "this is LLVM assembly, perhaps the listing of a shader of model 6 (DXIL): texlate reads models 4.0 to "
    "5.1; dxil-spirv and vkd3d-shader translate DXIL";

// The most reliable ones come first.
constexpr Mark kMarks[] = {
    {".visible .entry", kPtx},
    {".address_size", kPtx},
    {"; SPIR-V\n", "this is SPIR-V assembly, which texlate writes but does not read"},
    {"OpCapability ", "this is SPIR-V assembly, which texlate writes but does not read"},
    {"target triple = \"dxil", kLlvm},
    {"define void @", kLlvm},
    {"#version ",
     "this looks like GLSL source: texlate reads Direct3D's shader assembly and DXBC containers"},
    {"SV_", kHlsl},
    {"cbuffer ", kHlsl},
    {"Texture2D", kHlsl},
    {"SamplerState", kHlsl},
    {"[numthreads", kHlsl},
    {"float4 ", kHlsl},
    {".headerflags", kMaxwell},
    {"\n.registers ", kMaxwell},
    {":-:-:-:", kMaxwell},
};

}  // namespace

std::string_view foreign_bytes(std::string_view bytes) {
  if (bytes.empty()) return "the input is empty";
  if (bytes.starts_with("\x03\x02\x23\x07"sv) || bytes.starts_with("\x07\x23\x02\x03"sv))
    return "this is a SPIR-V module, which texlate writes but does not read";
  if (bytes.starts_with("BC\xc0\xde"sv))
    return "this is LLVM bitcode, perhaps a shader of model 6 (DXIL): texlate reads models 4.0 to 5.1; "
           "dxil-spirv and vkd3d-shader translate DXIL";
  if (bytes.starts_with("\x7f"
                        "ELF"sv))
    return "this is an ELF file; if it is a cubin, 'texlate disassemble' reads it, and 'texlate run SHADER "
           "--binary FILE' "
           "runs it";
  if (bytes.starts_with("DKSH"))
    return "this is a deko3d program, which 'texlate disassemble' reads and 'texlate run SHADER --binary "
           "FILE' runs";
  if (is_utf16(bytes))
    return "this is UTF-16 text, which PowerShell's '>' writes: convert it with 'iconv -f UTF-16 -t UTF-8', "
           "or let the compiler write the file, with 'fxc /Fc FILE'";
  if (is_direct3d9(bytes))
    return "this is bytecode of shader models 1 to 3 (Direct3D 9): texlate reads models 4.0 to 5.1; "
           "vkd3d-shader translates the others";
  if (bytes.starts_with("DXBC") && has_chunk(bytes, "DXIL"))
    return "this container holds a shader of model 6 (DXIL): texlate reads models 4.0 to 5.1; dxil-spirv and "
           "vkd3d-shader translate DXIL";
  return {};
}

std::string_view foreign_text(std::string_view text) {
  constexpr size_t kLooked = 16 << 10;
  text = text.substr(0, kLooked);
  for (const Mark& mark : kMarks) {
    if (text.find(mark.text) != std::string_view::npos) return mark.message;
  }
  if (text.find('\0') != std::string_view::npos)
    return "this is neither text nor a container; raw machine code is read by 'texlate disassemble --isa "
           "maxwell'";
  return {};
}

bool is_ir_text(std::string_view bytes) {
  bytes = without_byte_order_mark(bytes);
  for (;;) {
    const size_t first = bytes.find_first_not_of(" \t\r\n");
    if (first == std::string_view::npos) return false;
    bytes.remove_prefix(first);
    if (bytes[0] != ';') return bytes.starts_with("module ");
    bytes.remove_prefix(std::min(bytes.find('\n'), bytes.size()));
  }
}

}  // namespace texlate::library
