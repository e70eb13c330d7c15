#include "frontend/sm4/spelling.h"

#include <array>

#include "frontend/sm4/declaration.h"
#include "frontend/sm4/program.h"

namespace texlate::sm4 {

namespace {

constexpr Keyword kStageTable[] = {{"ps", 0}, {"vs", 1}, {"gs", 2}, {"hs", 3}, {"ds", 4}, {"cs", 5}};

constexpr Keyword kDimensionTable[] = {
    {"buffer", 1},           {"texture1d", 2},         {"texture2d", 3},         {"texture2dms", 4},
    {"texture3d", 5},        {"texturecube", 6},       {"texture1darray", 7},    {"texture2darray", 8},
    {"texture2dmsarray", 9}, {"texturecubearray", 10}, {"raw_buffer", 11},       {"structured_buffer", 12},
    {"unknown", 0},          {"rawbuffer", 11},        {"structuredbuffer", 12},
};

constexpr Keyword kReturnTypeTable[] = {
    {"unorm", 1}, {"snorm", 2},     {"sint", 3},        {"uint", 4},     {"float", 5},
    {"mixed", 6}, {"double", 7},    {"<continued>", 8}, {"<unused>", 9}, {"none", 0},
    {"int", 3},   {"continued", 8}, {"unused", 9},
};

constexpr Keyword kInterpolationTable[] = {
    {"constant", 1},
    {"linear", 2},
    {"linear centroid", 3},
    {"linear noperspective", 4},
    {"linear noperspective centroid", 5},
    {"linear sample", 6},
    {"linear noperspective sample", 7},
};

constexpr Keyword kSystemValueTable[] = {
    {"undefined", 0},
    {"position", 1},
    {"clip_distance", 2},
    {"cull_distance", 3},
    {"rendertarget_array_index", 4},
    {"viewport_array_index", 5},
    {"vertex_id", 6},
    {"primitive_id", 7},
    {"instance_id", 8},
    {"is_front_face", 9},
    {"sampleIndex", 10},
    {"finalQuadUeq0EdgeTessFactor", 11},
    {"finalQuadVeq0EdgeTessFactor", 12},
    {"finalQuadUeq1EdgeTessFactor", 13},
    {"finalQuadVeq1EdgeTessFactor", 14},
    {"finalQuadUInsideTessFactor", 15},
    {"finalQuadVInsideTessFactor", 16},
    {"finalTriUeq0EdgeTessFactor", 17},
    {"finalTriVeq0EdgeTessFactor", 18},
    {"finalTriWeq0EdgeTessFactor", 19},
    {"finalTriInsideTessFactor", 20},
    {"finalLineDetailTessFactor", 21},
    {"finalLineDensityTessFactor", 22},
    // vkd3d's
    {"render_target_array_index", 4},
    {"sample_index", 10},
    {"vertexID", 6},
    {"primitiveID", 7},
    {"instanceID", 8},
};

constexpr Keyword kSamplerModeTable[] = {
    {"mode_default", 0},
    {"mode_comparison", 1},
    {"mode_mono", 2},
    {"comparisonMode", 1},
};

constexpr Keyword kAccessPatternTable[] = {{"immediateIndexed", 0}, {"dynamicIndexed", 1}};

constexpr Keyword kGlobalFlagTable[] = {
    {"refactoringAllowed", kRefactoringAllowed},
    {"enableDoublePrecisionFloatOps", kEnableDoublePrecision},
    {"forceEarlyDepthStencil", kForceEarlyDepthStencil},
    {"enableRawAndStructuredBuffers", kEnableRawAndStructuredBuffers},
    {"skipOptimization", kSkipOptimization},
    {"enableMinimumPrecision", kEnableMinimumPrecision},
    {"enable11_1DoubleExtensions", kEnable11_1DoubleExtensions},
    {"enable11_1ShaderExtensions", kEnable11_1ShaderExtensions},
    {"allResourcesBound", kAllResourcesBound},
};

constexpr Keyword kInputPrimitiveTable[] = {
    {"undefined", 0},
    {"point", 1},
    {"line", 2},
    {"triangle", 3},
    {"lineadj", 6},
    {"triangleadj", 7},
    // 8 to 39: patches of 1 to 32 control points
    {"patch1", 8},
    {"patch2", 9},
    {"patch3", 10},
    {"patch4", 11},
    {"patch5", 12},
    {"patch6", 13},
    {"patch7", 14},
    {"patch8", 15},
    {"patch9", 16},
    {"patch10", 17},
    {"patch11", 18},
    {"patch12", 19},
    {"patch13", 20},
    {"patch14", 21},
    {"patch15", 22},
    {"patch16", 23},
    {"patch17", 24},
    {"patch18", 25},
    {"patch19", 26},
    {"patch20", 27},
    {"patch21", 28},
    {"patch22", 29},
    {"patch23", 30},
    {"patch24", 31},
    {"patch25", 32},
    {"patch26", 33},
    {"patch27", 34},
    {"patch28", 35},
    {"patch29", 36},
    {"patch30", 37},
    {"patch31", 38},
    {"patch32", 39},
    // RenderDoc's
    {"line_adj", 6},
    {"triangle_adj", 7},
    // vkd3d's
    {"pointlist", 1},
    {"linelist", 2},
    {"trianglelist", 3},
    {"linelist_adj", 6},
    {"trianglelist_adj", 7},
};

constexpr Keyword kOutputTopologyTable[] = {
    {"undefined", 0},
    {"pointlist", 1},
    {"linelist", 2},
    {"linestrip", 3},
    {"trianglelist", 4},
    {"trianglestrip", 5},
    // RenderDoc's
    {"point", 1},
};

constexpr Keyword kTessellatorDomainTable[] = {
    {"domain_undefined", 0},
    {"domain_isoline", 1},
    {"domain_tri", 2},
    {"domain_quad", 3},
};

constexpr Keyword kTessellatorPartitioningTable[] = {
    {"partitioning_undefined", 0},      {"partitioning_integer", 1},         {"partitioning_pow2", 2},
    {"partitioning_fractional_odd", 3}, {"partitioning_fractional_even", 4},
};

constexpr Keyword kTessellatorOutputTable[] = {
    {"output_undefined", 0},   {"output_point", 1},        {"output_line", 2},
    {"output_triangle_cw", 3}, {"output_triangle_ccw", 4},
};

constexpr Keyword kMinPrecisionTable[] = {
    {"min16f", 1}, {"min2_8f", 2}, {"min16i", 4}, {"min16u", 5}, {"min10f", 2}, {"def32", 0},
};

constexpr Keyword kComponentTypeTable[] = {{"unknown", 0}, {"uint", 1}, {"int", 2}, {"float", 3}};

// `sat` is what fxc's disassembler prints for bit 13 before it has identified the instruction as a sync
// (assembler of 3Dmigoto, parse_sync_flags()). No compiler writes uglobal and ugroup together, but mods do
// that patch tokens, and drivers run them: the wider scope holds.
constexpr Keyword kSyncFlagTable[] = {
    {"uglobal", controls::kSyncUavGlobal}, {"ugroup", controls::kSyncUavGroup},
    {"g", controls::kSyncGroupShared},     {"t", controls::kSyncThreads},
    {"sat", controls::kSyncUavGroup},
};

constexpr Keyword kUavFlagTable[] = {
    {"glc", controls::kUavGloballyCoherent},
    {"rov", controls::kUavRasterizerOrdered},
    {"opc", controls::kUavOrderedCounter},
};

constexpr Keyword kResinfoReturnTable[] = {{"", 0}, {"rcpfloat", 1}, {"uint", 2}};

constexpr Keyword kSignatureValueTable[] = {
    {"NONE", 0},
    {"POS", 1},
    {"CLIPDST", 2},
    {"CULLDST", 3},
    {"RTINDEX", 4},
    {"VPINDEX", 5},
    {"VERTID", 6},
    {"PRIMID", 7},
    {"INSTID", 8},
    {"FFACE", 9},
    {"SAMPLE", 10},
    {"QUADEDGE", 11},
    {"QUADINT", 12},
    {"TRIEDGE", 13},
    {"TRIINT", 14},
    {"LINEDET", 15},
    {"LINEDEN", 16},
    // D3D_NAME_TARGET and the output merger's other values: chunks store 0; the semantic's name identifies
    // them
    {"TARGET", 64},
    {"DEPTH", 65},
    {"COVERAGE", 66},
    {"DEPTHGE", 67},
    {"DEPTHLE", 68},
    {"STENCILREF", 69},
    {"INNERCOV", 70},
    {"GLINDEX", 99},
};

/// Other tools' mnemonics for opcodes of the table.
struct MnemonicAlias {
  std::string_view name;
  Opcode opcode;
};
constexpr MnemonicAlias kMnemonicAliases[] = {
    {"ld2dms", Opcode::ldms},
    {"ld2dms_s", Opcode::ldms_s},
    {"sample_info", Opcode::sampleinfo},
    {"sample_pos", Opcode::samplepos},
    {"dcl_output_sv", Opcode::dcl_output_siv},
    {"dcl_input_sv", Opcode::dcl_input_siv},
    {"dcl_gs_instances", Opcode::dcl_gs_instance_count},
    {"dcl_gs_instance_count", Opcode::dcl_gs_instance_count},
    {"buf_info", Opcode::bufinfo},
    {"dsx", Opcode::deriv_rtx},
    {"dsy", Opcode::deriv_rty},
};

struct RegisterAlias {
  std::string_view name;
  RegisterFile file;
};
constexpr RegisterAlias kRegisterAliases[] = {
    {"primID", RegisterFile::input_primitive_id},
    {"vcp", RegisterFile::input_control_point},
    {"vDomainLocation", RegisterFile::input_domain_point},
    {"vPrimitiveID", RegisterFile::input_primitive_id},
};

constexpr char fold(char c) {
  return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
}

constexpr bool equal_folded(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  for (size_t i = 0; i < a.size(); ++i) {
    if (fold(a[i]) != fold(b[i])) return false;
  }
  return true;
}

constexpr uint32_t hash_folded(std::string_view text) {
  uint32_t hash = 2166136261u;  // FNV-1a
  for (char c : text) hash = (hash ^ static_cast<uint8_t>(fold(c))) * 16777619u;
  return hash ^ (hash >> 15);
}

/// An open-addressed name table built at compile time. kSize is a power of two and at least twice the number
/// of names.
template <uint32_t kSize>
struct NameTable {
  struct Slot {
    std::string_view name;
    uint16_t value = 0;
  };
  std::array<Slot, kSize> slots{};

  constexpr void insert(std::string_view name, uint32_t value) {
    uint32_t at = hash_folded(name) & (kSize - 1);
    while (!slots[at].name.empty()) {
      if (equal_folded(slots[at].name, name))
        return;  // the first entry is kept: "l" is the immediate, not the label
      at = (at + 1) & (kSize - 1);
    }
    slots[at] = {name, static_cast<uint16_t>(value)};
  }

  const Slot* find(std::string_view name) const {
    uint32_t at = hash_folded(name) & (kSize - 1);
    while (!slots[at].name.empty()) {
      if (equal_folded(slots[at].name, name)) return &slots[at];
      at = (at + 1) & (kSize - 1);
    }
    return nullptr;
  }
};

constexpr NameTable<1024> make_mnemonics() {
  NameTable<1024> table;
  for (uint32_t i = 0; i < kOpcodeLimit; ++i) {
    if (is_opcode(i)) table.insert(kOpcodeTable[i].mnemonic, i);
  }
  for (const MnemonicAlias& alias : kMnemonicAliases)
    table.insert(alias.name, static_cast<uint32_t>(alias.opcode));
  return table;
}

constexpr NameTable<128> make_register_names() {
  NameTable<128> table;
  for (uint32_t i = 0; i < kRegisterFileLimit; ++i) table.insert(kRegisterFiles[i].spelling, i);
  for (const RegisterAlias& alias : kRegisterAliases)
    table.insert(alias.name, static_cast<uint32_t>(alias.file));
  return table;
}

constexpr NameTable<1024> kMnemonics = make_mnemonics();
constexpr NameTable<128> kRegisterNames = make_register_names();

}  // namespace

const std::span<const Keyword> kStageNames = kStageTable;
const std::span<const Keyword> kDimensionNames = kDimensionTable;
const std::span<const Keyword> kReturnTypeNames = kReturnTypeTable;
const std::span<const Keyword> kInterpolationNames = kInterpolationTable;
const std::span<const Keyword> kSystemValueNames = kSystemValueTable;
const std::span<const Keyword> kSamplerModeNames = kSamplerModeTable;
const std::span<const Keyword> kAccessPatternNames = kAccessPatternTable;
const std::span<const Keyword> kGlobalFlagNames = kGlobalFlagTable;
const std::span<const Keyword> kInputPrimitiveNames = kInputPrimitiveTable;
const std::span<const Keyword> kOutputTopologyNames = kOutputTopologyTable;
const std::span<const Keyword> kTessellatorDomainNames = kTessellatorDomainTable;
const std::span<const Keyword> kTessellatorPartitioningNames = kTessellatorPartitioningTable;
const std::span<const Keyword> kTessellatorOutputNames = kTessellatorOutputTable;
const std::span<const Keyword> kMinPrecisionNames = kMinPrecisionTable;
const std::span<const Keyword> kComponentTypeNames = kComponentTypeTable;
const std::span<const Keyword> kSyncFlagNames = kSyncFlagTable;
const std::span<const Keyword> kUavFlagNames = kUavFlagTable;
const std::span<const Keyword> kResinfoReturnNames = kResinfoReturnTable;
const std::span<const Keyword> kSignatureValueNames = kSignatureValueTable;

ControlWord control_word(DeclarationPiece piece) {
  switch (piece) {
    case DeclarationPiece::input_primitive:
      return {kInputPrimitiveNames, "input primitive", declared_control_points};
    case DeclarationPiece::output_topology:
      return {kOutputTopologyNames, "output topology", declared_output_topology};
    case DeclarationPiece::tessellator_domain:
      return {kTessellatorDomainNames, "tessellator domain", declared_tessellator_domain};
    case DeclarationPiece::tessellator_partitioning:
      return {kTessellatorPartitioningNames, "tessellator partitioning", declared_tessellator_partitioning};
    case DeclarationPiece::tessellator_output:
      return {kTessellatorOutputNames, "tessellator output primitive", declared_tessellator_output};
    default: return {};  // callers have named those above
  }
}

std::optional<uint32_t> find_keyword(std::span<const Keyword> table, std::string_view name) {
  for (const Keyword& keyword : table) {
    if (equal_folded(keyword.name, name)) return keyword.value;
  }
  return std::nullopt;
}

std::string_view spell(std::span<const Keyword> table, uint32_t value) {
  for (const Keyword& keyword : table) {
    if (keyword.value == value) return keyword.name;
  }
  return {};
}

const OpcodeInfo* find_mnemonic(std::string_view mnemonic) {
  const auto* slot = kMnemonics.find(mnemonic);
  return slot != nullptr ? &kOpcodeTable[slot->value] : nullptr;
}

std::optional<RegisterFile> find_register_file(std::string_view name) {
  const auto* slot = kRegisterNames.find(name);
  if (slot == nullptr) return std::nullopt;
  return static_cast<RegisterFile>(slot->value);
}

bool equal_ignoring_case(std::string_view a, std::string_view b) {
  return equal_folded(a, b);
}

}  // namespace texlate::sm4
