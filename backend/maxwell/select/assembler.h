// Appends machine instructions: finds the form that holds a draft's operands as they are, and puts operands
// that no form holds into registers.
#pragma once

#include <cassert>

#include "backend/maxwell/select/operand.h"

namespace texlate::maxwell::select {

/// What a register holds that several instructions share.
enum class Shared : uint8_t {
  immediate,         // its bits
  constant,          // offset; bank
  special_register,  // number
  both,              // the conditions
  record_base_low,   // of a table: index; place of the table
  record_base_high,
  record_inside,     // the predicate
  memory_word,       // register with the address; offset
  scaled_index,      // index; shift
  moved_coordinate,  // register; offset
  vertex_handle,     // vertex
  vertex_lane,       // vertex
  first_vertex,      // nothing
  pixel_w,           // where
};

/// One of them: whose, and up to 28 bits of detail.
class SharedKey {
 public:
  constexpr SharedKey(Shared what, uint32_t of, uint32_t detail = 0)
      : bits_(uint64_t{static_cast<uint8_t>(what)} << 60 | uint64_t{detail} << 32 | of) {
    assert(detail < 1u << 28);
  }
  constexpr uint64_t hash() const { return bits_ * 0x9e3779b97f4a7c15ull; }
  friend constexpr bool operator==(SharedKey, SharedKey) = default;

 private:
  uint64_t bits_;
};

class Assembler {
 public:
  explicit Assembler(machine::Function& function);

  machine::Builder& builder() { return builder_; }
  machine::Function& function() { return function_; }
  MachineValue general() { return builder_.general(); }
  MachineValue predicate() { return builder_.predicate(); }

  /// Appends the draft in its cheapest form. The reference holds until the next append.
  machine::Instruction& emit(const Draft& draft) { return emit(draft, kMaxOperands, kNone); }
  /// The cheaper of two equivalent drafts, the first if they cost the same.
  static const Draft& cheaper(const Draft& first, const Draft& second);
  /// The draft, or the one with operands `first` and `first` + 1 in each other's place if that is cheaper.
  static Draft commuted(const Draft& draft, unsigned first = 1);
  /// Number of registers to fill before the draft can be appended; kImpossible if no form can hold it.
  static unsigned cost(const Draft& draft);

  /// Emits the draft with a new register as its operand `at`, and returns that register.
  MachineValue emit_word(const Draft& draft, unsigned at = 0) {
    const MachineValue result = general();
    emit(draft, at, result);
    return result;
  }

  /// A register that holds the operand with its modifiers, except those that the reader applies.
  MachineValue reg(const Source& source, uint8_t held = 0) {
    return source.is_value() && source.flags == 0 ? source.value : fill(source, held);
  }
  MachineValue immediate(uint32_t bits);
  MachineValue constant(uint8_t bank, int32_t offset);
  /// A separate register with that constant, for the result of a guarded load whose guard is false.
  MachineValue fresh_immediate(uint32_t bits);
  /// A predicate value that holds the condition, for block arguments.
  MachineValue predicate_value(Predicate condition);
  /// A separate predicate value.
  MachineValue fresh_predicate(Predicate condition);

  /// Appends a machine instruction made elsewhere. Its virtual registers are listed in operand order.
  machine::Instruction& append(const maxwell::Instruction& code, std::span<const MachineValue> values,
                               Predicate guard = {});

  /// Registers with constants are shared within a region and its nested regions.
  void enter_region() { marks_.push_back(static_cast<uint32_t>(known_.size())); }
  void leave_region();
  /// The caller's own values that are shared in the same way.
  MachineValue recall(SharedKey key) const;
  void remember(SharedKey key, MachineValue value);
  /// The value of the key, which `make()` gives where there is none yet.
  template <typename Make>
  MachineValue once(SharedKey key, Make make) {
    const MachineValue there = recall(key);
    return there != kNone ? there : make_known(key, make);
  }

  /// The same, but made again where holding the value costs more than that.
  template <typename Make>
  MachineValue once_nearby(SharedKey key, Make make) {
    const MachineValue there = known_nearby(key);
    return there != kNone ? there : make_known(key, make);
  }

  void set_origin(uint32_t origin) { origin_ = origin; }
  /// Is there a draft whose operands fit into no form of its instruction? Then the code is incomplete.
  bool is_stuck() const { return is_stuck_; }

 private:
  // Known values, newest last; entries of one bucket form a list, whose head is in heads_.
  struct Known {
    SharedKey key;
    MachineValue value;
    uint32_t before;    // in the same bucket, or kNoEntry
    uint32_t position;  // number of earlier instructions
  };
  static constexpr uint32_t kNoEntry = 0xffffffffu;
  uint32_t bucket(SharedKey key) const {
    return static_cast<uint32_t>(key.hash() >> 32) & static_cast<uint32_t>(heads_.size() - 1);
  }
  void grow_buckets();
  template <typename Make>
  MachineValue make_known(SharedKey key, Make make) {
    const MachineValue made = make();
    remember(key, made);
    return made;
  }
  uint32_t find_known(SharedKey key) const;
  uint32_t position() const { return static_cast<uint32_t>(function_.instructions.size()); }
  /// The first entry of the innermost region.
  uint32_t region_start() const { return marks_.empty() ? 0 : marks_.back(); }
  static const Fit& find_fit(const Draft& draft);
  /// With that register as the operand `at`, which is left open.
  machine::Instruction& emit(const Draft& draft, unsigned at, MachineValue result);
  MachineValue fill(const Source& source, uint8_t held);
  /// recall(), but kNone where holding the value costs more than computing it again.
  MachineValue known_nearby(SharedKey key) const;

  machine::Function& function_;
  machine::Builder builder_;
  std::pmr::vector<Known> known_;
  std::pmr::vector<uint32_t> heads_;  // their number is a power of two
  std::pmr::vector<uint32_t> marks_;
  uint32_t origin_ = 0;
  bool is_stuck_ = false;
};

}  // namespace texlate::maxwell::select
