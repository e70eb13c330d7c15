// Registers of one instruction: its vectors are brought together, its results get places, and whatever is in
// the way moves.
#pragma once

#include <array>
#include <bitset>
#include <cstdint>
#include <span>

#include "backend/maxwell/machine/access.h"
#include "backend/maxwell/machine/affinity.h"
#include "backend/maxwell/machine/function.h"
#include "backend/maxwell/machine/parallel_copy.h"
#include "backend/maxwell/machine/register_file.h"

namespace texlate::maxwell::machine {

class InstructionPlacer {
 public:
  InstructionPlacer(Function& function, Affinity& affinity, std::pmr::vector<Place>& place,
                    RegisterFile& file)
      : function_(function),
        affinity_(affinity),
        place_(place),
        file_(file),
        moved_(function.scratch()),
        copies_(function.scratch()),
        moves_(function.scratch()),
        displaced_(function.scratch()),
        temporaries_(function.scratch()) {}

  /// Writes register numbers into the instruction; moves() then returns what must be copied before it.
  /// dies(v): this is the last use of v. is_unused(v): the result v has no use. Returns false if there are
  /// not enough registers.
  template <typename Dies, typename IsUnused>
  bool place(Instruction& instruction, Dies dies, IsUnused is_unused) {
    dying_count_ = unused_count_ = 0;
    visit_uses(function_, instruction, [&](Value v) {
      if (dies(v) && !is_dying(v)) dying_[dying_count_++] = v;
    });
    visit_results(function_, instruction, [&](Value v) {
      if (is_unused(v)) unused_[unused_count_++] = v;
    });
    return place(instruction);
  }

  std::span<const Move> moves() const { return moves_; }
  /// Places that are empty while the copies of moves() are made.
  Place spare() const { return find_spare(file_.used()); }
  Place spare_predicate() const { return find_spare(kPredicates); }

 private:
  struct Relocation {
    Value value;
    Place from;
  };
  struct Copy {
    Place to;
    Value value;
  };
  using Values = std::span<const Value>;
  static constexpr unsigned kMaxUses = 48;

  static bool is_scalar(const Instruction& instruction);
  bool place_scalars(Instruction& instruction);
  bool place(Instruction& instruction);
  bool gather_sources(const Instruction& instruction);
  bool place_results(const Instruction& instruction);

  /// Finds or makes a run of registers that hold `values`. With `consume` the instruction overwrites the run:
  /// a value may then stay in it only if it is not needed later.
  bool gather(Values values, bool consume, Place& base);
  unsigned gather_cost(Values values, Place base, bool consume) const;
  bool is_in_place(Value v, Place place, bool consume) const;
  bool can_relocate(Value v, bool consume) const;
  void occupy(Values values, Place base, bool consume);

  bool find_ties(const Instruction& instruction, unsigned operand, unsigned first, unsigned count,
                 std::array<Value, 8>& ties) const;
  bool place_scalar_result(const Instruction& instruction, unsigned operand, Value v);
  bool place_vector_result(Values values, Place& base);
  unsigned result_cost(Values values, Place base) const;

  void hold(Place place);
  void take(Place place, Value result);
  void displace(Place place);
  bool resettle();
  void end_sources();
  void collect_moves();
  void write_code(Instruction& instruction) const;
  void end();
  void relocate(Value v, Place to);
  Place place_before(Value v) const;
  bool is_dying(Value v) const;
  /// Registers that the program has not used yet are all equivalent.
  bool is_beyond_use(Place candidate) const {
    return is_register(candidate) && candidate >= file_.used().end + 8;
  }
  Place find_spare(const Places& places) const;

  Function& function_;
  Affinity& affinity_;
  std::pmr::vector<Place>& place_;
  RegisterFile& file_;

  // State of the current instruction.
  std::array<Place, kMaxOperands>
      operand_place_{};               // first register of each vector source and of each result
  std::bitset<kPlaceCount> fixed_;    // holds part of a vector source: not to be moved
  std::bitset<kPlaceCount> held_;     // read by the instruction at which the value ends: nothing moves in
  std::bitset<kPlaceCount> results_;  // taken by results
  std::array<Value, kMaxUses> dying_{};
  std::array<Value, kMaxUses> unused_{};
  unsigned dying_count_ = 0;
  unsigned unused_count_ = 0;
  std::pmr::vector<Relocation> moved_;
  std::pmr::vector<Copy> copies_;
  std::pmr::vector<Move> moves_;
  std::pmr::vector<Value> displaced_;
  std::pmr::vector<Place> temporaries_;
};

}  // namespace texlate::maxwell::machine
