// The machine-level form of a Maxwell program: instructions of the instruction set (backend/maxwell/isa) over
// virtual registers, in SSA, on structured control flow. Instruction selection fills it; finish() in
// program.h of this folder makes words of it: it allocates registers, lays out branches and their stack,
// schedules, and assigns scoreboards.
//
// Values. A value is one 32-bit register or one predicate. It is defined once: by one operand of one
// instruction, or as a parameter of a block. There are no vector values: an operand that covers several
// consecutive registers (a texture operand, a 64-bit number or address, a wide load) lists one value a
// register, and the allocator finds places where they stand side by side, or moves them there. So nobody
// packs or unpacks: the two coordinates of TEXS are two values, and so are the two words of a double.
//
// Instructions. `code` is an instruction of the set in which every operand that is a virtual register stands
// as kVirtual (register 0, predicate 0) and every operand that is RZ or PT is just that. The values that
// belong there follow in Function::operands, in the order of the operands of `code`, one a covered register:
//
//   FADD            d, a, -b         values d, a, b         flags are in `code`
//   FSETP.LT.AND    p, PT, a, 1, q   values p, a, q         PT and the immediate are in `code`
//   LDG.E.64        d, [a+8]         values d0, d1, a0, a1
//   TEXS.LZ  d1, d0, a, b, idx, 2D, RGB   values d1, d0, d0', a, b  (the order of the text: Rd1, Rd0, Ra, Rb)
//   FFMA32I         d, a, imm, c     values d, a, c         the addend is a source that shares Rd's register
//   ATOM.CAS        d, [a], cmp      values d, a0, a1, cmp, new   (pair_second lists nothing)
//
// value_count() says how many an operand lists. kNoValue may replace an unused result inside a
// vector, and for a source register whose content does not matter.
//
// A guard is a value too. A guarded instruction that has results leaves them unwritten where the guard is
// false: then `merge` names what they are instead (values whose registers the results take over), or
// nothing, when no use is reached in that case.
//
// The condition code is not a value. An instruction that reads it (.X, CSETP, a condition other than T)
// reads what the nearest earlier writer of its block left; no other writer may be between them.
//
// Blocks. Blocks are in program order: a construct is the blocks from its header up to, not including, its
// merge block. Parameters are defined at a block's start; the jumps to it pass as many arguments. Only
// jumps pass arguments: the targets of a branch have no parameters and no other predecessor (an empty block
// in between costs nothing, it vanishes). A value is used where its definition dominates.
//
// Constructs. As in SPIR-V, what reconverges is declared, not found: the header of a selection names its
// merge block, the block that enters a loop names the loop's merge block and its continue block (the one with
// the back edge, or the header itself when it has several). Leaving is by jump: to the merge block of an
// enclosing construct (break), to the continue block of an enclosing loop. What of it becomes SSY and SYNC,
// PBK and BRK, PCNT and CONT, or a plain branch is decided here, by what the jumps need; a `uniform` branch
// needs none.
//
// Calls. A routine is a function of its own (Function::is_routine). The parameters of its entry block are in
// R0, R1, ..., and so are the arguments of its exits. A block ends with a call; the results are the
// parameters of the next block. A call overwrites the registers below `clobbers` and all predicates. Values
// that are needed after it are kept above these registers, and predicates in registers (spill.h). No result
// is pending when a routine begins or returns. link() in program.h joins a program and the routines that it
// calls.
//
// Everything is flat arrays of one memory resource; nothing is allocated for an instruction.
#pragma once

#include <array>
#include <cstdint>
#include <initializer_list>
#include <memory_resource>
#include <span>
#include <string_view>
#include <vector>

#include "backend/maxwell/isa/instruction.h"

namespace texlate::maxwell::machine {

using Value = uint32_t;    // index into Function::values
using BlockId = uint32_t;  // index into Function::blocks, and the block's place in program order
inline constexpr Value kNoValue = 0xffffffffu;
inline constexpr BlockId kNoBlock = 0xffffffffu;
inline constexpr uint32_t kNoIndex = 0xffffffffu;

/// The register and predicate number that means "a value" in Instruction::code.
inline constexpr uint8_t kVirtual = 0;

enum class ValueClass : uint8_t { general, predicate };

/// The side effects of an instruction. Instructions whose order does not matter may change places;
/// an instruction without effect and without used results is removed.
enum class Effect : uint8_t {
  none,
  read,     // of memory: keeps its place among writes to the same space
  write,    // of memory, or both (atomics): keeps its place among reads and writes of the same space
  barrier,  // keeps its place among everything that has an effect (BAR, MEMBAR, KIL)
};

/// The creator of the function numbers the spaces: accesses with different numbers never touch the same
/// memory. kAllSpaces may touch any.
inline constexpr uint8_t kAllSpaces = 0;
/// Local memory as the function itself uses it; spill slots are separate from it.
inline constexpr uint8_t kLocalSpace = 1;
inline constexpr uint8_t kFirstFreeSpace = 2;
/// Of spill slots.
inline constexpr uint8_t kSpillSpace = 255;

struct Instruction {
  maxwell::Instruction code;
  uint32_t values = 0;        // first in Function::operands
  Value guard = kNoValue;     // predicate; its negation is bit 3 of code.guard
  uint32_t merge = kNoIndex;  // first in Function::operands, one value a result; kNoIndex: none
  uint32_t origin = 0;        // of the IR instruction, for listings and messages; 0: none
  Effect effect = Effect::none;
  uint8_t space = kAllSpaces;
  // Properties of the form, kept here because every pass needs them: values an operand lists, and a bit for
  // each operand that is a result; values over all, and a bit for each that is a result. append() fills them
  // in.
  uint8_t results = 0;
  uint8_t value_count = 0;
  std::array<uint8_t, kMaxOperands> counts{};
  uint32_t result_values = 0;
};

enum class Terminator : uint8_t {
  jump,    // to target[0], with arguments
  branch,  // to target[0] where the condition holds, else to target[1]
  exit,    // the arguments are what R0, R1, ... hold at the end; kNoValue: no matter
  call,    // of a routine with the arguments in R0, R1, ...; goes on with target[0], the next block
};

enum class Construct : uint8_t {
  none,
  selection,  // this block branches, the ways meet at `merge`
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
  Value condition = kNoValue;
  BlockId target[2] = {kNoBlock, kNoBlock};
  BlockId merge = kNoBlock;
  BlockId continue_target = kNoBlock;  // of a loop
  uint32_t routine = 0;                // of a call: its number
  uint16_t clobbers = 0;               // of a call: registers from R0 on that it overwrites
};

struct Function {
  explicit Function(std::pmr::memory_resource* memory)
      : values(memory), instructions(memory), operands(memory), blocks(memory), spare(memory) {}

  Function(const Function& other)
      : values(other.values, other.memory()),
        instructions(other.instructions, other.memory()),
        operands(other.operands, other.memory()),
        blocks(other.blocks, other.memory()),
        spare(other.memory()),
        scratch_memory(other.scratch_memory),
        local_bytes(other.local_bytes),
        is_routine(other.is_routine),
        separates_fetches(other.separates_fetches),
        exit_registers(other.exit_registers) {}
  Function& operator=(const Function&) = delete;
  Function(Function&&) = default;
  Function& operator=(Function&&) = default;
  ~Function() = default;

  std::pmr::vector<ValueClass> values;
  std::pmr::vector<Instruction> instructions;  // block by block
  std::pmr::vector<Value> operands;            // operand lists, parameters, arguments
  std::pmr::vector<Block> blocks;              // block 0 is the entry
  // Where a pass writes instructions that it then exchanges with `instructions`; between passes its content
  // is void. And memory for what a pass needs while it runs, not set: memory().
  std::pmr::vector<Instruction> spare;
  std::pmr::memory_resource* scratch_memory = nullptr;
  uint32_t local_bytes = 0;  // of local memory that the function itself uses
  bool is_routine = false;   // is called, and returns where it exits
  /// Fetches get separate registers, so that they need not wait for each other (program.h, Options).
  bool separates_fetches = false;
  uint32_t exit_registers = 0;  // R0.. that hold results at the end, found by the allocator

  std::pmr::memory_resource* memory() const { return values.get_allocator().resource(); }
  std::pmr::memory_resource* scratch() const { return scratch_memory != nullptr ? scratch_memory : memory(); }
};

/// How many values operand `index` of `code` lists: 0 for RZ, PT and operands that are not registers.
unsigned value_count(const maxwell::Instruction& code, unsigned index);
/// True when operand `index` is a result.
bool is_result(const maxwell::Instruction& code, unsigned index);
/// Over all operands.
unsigned value_count(const maxwell::Instruction& code);
unsigned result_count(const maxwell::Instruction& code);

/// Gives `instruction` its code and the values of its operands.
void fill_instruction(Function& function, const maxwell::Instruction& code, std::span<const Value> values,
                      Instruction& instruction);

/// Fills a function in, block after block.
class Builder {
 public:
  explicit Builder(Function& function) : function_(function), order_(function.memory()) {}

  Value value(ValueClass value_class);
  Value general() { return value(ValueClass::general); }
  Value predicate() { return value(ValueClass::predicate); }

  /// Reserves a block; blocks are opened (begin) in program order, and renumbered to it by finish(). Until
  /// then ids are those of reservation.
  BlockId block();
  void begin(BlockId block, std::span<const Value> parameters = {});

  /// Appends to the current block. The reference holds until the next append.
  Instruction& append(const maxwell::Instruction& code, std::span<const Value> values, Value guard = kNoValue,
                      bool guard_negated = false);
  Instruction& append(const maxwell::Instruction& code, std::initializer_list<Value> values,
                      Value guard = kNoValue, bool guard_negated = false) {
    return append(code, std::span<const Value>(values.begin(), values.size()), guard, guard_negated);
  }
  /// What the results of the last instruction are where its guard is false.
  void merge(std::span<const Value> values);

  /// Ends the current block.
  void jump(BlockId target, std::span<const Value> arguments = {});
  void branch(Value condition, bool negated, BlockId then_block, BlockId else_block, bool uniform = false);
  void exit(std::span<const Value> outputs = {});
  /// Also begins the next block, whose parameters are the results.
  void call(uint32_t routine, uint16_t clobbers, std::span<const Value> arguments,
            std::span<const Value> results);

  /// Declares the construct whose header is the current block, before that block is ended.
  void selection(BlockId merge);
  void loop(BlockId merge, BlockId continue_target);

  bool is_open() const { return open_ != kNoBlock; }
  BlockId open_block() const { return open_; }

  /// Puts the blocks into the order in which they were begun.
  void finish();

 private:
  uint32_t list(std::span<const Value> values);
  void close(Terminator terminator);

  Function& function_;
  std::pmr::vector<BlockId> order_;
  BlockId open_ = kNoBlock;
};

enum class FunctionRule : uint8_t {
  none,
  value_number,  // a value that does not exist
  value_class,   // a predicate where a register belongs, or the reverse
  defined_twice,
  not_dominated,   // used where its definition does not reach
  block_order,     // a block's instructions do not follow those of the block before
  block_number,    // a target that does not exist
  argument_count,  // a jump passes other than the target's parameters
  branch_target,   // the target of a branch has parameters or another predecessor
  construct,       // merge or continue block missing, or before the header
  loop_entry,      // a loop is not entered by a jump to the next block
  call,   // does not go on with the next block, whose predecessor is it alone, or clobbers too little
  carry,  // the condition code is read where no writer of the block precedes
  merge_unguarded,  // merge without a guard
  merge_tied,       // merge of a result that shares the register of a source already (FFMA32I)
};
std::string_view function_rule_text(FunctionRule rule);

struct FunctionViolation {
  FunctionRule rule = FunctionRule::none;
  BlockId block = kNoBlock;
  uint32_t instruction = kNoIndex;
};

/// The first rule that the function breaks. Linear; for tests and builds with assertions.
FunctionViolation verify(Function& function);

}  // namespace texlate::maxwell::machine
