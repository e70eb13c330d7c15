#include "sim/ir/decode.h"

#include "ir/reachability.h"

namespace texlate::sim {

namespace {

using ir::Op;

class Decoder {
 public:
  explicit Decoder(const ir::Module& module) : module_(module) {}

  Program run() {
    assign_rows();
    find_constructs();
    for (uint32_t i = 0; i < module_.code.size(); ++i) add_step(i);
    resolve_jumps();
    return std::move(program_);
  }

 private:
  uint32_t row(ir::Value value) const { return program_.row_of[value]; }
  uint32_t words(ir::Value value) const { return module_.values[value].type == ir::Type::b64 ? 2 : 1; }

  void assign_rows() {
    uint32_t next = 0;
    for (ir::Value value = 0; value < module_.values.size(); ++value) {
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

  void find_constructs() {
    std::vector<uint32_t> open;
    construct_of_.assign(module_.code.size(), 0);
    levels_.assign(module_.code.size(), 0);
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      const ir::Instruction& instruction = module_.code[i];
      const Op op = instruction.op;
      if (ir::opens_construct(op)) {
        open.push_back(static_cast<uint32_t>(program_.constructs.size()));
        program_.constructs.push_back({op, i, i, {}});
      }
      if (!open.empty()) construct_of_[i] = open.back();
      if (op == Op::case_ && !open.empty())
        program_.constructs[open.back()].case_values.push_back(instruction.payload);
      if (op == Op::break_ || op == Op::continue_) {
        for (size_t n = open.size(); n-- > 0;) {
          const Op kind = program_.constructs[open[n]].op;
          if (kind == Op::loop || (kind == Op::switch_ && op == Op::break_)) {
            construct_of_[i] = open[n];
            levels_[i] = static_cast<uint32_t>(open.size() - 1 - n);
            break;
          }
        }
      }
      if (ir::closes_construct(op)) {
        program_.constructs[open.back()].end = i;
        open.pop_back();
      }
    }
  }

  // Copies operands to the results of another instruction; true if some row is both read and written.
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
    step.construct = construct_of_[index];
    step.levels = levels_[index];
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
    const Construct* construct = program_.constructs.empty() ? nullptr : &program_.constructs[step.construct];
    switch (instruction.op) {
      case Op::loop: add_copies(instruction, index, first, count); break;
      case Op::else_:
      case Op::endif:
      case Op::break_: step.parallel_copy = add_copies(instruction, construct->end, first, count); break;
      case Op::endloop:
      case Op::continue_: step.parallel_copy = add_copies(instruction, construct->begin, first, count); break;
      default: break;
    }
    step.first_copy = first;
    step.copy_count = count;
    program_.steps.push_back(step);
  }

  // Backwards, so that the marker that ends the region around each instruction is known.
  void resolve_jumps() {
    const uint32_t end = static_cast<uint32_t>(program_.steps.size());
    std::vector<uint32_t> next_marker = {end};
    for (uint32_t i = end; i-- > 0;) {
      Step& step = program_.steps[i];
      switch (step.op) {
        case Op::endif:
        case Op::endloop:
        case Op::endswitch:
          step.jump =
              step.op == Op::endloop ? program_.constructs[step.construct].begin + 1 : next_marker.back();
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
        default: step.jump = next_marker.back(); break;
      }
    }
  }

  const ir::Module& module_;
  Program program_;
  std::vector<bool> used_;
  std::vector<uint32_t> construct_of_, levels_;  // by instruction
};

}  // namespace

Program decode(const ir::Module& module) {
  return Decoder(module).run();
}

}  // namespace texlate::sim
