#include "backend/launch/lower_evaluations.h"

#include <algorithm>
#include <array>
#include <initializer_list>

#include "ir/builder.h"
#include "ir/passes/optimize.h"
#include "ir/passes/rewriter.h"

namespace texlate::launch {

namespace {

using ir::Op;
using ir::Value;

constexpr uint32_t kElement = static_cast<uint32_t>(ir::SystemValue::thread_id) * 4;
constexpr float kSixteenth = 0.0625f;  // of a pixel: the unit of eval_snapped
constexpr uint32_t kOffsetBits = 4;    // signed; the others mean nothing

class EvaluationLowering {
 public:
  explicit EvaluationLowering(ir::Module& module)
      : module_(module),
        scratch_(module.memory()),
        replacements_(module, &scratch_),
        code_(module.memory()),
        builder_(module, code_) {
    code_.reserve(module.code.size() + module.code.size() / 2 + 64);
  }

  void run() {
    for (const ir::Instruction& instruction : module_.code) {
      replacements_.apply(module_, instruction);
      builder_.set_location(instruction);
      if (instruction.op == Op::eval_centroid) {
        replacements_.replace(instruction.first_result, emit(Op::input, {}, instruction.payload));
      } else if (instruction.op == Op::eval_snapped) {
        replacements_.replace(instruction.first_result, evaluate(instruction));
      } else {
        builder_.append(instruction);
      }
    }
    module_.code.swap(code_);
  }

 private:
  Value evaluate(const ir::Instruction& instruction) {
    const std::array<Value, 2> offsets = {module_.operands_of(instruction)[0],
                                          module_.operands_of(instruction)[1]};
    const uint32_t plane = instruction.payload;
    const Value own = emit(Op::input, {}, plane);
    Value sum = own;
    for (uint32_t axis = 0; axis < 2; ++axis) {
      const Value part = rounded(Op::fmul, {pixels(offsets[axis]), difference(plane, own, axis)});
      sum = rounded(Op::fadd, {sum, part});
    }
    // Without an offset the value stays unchanged, INF included.
    const Value any =
        emit(Op::and_, {emit(Op::or_, {offsets[0], offsets[1]}), word((1u << kOffsetBits) - 1)});
    return emit(Op::select, {emit(Op::ine, {any, word(0)}), sum, own});
  }

  Value pixels(Value offset) {
    const Value sixteenths = emit(Op::ibfe, {word(kOffsetBits), word(0), offset});
    return rounded(Op::fmul, {emit(Op::itof, {sixteenths}), module_.constant_float(kSixteenth)});
  }

  /// The right pixel's value minus the left one's, or the lower one's minus the upper one's. The element, not
  /// the lane, says which pixel it is: threads past the last element read as that element.
  Value difference(uint32_t plane, Value own, uint32_t axis) {
    const uint32_t bit = 1u << axis;
    const Value side = emit(Op::and_, {emit(Op::system_value, {}, kElement), word(bit)});
    const Value distance = emit(Op::isub, {word(bit), emit(Op::shl, {side, word(1)})});
    const Value other = emit(Op::input, {distance}, plane);
    code_.back().flags |= ir::kVertexOperand;
    const Value is_second = emit(Op::ine, {side, word(0)});
    const Value second = emit(Op::select, {is_second, own, other});
    const Value first = emit(Op::select, {is_second, other, own});
    return rounded(Op::fadd, {second, emit(Op::fneg, {first})});
  }

  /// Not contracted: all targets give the same bits.
  Value rounded(Op op, std::initializer_list<Value> operands) {
    const Value result = emit(op, operands);
    code_.back().flags |= ir::kPrecise;
    return result;
  }
  Value word(uint32_t bits) { return module_.constant(bits); }
  Value emit(Op op, std::initializer_list<Value> operands, uint32_t payload = 0) {
    return builder_.emit(op, operands, payload);
  }

  ir::Module& module_;
  std::pmr::monotonic_buffer_resource scratch_;
  ir::Replacements replacements_;
  ir::Code code_;
  ir::Builder builder_;
};

}  // namespace

bool has_evaluations(const ir::Module& module) {
  return module.stage == ir::Stage::pixel &&
         std::ranges::any_of(module.code, [](const ir::Instruction& instruction) {
           return instruction.op == Op::eval_snapped || instruction.op == Op::eval_centroid;
         });
}

void lower_evaluations(ir::Module& module) {
  EvaluationLowering(module).run();
  ir::clean_up(module, 0);
}

}  // namespace texlate::launch
