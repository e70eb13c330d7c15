#include "tests/unit/maxwell_machine/evaluate.h"

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/access.h"

namespace texlate::maxwell::machine::test {
namespace {

/// The operand's value as a source: a register, or its literal.
Word source(const maxwell::Instruction& code, unsigned index, const OperandValues& values) {
  const Operand& operand = code.operands[index];
  switch (operand.kind) {
    case OperandKind::reg: return values.counts[index] != 0 ? values.words[index][0] : 0;
    case OperandKind::predicate: {
      const Word p = values.counts[index] != 0 ? values.words[index][0] & 1 : 1;
      return (operand.flags & kInvert) != 0 ? p ^ 1 : p;
    }
    case OperandKind::constant: return mix(operand.bank + 77u, static_cast<uint32_t>(operand.value));
    default: return static_cast<uint32_t>(operand.value);
  }
}

Word combine(uint8_t operation, Word a, Word b) {
  switch (static_cast<Boolean>(operation)) {
    case Boolean::and_: return a & b;
    case Boolean::or_: return a | b;
    case Boolean::xor_: return a ^ b;
  }
  return 0;
}

bool evaluate_truly(const maxwell::Instruction& code, OperandValues& v) {
  switch (opcode(code)) {
    case Opcode::mov:
    case Opcode::mov32i: v.words[0][0] = source(code, 1, v); return true;
    case Opcode::sel:
      v.words[0][0] = (source(code, 3, v) & 1) != 0 ? source(code, 1, v) : source(code, 2, v);
      return true;
    case Opcode::psetp: {
      const Word ab = combine(get_modifier(code, Modifier::boolean), source(code, 2, v), source(code, 3, v));
      v.words[0][0] = combine(get_modifier(code, Modifier::boolean_b), ab, source(code, 4, v));
      v.words[1][0] = combine(get_modifier(code, Modifier::boolean_b), ab ^ 1, source(code, 4, v));
      return true;
    }
    case Opcode::lop: {
      if (get_modifier(code, Modifier::logic) != static_cast<uint8_t>(Logic::xor_)) return false;
      unsigned at = 0;
      Word out = 0;
      unsigned result = 0;
      for (unsigned k = 0; k < form(code).operand_count; ++k) {
        if (code.operands[k].kind == OperandKind::predicate) continue;
        if (is_result(code, k)) {
          result = k;
        } else if (at++ < 2) {
          out ^= source(code, k, v);
        }
      }
      v.words[result][0] = out;
      return true;
    }
    case Opcode::iadd32i:
      v.words[0][0] = source(code, 1, v) + static_cast<Word>(static_cast<int64_t>(code.operands[2].value));
      return true;
    case Opcode::isetp:
      if (get_modifier(code, Modifier::integer_compare) != static_cast<uint8_t>(IntegerCompare::ne) ||
          get_modifier(code, Modifier::x) != 0) {
        return false;
      }
      v.words[0][0] = combine(get_modifier(code, Modifier::boolean), source(code, 2, v) != source(code, 3, v),
                              source(code, 4, v));
      return true;
    default: return false;
  }
}

Word literal_hash(const maxwell::Instruction& code) {
  Word h = static_cast<Word>(opcode(code)) * 1000003u + code.form;
  for (unsigned m = 0; m < form(code).modifier_count; ++m) h = mix(h, code.modifiers[m]);
  for (unsigned k = 0; k < form(code).operand_count; ++k) {
    const Operand& o = code.operands[k];
    h = mix(h, o.flags * 64u + o.part * 16u + o.bank + (static_cast<Word>(o.kind) << 20));
    if (o.kind != OperandKind::target) h = mix(h, static_cast<uint32_t>(o.value));
  }
  return h;
}

}  // namespace

void evaluate(const maxwell::Instruction& code, bool reads, bool writes, bool is_barrier, unsigned space,
              OperandValues& values, LaneContext& context, Effects& effects) {
  const bool has_effect = reads || writes || is_barrier;
  if (!has_effect && !writes_condition_code(code) && evaluate_truly(code, values)) return;
  Word h = literal_hash(code);
  for (unsigned k = 0; k < maxwell::kMaxOperands; ++k) {
    if (values.counts[k] == 0 || is_result(code, k)) continue;
    for (unsigned e = 0; e < values.counts[k]; ++e) h = mix(h, values.words[k][e]);
  }
  if (reads_condition_code(code)) h = mix(h, context.carry);
  if (writes_condition_code(code)) context.carry = mix(h, 0xcc);
  if (opcode(code) == Opcode::s2r) h = mix(h, context.lane);
  if (has_effect) {
    // All spaces: everything that was stored anywhere.
    Word seen = 0;
    for (unsigned s = 0; s < context.stores.size(); ++s) {
      if (s == space || space == kAllSpaces || s == kAllSpaces || is_barrier)
        seen = mix(seen, context.stores[s]);
    }
    h = mix(h, seen);
    if (writes || is_barrier) {
      for (unsigned s = 0; s < kEffectSpaces; ++s) {
        if (s != space && space != kAllSpaces && !is_barrier) continue;
        effects[s].push_back(h);
        context.stores[s] = mix(context.stores[s], h);
      }
    }
  }
  for (unsigned k = 0; k < maxwell::kMaxOperands; ++k) {
    if (values.counts[k] == 0 || !is_result(code, k)) continue;
    for (unsigned e = 0; e < values.counts[k]; ++e) {
      values.words[k][e] = mix(h, k * 16 + e + 1);
    }
  }
}

}  // namespace texlate::maxwell::machine::test
