#include "backend/maxwell/machine/parallel_copy.h"

#include <array>

#include "backend/maxwell/isa/table.h"

namespace texlate::maxwell::machine {
namespace {

Operand general(Place place) {
  return Operand::r(number_in_code(place));
}
Operand predicate(Place place) {
  return Operand::p(number_in_code(place));
}

class Sequence {
 public:
  Sequence(uint32_t origin, Buffer<Instruction>& out) : origin_(origin), out_(out) {}

  void move(Place to, Place from) {
    if (!is_register(to)) {
      combine(to, from, Boolean::and_, kNoPlace);
      return;
    }
    maxwell::Instruction code = make_instruction(Opcode::mov);
    code.operands[0] = general(to);
    code.operands[1] = general(from);
    append(code);
  }

  void exchange(Place a, Place b) {
    for (const Place to : {a, b, a}) {
      if (!is_register(to)) {
        combine(to, a, Boolean::xor_, b);
        continue;
      }
      maxwell::Instruction code = make_instruction(Opcode::lop);
      set(code, Modifier::logic, Logic::xor_);
      unsigned sources = 0;
      for (unsigned k = 0; k < form(code).operand_count; ++k) {
        if (code.operands[k].kind != OperandKind::reg) continue;
        const bool is_result = form(code).operands[k].role != Role::source;
        code.operands[k] = general(is_result ? to : sources++ == 0 ? a : b);
      }
      append(code);
    }
  }

 private:
  // Pd = (a and PT) op b; b = PT if there is none.
  void combine(Place to, Place a, Boolean operation, Place b) {
    maxwell::Instruction code = make_instruction(Opcode::psetp);
    set(code, Modifier::boolean_b, operation);
    code.operands[0] = predicate(to);
    code.operands[2] = predicate(a);
    if (b != kNoPlace) code.operands[4] = predicate(b);
    append(code);
  }

  void append(const maxwell::Instruction& code) {
    Instruction& i = out_.emplace_back();
    i.code = code;
    i.origin = origin_;
  }

  uint32_t origin_;
  Buffer<Instruction>& out_;
};

}  // namespace

void append_parallel_copy(std::span<const Move> moves, Place spare, Place spare_predicate, uint32_t origin,
                          Buffer<Instruction>& out) {
  Sequence sequence(origin, out);
  // source[p]: what p must hold; where[p]: where p's old content is now; readers[p]: how many places still
  // need p's old content. Of the places that moves name.
  std::array<Place, kPlaceCount> source;
  std::array<Place, kPlaceCount> where;
  std::array<uint8_t, kPlaceCount> readers;
  for (const Move& m : moves) {
    for (const Place p : {m.to, m.from}) {
      source[p] = kNoPlace;
      where[p] = p;
      readers[p] = 0;
    }
  }
  for (const Move& m : moves) {
    if (m.to == m.from) continue;
    source[m.to] = m.from;
    ++readers[m.from];
  }
  // A place whose old content nobody needs can be written, which may make its source free in turn.
  const auto settle = [&](Place p) {
    while (source[p] != kNoPlace && readers[p] == 0) {
      const Place from = source[p];
      sequence.move(p, where[from]);
      source[p] = kNoPlace;
      if (--readers[from] != 0) return;
      p = from;
    }
  };
  for (const Move& m : moves) settle(m.to);
  // Only cycles remain, in which each place is needed once.
  for (const Move& m : moves) {
    if (source[m.to] == kNoPlace) continue;
    const Place free_place = is_register(m.to) ? spare : spare_predicate;
    if (free_place != kNoPlace) {
      sequence.move(free_place, m.to);
      where[m.to] = free_place;
      readers[m.to] = 0;
      // Its reader finds the old content in the spare place.
      Place p = m.to;
      while (source[p] != kNoPlace) {
        const Place from = source[p];
        sequence.move(p, where[from]);
        source[p] = kNoPlace;
        p = from;
      }
      where[m.to] = m.to;
      continue;
    }
    // p gets the content of `from`; `from` then holds p's, which is what the next place of the cycle needs.
    Place p = m.to;
    while (source[p] != kNoPlace && source[p] != p) {
      const Place from = source[p];
      sequence.exchange(p, from);
      source[p] = kNoPlace;
      // The place that needed p's old content now finds it in `from`.
      for (const Move& other : moves) {
        if (source[other.to] == p) source[other.to] = from;
      }
      p = from;
      if (source[p] == p) source[p] = kNoPlace;
    }
  }
}

}  // namespace texlate::maxwell::machine
