// Which temporaries the loops and switches of a program write, found in its source.
#pragma once

#include <cstdint>
#include <memory_resource>
#include <span>
#include <vector>

#include "frontend/sm4/program.h"

namespace texlate::lower {

class WrittenSets {
 public:
  WrittenSets(const sm4::Program& program, std::pmr::memory_resource* memory)
      : program_(program),
        constructs_(memory),
        open_(memory),
        lists_(memory),
        reads_(memory),
        last_access_(memory),
        writes_(memory),
        written_(memory),
        first_writes_(memory) {}

  /// Part of a list of registers (register * 4 + component) in ascending order.
  struct List {
    uint32_t first = 0;
    uint32_t count = 0;
  };
  /// carried: by a loop, from one iteration to the next. leaving: what a loop or switch leaves behind.
  struct Sets {
    List carried, leaving;
  };

  /// Of the loop or switch at an instruction, or of one that the expansion of a subroutine adds there. The
  /// program is looked at when this is called for the first time.
  Sets of(size_t instruction);
  std::span<const uint32_t> registers(List list) const { return {lists_.data() + list.first, list.count}; }
  /// How many operands the instructions before this one have.
  uint32_t operands_before(size_t instruction) const;
  /// May an instruction after the first `operands` of the program read the register?
  bool is_read_after(uint32_t operands, uint32_t reg) {
    if (!has_reads_) find_reads();
    return reg / 4 >= reads_.size() || reads_[reg / 4].end > operands;
  }

 private:
  static constexpr uint32_t kNever = 0;  // otherwise 1 + the instruction or operand
  static constexpr uint32_t kOpen = 0xffffffffu;
  struct Construct {
    uint32_t begin, end;               // its first and last instruction
    uint32_t outermost_loop;           // around it; `begin` if there is none
    uint32_t first_write, last_write;  // among all writes
    uint32_t conditions;               // how many constructs there are around its body, with itself
    uint32_t newest_first_write;       // of a loop: in first_writes_
    bool is_loop;
    bool is_left;  // a break has come already
    Sets sets;
    bool is_in_loop() const { return outermost_loop != begin; }
  };
  /// The operands that read some component of a register: between these two places in Program::operands,
  /// where the operands of an instruction, with the registers of their indices, follow those of the one
  /// before it.
  struct Reads {
    uint32_t first = 0;
    uint32_t end = kNever;
  };
  /// Every iteration of the loop that comes to this write has not accessed the component before.
  struct FirstWrite {
    uint32_t reg;
    bool after_exit;  // an iteration may end the loop before
    uint32_t before;  // the one before it of the same loop, or kNoWrite
  };
  static constexpr uint32_t kNoWrite = 0xffffffffu;

  void find_reads();
  void look();
  void open(uint32_t instruction, bool is_loop);
  void close(uint32_t instruction);
  void note_operands(uint32_t instruction);
  void note_read(const sm4::Operand& operand, uint32_t instruction);
  void note_write(const sm4::Operand& operand, uint32_t instruction);
  void find_sets(Construct& construct);
  List list_of(std::span<const uint32_t> writes);
  template <typename Omits>
  List without(List list, Omits omits);
  const Construct* find(size_t instruction) const;

  const sm4::Program& program_;
  bool has_reads_ = false, has_looked_ = false;
  uint32_t registers_ = 0;  // that the program declares
  uint32_t labels_ = 0;     // with subroutines, any construct may contain a call that writes any register
  List everything_;
  std::pmr::vector<Construct> constructs_;  // loops and switches, in the order of `begin`
  std::pmr::vector<uint32_t> open_;
  std::pmr::vector<uint32_t> lists_;
  std::pmr::vector<Reads> reads_;           // by register; empty with subroutines: all are read at any time
  std::pmr::vector<uint32_t> last_access_;  // by component; empty before the first loop or switch
  std::pmr::vector<uint32_t> writes_;       // in loops and switches
  std::pmr::vector<uint64_t> written_;      // for list_of(): a bit for each component, all 0 otherwise
  std::pmr::vector<FirstWrite> first_writes_;
  uint32_t conditions_ = 0;
};

}  // namespace texlate::lower
