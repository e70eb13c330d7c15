#include "backend/maxwell/machine/instruction_places.h"

#include <algorithm>

#include "backend/maxwell/isa/constraints.h"

namespace texlate::maxwell::machine {
namespace {

// The cost of a choice of registers: first the moves, then the side effects.
constexpr unsigned kMoveCost = 8;
constexpr unsigned kGrowthCost = 3;       // a register that the program has not used yet
constexpr unsigned kReservationCost = 2;  // a place that another vector is waiting for
constexpr unsigned kReadCost = 4;         // a place that a fetch in flight still reads
constexpr unsigned kForeignCost = 1;      // not where the values' own group is
constexpr unsigned kImpossible = 1u << 20;

/// The word with the place of operand `k`, where it has R0 or P0, which stand for a value. An inverted field
/// holds 7 - p, which is 7 without the bits of p.
uint64_t with_place(uint64_t word, const FormFacts& known, unsigned k, Place place) {
  const uint64_t number = number_in_code(place);
  return word ^ number << known.register_at[k];
}

}  // namespace

/// A place for a result; results before it own theirs.
[[gnu::always_inline]] inline Place InstructionPlacer::choose_scalar(const FormFacts& known, unsigned k,
                                                                     Value v) const {
  const auto value_class = (known.predicates >> k & 1) != 0 ? ValueClass::predicate : ValueClass::general;
  if (v == kNoValue) return file_.find_free(file_.places(value_class), PlaceSet());
  return file_.choose(v, value_class);
}

bool InstructionPlacer::place_scalars(Instruction& instruction, uint32_t index) {
  const FormFacts& known = facts(instruction.code);
  const Value* const values = function_.operands.data() + instruction.values;
  uint64_t word = instruction.code.word;
  // The lowest bit of each count, which is 0 or 1.
  uint32_t results = instruction.counts, sources = results;
  for (unsigned r = 0; r < instruction.result_count; ++r) sources &= sources - 1;
  for (unsigned at = instruction.result_count; sources != 0; sources &= sources - 1, ++at) {
    const Value v = values[at];
    if (v == kNoValue) continue;
    const Place place = place_[v];
    word = with_place(word, known, static_cast<unsigned>(std::countr_zero(sources)) / 4, place);
    if (uses_.dies(v, index)) file_.vacate(place);
  }
  if (instruction.guard != kNoValue && uses_.dies(instruction.guard, index))
    file_.vacate(place_[instruction.guard]);
  bool any_unused = false;
  for (unsigned r = 0; r < instruction.result_count; ++r, results &= results - 1) {
    const unsigned k = static_cast<unsigned>(std::countr_zero(results)) / 4;
    const Place place = choose_scalar(known, k, values[r]);
    if (place == kNoPlace) return false;
    take(place, values[r]);
    any_unused |= values[r] == kNoValue || !uses_.is_needed(values[r]);
    word = with_place(word, known, k, place);
  }
  instruction.code.word = word;
  write_guard(instruction);
  if (any_unused) end(instruction);
  return true;
}

bool InstructionPlacer::place(Instruction& instruction, uint32_t index) {
  index_ = index;
  fixed_.clear();
  held_.clear();
  results_.clear();
  moved_.clear();
  copies_.clear();
  moves_.clear();
  for (Place& p : operand_place_) p = kNoPlace;
  if (!gather_sources(instruction) || !place_results(instruction)) return false;
  collect_moves();
  write_code(instruction);
  end(instruction);
  return true;
}

bool InstructionPlacer::gather_sources(const Instruction& instruction) {
  if (!has_vectors(instruction)) return true;
  bool ok = true;
  visit_lists(function_, instruction, [&](unsigned k, Values values) {
    if (values.size() > 1 && !instruction.is_result(k)) ok = ok && gather(values, false, operand_place_[k]);
  });
  return ok;
}

bool InstructionPlacer::is_in_place(Value v, Place place, bool consume) const {
  return place_[v] == place && file_.owner(place) == v && (!consume || (is_dying(v) && !results_[place]));
}

bool InstructionPlacer::can_relocate(Value v, bool consume) const {
  if (fixed_[place_[v]] || (consume && !is_dying(v))) return false;
  if (is_dying(v)) return true;
  // A live value at the place that its own vector requires stays there; copying it is no more expensive.
  return place_[v] != affinity_.home(v);
}

/// Keeps the values where they are, if that is where they must be.
bool InstructionPlacer::stay(Values values, Place base, bool consume) {
  for (unsigned e = 0; e < values.size(); ++e) {
    if (values[e] == kNoValue ? consume : !is_in_place(values[e], base + e, consume)) return false;
  }
  for (unsigned e = 0; e < values.size(); ++e) {
    if (values[e] != kNoValue) fixed_.insert(base + e);
    if (consume) results_.insert(base + e);
  }
  return true;
}

unsigned InstructionPlacer::gather_cost(Values values, Place base, bool consume, unsigned most) const {
  unsigned cost = 0;
  for (unsigned e = 0; e < values.size() && cost < most; ++e) {
    const Value v = values[e];
    const Place r = base + e;
    if (v == kNoValue && !consume) continue;
    if (v != kNoValue && is_in_place(v, r, consume)) continue;
    const Value owner = file_.owner(r);
    if (fixed_[r] || results_[r] || owner == kTemporary) return kImpossible;
    if (v != kNoValue) cost += kMoveCost;
    if (owner != kNoValue) {
      const bool leaves =
          std::find(values.begin(), values.end(), owner) != values.end() && can_relocate(owner, consume);
      if (!leaves) cost += kMoveCost;
    }
    if (file_.is_reserved(r, v)) cost += kReservationCost;
    if (!file_.is_used(r)) cost += kGrowthCost;
  }
  const auto first = std::find_if(values.begin(), values.end(), [](Value v) { return v != kNoValue; });
  if (first != values.end()) {
    const Place home = affinity_.home(*first);
    if (home != kNoPlace && home != base + (first - values.begin())) cost += kForeignCost;
  }
  return cost;
}

bool InstructionPlacer::gather(Values values, bool consume, Place& base) {
  const unsigned alignment = vector_alignment(static_cast<unsigned>(values.size()));
  const auto first = std::find_if(values.begin(), values.end(), [](Value v) { return v != kNoValue; });
  const Places& places = file_.places(first != values.end() ? function_.values[*first] : ValueClass::general);
  unsigned best = kImpossible;
  const auto can_begin = [&](Place candidate) {
    return (candidate.number() & (alignment - 1)) == 0 && candidate + values.size() <= places.end;
  };
  const auto consider = [&](Place candidate) {
    if (!can_begin(candidate)) return;
    const unsigned cost = gather_cost(values, candidate, consume, best);
    if (cost >= best) return;
    best = cost;
    base = candidate;
  };
  if (first != values.end()) {
    const unsigned e = static_cast<unsigned>(first - values.begin());
    if (place_[*first] >= places.begin + e) {
      base = place_[*first] - e;
      // Usually they are together already. Anywhere else they would have to move.
      if (can_begin(base) && stay(values, base, consume)) return true;
      consider(base);
    }
  }
  for (Place candidate = places.begin; best != 0 && candidate < places.end;
       candidate = candidate + alignment) {
    if (is_beyond_use(candidate) && best < kImpossible) break;
    consider(candidate);
  }
  if (best >= kImpossible) return false;
  occupy(values, base, consume);
  return resettle();
}

void InstructionPlacer::occupy(Values values, Place base, bool consume) {
  std::array<bool, 8> is_copy{};
  std::array<bool, 8> is_settled{};
  for (unsigned e = 0; e < values.size(); ++e) {
    const Value v = values[e];
    const Place r = base + e;
    is_settled[e] = v == kNoValue || is_in_place(v, r, consume);
  }
  for (unsigned e = 0; e < values.size(); ++e) {
    if (is_settled[e]) continue;
    // A value that is in the vector twice goes to one place and is copied to the other.
    bool elsewhere = false;
    for (unsigned other = 0; other < values.size(); ++other) {
      elsewhere |= values[other] == values[e] && (is_settled[other] ? other != e : other < e);
    }
    is_copy[e] = elsewhere || !can_relocate(values[e], consume);
  }
  // Values that move in leave their old places first; then whatever is still in the way is displaced.
  for (unsigned e = 0; e < values.size(); ++e) {
    if (!is_settled[e] && !is_copy[e]) file_.vacate(place_[values[e]]);
  }
  for (unsigned e = 0; e < values.size(); ++e) {
    const Place r = base + e;
    if (values[e] == kNoValue ? consume : !is_settled[e]) displace(r);
  }
  for (unsigned e = 0; e < values.size(); ++e) {
    const Place r = base + e;
    if (consume) results_.insert(r);
    if (values[e] == kNoValue) {
      if (consume) hold(r);
      continue;
    }
    fixed_.insert(r);
    file_.note_use(r);
    if (is_settled[e]) continue;
    if (is_copy[e]) {
      hold(r);
      copies_.push_back({r, values[e]});
    } else {
      relocate(values[e], r);
    }
  }
}

/// Reserves a place for this instruction only.
void InstructionPlacer::hold(Place place) {
  file_.set_owner(place, kTemporary);
  held_.insert(place);
  temporaries_.push_back(place);
}

void InstructionPlacer::take(Place place, Value result) {
  if (result != kNoValue) return file_.put(place, result);
  hold(place);
  file_.note_use(place);
}

void InstructionPlacer::displace(Place place) {
  const Value owner = file_.owner(place);
  if (owner == kNoValue) return;
  file_.vacate(place);
  displaced_.push_back(owner);
}

bool InstructionPlacer::resettle() {
  if (displaced_.empty()) return true;
  PlaceSet excluded = fixed_;
  excluded |= held_;
  excluded |= results_;
  for (const Value v : displaced_) {
    const Place to = file_.choose(v, function_.values[v], kNoPlace, excluded);
    if (to == kNoPlace) return false;
    relocate(v, to);
  }
  displaced_.clear();
  return true;
}

void InstructionPlacer::relocate(Value v, Place to) {
  const bool known =
      std::any_of(moved_.begin(), moved_.end(), [&](const Relocation& m) { return m.value == v; });
  if (!known) moved_.push_back({v, place_[v]});
  file_.put(to, v);
}

Place InstructionPlacer::place_before(Value v) const {
  for (const Relocation& m : moved_) {
    if (m.value == v) return m.from;
  }
  return place_[v];
}

/// Values whose last use this is give up their places, but only for results.
void InstructionPlacer::end_sources(const Instruction& instruction) {
  visit_uses(function_, instruction, [&](Value v) {
    const Place r = place_[v];
    if (!is_dying(v) || file_.owner(r) != v) return;
    file_.vacate(r);
    held_.insert(r);
  });
  for (const Copy& copy : copies_) {
    if (file_.owner(copy.to) == kTemporary) file_.vacate(copy.to);
  }
}

bool InstructionPlacer::place_results(const Instruction& instruction) {
  // Results that take over the register of a source come first, while the sources are still there.
  std::array<bool, kMaxOperands> done{};
  const auto each = [&](auto visit) {
    for (unsigned k = 0, first = 0; first < instruction.result_count; ++k) {
      const unsigned count = instruction.count(k);
      const Values values(function_.operands.data() + instruction.values + first, count);
      if (count != 0 && !visit(k, first, values)) return false;
      first += count;
    }
    return true;
  };
  if (!each([&](unsigned k, unsigned first, Values values) {
        std::array<Value, 8> ties;
        if (!find_ties(instruction, k, first, static_cast<unsigned>(values.size()), ties)) return true;
        done[k] = true;
        return gather(Values(ties.data(), values.size()), true, operand_place_[k]);
      })) {
    return false;
  }
  end_sources(instruction);
  const auto take_all = [&](unsigned k, Values values) {
    for (unsigned e = 0; e < values.size(); ++e) {
      results_.insert(operand_place_[k] + e);
      take(operand_place_[k] + e, values[e]);
    }
    return true;
  };
  each([&](unsigned k, unsigned, Values values) { return !done[k] || take_all(k, values); });
  return each([&](unsigned k, unsigned, Values values) {
    if (done[k]) return true;
    const bool is_one = values.size() == 1;
    if (is_one) operand_place_[k] = choose_scalar(facts(instruction.code), k, values[0]);
    const bool found =
        is_one ? operand_place_[k] != kNoPlace : place_vector_result(values, operand_place_[k]);
    return found && take_all(k, values) && resettle();
  });
}

/// What result operand `k` must hold if the instruction does not write it, or reads in the same register.
bool InstructionPlacer::find_ties(const Instruction& instruction, unsigned k, unsigned first, unsigned count,
                                  std::array<Value, 8>& ties) const {
  if (instruction.merge != kNoIndex) {
    bool any = false;
    for (unsigned e = 0; e < count; ++e) {
      ties[e] = function_.operands[instruction.merge + first + e];
      any |= ties[e] != kNoValue;
    }
    return any;
  }
  const uint8_t same = facts(instruction.code).same_as_rd;
  if (k != 0 || same == 0) return false;
  bool any = false;
  visit_operands(function_, instruction, [&](unsigned operand, unsigned, Value v, bool) {
    if ((same >> operand & 1) == 0) return;
    ties[0] = v;
    any = v != kNoValue;
  });
  return any;
}

unsigned InstructionPlacer::result_cost(Values values, Place base) const {
  unsigned cost = 0;
  for (unsigned e = 0; e < values.size(); ++e) {
    const Place r = base + e;
    const Value owner = file_.owner(r);
    if (results_[r] || owner == kTemporary) return kImpossible;
    if (owner != kNoValue) {
      if (fixed_[r]) return kImpossible;
      cost += kMoveCost;
    }
    if (file_.is_reserved(r, values[e])) cost += kReservationCost;
    if (file_.is_read(r)) cost += kReadCost;
    if (!file_.is_used(r)) cost += kGrowthCost;
  }
  return cost;
}

bool InstructionPlacer::place_vector_result(Values values, Place& base) {
  const unsigned alignment = vector_alignment(static_cast<unsigned>(values.size()));
  unsigned best = kImpossible;
  const Places& places = file_.places(ValueClass::general);
  const auto consider = [&](Place candidate) {
    if (candidate.number() % alignment != 0 || candidate + values.size() > places.end) return;
    const unsigned cost = result_cost(values, candidate);
    if (cost >= best) return;
    best = cost;
    base = candidate;
  };
  // Where the group of the first value is, or may begin.
  const auto first = std::find_if(values.begin(), values.end(), [](Value v) { return v != kNoValue; });
  if (first != values.end() && affinity_.group[*first] != kNoIndex) {
    const unsigned e = static_cast<unsigned>(first - values.begin());
    const Place place = file_.choose(*first, ValueClass::general, kNoPlace, results_);
    if (has_before(place, e) && affinity_.home(*first) != kNoPlace) consider(place - e);
    if (best < kMoveCost) best = 0;  // no move: the values belong there
  }
  for (Place candidate = places.begin; best != 0 && candidate < places.end;
       candidate = candidate + alignment) {
    // None is cheaper beyond the registers in use.
    if (!file_.is_used(candidate) && best <= kGrowthCost * values.size()) break;
    consider(candidate);
  }
  if (best >= kImpossible) return false;
  for (unsigned e = 0; e < values.size(); ++e) results_.insert(base + e);
  for (unsigned e = 0; e < values.size(); ++e) displace(base + e);
  return true;
}

void InstructionPlacer::collect_moves() {
  for (const Relocation& m : moved_) {
    if (place_[m.value] != m.from) moves_.push_back({place_[m.value], m.from});
  }
  for (const Copy& copy : copies_) moves_.push_back({copy.to, place_before(copy.value)});
}

void InstructionPlacer::write_code(Instruction& instruction) const {
  const FormFacts& known = facts(instruction.code);
  uint64_t word = instruction.code.word;
  visit_lists(function_, instruction, [&](unsigned k, Values values) {
    // The addend of FFMA32I is in Rd's register, and has no field.
    if ((known.same_as_rd >> k & 1) != 0) return;
    const Place place = operand_place_[k];
    if (place != kNoPlace) {
      word = with_place(word, known, k, place);
    } else if (values[0] != kNoValue) {
      word = with_place(word, known, k, place_[values[0]]);
    }
  });
  instruction.code.word = word;
  write_guard(instruction);
}

void InstructionPlacer::end(const Instruction& instruction) {
  for (const Place r : temporaries_) {
    if (file_.owner(r) == kTemporary) file_.vacate(r);
  }
  temporaries_.clear();
  visit_results(function_, instruction, [&](Value v) {
    if (!uses_.is_needed(v)) file_.vacate(place_[v]);
  });
}

Place InstructionPlacer::find_spare(const Places& places) const {
  PlaceSet excluded = held_;
  excluded |= results_;
  for (const Move& m : moves_) {
    excluded.insert(m.to);
    excluded.insert(m.from);
  }
  return file_.find_free(places, excluded);
}

}  // namespace texlate::maxwell::machine
