// The limits of a SPIR-V module (SPIR-V 2.17, "Universal Limits": what every consumer must accept, and the
// validator enforces). docs/limits.md describes what happens to a program that needs more.
#pragma once

#include <cstdint>

namespace texlate::spirv {

inline constexpr uint32_t kMostInstructionWords = 65'535;  // 2.3: the word count has 16 bits
inline constexpr uint32_t kMostIds = 4'194'303;            // the bound in the header
inline constexpr uint32_t kMostSwitchLabels = 16'383;
inline constexpr uint32_t kMostNesting = 1'023;  // of control flow
inline constexpr uint32_t kMostGlobalVariables = 65'535;

/// For an OpPhi: three words of its own, and two per edge.
inline constexpr uint32_t kMostPhiEdges = (kMostInstructionWords - 3) / 2;

}  // namespace texlate::spirv
