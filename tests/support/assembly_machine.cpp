#include "tests/support/assembly_machine.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

namespace texlate::test {

using sm4::Instruction;
using sm4::Opcode;
using sm4::Operand;
using sm4::OperandType;
using sm4::RegisterFile;

bool Word::is(uint32_t other) const {
  const float value = std::bit_cast<float>(other);
  switch (known) {
    case Known::exact: return bits == other;
    case Known::nan: return std::isnan(value);
    case Known::close: {
      const float wanted = std::bit_cast<float>(bits);
      return value == wanted || std::fabs(value - wanted) <= slack;
    }
    case Known::open: break;
  }
  return true;
}

std::array<uint32_t, 3> TextureData::size(uint32_t mip) const {
  const bool is_volume = dimension == sm4::ResourceDimension::texture3d;
  const auto smaller = [mip](uint32_t extent) { return std::max(1u, extent >> mip); };
  return {smaller(width), smaller(height), is_volume ? smaller(depth) : depth};
}

void TextureData::fill() {
  texels.resize(mips);
  for (uint32_t mip = 0; mip < mips; ++mip) {
    const auto extent = size(mip);
    texels[mip].resize(size_t{extent[0]} * extent[1] * extent[2] * samples);
  }
}

const std::array<uint32_t, 4>& TextureData::at(uint32_t mip, uint32_t x, uint32_t y, uint32_t z,
                                               uint32_t sample) const {
  const auto extent = size(mip);
  return texels.at(mip).at(((size_t{z} * extent[1] + y) * extent[0] + x) * samples + sample);
}
std::array<uint32_t, 4>& TextureData::at(uint32_t mip, uint32_t x, uint32_t y, uint32_t z, uint32_t sample) {
  return const_cast<std::array<uint32_t, 4>&>(std::as_const(*this).at(mip, x, y, z, sample));
}

AssemblyMachine::AssemblyMachine(const sm4::Program& program, MachineBindings& bindings)
    : program_(program), bindings_(bindings) {
  prepare();
}

void AssemblyMachine::prepare() {
  const auto& code = program_.instructions;
  ends_.assign(code.size(), code.size());
  main_end_ = code.size();
  std::vector<size_t> open;
  for (size_t i = 0; i < code.size(); ++i) {
    const Instruction& instruction = code[i];
    const auto words = program_.words_of(instruction);
    switch (instruction.opcode) {
      case Opcode::if_:
      case Opcode::loop:
      case Opcode::switch_: open.push_back(i); break;
      case Opcode::else_:
        ends_[open.back()] = i;
        open.back() = i;
        break;
      case Opcode::endif:
      case Opcode::endloop:
      case Opcode::endswitch:
        ends_[open.back()] = i;
        open.pop_back();
        break;
      case Opcode::label:
        main_end_ = std::min(main_end_, i);
        labels_[operand(instruction, 0).index[0].immediate] = i;
        break;
      case Opcode::custom_data:
        for (size_t row = 0; row + 4 <= words.size(); row += 4)
          immediate_rows_.push_back({words[row], words[row + 1], words[row + 2], words[row + 3]});
        break;
      case Opcode::dcl_tgsm_raw:
        shared_[operand(instruction, 0).index[0].immediate].words.resize(words[0] / 4);
        break;
      case Opcode::dcl_tgsm_structured: {
        BufferData& buffer = shared_[operand(instruction, 0).index[0].immediate];
        buffer.words_per_element = words[0] / 4;
        buffer.words.resize(size_t{buffer.words_per_element} * words[1]);
        break;
      }
      default: break;
    }
  }
}

void AssemblyMachine::stop(Outcome outcome) {
  if (outcome_ == Outcome::finished) outcome_ = outcome;
}

Outcome AssemblyMachine::run(std::vector<Lane>& lanes) {
  lanes_ = &lanes;
  for (const Instruction& dcl : program_.instructions) {
    const auto words = program_.words_of(dcl);
    for (Lane& lane : lanes) {
      // Registers that were never written are undefined (22.1: registers are not initialized).
      const Vector unwritten{Word::open(), Word::open(), Word::open(), Word::open()};
      if (dcl.opcode == Opcode::dcl_temps) lane.temps.assign(words[0], unwritten);
      if (dcl.opcode == Opcode::dcl_indexable_temp) lane.indexable[words[0]].assign(words[1], unwritten);
    }
  }
  frames_.clear();
  returned_.assign(1, 0);
  steps_ = 0;
  outcome_ = Outcome::finished;
  const Mask all = lanes.size() == 64 ? ~Mask{0} : (Mask{1} << lanes.size()) - 1;
  run(0, main_end_, all);
  return outcome_;
}

/// D3D11.3 functional specification 22.7. Returns the lanes that reach `last`.
AssemblyMachine::Mask AssemblyMachine::run(size_t first, size_t last, Mask mask) {
  for (size_t i = first; i < last && mask != 0 && outcome_ == Outcome::finished; ++i) {
    const Instruction& instruction = program_.instructions[i];
    if (sm4::info(instruction.opcode).has(sm4::kDeclaration)) continue;
    steps_ += static_cast<uint64_t>(std::popcount(mask));
    if (steps_ > kMaxSteps) {
      stop(Outcome::endless);
      return 0;
    }
    switch (instruction.opcode) {
      case Opcode::if_: {
        const Mask taken = test(instruction, operand(instruction, 0), mask);
        const size_t middle = ends_[i];
        const bool has_else = program_.instructions[middle].opcode == Opcode::else_;
        Mask after = run(i + 1, middle, taken);
        after |= has_else ? run(middle + 1, ends_[middle], mask & ~taken) : mask & ~taken;
        mask = after;
        i = has_else ? ends_[middle] : middle;
        break;
      }
      case Opcode::loop: {
        frames_.push_back({0, 0, true});
        Mask turning = mask;
        while (turning != 0 && outcome_ == Outcome::finished) {
          frames_.back().continued = 0;
          turning = run(i + 1, ends_[i], turning) | frames_.back().continued;
          if (++steps_ > kMaxSteps) stop(Outcome::endless);
        }
        mask = frames_.back().broken;
        frames_.pop_back();
        i = ends_[i];
        break;
      }
      case Opcode::switch_:
        mask = run_switch(i, ends_[i], mask);
        i = ends_[i];
        break;
      case Opcode::call: mask = call(operand(instruction, 0), mask); break;
      case Opcode::callc: {
        const Mask taken = test(instruction, operand(instruction, 0), mask);
        mask = call(operand(instruction, 1), taken) | (mask & ~taken);
        break;
      }
      case Opcode::deriv_rtx:
      case Opcode::deriv_rty:
      case Opcode::deriv_rtx_coarse:
      case Opcode::deriv_rty_coarse:
      case Opcode::deriv_rtx_fine:
      case Opcode::deriv_rty_fine: derivative(instruction, mask); break;
      case Opcode::break_:
      case Opcode::breakc:
      case Opcode::continue_:
      case Opcode::continuec:
      case Opcode::ret:
      case Opcode::retc:
      case Opcode::discard: mask = jump(instruction, mask); break;
      case Opcode::sync:  // lanes are in lockstep
      case Opcode::nop: break;
      default:
        for (uint32_t lane = 0; lane < lanes_->size(); ++lane) {
          if ((mask >> lane & 1) == 0 || outcome_ != Outcome::finished) continue;
          if (arithmetic((*lanes_)[lane], instruction) || resource((*lanes_)[lane], instruction)) continue;
          problem_ = sm4::info(instruction.opcode).mnemonic;
          stop(Outcome::unsupported);
        }
    }
  }
  return mask;
}

/// Lanes enter at their label and fall through to the next until they break (22.7, switch).
AssemblyMachine::Mask AssemblyMachine::run_switch(size_t first, size_t last, Mask mask) {
  const Instruction& instruction = program_.instructions[first];
  std::vector<size_t> labels;
  size_t default_label = last;
  for (size_t i = first + 1; i < last; ++i) {
    const Opcode opcode = program_.instructions[i].opcode;
    if (opcode == Opcode::if_ || opcode == Opcode::loop || opcode == Opcode::switch_) {
      i = ends_[i];  // of an if, its else comes first
      while (program_.instructions[i].opcode == Opcode::else_) i = ends_[i];
      continue;
    }
    if (opcode == Opcode::default_) default_label = i;
    if (opcode == Opcode::default_ || opcode == Opcode::case_) labels.push_back(i);
  }
  std::map<size_t, Mask> entering;
  for (uint32_t lane = 0; lane < lanes_->size(); ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const Word value = source((*lanes_)[lane], instruction, 0, 0);
    if (value.known != Known::exact) stop(Outcome::open);
    size_t target = default_label;
    for (const size_t label : labels) {
      const Instruction& at = program_.instructions[label];
      if (at.opcode == Opcode::case_ && operand(at, 0).immediate[0] == value.bits) target = label;
    }
    entering[target] |= Mask{1} << lane;
  }
  frames_.push_back({});
  Mask active = 0;
  for (size_t k = 0; k < labels.size(); ++k) {
    active |= entering[labels[k]];
    active = run(labels[k] + 1, k + 1 < labels.size() ? labels[k + 1] : last, active);
  }
  active |= frames_.back().broken | entering[last];
  frames_.pop_back();
  return active;
}

AssemblyMachine::Mask AssemblyMachine::call(const Operand& target, Mask mask) {
  const size_t label = labels_.at(target.index[0].immediate);
  size_t end = label + 1;
  while (end < program_.instructions.size() && program_.instructions[end].opcode != Opcode::label) ++end;
  if (returned_.size() > 32 || mask == 0) return mask;  // the 33rd call is skipped (22.7, call)
  std::vector<Frame> frames;
  std::swap(frames, frames_);
  returned_.push_back(0);
  const Mask through = run(label + 1, end, mask);
  const Mask back = returned_.back() | through;
  returned_.pop_back();
  std::swap(frames, frames_);
  return back;
}

AssemblyMachine::Mask AssemblyMachine::jump(const Instruction& instruction, Mask mask) {
  const bool conditional = sm4::info(instruction.opcode).has(sm4::kTest);
  const Mask taken = conditional ? test(instruction, operand(instruction, 0), mask) : mask;
  switch (instruction.opcode) {
    case Opcode::discard:
      for (uint32_t lane = 0; lane < lanes_->size(); ++lane)
        (*lanes_)[lane].discarded |= (taken >> lane & 1) != 0;
      return mask;  // continues, for the sake of derivatives
    case Opcode::ret:
    case Opcode::retc: returned_.back() |= taken; break;
    case Opcode::break_:
    case Opcode::breakc: frames_.back().broken |= taken; break;
    default:
      for (auto frame = frames_.rbegin(); frame != frames_.rend(); ++frame) {
        if (!frame->loop) continue;
        frame->continued |= taken;
        break;
      }
  }
  return mask & ~taken;
}

/// Lanes in which the condition holds: a test of bits, not of a float (22.7, if).
AssemblyMachine::Mask AssemblyMachine::test(const Instruction& instruction, const Operand& condition,
                                            Mask mask) {
  Mask taken = 0;
  for (uint32_t lane = 0; lane < lanes_->size(); ++lane) {
    if ((mask >> lane & 1) == 0) continue;
    const Word value = raw((*lanes_)[lane], condition, condition.source_component(0));
    if (value.known != Known::exact && value.known != Known::nan) stop(Outcome::open);
    const bool nonzero = value.bits != 0;
    if (nonzero == instruction.test_nonzero()) taken |= Mask{1} << lane;
  }
  return taken;
}

Word AssemblyMachine::index(const Lane& lane, const sm4::OperandIndex& index) {
  Word value{index.immediate, Known::exact, 0};
  if (index.relative == sm4::kNoOperand) return value;
  const Operand& relative = program_.operands[index.relative];
  const Word offset = raw(lane, relative, relative.source_component(0));
  if (offset.known != Known::exact) return Word::open();
  value.bits += offset.bits;
  return value;
}

/// Component `component` of the register, before swizzle and modifiers.
Word AssemblyMachine::raw(const Lane& lane, const Operand& operand, uint32_t component) {
  const auto exact = [](uint32_t bits) { return Word{bits, Known::exact, 0}; };
  const auto row_of = [&](const auto& rows, const Word& row, Word outside) -> Word {
    if (row.known != Known::exact) return Word::open();
    return row.bits < rows.size() ? exact(rows[row.bits][component]) : outside;
  };
  switch (operand.file) {
    case RegisterFile::immediate32:
      return exact(operand.immediate[operand.component_count == sm4::ComponentCount::four ? component : 0]);
    case RegisterFile::immediate64: return exact(operand.immediate[component]);
    case RegisterFile::temp: return lane.temps.at(operand.index[0].immediate)[component];
    case RegisterFile::input: {
      const Word at = index(lane, operand.index[0]);
      return at.known == Known::exact && at.bits < lane.inputs.size() ? lane.inputs[at.bits][component]
                                                                      : Word::open();
    }
    case RegisterFile::output: return lane.outputs.at(operand.index[0].immediate)[component];
    case RegisterFile::indexable_temp: {
      const auto& rows = lane.indexable.at(operand.index[0].immediate);
      const Word at = index(lane, operand.index[1]);
      return at.known == Known::exact && at.bits < rows.size() ? rows[at.bits][component] : Word::open();
    }
    case RegisterFile::constant_buffer:  // outside the bound range: 0 (5.3, 22.3: constant buffers)
      return row_of(bindings_.constant_buffers[operand.index[0].immediate], index(lane, operand.index[1]),
                    exact(0));
    case RegisterFile::immediate_constant_buffer:
      return row_of(immediate_rows_, index(lane, operand.index[0]), Word::open());
    case RegisterFile::input_thread_id: return exact(component < 3 ? lane.thread[component] : 0);
    case RegisterFile::input_thread_group_id: return exact(component < 3 ? lane.group[component] : 0);
    case RegisterFile::input_thread_id_in_group:
      return exact(component < 3 ? lane.thread_in_group[component] : 0);
    case RegisterFile::input_thread_id_in_group_flattened: return exact(lane.flattened);
    default: return Word::open();
  }
}

/// One component of a source as the instruction reads it: swizzle, then abs, then negation (22.1; for
/// integers two's complement).
Word AssemblyMachine::source(const Lane& lane, const Instruction& instruction, uint32_t i,
                             uint32_t component) {
  const Operand& from = operand(instruction, i);
  Word word = raw(lane, from, from.source_component(component));
  const auto modifier = static_cast<uint32_t>(from.modifier);
  if (modifier == 0 || word.known == Known::open) return word;
  const OperandType type = sm4::info(instruction.opcode).types[i];
  if (type == OperandType::signed_ || type == OperandType::unsigned_) {
    if (instruction.opcode == Opcode::f16tof32) return word;  // its modifiers apply to the float
    if (word.known != Known::exact) return Word::open();
    if ((modifier & 1) != 0) word.bits = 0u - word.bits;
    return word;
  }
  if ((modifier & 2) != 0) word.bits &= 0x7fffffffu;
  if ((modifier & 1) != 0) word.bits ^= 0x80000000u;
  return word;
}

Vector AssemblyMachine::source(const Lane& lane, const Instruction& instruction, uint32_t i) {
  Vector value;
  for (uint32_t c = 0; c < 4; ++c) value[c] = source(lane, instruction, i, c);
  return value;
}

void AssemblyMachine::write(Lane& lane, const Instruction& instruction, uint32_t i, const Vector& value) {
  const Operand& to = operand(instruction, i);
  Vector* reg = nullptr;
  switch (to.file) {
    case RegisterFile::null: return;
    case RegisterFile::output_depth:
    case RegisterFile::output_depth_greater_equal:
    case RegisterFile::output_depth_less_equal: lane.depth = value[0]; return;
    case RegisterFile::output_coverage_mask: lane.coverage = value[0]; return;
    case RegisterFile::output_stencil_ref: lane.stencil = value[0]; return;
    case RegisterFile::temp: reg = &lane.temps.at(to.index[0].immediate); break;
    case RegisterFile::output:
    case RegisterFile::indexable_temp: {
      const bool array = to.file == RegisterFile::indexable_temp;
      const Word at = index(lane, to.index[array ? 1 : 0]);
      if (at.known != Known::exact) return stop(Outcome::open);
      if (array) {
        auto& rows = lane.indexable.at(to.index[0].immediate);
        if (at.bits >= rows.size()) return stop(Outcome::open);
        reg = &rows[at.bits];
      } else {
        if (at.bits >= lane.outputs.size()) return stop(Outcome::open);
        reg = &lane.outputs[at.bits];
      }
      break;
    }
    default: return stop(Outcome::unsupported);
  }
  for (uint32_t c = 0; c < 4; ++c) {
    if ((to.write_mask() >> c & 1) != 0) (*reg)[c] = value[c];
  }
}

}  // namespace texlate::test
