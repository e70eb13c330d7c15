// The machine-level form of a Maxwell program: instructions of the instruction set (backend/maxwell/isa) over
// virtual registers, in SSA, with structured control flow. Instruction selection fills it. finish() in
// program.h of this folder turns it into words: it allocates registers, lays out branches and their stack,
// schedules, and assigns scoreboards.
//
// Values. A value is one 32-bit register or one predicate. It is defined once: by one operand of one
// instruction, or as a parameter of a block. There are no vector values: an operand that covers several
// consecutive registers (a texture operand, a 64-bit number or address, a wide load) lists one value per
// register. The allocator finds adjacent places for them or moves them there, so nothing is ever packed or
// unpacked: the two coordinates of TEXS are two values, and so are the two words of a double.
//
// Instructions. `code` is an instruction of the set in which every operand that is a virtual register is
// kVirtual (register 0, predicate 0); RZ and PT appear as themselves. The values of the virtual registers are
// in Function::operands, in the order of the operands of `code`, one per covered register:
//
//   FADD            d, a, -b         values d, a, b         flags are in `code`
//   FSETP.LT.AND    p, PT, a, 1, q   values p, a, q         PT and the immediate are in `code`
//   LDG.E.64        d, [a+8]         values d0, d1, a0, a1
//   TEXS.LZ  d1, d0, a, b, idx, 2D, RGB   values d1, d0, d0', a, b  (the order of the text: Rd1, Rd0, Ra, Rb)
//   FFMA32I         d, a, imm, c     values d, a, c         the addend is a source that shares Rd's register
//   ATOM.CAS        d, [a], cmp      values d, a0, a1, cmp, new   (pair_second lists nothing)
//
// value_count() returns how many values an operand lists. kNoValue may replace an unused result inside a
// vector, or a source register whose content does not matter.
//
// A guard is a value too. A guarded instruction with results leaves them unwritten if the guard is false.
// `merge` then names their contents in that case (values whose registers the results take over), or nothing,
// if no use is reached in that case.
//
// The condition code is not a value. An instruction that reads it (.X, CSETP, a condition other than T) reads
// the result of the nearest earlier writer in its block.
//
// Blocks. Blocks are in program order: a construct consists of the blocks from its header up to, not
// including, its merge block. Parameters are defined at a block's start; a jump to it passes as many
// arguments. Only jumps pass arguments: the targets of a branch have no parameters and no other predecessor
// (an empty block in between is free, it vanishes). A value may be used where its definition dominates.
//
// Constructs. As in SPIR-V, reconvergence is declared, not found: the header of a selection names its merge
// block; the block that enters a loop names the loop's merge block and its continue block (the one with the
// back edge, or the header itself if it has several). A construct is left by a jump: to the merge block of an
// enclosing construct (break), or to the continue block of an enclosing loop. Whether this becomes SSY and
// SYNC, PBK and BRK, PCNT and CONT, or a plain branch is decided here, by what the jumps need; a `uniform`
// branch needs none of them.
//
// Calls. A routine is a separate function (Function::is_routine). The parameters of its entry block are in
// R0, R1, ..., and so are the arguments of its exits. A block ends with a call; the results are the
// parameters of the next block. A call overwrites the registers below `clobbers` and all predicates. Values
// that are needed after it are kept above these registers, and predicates in registers (spill.h). No result
// is pending when a routine begins or returns. link() in program.h joins a program and the routines that it
// calls.
//
// Everything is in flat arrays of one memory resource; nothing is allocated for a single instruction.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "backend/maxwell/isa/code.h"
#include "backend/maxwell/isa/instruction.h"
#include "backend/maxwell/machine/place.h"
#include "ir/base/buffer.h"
#include "ir/base/index.h"

namespace texlate::maxwell::machine {

using Value = Index<struct MachineValueTag>;  // into Function::values
using BlockId = Index<struct BlockTag>;       // into Function::blocks, and the block's place in program order
inline constexpr Value kNoValue(0xffffffffu);
inline constexpr BlockId kEntryBlock(0);
inline constexpr BlockId kNoBlock(0xffffffffu);
inline constexpr uint32_t kNoIndex = 0xffffffffu;

/// The register and predicate number that means "a value" in Instruction::code.
inline constexpr uint8_t kVirtual = 0;

enum class ValueClass : uint8_t { general, predicate };

/// The side effects of an instruction. Instructions whose order does not matter may change places; an
/// instruction without effects and without used results is removed.
enum class Effect : uint8_t {
  none,
  read,     // of memory: keeps its order among writes to the same space
  write,    // of memory, or both (atomics): keeps its order among reads and writes of the same space
  barrier,  // keeps its order among everything that has an effect (BAR, MEMBAR, KIL)
};

/// The code that builds the function numbers the spaces: accesses with different numbers never touch the same
/// memory. kAllSpaces may touch any.
inline constexpr uint8_t kAllSpaces = 0;
/// Local memory that the function itself uses; spill slots are separate.
inline constexpr uint8_t kLocalSpace = 1;
inline constexpr uint8_t kFirstFreeSpace = 2;
/// The memory of spill slots.
inline constexpr uint8_t kSpillSpace = 255;

/// 40 bytes.
struct Instruction {
  Code code;
  uint32_t values = 0;        // first in Function::operands
  Value guard = kNoValue;     // predicate; its negation is bit 3 of code.guard
  uint32_t merge = kNoIndex;  // first in Function::operands, one value a result; kNoIndex: none
  uint32_t origin = 0;        // of the IR instruction, for listings and messages; 0: none
  // Properties of the code, kept here because every pass needs them; fill_instruction() sets them. The number
  // of values that each operand lists, four bits for each; of all values; of results, which come first.
  uint32_t counts = 0;
  uint8_t value_count = 0;
  uint8_t result_count = 0;
  Effect effect = Effect::none;
  uint8_t space = kAllSpaces;

  unsigned count(unsigned operand) const { return counts >> (4 * operand) & 15; }
  bool is_result(unsigned operand) const { return (facts(code).destinations >> operand & 1) != 0; }
  bool is_predicate(unsigned operand) const { return (facts(code).predicates >> operand & 1) != 0; }
};
static_assert(sizeof(Instruction) == 40);

enum class Terminator : uint8_t {
  jump,    // to target[0], with arguments
  branch,  // to target[0] if the condition holds, otherwise to target[1]
  exit,    // the arguments are what R0, R1, ... hold at the end; kNoValue: anything
  call,    // of a routine with the arguments in R0, R1, ...; continues at target[0], the next block
};

enum class Construct : uint8_t {
  none,
  selection,  // this block branches, the arms meet at `merge`
  loop,       // this block jumps to the loop's header
};

struct Block {
  uint32_t first = 0;  // instructions first .. first + count - 1
  uint32_t count = 0;
  uint32_t parameters = 0;  // first in Function::operands
  uint32_t parameter_count = 0;
  uint32_t arguments = 0;  // first in Function::operands
  uint32_t argument_count = 0;
  Terminator terminator = Terminator::exit;
  Construct construct = Construct::none;
  bool negated = false;  // the branch is taken where the condition is false
  bool uniform = false;  // all active lanes go the same way
  union {                // of a branch
    Value condition = kNoValue;
    Place predicate;  // where registers are allocated
  };
  BlockId target[2] = {kNoBlock, kNoBlock};
  BlockId merge = kNoBlock;
  BlockId continue_target = kNoBlock;  // of a loop
  uint32_t routine = 0;                // of a call: its number
  uint16_t clobbers = 0;               // of a call: registers from R0 on that it overwrites

  /// Changes the blocks that it names to what they are in `number`.
  void renumber(std::span<const BlockId> number) {
    for (BlockId* const id : {&target[0], &target[1], &merge, &continue_target})
      if (*id != kNoBlock) *id = number[*id];
  }
};

struct Function {
  explicit Function(std::pmr::memory_resource* memory)
      : values(memory), instructions(memory), operands(memory), blocks(memory), spare(memory) {}

  Function(const Function& other) = delete;
  /// Becomes a copy of the other function, with the memory that it has. `order`: the index of each of its
  /// instructions in the other; void: as they are.
  void assign(const Function& other, std::span<const uint32_t> order);
  Function& operator=(const Function&) = delete;
  Function(Function&&) = default;
  Function& operator=(Function&&) = default;
  ~Function() = default;

  Buffer<ValueClass> values;
  Buffer<Instruction> instructions;  // block by block
  Buffer<Value> operands;            // operand lists, parameters, arguments
  std::pmr::vector<Block> blocks;    // the first one is the entry
  // `spare`: where a pass writes instructions that it then exchanges with `instructions`; void between
  // passes. `scratch_memory`: for what a pass needs while it runs; if not set, memory().
  Buffer<Instruction> spare;
  std::pmr::memory_resource* scratch_memory = nullptr;
  uint32_t local_bytes = 0;  // bytes of local memory that the function itself uses
  bool is_routine = false;   // is called, and returns where it exits
  /// Fetches get separate registers, so that they need not wait for each other (program.h, Options).
  bool separates_fetches = false;
  /// Registers are allocated: `code` has their numbers, and there are no values.
  bool has_registers = false;
  uint32_t exit_registers = 0;  // R0.. that hold results at the end, found by the allocator

  Value new_value(ValueClass value_class) {
    values.push_back(value_class);
    return Value(values.size() - 1);
  }

  std::span<Value> parameters(const Block& b) {
    return std::span(operands).subspan(b.parameters, b.parameter_count);
  }
  std::span<Value> arguments(const Block& b) {
    return std::span(operands).subspan(b.arguments, b.argument_count);
  }
  std::span<const Value> arguments(const Block& b) const {
    return std::span(operands).subspan(b.arguments, b.argument_count);
  }

  std::pmr::memory_resource* memory() const { return values.memory(); }
  std::pmr::memory_resource* scratch() const { return scratch_memory != nullptr ? scratch_memory : memory(); }
};

/// How many values operand `index` of `code` lists: 0 for RZ, PT and operands that are not registers.
unsigned value_count(const maxwell::Instruction& code, unsigned index);

/// Gives `instruction` its code and the values of its operands.
void fill_instruction(Function& function, const maxwell::Instruction& code, std::span<const Value> values,
                      Instruction& instruction);

/// Fills in a function, block by block.
class Builder {
 public:
  explicit Builder(Function& function) : function_(function), order_(function.memory()) {}

  Value value(ValueClass value_class) { return function_.new_value(value_class); }
  Value general() { return value(ValueClass::general); }
  Value predicate() { return value(ValueClass::predicate); }

  /// Reserves a block. Blocks are opened (begin) in program order, and finish() renumbers them in that order.
  /// Until then ids are in the order of reservation.
  BlockId block();
  void begin(BlockId block, std::span<const Value> parameters = {});

  /// Appends to the current block. The reference holds until the next append.
  Instruction& append(const Instruction& made, std::span<const Value> values);
  Instruction& append(const maxwell::Instruction& code, std::span<const Value> values, Value guard = kNoValue,
                      bool guard_negated = false);
  Instruction& append(const maxwell::Instruction& code, std::initializer_list<Value> values,
                      Value guard = kNoValue, bool guard_negated = false) {
    return append(code, std::span<const Value>(values.begin(), values.size()), guard, guard_negated);
  }
  /// What the results of the last instruction are if its guard is false.
  void merge(std::span<const Value> values);

  /// Ends the current block.
  void jump(BlockId target, std::span<const Value> arguments = {});
  void branch(Value condition, bool negated, BlockId then_block, BlockId else_block, bool uniform = false);
  void exit(std::span<const Value> outputs = {});
  /// Ends the current block and begins the next one, whose parameters are the results.
  void call(uint32_t routine, uint16_t clobbers, std::span<const Value> arguments,
            std::span<const Value> results);

  /// Declares the construct whose header is the current block, before that block ends.
  void selection(BlockId merge);
  void loop(BlockId merge, BlockId continue_target);

  bool is_open() const { return open_ != kNoBlock; }
  BlockId open_block() const { return open_; }

  /// Puts the blocks into the order in which they were begun.
  void finish();

 private:
  uint32_t list(std::span<const Value> values);
  void close(Terminator terminator, std::span<const Value> arguments);

  Function& function_;
  std::pmr::vector<BlockId> order_;
  BlockId open_ = kNoBlock;
};

}  // namespace texlate::maxwell::machine
