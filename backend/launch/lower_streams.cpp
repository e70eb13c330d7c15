#include "backend/launch/lower_streams.h"

#include <array>
#include <bit>
#include <optional>
#include <span>

#include "backend/launch/lower_addresses.h"
#include "backend/launch/stage_lowering.h"
#include "ir/passes/construct_ssa.h"
#include "ir/passes/optimize.h"
#include "ir/structure.h"

namespace texlate::launch {

namespace {

using ir::Op;
using ir::Value;

/// Moves outputs to where the program ends: all of them before each return.
class OutputGathering final : StageLowering {
 public:
  using StageLowering::StageLowering;

  void run() {
    lower_all();
    module_.code.swap(code_);
  }

 private:
  void lower(const Instruction& instruction) override {
    if (instruction.op == Op::output) return keep_output(instruction);
    if (instruction.op == Op::return_) put_outputs();
    builder_.append(instruction);
  }

  void put_outputs() {
    for_components(module_.outputs, [&](const ir::Parameter& parameter, uint32_t, uint32_t c) {
      const uint32_t reg = parameter.reg * 4 + c;
      emit(Op::output, {emit(Op::reg_load, {}, reg)}, reg);
    });
  }
};

constexpr float kSixteenth = 0.0625f;  // of a pixel: the unit of eval_snapped
constexpr uint32_t kOffsetBits = 4;    // signed; the others mean nothing

/// Of few operations more is to be said than that they are copied.
constexpr auto kIsCopied = [] {
  std::array<bool, ir::kOpCount> table{};
  for (size_t op = 0; op < table.size(); ++op) table[op] = !ir::info(static_cast<Op>(op)).has(ir::kControl);
  for (const Op op : {Op::input, Op::eval_snapped, Op::output}) table[static_cast<size_t>(op)] = false;
  return table;
}();

/// What is to be known before.
struct Contents {
  explicit Contents(const ir::Module& module) : places(module.memory()) {
    places.reserve(64);
    uint32_t depth = 0;
    for (uint32_t i = 0; i < module.code.size(); ++i) {
      const ir::Instruction& instruction = module.code[i];
      if (kIsCopied[static_cast<size_t>(instruction.op)]) continue;
      places.push_back(i);
      if (ir::opens_construct(instruction.op)) ++depth;
      if (ir::closes_construct(instruction.op)) --depth;
      if (instruction.op == Op::return_) {
        ++returns;
        returns_early |= depth != 0;
      } else if (instruction.op == Op::output) {
        gathers |= depth != 0 || instruction.has(ir::kIndexOperand);
      } else if (!ir::info(instruction.op).has(ir::kControl)) {
        has_inputs = true;
        evaluates |= instruction.op != Op::input;
      }
    }
    gathers |= returns_early;
  }

  std::pmr::vector<uint32_t> places;  // of instructions that are not copied, or are markers
  uint32_t returns = 0;
  bool has_inputs = false, evaluates = false;
  bool gathers = false;        // outputs are not yet where the program ends
  bool returns_early = false;  // from inside a construct
};

class PlaneLowering final : StageLowering {
 public:
  PlaneLowering(ir::Module& module, Layout& layout, const Contents& contents)
      : StageLowering(module, &layout),
        contents_(contents),
        planes_(output_planes(module)),
        values_(planes_.size(), module.constant(0), &scratch_),
        addresses_(&scratch_),
        known_(&scratch_),
        open_(&scratch_) {}

  void run() {
    begin();
    size_t done = 0;
    for (const uint32_t i : contents_.places) {
      code_.append(std::span(module_.code).subspan(done, i - done));
      lower(module_.code[i]);
      done = i + 1;
    }
    code_.append(std::span(module_.code).subspan(done));
    module_.code.swap(code_);
    replacements_.apply(std::span(module_.operands.data(), module_.operands.size()));
    module_.inputs.clear();
    module_.outputs.clear();
    if (contents_.evaluates) ir::clean_up(module_, ir::kFirstValue);
  }

 private:
  /// Of a word.
  struct Address {
    Value base = ir::kNoValue;
    uint32_t displacement = 0;
  };
  /// Where the words of an element are in an input plane.
  struct Known {
    Value element;
    uint32_t plane;
    Value address;
  };

  void begin() {
    written_ = add_place(stream_head::kWritten, true);
    element_ = ask(ir::SystemValue::thread_id);
    const uint32_t elements = module_.relied.launch.elements;
    count_ = elements != 0 ? word(elements) : number(written_, kCountFact);
    // Computed once for all returns.
    if (contents_.returns_early) find_outputs();
    if (!contents_.has_inputs) return;
    inputs_ = add_place(stream_head::kInputs, false);
    start_ = address_of(inputs_);
    know_first_word(element_);
    // The other pixels of the quad, to the side and up or down. The element, not the lane, says which pixel
    // it is: threads past the last element read as that element.
    for (uint32_t axis = 0; axis < 2 && contents_.evaluates; ++axis) {
      mates_[axis] = emit(Op::xor_, {element_, word(1u << axis)});
      know_first_word(mates_[axis]);
    }
  }

  void lower(const Instruction& instruction) override {
    builder_.set_location(instruction);
    switch (instruction.op) {
      case Op::input: return replace(instruction, load(input_address(instruction)));
      case Op::eval_snapped: return replace(instruction, evaluate(instruction));
      case Op::output:
        for (size_t i = 0; i < planes_.size(); ++i) {
          if (planes_[i].payload == instruction.payload) values_[i] = last_operand(instruction);
        }
        return;
      case Op::return_: store_outputs(); break;
      // What a region knows is not known after it.
      case Op::if_:
      case Op::loop:
      case Op::switch_: open_.push_back(known_.size()); break;
      case Op::else_:
      case Op::case_:
      case Op::default_: known_.resize(open_.back()); break;
      case Op::endif:
      case Op::endloop:
      case Op::endswitch:
        known_.resize(open_.back());
        open_.pop_back();
        break;
      default: break;
    }
    builder_.append(instruction);
  }

  // ---- addresses

  Value address_of(Place place) {
    return emit(Op::address, {}, ir::BindingQuery{place, ir::BindingFact::bound}.pack());
  }
  Value first_word(Place place) { return emit(Op::mad_wide, {element_, word(4), address_of(place)}); }
  void know_first_word(Value element) {
    known_.push_back({element, 0, emit(Op::mad_wide, {element, word(4), start_})});
  }

  /// The same word, so many planes further on: in steps of powers of two planes.
  Value walk(Value address, uint32_t distance) {
    for (; distance != 0; distance &= distance - 1)
      address = emit(Op::mad_wide, {count_, word(4 * (distance & -distance)), address});
    return address;
  }

  /// Of a plane from plane 0, in bytes; nothing if it is not known or more than an instruction reaches.
  std::optional<uint32_t> displacement_of(uint32_t plane) const {
    const uint32_t elements = module_.relied.launch.elements;
    const uint64_t displacement = uint64_t{4} * elements * plane;
    if (elements == 0 || displacement > kLoadReach - 4) return std::nullopt;
    return static_cast<uint32_t>(displacement);
  }

  /// From the known plane that is the fewest steps away; of several, the one that became known last.
  Address word_of(Value element, uint32_t plane) {
    const auto near = displacement_of(plane);
    Known from{element, 0, ir::kNoValue};
    int fewest = 33;
    for (size_t i = known_.size(); i-- != 0 && fewest != 0;) {
      const Known& known = known_[i];
      if (known.element != element || known.plane > plane || (near && known.plane != 0)) continue;
      const int steps = std::popcount(plane - known.plane);
      if (steps >= fewest) continue;
      fewest = steps;
      from = known;
    }
    if (near) return {from.address, *near};
    const Value address = walk(from.address, plane - from.plane);
    if (fewest != 0) known_.push_back({element, plane, address});
    return {address, 0};
  }

  Address input_address(const Instruction& instruction) {
    if (!instruction.has(ir::kIndexOperand)) return word_of(element_, instruction.payload);
    Value bytes = emit(Op::shl, {operand(instruction, 0), word(4)});
    if (instruction.payload != 0) bytes = emit(Op::iadd, {bytes, word(instruction.payload * 4)});
    return {emit(Op::mad_wide, {bytes, count_, known_.front().address}), 0};
  }

  // ---- accesses

  ir::AccessBuilder access_at(Place place, const Address& at) {
    ir::AccessBuilder access = access_to(place);
    access.contract.alignment = 4;
    access.set(ir::Slot::address, at.base);
    if (at.displacement != 0) access.set(ir::Slot::byte_offset, word(at.displacement));
    return access;
  }
  Value load(const Address& at) { return access_at(inputs_, at).emit(builder_, Op::buf_load); }
  void store(Place place, const Address& at, Value value, Value guard = ir::kNoValue) {
    ir::AccessBuilder access = access_at(place, at);
    access.set(ir::Slot::guard, guard);
    access.set(ir::Slot::value0, value);
    access.emit(builder_, Op::buf_store);
  }

  // In ascending order, each address computed from the previous one.
  void find_outputs() {
    if (module_.stage == ir::Stage::pixel && !writes_all_pixels(module_)) {
      is_reported_ = is_given(written_);
      report_ = first_word(written_);
    }
    if (planes_.empty()) return;
    outputs_ = add_place(stream_head::kOutputs, true);
    const Value first = first_word(outputs_);
    Address last{first, 0};
    uint32_t before = 0;
    for (const OutputPlane& plane : planes_) {
      const auto near = displacement_of(plane.plane);
      last = near ? Address{first, *near} : Address{walk(last.base, plane.plane - before), 0};
      if (!near) before = plane.plane;
      addresses_.push_back(last);
    }
  }

  void store_outputs() {
    if (!contents_.returns_early) find_outputs();
    for (size_t i = 0; i < planes_.size(); ++i) store(outputs_, addresses_[i], values_[i]);
    if (report_ != ir::kNoValue) store(written_, {report_, 0}, word(1), is_reported_);
  }

  // ---- evaluations

  Value evaluate(const Instruction& instruction) {
    const std::array<Value, 2> offsets = {operand(instruction, 0), operand(instruction, 1)};
    const Value own = load(word_of(element_, instruction.payload));
    Value sum = own;
    for (uint32_t axis = 0; axis < 2; ++axis) {
      const Value part =
          precise(Op::fmul, {pixels(offsets[axis]), difference(instruction.payload, own, axis)});
      sum = precise(Op::fadd, {sum, part});
    }
    // Without an offset the value stays unchanged, INF included.
    const Value any =
        emit(Op::and_, {emit(Op::or_, {offsets[0], offsets[1]}), word((1u << kOffsetBits) - 1)});
    return emit(Op::select, {emit(Op::ine, {any, word(0)}), sum, own});
  }

  Value pixels(Value offset) {
    const Value sixteenths = emit(Op::ibfe, {word(kOffsetBits), word(0), offset});
    return precise(Op::fmul, {emit(Op::itof, {sixteenths}), module_.constant_float(kSixteenth)});
  }

  /// The right pixel's value minus the left one's, or the lower one's minus the upper one's.
  Value difference(uint32_t plane, Value own, uint32_t axis) {
    const Value other = load(word_of(mates_[axis], plane));
    const Value is_second = emit(Op::ine, {emit(Op::and_, {element_, word(1u << axis)}), word(0)});
    const Value second = emit(Op::select, {is_second, own, other});
    const Value first = emit(Op::select, {is_second, other, own});
    return precise(Op::fadd, {second, emit(Op::fneg, {first})});
  }

  // How a query of the record that would start at `written_` reaches the number of elements.
  static constexpr ir::BindingFact kCountFact = ir::BindingFact::width;
  static_assert(stream_head::kWritten + record::kWidth == stream_head::kCount);

  const Contents& contents_;
  const std::pmr::vector<OutputPlane> planes_;
  std::pmr::vector<Value> values_;       // by output plane: what it gets
  std::pmr::vector<Address> addresses_;  // by output plane
  std::pmr::vector<Known> known_;        // first the thread's own word in plane 0
  std::pmr::vector<size_t> open_;        // by construct: how many were known before it
  Place inputs_ = 0, outputs_ = 0, written_ = 0;
  Value element_ = ir::kNoValue, count_ = ir::kNoValue, start_ = ir::kNoValue;
  Value report_ = ir::kNoValue, is_reported_ = ir::kNoValue;  // where, and whether, a pixel's word is written
  std::array<Value, 2> mates_{};
};

}  // namespace

bool lower_streams(ir::Module& module, Layout& layout, Diagnostics& diagnostics) {
  if (module.code.empty() || module.code.back().op != Op::return_)
    ir::Builder(module, module.code).emit_variadic(Op::return_, {}, 0);
  const Contents before(module);
  if (!before.gathers) {
    PlaneLowering(module, layout, before).run();
    return true;
  }
  if (before.returns * output_planes(module).size() > kMostOutputWords) {
    diagnostics.error(module.location_of(module.code.back()), "the returns store more than {} output words",
                      kMostOutputWords);
    return false;
  }
  OutputGathering(module).run();
  if (!ir::construct_ssa(module, diagnostics)) return false;
  PlaneLowering(module, layout, Contents(module)).run();
  return true;
}

}  // namespace texlate::launch
