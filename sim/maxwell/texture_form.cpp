#include "sim/maxwell/texture_form.h"

#include <bit>

namespace texlate::sim::maxwell {

namespace {

// A short form. The values are in the order layer, s, t, r, level, offset, sample, reference; the first
// `in_a` of them are in Ra, the others in Rb.
struct ShortForm {
  uint8_t axes = 0;
  bool array = false, cube = false, multisampled = false, offset = false, compare = false;
  TextureLevel level = TextureLevel::zero;
  uint8_t in_a = 0;
};
constexpr auto kAuto = TextureLevel::automatic;
constexpr auto kZero = TextureLevel::zero;
constexpr auto kLevel = TextureLevel::level;

constexpr ShortForm kTexs[16] = {
    {1, false, false, false, false, false, kZero, 1},   // .LZ 1D
    {2, false, false, false, false, false, kAuto, 1},   // 2D
    {2, false, false, false, false, false, kZero, 1},   // .LZ 2D
    {2, false, false, false, false, false, kLevel, 2},  // .LL 2D
    {2, false, false, false, false, true, kAuto, 2},    // .DC 2D
    {2, false, false, false, false, true, kLevel, 2},   // .LL.DC 2D
    {2, false, false, false, false, true, kZero, 2},    // .LZ.DC 2D
    {2, true, false, false, false, false, kAuto, 2},    // ARRAY_2D
    {2, true, false, false, false, false, kZero, 2},    // .LZ ARRAY_2D
    {2, true, false, false, false, true, kZero, 2},     // .LZ.DC ARRAY_2D
    {3, false, false, false, false, false, kAuto, 2},   // 3D
    {3, false, false, false, false, false, kZero, 2},   // .LZ 3D
    {3, false, true, false, false, false, kAuto, 2},    // CUBE
    {3, false, true, false, false, false, kLevel, 2},   // .LL CUBE
    {},
    {},
};
constexpr ShortForm kTlds[16] = {
    {1, false, false, false, false, false, kZero, 1},   // .LZ 1D
    {1, false, false, false, false, false, kLevel, 1},  // .LL 1D
    {2, false, false, false, false, false, kZero, 1},   // .LZ 2D
    {},
    {2, false, false, false, true, false, kZero, 2},    // .LZ.AOFFI 2D
    {2, false, false, false, false, false, kLevel, 2},  // .LL 2D
    {2, false, false, true, false, false, kZero, 2},    // .LZ.MS 2D
    {3, false, false, false, false, false, kZero, 2},   // .LZ 3D
    {2, true, false, false, false, false, kZero, 1},    // .LZ ARRAY_2D
    {},
    {},
    {},
    {2, false, false, false, true, false, kLevel, 2},  // .LL.AOFFI 2D
    {},
    {},
    {},
};

// Takes the registers of one vector one after the other.
struct Taker {
  uint8_t next;
  uint8_t count = 0;
  uint8_t take() {
    ++count;
    return next == kZeroRegister ? kZeroRegister : next++;
  }
};

struct DimensionBits {
  uint8_t axes;
  bool array, cube;
};
constexpr DimensionBits kDimensions[8] = {{1, false, false}, {1, true, false},  {2, false, false},
                                          {2, true, false},  {3, false, false}, {0, false, false},
                                          {3, false, true},  {3, true, true}};

void set_dimension(const Instruction& i, TextureForm& form) {
  const DimensionBits& d = kDimensions[i.field(28, 3)];
  form.axes = d.axes;
  form.array = d.array;
  form.cube = d.cube;
  if (d.axes == 0) form.fault = "invalid value of the dimension field";
}

void set_level(uint32_t mode, TextureForm& form) {
  switch (mode) {
    case 0: form.level = TextureLevel::automatic; return;
    case 1: form.level = TextureLevel::zero; return;
    case 2: form.level = TextureLevel::bias; return;
    case 3: form.level = TextureLevel::level; return;
    default: form.fault = "the machine does not support .LBA and .LLA"; return;
  }
}

// TEX, TLD, TLD4, TMML: coordinates in Ra.
void take_coordinates(const Instruction& i, TextureForm& form) {
  Taker a{i.ra()};
  if (form.array) form.layer = a.take();
  for (int axis = 0; axis < form.axes; ++axis) form.coordinate[static_cast<size_t>(axis)] = a.take();
  form.a = {i.ra(), a.count};
}

void take_results(const Instruction& i, TextureForm& form) {
  form.mask = static_cast<uint8_t>(i.field(31, 4));
  const auto count = static_cast<uint8_t>(std::popcount(form.mask));
  form.d0 = {i.rd(), count};
  for (uint8_t k = 0; k < count && i.rd() != kZeroRegister; ++k)
    form.destination[k] = static_cast<uint8_t>(i.rd() + k);
  if (form.mask == 0) form.fault = "no component is requested";
}

TextureForm long_form(const Instruction& i) {
  TextureForm form;
  bool offset = false;
  set_dimension(i, form);
  take_results(i, form);
  switch (i.opcode) {
    case Opcode::tex:
      set_level(i.field(55, 3), form);
      offset = i.bit(54);
      form.compare = i.bit(50);
      if (i.bit(58)) form.fault = "the machine does not support .LC";
      break;
    case Opcode::tex_b:
      form.bindless = true;
      set_level(i.field(37, 3), form);
      offset = i.bit(36);
      form.compare = i.bit(50);
      if (i.bit(40)) form.fault = "the machine does not support .LC";
      break;
    case Opcode::tld:
    case Opcode::tld_b:
      form.bindless = i.opcode == Opcode::tld_b;
      form.integer = true;
      form.level = i.bit(55) ? TextureLevel::level : TextureLevel::zero;
      offset = i.bit(35);
      form.multisampled = i.bit(50);
      break;
    case Opcode::tld4:
    case Opcode::tld4_b: {
      form.bindless = i.opcode == Opcode::tld4_b;
      form.gather = true;
      form.level = TextureLevel::zero;
      form.component = static_cast<uint8_t>(i.field(form.bindless ? 38 : 56, 2));
      const uint32_t mode = i.field(form.bindless ? 36 : 54, 2);
      offset = mode == 1;
      form.per_texel_offsets = mode == 2;
      form.compare = i.bit(50);
      if (mode == 3) form.fault = "invalid value of the offset field";
      break;
    }
    default: form.bindless = i.opcode == Opcode::tmml_b; break;
  }
  if (i.opcode != Opcode::tld && i.opcode != Opcode::tld_b) form.non_divergent = i.bit(35);
  take_coordinates(i, form);
  Taker b{i.rb()};
  if (form.bindless) form.handle = b.take();
  if (form.level == TextureLevel::bias || form.level == TextureLevel::level) form.lod = b.take();
  if (offset) form.offset[0] = b.take();
  if (form.per_texel_offsets) form.offset = {b.take(), b.take()};
  if (form.multisampled) form.sample = b.take();
  if (form.compare) form.reference = b.take();
  form.b = {i.rb(), b.count};
  return form;
}

// Ra: [handle,] x [, y], then the layer with the offset above it; Rb: d/dx and d/dy of each axis in turn.
TextureForm gradient_form(const Instruction& i) {
  TextureForm form;
  set_dimension(i, form);
  if (form.axes > 2) form.fault = "TXD does not support 3D textures and cubes";
  take_results(i, form);
  form.level = TextureLevel::gradient;
  form.bindless = i.opcode == Opcode::txd_b;
  if (i.bit(50)) form.fault = "the machine does not support .LC";
  Taker a{i.ra()};
  if (form.bindless) form.handle = a.take();
  for (int axis = 0; axis < form.axes && axis < 3; ++axis)
    form.coordinate[static_cast<size_t>(axis)] = a.take();
  if (form.array || i.bit(35)) {
    const uint8_t word = a.take();
    if (form.array) form.layer = word;
    if (i.bit(35)) form.offset[0] = word;
    form.offset_shift = 16;
  }
  form.a = {i.ra(), a.count};
  form.gradients = i.rb();
  form.b = {i.rb(), static_cast<uint8_t>(2 * form.axes)};
  return form;
}

constexpr uint8_t kNarrowMasks[8] = {1, 2, 4, 8, 3, 9, 10, 12};
constexpr uint8_t kWideMasks[8] = {7, 11, 13, 14, 15, 0, 0, 0};

void take_short_results(const Instruction& i, TextureForm& form) {
  const auto rd1 = static_cast<uint8_t>(i.field(28, 8));
  if (i.opcode == Opcode::tld4s) {
    form.mask = 15;
  } else {
    form.mask = (rd1 == kZeroRegister ? kNarrowMasks : kWideMasks)[i.field(50, 3)];
  }
  if (form.mask == 0) form.fault = "the component mask is not one of the thirteen";
  const int count = std::popcount(form.mask);
  if (form.half) {  // two per register
    for (int k = 0; k < count; ++k) form.destination[static_cast<size_t>(k)] = k < 2 ? i.rd() : rd1;
    form.d0 = {i.rd(), 1};
    form.d1 = {rd1, static_cast<uint8_t>(count > 2 ? 1 : 0)};
    return;
  }
  const int first = count < 2 ? count : 2;
  for (int k = 0; k < count; ++k) {
    const uint8_t base = k < 2 ? i.rd() : rd1;
    if (base != kZeroRegister) form.destination[static_cast<size_t>(k)] = static_cast<uint8_t>(base + k % 2);
  }
  form.d0 = {i.rd(), static_cast<uint8_t>(first)};
  form.d1 = {rd1, static_cast<uint8_t>(count - first)};
}

TextureForm short_form(const Instruction& i) {
  TextureForm form;
  ShortForm shape;
  if (i.opcode == Opcode::tld4s) {
    shape = {2, false, false, false, i.bit(51), i.bit(50), kZero, 1};
    if (shape.offset || shape.compare) shape.in_a = 2;
    form.gather = true;
    form.component = static_cast<uint8_t>(i.field(52, 2));
    form.half = i.bit(55);
  } else {
    shape = (i.opcode == Opcode::texs ? kTexs : kTlds)[i.field(53, 4)];
    form.integer = i.opcode == Opcode::tlds;
    form.half = !i.bit(59);
  }
  if (shape.axes == 0) {
    form.fault = "invalid value of the form field";
    return form;
  }
  form.axes = shape.axes;
  form.array = shape.array;
  form.cube = shape.cube;
  form.multisampled = shape.multisampled;
  form.level = shape.level;
  form.compare = shape.compare;
  take_short_results(i, form);
  std::array<uint8_t*, 8> values{};
  size_t count = 0;
  if (shape.array) values[count++] = &form.layer;
  for (size_t axis = 0; axis < shape.axes; ++axis) values[count++] = &form.coordinate[axis];
  if (shape.level == kLevel) values[count++] = &form.lod;
  if (shape.offset) values[count++] = form.offset.data();
  if (shape.multisampled) values[count++] = &form.sample;
  if (shape.compare) values[count++] = &form.reference;
  Taker a{i.ra()}, b{i.rb()};
  for (size_t v = 0; v < count; ++v) *values[v] = v < shape.in_a ? a.take() : b.take();
  form.a = {i.ra(), a.count};
  form.b = {i.rb(), b.count};
  return form;
}

}  // namespace

TextureForm texture_form(const Instruction& i) {
  switch (i.opcode) {
    case Opcode::texs:
    case Opcode::tlds:
    case Opcode::tld4s: return short_form(i);
    case Opcode::txd:
    case Opcode::txd_b: return gradient_form(i);
    default: return long_form(i);
  }
}

}  // namespace texlate::sim::maxwell
