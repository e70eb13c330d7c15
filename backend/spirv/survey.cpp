#include "backend/spirv/survey.h"

#include <algorithm>
#include <array>
#include <bit>
#include <optional>

#include "ir/base/zeroed.h"

namespace texlate::spirv {

namespace {

constexpr bool is_any(Op op, std::initializer_list<Op> list) {
  return std::ranges::find(list, op) != list.end();
}

constexpr bool is_used_module(Op op) {
  return is_any(op, {Op::cb_load, Op::input, Op::system_value, Op::shared_atomic}) ||
         ir::info(op).has(ir::kResource);
}

/// By operation: what the walk does with it.
struct Plan {
  enum Step : uint16_t {
    kInexact = 1,
    kOwnNeeds = 2,  // anything but the operands as they are counts as needed
    kOpen = 4,
    kUsesModule = 8,
    kHasKind = 16,   // for its one result
    kHasKinds = 32,  // for other numbers of results
    kSource = 64,    // others may take its operands instead of its result (ValueNeeds::source)
    kControl = 128,
    kStays = 256,           // whether its results are used or not
    kTouchesOutputs = 512,  // reads or writes outputs
    kHasLanes = 1024,       // several may become one instruction
    kTakesVectors = 2048,   // some of its operands are one vector: coordinates, texels
    kRest = kOwnNeeds | kOpen | kUsesModule | kHasKinds | kTouchesOutputs | kTakesVectors,
  };
  uint64_t operand = tally(0);  // what it adds to the tally of each
  uint16_t steps = 0;
  uint16_t others = ValueNeeds::kAlone;  // how others than those with lanes take their operands
  Kind result = Kind::none;

  bool has(Step step) const { return (steps & step) != 0; }
};
constexpr std::array<Plan, ir::kOpCount> kPlans = [] {
  std::array<Plan, ir::kOpCount> plans{};
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    const OpKinds& kinds = kinds_of(op);
    const ir::OpInfo& info = ir::info(op);
    Plan& plan = plans[i];
    // A device that combines it with another one, or simplifies it as if there were no NaN, INF and signed
    // zero, gives other bits (SPIR-V 3.20, NoContraction; Vulkan, "Precision and Operation of SPIR-V
    // Instructions"). A quotient or a first product has nothing to be fused with, but 0 / 0 and NaN * 0
    // become 0 on drivers that simplify what is not decorated.
    if (info.has(ir::kRounds)) plan.steps |= Plan::kInexact;
    if (is_any(op, {Op::fadd, Op::fmin, Op::dmin})) plan.steps |= Plan::kOwnNeeds;
    if (is_used_module(op)) plan.steps |= Plan::kUsesModule;
    if (is_any(op, {Op::fneg, Op::fmax, Op::dmax})) plan.steps |= Plan::kSource;
    if (info.has(ir::kControl)) plan.steps |= Plan::kControl;
    if (info.has(ir::kWritesMemory)) plan.steps |= Plan::kStays;
    if (is_any(op, {Op::output, Op::patch_output, Op::patch_input, Op::output_control_point, Op::emit}))
      plan.steps |= Plan::kTouchesOutputs;
    // Arithmetic that is not written by hand (Arithmetic::emit_other).
    if (ir::is_arithmetic(op) && !is_any(op, {Op::f16tof32, Op::imulhi, Op::umulhi, Op::ubfe, Op::ibfe,
                                              Op::bfi, Op::pack64, Op::unpack64}))
      plan.steps |= Plan::kHasLanes;
    if (op == Op::output || op == Op::patch_output) plan.others = ValueNeeds::kTogether;
    if (is_any(op, {Op::tex_fetch, Op::tex_sample, Op::tex_gather, Op::surf_load, Op::surf_store,
                    Op::surf_atomic})) {
      plan.others = 0;
      plan.steps |= Plan::kTakesVectors;
    }
    if (kinds.common == Kind::varies || !ir::is_arithmetic(op)) {
      plan.steps |= Plan::kOpen;
    } else {
      plan.operand = tally(kinds.common == Kind::float_ ? 1 : kinds.common == Kind::uint ? -1 : 0);
    }
    // The kind of values other than words is never read.
    if (kinds.result != Kind::flexible && kinds.result != Kind::varies) {
      const bool is_one = info.results.size() == 1 && !info.passes_results() && !is_used_module(op);
      plan.steps |= is_one ? Plan::kHasKind : Plan::kHasKinds;
      plan.result = kinds.result;
    }
  }
  return plans;
}();

class Surveyor {
 public:
  Surveyor(const ir::Module& module, const InterfaceElements& interface,
           std::pmr::monotonic_buffer_resource& arena, Survey& survey)
      : module_(module),
        survey_(survey),
        flags_(make_needs(module, arena, survey.needs)),
        entry_reads_(&arena),
        markers_(&arena) {
    find_sources();
    const bool is_straight_line = markers_.empty() || markers_.front() + 1 == module.code.size();
    if (!is_straight_line) control_.emplace(module, markers_, has_loops_, arena);
    types_.emplace(module, control_ ? &*control_ : nullptr, interface, survey.needs, arena);
    ModuleUses& uses = survey.uses;
    uses.has_atomics = zeroed<uint8_t>(arena, module.resources.size());
    uses.is_read = zeroed<uint8_t>(arena, module.resources.size());
    uses.is_written = zeroed<uint8_t>(arena, module.resources.size());
    uses.shared_atomics = zeroed<uint8_t>(arena, module.shared.size());
    live_ = static_cast<Instruction*>(
        arena.allocate((module.code.size() + 1) * sizeof(Instruction), alignof(Instruction)));
    live_[module.code.size()] = {};
  }

  void run() {
    const uint32_t first = walk() - static_cast<uint32_t>(entry_reads_.size());
    std::reverse_copy(entry_reads_.begin(), entry_reads_.end(), live_ + first);
    survey_.code = {live_ + first, module_.code.size() - first};
    ModuleUses& uses = survey_.uses;
    std::reverse(uses.constant_loads.begin(), uses.constant_loads.end());
    for (uint32_t& index : uses.constant_loads) index -= first;
    if (control_) survey_.control = control_->finish(first);
    survey_.types = types_->finish(uses);
  }

 private:
  static uint16_t* make_needs(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena,
                              ValueNeeds& needs) {
    const size_t count = module.values.size();
    needs.flags = zeroed<uint16_t>(arena, count);
    using Source = ValueNeeds::Source;
    needs.source = {static_cast<Source*>(arena.allocate(count * sizeof(Source), alignof(Source))), count};
    return needs.flags.data();
  }

  /// Notes what users must know about their operands before the walk comes to those.
  void find_sources() {
    const uint32_t count = static_cast<uint32_t>(module_.code.size());
    for (uint32_t i = 0; i < count; ++i) {
      const Instruction& instruction = module_.code[i];
      const Plan plan = kPlans[static_cast<uint32_t>(instruction.op)];
      if ((plan.steps & (Plan::kSource | Plan::kControl)) == 0) continue;
      if (plan.has(Plan::kControl)) {
        markers_.push_back(i);
        has_loops_ |= instruction.op == Op::loop;
        continue;
      }
      const Value* const operands = module_.operands.data() + instruction.first_operand;
      if (instruction.op == Op::fneg) {
        flags_[instruction.first_result] |= ValueNeeds::kNegation;
        survey_.needs.source[instruction.first_result].negated = operands[0];
      } else if (module_.is_constant(operands[1])) {
        flags_[instruction.first_result] |= ValueNeeds::kMaximum;
        survey_.needs.source[instruction.first_result].maximum = i;
      }
    }
  }

  /// Copies what is needed to the end of live_. Returns the index of the first one there.
  uint32_t walk() {
    const Instruction* const code = module_.code.data();
    const Value* const all_operands = module_.operands.data();
    // Copies: what is written through the pointers may be anything, as far as the compiler knows.
    Instruction* const live = live_;
    Kind* const kinds = types_->kinds().data();
    uint16_t* const flags = flags_;
    uint64_t* const tallies = types_->tallies().data();
    const bool all_exact = !module_.refactoring_allowed;
    uint32_t first_live = static_cast<uint32_t>(module_.code.size());
    for (uint32_t i = first_live; i-- != 0;) {
      const Instruction& instruction = code[i];
      const Plan& plan = kPlans[static_cast<uint32_t>(instruction.op)];
      const Value first = instruction.first_result;
      if (plan.has(Plan::kControl)) {
        if (control_ && !control_->stays(i)) continue;
        if (ir::opens_construct(instruction.op) && !has_loops_) {
          const uint32_t leftover = leftover_markers(instruction.op, first_live);
          first_live += leftover;
          if (leftover != 0) {
            control_->forget(i);
            continue;
          }
        }
        live[--first_live] = instruction;
        visit_control(i, first_live);
        continue;
      }
      if (!note_results(first, instruction.result_count, tallies, flags) && !plan.has(Plan::kStays)) continue;
      const uint16_t how =
          plan.has(Plan::kHasLanes) ? use_of(&instruction, i == 0, live[first_live], all_exact) : plan.others;
      live[--first_live] = instruction;
      if (plan.has(Plan::kHasKind)) kinds[first] = plan.result;
      if (plan.has(Plan::kInexact) && (all_exact || instruction.has(ir::kPrecise)))
        flags[first] |= ValueNeeds::kExact;
      if ((plan.steps & Plan::kRest) != 0) {
        if (plan.has(Plan::kUsesModule) && module_.stage != ir::Stage::hull && reads_entry(instruction)) {
          ++first_live;
          entry_reads_.push_back(instruction);
        }
        if (visit_rest(i, first_live, plan, how)) continue;
      }
      const Value* const operands = all_operands + instruction.first_operand;
      for (const Value *o = operands, *end = operands + instruction.operand_count; o != end; ++o) {
        tallies[*o] += plan.operand;
        flags[*o] |= how;
      }
    }
    return first_live;
  }

  /// What few instructions need. Returns true if they do not take their operands as they are.
  [[gnu::noinline]] bool visit_rest(uint32_t i, uint32_t position, const Plan& plan, uint16_t how) {
    const Instruction& instruction = module_.code[i];
    // Without results there is no first one to point at.
    if (plan.has(Plan::kHasKinds) && instruction.result_count != 0)
      std::fill_n(types_->kinds().data() + instruction.first_result, instruction.result_count, plan.result);
    if (plan.has(Plan::kUsesModule)) note_use(instruction, position);
    if (plan.has(Plan::kTouchesOutputs) && control_) control_->touch_outputs();
    if (plan.has(Plan::kOpen)) types_->visit(i);
    if (plan.has(Plan::kTakesVectors)) note_vectors(instruction);
    if (!plan.has(Plan::kOwnNeeds)) return false;
    return note_needs(instruction, module_.operands.data() + instruction.first_operand, plan.operand, how);
  }

  /// How arithmetic, in the list before `after`, takes its operands: neighbors of its source instruction with
  /// the same operation are likely to become one instruction with it, and nothing is said of what it was
  /// expanded to otherwise.
  uint16_t use_of(const Instruction* at, bool is_first, const Instruction& after, bool all_exact) const {
    const Instruction& instruction = *at;
    const Instruction& before = at[is_first ? 0 : -1];
    const bool with_next = after.location == instruction.location;
    const bool with_last = !is_first && before.location == instruction.location;
    if (!with_next && !with_last) return ValueNeeds::kAlone;
    const bool next_is_lane = with_next && after.op == instruction.op;
    if (!next_is_lane && !(with_last && before.op == instruction.op)) return 0;
    if (instruction.op != Op::ffma) return ValueNeeds::kTogether;
    // Sums of products are lanes only as a dot product.
    const bool is_chain = next_is_lane
                              ? module_.operands[after.first_operand + 2] == instruction.first_result
                              : module_.operands[instruction.first_operand + 2] == before.first_result;
    const bool is_exact = all_exact || instruction.has(ir::kPrecise);
    return is_chain && is_exact ? ValueNeeds::kAlone : ValueNeeds::kTogether;
  }

  /// Coordinates with the layer, derivatives and the components of a texel are taken as vectors.
  void note_vectors(const Instruction& instruction) {
    const auto bits = [](ir::Slot first, uint32_t count) {
      return ((1u << count) - 1) << static_cast<uint32_t>(first);
    };
    const uint32_t slots = module_.access_of(instruction).slots;
    const uint32_t place = slots & (bits(ir::Slot::coordinate0, 3) | bits(ir::Slot::layer, 1));
    uint32_t vectors = bits(ir::Slot::value0, 4);
    if (std::popcount(place) > 1) vectors |= place | bits(ir::Slot::ddx0, 3) | bits(ir::Slot::ddy0, 3);
    uint32_t rest = slots;
    for (const Value value : module_.operands_of(instruction)) {
      flags_[value] |= (rest & -rest & vectors) != 0 ? ValueNeeds::kTogether : ValueNeeds::kAlone;
      rest &= rest - 1;
    }
  }

  /// All users have been visited. Returns whether there are any.
  [[gnu::always_inline]] static bool note_results(Value first, uint32_t count, const uint64_t* tallies,
                                                  uint16_t* flags) {
    const auto note = [&](Value result, uint32_t uses) {
      flags[result] |= uses == 1 ? ValueNeeds::kUsed : ValueNeeds::kUsed | ValueNeeds::kShared;
      return true;
    };
    if (count == 1) {
      const uint32_t uses = uses_in(tallies[first]);
      return uses != 0 && note(first, uses);
    }
    bool any = false;
    for (Value result = first; result != first + count; ++result) {
      const uint32_t uses = uses_in(tallies[result]);
      any |= uses != 0 && note(result, uses);
    }
    return any;
  }

  bool is_live(Value result) const { return control_->is_live(result, survey_.needs.is_used(result)); }

  /// Of an if or a switch whose marker the walk has come to, and behind which the new list starts at `first`:
  /// how many markers and jumps are all that is left of it. 0: it is needed. Where there are loops,
  /// ControlWalk::stays() has told that before.
  uint32_t leftover_markers(Op opening, uint32_t first) const {
    uint32_t count = 0;
    const auto op = [&] { return live_[first + count].op; };
    if (opening == Op::if_) {
      count += op() == Op::else_ ? 1 : 0;
      if (op() != Op::endif) return 0;
    } else {
      while (op() == Op::case_ || op() == Op::default_ || op() == Op::break_) ++count;
      if (op() != Op::endswitch) return 0;
    }
    return live_[first + count].result_count == 0 ? count + 1 : 0;
  }

  /// A marker or a jump, which stays.
  void visit_control(uint32_t index, uint32_t position) {
    const Instruction& instruction = module_.code[index];
    if (!control_) return;  // the return at the end
    if (!note_results(instruction.first_result, instruction.result_count, types_->tallies().data(), flags_))
      live_[position].result_count = 0;
    types_->visit(index);
    const auto operands = module_.operands_of(instruction);
    const uint32_t receiver = control_->receiver(index);
    for (uint32_t o = 0; o < operands.size(); ++o) {
      if (receiver == kNoIndex || is_live(module_.code[receiver].first_result + o)) {
        types_->tallies()[operands[o]] += tally(0);
        flags_[operands[o]] |= ValueNeeds::kAlone;
      }
    }
    control_->visit(index, position);
  }

  /// Records the needs of these operations if they do not take their operands as they are.
  bool note_needs(const Instruction& instruction, const Value* operands, uint64_t each, uint16_t how) {
    const auto take = [&](std::initializer_list<Value> values) {
      for (const Value value : values) {
        types_->tallies()[value] += each;
        flags_[value] |= how;
      }
      return true;
    };
    const ValueNeeds& needs = survey_.needs;
    if (instruction.op == Op::fadd) {
      const ValueNeeds::Addends sum = needs.addends({operands, 2});
      return take({sum.values[0], sum.values[1]});
    }
    const Instruction* const maximum = needs.clamped_maximum(module_, instruction);
    if (maximum == nullptr) return false;
    const auto bounded = module_.operands_of(*maximum);
    return take({bounded[0], bounded[1], operands[1]});
  }

  void note_use(const Instruction& instruction, uint32_t position) {
    ModuleUses& uses = survey_.uses;
    const Op op = instruction.op;
    if (op == Op::cb_load) uses.constant_loads.push_back(position);
    if (op == Op::shared_atomic) uses.shared_atomics[instruction.payload / 16] = 1;
    if (!ir::info(op).has(ir::kResource)) return;
    const uint16_t resource = module_.access_of(instruction).resource;
    if (op == Op::buf_atomic || op == Op::surf_atomic)
      uses.has_atomics[resource] = uses.is_read[resource] = uses.is_written[resource] = 1;
    if (op == Op::buf_load || op == Op::surf_load) uses.is_read[resource] = 1;
    if (op == Op::buf_store || op == Op::surf_store) uses.is_written[resource] = 1;
  }

  const ir::Module& module_;
  Survey& survey_;
  uint16_t* const flags_;  // of survey_.needs
  std::optional<ControlWalk> control_;
  std::optional<TypeInference> types_;
  Instruction* live_ = nullptr;
  ArenaBuffer<Instruction> entry_reads_;  // from the last one on
  ArenaBuffer<uint32_t> markers_;         // and jumps: their indices
  bool has_loops_ = false;
};

}  // namespace

void survey(const ir::Module& module, const InterfaceElements& interface,
            std::pmr::monotonic_buffer_resource& arena, Survey& survey) {
  Surveyor(module, interface, arena, survey).run();
}

}  // namespace texlate::spirv
