// Outputs that do not go to their own register: they go to where the next stage reads them, to another
// component of a render target, or, as copies, into transform feedback buffers.

#include <algorithm>
#include <bit>
#include <vector>

#include "backend/spirv/emit.h"
#include "backend/spirv/ir_names.h"
#include "ir/builder.h"

namespace texlate::spirv {

namespace {

constexpr uint32_t slot_of(uint32_t reg, uint32_t component) {
  return 4 * reg + component;
}

constexpr uint8_t mask_of(uint32_t first, uint32_t count) {
  return static_cast<uint8_t>(((1u << count) - 1) << first);
}

class OutputArranger {
 public:
  OutputArranger(ir::Module& module, const Options& options, Diagnostics& diagnostics)
      : module_(module),
        options_(options),
        diagnostics_(diagnostics),
        moves_(module.memory()),
        zeros_(module.memory()),
        outputs_(module.memory()),
        code_(module.memory()) {}

  bool run() {
    const bool is_last_stage = module_.stage == ir::Stage::vertex || module_.stage == ir::Stage::domain ||
                               module_.stage == ir::Stage::geometry;
    const bool swizzles = module_.stage == ir::Stage::pixel && !options_.swizzles.empty();
    has_varyings_ = is_last_stage && options_.has_varyings;
    const bool has_captures = !options_.captures.empty();
    if (has_captures && !is_last_stage) {
      diagnostics_.error({}, "stream output needs a vertex, domain or geometry shader");
      return false;
    }
    if (!swizzles && !has_varyings_ && !has_captures) return true;
    if (has_varyings_ &&
        std::ranges::any_of(module_.outputs, [](const Parameter& p) { return p.stream != 0; })) {
      diagnostics_.error({}, "varyings cannot be used with several output streams on spirv: leave them out");
      return false;
    }
    passes_indices_ = has_varyings_ && !feeds_rasterizer();
    for (const Parameter& output : module_.outputs) keep_or_move(output);
    if (has_varyings_) {
      for (const Varying& varying : options_.varyings) place_varying(varying);
    }
    for (uint32_t i = 0; i < options_.captures.size(); ++i) place_capture(i);
    if (!rewrite_code()) return false;
    module_.outputs = outputs_;
    module_.code = code_;
    return true;
  }

 private:
  /// A component that is also written elsewhere.
  struct Move {
    uint32_t from, to;  // register * 4 + component
  };

  bool is_movable(const Parameter& output) const {
    return output.reg < ir::kSpecialRegister &&
           (output.system_value == ir::SystemValue::none || output.stream != 0);
  }

  static bool is_array_index(const Parameter& output) {
    return output.system_value == ir::SystemValue::render_target_array_index ||
           output.system_value == ir::SystemValue::viewport_array_index;
  }

  /// Only hull and geometry shaders read an array index as a plain input: a varying for nothing else says
  /// that one of these follows.
  bool feeds_rasterizer() const {
    const auto reads_index = [](const Varying& varying, const Parameter& output) {
      return is_array_index(output) && output.reg == varying.from && (varying.from_mask & ~output.mask) == 0;
    };
    return options_.feeds_rasterizer && std::ranges::none_of(options_.varyings, [&](const Varying& varying) {
             return std::ranges::any_of(
                 module_.outputs, [&](const Parameter& output) { return reads_index(varying, output); });
           });
  }

  void keep_or_move(const Parameter& output) {
    // The rasterizer takes array indices from the last stage before it. Before another one they are only
    // passed on, by place_varying(); built-ins would need a capability that the device may lack.
    if (passes_indices_ && is_array_index(output)) return;
    const bool is_target = module_.stage == ir::Stage::pixel && is_movable(output);
    if (is_target && output.reg < options_.swizzles.size()) return swizzle_target(output);
    // place_varying() handles what the next stage reads.
    if (has_varyings_ && is_movable(output) && output.stream == 0) return;
    Parameter kept = output;
    if (has_varyings_ && output.reg < kFirstKept) kept.reg += kFirstKept;  // a varying may go to its register
    outputs_.push_back(kept);
    for (uint32_t c = 0; c < 4; ++c) {
      if (output.has(c)) add_move(slot_of(output.reg, c), slot_of(kept.reg, c));
    }
  }

  void swizzle_target(const Parameter& output) {
    Parameter moved = output;
    moved.mask = 0;
    for (uint32_t i = 0; i < 4; ++i) {
      const uint32_t component = options_.swizzles[output.reg][i];
      if (!output.has(component)) continue;
      moved.mask |= mask_of(i, 1);
      add_move(slot_of(output.reg, component), slot_of(output.reg, i));
    }
    if (moved.mask != 0) outputs_.push_back(moved);
  }

  void place_varying(const Varying& varying) {
    Parameter placed;
    placed.reg = varying.to;
    placed.mask = varying.to_mask;
    placed.component_type = 3;
    for (const Parameter& output : module_.outputs) {
      if (output.reg != varying.from || (output.mask & varying.from_mask) == 0) continue;
      placed.semantic = output.semantic;
      placed.semantic_index = output.semantic_index;
    }
    outputs_.push_back(placed);
    uint32_t from_mask = varying.from == kNobody ? 0 : varying.from_mask;
    for (uint32_t mask = varying.to_mask; mask != 0; mask &= mask - 1) {
      const auto to = slot_of(varying.to, static_cast<uint32_t>(std::countr_zero(mask)));
      uint32_t from = kNobody;
      if (from_mask != 0) from = slot_of(varying.from, static_cast<uint32_t>(std::countr_zero(from_mask)));
      from_mask &= from_mask - 1;
      if (from != kNobody && is_written(from)) {
        add_move(from, to);
      } else {
        zeros_.push_back(to);
      }
    }
  }

  /// Is it declared? In Direct3D an undeclared output is undefined when the next stage reads it.
  bool is_written(uint32_t slot) const {
    return std::ranges::any_of(module_.outputs, [&](const Parameter& output) {
      return output.stream == 0 && output.reg == slot / 4 && output.has(slot % 4);
    });
  }

  void place_capture(uint32_t index) {
    const Capture& capture = options_.captures[index];
    Parameter copy;
    copy.reg = kFirstCapture + index;
    copy.mask = mask_of(0, capture.count);
    copy.stream = capture.stream;
    outputs_.push_back(copy);
    for (uint32_t c = 0; c < capture.count; ++c)
      add_move(slot_of(capture.reg, capture.first + c), slot_of(copy.reg, c));
  }

  void add_move(uint32_t from, uint32_t to) {
    const bool known =
        std::ranges::any_of(moves_, [&](const Move& move) { return move.from == from && move.to == to; });
    if (!known) moves_.push_back({from, to});
  }

  bool rewrite_code() {
    std::ranges::stable_sort(moves_, {}, &Move::from);
    code_.reserve(module_.code.size() + moves_.size() + zeros_.size());
    const bool is_geometry = module_.stage == ir::Stage::geometry;
    if (!is_geometry) write_zeros();
    for (const Instruction& instruction : module_.code) {
      if (is_geometry && instruction.op == Op::emit && instruction.payload == 0) write_zeros();
      if (instruction.op != Op::output) {
        code_.push_back(instruction);
      } else if (instruction.has(ir::kIndexOperand)) {
        diagnostics_.error(module_.location_of(instruction),
                           "an output register with a run-time number cannot be combined with stream output "
                           "or with varyings on spirv");
        return false;
      } else {
        move(instruction);
      }
    }
    return true;
  }

  void move(const Instruction& instruction) {
    const auto first = std::ranges::lower_bound(moves_, instruction.payload, {}, &Move::from);
    for (auto move = first; move != moves_.end() && move->from == instruction.payload; ++move) {
      code_.push_back(instruction);
      code_.back().payload = move->to;
    }
  }

  void write_zeros() {
    ir::Builder builder(module_, code_);
    for (const uint32_t to : zeros_) builder.emit(Op::output, {module_.constant(0)}, to);
  }

  ir::Module& module_;
  const Options& options_;
  Diagnostics& diagnostics_;
  std::pmr::vector<Move> moves_;
  std::pmr::vector<uint32_t> zeros_;
  std::pmr::vector<Parameter> outputs_;
  ir::Code code_;
  bool has_varyings_ = false;
  bool passes_indices_ = false;  // array indices are plain outputs
};

}  // namespace

bool arrange_outputs(ir::Module& module, const Options& options, Diagnostics& diagnostics) {
  return OutputArranger(module, options, diagnostics).run();
}

}  // namespace texlate::spirv
