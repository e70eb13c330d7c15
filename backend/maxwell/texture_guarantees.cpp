// NVIDIA documents the instructions of Maxwell nowhere in full. Two sources count as promises here: PTX ISA
// 9.7.10, whose operations are these instructions (ptxas translates each to one, docs/maxwell-isa.md), and
// what several independent compilers rely on (docs/reference/maxwell.md 2 to 5). Neither defines accesses out
// of range.

#include "backend/maxwell/guarantees.h"

#include "backend/launch/texture_guarantees.h"

namespace texlate::maxwell {

namespace {

constexpr std::string_view kTld = "docs/reference/maxwell.md 5, TLD: out of range is not documented";
constexpr std::string_view kTex =
    "docs/reference/maxwell.md 3, TEX: offsets of 4 bits per coordinate; levels from derivatives in pixel "
    "shaders only";
constexpr std::string_view kTxd =
    "docs/reference/maxwell.md 3, TEX and TXD: derivatives for 1D, 2D and their arrays";
constexpr std::string_view kTld4 =
    "docs/reference/maxwell.md 2.4 and 3, TLD4: offsets of 6 bits per coordinate, in a register";
constexpr std::string_view kSurface =
    "docs/reference/maxwell.md 3, SULD and SUST: .IGN is not documented for slices, and x counts bytes";
constexpr std::string_view kMemory = "docs/reference/maxwell.md 5: LDG, STG and ATOM have no bounds checks";

constexpr launch::TextureSources kSources = {.fetch = kTld,
                                             .cube_fetch = kTex,
                                             .sample = kTex,
                                             .gradient_sample = kTxd,
                                             .gather = kTld4,
                                             .surface = kSurface,
                                             .memory = kMemory};

constexpr ir::TexturePromises kTextureRows = launch::texture_promises(kSources, ir::kRunTimeOffset);

}  // namespace

constinit const ir::GuaranteeTable kTextureGuarantees = launch::texture_guarantees("maxwell", kTextureRows);

}  // namespace texlate::maxwell
