#include "tests/support/ir_evaluator.h"

#include <gtest/gtest.h>

#include <array>

namespace texlate::ir {

namespace {

uint64_t scramble(uint64_t x) {
  x ^= x >> 31;
  x *= 0x9e3779b97f4a7c15ull;
  return x ^ (x >> 29);
}

class Evaluator {
 public:
  Evaluator(const Module& module, uint32_t seed)
      : module_(module), seed_(seed), values_(module.values.size()), jump_(module.code.size(), 0) {
    for (const LocalArray& array : module.locals) locals_.emplace_back(array.rows * 4);
    for (size_t i = 0; i < values_.size(); ++i) values_[i] = module.values[i].bits;
    match();
  }

  std::optional<std::vector<uint64_t>> run(uint32_t steps) {
    size_t pc = 0;
    while (pc < module_.code.size()) {
      if (steps-- == 0) return std::nullopt;
      pc = step(pc);
    }
    return trace_;
  }

 private:
  // jump_: if -> else, else -> endif, endloop and continue -> loop, break -> end marker, switch -> endswitch.
  void match() {
    std::vector<size_t> open;
    std::vector<std::vector<size_t>> breaks;
    for (size_t i = 0; i < module_.code.size(); ++i) {
      switch (module_.code[i].op) {
        case Op::if_:
        case Op::loop:
        case Op::switch_:
          open.push_back(i);
          breaks.emplace_back();
          break;
        case Op::else_:
          jump_[open.back()] = i;
          open.back() = i;
          break;
        case Op::break_: {
          size_t at = open.size() - 1;
          while (module_.code[open[at]].op == Op::if_ || module_.code[open[at]].op == Op::else_) --at;
          breaks[at].push_back(i);
          break;
        }
        case Op::continue_: {
          size_t at = open.size() - 1;
          while (module_.code[open[at]].op != Op::loop) --at;
          jump_[i] = open[at];
          break;
        }
        case Op::endif:
        case Op::endloop:
        case Op::endswitch:
          if (module_.code[i].op == Op::endloop) {
            jump_[i] = open.back();
          } else {
            jump_[open.back()] = i;
          }
          for (const size_t from : breaks.back()) jump_[from] = i;
          breaks.pop_back();
          open.pop_back();
          break;
        default: break;
      }
    }
  }

  uint64_t in(const Instruction& instruction, uint32_t i) const {
    return values_[module_.operands[instruction.first_operand + i]];
  }
  uint32_t word(const Instruction& instruction, uint32_t i) const {
    return static_cast<uint32_t>(in(instruction, i));
  }
  void out(const Instruction& instruction, uint64_t bits, uint32_t i = 0) {
    const Value value = instruction.first_result + i;
    values_[value] = module_.values[value].type == Type::b32 ? static_cast<uint32_t>(bits) : bits;
  }
  void pass(const Instruction& from, const Instruction& to) {
    std::vector<uint64_t> passed;
    for (uint32_t i = 0; i < from.operand_count; ++i) passed.push_back(in(from, i));
    ASSERT_EQ(passed.size(), to.result_count);
    for (uint32_t i = 0; i < to.result_count; ++i) out(to, passed[i], i);
  }

  size_t step(size_t pc) {
    const Instruction& instruction = module_.code[pc];
    switch (instruction.op) {
      case Op::if_: return in(instruction, 0) != 0 ? pc + 1 : jump_[pc] + 1;
      case Op::loop: pass(instruction, instruction); return pc + 1;
      case Op::switch_: return choose(pc);
      case Op::else_:
      case Op::continue_:
      case Op::endloop:
      case Op::break_: pass(instruction, module_.code[jump_[pc]]); return jump_[pc] + 1;
      case Op::endif: pass(instruction, instruction); return pc + 1;
      case Op::case_:
      case Op::default_: return pc + 1;
      case Op::endswitch: ADD_FAILURE() << "an arm fell through"; return pc + 1;
      case Op::return_: return module_.code.size();
      default: compute(instruction); return pc + 1;
    }
  }

  size_t choose(size_t pc) const {
    const uint32_t wanted = word(module_.code[pc], 0);
    size_t found = 0;
    uint32_t depth = 0;
    for (size_t i = pc + 1; i < jump_[pc]; ++i) {
      const Op op = module_.code[i].op;
      if (op == Op::if_ || op == Op::loop || op == Op::switch_) ++depth;
      if (op == Op::endif || op == Op::endloop || op == Op::endswitch) --depth;
      if (depth != 0) continue;
      if (op == Op::case_ && module_.code[i].payload == wanted) return i;
      if (op == Op::default_) found = i;
    }
    return found;
  }

  /// The component of an array; row numbers wrap around.
  uint32_t& local(const Instruction& instruction) {
    std::vector<uint32_t>& words = locals_[instruction.payload / 4];
    return words[word(instruction, 0) * 4 % words.size() + instruction.payload % 4];
  }

  void effect(const Instruction& instruction) {
    trace_.push_back(static_cast<uint64_t>(instruction.op) << 32 | instruction.payload);
    for (uint32_t i = 0; i < instruction.operand_count; ++i) trace_.push_back(in(instruction, i));
  }

  void compute(const Instruction& instruction) {
    switch (instruction.op) {
      case Op::reg_load: out(instruction, registers_[instruction.payload]); return;
      case Op::reg_store: registers_[instruction.payload] = word(instruction, 0); return;
      case Op::local_load: out(instruction, local(instruction)); return;
      case Op::local_store: local(instruction) = word(instruction, 1); return;
      case Op::output:
      case Op::message:
      case Op::discard: effect(instruction); return;
      case Op::unpack64:
        out(instruction, in(instruction, 0) & 0xffffffffu, 0);
        out(instruction, in(instruction, 0) >> 32, 1);
        return;
      case Op::input:
      case Op::bound:
      case Op::address:
      case Op::binding:
      case Op::cb_rows:
      case Op::cb_load: ask(instruction, instruction.payload); return;
      default: break;
    }
    if (info(instruction.op).payload == Payload::access) return access(instruction);
    out(instruction, arithmetic(instruction));
  }

  /// Small numbers, so that branches go both ways.
  void ask(const Instruction& instruction, uint64_t question) {
    question = scramble(question * 131 + seed_ * 7919ull + static_cast<uint64_t>(instruction.op));
    for (uint32_t i = 0; i < instruction.operand_count; ++i)
      question = scramble(question ^ in(instruction, i));
    for (uint32_t i = 0; i < instruction.result_count; ++i) {
      const uint64_t answer = scramble(question + i);
      const bool predicate = module_.values[instruction.first_result + i].type == Type::b1;
      out(instruction, predicate ? answer & 1 : answer % 5 == 0 ? answer : answer % 7, i);
    }
  }

  void access(const Instruction& instruction) {
    const ResourceAccess& access = module_.access_of(instruction);
    uint64_t question = access.slots | static_cast<uint64_t>(access.resource) << 32;
    for (const int8_t offset : access.offset) question = scramble(question ^ static_cast<uint8_t>(offset));
    if (info(instruction.op).has(kReadsMemory)) question = scramble(question + writes_);
    ask(instruction, question);
    if (!info(instruction.op).has(kWritesMemory)) return;
    ++writes_;
    trace_.push_back(static_cast<uint64_t>(instruction.op) << 32 | access.slots);
    for (uint32_t i = 0; i < instruction.operand_count; ++i) trace_.push_back(in(instruction, i));
  }

  uint64_t arithmetic(const Instruction& instruction) const {
    std::array<uint64_t, 4> wide{};
    for (uint32_t i = 0; i < instruction.operand_count; ++i) wide[i] = in(instruction, i);
    const auto [a, b, c, d] =
        std::array<uint32_t, 4>{static_cast<uint32_t>(wide[0]), static_cast<uint32_t>(wide[1]),
                                static_cast<uint32_t>(wide[2]), static_cast<uint32_t>(wide[3])};
    const int64_t sa = static_cast<int32_t>(a);
    const int64_t sb = static_cast<int32_t>(b);
    switch (instruction.op) {
      case Op::iadd: return a + b;
      case Op::isub: return a - b;
      case Op::ineg: return ~a + 1u;
      case Op::imul: return a * b;
      case Op::imulhi: return static_cast<uint64_t>(sa * sb) >> 32;
      case Op::umulhi: return (uint64_t{a} * b) >> 32;
      case Op::imad: return a * b + c;
      case Op::mad_wide: return uint64_t{a} * b + wide[2];
      case Op::udiv: return b == 0 ? ~0u : a / b;
      case Op::urem: return b == 0 ? ~0u : a % b;
      case Op::imin: return static_cast<uint32_t>(sa < sb ? sa : sb);
      case Op::imax: return static_cast<uint32_t>(sa < sb ? sb : sa);
      case Op::umin: return a < b ? a : b;
      case Op::umax: return a < b ? b : a;
      case Op::and_: return a & b;
      case Op::or_: return a | b;
      case Op::xor_: return a ^ b;
      case Op::not_: return ~a;
      case Op::shl: return uint64_t{a} << (b % 32);
      case Op::ishr: return static_cast<uint64_t>(sa >> (b % 32));
      case Op::ushr: return a >> (b % 32);
      case Op::ubfe:
      case Op::ibfe: return field(a % 32, b % 32, c, instruction.op == Op::ibfe);
      case Op::bfi: {
        const uint64_t mask = static_cast<uint32_t>(((uint64_t{1} << (a % 32)) - 1) << (b % 32));
        return ((uint64_t{c} << (b % 32)) & mask) | (d & ~mask);
      }
      case Op::bitrev: {
        uint32_t result = 0;
        for (uint32_t i = 0; i < 32; ++i) result = result * 2 + ((a >> i) & 1);
        return result;
      }
      case Op::popcount: {
        uint32_t count = 0;
        for (uint32_t i = 0; i < 32; ++i) count += (a >> i) & 1;
        return count;
      }
      case Op::firstbit_lo:
        for (uint32_t i = 0; i < 32; ++i) {
          if ((a >> i) & 1) return i;
        }
        return ~0u;
      case Op::firstbit_hi:
        for (uint32_t i = 0; i < 32; ++i) {
          if ((a >> (31 - i)) & 1) return i;
        }
        return ~0u;
      case Op::ieq: return a == b;
      case Op::ine: return a != b;
      case Op::ilt: return sa < sb;
      case Op::ige: return sa >= sb;
      case Op::ult: return a < b;
      case Op::uge: return a >= b;
      case Op::pand: return a & b;
      case Op::por: return a | b;
      case Op::pxor: return a ^ b;
      case Op::pnot: return a == 0;
      case Op::mask: return a != 0 ? ~0u : 0u;
      case Op::select:
      case Op::select64: return wide[0] != 0 ? wide[1] : wide[2];
      case Op::pack64: return uint64_t{b} << 32 | a;
      default: ADD_FAILURE() << "not evaluated here: " << info(instruction.op).text; return 0;
    }
  }

  /// Bit by bit, in the words of the specification.
  static uint64_t field(uint32_t width, uint32_t offset, uint32_t value, bool is_signed) {
    if (width == 0) return 0;
    const uint32_t count = width + offset < 32 ? width : 32 - offset;
    uint64_t result = 0;
    for (uint32_t i = 0; i < count; ++i) result |= static_cast<uint64_t>((value >> (offset + i)) & 1) << i;
    if (is_signed && ((result >> (count - 1)) & 1)) result |= ~uint64_t{0} << count;
    return result;
  }

  const Module& module_;
  const uint32_t seed_;
  std::vector<uint64_t> values_;
  std::vector<size_t> jump_;
  std::array<uint32_t, 1024> registers_{};
  std::vector<std::vector<uint32_t>> locals_;
  uint64_t writes_ = 0;
  std::vector<uint64_t> trace_;
};

}  // namespace

std::optional<std::vector<uint64_t>> evaluate_module(const Module& module, uint32_t input_seed,
                                                     uint32_t steps) {
  return Evaluator(module, input_seed).run(steps);
}

}  // namespace texlate::ir
