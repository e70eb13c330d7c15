#include "ir/passes/known_values.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <memory>
#include <optional>
#include <utility>

#include "ir/base/fused.h"
#include "ir/base/zeroed.h"
#include "ir/structure.h"

namespace texlate::ir {

namespace {

constexpr uint32_t kAny = 0xffffffffu;

uint8_t low_zeros(uint32_t bits) {
  return static_cast<uint8_t>(std::countr_zero(bits));
}

constexpr uint32_t kMostSigned = 0x7fffffffu;

int16_t as_short(uint32_t bits) {
  const auto number = static_cast<int32_t>(bits);
  return static_cast<int16_t>(
      std::clamp<int32_t>(number, std::numeric_limits<int16_t>::min(), Known::kMostShort));
}
int16_t most_signed(const Known& known) {
  return known.greatest > kMostSigned ? known.greatest_signed
                                      : std::min(known.greatest_signed, as_short(known.greatest));
}

/// All bits up to the highest one of either: neither `or` nor `xor` can give a greater result.
uint32_t covered(uint32_t a, uint32_t b) {
  const uint32_t both = a | b;
  return both == 0 ? 0 : kAny >> std::countl_zero(both);
}

/// A sum that may have wrapped has no bound.
uint32_t sum(uint32_t a, uint32_t b) {
  return a > kAny - b ? kAny : a + b;
}
uint32_t product(uint32_t a, uint32_t b) {
  const uint64_t wide = uint64_t{a} * b;
  return wide > kAny ? kAny : static_cast<uint32_t>(wide);
}
uint8_t most(uint32_t bits) {
  return static_cast<uint8_t>(std::min(bits, 32u));
}

/// Denormals may be flushed, by the operation that makes them or by the one that reads them.
void include_flushed(Known& known) {
  const auto is_denormal = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL; };
  if (is_denormal(known.least_float)) known.least_float = std::min(known.least_float, 0.0f);
  if (is_denormal(known.greatest_float)) known.greatest_float = std::max(known.greatest_float, 0.0f);
}

constexpr Known kZero = {0, 0, 32, true, 0.0f, 0.0f};

/// For a * b + c: the least and the greatest result are at the ends of the ranges.
void between_corners(const Known& a, const Known& b, const Known& c, Known& result) {
  if (!a.number || !b.number || !c.number) return;
  float least = std::numeric_limits<float>::infinity(), greatest = -least;
  for (const float x : {a.least_float, a.greatest_float}) {
    for (const float y : {b.least_float, b.greatest_float}) {
      const float low = fused(x, y, c.least_float), high = fused(x, y, c.greatest_float);
      if (!std::isfinite(low) || !std::isfinite(high)) return;
      least = std::min(least, low);
      greatest = std::max(greatest, high);
    }
  }
  result.number = true;
  result.least_float = least;
  result.greatest_float = greatest;
}

}  // namespace

/// Finds counters of loops: values that start at a constant, that grow by a constant in each iteration, and
/// that the first branch of an iteration compares with a constant.
class KnownValues::CounterFinder {
 public:
  CounterFinder(const Module& module, std::pmr::monotonic_buffer_resource& arena)
      : module_(module), structure_(module, &arena, Structure::Extent::control), definition_(&arena) {
    definition_.assign(module.values.size(), Structure::kNoIndex);
    for (uint32_t i = 0; i < module.code.size(); ++i) {
      const Instruction& instruction = module.code[i];
      for (uint32_t r = 0; r < instruction.result_count; ++r) definition_[instruction.first_result + r] = i;
    }
  }

  std::span<const Construct> constructs() const { return structure_.constructs(); }

  std::optional<Counter> find(const Construct& loop) const {
    uint32_t branch = loop.marker + 1;
    while (!info(module_.code[branch].op).has(kControl)) ++branch;
    if (module_.code[branch].op != Op::if_) return {};
    const Construct& choice = structure_.of(branch);
    const Value condition = module_.operands_of(module_.code[branch])[0];
    if (condition >= definition_.size() || definition_[condition] == Structure::kNoIndex) return {};
    const Instruction& compare = module_.code[definition_[condition]];
    // If the condition takes lanes out of the loop, its opposite holds in the following code.
    const bool leaves = leaves_loop(choice.marker, loop) && choice.end == choice.otherwise + 1;
    const bool stays = leaves_loop(choice.otherwise, loop);
    if (leaves == stays) return {};
    const std::optional<Limit> limit = limit_of(compare, leaves);
    if (!limit || !counts_up(loop, *limit)) return {};
    return Counter{leaves ? choice.end : choice.marker, leaves ? loop.end : choice.otherwise, limit->value,
                   limit->greatest};
  }

 private:
  struct Limit {
    Value value;
    uint32_t greatest;
  };

  bool leaves_loop(uint32_t arm, const Construct& loop) const {
    return module_.code[arm + 1].op == Op::break_ && structure_.of(arm + 1).marker == loop.marker;
  }

  /// What the comparison implies about a value if it is false (`opposite`), or true.
  std::optional<Limit> limit_of(const Instruction& compare, bool opposite) const {
    const bool below = compare.op == Op::ilt || compare.op == Op::ult;
    const bool not_below = compare.op == Op::ige || compare.op == Op::uge;
    if (!below && !not_below) return {};
    const auto operands = module_.operands_of(compare);
    // value < c, or !(value >= c): c - 1. c >= value, or !(c < value): c.
    const bool value_first = below != opposite;
    const Value value = operands[value_first ? 0 : 1], constant = operands[value_first ? 1 : 0];
    if (module_.is_constant(value) || !module_.is_constant(constant)) return {};
    const uint32_t bits = module_.constant_bits(constant);
    if (value_first && bits == 0) return {};
    return Limit{value, value_first ? bits - 1 : bits};
  }

  /// Are the steps so small that nothing wraps between one comparison and the next?
  bool counts_up(const Construct& loop, const Limit& limit) const {
    constexpr uint32_t kMost = 1u << 24;
    const Instruction& head = module_.code[loop.marker];
    const uint32_t position = limit.value - head.first_result;
    if (limit.value < head.first_result || position >= head.result_count || limit.greatest > kMost)
      return false;
    const Value start = module_.operands_of(head)[position];
    if (!module_.is_constant(start) || module_.constant_bits(start) > kMost) return false;
    for (uint32_t i = loop.first_repeat; i != Structure::kNoIndex; i = structure_.next(i)) {
      const auto passed = module_.operands_of(module_.code[i]);
      if (position < passed.size() && !is_step(passed[position], limit.value)) return false;
    }
    return true;
  }

  bool is_step(Value next, Value counter) const {
    constexpr uint32_t kMost = 1u << 24;
    if (next >= definition_.size() || definition_[next] == Structure::kNoIndex) return false;
    const Instruction& sum = module_.code[definition_[next]];
    if (sum.op != Op::iadd) return false;
    const auto operands = module_.operands_of(sum);
    const Value step = operands[operands[0] == counter ? 1 : 0];
    return (operands[0] == counter || operands[1] == counter) && module_.is_constant(step) &&
           module_.constant_bits(step) <= kMost;
  }

  const Module& module_;
  Structure structure_;
  std::pmr::vector<uint32_t> definition_;  // by value: the instruction
};

KnownValues::KnownValues(const Module& module, std::pmr::monotonic_buffer_resource& arena, Counters counters,
                         Positions positions)
    : module_(module), arena_(arena), positions_(positions), counters_(&arena) {
  const auto is_loop = [](const Instruction& instruction) { return instruction.op == Op::loop; };
  if (counters == Counters::skipped || std::ranges::none_of(module.code, is_loop)) return;
  const CounterFinder finder(module, arena);
  for (const Construct& construct : finder.constructs()) {
    if (construct.op != Op::loop) continue;
    if (const auto counter = finder.find(construct)) counters_.push_back(*counter);
  }
  std::ranges::sort(counters_, {}, &Counter::value);
}

/// The counter that the value is at the current instruction; null: none.
const KnownValues::Counter* KnownValues::find_counter(Value value) const {
  const auto found = std::ranges::lower_bound(counters_, value, {}, &Counter::value);
  if (found == counters_.end() || found->value != value) return nullptr;
  return found->from < place_ && place_ < found->to ? &*found : nullptr;
}

void KnownValues::find_definitions() {
  const size_t count = module_.values.size();
  definition_ = zeroed<uint32_t>(arena_, count);
  known_ = {static_cast<Known*>(arena_.allocate(count * sizeof(Known), alignof(Known))), count};
  uint32_t place = 0;
  for (const Instruction& instruction : module_.code) {
    ++place;
    if (instruction.result_count == 1 && instruction.first_result < count)
      definition_[instruction.first_result] = place;
  }
}

Known KnownValues::of(Value value) {
  Known known;
  if (module_.is_constant(value)) {
    const uint32_t bits = module_.constant_bits(value);
    known.greatest = bits;
    known.greatest_signed = as_short(bits);
    known.zeros = low_zeros(bits);
    known.nonzero = bits != 0;
    const float number = std::bit_cast<float>(bits);
    if (!std::isnan(number)) {
      known.number = true;
      known.least_float = known.greatest_float = number;
      include_flushed(known);
    }
    return known;
  }
  if (!counters_.empty()) {
    if (const Counter* const counter = find_counter(value)) {
      known.greatest = counter->greatest;
      return known;
    }
  }
  if (definition_.empty()) find_definitions();
  if (value >= definition_.size()) return known;
  const uint32_t at = definition_[value];
  if (at == kDone) return known_[value];
  if (at == 0 || depth_ == kDeepest || module_.values[value].type != Type::b32) return known;
  ++depth_;
  const uint32_t asked_from = std::exchange(place_, at - 1);
  known = result_of(module_.code[at - 1]);
  include_flushed(known);
  place_ = asked_from;
  --depth_;
  definition_[value] = kDone;
  std::construct_at(&known_[value], known);
  return known;
}

Known KnownValues::result_of(const Instruction& instruction) {
  Known known;
  switch (info(instruction.op).family) {
    case Family::float32: float_result(instruction, known); break;
    case Family::integer: known = integer_result(instruction); break;
    default:
      known = integer_result(instruction);
      float_result(instruction, known);
      break;
  }
  return known;
}

/// Is it x or y of the pixel's position?
bool KnownValues::is_place_of_pixel(const Instruction& input) const {
  if (positions_ == Positions::any || module_.stage != Stage::pixel || input.operand_count != 0 ||
      input.payload % 4 > 1)
    return false;
  return std::ranges::any_of(module_.inputs, [&](const Parameter& parameter) {
    return parameter.reg == input.payload / 4 && parameter.system_value == SystemValue::position &&
           (parameter.mask >> input.payload % 4 & 1) != 0;
  });
}

/// Threads of the group along an axis, or in total; control points; instances.
uint32_t KnownValues::greatest_number(uint32_t payload) const {
  const uint32_t component = payload % 4;
  const uint32_t* const size = module_.thread_group;
  switch (static_cast<SystemValue>(payload / 4)) {
    case SystemValue::thread_id_in_group: return component < 3 ? size[component] - 1 : 0;
    case SystemValue::thread_id_in_group_flattened:
      return component == 0 ? size[0] * size[1] * size[2] - 1 : 0;
    case SystemValue::output_control_point_id:
      return component == 0 ? std::max(1u, module_.output_control_points) - 1 : 0;
    case SystemValue::gs_instance_id: return component == 0 ? std::max(1u, module_.gs_instances) - 1 : 0;
    default: return kAny;
  }
}

Known KnownValues::integer_result(const Instruction& instruction) {
  Known known;
  const auto in = [&](uint32_t i) { return operand(instruction, i); };
  const auto constant = [&](uint32_t i) {
    return module_.is_constant(module_.operands[instruction.first_operand + i]);
  };
  switch (instruction.op) {
    case Op::system_value: known.greatest = greatest_number(instruction.payload); break;
    case Op::and_:
      known.greatest = std::min(in(0).greatest, in(1).greatest);
      known.zeros = std::max(in(0).zeros, in(1).zeros);
      break;
    case Op::or_:
    case Op::xor_:
      known.greatest = covered(in(0).greatest, in(1).greatest);
      known.zeros = std::min(in(0).zeros, in(1).zeros);
      break;
    case Op::iadd:
      known.greatest = sum(in(0).greatest, in(1).greatest);
      known.zeros = std::min(in(0).zeros, in(1).zeros);
      break;
    case Op::imul:
      known.greatest = product(in(0).greatest, in(1).greatest);
      known.zeros = most(uint32_t{in(0).zeros} + in(1).zeros);
      break;
    case Op::imad:
      known.greatest = sum(product(in(0).greatest, in(1).greatest), in(2).greatest);
      known.zeros = std::min(most(uint32_t{in(0).zeros} + in(1).zeros), in(2).zeros);
      break;
    case Op::isub: known.zeros = std::min(in(0).zeros, in(1).zeros); break;
    case Op::shl:
      if (!constant(1)) break;
      known.greatest = product(in(0).greatest, 1u << (in(1).greatest & 31));
      known.zeros = most(in(0).zeros + (in(1).greatest & 31));
      break;
    case Op::ushr:
      known.greatest = constant(1) ? in(0).greatest >> (in(1).greatest & 31) : in(0).greatest;
      break;
    case Op::ishr:
      if (in(0).greatest > 0x7fffffffu) break;
      known.greatest = constant(1) ? in(0).greatest >> (in(1).greatest & 31) : in(0).greatest;
      break;
    case Op::udiv:
      if (constant(1) && in(1).greatest != 0) known.greatest = in(0).greatest / in(1).greatest;
      break;
    case Op::urem:
      if (constant(1) && in(1).greatest != 0) known.greatest = std::min(in(0).greatest, in(1).greatest - 1);
      break;
    // The lesser is no greater than either. It is not negative if both operands are not.
    case Op::imin:
      known.greatest_signed = std::min(most_signed(in(0)), most_signed(in(1)));
      if (in(0).greatest <= kMostSigned && in(1).greatest <= kMostSigned)
        known.greatest = std::min(in(0).greatest, in(1).greatest);
      break;
    case Op::imax:
      known.greatest_signed = std::max(most_signed(in(0)), most_signed(in(1)));
      if (in(0).greatest <= kMostSigned || in(1).greatest <= kMostSigned) {
        const bool bounded = known.greatest_signed != Known::kMostShort;
        known.greatest = bounded ? static_cast<uint32_t>(known.greatest_signed) : kMostSigned;
      }
      break;
    case Op::umin: known.greatest = std::min(in(0).greatest, in(1).greatest); break;
    case Op::umax:
      known.greatest = std::max(in(0).greatest, in(1).greatest);
      known.nonzero = in(0).nonzero || in(1).nonzero;
      break;
    case Op::ubfe:
      if (constant(0)) known.greatest = (1u << (in(0).greatest & 31)) - 1;
      break;
    case Op::popcount: known.greatest = 32; break;
    case Op::f32tof16: known.greatest = 0xffff; break;
    case Op::select:
      known.greatest = std::max(in(1).greatest, in(2).greatest);
      known.zeros = std::min(in(1).zeros, in(2).zeros);
      break;
    default: break;
  }
  return known;
}

// Bounds are rounded like the operations, which preserves order.
void KnownValues::float_result(const Instruction& instruction, Known& known) {
  const auto in = [&](uint32_t i) { return operand(instruction, i); };
  const auto between = [&](float least, float greatest) {
    known.number = !std::isnan(least) && !std::isnan(greatest);
    if (known.number) known.least_float = least, known.greatest_float = greatest;
  };
  // Pixels are those of a render target; no viewport reaches further (D3D11_VIEWPORT_BOUNDS_MAX).
  constexpr float kFurthestPixel = 32768.0f;
  switch (instruction.op) {
    case Op::input:
      if (is_place_of_pixel(instruction)) between(0.0f, kFurthestPixel);
      return;
    case Op::fsat: return between(0.0f, 1.0f);
    case Op::utof: return between(0.0f, static_cast<float>(in(0).greatest));
    case Op::itof:
      if (in(0).greatest <= 0x7fffffffu) return between(0.0f, static_cast<float>(in(0).greatest));
      return between(-2147483648.0f, 2147483648.0f);
    // If one operand is NaN, the result is the other. What may be NaN has no bounds, which leaves those of
    // the other.
    case Op::fmin:
    case Op::fmax: {
      const Known a = in(0), b = in(1);
      if (!a.number && !b.number) return;
      const bool minimum = instruction.op == Op::fmin;
      const float least =
          minimum ? std::min(a.least_float, b.least_float) : std::max(a.least_float, b.least_float);
      const float greatest = minimum ? std::min(a.greatest_float, b.greatest_float)
                                     : std::max(a.greatest_float, b.greatest_float);
      return between(least, greatest);
    }
    case Op::fadd:
      if (in(0).number && in(1).number) {
        const float least = in(0).least_float + in(1).least_float;
        const float greatest = in(0).greatest_float + in(1).greatest_float;
        if (std::isfinite(least) && std::isfinite(greatest)) between(least, greatest);
      }
      return;
    case Op::fmul:
      if (in(0).number) between_corners(in(0), in(1), kZero, known);
      return;
    case Op::ffma:
      if (in(0).number) between_corners(in(0), in(1), in(2), known);
      return;
    case Op::fneg:
      if (in(0).number) between(-in(0).greatest_float, -in(0).least_float);
      return;
    case Op::frint:
      if (in(0).number) between(std::nearbyint(in(0).least_float), std::nearbyint(in(0).greatest_float));
      return;
    case Op::ffloor:
      if (in(0).number) between(std::floor(in(0).least_float), std::floor(in(0).greatest_float));
      return;
    case Op::fceil:
      if (in(0).number) between(std::ceil(in(0).least_float), std::ceil(in(0).greatest_float));
      return;
    case Op::ftrunc:
      if (in(0).number) between(std::trunc(in(0).least_float), std::trunc(in(0).greatest_float));
      return;
    // The result is an integer, so it has an integer bound; the bits of a float have none.
    case Op::ftou:
      if (in(0).number && in(0).greatest_float < 4294967296.0f && in(0).greatest_float >= 0.0f)
        known.greatest = static_cast<uint32_t>(in(0).greatest_float);
      return;
    case Op::ftoi:
      if (in(0).number && in(0).greatest_float < 2147483648.0f && in(0).least_float >= 0.0f)
        known.greatest = static_cast<uint32_t>(in(0).greatest_float);
      return;
    case Op::select:
      if (in(1).number && in(2).number) {
        between(std::min(in(1).least_float, in(2).least_float),
                std::max(in(1).greatest_float, in(2).greatest_float));
      }
      return;
    default: return;
  }
}

}  // namespace texlate::ir
