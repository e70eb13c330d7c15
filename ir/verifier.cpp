#include "ir/verifier.h"

#include <algorithm>

#include "ir/spelling.h"
#include "ir/structure.h"
#include "ir/verifier_report.h"

namespace texlate::ir {

namespace {

class Verifier {
 public:
  Verifier(const Module& module, Diagnostics& diagnostics, Form form)
      : module_(module),
        diagnostics_(diagnostics),
        report_(module, diagnostics),
        scratch_(module.memory()),
        form_(form),
        state_(module.values.size(), State::undefined, &scratch_),
        live_(&scratch_),
        open_(&scratch_),
        case_values_(&scratch_) {}

  bool run() {
    const uint32_t errors_before = diagnostics_.error_count();
    for (size_t i = 0; i < module_.code.size() && !diagnostics_.full(); ++i) {
      const Instruction& instruction = module_.code[i];
      report_.at(instruction, i);
      // If the markers do not match, nothing that follows can be checked.
      if (!shape(instruction) || !structure(i)) return false;
    }
    if (!open_.empty()) report_.broken("structure", "{} constructs are not closed", open_.size());
    return diagnostics_.error_count() == errors_before;
  }

 private:
  enum class State : uint8_t { undefined, defined, left };

  /// Own stack instead of ir::Structure: the markers need not match here.
  struct Open {
    Op op;
    size_t index;      // of the opening marker
    size_t live_mark;  // values of the current region start here in live_
    bool entry;        // whether the construct is reached
    bool has_else = false;
    bool has_default = false;
    size_t case_mark = 0;       // switch: its case values start here in case_values_
    size_t first_exit = kNone;  // instruction whose operands are the results: a reachable break, or the else
  };
  static constexpr size_t kNone = ~size_t{0};

  // ---- one instruction by itself ----

  bool shape(const Instruction& instruction) {
    if (static_cast<uint32_t>(instruction.op) >= kOpCount)
      return report_.broken("operation", "not in the ops table");
    if (instruction.location > module_.locations.size())
      return report_.broken("location", "its location is not in the module");
    if (size_t{instruction.first_operand} + instruction.operand_count > module_.operands.size()) {
      return report_.broken("operands", "its operands are outside the pool");
    }
    if (instruction.result_count != 0 &&
        size_t{instruction.first_result} + instruction.result_count > module_.values.size()) {
      return report_.broken("results", "its results are not values of the module");
    }
    for (const Value operand : module_.operands_of(instruction)) {
      if (operand >= module_.values.size())
        return report_.broken("operands", "an operand is not a value of the module");
    }
    const OpInfo& operation = info(instruction.op);
    const bool receives = operation.passes_results();
    const bool passes = receives || instruction.op == Op::else_ || operation.has(kTerminator);
    if (form_ == Form::registers && passes &&
        (instruction.operand_count != 0 || instruction.result_count != 0)) {
      return report_.broken("registers", "constructs pass no values before SSA construction");
    }
    if (operation.payload == Payload::access) {
      if (instruction.payload >= module_.accesses.size()) return report_.broken("payload", "no such access");
      if (module_.access_of(instruction).operand_count() != instruction.operand_count) {
        return report_.broken("operands", "{} operands for {} slots", instruction.operand_count,
                              module_.access_of(instruction).operand_count());
      }
    }
    if (!operand_types(instruction) || !result_types(instruction)) return false;
    operands_defined(instruction);
    if (operation.payload == Payload::access) {
      verify_access(module_, instruction, report_);
    } else {
      payload(instruction);
    }
    return true;
  }

  bool same_type(Value value, Type type, size_t position, std::string_view what) {
    const Type found = module_.values[value].type;
    return found == type ||
           report_.broken("types", "{} {} is {}, not {}", what, position, spelling(found), spelling(type));
  }

  bool operand_types(const Instruction& instruction) {
    const OpInfo& operation = info(instruction.op);
    auto operands = module_.operands_of(instruction);
    if (instruction.has(kGuarded)) {
      if (operation.family != Family::memory || instruction.op == Op::cb_rows || operands.empty())
        return report_.broken("operands", "cannot have a guard");
      if (!same_type(operands.back(), Type::b1, operands.size() - 1, "operand")) return false;
      operands = operands.first(operands.size() - 1);
    }
    std::string_view letters = operation.operands;
    const bool open_ended = letters.ends_with('*');
    if (open_ended) letters.remove_suffix(2);
    if (operands.size() < letters.size() || (!open_ended && operands.size() > letters.size())) {
      return report_.broken("operands", "has {} operands, needs {}{}", operands.size(), letters.size(),
                            open_ended ? " or more" : "");
    }
    bool good = true;
    for (size_t i = 0; i < operands.size(); ++i) {
      if (i < letters.size()) {
        good &= same_type(operands[i], type_of_letter(letters[i]), i, "operand");
      } else if (operation.payload == Payload::access) {
        const ResourceAccess& access = module_.access_of(instruction);
        const bool is_guard = i == 0 && access.has(Slot::guard);
        const bool is_address = access.has(Slot::address) && i == access.position(Slot::address);
        good &= same_type(operands[i],
                          is_guard     ? Type::b1
                          : is_address ? Type::b64
                                       : Type::b32,
                          i, "operand");
      } else if (!operation.has(kControl)) {
        good &= same_type(operands[i], Type::b32, i, "operand");
      }
    }
    return good & operand_count(instruction);
  }

  /// Operations whose number of operands the table leaves open.
  bool operand_count(const Instruction& instruction) {
    const uint32_t count = instruction.operand_count - (instruction.has(kGuarded) ? 1 : 0);
    const uint32_t flagged =
        (instruction.has(kVertexOperand) ? 1 : 0) + (instruction.has(kIndexOperand) ? 1 : 0);
    uint32_t least = 0;
    uint32_t most = UINT32_MAX;
    switch (instruction.op) {
      case Op::input:
      case Op::patch_input:
      case Op::output_control_point: least = most = flagged; break;
      case Op::output:
      case Op::patch_output: least = most = flagged + 1; break;
      case Op::cb_load: least = 1, most = 2; break;
      case Op::cb_rows: most = 1; break;
      case Op::binding:
      case Op::bound:
      case Op::address: most = 1; break;
      case Op::shared_atomic:
        least = most = static_cast<AtomicOp>(instruction.payload % 16) == AtomicOp::compare_exchange ? 3 : 2;
        break;
      default: break;
    }
    if (count >= least && count <= most) return true;
    return report_.broken("operands", "has {} operands, needs {}{}", count, least,
                          least == most ? "" : " or more");
  }

  bool result_types(const Instruction& instruction) {
    const std::string_view letters = info(instruction.op).results;
    if (info(instruction.op).passes_results()) return true;
    const bool feedback =
        info(instruction.op).payload == Payload::access && module_.access_of(instruction).feedback;
    if (instruction.result_count != letters.size() + (feedback ? 1 : 0)) {
      return report_.broken("results", "has {} results, needs {}", instruction.result_count,
                            letters.size() + (feedback ? 1 : 0));
    }
    bool good = true;
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const Type type = i < letters.size() ? type_of_letter(letters[i]) : Type::b32;
      good &= same_type(instruction.first_result + i, type, i, "result");
    }
    return good;
  }

  void operands_defined(const Instruction& instruction) {
    size_t position = 0;
    for (const Value operand : module_.operands_of(instruction)) {
      if (!module_.values[operand].is_constant && state_[operand] != State::defined) {
        report_.broken("dominance", "operand {} is {}", position,
                       state_[operand] == State::left ? "defined in a region that was left"
                                                      : "used before it is defined");
      }
      ++position;
    }
  }

  void in_range(std::string_view what, uint32_t index, size_t count) {
    if (index >= count) report_.broken("payload", "{} {} does not exist: there are {}", what, index, count);
  }

  void payload(const Instruction& instruction) {
    const uint32_t payload = instruction.payload;
    switch (info(instruction.op).payload) {
      case Payload::reg:
        if (instruction.op != Op::reg_load && instruction.op != Op::reg_store) break;
        if (form_ == Form::ssa) {
          report_.broken("ssa", "registers are values after SSA construction");
        } else {
          in_range("register", payload / 4, module_.register_count);
        }
        break;
      case Payload::constant_buffer:
        in_range("constant buffer", payload, module_.constant_buffers.size());
        break;
      case Payload::table: in_range("table", payload, module_.tables.size()); break;
      case Payload::local: in_range("local array", payload / 4, module_.locals.size()); break;
      case Payload::shared: in_range("shared array", payload, module_.shared.size()); break;
      case Payload::shared_atomic:
        in_range("shared array", payload / 16, module_.shared.size());
        in_range("atomic operation", payload % 16, static_cast<size_t>(AtomicOp::compare_exchange) + 1);
        break;
      case Payload::value:
        if (instruction.op == Op::specialized)
          in_range("specialization constant", payload, module_.specialized.size());
        break;
      case Payload::binding_query: query(instruction); break;
      case Payload::phase: in_range("phase", payload, module_.phases.size()); break;
      case Payload::text: in_range("text", payload, module_.names.size()); break;
      case Payload::barrier:
        if (payload > 0xf) report_.broken("payload", "barrier flags {:#x}", payload);
        break;
      default: break;
    }
  }

  void query(const Instruction& instruction) {
    const BindingQuery query = BindingQuery::unpack(instruction.payload);
    if (spelling(query.fact).empty()) {
      report_.broken("payload", "no such property of a binding");
      return;
    }
    if (query.is_sampler_fact()) {
      in_range("sampler", query.resource, module_.samplers.size());
    } else {
      in_range("resource", query.resource, module_.resources.size());
    }
    if ((instruction.op != Op::binding) != query.is_address())
      report_.broken("payload", "`bound` and `address` are for what has an address, `binding` for numbers");
  }

  // ---- markers, regions, definitions ----

  void define(const Instruction& instruction) {
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const Value result = instruction.first_result + i;
      if (module_.values[result].is_constant || state_[result] != State::undefined) {
        report_.broken("single definition", "result {} is already defined", i);
        continue;
      }
      state_[result] = State::defined;
      live_.push_back(result);
    }
  }

  /// The values of the current region cannot be used any more.
  void leave_region() {
    Open& open = open_.back();
    for (size_t i = open.live_mark; i < live_.size(); ++i) state_[live_[i]] = State::left;
    live_.resize(open.live_mark);
  }

  bool inside(Op op, std::string_view marker) {
    if (!open_.empty() && open_.back().op == op) return true;
    return report_.broken("structure", "is outside {}", marker);
  }

  /// Do the operands have the number and types of another instruction's results?
  bool passes(const Instruction& instruction, const Instruction& receiver, std::string_view what) {
    if (instruction.operand_count != receiver.result_count) {
      return report_.broken("yields", "{} values are passed, but {} has {} results",
                            instruction.operand_count, what, receiver.result_count);
    }
    const auto operands = module_.operands_of(instruction);
    for (size_t i = 0; i < operands.size(); ++i) {
      const Type type = module_.values[receiver.first_result + i].type;
      if (!same_type(operands[i], type, i, "passed value")) return false;
    }
    return true;
  }
  void passes_nothing(const Instruction& instruction) {
    if (instruction.operand_count != 0) report_.broken("yields", "an end that is not reached passes values");
  }

  bool structure(size_t index) {
    const Instruction& instruction = module_.code[index];
    const Op op = instruction.op;
    if (!reachable_ && form_ == Form::ssa && !bounds_region(op)) {
      report_.broken("unreachable", "nothing may follow a jump in its region");
    }
    if (op != Op::phase) hull_phase(instruction);
    switch (op) {
      case Op::if_:
      case Op::loop:
      case Op::switch_: enter(instruction, index); return true;
      case Op::else_: return else_marker(index);
      case Op::endif: return endif(instruction);
      case Op::endloop: return endloop(instruction);
      case Op::case_:
      case Op::default_: return label(index);
      case Op::endswitch: return endswitch(instruction);
      case Op::break_: return break_out(index);
      case Op::continue_: return continue_loop(instruction);
      case Op::return_: reachable_ = false; return true;
      case Op::phase:
        if (!open_.empty()) return report_.broken("structure", "a phase starts inside a construct");
        for (const Value value : live_) state_[value] = State::left;
        live_.clear();
        reachable_ = true;
        phase_ = instruction.payload;
        return true;
#define IR_COVERED_control
#include "ir/op_cases.inc"
        define(instruction);
        return true;
    }
    return true;
  }

  /// A hull shader's code is in phases, unless a target has lowered them; each kind writes its own outputs.
  void hull_phase(const Instruction& instruction) {
    if (module_.stage != Stage::hull) {
      if (instruction.op == Op::patch_output)
        report_.broken("phase", "only hull shaders can write patch constants");
      return;
    }
    if (module_.phases.empty()) return;
    if (phase_ >= module_.phases.size()) {
      report_.broken("phase", "the code of a hull shader must be in phases");
      return;
    }
    const bool control_point = module_.phases[phase_].kind == HullPhase::control_point;
    if (instruction.op == Op::output && !control_point)
      report_.broken("phase", "only the control-point phase can write control points");
    if (instruction.op == Op::patch_output && control_point)
      report_.broken("phase", "only fork and join phases can write patch constants");
  }

  void enter(const Instruction& instruction, size_t index) {
    if (instruction.op == Op::loop && reachable_) passes(instruction, instruction, "the loop");
    Open open{instruction.op, index, live_.size(), reachable_};
    open.case_mark = case_values_.size();
    open_.push_back(open);
    define(instruction);
    if (instruction.op == Op::switch_) reachable_ = false;  // until the first label
  }

  bool else_marker(size_t index) {
    if (!inside(Op::if_, "an if")) return false;
    Open& open = open_.back();
    if (open.has_else) return report_.broken("structure", "the second else of its if");
    open.has_else = true;
    if (reachable_) open.first_exit = index;
    if (!reachable_) passes_nothing(module_.code[index]);
    leave_region();
    reachable_ = open.entry;
    return true;
  }

  bool endif(const Instruction& instruction) {
    if (!inside(Op::if_, "an if")) return false;
    const Open open = open_.back();
    if (!open.has_else) return report_.broken("structure", "every if must have an else");
    if (open.first_exit != kNone) passes_to(open.first_exit, instruction);
    if (reachable_) passes(instruction, instruction, "it");
    if (!reachable_) passes_nothing(instruction);
    reachable_ = reachable_ || open.first_exit != kNone;
    close(instruction);
    return true;
  }

  bool endloop(const Instruction& instruction) {
    if (!inside(Op::loop, "a loop")) return false;
    const Open open = open_.back();
    if (reachable_) passes(instruction, module_.code[open.index], "the loop");
    if (!reachable_) passes_nothing(instruction);
    exit(open, instruction);
    return true;
  }

  bool endswitch(const Instruction& instruction) {
    if (!inside(Op::switch_, "a switch")) return false;
    const Open open = open_.back();
    if (!open.has_default) report_.broken("structure", "every switch must have a default");
    no_fall_through(instruction);
    const auto values = std::span(case_values_).subspan(open.case_mark);
    std::ranges::sort(values);
    if (std::ranges::adjacent_find(values) != values.end())
      report_.broken("structure", "two cases with the same value");
    case_values_.resize(open.case_mark);
    exit(open, instruction);
    return true;
  }

  /// Loop or switch: results come from the breaks.
  void exit(const Open& open, const Instruction& instruction) {
    if (open.first_exit != kNone) passes_to(open.first_exit, instruction);
    reachable_ = open.first_exit != kNone;
    close(instruction);
  }

  void close(const Instruction& instruction) {
    if (!reachable_ && instruction.result_count != 0) {
      report_.broken("yields", "a construct that is never left has results");
    }
    leave_region();
    open_.pop_back();
    define(instruction);
  }

  /// Reports at the instruction that passes the values, not at the construct's end.
  void passes_to(size_t from, const Instruction& receiver) {
    const size_t at = static_cast<size_t>(&receiver - module_.code.data());
    report_.at(module_.code[from], from);
    passes(module_.code[from], receiver, info(receiver.op).text);
    report_.at(receiver, at);
  }

  void no_fall_through(const Instruction& instruction) {
    const Instruction* previous = &instruction - 1;  // there is one: the switch
    if (reachable_ && previous->op != Op::case_ && previous->op != Op::default_) {
      report_.broken("structure", "the previous arm falls through");
    }
  }

  bool label(size_t index) {
    if (!inside(Op::switch_, "a switch")) return false;
    Open& open = open_.back();
    const Instruction& instruction = module_.code[index];
    no_fall_through(instruction);
    if (instruction.op == Op::default_) {
      if (open.has_default) report_.broken("structure", "the second default of its switch");
      open.has_default = true;
    } else {
      case_values_.push_back(instruction.payload);
    }
    leave_region();
    reachable_ = open.entry;
    return true;
  }

  bool break_out(size_t index) {
    const Instruction& instruction = module_.code[index];
    for (size_t i = open_.size(); i-- > 0;) {
      if (open_[i].op == Op::if_) continue;
      if (reachable_ && open_[i].first_exit == kNone) {
        open_[i].first_exit = index;
      } else if (reachable_) {
        same_as_first(instruction, module_.code[open_[i].first_exit]);
      }
      reachable_ = false;
      return true;
    }
    return report_.broken("structure", "is outside a loop or switch");
  }

  /// All breaks of a construct pass values of the same types.
  void same_as_first(const Instruction& instruction, const Instruction& first) {
    const auto operands = module_.operands_of(instruction);
    const auto expected = module_.operands_of(first);
    if (operands.size() != expected.size()) {
      report_.broken("yields", "{} values are passed, but the first break passes {}", operands.size(),
                     expected.size());
      return;
    }
    for (size_t i = 0; i < operands.size(); ++i) {
      same_type(operands[i], module_.values[expected[i]].type, i, "passed value");
    }
  }

  bool continue_loop(const Instruction& instruction) {
    for (size_t i = open_.size(); i-- > 0;) {
      if (open_[i].op != Op::loop) continue;
      if (reachable_) passes(instruction, module_.code[open_[i].index], "the loop");
      reachable_ = false;
      return true;
    }
    return report_.broken("structure", "is outside a loop");
  }

  const Module& module_;
  Diagnostics& diagnostics_;
  VerifierReport report_;
  std::pmr::monotonic_buffer_resource scratch_;
  Form form_;
  bool reachable_ = true;
  uint32_t phase_ = UINT32_MAX;  // the hull phase that the instruction is in
  std::pmr::vector<State> state_;
  std::pmr::vector<Value> live_;  // values defined in open regions, in order
  std::pmr::vector<Open> open_;
  std::pmr::vector<uint32_t> case_values_;
};

}  // namespace

bool verify(const Module& module, Diagnostics& diagnostics, Form form) {
  return Verifier(module, diagnostics, form).run();
}

}  // namespace texlate::ir
