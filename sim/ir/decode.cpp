#include "sim/ir/decode.h"

#include "ir/structure.h"

namespace texlate::sim {

namespace {

using ir::Op;

class Decoder {
 public:
  explicit Decoder(const ir::Module& module)
      : module_(module), structure_(module, std::pmr::get_default_resource()) {}

  Program run() {
    assign_rows();
    find_case_values();
    for (uint32_t i = 0; i < module_.code.size(); ++i) add_step(i);
    resolve_jumps();
    return std::move(program_);
  }

 private:
  uint32_t row(ir::Value value) const { return program_.row_of[value]; }
  uint32_t words(ir::Value value) const { return module_.values[value].type == ir::Type::b64 ? 2 : 1; }

  void assign_rows() {
    uint32_t next = 0;
    for (const ir::Value value : Indices<ir::Value>(module_.values)) {
      program_.row_of.push_back(next);
      const ir::ValueInfo& info = module_.values[value];
      if (info.is_constant) program_.constants.push_back({next, info.bits, info.type});
      next += words(value);
    }
    program_.first_register_row = next;
    program_.row_count = next + module_.register_count * 4;
    used_.assign(module_.values.size(), false);
    for (const ir::Instruction& instruction : module_.code) {
      for (ir::Value operand : module_.operands_of(instruction)) used_[operand] = true;
    }
  }

  void find_case_values() {
    program_.case_values.resize(structure_.constructs().size());
    for (uint32_t c = 0; c < program_.case_values.size(); ++c) {
      for (uint32_t i = structure_[c].first_arm; i != ir::Structure::kNoIndex; i = structure_.next(i)) {
        if (module_.code[i].op == Op::case_) program_.case_values[c].push_back(module_.code[i].payload);
      }
    }
  }

  // Copies operands to the results of another instruction. Returns true if some row is both read and written.
  bool add_copies(const ir::Instruction& from, uint32_t results_of, uint32_t& first, uint32_t& count) {
    const ir::Instruction& to = module_.code[results_of];
    const auto operands = module_.operands_of(from);
    first = static_cast<uint32_t>(program_.copies.size());
    for (uint32_t i = 0; i < operands.size() && i < to.result_count; ++i) {
      const ir::Value result = to.first_result + i;
      if (!used_[result] || operands[i] == result) continue;
      program_.copies.push_back({row(operands[i]), row(result), words(result)});
    }
    count = static_cast<uint32_t>(program_.copies.size()) - first;
    for (uint32_t i = 0; i < count; ++i) {
      for (uint32_t j = 0; j < count; ++j) {
        if (program_.copies[first + i].from == program_.copies[first + j].to) return true;
      }
    }
    return false;
  }

  void add_step(uint32_t index) {
    const ir::Instruction& instruction = module_.code[index];
    Step step;
    step.op = instruction.op;
    step.flags = instruction.flags;
    step.payload = instruction.payload;
    step.source = index;
    step.construct = structure_.construct_of(index);
    if (step.op == Op::break_ || step.op == Op::continue_)
      step.levels = structure_[structure_.around(index)].depth - structure_.of(index).depth;
    step.pure = pure_function(instruction.op);
    if (instruction.result_count != 0) {
      step.result = row(instruction.first_result);
      step.result_used = false;
      for (uint32_t i = 0; i < instruction.result_count; ++i) {
        step.result_used = step.result_used || used_[instruction.first_result + i];
      }
    }
    auto operands = module_.operands_of(instruction);
    if (instruction.has(ir::kGuarded)) {
      step.guard = row(operands.back());
      operands = operands.first(operands.size() - 1);
    }
    for (ir::Value operand : operands) {
      if (step.operand_count < 4) step.operand[step.operand_count++] = row(operand);
    }
    uint32_t first = 0, count = 0;
    switch (instruction.op) {
      case Op::loop: add_copies(instruction, index, first, count); break;
      case Op::else_:
      case Op::endif:
      case Op::break_:
        step.parallel_copy = add_copies(instruction, structure_.of(index).end, first, count);
        break;
      case Op::endloop:
      case Op::continue_:
        step.parallel_copy = add_copies(instruction, structure_.of(index).marker, first, count);
        break;
      case Op::if_:
      case Op::switch_:
      case Op::case_:
      case Op::default_:
      case Op::endswitch:
      case Op::return_:
      case Op::phase:
#define IR_COVERED_control
#include "ir/op_cases.inc"
        break;  // they pass no values
    }
    step.first_copy = first;
    step.copy_count = count;
    program_.steps.push_back(step);
  }

  // Backwards, so that the end marker of the region around each instruction is known.
  void resolve_jumps() {
    const uint32_t end = static_cast<uint32_t>(program_.steps.size());
    std::vector<uint32_t> next_marker = {end};
    for (uint32_t i = end; i-- > 0;) {
      Step& step = program_.steps[i];
      switch (step.op) {
        case Op::endif:
        case Op::endloop:
        case Op::endswitch:
          step.jump = step.op == Op::endloop ? structure_[step.construct].marker + 1 : next_marker.back();
          next_marker.push_back(i);
          break;
        case Op::else_:
        case Op::case_:
        case Op::default_:
          step.jump = next_marker.back();
          next_marker.back() = i;
          break;
        case Op::if_:
        case Op::loop:
        case Op::switch_:
          step.jump = next_marker.back();
          next_marker.pop_back();
          break;
        case Op::break_:
        case Op::continue_:
        case Op::return_:
        case Op::phase:
#define IR_COVERED_control
#include "ir/op_cases.inc"
          step.jump = next_marker.back();
          break;
      }
    }
  }

  const ir::Module& module_;
  Program program_;
  std::vector<bool> used_;
  ir::Structure structure_;
};

}  // namespace

Program decode(const ir::Module& module) {
  return Decoder(module).run();
}

}  // namespace texlate::sim
