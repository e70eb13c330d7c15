#include "ir/passes/spill_exits.h"

#include "ir/base/buffer.h"
#include "ir/builder.h"
#include "ir/structure.h"

namespace texlate::ir {

namespace {

class ExitSpiller {
 public:
  ExitSpiller(Module& module, uint32_t most_exits)
      : module_(module),
        most_(most_exits),
        scratch_(module.memory()),
        constructs_(&scratch_),
        open_(&scratch_),
        operands_(&scratch_),
        code_(module.memory()),
        builder_(module, code_) {}

  bool run() {
    if (!count_exits()) return false;
    code_.reserve(module_.code.size() * 2);
    uint32_t next = 0;
    for (const Instruction& instruction : module_.code) {
      builder_.set_location(instruction);
      switch (instruction.op) {
        case Op::if_: code_.push_back(instruction); break;
        case Op::switch_:
          open_.push_back(next++);
          code_.push_back(instruction);
          break;
        case Op::loop:
          open_.push_back(next++);
          enter_loop(instruction);
          break;
        case Op::break_: pass(instruction, constructs_[open_.back()].leaving); break;
        case Op::continue_: pass(instruction, constructs_[innermost_loop()].carried); break;
        case Op::endloop:
        case Op::endswitch: close(instruction); break;
        default: code_.push_back(instruction); break;
      }
    }
    module_.code.swap(code_);
    return true;
  }

 private:
  static constexpr uint32_t kNone = 0xffffffffu;

  /// Loops and switches, in the order of their opening markers.
  struct Construct {
    bool is_loop;
    uint32_t breaks = 0, continues = 0;
    uint32_t leaving = kNone, carried = kNone;  // the arrays for their values
  };

  /// Assigns an array to constructs with too many exits and values. Returns whether there are any.
  bool count_exits() {
    bool any = false;
    auto array_for = [&](uint32_t exits, const Instruction& receiver) {
      if (exits <= most_ || receiver.result_count == 0) return kNone;
      any = true;
      module_.locals.push_back({uint32_t{receiver.result_count} * 2, 1});
      return static_cast<uint32_t>(module_.locals.size() - 1);
    };
    ArenaBuffer<uint32_t> markers(&scratch_);
    for (uint32_t i = 0; i < module_.code.size(); ++i) {
      const Instruction& instruction = module_.code[i];
      switch (instruction.op) {
        case Op::loop:
        case Op::switch_:
          open_.push_back(static_cast<uint32_t>(constructs_.size()));
          constructs_.push_back({instruction.op == Op::loop});
          markers.push_back(i);
          break;
        case Op::break_: ++constructs_[open_.back()].breaks; break;
        case Op::continue_: ++constructs_[innermost_loop()].continues; break;
        case Op::endloop:
        case Op::endswitch: {
          Construct& construct = constructs_[open_.back()];
          construct.leaving = array_for(construct.breaks, instruction);
          if (construct.is_loop)
            construct.carried = array_for(construct.continues, module_.code[markers.back()]);
          open_.pop_back();
          markers.pop_back();
          break;
        }
        default: break;
      }
    }
    return any;
  }

  uint32_t innermost_loop() const {
    size_t at = open_.size() - 1;
    while (!constructs_[open_[at]].is_loop) --at;
    return open_[at];
  }

  /// A marker that passes its operands to the reader of the array; kNone: it stays as it is.
  void pass(const Instruction& marker, uint32_t array) {
    Instruction passing = marker;
    if (array != kNone) {
      store(array, marker);
      passing.operand_count = 0;
    }
    code_.push_back(passing);
  }

  void enter_loop(const Instruction& loop) {
    const uint32_t array = constructs_[open_.back()].carried;
    Instruction head = loop;
    if (array != kNone) {
      store(array, loop);
      head.operand_count = 0;
      head.result_count = 0;
      head.first_result = kNoValue;
    }
    code_.push_back(head);
    if (array != kNone) load(array, loop);
  }

  void close(const Instruction& end) {
    const Construct construct = constructs_[open_.back()];
    open_.pop_back();
    Instruction marker = end;
    if (construct.carried != kNone && end.operand_count != 0) {
      store(construct.carried, end);
      marker.operand_count = 0;
    }
    if (construct.leaving != kNone) {
      marker.result_count = 0;
      marker.first_result = kNoValue;
    }
    code_.push_back(marker);
    if (construct.leaving != kNone) load(construct.leaving, end);
  }

  // Two rows for each value, so that 64-bit values fit, too.
  void store(uint32_t array, const Instruction& marker) {
    operands_.clear();
    for (const Value value : module_.operands_of(marker)) operands_.push_back(value);
    uint32_t row = 0;
    for (const Value value : operands_) {
      switch (module_.values[value].type) {
        case Type::b1: store_word(array, row, builder_.emit(Op::mask, {value})); break;
        case Type::b32: store_word(array, row, value); break;
        case Type::b64: {
          const Value words = builder_.emit(Op::unpack64, {value});
          store_word(array, row, words);
          store_word(array, row + 1, words + 1);
          break;
        }
      }
      row += 2;
    }
  }
  void store_word(uint32_t array, uint32_t row, Value value) {
    builder_.emit(Op::local_store, {module_.constant(row), value}, array * 4);
  }

  /// The values keep their numbers.
  void load(uint32_t array, const Instruction& receiver) {
    for (uint32_t r = 0; r < receiver.result_count; ++r) {
      const Value value = receiver.first_result + r;
      const Type type = module_.values[value].type;
      const Value low = load_word(array, 2 * r);
      if (type == Type::b1) {
        builder_.emit(Op::ine, {low, module_.constant(0)});
      } else if (type == Type::b64) {
        builder_.emit(Op::pack64, {low, load_word(array, 2 * r + 1)});
      }
      builder_.last().first_result = value;
    }
  }
  Value load_word(uint32_t array, uint32_t row) {
    return builder_.emit(Op::local_load, {module_.constant(row)}, array * 4);
  }

  Module& module_;
  const uint32_t most_;
  std::pmr::monotonic_buffer_resource scratch_;
  std::pmr::vector<Construct> constructs_;
  std::pmr::vector<uint32_t> open_;  // loops and switches, in constructs_
  std::pmr::vector<Value> operands_;
  Code code_;
  Builder builder_;
};

}  // namespace

bool spill_exits(Module& module, uint32_t most_exits) {
  // Each exit is an instruction, so smaller modules cannot have too many.
  return module.code.size() > most_exits && ExitSpiller(module, most_exits).run();
}

}  // namespace texlate::ir
