// Double precision: an operand is a register pair, or an immediate if only its upper 20 bits are not zero.

#include "backend/maxwell/select/families.h"

namespace texlate::maxwell::select {

void Arithmetic::select_double(const ir::Instruction& instruction) {
  const Value result = instruction.first_result;
  const auto in = [&](uint32_t i) { return values_.double_arg(operand(instruction, i)); };
  // A product has one sign, on B, and no magnitudes; operands that need more are in registers.
  const auto plain = [&](uint32_t i) {
    const Arg arg = in(i);
    return arg.flags == 0 ? arg : Arg::pair(pair(operand(instruction, i)));
  };
  const auto in_register = [&](uint32_t i) { return Arg::pair(pair(operand(instruction, i))); };
  const auto to = [&](Draft draft, unsigned at = 0) {
    const Pair words{assembler_.general(), assembler_.general()};
    draft.args[at] = Arg::pair(words);
    emit(draft);
    define(result, words);
  };
  // The immediate of a commutative pair goes to B.
  uint32_t first = 0;
  uint32_t second = 1;
  if (instruction.operand_count > 1 && module_.is_constant(operand(instruction, 0))) std::swap(first, second);
  const auto a = [&](uint32_t i) { return in(i).kind == Arg::Kind::double_ ? in_register(i) : in(i); };
  switch (instruction.op) {
    case Op::pack64: return define(result, Pair{reg(operand(instruction, 0)), reg(operand(instruction, 1))});
    case Op::unpack64: {
      const Pair words = pair(operand(instruction, 0));
      define(result, words.low);
      return define(result + 1, words.high);
    }
    case Op::dadd: return to({Opcode::dadd, {Arg(), a(first), in(second)}});
    case Op::dmul: return to({Opcode::dmul, {Arg(), in_register(first), plain(second)}});
    case Op::dfma: return to({Opcode::dfma, {Arg(), in_register(first), plain(second), in_register(2)}});
    case Op::dmin: return to({Opcode::dmnmx, {Arg(), a(first), in(second), kAlways}});
    case Op::dmax: return to({Opcode::dmnmx, {Arg(), a(first), in(second), Predicate::constant(false)}});
    case Op::dneg:
    case Op::dabs: {
      const Pair words = pair(operand(instruction, 0));
      const bool negates = instruction.op == Op::dneg;
      const MachineValue high =
          emit_word({Opcode::lop32i,
                     {Arg(), Source::of(words.high), Source::immediate(negates ? 0x80000000u : 0x7fffffffu)},
                     {{Modifier::logic, negates ? Logic::xor_ : Logic::and_}}});
      return define(result, Pair{words.low, high});
    }
    // max(0, x) is 0 for NaN.
    case Op::dsat: {
      const Pair positive{assembler_.general(), assembler_.general()};
      emit({Opcode::dmnmx,
            {Arg::pair(positive), a(0), Arg::regs({kNone, kNone}), Predicate::constant(false)}});
      return to({Opcode::dmnmx, {Arg(), Arg::pair(positive), Arg::upper_double(0x3ff00000), kAlways}});
    }
    // F2F keeps denormals; adding -0 flushes them.
    case Op::dtof: {
      const MachineValue narrow = emit_word(Draft{Opcode::f2f, {Arg(), a(0)}}.spelled("F32", "F64"));
      return define(result, emit_sum(Source::of(narrow), minus_zero(), 0));
    }
    case Op::ftod:
      return to(
          Draft{Opcode::f2f, {Arg(), float_source(operand(instruction, 0))}, {kFtz}}.spelled("F64", "F32"));
    case Op::dtoi:
    case Op::dtou:
      return define(
          result,
          emit_word(Draft{Opcode::f2i,
                          {Arg(), a(0)},
                          {{Modifier::f2i_type, instruction.op == Op::dtoi ? F2iType::s32 : F2iType::u32},
                           {Modifier::f2i_rounding, F2iRounding::trunc}}}
                        .spelled("F64")));
    case Op::itod:
    case Op::utod:
      return to(
          {Opcode::i2f,
           {Arg(), word(operand(instruction, 0))},
           {{Modifier::float_type, FloatType::f64},
            {Modifier::source_sign_32, instruction.op == Op::itod ? SourceSign32::s32 : SourceSign32::u32}}});
    case Op::ddiv:
    case Op::drcp: return refuse(instruction, "an operation that legalization expands");
    case Op::deq:
    case Op::dne:
    case Op::dlt:
    case Op::dge: return select_compare(instruction);
#define IR_COVERED_float64
#include "ir/op_cases.inc"
      break;  // of another family
  }
}

}  // namespace texlate::maxwell::select
