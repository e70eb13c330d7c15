#include "backend/maxwell/machine/access.h"
#include "tests/unit/maxwell_machine/meaning.h"

namespace texlate::maxwell::machine::test {
namespace {

class FunctionLane {
 public:
  FunctionLane(Function& function, unsigned lane) : function_(function), words_(function.values.size(), 0) {
    context_.lane = lane;
  }

  Trace run(unsigned step_limit) {
    BlockId at = kEntryBlock;
    for (unsigned step = 0; step < step_limit; ++step) {
      Block& b = function_.blocks[at];
      for (uint32_t i = b.first; i < b.first + b.count; ++i) execute(function_.instructions[i]);
      if (b.terminator == Terminator::exit) {
        for (uint32_t i = 0; i < b.argument_count; ++i) {
          const Value v = function_.operands[b.arguments + i];
          if (v == kNoValue || i >= kOutputs) continue;
          trace_.outputs[i] = words_[v];
          trace_.is_defined[i] = true;
        }
        trace_.ended = true;
        break;
      }
      at = end(b);
    }
    return std::move(trace_);
  }

 private:
  bool holds(Value predicate, bool negated) const { return ((words_[predicate] & 1) != 0) != negated; }

  void execute(const Instruction& i) {
    if (i.guard != kNoValue && !holds(i.guard, (i.code.guard() & 8) != 0)) {
      unsigned n = 0;
      visit_operands(function_, i, [&](unsigned, unsigned, Value v, bool is_result) {
        if (!is_result) return;
        const Value before = i.merge == kNoIndex ? kNoValue : function_.operands[i.merge + n++];
        if (v != kNoValue && before != kNoValue) words_[v] = words_[before];
      });
      return;
    }
    OperandValues values;
    visit_operands(function_, i, [&](unsigned k, unsigned e, Value v, bool is_result) {
      values.counts[k] = static_cast<uint8_t>(e + 1);
      values.words[k][e] = is_result || v == kNoValue ? 0 : words_[v];
    });
    evaluate(i.code, i.effect == Effect::read, i.effect == Effect::write, i.effect == Effect::barrier,
             i.space, values, context_, trace_.effects);
    visit_operands(function_, i, [&](unsigned k, unsigned e, Value v, bool is_result) {
      if (!is_result || v == kNoValue) return;
      words_[v] = function_.values[v] == ValueClass::predicate ? values.words[k][e] & 1 : values.words[k][e];
    });
  }

  BlockId end(const Block& b) {
    if (b.terminator == Terminator::branch) return b.target[holds(b.condition, b.negated) ? 0 : 1];
    const Block& t = function_.blocks[b.target[0]];
    std::vector<Word> arguments;
    for (uint32_t i = 0; i < b.argument_count; ++i) {
      const Value v = function_.operands[b.arguments + i];
      arguments.push_back(v == kNoValue ? 0 : words_[v]);
    }
    if (b.terminator == Terminator::call) {
      const std::vector<Word> given = arguments;
      arguments.clear();
      for (uint32_t i = 0; i < t.parameter_count; ++i)
        arguments.push_back(TestRoutine::of(b.routine).result(given.data(), i));
    }
    for (uint32_t i = 0; i < t.parameter_count; ++i)
      words_[function_.operands[t.parameters + i]] = arguments[i];
    return b.target[0];
  }

  Function& function_;
  std::vector<Word> words_;
  LaneContext context_;
  Trace trace_;
};

}  // namespace

Outcome run_function(Function& function, unsigned step_limit) {
  Outcome out;
  for (unsigned lane = 0; lane < kLanes; ++lane)
    out.lanes[lane] = FunctionLane(function, lane).run(step_limit);
  return out;
}

std::string compare(const Outcome& function, const Outcome& program) {
  if (!program.error.empty()) return program.error;
  for (unsigned lane = 0; lane < kLanes; ++lane) {
    const Trace& a = function.lanes[lane];
    const Trace& b = program.lanes[lane];
    if (a.ended != b.ended) return "lane " + std::to_string(lane) + (a.ended ? " does not end" : " ends");
    if (!a.ended) continue;
    for (unsigned s = 0; s < kEffectSpaces; ++s) {
      if (a.effects[s] != b.effects[s])
        return "lane " + std::to_string(lane) + ", space " + std::to_string(s);
    }
    for (unsigned i = 0; i < kOutputs; ++i) {
      if (!a.is_defined[i]) continue;
      if (a.outputs[i] != b.outputs[i]) return "output " + std::to_string(i);
      if (b.is_late[i]) return "EXIT does not wait for output " + std::to_string(i);
    }
  }
  return {};
}

}  // namespace texlate::maxwell::machine::test
