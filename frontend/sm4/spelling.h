// The keywords of assembly text: one table per vocabulary, used by parser, printer, validator and `info`.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

#include "frontend/sm4/declaration_form.h"
#include "frontend/sm4/opcode.h"
#include "frontend/sm4/operand.h"

namespace texlate::sm4 {

struct Instruction;

/// A keyword and its token value. In each table, the first entry for a value is fxc's spelling. Later entries
/// (vkd3d's, hand-written text's) are accepted but never printed.
struct Keyword {
  std::string_view name;
  uint32_t value;
};

extern const std::span<const Keyword> kStageNames;          // ps vs gs hs ds cs: Stage
extern const std::span<const Keyword> kDimensionNames;      // ResourceDimension
extern const std::span<const Keyword> kReturnTypeNames;     // ReturnType
extern const std::span<const Keyword> kInterpolationNames;  // Interpolation; several words each
extern const std::span<const Keyword> kSystemValueNames;    // SystemValue
extern const std::span<const Keyword> kSamplerModeNames;    // SamplerMode
extern const std::span<const Keyword> kAccessPatternNames;  // dcl_constantbuffer's control bit
extern const std::span<const Keyword> kGlobalFlagNames;     // GlobalFlags, one bit each
extern const std::span<const Keyword> kInputPrimitiveNames;
extern const std::span<const Keyword> kOutputTopologyNames;
extern const std::span<const Keyword> kTessellatorDomainNames;
extern const std::span<const Keyword> kTessellatorPartitioningNames;
extern const std::span<const Keyword> kTessellatorOutputNames;
extern const std::span<const Keyword> kMinPrecisionNames;  // MinPrecision
extern const std::span<const Keyword> kSyncFlagNames;      // bits of Instruction::controls, in printing order
extern const std::span<const Keyword> kUavFlagNames;       // bits of Instruction::controls, in printing order
extern const std::span<const Keyword> kResinfoReturnNames;  // ResinfoReturn

/// Formats in the signature tables of a listing's header, for values that kMinPrecisionNames lacks.
extern const std::span<const Keyword> kComponentTypeNames;  // ComponentType

/// System values in those tables: D3D_NAME, then (from kFirstUnstoredValue on) those that chunks store as 0.
inline constexpr uint32_t kFirstUnstoredValue = 64;
extern const std::span<const Keyword> kSignatureValueNames;

/// A declaration's piece that is one word: its vocabulary, what it is, and its value.
struct ControlWord {
  std::span<const Keyword> table;
  std::string_view what;
  uint32_t (*value)(const Instruction& dcl);
};
/// Of the input primitive, the output topology, and the three of the tessellator.
ControlWord control_word(DeclarationPiece piece);

/// The value of `name`, if it has one. Case-insensitive.
std::optional<uint32_t> find_keyword(std::span<const Keyword> table, std::string_view name);

/// fxc's spelling of `value`; empty if there is none.
std::string_view spell(std::span<const Keyword> table, uint32_t value);

/// The opcode of a complete mnemonic without suffixes ("sample_c_lz"), in fxc's or another tool's spelling;
/// nullptr if there is none.
const OpcodeInfo* find_mnemonic(std::string_view mnemonic);

/// The register file of a name without index ("cb", "vThreadID"). Case-insensitive. "l" is
/// immediate32.
std::optional<RegisterFile> find_register_file(std::string_view name);

/// True if the two differ at most in letter case.
bool equal_ignoring_case(std::string_view a, std::string_view b);

}  // namespace texlate::sm4
