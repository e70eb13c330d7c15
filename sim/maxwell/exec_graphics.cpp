// IPA, ALD, AST, PIXLD: attributes of vertices and pixels (Machine::set_attributes).
#include <bit>

#include "sim/maxwell/float_rules.h"
#include "sim/maxwell/primitive_stage.h"
#include "sim/maxwell/warp.h"
#include "sim/texture_unit/query.h"

namespace texlate::sim::maxwell {

namespace {

constexpr uint32_t kPositionZ = 0x78;
constexpr uint32_t kPositionW = 0x7c;   // of a pixel: 1/w
constexpr uint32_t kFrontFace = 0x3fc;  // of a pixel: no header lists it
constexpr uint32_t kCoverageMask = 1, kSampleNumber = 5;

const uint32_t* attribute(Warp& w, const Instruction& i, int lane, uint32_t address) {
  const Attributes& attributes = w.machine().attributes();
  const std::span<const uint32_t> words = attributes.inputs;
  if (attributes.has_header && address != kFrontFace && address / 4 < kAttributeWords &&
      !attributes.readable[address / 4]) {
    w.fault(FaultKind::bad_operand, i, lane, "an attribute that the header does not list as read");
  }
  const size_t at = size_t{w.element_of(lane)} * kAttributeWords + address / 4;
  if (address / 4 < kAttributeWords && at < words.size()) return &words[at];
  w.fault(FaultKind::out_of_range, i, lane, "an attribute that the thread does not have");
  return nullptr;
}

/// Is the vector from `address` on aligned? Two words need 8 bytes, three and four 16.
bool is_aligned(Warp& w, const Instruction& i, int lane, uint32_t address, uint32_t count) {
  const uint32_t alignment = count == 1 ? 4 : count == 2 ? 8 : 16;
  if (address % alignment == 0) return true;
  w.fault(FaultKind::misaligned, i, lane, "the attribute's address is not a multiple of the vector's size");
  return false;
}

/// The pixel's coverage; one sample unless the launch gives it.
uint32_t coverage_of(Warp& w, int lane) {
  const std::span<const uint32_t> given = w.machine().attributes().coverage;
  const uint32_t element = w.element_of(lane);
  return element < given.size() ? given[element] : w.is_helper(lane) ? 0 : 1;
}

/// Of an attribute that the thread has: at the first covered sample of a pixel that is partly covered.
float at_centroid(Warp& w, int lane, uint32_t address) {
  const Attributes& attributes = w.machine().attributes();
  const uint32_t element = w.element_of(lane);
  const auto value = [&](uint32_t e) {
    return as_float(attributes.inputs[size_t{e} * kAttributeWords + address / 4]);
  };
  const uint32_t covered = coverage_of(w, lane);
  if (covered == 0 || covered == (uint64_t{1} << attributes.target_samples) - 1) return value(element);
  const Word4 sample = samplepos(attributes.target_samples, static_cast<uint32_t>(std::countr_zero(covered)));
  if (sample[0] == 0 && sample[1] == 0) return value(element);
  const float dx = value(element | 1) - value(element & ~1u);
  const float dy = value(element | 2) - value(element & ~2u);
  return value(element) + as_float(sample[0]) * dx + as_float(sample[1]) * dy;
}

// PASS and MUL interpolate linearly in screen space. A perspective attribute was divided by w before; MUL
// multiplies by w to restore it.
void run_ipa(Warp& w, const Instruction& i, uint32_t active) {
  enum : uint32_t { pass, multiply, constant };
  const uint32_t mode = i.field(54, 2);
  const Lanes index = w.a(i), factor = w.lanes(i.rb());
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t address = i.field(28, 10) + (i.bit(38) ? index[lane] : 0);
    const uint32_t* value = attribute(w, i, lane, address);
    if (value == nullptr) return;
    uint32_t bits = *value;
    const Attributes& attributes = w.machine().attributes();
    if (attributes.has_header && (mode == constant) != attributes.is_constant[address / 4])
      w.fault(FaultKind::bad_operand, i, lane,
              "an attribute for which the header gives another interpolation mode");
    if (mode != constant) {
      const bool is_centroid = i.field(52, 2) == 1;
      const bool moves = is_centroid && attributes.at_center[address / 4];
      const uint32_t element = w.element_of(lane);
      if (is_centroid && address == kPositionZ && element < attributes.sample_depths.size())
        bits = attributes.sample_depths[element];
      float number = moves ? at_centroid(w, lane, address) : as_float(bits);
      if (w.machine().attributes().in_perspective[address / 4]) {
        const uint32_t* reciprocal = attribute(w, i, lane, kPositionW);
        number *= reciprocal == nullptr ? 1.0f : as_float(*reciprocal);
      }
      if (mode == multiply) number *= as_float(factor[lane]);
      if (i.bit(51)) number = saturate(number);
      bits = std::isnan(number) ? kCanonicalNan : as_bits(number);
    }
    d[lane] = bits;
  });
}

template <void (PrimitiveStage::*run)(Warp&, const Instruction&, int)>
void run_primitive(Warp& w, const Instruction& i, uint32_t active) {
  PrimitiveStage* stage = w.machine().attributes().primitives;
  for_each_lane(active, [&](int lane) {
    if (stage != nullptr) return (stage->*run)(w, i, lane);
    w.fault(FaultKind::bad_operand, i, lane, "an access to vertices that the stage does not have");
  });
}

void run_ald(Warp& w, const Instruction& i, uint32_t active) {
  if (w.machine().attributes().primitives != nullptr || i.rc() != kZeroRegister || i.bit(32))
    return run_primitive<&PrimitiveStage::load>(w, i, active);
  const Lanes index = w.a(i);
  const uint32_t count = i.field(47, 2) + 1;
  for_each_lane(active, [&](int lane) {
    const uint32_t address = i.field(20, 10) + index[lane];
    if (!is_aligned(w, i, lane, address, count)) return;
    for (uint32_t k = 0; k < count && i.rd() != kZeroRegister; ++k) {
      const uint32_t* value = attribute(w, i, lane, address + 4 * k);
      if (value != nullptr) w.reg(static_cast<uint8_t>(i.rd() + k))[lane] = *value;
    }
  });
}

void run_ast(Warp& w, const Instruction& i, uint32_t active) {
  if (w.machine().attributes().primitives != nullptr || i.rc() != kZeroRegister)
    return run_primitive<&PrimitiveStage::store>(w, i, active);
  const std::span<uint32_t> words = w.machine().attributes().outputs;
  const Lanes index = w.a(i);
  const uint32_t count = i.field(47, 2) + 1;
  for_each_lane(active, [&](int lane) {
    const uint32_t address = i.field(20, 10) + index[lane];
    if (!is_aligned(w, i, lane, address, count)) return;
    for (uint32_t k = 0; k < count; ++k) {
      const uint32_t word = address / 4 + k;
      const Attributes& attributes = w.machine().attributes();
      if (attributes.has_header && word < kAttributeWords && !attributes.writable[word])
        w.fault(FaultKind::bad_operand, i, lane, "an attribute that the header does not list as written");
      const size_t at = size_t{w.element_of(lane)} * kAttributeWords + word;
      if (word >= kAttributeWords || at >= words.size()) {
        w.fault(FaultKind::out_of_range, i, lane, "an attribute that the thread does not have");
        return;
      }
      words[at] = i.rd() == kZeroRegister ? 0 : w.reg(static_cast<uint8_t>(i.rd() + k))[lane];
    }
  });
}

// The pixel's coverage (one sample unless the launch gives it) and its sample number.
void run_pixld(Warp& w, const Instruction& i, uint32_t active) {
  const Attributes& attributes = w.machine().attributes();
  const bool number = i.field(31, 3) == kSampleNumber;
  uint32_t* d = w.target(i.rd());
  for_each_lane(active, [&](int lane) {
    const uint32_t element = w.element_of(lane);
    if (number) {
      d[lane] = element < attributes.samples.size() ? attributes.samples[element] : 0;
    } else {
      d[lane] = coverage_of(w, lane);
    }
  });
}

}  // namespace

Handler select_graphics(Instruction& i) {
  switch (i.opcode) {
    case Opcode::ipa:
      if (i.field(54, 2) == 3) i.why = "IPA.SC";
      if (i.field(52, 2) > 1) i.why = "IPA with an offset";
      return i.why.empty() ? run_ipa : nullptr;
    case Opcode::ald:
    case Opcode::ast:
      // An index register without .P is .PHYS, whose address has no offset.
      if (i.ra() != kZeroRegister && !i.bit(31) && i.field(20, 10) != 0)
        i.why = "a physical address with an offset";
      if (!i.why.empty()) return nullptr;
      return i.opcode == Opcode::ald ? run_ald : run_ast;
    case Opcode::al2p:
      if (i.field(44, 3) != kTruePredicate || i.field(47, 2) != 0) i.why = "AL2P with a predicate or a size";
      return i.why.empty() ? run_primitive<&PrimitiveStage::find_address> : nullptr;
    case Opcode::isberd:
      if (i.field(31, 4) != 0 || i.field(47, 2) != 0) i.why = "this form of ISBERD";
      return i.why.empty() ? run_primitive<&PrimitiveStage::find_vertex> : nullptr;
    case Opcode::out:
      if (i.field(39, 2) == 0) i.why = "OUT without an operation";
      return i.why.empty() ? run_primitive<&PrimitiveStage::emit> : nullptr;
    case Opcode::pixld:
      if (i.field(31, 3) != kCoverageMask && i.field(31, 3) != kSampleNumber) i.why = "this query of PIXLD";
      return i.why.empty() ? run_pixld : nullptr;
    default: return nullptr;
  }
}

}  // namespace texlate::sim::maxwell
