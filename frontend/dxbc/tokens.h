// The token stream of shader models 4.0-5.1: converts dwords to a Program and back
// (d3d12TokenizedProgramFormat.hpp; docs/reference/direct3d.md 5.2, 5.3).
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "frontend/sm4/program.h"

namespace texlate::dxbc {

/// Decodes a stream: version dword, length dword, instructions. `base` is the stream's offset in the input,
/// for the locations of instructions and diagnostics. Reports several errors; an instruction with an error is
/// left out.
bool decode_tokens(std::span<const std::byte> code, uint32_t base, sm4::Program& program,
                   Diagnostics& diagnostics);

/// Appends the stream of a Program. Fails for what a token stream cannot hold (an offset of more than four
/// bits, an instruction longer than 127 dwords).
bool encode_tokens(const sm4::Program& program, std::pmr::vector<uint32_t>& out, Diagnostics& diagnostics);

/// True if these bytes can be a supported stream without a container. Checks only the first two dwords.
bool is_token_stream(std::span<const std::byte> bytes);

/// Fields of tokens: position of the lowest bit, and width.
struct Field {
  uint32_t shift;
  uint32_t width;
  constexpr uint32_t get(uint32_t token) const { return (token >> shift) & ((1u << width) - 1u); }
  constexpr uint32_t put(uint32_t value) const { return (value & ((1u << width) - 1u)) << shift; }
};

namespace tokens {
inline constexpr uint32_t kExtended = 1u << 31;  // another extended token follows

inline constexpr Field kVersionMinor{0, 4};
inline constexpr Field kVersionMajor{4, 4};
inline constexpr Field kVersionStage{16, 16};

inline constexpr Field kOpcode{0, 11};
inline constexpr Field kControls{11, 13};
inline constexpr Field kLength{24, 7};
inline constexpr uint32_t kMaxLength = 127;
inline constexpr Field kCustomClass{11, 21};

inline constexpr Field kExtendedType{0, 6};
inline constexpr uint32_t kSampleControls = 1;
inline constexpr uint32_t kResourceDimension = 2;
inline constexpr uint32_t kResourceReturnType = 3;
inline constexpr Field kOffsets[3] = {{9, 4}, {13, 4}, {17, 4}};
inline constexpr Field kDimension{6, 5};
inline constexpr Field kStride{11, 12};
inline constexpr Field kReturnTypes{6, 16};

inline constexpr Field kComponentCount{0, 2};
inline constexpr Field kSelection{2, 2};
inline constexpr Field kMask{4, 4};
inline constexpr Field kSwizzle{4, 8};
inline constexpr Field kSelect{4, 2};
inline constexpr Field kFile{12, 8};
inline constexpr Field kIndexDimension{20, 2};
inline constexpr Field kIndexForms[3] = {{22, 3}, {25, 3}, {28, 3}};
inline constexpr uint32_t kImmediate32 = 0;
inline constexpr uint32_t kImmediate64 = 1;
inline constexpr uint32_t kRelative = 2;
inline constexpr uint32_t kImmediate32PlusRelative = 3;
inline constexpr uint32_t kImmediate64PlusRelative = 4;

inline constexpr uint32_t kOperandModifierType = 1;
inline constexpr Field kModifier{6, 8};
inline constexpr Field kMinPrecision{14, 3};
inline constexpr Field kNonUniform{17, 1};
}  // namespace tokens

}  // namespace texlate::dxbc
