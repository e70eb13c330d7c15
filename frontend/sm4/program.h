// A shader-model 4.0-5.1 program as written: one list of instructions, including declarations, in the order
// of the input. Text and bytes of the same shader give equal Programs. No information of the token stream is
// lost.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "frontend/sm4/opcode.h"
#include "frontend/sm4/operand.h"
#include "ir/base/buffer.h"
#include "ir/base/diagnostics.h"

namespace texlate::sm4 {

/// Values of the token format (extended opcode token 2, bits [10:6]; dcl_resource, bits [15:11]).
enum class ResourceDimension : uint8_t {
  unknown = 0,
  buffer = 1,
  texture1d = 2,
  texture2d = 3,
  texture2dms = 4,
  texture3d = 5,
  texturecube = 6,
  texture1darray = 7,
  texture2darray = 8,
  texture2dmsarray = 9,
  texturecubearray = 10,
  raw_buffer = 11,
  structured_buffer = 12,
};

/// Values of the token format (extended opcode token 3).
enum class ReturnType : uint8_t {
  none = 0,
  unorm = 1,
  snorm = 2,
  sint = 3,
  uint = 4,
  float_ = 5,
  mixed = 6,
  double_ = 7,
  continued = 8,
  unused = 9,
};

/// Four return types, x in the lowest four bits, as in the return-type tokens.
constexpr ReturnType return_type(uint16_t packed, uint32_t component) {
  return static_cast<ReturnType>((packed >> (4 * component)) & 0xf);
}
inline constexpr uint16_t kReturnTypesFloat = 0x5555;

struct ProgramVersion {
  Stage stage = Stage::pixel;
  uint8_t major = 5;
  uint8_t minor = 0;
  bool operator==(const ProgramVersion&) const = default;
  constexpr uint32_t model() const { return major * 10u + minor; }  // 40, 41, 50, 51
};

/// Fields of Instruction::controls: bits [23:11] of the opcode token, shifted down by 11.
namespace controls {
inline constexpr uint32_t kSaturate = 1u << 2;              // bit 13
inline constexpr uint32_t kTestNonzero = 1u << 7;           // bit 18
inline constexpr uint32_t kPreciseShift = 8;                // bits 19..22: x y z w
inline constexpr uint32_t kSyncThreads = 1u << 0;           // _t
inline constexpr uint32_t kSyncGroupShared = 1u << 1;       // _g
inline constexpr uint32_t kSyncUavGroup = 1u << 2;          // _ugroup (shares its bit with saturate)
inline constexpr uint32_t kSyncUavGlobal = 1u << 3;         // _uglobal
inline constexpr uint32_t kUavGloballyCoherent = 1u << 5;   // bit 16
inline constexpr uint32_t kUavRasterizerOrdered = 1u << 6;  // bit 17
inline constexpr uint32_t kUavOrderedCounter = 1u << 12;    // bit 23
}  // namespace controls

/// resinfo: bits [12:11].
enum class ResinfoReturn : uint8_t { float_ = 0, rcp_float = 1, uint = 2 };

/// One instruction or declaration. Operands and trailing dwords are in the Program's pools.
struct Instruction {
  Opcode opcode = Opcode::nop;
  uint16_t controls = 0;  // see namespace controls
  uint8_t operand_count = 0;
  /// Which extended opcode tokens are present.
  bool has_offset = false;       // 1: `_aoffimmi(u,v,w)`
  bool has_dimension = false;    // 2: `_indexable(dimension`
  bool has_return_type = false;  // 3: `(types)`
  int8_t offset[3] = {0, 0, 0};  // u, v, w: -8..7
  ResourceDimension dimension = ResourceDimension::unknown;
  uint16_t stride = 0;         // structured_buffer's, in bytes
  uint16_t return_types = 0;   // packed, see return_type()
  uint32_t first_operand = 0;  // in Program::operands
  uint32_t first_word = 0;     // in Program::words: the dwords that are not operands
  uint32_t word_count = 0;
  SourceLocation location;

  bool saturate() const { return (controls & controls::kSaturate) != 0; }
  bool test_nonzero() const { return (controls & controls::kTestNonzero) != 0; }
  /// Components (bits 0..3) whose arithmetic must not be reassociated or contracted.
  uint8_t precise_mask() const { return (controls >> controls::kPreciseShift) & 0xf; }
  ResinfoReturn resinfo_return() const { return static_cast<ResinfoReturn>(controls & 3); }
};

/// Maximum nesting of blocks (D3D11.3 functional specification 7.12).
inline constexpr uint32_t kMaxNesting = 64;

/// Limits of what a reader accepts, far above what compilers write (32 registers, four components, four
/// streams), so that the work for hostile input stays proportional to its size.
inline constexpr uint32_t kMaxSignatureElements = 1024;
inline constexpr uint32_t kMaxSemanticName = 256;  // characters

/// D3D_REGISTER_COMPONENT_TYPE.
enum class ComponentType : uint8_t { unknown = 0, uint = 1, sint = 2, float_ = 3 };

inline constexpr uint32_t kNoRegister = 0xffffffffu;  // for oDepth and other outputs outside o#

/// A signature element (chunks ISGN, OSGN, PCSG and their variants; header comments of a listing).
struct SignatureElement {
  std::pmr::string semantic_name;
  uint32_t semantic_index = 0;
  uint32_t system_value = 0;    // D3D_NAME
  uint32_t component_type = 0;  // ComponentType; any number in hostile chunks
  uint32_t register_index = 0;  // or kNoRegister
  uint8_t mask = 0;
  uint8_t used_mask = 0;  // inputs: components that are read; outputs: components that are never written
  uint8_t stream = 0;
  uint8_t min_precision = 0;
};

/// The position of an operand in the line of its instruction, in bytes.
struct OperandPlace {
  uint16_t column = 0;  // 1-based; 0: not known
  uint16_t length = 0;
};

struct Program {
  explicit Program(std::pmr::memory_resource* memory = std::pmr::get_default_resource())
      : instructions(memory),
        operands(memory),
        operand_places(memory),
        words(memory),
        input_signature(memory),
        output_signature(memory),
        patch_constant_signature(memory) {}

  ProgramVersion version;
  SourceLocation version_location;   // the profile line, or the version token
  Buffer<Instruction> instructions;  // declarations and instructions, in input order
  /// Those of each instruction follow those of the one before it, after the registers of their indices.
  Buffer<Operand> operands;
  Buffer<OperandPlace> operand_places;  // of `operands`, for messages; empty if the input was not text
  Buffer<uint32_t> words;
  std::pmr::vector<SignatureElement> input_signature;
  std::pmr::vector<SignatureElement> output_signature;
  std::pmr::vector<SignatureElement> patch_constant_signature;
  /// Set by who reads the program: accept, with warnings, what Direct3D's drivers accept although it is wrong
  /// (docs/frontend.md, "Lenient reading"). Not part of the program: it is neither written nor compared.
  bool lenient = false;
  /// The number in the listing's last line or the STAT chunk. It counts neither declarations nor
  /// phases.
  uint32_t instruction_slots = kUnknownSlots;

  static constexpr uint32_t kUnknownSlots = 0xffffffffu;

  std::span<const Operand> operands_of(const Instruction& instruction) const {
    return {operands.data() + instruction.first_operand, instruction.operand_count};
  }
  std::span<const uint32_t> words_of(const Instruction& instruction) const {
    return {words.data() + instruction.first_word, instruction.word_count};
  }
  /// The location of one of the instruction's operands in the text, for messages. The instruction's location
  /// if the operand's is unknown, as in containers.
  SourceLocation place_of(const Instruction& instruction, const Operand& operand) const {
    const auto index = static_cast<size_t>(&operand - operands.data());
    if (index >= operand_places.size() || instruction.location.line == 0) return instruction.location;
    const OperandPlace& place = operand_places[index];
    if (place.column == 0) return instruction.location;
    return SourceLocation::text(instruction.location.line, place.column, place.length);
  }
  std::pmr::memory_resource* memory() const { return instructions.memory(); }
};

}  // namespace texlate::sm4
