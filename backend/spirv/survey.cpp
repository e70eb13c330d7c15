#include "backend/spirv/survey.h"

#include <algorithm>
#include <array>

#include "ir/base/zeroed.h"

namespace texlate::spirv {

namespace {

using ir::Instruction;
using ir::Op;
using ir::Value;

/// Does the operation round, so that a device that combines it with another one, or simplifies it as if there
/// were no NaN, INF and signed zero, gives other bits (SPIR-V 3.20, NoContraction; Vulkan, "Precision and
/// Operation of SPIR-V Instructions")? A quotient or a first product has nothing to be fused with, but 0 / 0
/// and NaN * 0 become 0 on drivers that simplify what is not decorated.
constexpr bool is_inexact(Op op) {
  switch (op) {
    case Op::fadd:
    case Op::fmul:
    case Op::ffma:
    case Op::fdiv:
    case Op::frcp:
    case Op::fsqrt:
    case Op::frsq:
    case Op::fexp2:
    case Op::flog2:
    case Op::fsin:
    case Op::fcos:
    case Op::dadd:
    case Op::dmul:
    case Op::dfma:
    case Op::ddiv:
    case Op::drcp: return true;
    case Op::fmin:
    case Op::fmax:
    case Op::fneg:
    case Op::fabs:
    case Op::fsat:
    case Op::ffrac:
    case Op::frint:
    case Op::ffloor:
    case Op::fceil:
    case Op::ftrunc:
    case Op::feq:
    case Op::fne:
    case Op::flt:
    case Op::fge:
    case Op::pack64:
    case Op::unpack64:
    case Op::dmin:
    case Op::dmax:
    case Op::dneg:
    case Op::dabs:
    case Op::dsat:
    case Op::deq:
    case Op::dne:
    case Op::dlt:
    case Op::dge:
    case Op::dtof:
    case Op::ftod:
    case Op::dtoi:
    case Op::dtou:
    case Op::itod:
    case Op::utod:
#define IR_COVERED_float32
#define IR_COVERED_float64
#include "ir/op_cases.inc"
      return false;
  }
}

/// Does anything but the operands as they are count as needed, or is something noted about the result?
constexpr bool has_own_needs(Op op) {
  for (const Op special : {Op::fneg, Op::fadd, Op::fmin, Op::fmax, Op::dmin, Op::dmax}) {
    if (op == special) return true;
  }
  return false;
}

constexpr bool is_used_module(Op op) {
  return op == Op::cb_load || op == Op::input || op == Op::system_value || op == Op::shared_atomic ||
         ir::info(op).has(ir::kResource);
}

/// By operation: what the walk does with it.
struct Plan {
  enum Step : uint8_t {
    kInexact = 1,
    kOwnNeeds = 2,
    kOpen = 4,
    kUsesModule = 8,
    kHasKind = 16,   // for its one result
    kHasKinds = 32,  // for other numbers of results
  };
  uint8_t steps = 0;
  Kind result = Kind::none;
  int8_t vote = 0;  // for each operand
};
constexpr std::array<Plan, ir::kOpCount> kPlans = [] {
  std::array<Plan, ir::kOpCount> plans{};
  for (uint32_t i = 0; i < ir::kOpCount; ++i) {
    const Op op = static_cast<Op>(i);
    const OpKinds& kinds = kinds_of(op);
    Plan& plan = plans[i];
    if (is_inexact(op)) plan.steps |= Plan::kInexact;
    if (has_own_needs(op)) plan.steps |= Plan::kOwnNeeds;
    if (is_used_module(op)) plan.steps |= Plan::kUsesModule;
    if (kinds.common == Kind::varies || !ir::is_arithmetic(op)) {
      plan.steps |= Plan::kOpen;
    } else {
      plan.vote = kinds.common == Kind::float_ ? 1 : kinds.common == Kind::uint ? -1 : 0;
    }
    // The kind of values other than words is never read.
    if (kinds.result != Kind::flexible && kinds.result != Kind::varies) {
      const ir::OpInfo& info = ir::info(op);
      const bool is_one = info.results.size() == 1 && !info.passes_results() && !is_used_module(op);
      plan.steps |= is_one ? Plan::kHasKind : Plan::kHasKinds;
      plan.result = kinds.result;
    }
  }
  return plans;
}();

class Surveyor {
 public:
  Surveyor(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena, Survey& survey)
      : module_(module), survey_(survey) {
    const size_t count = module.values.size();
    survey.needs.flags = zeroed<uint8_t>(arena, count);
    survey.kinds = zeroed<Kind>(arena, count);
    survey.votes = zeroed<int32_t>(arena, count);
    survey.needs.source = {
        static_cast<uint32_t*>(arena.allocate(count * sizeof(uint32_t), alignof(uint32_t))), count};
    survey.open.reserve(module.code.size() / 4 + 16);
    ModuleUses& uses = survey.uses;
    uses.has_atomics = zeroed<uint8_t>(arena, module.resources.size());
    uses.is_read = zeroed<uint8_t>(arena, module.resources.size());
    uses.is_written = zeroed<uint8_t>(arena, module.resources.size());
    uses.shared_atomics = zeroed<uint8_t>(arena, module.shared.size());
    flags_ = survey.needs.flags.data();
  }

  void run() {
    const uint32_t count = static_cast<uint32_t>(module_.code.size());
    const Instruction* const code = module_.code.data();
    const Value* const all_operands = module_.operands.data();
    // Copies: what is written through the pointers may be anything, as far as the compiler knows.
    Kind* const kinds = survey_.kinds.data();
    uint8_t* const flags = flags_;
    int32_t* const votes = survey_.votes.data();
    const bool all_exact = !module_.refactoring_allowed;
    for (uint32_t i = 0; i < count; ++i) {
      const Instruction& instruction = code[i];
      const Plan plan = kPlans[static_cast<uint32_t>(instruction.op)];
      const Value first = instruction.first_result;
      const Value* const operands = all_operands + instruction.first_operand;
      const Value* const end = operands + instruction.operand_count;
      if ((plan.steps & Plan::kHasKind) != 0) {
        kinds[first] = plan.result;
      } else {
        // Without results there is no first one to point at.
        if ((plan.steps & Plan::kHasKinds) != 0 && instruction.result_count != 0)
          std::fill_n(kinds + first, instruction.result_count, plan.result);
        if ((plan.steps & Plan::kUsesModule) != 0) note_use(i, instruction);
      }
      if ((plan.steps & Plan::kInexact) != 0 && (all_exact || instruction.has(ir::kPrecise)))
        flags[first] |= ValueNeeds::kExact;
      if ((plan.steps & Plan::kOpen) != 0) survey_.open.push_back(i);
      if ((plan.steps & Plan::kOwnNeeds) != 0 && note_needs(i, instruction, operands)) {
        for (const Value* o = operands; o != end; ++o) votes[*o] += plan.vote;
        continue;
      }
      for (const Value* o = operands; o != end; ++o) {
        note(flags[*o]);
        votes[*o] += plan.vote;
      }
    }
  }

 private:
  static constexpr uint32_t kUsed = ValueNeeds::kUsed;
  static_assert(ValueNeeds::kShared == ValueNeeds::kUsed << 2);

  static void note(uint8_t& flags) {
    const uint32_t before = flags;
    flags = static_cast<uint8_t>(before | (before & kUsed) << 2 | kUsed);
  }
  void note(Value value) { note(flags_[value]); }

  /// Records what is known about these operations from their operands. Returns whether it recorded the needs.
  bool note_needs(uint32_t i, const Instruction& instruction, const Value* operands) {
    const ValueNeeds& needs = survey_.needs;
    const Value result = instruction.first_result;
    switch (instruction.op) {
      case Op::fneg:
        flags_[result] |= ValueNeeds::kNegation;
        needs.source[result] = operands[0];
        return false;
      case Op::fadd:
        for (const Value value : needs.addends({operands, 2}).values) note(value);
        return true;
      case Op::fmax:
      case Op::dmax:
        if (module_.is_constant(operands[1])) {
          flags_[result] |= ValueNeeds::kMaximum;
          needs.source[result] = i;
        }
        return false;
      case Op::fmin:
      case Op::dmin:
        if (const Instruction* const maximum = needs.clamped_maximum(module_, instruction)) {
          const auto bounded = module_.operands_of(*maximum);
          for (const Value value : {bounded[0], bounded[1], operands[1]}) note(value);
          return true;
        }
        return false;
      default: return false;
    }
  }

  void note_use(uint32_t i, const Instruction& instruction) {
    ModuleUses& uses = survey_.uses;
    const Op op = instruction.op;
    if (op == Op::cb_load) uses.constant_loads.push_back(i);
    if (reads_entry(instruction)) uses.entry_reads.push_back(i);
    if (op == Op::shared_atomic) uses.shared_atomics[instruction.payload / 16] = 1;
    if (!ir::info(op).has(ir::kResource)) return;
    const uint16_t resource = module_.access_of(instruction).resource;
    if (op == Op::buf_atomic || op == Op::surf_atomic)
      uses.has_atomics[resource] = uses.is_read[resource] = uses.is_written[resource] = 1;
    if (op == Op::buf_load || op == Op::surf_load) uses.is_read[resource] = 1;
    if (op == Op::buf_store || op == Op::surf_store) uses.is_written[resource] = 1;
  }

  const ir::Module& module_;
  Survey& survey_;
  uint8_t* flags_;  // of survey_.needs
};

}  // namespace

void survey(const ir::Module& module, std::pmr::monotonic_buffer_resource& arena, Survey& survey) {
  Surveyor(module, arena, survey).run();
}

}  // namespace texlate::spirv
