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

class PointSizeWriter {
 public:
  PointSizeWriter(ir::Module& module, const PointSize& size)
      : module_(module), size_(size), code_(module.memory()), builder_(module, code_) {}

  void run() {
    code_.reserve(module_.code.size() + 8);
    const Value size = limited();
    const bool is_geometry = module_.stage == ir::Stage::geometry;
    if (!is_geometry) write(size);
    for (const ir::Instruction& instruction : module_.code) {
      // After an emission, outputs are undefined.
      if (is_geometry && instruction.op == Op::emit && instruction.payload == 0) write(size);
      code_.push_back(instruction);
    }
    module_.code.swap(code_);
    ir::Parameter output;
    output.reg = kPointSizeRegister;
    output.mask = 1;
    output.component_type = 3;
    module_.outputs.push_back(output);
  }

 private:
  Value limited() {
    Value size = read(size_.value);
    if (size_.least.in_buffer || std::bit_cast<float>(size_.least.bits) > 0)
      size = builder_.emit(Op::fmax, {size, read(size_.least)});
    if (size_.most.in_buffer || std::bit_cast<float>(size_.most.bits) < kInfinity)
      size = builder_.emit(Op::fmin, {size, read(size_.most)});
    return size;
  }

  Value read(const StateNumber& number) {
    if (!number.in_buffer) return module_.constant(number.bits);
    const uint32_t row = number.offset / 16;
    const Value loaded = builder_.emit(Op::cb_load, {module_.constant(row)}, buffer_of(number, row + 1));
    return loaded + number.offset / 4 % 4;
  }

  /// The constant buffer of the number, which then has at least `rows`.
  uint32_t buffer_of(const StateNumber& number, uint32_t rows) {
    auto& buffers = module_.constant_buffers;
    uint32_t id = 0;
    for (ir::ConstantBuffer& known : buffers) {
      id = std::max(id, known.id + 1);
      if (known.space != number.space || known.lower_bound != number.buffer) continue;
      if (known.rows != 0) known.rows = std::max(known.rows, rows);
      return static_cast<uint32_t>(&known - buffers.data());
    }
    ir::ConstantBuffer made;
    made.id = module_.shader_model >= 51 ? id : number.buffer;
    made.lower_bound = made.upper_bound = number.buffer;
    made.space = number.space;
    made.rows = rows;
    buffers.push_back(made);
    return static_cast<uint32_t>(buffers.size() - 1);
  }

  void write(Value size) { builder_.emit(Op::output, {size}, kPointSizeRegister * 4); }

  ir::Module& module_;
  const PointSize& size_;
  ir::Code code_;
  ir::Builder builder_;
};

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
  PointSizeWriter(module, options.point_size_state.value_or(constant)).run();
}

}  // namespace texlate::spirv
