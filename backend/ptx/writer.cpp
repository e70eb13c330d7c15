#include "backend/ptx/writer.h"

namespace texlate::ptx {

Uses::Uses(const ir::Module& module)
    : module_(module),
      uses_(module.values.size(), 0, module.memory()),
      definition_(module.values.size(), kNowhere, module.memory()),
      deferred_(module.code.size(), 0, module.memory()) {
  std::pmr::vector<uint32_t> takers(module_.memory());  // instructions that may emit an operand's definition
  uint32_t* const uses = uses_.data();
  uint32_t* const definition = definition_.data();
  bool discards = false;
  uint32_t at = 0;
  for (const Instruction& instruction : module_.code) {
    for (const Value value : module_.operands_of(instruction)) ++uses[value];
    const uint32_t results = instruction.result_count;
    for (uint32_t r = 0; r < results; ++r) definition[instruction.first_result + r] = at;
    has_derivatives |= ir::info(instruction.op).family == ir::Family::derivative;
    if (instruction.op == Op::pand || instruction.op == Op::fsat) takers.push_back(at);
    reads_coverage |= launch::reads_coverage(instruction);
    discards |= instruction.op == Op::discard;
    ++at;
  }
  for (const uint32_t taker : takers) defer_definition(module_.code[taker]);
  const ir::KnownLaunch& known = module_.relied.launch;
  const bool has_helpers = module_.stage == ir::Stage::pixel && known.helper_lanes != false;
  tests_live = module_.stage != ir::Stage::compute && (discards || has_helpers || !known.has_exact_threads());
}

void Uses::defer_definition(const Instruction& user) {
  for (const Value value : module_.operands_of(user)) {
    if (uses_[value] != 1 || definition_[value] == kNowhere) continue;
    const Instruction& definer = module_.code[definition_[value]];
    const ir::OpInfo& info = ir::info(definer.op);
    const bool compare = user.op == Op::pand && info.results == "p" &&
                         (info.family == ir::Family::float32 || info.family == ir::Family::integer);
    const bool saturated =
        user.op == Op::fsat && (definer.op == Op::fadd || definer.op == Op::fmul || definer.op == Op::ffma);
    if (!compare && !saturated) continue;
    deferred_[definition_[value]] = 1;
    return;  // an `and` includes one comparison
  }
}

}  // namespace texlate::ptx
