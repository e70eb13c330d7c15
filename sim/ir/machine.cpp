#include "sim/ir/machine.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include "sim/ir/float_rules.h"

namespace texlate::sim {

using ir::Op;

bool Machine::spend(uint64_t lane_instructions) {
  lanes_.report.lane_instructions += lane_instructions;
  if (lanes_.report.lane_instructions <= lanes_.options.max_lane_instructions) return true;
  lanes_.report.cut_off = true;
  lanes_.report.undefined |= static_cast<uint32_t>(Undefined::budget);
  return false;
}

void Machine::execute(uint32_t begin, uint32_t end) {
  uint64_t active = lanes_.active_count();
  for (uint32_t at = begin; at < end;) {
    const Step& step = lanes_.program.steps[at];
    if (lanes_.traced != Lanes::kNoLane) lanes_.trace_step(step);
    if (step.pure != nullptr) {
      lanes_.report.lane_instructions += active;
      run_pure(step);
      ++at;
      continue;
    }
    const ir::OpInfo& info = ir::info(step.op);
    if (info.has(ir::kControl)) {
      at = run_control(step, at);
      active = lanes_.active_count();
      if (!spend(active)) return;
      continue;
    }
    lanes_.report.lane_instructions += active;
    if (info.has(ir::kResource)) {
      accesses_.run(step);
    } else {
      run_step(step);
    }
    ++at;
  }
}

// D3D11.3 functional specification, sincos: error at most 0.0008 up to 100 pi, anything in [-1, 1] beyond;
// for INF the result is NaN.
void Machine::flag_large_angles(const uint32_t* angles) {
  constexpr float kLargest = 314.159265f;
  lanes_.for_active([&](uint32_t lane) {
    const float magnitude = std::fabs(float_of(angles[lane]));
    if (magnitude > kLargest && std::isfinite(magnitude)) lanes_.flag(lane, Undefined::angle_range);
  });
}

void Machine::run_pure(const Step& step) {
  uint32_t* rows[5];
  rows[0] = lanes_.row(step.result);
  for (uint32_t i = 0; i < step.operand_count; ++i) rows[i + 1] = lanes_.row(step.operand[i]);
  if (step.op == Op::fsin || step.op == Op::fcos) flag_large_angles(rows[1]);
  step.pure(rows, lanes_.count);
  if (ir::info(step.op).family != ir::Family::derivative) return;
  lanes_.mix_quads();
  const bool coarse = step.op == Op::ddx_coarse || step.op == Op::ddy_coarse;
  if (coarse && lanes_.options.derivatives == QuadDerivatives::shared) {
    for (uint32_t lane = 0; lane < lanes_.count; ++lane) rows[0][lane] = rows[0][lane & ~3u];
  }
  lanes_.for_active([&](uint32_t lane) {
    if (!lanes_.active.test_quad(lane)) lanes_.flag(lane, Undefined::divergent_quad);
  });
}

void Machine::run_step(const Step& step) {
  switch (ir::info(step.op).family) {
    case ir::Family::interface: return interface_.run(step);
    case ir::Family::source_register:
    case ir::Family::memory: return memory_.run(step);
    case ir::Family::binding: return run_binding(lanes_, step);
    case ir::Family::effect: return run_effect(step);
    default: return;  // run_pure(), run_control() and ResourceAccesses
  }
}

void Machine::run_effect(const Step& step) {
  switch (step.op) {
    case Op::discard: {
      const uint32_t* condition = lanes_.row(step.operand[0]);
      lanes_.for_active([&](uint32_t lane) {
        if (condition[lane] != 0) lanes_.live.reset(lane);
      });
      return;
    }
    case Op::barrier: return lanes_.barriers.pass(step.payload);
    case Op::message: return;  // for a host's log
    case Op::emit: return primitives_.emit_vertex(step);
    case Op::cut: return primitives_.cut_strip(step);
#define IR_COVERED_effect
#include "ir/op_cases.inc"
      return;
  }
}

void Machine::copy_yields(const Step& step) {
  const Copy* copies = lanes_.program.copies.data() + step.first_copy;
  if (step.parallel_copy) {
    // All sources are read before any result is written, because rows may be exchanged.
    copy_buffer_.resize(size_t{2} * step.copy_count);
    lanes_.for_active([&](uint32_t lane) {
      for (uint32_t i = 0; i < step.copy_count; ++i) {
        for (uint32_t w = 0; w < copies[i].words; ++w) {
          copy_buffer_[2 * i + w] = lanes_.row(copies[i].from)[copies[i].words * lane + w];
        }
      }
      for (uint32_t i = 0; i < step.copy_count; ++i) {
        for (uint32_t w = 0; w < copies[i].words; ++w) {
          lanes_.row(copies[i].to)[copies[i].words * lane + w] = copy_buffer_[2 * i + w];
        }
      }
    });
    return;
  }
  for (uint32_t i = 0; i < step.copy_count; ++i) {
    const uint32_t* from = lanes_.row(copies[i].from);
    uint32_t* to = lanes_.row(copies[i].to);
    if (copies[i].words == 1) {
      lanes_.for_active([&](uint32_t lane) { to[lane] = from[lane]; });
    } else {
      lanes_.for_active([&](uint32_t lane) { std::memcpy(to + 2 * lane, from + 2 * lane, 8); });
    }
  }
}

void Machine::enter_switch(const Step& step) {
  Open open;
  open.selector = step.operand[0];
  open.waiting = lanes_.active;
  const uint32_t* selector = lanes_.row(step.operand[0]);
  const std::vector<uint32_t>& cases = lanes_.program.case_values[step.construct];
  lanes_.for_active([&](uint32_t lane) {
    if (std::find(cases.begin(), cases.end(), selector[lane]) == cases.end()) open.again.set(lane);
  });
  open_.push_back(open);
  lanes_.active = {};
}

// After a step that idles all lanes, the rest of its region is skipped.
uint32_t Machine::next_step(const Step& step, uint32_t at) const {
  return lanes_.any(lanes_.active) ? at + 1 : step.jump;
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
    case Op::return_: lanes_.active = {}; return step.jump;
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
    const uint32_t* condition = lanes_.row(step.operand[0]);
    LaneMask taken;
    lanes_.for_active([&](uint32_t lane) { (condition[lane] != 0 ? taken : open.waiting).set(lane); });
    lanes_.active = taken;
    open_.push_back(open);
    return next_step(step, at);
  }
  copy_yields(step);
  Open& open = open_.back();
  if (step.op == Op::else_) {
    open.leaving.add(lanes_.active, lanes_.mask_words);
    lanes_.active = open.waiting;
    open.waiting = {};
  } else {
    lanes_.active.add(open.leaving, lanes_.mask_words);
    lanes_.active.add(open.waiting, lanes_.mask_words);
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
    lanes_.active.add(open.again, lanes_.mask_words);
    open.again = {};
    if (lanes_.any(lanes_.active)) return step.jump;
    lanes_.active = open.leaving;
    open_.pop_back();
    return at + 1;
  }
  Open& open = open_[open_.size() - 1 - step.levels];
  (step.op == Op::break_ ? open.leaving : open.again).add(lanes_.active, lanes_.mask_words);
  lanes_.active = {};
  return step.jump;
}

uint32_t Machine::run_switch(const Step& step, uint32_t at) {
  if (step.op == Op::switch_) {
    enter_switch(step);
    return at + 1;
  }
  Open& open = open_.back();
  if (step.op == Op::endswitch) {
    lanes_.active.add(open.leaving, lanes_.mask_words);
    lanes_.active.add(open.waiting, lanes_.mask_words);
    open_.pop_back();
    return next_step(step, at);
  }
  const uint32_t* selector = lanes_.row(open.selector);
  LaneMask arriving;
  for (uint32_t lane = 0; lane < lanes_.count; ++lane) {
    if (!open.waiting.test(lane)) continue;
    const bool here = step.op == Op::default_ ? open.again.test(lane)
                                              : !open.again.test(lane) && selector[lane] == step.payload;
    if (here) arriving.set(lane);
  }
  lanes_.active.add(arriving, lanes_.mask_words);
  open.waiting.remove(arriving, lanes_.mask_words);
  return next_step(step, at);
}

}  // namespace texlate::sim
