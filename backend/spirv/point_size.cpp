// The size of points: a number, or where the host stores it, read at the start of the shader and limited to
// its range. It is written as an output of its own.

#include <algorithm>
#include <bit>
#include <limits>

#include "backend/spirv/emit.h"
#include "backend/spirv/ir_names.h"
#include "ir/builder.h"

namespace texlate::spirv {

namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();

/// The constant buffer of the number, which then has at least `rows`.
uint32_t buffer_of(ir::Module& module, const StateNumber& number, uint32_t rows) {
  auto& buffers = module.constant_buffers;
  uint32_t id = 0;
  for (ir::ConstantBuffer& known : buffers) {
    id = std::max(id, known.id + 1);
    if (known.space != number.space || known.lower_bound != number.buffer) continue;
    if (known.rows != 0) known.rows = std::max(known.rows, rows);
    return static_cast<uint32_t>(&known - buffers.data());
  }
  ir::ConstantBuffer made;
  made.id = module.shader_model >= 51 ? id : number.buffer;
  made.lower_bound = made.upper_bound = number.buffer;
  made.space = number.space;
  made.rows = rows;
  buffers.push_back(made);
  return static_cast<uint32_t>(buffers.size() - 1);
}

Value read(ir::Builder& builder, const StateNumber& number) {
  ir::Module& module = builder.module();
  if (!number.in_buffer) return module.constant(number.bits);
  const uint32_t row = number.offset / 16;
  const uint32_t buffer = buffer_of(module, number, row + 1);
  return builder.emit(Op::cb_load, {module.constant(row)}, buffer) + number.offset / 4 % 4;
}

Value limited(ir::Builder& builder, const PointSize& size) {
  Value result = read(builder, size.value);
  if (size.least.in_buffer || std::bit_cast<float>(size.least.bits) > 0)
    result = builder.emit(Op::fmax, {result, read(builder, size.least)});
  if (size.most.in_buffer || std::bit_cast<float>(size.most.bits) < kInfinity)
    result = builder.emit(Op::fmin, {result, read(builder, size.most)});
  return result;
}

}  // namespace

/// Direct3D's points have the size of a pixel, but for Direct3D 9's.
void add_point_size(ir::Module& module, const Options& options) {
  constexpr uint32_t kPointList = 1;
  const bool is_late = module.stage == ir::Stage::geometry || module.stage == ir::Stage::domain;
  if (!options.point_size || (!is_late && module.stage != ir::Stage::vertex)) return;
  if (module.stage == ir::Stage::geometry && module.output_topology != kPointList) return;
  // Where it cannot be written it is 1 (Vulkan, PointSize).
  const bool is_one = !options.point_size_state && options.point_size_value == 1;
  if (is_one && is_late && !options.device.has(Feature::point_size)) return;
  const PointSize constant{.value = {std::bit_cast<uint32_t>(options.point_size_value)},
                           .least = {},
                           .most = {std::bit_cast<uint32_t>(kInfinity)}};
  ir::Code code(module.memory());
  code.reserve(module.code.size() + 8);
  ir::Builder builder(module, code);
  const Value size = limited(builder, options.point_size_state.value_or(constant));
  const auto write = [&] { builder.emit(Op::output, {size}, kPointSizeRegister * 4); };
  const bool is_geometry = module.stage == ir::Stage::geometry;
  if (!is_geometry) write();
  for (const ir::Instruction& instruction : module.code) {
    // After an emission, outputs are undefined.
    if (is_geometry && instruction.op == Op::emit && instruction.payload == 0) write();
    code.push_back(instruction);
  }
  module.code.swap(code);
  module.outputs.push_back({.reg = kPointSizeRegister, .mask = 1, .component_type = 3});
}

}  // namespace texlate::spirv
