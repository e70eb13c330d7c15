#include "sim/ir/machine.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

#include "sim/ir/float_rules.h"

namespace texlate::sim {

using ir::Op;

Machine::Machine(const ir::Module& module, const Program& program, const Bindings& bindings,
                 const InterpreterOptions& options, uint32_t lanes)
    : module_(module),
      program_(program),
      bindings_(bindings),
      options_(options),
      lanes_(lanes),
      mask_words_((lanes + 63) / 64) {
  file_.assign(size_t{program.row_count} * lanes_, 0);
  for (const Program::Constant& constant : program.constants) {
    uint32_t* to = row(constant.row);
    for (uint32_t lane = 0; lane < lanes_; ++lane) {
      if (constant.type == ir::Type::b64) {
        std::memcpy(to + 2 * lane, &constant.bits, 8);
      } else {
        to[lane] = static_cast<uint32_t>(constant.bits);
      }
    }
  }
  undefined_.assign(lanes_, 0);
  outputs_.assign(size_t{output_plane_count(module)} * lanes_, 0);
  output_written_.assign(outputs_.size(), 0);
  declared_inputs_.assign(input_plane_count(module), 0);
  for (const ir::Parameter& parameter : module.inputs) {
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0) declared_inputs_[parameter.reg * 4 + c] = 1;
    }
  }
  declared_outputs_.assign(output_plane_count(module), 0);
  output_register_.assign(256, 0);
  for (const ir::Parameter& parameter : module.outputs) {
    const uint32_t reg = output_plane_register(module, parameter);
    if (parameter.reg >= ir::kSpecialRegister) output_register_[parameter.reg - ir::kSpecialRegister] = reg;
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0) declared_outputs_[reg * 4 + c] = 1;
    }
  }
  uint32_t rows = 0;
  for (const ir::LocalArray& local : module.locals) {
    local_base_.push_back(rows);
    rows += local.rows;
  }
  locals_.assign(size_t{rows} * 4 * lanes_, 0);
  local_written_.assign(locals_.size(), 0);
  find_uav_uses();
  for (const ir::SharedArray& shared : module.shared) {
    shared_.emplace_back((shared.bytes + 3) / 4, 0);
    shared_written_.emplace_back(shared_.back().size(), 0);
    shared_order_.emplace_back(false);
  }
}

bool Machine::any(const LaneMask& mask) const {
  for (uint32_t w = 0; w < mask_words_; ++w) {
    if (mask.words[w] != 0) return true;
  }
  return false;
}

uint64_t Machine::active_count() const {
  uint64_t lanes = 0;
  for (uint32_t w = 0; w < mask_words_; ++w) lanes += static_cast<uint64_t>(std::popcount(active_.words[w]));
  return lanes;
}

bool Machine::spend(uint64_t lane_instructions) {
  report_.lane_instructions += lane_instructions;
  if (report_.lane_instructions <= options_.max_lane_instructions) return true;
  report_.cut_off = true;
  report_.undefined |= static_cast<uint32_t>(Undefined::budget);
  return false;
}

void Machine::start_lanes(uint32_t count) {
  active_ = LaneMask::first(count);
  live_ = active_;
  open_.clear();
  std::fill(undefined_.begin(), undefined_.end(), 0u);
  std::fill(outputs_.begin(), outputs_.end(), 0u);
  std::fill(output_written_.begin(), output_written_.end(), uint8_t{0});
  std::fill(locals_.begin(), locals_.end(), 0u);
  std::fill(local_written_.begin(), local_written_.end(), uint8_t{0});
  if (options_.tracer != nullptr) choose_traced_lane();
}

void Machine::run_stream(const StreamLaunch& launch) {
  stream_ = &launch;
  mixed_quads_.assign((launch.count + 3) / 4, 0);
  for (first_element_ = 0; first_element_ < launch.count && !report_.cut_off; first_element_ += lanes_) {
    const uint32_t count = std::min(lanes_, launch.count - first_element_);
    start_lanes(count);
    for (uint32_t lane = 0; lane < count && !launch.covered.empty(); ++lane) {
      if (launch.covered[first_element_ + lane] == 0) live_.words[lane / 64] &= ~(uint64_t{1} << (lane % 64));
    }
    execute();
    for (uint32_t lane = 0; lane < count; ++lane) {
      report_.undefined |= undefined_[lane];
      if (!launch.undefined.empty()) launch.undefined[first_element_ + lane] = undefined_[lane];
      if (!is_live(lane)) continue;
      if (!launch.written.empty()) launch.written[first_element_ + lane] = 1;
      for (uint32_t plane = 0; plane < declared_outputs_.size(); ++plane) {
        if (declared_outputs_[plane] == 0) continue;
        const size_t word = size_t{plane} * launch.count + first_element_ + lane;
        launch.outputs[word] = outputs_[size_t{plane} * lanes_ + lane];
        if (!launch.assigned.empty()) launch.assigned[word] = output_written_[size_t{plane} * lanes_ + lane];
      }
    }
    if (options_.progress) options_.progress(static_cast<double>(first_element_ + count) / launch.count);
  }
}

void Machine::run_groups(const GroupLaunch& launch) {
  const uint32_t threads = module_.thread_group[0] * module_.thread_group[1] * module_.thread_group[2];
  const uint64_t total = uint64_t{launch.groups[0]} * launch.groups[1] * launch.groups[2];
  uint64_t done = 0;
  for (group_[2] = 0; group_[2] < launch.groups[2]; ++group_[2]) {
    for (group_[1] = 0; group_[1] < launch.groups[1]; ++group_[1]) {
      for (group_[0] = 0; group_[0] < launch.groups[0] && !report_.cut_off; ++group_[0]) {
        start_lanes(threads);
        for (std::vector<uint32_t>& shared : shared_) std::fill(shared.begin(), shared.end(), 0u);
        for (auto& written : shared_written_) std::fill(written.begin(), written.end(), uint8_t{0});
        for (AccessOrder& order : shared_order_) order.clear();
        execute();
        for (uint32_t lane = 0; lane < threads; ++lane) report_.undefined |= undefined_[lane];
        ++done;
        ++group_number_;
        if (options_.progress) options_.progress(static_cast<double>(done) / static_cast<double>(total));
      }
    }
  }
}

// D3D11.3 functional specification, sincos: error at most 0.0008 up to 100 pi, anything in [-1, 1] beyond;
// for INF the result is NaN.
void Machine::flag_large_angles(const uint32_t* angles) {
  constexpr float kLargest = 314.159265f;
  for_active([&](uint32_t lane) {
    const float magnitude = std::fabs(float_of(angles[lane]));
    if (magnitude > kLargest && std::isfinite(magnitude)) flag(lane, Undefined::angle_range);
  });
}

// Helpers and pixels that were discarded count, too: their values are part of the differences. Only pixel
// shaders have differences (ir/verifier_contract.cpp), and StreamLaunch has whole quads.
void Machine::mix_quads() {
  assert(module_.stage == ir::Stage::pixel && lanes_ % 4 == 0);
  for_active([&](uint32_t lane) {
    const uint32_t quad = lane & ~3u;
    for (uint32_t other = quad; other < quad + 4; ++other) undefined_[lane] |= undefined_[other];
    if (stream_ != nullptr) mixed_quads_[(first_element_ + lane) / 4] = 1;
  });
}

void Machine::run_pure(const Step& step) {
  uint32_t* rows[5];
  rows[0] = row(step.result);
  for (uint32_t i = 0; i < step.operand_count; ++i) rows[i + 1] = row(step.operand[i]);
  if (step.op == Op::fsin || step.op == Op::fcos) flag_large_angles(rows[1]);
  step.pure(rows, lanes_);
  if (ir::info(step.op).family != ir::Family::derivative) return;
  mix_quads();
  const bool coarse = step.op == Op::ddx_coarse || step.op == Op::ddy_coarse;
  if (coarse && options_.derivatives == QuadDerivatives::shared) {
    for (uint32_t lane = 0; lane < lanes_; ++lane) rows[0][lane] = rows[0][lane & ~3u];
  }
  for_active([&](uint32_t lane) {
    const uint32_t quad = lane & ~3u;
    if (((active_.words[quad / 64] >> (quad % 64)) & 15u) != 15u) flag(lane, Undefined::divergent_quad);
  });
}

void Machine::execute(uint32_t first, uint32_t end) {
  uint64_t active = active_count();
  for (uint32_t at = first; at < end;) {
    const Step& step = program_.steps[at];
    if (traced_lane_ != kNoLane) trace_step(step);
    if (step.pure != nullptr) {
      report_.lane_instructions += active;
      run_pure(step);
      ++at;
      continue;
    }
    const ir::OpInfo& info = ir::info(step.op);
    if (info.has(ir::kControl)) {
      at = run_control(step, at);
      active = active_count();
      if (!spend(active)) return;
      continue;
    }
    report_.lane_instructions += active;
    if (info.has(ir::kResource)) {
      run_access(step);
    } else {
      run_memory(step);
    }
    ++at;
  }
}

void Machine::copy_yields(const Step& step) {
  const Copy* copies = program_.copies.data() + step.first_copy;
  if (step.parallel_copy) {
    // All sources are read before any result is written, because rows may be exchanged.
    copy_buffer_.resize(size_t{2} * step.copy_count);
    for_active([&](uint32_t lane) {
      for (uint32_t i = 0; i < step.copy_count; ++i) {
        for (uint32_t w = 0; w < copies[i].words; ++w) {
          copy_buffer_[2 * i + w] = row(copies[i].from)[copies[i].words * lane + w];
        }
      }
      for (uint32_t i = 0; i < step.copy_count; ++i) {
        for (uint32_t w = 0; w < copies[i].words; ++w) {
          row(copies[i].to)[copies[i].words * lane + w] = copy_buffer_[2 * i + w];
        }
      }
    });
    return;
  }
  for (uint32_t i = 0; i < step.copy_count; ++i) {
    const uint32_t* from = row(copies[i].from);
    uint32_t* to = row(copies[i].to);
    if (copies[i].words == 1) {
      for_active([&](uint32_t lane) { to[lane] = from[lane]; });
    } else {
      for_active([&](uint32_t lane) { std::memcpy(to + 2 * lane, from + 2 * lane, 8); });
    }
  }
}

void Machine::enter_switch(const Step& step) {
  Open open;
  open.selector = step.operand[0];
  open.waiting = active_;
  const uint32_t* selector = row(step.operand[0]);
  const std::vector<uint32_t>& cases = program_.case_values[step.construct];
  for_active([&](uint32_t lane) {
    if (std::find(cases.begin(), cases.end(), selector[lane]) == cases.end()) open.again.set(lane);
  });
  open_.push_back(open);
  active_ = {};
}

// After a step that idles all lanes, the rest of its region is skipped.
uint32_t Machine::next_step(const Step& step, uint32_t at) const {
  return any(active_) ? at + 1 : step.jump;
}

uint32_t Machine::run_control(const Step& step, uint32_t at) {
  switch (step.op) {
    case Op::if_:
    case Op::else_:
    case Op::endif: return run_branch(step, at);
    case Op::loop:
    case Op::endloop:
    case Op::break_:
    case Op::continue_: return run_loop(step, at);
    case Op::switch_:
    case Op::case_:
    case Op::default_:
    case Op::endswitch: return run_switch(step, at);
    case Op::return_: active_ = {}; return step.jump;
    case Op::phase:  // run_phase() runs the code of each phase by itself
#define IR_COVERED_control
#include "ir/op_cases.inc"
      return at + 1;
  }
  return at + 1;
}

uint32_t Machine::run_branch(const Step& step, uint32_t at) {
  if (step.op == Op::if_) {
    Open open;
    const uint32_t* condition = row(step.operand[0]);
    LaneMask taken;
    for_active([&](uint32_t lane) { (condition[lane] != 0 ? taken : open.waiting).set(lane); });
    active_ = taken;
    open_.push_back(open);
    return next_step(step, at);
  }
  copy_yields(step);
  Open& open = open_.back();
  if (step.op == Op::else_) {
    open.leaving.add(active_, mask_words_);
    active_ = open.waiting;
    open.waiting = {};
  } else {
    active_.add(open.leaving, mask_words_);
    active_.add(open.waiting, mask_words_);
    open_.pop_back();
  }
  return next_step(step, at);
}

// break and continue also end switches: `levels` counts the constructs that they leave.
uint32_t Machine::run_loop(const Step& step, uint32_t at) {
  copy_yields(step);
  if (step.op == Op::loop) {
    open_.emplace_back();
    return at + 1;
  }
  if (step.op == Op::endloop) {
    Open& open = open_.back();
    active_.add(open.again, mask_words_);
    open.again = {};
    if (any(active_)) return step.jump;
    active_ = open.leaving;
    open_.pop_back();
    return at + 1;
  }
  Open& open = open_[open_.size() - 1 - step.levels];
  (step.op == Op::break_ ? open.leaving : open.again).add(active_, mask_words_);
  active_ = {};
  return step.jump;
}

uint32_t Machine::run_switch(const Step& step, uint32_t at) {
  if (step.op == Op::switch_) {
    enter_switch(step);
    return at + 1;
  }
  Open& open = open_.back();
  if (step.op == Op::endswitch) {
    active_.add(open.leaving, mask_words_);
    active_.add(open.waiting, mask_words_);
    open_.pop_back();
    return next_step(step, at);
  }
  const uint32_t* selector = row(open.selector);
  LaneMask arriving;
  for (uint32_t lane = 0; lane < lanes_; ++lane) {
    if (!open.waiting.test(lane)) continue;
    const bool here = step.op == Op::default_ ? open.again.test(lane)
                                              : !open.again.test(lane) && selector[lane] == step.payload;
    if (here) arriving.set(lane);
  }
  active_.add(arriving, mask_words_);
  open.waiting.remove(arriving, mask_words_);
  return next_step(step, at);
}

}  // namespace texlate::sim
