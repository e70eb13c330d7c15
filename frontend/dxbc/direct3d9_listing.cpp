// The disassembler of Direct3D 9 shaders, models 2.0 and 2.x, which level-9 profiles embed (d3d9types.h:
// D3DSIO_*, D3DSPR_*, D3DSP_*; MSDN, "Shader Codes" of the Direct3D 9 driver kit).
#include <fmt/format.h>

#include <cstring>
#include <iterator>

#include "frontend/dxbc/byte_reader.h"
#include "frontend/dxbc/level9.h"
#include "frontend/dxbc/tokens.h"

namespace texlate::dxbc {

namespace {

/// An instruction; the destination comes first if there is one.
struct Direct3d9Opcode {
  uint32_t number;  // D3DSHADER_INSTRUCTION_OPCODE_TYPE
  std::string_view mnemonic;
  bool has_destination;
  uint8_t sources;
  uint8_t slots;  // number of slots in a listing's closing count
  bool is_texture = false;
};
constexpr Direct3d9Opcode kOpcodes[] = {
    {0, "nop", false, 0, 1},          {1, "mov", true, 1, 1},           {2, "add", true, 2, 1},
    {3, "sub", true, 2, 1},           {4, "mad", true, 3, 1},           {5, "mul", true, 2, 1},
    {6, "rcp", true, 1, 1},           {7, "rsq", true, 1, 1},           {8, "dp3", true, 2, 1},
    {9, "dp4", true, 2, 1},           {10, "min", true, 2, 1},          {11, "max", true, 2, 1},
    {12, "slt", true, 2, 1},          {13, "sge", true, 2, 1},          {14, "exp", true, 1, 1},
    {15, "log", true, 1, 1},          {16, "lit", true, 1, 3},          {17, "dst", true, 2, 1},
    {18, "lrp", true, 3, 2},          {19, "frc", true, 1, 1},          {20, "m4x4", true, 2, 4},
    {21, "m4x3", true, 2, 3},         {22, "m3x4", true, 2, 4},         {23, "m3x3", true, 2, 3},
    {24, "m3x2", true, 2, 2},         {25, "call", false, 1, 2},        {26, "callnz", false, 2, 3},
    {27, "loop", false, 2, 3},        {28, "ret", false, 0, 1},         {29, "endloop", false, 0, 2},
    {30, "label", false, 1, 0},       {32, "pow", true, 2, 3},          {33, "crs", true, 2, 2},
    {34, "sgn", true, 3, 3},          {35, "abs", true, 1, 1},          {36, "nrm", true, 1, 3},
    {37, "sincos", true, 3, 8},       {38, "rep", false, 1, 3},         {39, "endrep", false, 0, 2},
    {40, "if", false, 1, 3},          {41, "if", false, 2, 3},          {42, "else", false, 0, 1},
    {43, "endif", false, 0, 1},       {44, "break", false, 0, 1},       {45, "break", false, 2, 3},
    {46, "mova", true, 1, 1},         {65, "texkill", true, 0, 1},      {66, "texld", true, 2, 1, true},
    {88, "cmp", true, 3, 1},          {90, "dp2add", true, 3, 2},       {91, "dsx", true, 1, 2},
    {92, "dsy", true, 1, 2},          {93, "texldd", true, 4, 3, true}, {94, "setp", true, 2, 1},
    {95, "texldl", true, 2, 2, true}, {96, "breakp", false, 1, 3},
};
constexpr uint32_t kDcl = 31;
constexpr uint32_t kDefineBool = 47;
constexpr uint32_t kDefineInteger = 48;
constexpr uint32_t kDefineFloat = 81;
constexpr uint32_t kComment = 0xfffe;
constexpr uint32_t kEnd = 0xffff;
constexpr uint32_t kTexld = 66;
constexpr uint32_t kPixelVersion = 0xffff;
constexpr uint32_t kSamplerFile = 10;
constexpr uint32_t kRasterOutputFile = 4;
constexpr uint32_t kMiscFile = 17;

constexpr Field kNumber{0, 16};
constexpr Field kControl{16, 8};  // a comparison; texld: 1 projected, 2 biased
constexpr Field kLength{24, 4};
constexpr Field kCommentLength{16, 15};
constexpr uint32_t kPredicated = 1u << 28;

constexpr Field kRegister{0, 11};
constexpr Field kFileHigh{11, 2};
constexpr Field kFileLow{28, 3};
constexpr uint32_t kRelative = 1u << 13;
constexpr Field kMask{16, 4};
constexpr uint32_t kSaturate = 1u << 20;
constexpr uint32_t kPartialPrecision = 1u << 21;
constexpr uint32_t kCentroid = 1u << 22;
constexpr Field kSwizzle{16, 8};
constexpr Field kModifier{24, 4};
constexpr uint32_t kIdentity = 0xe4;

constexpr Field kUsage{0, 5};
constexpr Field kUsageIndex{16, 4};
constexpr Field kTextureType{27, 4};

constexpr std::string_view kFiles[] = {"r", "v", "c", "a", "",  "oD", "oT", "i", "oC", "oDepth",
                                       "s", "c", "c", "c", "b", "aL", "r",  "",  "l",  "p"};
constexpr std::string_view kUsages[] = {"position", "blendweight", "blendindices", "normal",     "psize",
                                        "texcoord", "tangent",     "binormal",     "tessfactor", "positiont",
                                        "color",    "fog",         "depth",        "sample"};
constexpr std::string_view kTextureTypes[] = {"", "", "2d", "cube", "volume"};
constexpr std::string_view kComparisons[] = {"", "_gt", "_eq", "_ge", "_lt", "_ne", "_le", ""};
constexpr std::string_view kRasterOutputs[] = {"oPos", "oFog", "oPts"};
constexpr std::string_view kMiscRegisters[] = {"vPos", "vFace"};

/// Text before and after the register (D3DSPSM_*).
struct Modifier {
  std::string_view before;
  std::string_view behind;
};
constexpr Modifier kModifiers[16] = {{"", ""},      {"-", ""},     {"", "_bias"}, {"-", "_bias"},
                                     {"", "_bx2"},  {"-", "_bx2"}, {"1-", ""},    {"", "_x2"},
                                     {"-", "_x2"},  {"", "_dz"},   {"", "_dw"},   {"", "_abs"},
                                     {"-", "_abs"}, {"!", ""},     {"", ""},      {"", ""}};

const Direct3d9Opcode* find_opcode(uint32_t number) {
  for (const Direct3d9Opcode& opcode : kOpcodes) {
    if (opcode.number == number) return &opcode;
  }
  return nullptr;
}

template <size_t count>
std::string_view name_of(const std::string_view (&names)[count], uint32_t i) {
  return i < count ? names[i] : std::string_view("unknown");
}

class Direct3d9Printer {
 public:
  Direct3d9Printer(std::span<const std::byte> code, std::pmr::string& out)
      : reader_(code), count_(static_cast<uint32_t>(code.size() / 4)), out_(out) {}

  void print() {
    const uint32_t version = dword(0);
    pixel_ = (version >> 16) == kPixelVersion;
    fmt::format_to(to_, "    {}_{}_{}\n", pixel_ ? "ps" : "vs", (version >> 8) & 0xff, minor(version & 0xff));
    at_ = 1;
    while (at_ < count_) {
      const uint32_t token = dword(at_);
      const uint32_t number = kNumber.get(token);
      if (number == kEnd) break;
      const uint32_t length = number == kComment ? kCommentLength.get(token) : kLength.get(token);
      if (number != kComment) print_instruction(token, at_ + 1 + length);
      at_ += 1 + length;
    }
    print_slots();
  }

 private:
  static std::string minor(uint32_t minor) {
    return minor == 0 ? "0" : minor == 1 ? "x" : minor == 0xff ? "sw" : std::to_string(minor);
  }
  uint32_t dword(uint32_t i) const { return reader_.dword(uint64_t{i} * 4); }

  void print_instruction(uint32_t token, uint32_t end) {
    uint32_t at = at_ + 1;
    out_ += "    ";
    switch (kNumber.get(token)) {
      case kDcl: return print_declaration(at);
      case kDefineFloat:
      case kDefineInteger:
      case kDefineBool: return print_definition(kNumber.get(token), at, end);
      default: break;
    }
    const Direct3d9Opcode* opcode = find_opcode(kNumber.get(token));
    if (opcode == nullptr) {
      fmt::format_to(to_, "unknown opcode {}\n", kNumber.get(token));
      return;
    }
    slots_ += opcode->slots;
    texture_slots_ += opcode->is_texture ? opcode->slots : 0;
    // A predicate follows the destination in the tokens, but is printed before everything else.
    const uint32_t predicate = (token & kPredicated) != 0 ? at + (opcode->has_destination ? 1u : 0u) : 0;
    if (predicate != 0) {
      uint32_t place = predicate;
      out_ += '(';
      print_source(place);
      out_ += ") ";
    }
    out_ += opcode->mnemonic;
    const uint32_t control = kControl.get(token);
    if (opcode->number == kTexld) {
      out_ += control == 1 ? "p" : control == 2 ? "b" : "";
    } else {
      out_ += kComparisons[control & 7];
    }
    std::string_view separator = " ";
    if (opcode->has_destination && at < end) {
      print_result_modifiers(dword(at));
      out_ += separator;
      print_destination(at);
      separator = ", ";
    }
    for (uint32_t i = 0; i < opcode->sources && at < end; ++i) {
      if (at == predicate) ++at;
      out_ += separator;
      print_source(at);
      separator = ", ";
    }
    out_ += '\n';
  }

  void print_declaration(uint32_t at) {
    const uint32_t usage = dword(at);
    const uint32_t target = dword(++at);
    out_ += "dcl";
    if (file_of(target) == kSamplerFile) {
      fmt::format_to(to_, "_{}", name_of(kTextureTypes, kTextureType.get(usage)));
    } else if (!pixel_) {
      fmt::format_to(to_, "_{}", name_of(kUsages, kUsage.get(usage)));
      if (kUsageIndex.get(usage) != 0) fmt::format_to(to_, "{}", kUsageIndex.get(usage));
    }
    print_result_modifiers(target);
    out_ += ' ';
    print_destination(at);
    out_ += '\n';
  }

  void print_definition(uint32_t number, uint32_t at, uint32_t end) {
    out_ += number == kDefineFloat ? "def " : number == kDefineInteger ? "defi " : "defb ";
    print_register(dword(at));
    for (++at; at < end; ++at) {
      if (number == kDefineFloat) {
        out_ += ", ";
        print_float(dword(at));
      } else if (number == kDefineInteger) {
        fmt::format_to(to_, ", {}", static_cast<int32_t>(dword(at)));
      } else {
        out_ += dword(at) != 0 ? ", true" : ", false";
      }
    }
    out_ += '\n';
  }

  /// Nine digits; exponents have three digits, as in Microsoft's C library.
  void print_float(uint32_t bits) {
    float value = 0;
    std::memcpy(&value, &bits, sizeof value);
    std::string text = fmt::format("{:.9g}", value);
    const size_t exponent = text.find('e');
    if (exponent != std::string::npos && text.size() - exponent == 4) text.insert(exponent + 2, "0");
    out_ += text;
  }

  void print_result_modifiers(uint32_t token) {
    if ((token & kSaturate) != 0) out_ += "_sat";
    if ((token & kPartialPrecision) != 0) out_ += "_pp";
    if ((token & kCentroid) != 0) out_ += "_centroid";
  }

  void print_destination(uint32_t& at) {
    const uint32_t token = dword(at++);
    print_register(token);
    const uint32_t mask = kMask.get(token);
    if (mask == 0xf || mask == 0) return;
    out_ += '.';
    for (uint32_t i = 0; i < 4; ++i) {
      if ((mask >> i & 1) != 0) out_ += "xyzw"[i];
    }
  }

  void print_source(uint32_t& at) {
    const uint32_t token = dword(at++);
    const Modifier& modifier = kModifiers[kModifier.get(token)];
    out_ += modifier.before;
    print_register(token);
    if ((token & kRelative) != 0) {
      out_ += '[';
      const uint32_t address = dword(at++);
      print_register(address);
      print_swizzle(address);
      out_ += ']';
    }
    out_ += modifier.behind;
    if (file_of(token) != kSamplerFile) print_swizzle(token);
  }

  void print_swizzle(uint32_t token) {
    const uint32_t swizzle = kSwizzle.get(token);
    if (swizzle == kIdentity) return;
    out_ += '.';
    const bool replicated = swizzle == (swizzle & 3) * 0x55;
    for (uint32_t i = 0; i < (replicated ? 1u : 4u); ++i) out_ += "xyzw"[swizzle >> (2 * i) & 3];
  }

  static uint32_t file_of(uint32_t token) { return kFileLow.get(token) | kFileHigh.get(token) << 3; }

  void print_register(uint32_t token) {
    const uint32_t file = file_of(token);
    const uint32_t number = kRegister.get(token);
    if (file == kRasterOutputFile) {
      out_ += name_of(kRasterOutputs, number);
    } else if (file == kMiscFile) {
      out_ += name_of(kMiscRegisters, number);
    } else if (file == 3 && pixel_) {
      fmt::format_to(to_, "t{}", number);  // in vertex shaders, the number of a#
    } else {
      out_ += name_of(kFiles, file);
      const bool single = file == 9 || file == 15;  // oDepth, aL
      constexpr uint32_t kRowsOfAFile = 2048;       // c2048 and up are separate files
      const uint32_t base = file >= 11 && file <= 13 ? (file - 10) * kRowsOfAFile : 0;
      if (!single) fmt::format_to(to_, "{}", base + number);
    }
  }

  void print_slots() {
    fmt::format_to(to_, "\n// approximately {} instruction slot{} used", slots_, slots_ == 1 ? "" : "s");
    if (texture_slots_ != 0)
      fmt::format_to(to_, " ({} texture, {} arithmetic)", texture_slots_, slots_ - texture_slots_);
    out_ += '\n';
  }

  ByteReader reader_;
  uint32_t count_;
  std::pmr::string& out_;
  std::back_insert_iterator<std::pmr::string> to_{out_};
  uint32_t at_ = 0;
  uint32_t slots_ = 0;
  uint32_t texture_slots_ = 0;
  bool pixel_ = false;
};

}  // namespace

void print_direct3d9_listing(std::span<const std::byte> code, std::pmr::string& out) {
  Direct3d9Printer(code, out).print();
}

}  // namespace texlate::dxbc
