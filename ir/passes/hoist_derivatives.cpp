#include "ir/passes/hoist_derivatives.h"

#include <algorithm>
#include <span>
#include <utility>

#include "ir/builder.h"
#include "ir/passes/uniformity.h"
#include "ir/structure.h"

namespace texlate::ir {

bool takes_derivatives(const Module& module, const Instruction& instruction) {
  if (instruction.op == Op::tex_sample) {
    const LodRule rule = module.access_of(instruction).lod;
    return rule == LodRule::implicit || rule == LodRule::bias;
  }
  return instruction.op == Op::tex_lod || info(instruction.op).family == Family::derivative;
}

namespace {

class DerivativeHoister {
 public:
  explicit DerivativeHoister(Module& module)
      : module_(module),
        scratch_(module.memory()),
        candidates_(&scratch_),
        places_(&scratch_),
        definition_(&scratch_),
        taken_(&scratch_),
        gradients_(&scratch_) {}

  bool run() {
    if (module_.stage != Stage::pixel || !find_candidates()) return false;
    find_definitions();
    std::erase_if(candidates_, [this](uint32_t i) {
      const auto values = source_of_derivatives(module_.code[i]);
      return !std::ranges::all_of(values, [this](Value value) { return is_everywhere(value); });
    });
    if (candidates_.empty()) return false;
    const Structure structure(module_, &scratch_);
    const Uniformity uniformity = find_uniformity(module_, structure);
    places_.resize(module_.code.size());
    bool changes = false;
    for (const uint32_t i : candidates_) changes |= hoist(i, structure, uniformity);
    if (changes) write_out();
    return changes;
  }

 private:
  static constexpr uint32_t kNone = Structure::kNoIndex;
  using List = std::pmr::vector<uint32_t>;
  struct Place {
    uint32_t to = kNone;     // the instruction moves in front of that one
    uint32_t takes = kNone;  // its derivatives are taken in front of that one
    uint32_t first = kNone;  // of them in gradients_
  };
  struct Gradient {
    uint32_t at = kNone;  // in front of that instruction
    Value x = kNoValue, y = kNoValue;
  };

  /// Those in constructs, or behind one, from which pixels may have returned.
  bool find_candidates() {
    const std::span<const Instruction> code = module_.code;
    size_t i = 0;
    while (i < code.size() && !opens_construct(code[i].op)) ++i;
    for (; i < code.size(); ++i) {
      if (takes_derivatives(module_, code[i])) candidates_.push_back(static_cast<uint32_t>(i));
    }
    return !candidates_.empty();
  }

  void find_definitions() {
    definition_.resize(module_.values.size(), kNone);
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      const Instruction& instruction = module_.code[i];
      for (uint32_t r = 0; r < instruction.result_count; ++r) definition_[instruction.first_result + r] = i;
    }
  }

  bool hoist(uint32_t index, const Structure& structure, const Uniformity& uniformity) {
    if (uniformity.in_part[index] == 0) return false;
    const Instruction& instruction = module_.code[index];
    // In front of the innermost construct that all pixels enter together; behind a return there is none.
    uint32_t around = structure.around(index);
    while (around != kNone && uniformity.in_part[structure[around].marker] != 0)
      around = structure[around].parent;
    const uint32_t to = around == kNone ? 0 : structure[around].marker;
    for (const Value value : source_of_derivatives(instruction)) move_value(value, to);
    (instruction.op == Op::tex_sample ? places_[index].takes : places_[index].to) = to;
    return true;
  }

  /// What has to be there before the construct: the coordinates of a sample, all operands of what moves.
  std::span<const Value> source_of_derivatives(const Instruction& instruction) const {
    const auto operands = std::as_const(module_).operands_of(instruction);
    if (instruction.op != Op::tex_sample) return operands;
    const ResourceAccess& access = module_.access_of(instruction);
    return operands.subspan(access.position(Slot::coordinate0), coordinate_count(access.dimension));
  }

  /// Is the value an input or a constant that nothing selects at run time, but for its sign?
  bool is_everywhere(Value value) const {
    if (module_.is_constant(value)) return true;
    const Instruction& instruction = module_.code[definition_[value]];
    const auto operands = std::as_const(module_).operands_of(instruction);
    switch (instruction.op) {
      case Op::input: return operands.empty();
      case Op::cb_load:
        return std::ranges::all_of(operands, [this](Value each) { return module_.is_constant(each); });
      case Op::fneg:
      case Op::fabs: return is_everywhere(operands[0]);
      default: return false;
    }
  }

  void move_value(Value value, uint32_t to) {
    if (module_.is_constant(value) || definition_[value] < to) return;
    const uint32_t index = definition_[value];
    for (const Value operand : module_.operands_of(module_.code[index])) move_value(operand, to);
    places_[index].to = std::min(places_[index].to, to);
  }

  /// The instructions that have a place of this kind, in the order of the places.
  List sorted_by(uint32_t Place::*kind) {
    List list(&scratch_);
    for (uint32_t i = 0; i < places_.size(); ++i) {
      if (places_[i].*kind != kNone) list.push_back(i);
    }
    std::ranges::stable_sort(list, {}, [&](uint32_t i) { return places_[i].*kind; });
    return list;
  }

  void write_out() {
    const List moving = sorted_by(&Place::to), taking = sorted_by(&Place::takes);
    taken_.resize(module_.values.size());
    Code code(module_.memory());
    const auto count = static_cast<uint32_t>(module_.code.size());
    code.reserve(count + 8 * taking.size());
    Builder builder(module_, code);
    auto mover = moving.begin(), taker = taking.begin();
    for (uint32_t i = 0; i < count; ++i) {
      for (; mover != moving.end() && places_[*mover].to == i; ++mover) builder.append(module_.code[*mover]);
      for (; taker != taking.end() && places_[*taker].takes == i; ++taker) take(*taker, builder);
      if (places_[i].to != kNone) continue;
      if (places_[i].takes != kNone) use(i, builder);
      builder.append(module_.code[i]);
    }
    module_.code.swap(code);
  }

  /// Emits the derivatives of a sample's coordinates, unless another sample has taken them at this place.
  void take(uint32_t index, Builder& builder) {
    Place& place = places_[index];
    place.first = static_cast<uint32_t>(gradients_.size());
    builder.set_location(module_.code[index]);
    const AccessBuilder access(module_, module_.code[index]);
    for (uint32_t axis = 0; axis < coordinate_count(access.contract.dimension); ++axis) {
      const Value coordinate = access.get(Slot::coordinate0 + axis);
      Gradient& taken = taken_[coordinate];
      if (taken.at != place.takes) {
        const Value x = builder.emit(Op::ddx_coarse, {coordinate});
        taken = {place.takes, x, builder.emit(Op::ddy_coarse, {coordinate})};
      }
      gradients_.push_back(taken);
    }
  }

  /// Makes the derivatives operands of a sample. A bias is a factor of both: the level is their logarithm.
  void use(uint32_t index, Builder& builder) {
    Instruction& instruction = module_.code[index];
    AccessBuilder access(module_, instruction);
    builder.set_location(instruction);
    const Value bias = access.get(Slot::lod);
    const Value factor = bias == kNoValue ? kNoValue : builder.emit(Op::fexp2, {bias});
    const auto biased = [&](Value value) {
      return factor == kNoValue ? value : builder.emit(Op::fmul, {value, factor});
    };
    for (uint32_t axis = 0; axis < coordinate_count(access.contract.dimension); ++axis) {
      const Gradient& gradient = gradients_[places_[index].first + axis];
      access.set(Slot::ddx0 + axis, biased(gradient.x));
      access.set(Slot::ddy0 + axis, biased(gradient.y));
    }
    access.clear(Slot::lod);
    access.contract.lod = LodRule::gradient;
    access.replace(module_, instruction);
  }

  Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  List candidates_;
  std::pmr::vector<Place> places_;        // by instruction
  List definition_;                       // by value
  std::pmr::vector<Gradient> taken_;      // by value: where they were taken last
  std::pmr::vector<Gradient> gradients_;  // of samples, from Place::first on
};

}  // namespace

bool hoist_derivatives(Module& module) {
  return DerivativeHoister(module).run();
}

}  // namespace texlate::ir
