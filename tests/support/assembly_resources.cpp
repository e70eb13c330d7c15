// Textures, buffers and atomics of the assembly machine: D3D11.3 functional specification 5.2, 7.18, 22.4.
#include <algorithm>
#include <bit>
#include <cmath>

#include "tests/support/assembly_machine.h"

namespace texlate::test {

using sm4::Instruction;
using sm4::Opcode;
using sm4::Operand;
using sm4::OperandShape;
using sm4::RegisterFile;
using sm4::ResourceDimension;

namespace {

Word of_float(float value) {
  return exact(std::bit_cast<uint32_t>(value));
}

/// The operand with that shape; the number of operands if there is none.
uint32_t find_shape(Opcode opcode, std::initializer_list<OperandShape> shapes) {
  const sm4::OpcodeInfo& info = sm4::info(opcode);
  for (uint32_t i = 0; i < info.operand_count; ++i) {
    if (std::find(shapes.begin(), shapes.end(), info.shapes[i]) != shapes.end()) return i;
  }
  return info.operand_count;
}

struct Axes {
  uint32_t coordinates;  // that are filtered, or are texels
  bool array;            // a slice follows them
};
Axes axes_of(ResourceDimension dimension) {
  switch (dimension) {
    case ResourceDimension::texture1d: return {1, false};
    case ResourceDimension::texture1darray: return {1, true};
    case ResourceDimension::texture2d:
    case ResourceDimension::texture2dms: return {2, false};
    case ResourceDimension::texture2darray:
    case ResourceDimension::texture2dmsarray: return {2, true};
    case ResourceDimension::texture3d: return {3, false};
    default: return {1, false};
  }
}

/// 7.18.9: the texel on an axis, or -1 for the border.
int64_t addressed(Address mode, int64_t texel, int64_t size) {
  switch (mode) {
    case Address::wrap: return ((texel % size) + size) % size;
    case Address::mirror: {
      if (texel < 0) texel = -texel - 1;
      const bool odd = (texel / size) % 2 != 0;
      texel %= size;
      return odd ? size - 1 - texel : texel;
    }
    case Address::clamp: return std::clamp<int64_t>(texel, 0, size - 1);
    case Address::mirror_once: return std::min<int64_t>(texel < 0 ? -texel - 1 : texel, size - 1);
    case Address::border: return texel >= 0 && texel < size ? texel : -1;
  }
  return -1;
}

bool compares(uint32_t function, float reference, float texel) {
  switch (function) {
    case 1: return false;
    case 2: return reference < texel;
    case 3: return reference == texel;
    case 4: return reference <= texel;
    case 5: return reference > texel;
    case 6: return reference != texel;
    case 7: return reference >= texel;
    default: return true;
  }
}

/// One axis of a footprint: the texel at or below, and the weight of the next texel in 1/256.
struct Tap {
  int64_t texel = 0;
  uint32_t weight = 0;
  bool known = false;
};
/// 7.18.7, 7.18.8: conversion of coordinates to texels. Devices may round to 1/256 of a texel in any way; a
/// result is known if it does not depend on it.
Tap tap_of(const Word& coordinate, uint32_t size, bool linear) {
  if (coordinate.known != Known::exact) return {};
  const double u = std::bit_cast<float>(coordinate.bits);
  if (!std::isfinite(u) || std::fabs(u) > 64) return {};
  const double scaled = (u * size - (linear ? 0.5 : 0.0)) * 256;
  const double whole = std::floor(scaled);
  const auto fixed = static_cast<int64_t>(whole);
  if (linear) return {fixed >> 8, static_cast<uint32_t>(fixed & 255), scaled == whole};
  const int64_t fraction = fixed & 255;  // a point within 1/256 of an edge may snap to the neighbor
  return {fixed >> 8, 0, fraction >= 1 && fraction < 255};
}

}  // namespace

bool AssemblyMachine::resource(Lane& lane, const Instruction& instruction) {
  switch (instruction.opcode) {
    case Opcode::ld:
    case Opcode::ldms: fetch(lane, instruction); return true;
    case Opcode::sample:
    case Opcode::sample_b:
    case Opcode::sample_d:
    case Opcode::sample_l:
    case Opcode::sample_c:
    case Opcode::sample_c_lz:
    case Opcode::gather4:
    case Opcode::gather4_c:
    case Opcode::gather4_po:
    case Opcode::gather4_po_c: sample(lane, instruction); return true;
    case Opcode::resinfo:
    case Opcode::bufinfo:
    case Opcode::sampleinfo: information(lane, instruction); return true;
    case Opcode::ld_raw:
    case Opcode::ld_structured: load_words(lane, instruction); return true;
    case Opcode::store_raw:
    case Opcode::store_structured: store_words(lane, instruction); return true;
    case Opcode::ld_uav_typed:
    case Opcode::store_uav_typed: typed_view(lane, instruction); return true;
    case Opcode::imm_atomic_alloc:
    case Opcode::imm_atomic_consume: count(lane, instruction); return true;
    default:
      if (!sm4::info(instruction.opcode).has(sm4::kAtomic)) return false;
      atomic(lane, instruction);
      return true;
  }
}

/// The resource's swizzle permutes the result (22.4).
void AssemblyMachine::write_result(Lane& lane, const Instruction& instruction, uint32_t view,
                                   const Vector& value) {
  const Operand& from = operand(instruction, view);
  Vector out;
  for (uint32_t c = 0; c < 4; ++c) out[c] = value[from.source_component(c)];
  if (instruction.saturate()) {
    for (Word& word : out) word = Word::open();
  }
  write(lane, instruction, 0, out);
}

/// 22.4.6 (ld), 22.4.7 (ld2dms): unsigned texels, an offset that wraps, zero outside.
void AssemblyMachine::fetch(Lane& lane, const Instruction& instruction) {
  const uint32_t view = find_shape(instruction.opcode, {OperandShape::resource});
  const Vector address = source(lane, instruction, view - 1);
  const uint32_t slot = operand(instruction, view).index[0].immediate;
  const Vector zero{exact(0), exact(0), exact(0), exact(0)};
  if (const auto buffer = bindings_.buffers.find(slot); buffer != bindings_.buffers.end()) {
    const auto& words = buffer->second.words;
    Vector value = zero;
    for (uint32_t c = 0; c < 4; ++c) {
      const uint64_t at = uint64_t{address[0].bits} * 4 + c;
      value[c] = address[0].known != Known::exact ? Word::open() : exact(at < words.size() ? words[at] : 0);
    }
    return write_result(lane, instruction, view, value);
  }
  const TextureData& texture = bindings_.textures.at(slot);
  const Axes axes = axes_of(texture.dimension);
  const bool multisampled = texture.samples > 1;
  const Word& mip = address[3];
  const Word sample = multisampled ? source(lane, instruction, view + 1, 0) : exact(0);
  bool known = (multisampled || mip.known == Known::exact) && sample.known == Known::exact &&
               sample.bits < texture.samples;
  bool inside = multisampled || mip.bits < texture.mips;
  const auto extent = texture.size(inside && !multisampled ? mip.bits : 0);
  std::array<uint32_t, 3> at{};
  for (uint32_t a = 0; a < axes.coordinates; ++a) {
    known &= address[a].known == Known::exact;
    at[a] = address[a].bits +
            (instruction.has_offset ? static_cast<uint32_t>(int32_t{instruction.offset[a]}) : 0);
    inside &= at[a] < extent[a];
  }
  if (axes.array) {
    known &= address[axes.coordinates].known == Known::exact;
    at[2] = address[axes.coordinates].bits;
    inside &= at[2] < texture.depth;
  }
  Vector value = zero;
  if (known && inside) {
    const auto& texel = texture.at(multisampled ? 0 : mip.bits, at[0], at[1], at[2], sample.bits);
    for (uint32_t c = 0; c < 4; ++c) value[c] = exact(texel[c]);
  }
  if (!known) value.fill(Word::open());
  write_result(lane, instruction, view, value);
}

/// 7.18, 22.4.15 and following, with the level that the sampler fixes.
void AssemblyMachine::sample(Lane& lane, const Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const uint32_t view = find_shape(opcode, {OperandShape::resource});
  const uint32_t sampler_at = find_shape(opcode, {OperandShape::sampler});
  const TextureData& texture = bindings_.textures.at(operand(instruction, view).index[0].immediate);
  const SamplerData& sampler = bindings_.samplers.at(operand(instruction, sampler_at).index[0].immediate);
  const bool gathers = opcode == Opcode::gather4 || opcode == Opcode::gather4_c ||
                       opcode == Opcode::gather4_po || opcode == Opcode::gather4_po_c;
  const bool programmed = opcode == Opcode::gather4_po || opcode == Opcode::gather4_po_c;
  const bool compared = sm4::info(opcode).has(sm4::kCompare);
  const Vector address = source(lane, instruction, 1);
  const Word reference = compared ? source(lane, instruction, sampler_at + 1, 0) : exact(0);
  const Axes axes = axes_of(texture.dimension);
  const uint32_t mip = gathers ? 0 : std::min(sampler.mip, texture.mips - 1);
  const auto extent = texture.size(mip);
  const bool linear = sampler.linear || gathers;

  bool known = reference.known == Known::exact;
  std::array<Tap, 3> taps{};
  for (uint32_t a = 0; a < axes.coordinates; ++a) {
    taps[a] = tap_of(address[a], extent[a], linear);
    // A gather uses the footprint, not the weights: near its edges devices differ.
    if (gathers) taps[a].known = address[a].known == Known::exact && taps[a].weight - 1u < 253;
    int64_t offset = instruction.has_offset ? instruction.offset[a] : 0;
    if (programmed) {  // the low six bits, signed (22.4.4)
      const Word by = source(lane, instruction, 2, a);
      known &= by.known == Known::exact;
      offset = static_cast<int32_t>(by.bits << 26) >> 26;
    }
    taps[a].texel += offset;
    known &= taps[a].known;
  }
  uint32_t slice = 0;
  if (axes.array) {  // rounded to nearest even, then clamped (22.4.15)
    const Word& layer = address[axes.coordinates];
    const float rounded = std::nearbyint(std::bit_cast<float>(layer.bits));
    known &= layer.known == Known::exact && !std::isnan(rounded);
    slice = static_cast<uint32_t>(std::clamp(rounded, 0.0f, static_cast<float>(texture.depth - 1)));
  }
  Vector value;
  value.fill(Word::open());
  if (!known) return write_result(lane, instruction, view, value);

  const auto texel = [&](std::array<int64_t, 3> place) {
    std::array<float, 4> out = sampler.border;
    std::array<uint32_t, 3> at{0, 0, slice};
    for (uint32_t a = 0; a < axes.coordinates; ++a) {
      const int64_t inside = addressed(sampler.address[a], place[a], extent[a]);
      if (inside < 0) return out;
      at[a] = static_cast<uint32_t>(inside);
    }
    for (uint32_t c = 0; c < 4; ++c) out[c] = std::bit_cast<float>(texture.at(mip, at[0], at[1], at[2])[c]);
    return out;
  };
  const auto held = [&](float red) {
    return compares(sampler.comparison, std::bit_cast<float>(reference.bits), red) ? 1.0f : 0.0f;
  };
  if (gathers) {
    // (-,+), (+,+), (+,-), (-,-): counter-clockwise from the lower left (22.4.2).
    constexpr std::array<std::array<int64_t, 2>, 4> kOrder = {{{0, 1}, {1, 1}, {1, 0}, {0, 0}}};
    const Operand& channel = operand(instruction, sampler_at);
    const uint32_t component = compared ? 0 : channel.source_component(0);
    for (uint32_t i = 0; i < 4; ++i) {
      const auto corner = texel({taps[0].texel + kOrder[i][0], taps[1].texel + kOrder[i][1], 0});
      value[i] = of_float(compared ? held(corner[0]) : corner[component]);
    }
    return write_result(lane, instruction, view, value);
  }
  std::array<double, 4> sum{};
  const uint32_t corners = linear ? 1u << axes.coordinates : 1;
  for (uint32_t corner = 0; corner < corners; ++corner) {
    std::array<int64_t, 3> place{};
    double weight = 1;
    for (uint32_t a = 0; a < axes.coordinates; ++a) {
      const bool next = (corner >> a & 1) != 0;
      place[a] = taps[a].texel + (next ? 1 : 0);
      if (linear) weight *= (next ? taps[a].weight : 256 - taps[a].weight) / 256.0;
    }
    if (weight == 0) continue;
    const auto out = texel(place);
    for (uint32_t c = 0; c < 4; ++c) sum[c] += weight * (compared ? held(out[0]) : out[c]);
  }
  for (uint32_t c = 0; c < 4; ++c) {
    const auto narrow = static_cast<float>(sum[c]);
    // Small multiples of small fractions are exact in any order of summation.
    value[c] = narrow == sum[c]
                   ? of_float(narrow)
                   : Word{std::bit_cast<uint32_t>(narrow), Known::close, std::fabs(narrow) * 0x1p-20f};
  }
  write_result(lane, instruction, view, value);
}

void AssemblyMachine::information(Lane& lane, const Instruction& instruction) {
  const Opcode opcode = instruction.opcode;
  const uint32_t view =
      find_shape(opcode, {OperandShape::resource_or_uav, OperandShape::resource_or_rasterizer});
  const Operand& from = operand(instruction, view);
  const uint32_t slot = from.index[0].immediate;
  const bool is_uav = from.file == RegisterFile::unordered_access_view;
  Vector value;
  value.fill(exact(0));
  if (opcode == Opcode::bufinfo) {  // raw buffer: bytes; structures; elements
    const auto& buffers = is_uav ? bindings_.uav_buffers : bindings_.buffers;
    const BufferData& buffer = buffers.at(slot);
    const bool raw = instruction.dimension == ResourceDimension::raw_buffer;
    value.fill(exact(static_cast<uint32_t>(raw ? buffer.words.size() * 4
                                               : buffer.words.size() / buffer.words_per_element)));
    return write_result(lane, instruction, view, value);
  }
  const TextureData& texture = is_uav ? bindings_.uav_textures.at(slot) : bindings_.textures.at(slot);
  if (opcode == Opcode::sampleinfo) {
    const uint32_t samples = texture.samples;
    value[0] = (instruction.controls & 1) != 0 ? exact(samples) : of_float(static_cast<float>(samples));
    return write_result(lane, instruction, view, value);
  }
  // resinfo: sizes of the mip, or 0 if it does not exist; the number of layers and the number of mips are
  // always given.
  const Word mip = source(lane, instruction, 1, 0);
  const Axes axes = axes_of(texture.dimension);
  const bool there = mip.bits < texture.mips;
  const auto extent = texture.size(there ? mip.bits : 0);
  const auto form = instruction.resinfo_return();
  for (uint32_t c = 0; c < 3; ++c) {
    const bool is_size = c < axes.coordinates;
    const bool is_layers = axes.array && c == axes.coordinates;
    if (!is_size && !is_layers) continue;
    const uint32_t number = !there ? 0 : is_layers ? texture.depth : extent[c];
    const auto real = static_cast<float>(number);
    if (form == sm4::ResinfoReturn::uint) {
      value[c] = exact(number);
    } else if (form == sm4::ResinfoReturn::rcp_float && is_size) {
      const float reciprocal = 1 / real;
      value[c] = {std::bit_cast<uint32_t>(reciprocal), there ? Known::close : Known::exact,
                  reciprocal * 0x1p-20f};
    } else {
      value[c] = of_float(real);
    }
  }
  value[3] =
      form == sm4::ResinfoReturn::uint ? exact(texture.mips) : of_float(static_cast<float>(texture.mips));
  if (mip.known != Known::exact) value.fill(Word::open());
  write_result(lane, instruction, view, value);
}

BufferData* AssemblyMachine::words_of(const Operand& view) {
  const uint32_t id = view.index[0].immediate;
  const auto find = [id](auto& map) -> BufferData* {
    const auto at = map.find(id);
    return at == map.end() ? nullptr : &at->second;
  };
  if (view.file == RegisterFile::thread_group_shared_memory) return find(shared_);
  return view.file == RegisterFile::resource ? find(bindings_.buffers) : find(bindings_.uav_buffers);
}

/// 22.4.10 (ld_raw), 22.4.12 (ld_structured): the swizzle selects from the four words at the offset.
void AssemblyMachine::load_words(Lane& lane, const Instruction& instruction) {
  const bool structured = instruction.opcode == Opcode::ld_structured;
  const uint32_t view = structured ? 3 : 2;
  const BufferData& buffer = *words_of(operand(instruction, view));
  const bool shared = operand(instruction, view).file == RegisterFile::thread_group_shared_memory;
  const Word first = source(lane, instruction, 1, 0);
  const Word second = structured ? source(lane, instruction, 2, 0) : exact(0);
  const Word& offset = structured ? second : first;
  Vector value;
  value.fill(Word::open());
  const bool known = first.known == Known::exact && second.known == Known::exact && offset.bits % 4 == 0;
  for (uint32_t c = 0; known && c < 4; ++c) {
    const uint64_t in_element = uint64_t{offset.bits} / 4 + c;
    const uint64_t stride = buffer.words_per_element;
    const bool past_structure = structured && in_element >= stride;
    const uint64_t at = structured ? uint64_t{first.bits} * stride + in_element : in_element;
    const bool inside = structured ? first.bits < buffer.words.size() / stride : at < buffer.words.size();
    if (past_structure) continue;  // undefined
    if (inside) value[c] = exact(buffer.words[at]);
    if (!inside && !shared) value[c] = exact(0);
  }
  write_result(lane, instruction, view, value);
}

void AssemblyMachine::store_words(Lane& lane, const Instruction& instruction) {
  const bool structured = instruction.opcode == Opcode::store_structured;
  const uint32_t from = structured ? 3 : 2;
  const Operand& to = operand(instruction, 0);
  BufferData& buffer = *words_of(to);
  const bool shared = to.file == RegisterFile::thread_group_shared_memory;
  const Word first = source(lane, instruction, 1, 0);
  const Word second = structured ? source(lane, instruction, 2, 0) : exact(0);
  const Word& offset = structured ? second : first;
  if (first.known != Known::exact || second.known != Known::exact || offset.bits % 4 != 0)
    return stop(Outcome::open);
  const auto components = static_cast<uint32_t>(std::popcount(to.write_mask()));
  for (uint32_t c = 0; c < components; ++c) {
    const Word word = source(lane, instruction, from, c);
    const uint64_t in_element = uint64_t{offset.bits} / 4 + c;
    const uint64_t stride = buffer.words_per_element;
    if (structured && in_element >= stride) return stop(Outcome::open);
    const uint64_t at = structured ? uint64_t{first.bits} * stride + in_element : in_element;
    const bool inside = structured ? first.bits < buffer.words.size() / stride : at < buffer.words.size();
    if (!inside && shared) return stop(Outcome::open);
    if (!inside) continue;
    if (word.known != Known::exact) return stop(Outcome::open);
    buffer.words[at] = word.bits;
  }
}

/// 22.4.8, 22.4.9: typed views of one or four words per element.
void AssemblyMachine::typed_view(Lane& lane, const Instruction& instruction) {
  const bool stores = instruction.opcode == Opcode::store_uav_typed;
  const uint32_t view = stores ? 0 : 2;
  const uint32_t slot = operand(instruction, view).index[0].immediate;
  const Vector address = source(lane, instruction, 1);
  Vector value;
  value.fill(exact(0));
  const auto move = [&](auto words, bool inside, uint32_t count) {
    if (stores) {
      for (uint32_t c = 0; c < count && inside; ++c) {
        const Word word = source(lane, instruction, 2, c);
        if (word.known != Known::exact) return stop(Outcome::open);
        words[c] = word.bits;
      }
      return;
    }
    for (uint32_t c = 0; c < count; ++c) value[c] = exact(inside ? words[c] : 0);
    if (count == 1) value[3] = exact(1);
    write_result(lane, instruction, view, value);
  };
  if (const auto buffer = bindings_.uav_buffers.find(slot); buffer != bindings_.uav_buffers.end()) {
    BufferData& data = buffer->second;
    if (address[0].known != Known::exact) return stop(Outcome::open);
    const uint32_t width = data.words_per_element;
    const bool inside = address[0].bits < data.words.size() / width;
    return move(data.words.data() + (inside ? size_t{address[0].bits} * width : 0), inside, width);
  }
  TextureData& texture = bindings_.uav_textures.at(slot);
  const Axes axes = axes_of(texture.dimension);
  const auto extent = texture.size(0);
  bool inside = true;
  std::array<uint32_t, 3> at{};
  const uint32_t last = axes.coordinates + (axes.array ? 1 : 0);
  for (uint32_t a = 0; a < last; ++a) {
    if (address[a].known != Known::exact) return stop(Outcome::open);
    const bool slice = axes.array && a == axes.coordinates;
    at[slice ? 2 : a] = address[a].bits;
    inside &= address[a].bits < (slice ? texture.depth : extent[a]);
  }
  if (!inside) at = {};
  move(texture.at(0, at[0], at[1], at[2]).data(), inside, texture.components);
}

/// The word that an atomic operates on; null if it is outside, and the operation is dropped.
uint32_t* AssemblyMachine::word_of(Lane& lane, const Instruction& instruction, uint32_t view,
                                   uint32_t address, bool& open) {
  const Operand& target = operand(instruction, view);
  BufferData* buffer = words_of(target);
  const Vector place = source(lane, instruction, address);
  open = place[0].known != Known::exact;
  if (open) return nullptr;
  if (buffer == nullptr) {
    TextureData& texture = bindings_.uav_textures.at(target.index[0].immediate);
    open = place[1].known != Known::exact;
    const bool inside = place[0].bits < texture.width && place[1].bits < texture.height;
    return !open && inside ? texture.at(0, place[0].bits, place[1].bits, 0).data() : nullptr;
  }
  const bool shared = target.file == RegisterFile::thread_group_shared_memory;
  bool structured = false;
  bool typed = false;
  for (const Instruction& dcl : program_.instructions) {
    if (dcl.operand_count == 0 || !sm4::info(dcl.opcode).has(sm4::kDeclaration)) continue;
    const Operand& declared = operand(dcl, 0);
    if (declared.file != target.file || declared.index[0].immediate != target.index[0].immediate) continue;
    structured = dcl.opcode == Opcode::dcl_uav_structured || dcl.opcode == Opcode::dcl_tgsm_structured;
    typed = dcl.opcode == Opcode::dcl_uav_typed;
  }
  uint64_t at = typed ? place[0].bits : place[0].bits / 4;
  bool inside = at < buffer->words.size();
  open = !typed && !structured && place[0].bits % 4 != 0;
  if (structured) {
    open = place[1].known != Known::exact || place[1].bits % 4 != 0 ||
           place[1].bits / 4 >= buffer->words_per_element;
    at = uint64_t{place[0].bits} * buffer->words_per_element + place[1].bits / 4;
    inside = place[0].bits < buffer->words.size() / buffer->words_per_element;
  }
  open |= shared && !inside;
  return !open && inside ? &buffer->words[at] : nullptr;
}

/// 22.17.
void AssemblyMachine::atomic(Lane& lane, const Instruction& instruction) {
  const uint32_t view = find_shape(instruction.opcode, {OperandShape::atomic_target});
  bool open = false;
  uint32_t* word = word_of(lane, instruction, view, view + 1, open);
  const uint32_t last = instruction.operand_count - 1u;
  const Word a = source(lane, instruction, view + 2, 0);
  const Word b = source(lane, instruction, last, 0);
  if (open || a.known != Known::exact || b.known != Known::exact) return stop(Outcome::open);
  const uint32_t before = word != nullptr ? *word : 0;
  uint32_t after = before;
  switch (instruction.opcode) {
    case Opcode::atomic_and:
    case Opcode::imm_atomic_and: after = before & a.bits; break;
    case Opcode::atomic_or:
    case Opcode::imm_atomic_or: after = before | a.bits; break;
    case Opcode::atomic_xor:
    case Opcode::imm_atomic_xor: after = before ^ a.bits; break;
    case Opcode::atomic_iadd:
    case Opcode::imm_atomic_iadd: after = before + a.bits; break;
    case Opcode::atomic_imax:
    case Opcode::imm_atomic_imax:
      after = static_cast<int32_t>(before) > static_cast<int32_t>(a.bits) ? before : a.bits;
      break;
    case Opcode::atomic_imin:
    case Opcode::imm_atomic_imin:
      after = static_cast<int32_t>(before) < static_cast<int32_t>(a.bits) ? before : a.bits;
      break;
    case Opcode::atomic_umax:
    case Opcode::imm_atomic_umax: after = std::max(before, a.bits); break;
    case Opcode::atomic_umin:
    case Opcode::imm_atomic_umin: after = std::min(before, a.bits); break;
    case Opcode::imm_atomic_exch: after = a.bits; break;
    case Opcode::atomic_cmp_store:
    case Opcode::imm_atomic_cmp_exch: after = before == a.bits ? b.bits : before; break;
    default: return stop(Outcome::unsupported);
  }
  if (word != nullptr) *word = after;
  if (view == 0) return;
  Vector value;  // outside the view, the returned value is undefined
  value.fill(word != nullptr ? exact(before) : Word::open());
  write(lane, instruction, 0, value);
}

/// 22.17.17, 22.17.18: the counter before, or after, the change.
void AssemblyMachine::count(Lane& lane, const Instruction& instruction) {
  BufferData& buffer = *words_of(operand(instruction, 1));
  Vector value;
  value.fill(exact(instruction.opcode == Opcode::imm_atomic_alloc ? buffer.counter++ : --buffer.counter));
  write(lane, instruction, 0, value);
}

}  // namespace texlate::test
