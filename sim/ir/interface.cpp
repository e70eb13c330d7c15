#include "sim/ir/interface.h"

#include <algorithm>

#include "sim/ir/float_rules.h"
#include "sim/texture_unit/query.h"

namespace texlate::sim {

using ir::Op;

Outputs::Outputs(const Lanes& lanes)
    : lanes_(lanes.count),
      words_(size_t{output_plane_count(lanes.module)} * lanes.count),
      written_(words_.size()),
      declared_(output_plane_count(lanes.module)) {
  for (const ir::Parameter& parameter : lanes.module.outputs) {
    const uint32_t reg = output_plane_register(lanes.module, parameter);
    if (parameter.reg >= ir::kSpecialRegister) registers_[parameter.reg - ir::kSpecialRegister] = reg;
    for (uint32_t c = 0; c < 4; ++c) {
      if (((parameter.mask >> c) & 1) != 0) declared_[reg * 4 + c] = 1;
    }
  }
}

void Outputs::clear() {
  std::fill(words_.begin(), words_.end(), 0u);
  std::fill(written_.begin(), written_.end(), uint8_t{0});
}

void Outputs::copy(uint32_t lane, size_t stride, size_t at, std::span<uint32_t> words,
                   std::span<uint8_t> assigned) const {
  for (size_t plane = 0; plane < declared_.size(); ++plane) {
    if (declared_[plane] == 0) continue;
    words[plane * stride + at] = words_[plane * lanes_ + lane];
    if (!assigned.empty()) assigned[plane * stride + at] = written_[plane * lanes_ + lane];
  }
}

void Outputs::take(uint32_t lane, Emission* emission) {
  for (size_t at = lane; at < words_.size(); at += lanes_) {
    if (emission != nullptr) {
      emission->words.push_back(words_[at]);
      emission->written.push_back(written_[at]);
    }
    words_[at] = 0;
    written_[at] = 0;
  }
}

void Outputs::store(Lanes& lanes, const Step& step) {
  const uint32_t* value = lanes.row(step.operand[step.operand_count - 1]);
  uint32_t reg = step.payload / 4;
  if (reg >= ir::kSpecialRegister) reg = registers_[reg - ir::kSpecialRegister];
  const uint32_t planes = static_cast<uint32_t>(declared_.size());
  const bool indexed = (step.flags & ir::kIndexOperand) != 0;
  lanes.for_active([&](uint32_t lane) {
    const uint32_t index = indexed ? lanes.row(step.operand[0])[lane] : 0;
    const uint64_t plane = (uint64_t{reg} + index) * 4 + step.payload % 4;
    if (plane >= planes) return lanes.flag(lane, Undefined::interpolant);
    words_[plane * lanes.count + lane] = value[lane];
    written_[plane * lanes.count + lane] = 1;
  });
}

void Interface::run(const Step& step) {
  switch (step.op) {
    case Op::input: return load_input(step);
    case Op::output: return outputs_.store(lanes_, step);
    case Op::system_value: return load_system_value(step);
    case Op::eval_snapped:
    case Op::eval_sample:
    case Op::eval_centroid: return evaluate_input(step);
    case Op::patch_input: return primitives_.load_patch_constant(step);
    case Op::patch_output: return primitives_.store_patch_constant(step);
    case Op::output_control_point: return primitives_.load_control_point(step);
    case Op::raster_samples:
      return lanes_.for_active([&](uint32_t lane) { lanes_.row(step.result)[lane] = samples(); });
    case Op::raster_position:
      return lanes_.for_active([&](uint32_t lane) {
        const Word4 position = samplepos(samples(), lanes_.row(step.operand[0])[lane]);
        lanes_.row(step.result)[lane] = position[0];
        lanes_.row(step.result)[lanes_.count + lane] = position[1];
      });
    case Op::cycle_counter:  // a constant: any value is valid
      return lanes_.for_active([&](uint32_t lane) {
        lanes_.row(step.result)[lane] = lanes_.row(step.result)[lanes_.count + lane] = 0;
        lanes_.flag(lane, Undefined::clock);
      });
#define IR_COVERED_interface
#include "ir/op_cases.inc"
      return;  // of another family
  }
}

uint32_t Interface::input_word(uint32_t plane, uint32_t lane) const {
  if (lanes_.stream == nullptr) return 0;
  const size_t element = std::min(lanes_.first_element + lane, lanes_.stream->count - 1);
  const size_t at = size_t{plane} * lanes_.stream->count + element;
  return at < lanes_.stream->inputs.size() ? lanes_.stream->inputs[at] : 0;
}

// Bits 0 to 30: vCoverage; bit 31: vInnerCoverage. If the launch gives none, one sample covers each pixel.
uint32_t Interface::coverage_word(uint32_t lane) const {
  if (lanes_.stream == nullptr || lanes_.stream->covered.empty()) return kCoveredPixel;
  return lanes_.stream->covered[std::min(lanes_.first_element + lane, lanes_.stream->count - 1)];
}

// All lanes, including helpers and lanes past the end: derivatives read them.
void Interface::load_input(const Step& step) {
  uint32_t* to = lanes_.row(step.result);
  if ((step.flags & ir::kVertexOperand) != 0) return primitives_.load_input(step);
  if ((step.flags & ir::kIndexOperand) == 0) {
    for (uint32_t lane = 0; lane < lanes_.count; ++lane) to[lane] = input_word(step.payload, lane);
    return;
  }
  const uint32_t registers = input_plane_count(lanes_.module) / 4;
  const uint32_t* index = lanes_.row(step.operand[0]);
  lanes_.for_active([&](uint32_t lane) {
    const uint32_t reg = index[lane] + step.payload / 4;
    if (reg >= registers) lanes_.flag(lane, Undefined::interpolant);
    to[lane] = reg < registers ? input_word(reg * 4 + step.payload % 4, lane) : 0;
  });
}

void Interface::load_system_value(const Step& step) {
  const auto value = static_cast<ir::SystemValue>(step.payload / 4);
  const uint32_t component = step.payload % 4;
  uint32_t* to = lanes_.row(step.result);
  const auto& size = lanes_.module.thread_group;
  lanes_.for_active([&](uint32_t lane) {
    const uint32_t thread[4] = {lane % size[0], lane / size[0] % size[1], lane / size[0] / size[1], 0};
    switch (value) {
      case ir::SystemValue::thread_id_in_group: to[lane] = thread[component]; break;
      case ir::SystemValue::thread_group_id: to[lane] = component < 3 ? lanes_.group[component] : 0; break;
      case ir::SystemValue::thread_id:
        to[lane] = component < 3 ? lanes_.group[component] * size[component] + thread[component] : 0;
        break;
      case ir::SystemValue::thread_id_in_group_flattened: to[lane] = component == 0 ? lane : 0; break;
      case ir::SystemValue::coverage:
        to[lane] = component == 0 ? coverage_word(lane) & 0x7fffffffu : 0;
        break;
      case ir::SystemValue::inner_coverage: to[lane] = component == 0 ? coverage_word(lane) >> 31 : 0; break;
      default: to[lane] = primitives_.system_value(value, component, lane); break;
    }
  });
}

// Values at another position in the pixel, from the differences over the quad.
void Interface::evaluate_input(const Step& step) {
  auto sixteenths = [](uint32_t bits) {
    return static_cast<float>(static_cast<int32_t>(bits << 28) >> 28) / 16.0f;
  };
  lanes_.for_active([&](uint32_t lane) {
    float x = 0, y = 0;
    if (step.op == Op::eval_snapped) {
      x = sixteenths(lanes_.row(step.operand[0])[lane]);
      y = sixteenths(lanes_.row(step.operand[1])[lane]);
    } else if (step.op == Op::eval_sample) {
      const Word4 position = samplepos(samples(), lanes_.row(step.operand[0])[lane]);
      x = float_of(position[0]);
      y = float_of(position[1]);
    } else {  // eval_centroid (docs/reference/pipeline.md 5): the first covered sample of a pixel that is
              // partly covered
      const uint32_t covered = coverage_word(lane) & 0x7fffffffu;
      if (covered != 0 && covered != (uint64_t{1} << samples()) - 1) {
        const Word4 position = samplepos(samples(), static_cast<uint32_t>(std::countr_zero(covered)));
        x = float_of(position[0]);
        y = float_of(position[1]);
      }
    }
    const uint32_t bits = input_word(step.payload, lane);
    if (x == 0 && y == 0) {
      lanes_.row(step.result)[lane] = bits;
      return;
    }
    const float ddx =
        flushed(input_word(step.payload, lane | 1)) - flushed(input_word(step.payload, lane & ~1u));
    const float ddy =
        flushed(input_word(step.payload, lane | 2)) - flushed(input_word(step.payload, lane & ~2u));
    lanes_.row(step.result)[lane] = finish(flushed(bits) + x * ddx + y * ddy);
  });
}

}  // namespace texlate::sim
