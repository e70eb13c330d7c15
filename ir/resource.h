// Resources of a module, and the Direct3D contract that every access to one carries.
#pragma once

#include <bit>
#include <cstdint>

namespace texlate::ir {

enum class Dimension : uint8_t {
  buffer,
  texture1d,
  texture1d_array,
  texture2d,
  texture2d_array,
  texture2d_ms,
  texture2d_ms_array,
  texture3d,
  texture_cube,
  texture_cube_array,
  raw_buffer,
  structured_buffer,
};
inline constexpr uint32_t kDimensionCount = 12;

/// Axes that are addressed in texels or normalized: 1, 2 or 3. Cubes: 3 (a direction). Buffers: 1.
constexpr uint32_t coordinate_count(Dimension dimension) {
  switch (dimension) {
    case Dimension::texture2d:
    case Dimension::texture2d_array:
    case Dimension::texture2d_ms:
    case Dimension::texture2d_ms_array: return 2;
    case Dimension::texture3d:
    case Dimension::texture_cube:
    case Dimension::texture_cube_array: return 3;
    default: return 1;
  }
}
constexpr bool is_array(Dimension dimension) {
  return dimension == Dimension::texture1d_array || dimension == Dimension::texture2d_array ||
         dimension == Dimension::texture2d_ms_array || dimension == Dimension::texture_cube_array;
}
constexpr bool is_multisampled(Dimension dimension) {
  return dimension == Dimension::texture2d_ms || dimension == Dimension::texture2d_ms_array;
}
constexpr bool is_cube(Dimension dimension) {
  return dimension == Dimension::texture_cube || dimension == Dimension::texture_cube_array;
}
/// Memory of words: raw and structured buffers.
constexpr bool is_untyped(Dimension dimension) {
  return dimension == Dimension::raw_buffer || dimension == Dimension::structured_buffer;
}
constexpr bool is_buffer(Dimension dimension) {
  return dimension == Dimension::buffer || dimension == Dimension::raw_buffer ||
         dimension == Dimension::structured_buffer;
}
/// Axes that an offset moves (D3D11.3 22.4.6): never the array axis, never a cube's or a buffer's.
constexpr uint32_t offset_count(Dimension dimension) {
  return is_cube(dimension) || is_buffer(dimension) ? 0 : coordinate_count(dimension);
}

/// The declared return type: how the four results are interpreted.
enum class ComponentType : uint8_t { none, unorm, snorm, sint, uint, float_, mixed, double_ };

struct Resource {
  uint32_t id = 0;           // the number in the source's t# or u#
  uint32_t lower_bound = 0;  // first register; equals id before 5.1
  uint32_t upper_bound = 0;  // last register; 0xffffffff: unbounded
  uint32_t space = 0;
  Dimension dimension = Dimension::texture2d;
  bool is_uav = false;
  bool is_constant_buffer = false;  // after lower_addresses: rows are structures of 16 bytes
  bool globally_coherent = false;
  bool rasterizer_ordered = false;
  bool has_counter = false;      // some access counts
  bool ordered_counter = false;  // _opc
  uint8_t sample_count = 0;      // declared; 0: not known
  ComponentType component_types[4] = {};
  uint32_t stride = 0;  // bytes of a structure; of a stored texel, after pack_texels

  /// 5.1: a range of registers, addressed by an index. Otherwise one register.
  bool is_range() const { return upper_bound != lower_bound; }
};

struct Sampler {
  uint32_t id = 0, lower_bound = 0, upper_bound = 0, space = 0;
  bool comparison = false;
  bool is_range() const { return upper_bound != lower_bound; }
};

struct ConstantBuffer {
  uint32_t id = 0, lower_bound = 0, upper_bound = 0, space = 0;
  uint32_t rows = 0;  // declared size in vec4; 0: not known
  bool dynamically_indexed = false;
  bool is_range() const { return upper_bound != lower_bound; }
};

enum class LodRule : uint8_t {
  none,      // the operation has no level (gather, multisample, buffers, surfaces)
  implicit,  // from derivatives of the coordinates over the quad
  bias,      // implicit plus the operand `lod`
  level,     // the operand `lod`: unsigned integer for tex.fetch, float for tex.sample
  zero,      // level 0 (sample_c_lz)
  gradient,  // operands ddx, ddy
};

enum class AtomicOp : uint8_t { add, and_, or_, xor_, imin, imax, umin, umax, exchange, compare_exchange };

enum class CounterOp : uint8_t { alloc, consume };

/// Operands of an access, in their order. An access has those whose bit is set in `slots`.
enum class Slot : uint8_t {
  guard,  // b1: false gives fallback0..3 (0 where absent) instead of the access; stores and atomics do
          // nothing
  fallback0,
  fallback1,
  fallback2,
  fallback3,
  address,      // b64: of the first word or texel; instead of coordinates and a resource index
  coordinate0,  // texels (fetch, surfaces), normalized (sample, gather), element, byte offset or structure
                // index
  coordinate1,
  coordinate2,
  layer,   // array slice or cube: float for sample and gather until legalized, unsigned integer for others
  sample,  // sample index
  byte_offset,  // structured: offset in the structure; with an address: a constant that is added to it
  lod,          // level or bias, see LodRule
  ddx0,
  ddx1,
  ddx2,
  ddy0,
  ddy1,
  ddy2,
  offset0,
  offset1,         // run-time offset (gather4_po): low 6 bits, signed
  reference,       // comparison reference
  lod_clamp,       // floor of the computed level (`_cl`)
  resource_index,  // register within a 5.1 range, relative to its lower bound
  sampler_index,
  value0,
  value1,
  value2,
  value3,   // stored values; atomics: value0
  compare,  // compare_exchange
};
inline constexpr uint32_t kSlotCount = 30;
constexpr Slot operator+(Slot slot, uint32_t n) {
  return static_cast<Slot>(static_cast<uint32_t>(slot) + n);
}

/// Residency statuses of accesses with feedback. Shaders join those of several accesses by `or`: so does the
/// HLSL compiler, for structures (D3D11.3 5.9.4.6).
inline constexpr uint32_t kAllMapped = 0, kNotAllMapped = 0xffffffff;

/// The contract of one resource access. These fields and the operation determine what Direct3D promises for
/// it; `legalize_texture` decides what remains to be done on a target (D3D11.3 22.4;
/// docs/reference/direct3d.md 1).
struct ResourceAccess {
  uint32_t slots = 0;             // bit Slot: the operand is present
  uint16_t resource = 0;          // index into Module::resources
  uint16_t sampler = kNoSampler;  // index into Module::samplers
  Dimension dimension = Dimension::texture2d;
  LodRule lod = LodRule::none;
  ComponentType type = ComponentType::float_;
  int8_t offset[3] = {0, 0, 0};  // immediate offset in texels, -8..7; only if has_offset
  bool has_offset = false;
  bool compare = false;
  bool feedback = false;          // one more result: the residency status, kAllMapped or kNotAllMapped
  bool layer_is_integer = false;  // set by legalization: `layer` is an unsigned integer in range
  bool non_uniform = false;       // the resource or sampler index differs between lanes
  uint8_t gather_component = 0;   // 0..3
  uint8_t component_mask = 0xf;   // stores: components (words) written
  uint8_t alignment = 0;          // only with an address: a certain divisor of it, in bytes
  AtomicOp atomic = AtomicOp::add;
  CounterOp counter = CounterOp::alloc;

  static constexpr uint16_t kNoSampler = 0xffff;

  constexpr bool has(Slot slot) const { return (slots >> static_cast<uint32_t>(slot)) & 1u; }
  /// Position of a slot's operand among the instruction's operands.
  constexpr uint32_t position(Slot slot) const {
    return static_cast<uint32_t>(std::popcount(slots & ((1u << static_cast<uint32_t>(slot)) - 1u)));
  }
  constexpr uint32_t operand_count() const { return static_cast<uint32_t>(std::popcount(slots)); }
  bool operator==(const ResourceAccess&) const = default;
};

/// A fact of a bound texture or buffer. Facts of samplers are those of a (resource, sampler) pair's sampler.
enum class BindingFact : uint8_t {
  bound,  // b1 by op `bound`, the address itself by op `address`
  width,
  height,
  depth,   // texels of mip 0; buffers: width is the number of elements
  layers,  // array slices; cube arrays: number of cubes; 1 for others
  levels,  // mips of the view; 0 when unbound
  samples,
  bytes,  // raw and structured buffers: size in bytes
  keep0,
  keep1,
  keep2,
  keep3,            // 0xffffffff: the format has the component; 0: it lacks it
  missing_alpha,    // alpha of the out-of-range value: 0 where the format has alpha, else 1.0f or 1 (red,
                    // green, blue: always 0)
  reference_scale,  // float: 2^n-1 of an n-bit UNORM format, to which a comparison reference is quantised;
                    // -1: an SNORM format; 0: another format
  row_pitch,
  slice_pitch,  // bytes; typed UAVs in linear memory
  counter,      // as `bound`: of a structured view's counter
  // Sampler state, for what a target must do in code, in the order of launch::sampler_record
  compare_function,  // 1 never .. 8 always (D3D11_COMPARISON_FUNC)
  linear_filter,     // minification and magnification: 0 both point, 1 both linear, 2 point and linear,
                     // 3 linear and point
  linear_mip,        // 1: blends two mips, 0: nearest
  address_u,
  address_v,
  address_w,  // 1 wrap, 2 mirror, 3 clamp, 4 border, 5 mirror once
  border_red,
  border_green,
  border_blue,
  border_alpha,  // BorderColor, bits
  min_lod,
  max_lod,
  lod_bias,        // floats
  max_anisotropy,  // 1..16; 1 (or 0) if the filter is not anisotropic
};

/// Payload of ops `binding` and `bound`: resource (or sampler) index in the low 16 bits, fact above.
struct BindingQuery {
  uint16_t resource = 0;
  BindingFact fact = BindingFact::bound;

  constexpr bool is_sampler_fact() const { return fact >= BindingFact::compare_function; }
  /// Is it for ops `bound` and `address`, not for `binding`?
  constexpr bool is_address() const { return fact == BindingFact::bound || fact == BindingFact::counter; }
  constexpr uint32_t pack() const { return resource | (static_cast<uint32_t>(fact) << 16); }
  static constexpr BindingQuery unpack(uint32_t payload) {
    return {static_cast<uint16_t>(payload & 0xffff), static_cast<BindingFact>(payload >> 16)};
  }
};

}  // namespace texlate::ir
