// PTX ISA 9.0, sections 9.7.10 (texture) and 9.7.11 (surface), and the CUDA driver API's texture objects.
// What these documents do not specify is not promised, whatever today's hardware does (docs/reference/ptx.md
// 2 and 9).

#include "backend/ptx/guarantees.h"

#include "backend/launch/texture_guarantees.h"

namespace texlate::ptx {

namespace {

using namespace ir;  // the Promise flags

constexpr std::string_view kTex = "PTX ISA 9.7.10.3 tex";
constexpr std::string_view kTld4 = "PTX ISA 9.7.10.4 tld4";
constexpr std::string_view kSurface = "PTX ISA 9.7.11.1 suld, 9.7.11.2 sust";
constexpr std::string_view kMemory = "PTX ISA 9.7.9.8 ld, 9.7.9.11 st, 9.7.13.5 atom";

// `|p` is the residency of tex and tld4 from sm_60 on; the emitter refuses it for earlier targets.
// Integer fetches: the ISA does not specify any access out of range, nor how an offset relates to the bounds.
// Sampling: offsets of -8..7 are promised for all but cubes. tex.grad on 3D and cubes becomes a call to a
// driver function on sm_90 (docs/reference/ptx.md 3).
// Surfaces: `.zero` specifies nothing for slices, and x counts bytes, so that x * size can wrap back into
// range; `.p` forms leave missing components and rounding undefined (docs/reference/ptx.md 1.6).
// Queries: txq returns only width, height and depth, and not for mips that do not exist
// (docs/reference/ptx.md 1.5).
constexpr launch::TextureSources kSources = {.fetch = kTex,
                                             .cube_fetch = kTex,
                                             .sample = kTex,
                                             .gradient_sample = kTex,
                                             .gather = kTld4,
                                             .surface = kSurface,
                                             .memory = kMemory};

/// The operand of tex and tld4 compares "each element fetched from texture" before it is filtered; the ISA
/// leaves the function to the texture. tex.grad with it is a call to the driver (docs/reference/ptx.md 3).
constexpr Dimension kComparable[] = {Dimension::texture1d,    Dimension::texture1d_array,
                                     Dimension::texture2d,    Dimension::texture2d_array,
                                     Dimension::texture_cube, Dimension::texture_cube_array};

constexpr TexturePromises kTextureRows = [] {
  TexturePromises rows = launch::texture_promises(kSources);
  for (size_t op = 0; op < kResourceOps.size(); ++op) {
    if (kResourceOps[op] != Op::tex_sample && kResourceOps[op] != Op::tex_gather) continue;
    for (const Dimension dimension : kComparable)
      rows[op][static_cast<size_t>(dimension)].optional = kCompare;
  }
  return rows;
}();

}  // namespace

constinit const ir::GuaranteeTable kTextureGuarantees = launch::texture_guarantees("ptx", kTextureRows);

ir::GuaranteeTable texture_guarantees(bool all_mapped, bool native_compare) {
  GuaranteeTable table = kTextureGuarantees.with(native_compare ? uint32_t{kCompare} : 0u);
  table.compares_at_levels = native_compare;
  table.all_mapped = all_mapped;
  return table;
}

}  // namespace texlate::ptx
