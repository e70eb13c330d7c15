// What a target's documents promise for each resource operation and dimension. Plain data, one table per
// target (backend/<target>/texture_guarantees.*); only legalize_texture reads it.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "ir/op.h"
#include "ir/passes/guarantee.h"
#include "ir/resource.h"
#include "ir/spelling.h"

namespace texlate::ir {

/// One promise each: "the target's own operation does this as Direct3D specifies".
enum Promise : uint32_t {
  kExists = 1u << 0,           // the operation exists for this dimension
  kCoordinateRange = 1u << 1,  // a coordinate out of range gives the out-of-range value (stores: is dropped)
  kSliceRange = 1u << 2,       // so does a slice out of range (fetch, surfaces)
  kLevelRange = 1u << 3,       // so does a mip out of range
  kSampleRange = 1u << 4,      // a sample index out of range reads no other resource's data
  kUnbound = 1u << 5,          // an unbound slot gives (0,0,0,0)
  kMissing = 1u << 6,          // components that the format lacks are 0, 0, 0, 1
  kOffset = 1u << 7,  // an immediate offset of -8..7, added in texels before range check or address mode
  kRunTimeOffset = 1u << 8,  // gather4_po: a register offset of -32..31
  kImplicitLevel = 1u << 9,  // level from derivatives
  kBias = 1u << 10,          // the same plus a bias
  kGradient = 1u << 11,      // level from given derivatives
  kFloatLayer = 1u << 12,    // a float array index is rounded to nearest even and clamped
  kCompare = 1u << 13,       // compares with the sampler's function, before filtering
  kFeedback = 1u << 14,      // residency status
  kLodClamp = 1u << 15,      // per-access floor of the level, up to the last mip and the sampler's MaxLOD
  kLevelZero =
      1u << 16,  // a form without a level operand that takes level 0, sampler bias and clamps included
  kByteOffset = 1u << 17,   // raw, structured: the low two bits of a byte offset are ignored
  kConversion = 1u << 18,   // surf_load, surf_store: between the view's format and components of 32 bits
  kNearLayer = 1u << 19,    // a float array index is rounded to nearest, halves to either side, and clamped
  kStoredRange = 1u << 20,  // surf_store: NaN is 0 in a normalized format, and integers that do not fit are
                            // clamped; otherwise the target closes the gap (limit_stores, pack_texels)
};

struct TextureGuarantee : Guarantee {
  /// The dimension whose operation replaces one that this dimension lacks (Texture1D as a 2D texture of
  /// height 1); otherwise the dimension itself.
  Dimension stand_in = Dimension::texture2d;
  /// Promises that hold only if a caller or a device says so: see GuaranteeTable::with().
  uint32_t optional = 0;
};

/// The resource operations of the ops table, in the order of the table's rows.
inline constexpr std::array<Op, 14> kResourceOps = {
    Op::tex_fetch,   Op::tex_sample,      Op::tex_gather, Op::tex_lod,    Op::tex_size,
    Op::tex_samples, Op::sample_position, Op::surf_load,  Op::surf_store, Op::surf_atomic,
    Op::buf_load,    Op::buf_store,       Op::buf_atomic, Op::buf_size,
};

/// By operation, in the order of kResourceOps, and dimension.
using TexturePromises = std::array<std::array<TextureGuarantee, kDimensionCount>, kResourceOps.size()>;

struct GuaranteeTable {
  std::string_view target;                // "ptx"
  const TexturePromises* rows = nullptr;  // live longer than all copies of the table
  uint32_t chosen = 0;                    // the optional promises that hold
  /// Facts of bindings have no dimension. kUnbound: the facts of an unbound slot are 0.
  Guarantee facts = {kUnbound, "the binding records that the host writes"};
  /// `counter` has no dimension: does the target count as Direct3D specifies, including unbound slots?
  bool counter_guarded = false;
  /// Loads and stores of several words exist: words of a structure that one guard covers stay together, in
  /// units of the greatest power of two of at most 16 bytes that divides the stride.
  bool wide_buffers = false;
  /// The byte address of a structure has 32 bits, so that a structure beyond them is another one: where
  /// kCoordinateRange is promised, it is for addresses that fit.
  bool structures_wrap = false;
  /// The sizes of an unbound slot are 0, so that a comparison with one of them shows whether it is bound.
  bool empty_when_unbound = false;
  /// Accesses of rasterizer-ordered views happen in the order of primitives (DirectX-Specs,
  /// RasterOrderViews.md).
  bool ordered_views = false;
  /// Inputs can be evaluated at the position of a sample.
  bool sample_evaluation = false;
  /// And at the centroid of what is covered.
  bool centroid_evaluation = false;
  /// In a program with more comparing samples than this, they stay operations with an explicit level, for
  /// each of which the target calls a function (`compare`, LodRule::level). Those with feedback or a floor
  /// are still expanded.
  uint32_t most_comparisons = 0xffffffffu;
  /// The target's own comparing operation takes an explicit level only: none from gradients.
  bool compares_at_levels = false;
  /// The host says which state a sampler has. Otherwise a level that is computed from gradients is that of an
  /// isotropic sampler.
  bool has_sampler_facts = true;
  /// Nothing tells the state of a sampler. A floor of the level is then made from tex.lod, which shows what
  /// the sampler does, in pixel shaders; where that is not possible, the access keeps it.
  bool measures_samplers = false;
  /// The caller guarantees that nothing bound is a tiled resource, so that every access is fully mapped
  /// (D3D11.3 5.9.4).
  bool all_mapped = false;

  /// The same table, where those of `promises` hold that its rows have as optional ones.
  constexpr GuaranteeTable with(uint32_t promises) const {
    GuaranteeTable table = *this;
    table.chosen |= promises;
    return table;
  }

  /// Of a resource operation.
  TextureGuarantee find(Op op, Dimension dimension) const {
    size_t row = 0;
    while (row + 1 < kResourceOps.size() && kResourceOps[row] != op) ++row;
    TextureGuarantee guarantee = (*rows)[row][static_cast<size_t>(dimension)];
    guarantee.promises |= guarantee.optional & chosen;
    return guarantee;
  }
};

}  // namespace texlate::ir
