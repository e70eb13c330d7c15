// The state of find_packs(): what is known about values, vectors and packs during the search. packs.cpp walks
// over the module; form_packs.cpp decides what goes together.
#pragma once

#include "backend/spirv/packs.h"

namespace texlate::spirv {

class PackFinder {
 public:
  PackFinder(const PackSources& sources, bool join, std::pmr::monotonic_buffer_resource& arena, Packs& packs);

  void run();

 private:
  static constexpr uint32_t kNone = 0xffffffffu;
  /// How many earlier packs an operation is tried with. One instead of two makes modules 0.7 % larger.
  static constexpr uint32_t kMostTries = 2;
  static constexpr uint32_t kAlone = 0x7fffffffu;  // in by_instruction, until its turn: stays alone

  /// For a value that is not a constant, from its definition on.
  struct Known {
    uint32_t at;     // 1 + the instruction that defines it, or the first one of its pack; 0: entry
    uint32_t part;   // which component of which vector, see part_of(); 0: none
    bool is_wanted;  // something uses it alone
  };
  struct Vector {
    uint32_t uses;  // as a whole
    uint8_t size;
  };
  static constexpr uint32_t kConstant = 0xffffffffu;  // instead of a part
  /// An operation as the instruction that it becomes.
  struct Operation {
    Row row;
    uint8_t count;
    std::array<ir::Value, kMostOperands> operands;
    std::array<uint32_t, kMostOperands> parts;  // of the operands, see part_of()
  };
  using Gathers = std::array<Gather, kMostOperands>;

  // ---- the walk ----
  void visit(uint32_t i, const ir::Instruction& instruction);
  void define(uint32_t i, const ir::Instruction& instruction);
  void define_vector(uint32_t i, const ir::Instruction& instruction, uint32_t size);
  uint32_t new_vector(uint32_t size);
  void add_row_load(uint32_t i, const ir::Instruction& instruction);
  void add_access(uint32_t i, const ir::Instruction& instruction);
  void add_input(uint32_t i, const ir::Instruction& instruction);
  void add_system_value(uint32_t i, const ir::Instruction& instruction);
  void add_row(uint32_t i, const ir::Instruction& instruction);
  void add_output(uint32_t i, const ir::Instruction& instruction);
  void add_product(uint32_t i, const Product& product);

  /// Values read at entry are defined before everything else, unless each phase of a hull shader has its own.
  uint32_t entry_at(uint32_t i) const { return module_.stage == ir::Stage::hull ? i + 1 : 0; }
  void want(ir::Value value) {
    if (!is_literal(value)) known_[value].is_wanted = true;
  }
  void want_operands(const ir::Instruction& instruction);
  /// What a marker or a jump takes, and passes on.
  void want_passed(uint32_t i, const ir::Instruction& instruction);
  /// The lanes are composed of vectors and scalars. `uses`: 1, or -1 to undo that.
  void use_composed(std::span<const ir::Value> lanes, int32_t uses);
  /// The lanes are one operand, a vector, of an instruction that is in no pack.
  void use_together(std::span<const ir::Value> lanes);

  // ---- dot products ----
  bool add_dot(uint32_t first);
  bool align_factors(Dot& dot, uint32_t left, uint32_t right) const;

  // ---- forming packs ----
  /// Of instruction `first` and those that directly follow it. Returns the next instruction that is none.
  uint32_t add_operations(uint32_t first);
  uint32_t add_operation(uint32_t i);
  bool read(const ir::Instruction& instruction, Operation& operation) const;
  bool is_constant(ir::Value value) const { return is_literal(value) || values_[value].is_constant; }
  /// Which component of which vector, in one number.
  static constexpr uint32_t part_of(uint32_t vector, uint32_t lane) { return vector * kMostLanes + lane; }
  uint32_t part_of(ir::Value value) const { return is_constant(value) ? kConstant : known_[value].part; }
  bool look_up(Operation& operation, uint32_t first) const;
  uint32_t place(uint32_t i, Operation& operation, bool exact);
  uint32_t run_length(uint32_t i, bool exact) const;
  uint32_t add_lanes(Pack& pack, Operation& first, uint32_t length);
  Pack& start(uint32_t i, const Operation& operation, bool exact);
  bool join_earlier(uint32_t i, Operation& operation, uint32_t newest);
  static void align(const Operation& first, uint32_t size, Operation& operation);
  uint32_t join_cost(const Pack& pack, const Operation& operation, Gathers& gathers) const;
  void join(Pack& pack, uint32_t i, const Operation& operation, const Gathers& gathers);
  void add_lane(Gather& gather, uint32_t part, uint32_t lane) const;
  GatherKind kind_of(const Gather& gather, uint32_t count) const;

  // ---- choosing ----
  void count_uses();
  void use(const Gather& gather, std::span<const ir::Value> lanes);
  void prune();
  bool is_worth_it(const Pack& pack) const;
  int32_t extractions(const Lanes& lanes, uint32_t count) const;
  void dissolve(Pack& pack);

  const ir::Module& module_;
  const InterfaceElements& interface_;
  const RegisterPlaces& places_;
  const ControlMap& control_;
  const ValueTypes& types_;
  const ValueNeeds& needs_;
  const Products& products_;
  const bool join_;
  Packs& packs_;
  const std::span<const ir::Instruction> code_;
  Known* known_;  // by value
  ArenaBuffer<Vector> vectors_;
  const ir::Value* const operands_;    // of the module
  const ir::ValueInfo* const values_;  // of the module
  const uint8_t* const flags_;         // ValueNeeds::flags
  uint32_t* by_instruction_;
  std::array<uint32_t, 2 * kRowCount> recent_;  // the newest pack by row * 2 + exact
  std::span<uint32_t> input_vectors_;           // by element; 0: not seen yet
  std::array<uint32_t, 64> system_vectors_{};   // by system value
  uint32_t block_ = 0;                          // the first instruction of the block
  uint32_t row_vector_ = 0;                     // of the row that is being read; 0: none
  uint32_t outputs_end_ = 0;                    // everything before it has been stored
};

}  // namespace texlate::spirv
