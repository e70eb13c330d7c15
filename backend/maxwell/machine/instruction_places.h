// Registers of one instruction: its vectors are brought together, its results get places, and whatever is in
// the way moves.
#pragma once

#include <array>
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
                    const LastUses& uses, RegisterFile& file)
      : function_(function),
        affinity_(affinity),
        place_(place),
        uses_(uses),
        file_(file),
        moved_(function.scratch()),
        copies_(function.scratch()),
        moves_(function.scratch()),
        displaced_(function.scratch()),
        temporaries_(function.scratch()) {}

  /// Each operand is one register or predicate, and no result has to be where a source is: then nothing
  /// moves.
  static bool is_scalar(const Instruction& instruction) {
    return !has_vectors(instruction) && instruction.merge == kNoIndex &&
           facts(instruction.code).same_as_rd == 0;
  }
  /// Writes register numbers into instruction `index` of the function. Returns false if there are not enough
  /// registers.
  bool place_scalars(Instruction& instruction, uint32_t index);
  /// The same for any instruction; moves() then returns what must be copied before it.
  bool place(Instruction& instruction, uint32_t index);

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
  bool gather_sources(const Instruction& instruction);
  bool place_results(const Instruction& instruction);

  /// Finds or makes a run of registers that hold `values`. With `consume` the instruction overwrites the run:
  /// a value may then stay in it only if it is not needed later.
  bool gather(Values values, bool consume, Place& base);
  bool stay(Values values, Place base, bool consume);
  /// Counts until `most` is reached.
  unsigned gather_cost(Values values, Place base, bool consume, unsigned most) const;
  bool is_in_place(Value v, Place place, bool consume) const;
  bool can_relocate(Value v, bool consume) const;
  void occupy(Values values, Place base, bool consume);

  bool find_ties(const Instruction& instruction, unsigned operand, unsigned first, unsigned count,
                 std::array<Value, 8>& ties) const;
  Place choose_scalar(const FormFacts& known, unsigned operand, Value v) const;
  bool place_vector_result(Values values, Place& base);
  unsigned result_cost(Values values, Place base) const;

  void hold(Place place);
  void take(Place place, Value result);
  void displace(Place place);
  bool resettle();
  void end_sources(const Instruction& instruction);
  void collect_moves();
  void write_code(Instruction& instruction) const;
  void write_guard(Instruction& instruction) const {
    if (instruction.guard == kNoValue) return;
    const uint8_t predicate = number_in_code(place_[instruction.guard]);
    instruction.code.set_guard(static_cast<uint8_t>(instruction.code.guard() | predicate));
  }
  void end(const Instruction& instruction);
  void relocate(Value v, Place to);
  Place place_before(Value v) const;
  bool is_dying(Value v) const { return uses_.dies(v, index_); }
  /// Registers that the program has not used yet are all equivalent.
  bool is_beyond_use(Place candidate) const {
    return is_register(candidate) && candidate >= file_.used().end + 8;
  }
  Place find_spare(const Places& places) const;

  Function& function_;
  Affinity& affinity_;
  std::pmr::vector<Place>& place_;
  const LastUses& uses_;
  RegisterFile& file_;

  // State of the current instruction.
  std::array<Place, kMaxOperands>
      operand_place_{};  // first register of each vector source and of each result
  PlaceSet fixed_;       // holds part of a vector source: not to be moved
  PlaceSet held_;        // read by the instruction at which the value ends: nothing moves in
  PlaceSet results_;     // taken by results
  uint32_t index_ = 0;   // in the function
  std::pmr::vector<Relocation> moved_;
  std::pmr::vector<Copy> copies_;
  std::pmr::vector<Move> moves_;
  std::pmr::vector<Value> displaced_;
  std::pmr::vector<Place> temporaries_;
};

}  // namespace texlate::maxwell::machine
