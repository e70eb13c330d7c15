// Range checks: one comparison each, joined to the access's guard. Comparisons of neighboring accesses are
// equal values, which eliminate_common_subexpressions merges; constant ones fold away.

#include <bit>
#include <cmath>
#include <utility>

#include "ir/passes/texture_legalizer.h"

namespace texlate::ir {

// Mips are unsigned: -1 is a large number. A bound resource has at least one mip, so mip 0 needs no test.
void TextureLegalizer::guard_level(AccessDraft& draft) {
  const Value level = draft.access.get(Slot::lod);
  if (level == kNoValue || module_.is_constant(level, 0)) return;
  rewrite_.asked = 0;
  require(draft, Gap::level_range, emit(Op::ult, {level, fact(draft, BindingFact::levels)}));
}

void TextureLegalizer::guard_slice(AccessDraft& draft) {
  const Value layer = draft.access.get(Slot::layer);
  if (layer == kNoValue || draft.access.contract.layer_is_integer) return;
  draft.access.contract.layer_is_integer = true;
  if (module_.is_constant(layer, 0)) return;  // a bound resource has at least one slice
  rewrite_.asked = 0;
  require(draft, Gap::slice_range, emit(Op::ult, {layer, fact(draft, BindingFact::layers)}));
}

// In Direct3D a sample index out of range is undefined but harmless (docs/reference/direct3d.md 1.3). The
// harmless choice is the result of other addresses out of range.
void TextureLegalizer::guard_sample(AccessDraft& draft) {
  const Value sample = draft.access.get(Slot::sample);
  if (sample == kNoValue) return;
  rewrite_.asked = 0;
  require(draft, Gap::sample_range, emit(Op::ult, {sample, fact(draft, BindingFact::samples)}));
}

// A bound texture has a texel 0 on each axis of each of its mips; a buffer may be empty.
void TextureLegalizer::guard_coordinates(AccessDraft& draft) {
  // Direct3D's dimension: additional coordinates of a stand-in are constants in range. Cube surfaces are 2D
  // arrays.
  static constexpr std::array<BindingFact, 3> kSizes = {BindingFact::width, BindingFact::height,
                                                        BindingFact::depth};
  const Value level = draft.access.get(Slot::lod);
  rewrite_.asked = 0;
  bool is_closed = false, is_known = false;
  for (uint32_t i = 0; i < coordinate_count(draft.dimension); ++i) {
    const Value coordinate = draft.access.get(Slot::coordinate0 + i);
    if (module_.is_constant(coordinate, 0) && draft.dimension != Dimension::buffer) continue;
    const Value below = emit(Op::ult, {coordinate, mip_size(draft, kSizes[i], level)});
    if (module_.is_constant(below, 1)) {
      is_known = true;
      continue;
    }
    if (!std::exchange(is_closed, true)) closed(draft, Gap::coordinate_range);
    add_guard(draft, below);
  }
  if (is_known && !is_closed) leave_out(draft, Gap::coordinate_range);
}

// (coordinate + offset) modulo 2^32 (docs/reference/direct3d.md 1.3, rule 4): 0 - 1 is far outside,
// 0xffffffff + 1 is texel 0.
void TextureLegalizer::fold_offset(AccessDraft& draft) {
  ResourceAccess& access = draft.access.contract;
  if (!access.has_offset) return;
  closed(draft, Gap::offset);
  for (uint32_t i = 0; i < offset_count(draft.dimension); ++i) {
    if (access.offset[i] == 0) continue;
    const Value moved = emit(
        Op::iadd, {draft.access.get(Slot::coordinate0 + i), word(static_cast<uint32_t>(access.offset[i]))});
    draft.access.set(Slot::coordinate0 + i, moved);
    access.offset[i] = 0;
  }
  access.has_offset = false;
}

// Round to nearest even, then clamp to [0, n-1] (22.4.15). ftou saturates: negative and NaN give slice 0.
void TextureLegalizer::round_layer(AccessDraft& draft) {
  const Value layer = draft.access.get(Slot::layer);
  if (layer == kNoValue || draft.access.contract.layer_is_integer) return;
  const bool is_clamped = draft.promises(kNearLayer);
  if (is_clamped && module_.is_constant(layer)) {
    const auto value = std::bit_cast<float>(module_.constant_bits(layer));
    if (std::trunc(value) == value) return;
  }
  closed(draft, Gap::layer_rounding);
  if (is_clamped) return draft.access.set(Slot::layer, emit(Op::frint, {layer}));
  const Value rounded = emit(Op::ftou, {emit(Op::frint, {layer})});
  const Value last = emit(Op::iadd, {fact(draft, BindingFact::layers), word(0xffffffffu)});
  draft.access.set(Slot::layer, emit(Op::umin, {rounded, last}));
  draft.access.contract.layer_is_integer = true;
}

// An offset that is not a multiple of 4 is undefined in Direct3D; if it would fault, its low bits are
// cleared.
void TextureLegalizer::cut_byte_offset(AccessDraft& draft, Slot slot) {
  const Value offset = draft.access.get(slot);
  if (rewrite_.values && rewrite_.values->is_multiple(offset, 2)) return;
  if (module_.is_constant(offset)) return draft.access.set(slot, word(module_.constant_bits(offset) & ~3u));
  closed(draft, Gap::alignment);
  draft.access.set(slot, emit(Op::and_, {offset, word(~3u)}));
}

/// Is one guard enough for all words of a structure, because they are at a known offset in it?
bool TextureLegalizer::stays_together(const AccessDraft& draft) const {
  const ResourceAccess& access = draft.access.contract;
  if (!table_.wide_buffers || draft.instruction->op == Op::buf_atomic) return false;
  const Value offset = draft.access.get(Slot::byte_offset);
  const uint32_t stride = module_.resources[access.resource].stride;
  if (access.dimension != Dimension::structured_buffer || !module_.is_constant(offset)) return false;
  const uint64_t end = uint64_t{module_.constant_bits(offset)} + 4u * std::bit_width(access.component_mask);
  return end <= stride && stride % 8 == 0;
}

/// Loads each unit of 8 or 16 bytes that contains requested words as a whole: neighboring loads share it,
/// and the target uses the words that it needs.
void TextureLegalizer::load_units(AccessDraft& draft) {
  const ResourceAccess& contract = draft.access.contract;
  const uint32_t unit = module_.resources[contract.resource].stride % 16 == 0 ? 16 : 8;
  const uint32_t base = module_.constant_bits(draft.access.get(Slot::byte_offset));
  std::array<Value, 5> results = {word(0), word(0), word(0), word(0), word(kAllMapped)};
  uint32_t loaded = 0xffffffffu;
  Value first = kNoValue;
  for (uint32_t i = 0; i < 4; ++i) {
    if (((contract.component_mask >> i) & 1) == 0) continue;
    const uint32_t at = base + 4 * i, start = at - at % unit;
    if (start != loaded) {
      AccessBuilder whole = draft.access;
      whole.set(Slot::byte_offset, word(start));
      whole.set(Slot::guard, draft.guard);
      whole.contract.component_mask = unit == 16 ? 0xf : 0x3;
      first = whole.emit(builder_, Op::buf_load);
      loaded = start;
      if (contract.feedback) results[4] = emit(Op::or_, {results[4], first + 4});
    }
    results[i] = first + (at - start) / 4;
  }
  replace_results(*draft.instruction, results);
}

/// Replaces an index whose structure does not end within 2^32 bytes by the greatest whose structure does.
/// That one is out of range, too: a buffer has at most 2^31 bytes
/// (D3D11_REQ_RESOURCE_SIZE_IN_MEGABYTES_EXPRESSION_C_TERM).
void TextureLegalizer::limit_structure(AccessDraft& draft) {
  const uint32_t stride = module_.resources[draft.access.contract.resource].stride;
  if (stride == 0) return;
  const auto greatest = static_cast<uint32_t>((uint64_t{1} << 32) / stride - 1);
  const Value index = draft.access.get(Slot::coordinate0);
  if (rewrite_.values->greatest(index) <= greatest) return;
  closed(draft, Gap::structure_range);
  draft.access.set(Slot::coordinate0, emit(Op::umin, {index, word(greatest)}));
}

// Raw and structured buffers (docs/reference/direct3d.md 1.3). Raw buffers are checked word by word, so each
// word becomes a separate access. Structured buffers are checked by index; a byte offset past the stride
// (undefined in Direct3D) reads 0 and writes nothing.
void TextureLegalizer::legalize_buffer(AccessDraft& draft) {
  const Op op = draft.instruction->op;
  AccessBuilder& access = draft.access;
  const Slot address =
      access.contract.dimension == Dimension::raw_buffer ? Slot::coordinate0 : Slot::byte_offset;
  const bool raw = access.contract.dimension == Dimension::raw_buffer;
  if (!draft.promises(kByteOffset)) cut_byte_offset(draft, address);
  if (draft.promises(kCoordinateRange) && !raw && table_.structures_wrap) limit_structure(draft);
  if (draft.promises(kCoordinateRange) && draft.promises(kUnbound)) return finish(draft);
  if (!draft.promises(kUnbound)) guard_bound(draft);
  closed(draft, Gap::coordinate_range);
  Value bytes = kNoValue;
  if (raw) {
    bytes = fact(draft, BindingFact::bytes);
  } else {
    add_guard(draft, emit(Op::ult, {access.get(Slot::coordinate0), fact(draft, BindingFact::width)}));
    if (stays_together(draft)) return op == Op::buf_load ? load_units(draft) : finish(draft);
  }
  const Value base = access.get(address);
  const Value limit = raw ? bytes : word(module_.resources[access.contract.resource].stride);
  // If the first word is out of range, all are: base + 4 * i must not wrap back into the buffer.
  add_guard(draft, emit(Op::ult, {base, limit}));
  const Value shared_guard = draft.guard;
  const uint8_t words = op == Op::buf_atomic ? uint8_t{1} : access.contract.component_mask;
  const Results values = {access.get(Slot::value0), access.get(Slot::value0 + 1),
                          access.get(Slot::value0 + 2), access.get(Slot::value0 + 3)};
  std::array<Value, 5> results = {word(0), word(0), word(0), word(0), word(kAllMapped)};
  for (uint32_t i = 0; i < 4; ++i) {
    if (((words >> i) & 1) == 0) continue;
    AccessBuilder one = access;
    Value guard = shared_guard;
    Value at = base;
    if (i != 0) {
      at = emit(Op::iadd, {base, word(4 * i)});
      guard = both(shared_guard, emit(Op::ult, {at, limit}));
    }
    one.set(address, at);
    one.set(Slot::guard, guard);
    one.contract.component_mask = 1;
    if (op == Op::buf_store) {
      for (uint32_t v = 0; v < 4; ++v) one.clear(Slot::value0 + v);
      one.set(Slot::value0, values[i]);
    }
    results[i] = one.emit(builder_, op);
    if (access.contract.feedback) results[4] = emit(Op::or_, {results[4], results[i] + 4});
  }
  if (op != Op::buf_store) replace_results(*draft.instruction, results);
}

}  // namespace texlate::ir
