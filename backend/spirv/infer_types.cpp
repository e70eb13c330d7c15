// Which 32-bit values are floats and which unsigned integers.
//
// Operations have kinds; what only passes bits on (select, values of control flow, loads) takes the kind that
// most of its users want, and where these are as many, its sources'. A value that is used as both gets one
// bitcast where it is defined.

#include <algorithm>
#include <bit>

#include "backend/spirv/emitter.h"
#include "ir/base/zeroed.h"
#include "ir/reachability.h"

namespace texlate::spirv {

void Emitter::find_structure() {
  if (ir::is_straight_line(module_)) return;
  const auto& code = module_.code;
  end_of_ = zeroed<uint32_t>(arena_, code.size());
  ir::find_ends(module_, end_of_);
  flows_to_ = zeroed<uint32_t>(arena_, code.size());
  std::ranges::fill(flows_to_, kNoIndex);
  holds_over_ = zeroed<uint8_t>(arena_, code.size());
  struct Construct {
    uint32_t marker;
    uint32_t left =
        kNoIndex;  // this one and those around it, but for so many outermost ones, are left inside
  };
  ArenaBuffer<Construct> stack(&arena_);
  auto leave = [&](size_t kept) {
    if (!stack.empty()) stack.back().left = std::min(stack.back().left, static_cast<uint32_t>(kept));
  };
  auto close = [&] {
    const Construct closed = stack.back();
    stack.pop_back();
    holds_over_[closed.marker] = closed.left > stack.size() ? 1 : 0;
    leave(closed.left);
  };
  // With the ends known: where each marker's operands go.
  for (uint32_t i = 0; i < code.size(); ++i) {
    switch (code[i].op) {
      case Op::if_:
      case Op::switch_: stack.push_back({i}); break;
      case Op::loop:
        stack.push_back({i});
        flows_to_[i] = i;
        break;
      case Op::else_: flows_to_[i] = end_of_[i]; break;
      case Op::endif:
        flows_to_[i] = i;
        close();
        break;
      case Op::endloop:
        flows_to_[i] = stack.back().marker;
        close();
        break;
      case Op::endswitch: close(); break;
      case Op::break_:
      case Op::continue_:
        for (size_t s = stack.size(); s-- != 0;) {
          const Op op = code[stack[s].marker].op;
          if (op == Op::if_ || (op == Op::switch_ && code[i].op == Op::continue_)) continue;
          flows_to_[i] = code[i].op == Op::continue_ ? stack[s].marker : end_of_[stack[s].marker];
          leave(s + 1);
          break;
        }
        break;
      case Op::output:
      case Op::patch_output:
      case Op::patch_input:
      case Op::output_control_point:
      case Op::emit:
      case Op::return_: leave(0); break;
      default: break;
    }
  }
}

template <typename Visit>
void Emitter::for_each_operand(uint32_t index, Visit visit) const {
  const Instruction& instruction = module_.code[index];
  const OpKinds& kinds = kinds_of(instruction.op);
  const Value* const operands = module_.operands.data() + instruction.first_operand;
  if (kinds.common != Kind::varies) {
    for (uint32_t o = 0; o < instruction.operand_count; ++o) visit(operands[o], kinds.common);
    return;
  }
  for (uint32_t o = 0; o < instruction.operand_count; ++o) {
    Kind kind = kinds.operand(o);
    if (kind == Kind::varies) kind = varying_operand_kind(instruction, o);
    if (kind == Kind::flexible) kind = flow_kind(instruction, index, o);
    visit(operands[o], kind);
  }
}

Kind Emitter::flow_kind(const Instruction& instruction, uint32_t index, uint32_t position) const {
  if (instruction.op == Op::select) return kind_[instruction.first_result];
  // Memory whose kind is not decided yet.
  if (!ir::info(instruction.op).has(ir::kControl)) return Kind::none;
  const uint32_t target = flows_to_[index];
  if (target == kNoIndex || position >= module_.code[target].result_count) return Kind::none;
  const Value result = module_.code[target].first_result + position;
  return module_.values[result].type == ir::Type::b32 ? kind_[result] : Kind::none;
}

Kind Emitter::varying_operand_kind(const Instruction& instruction, uint32_t position) const {
  const bool last = position + 1 == instruction.operand_count;
  switch (instruction.op) {
    case Op::patch_output: return last ? Kind::float_ : Kind::uint;
    case Op::output: return last ? output_kind(instruction) : Kind::uint;
    case Op::local_store: return position == 1 ? local_kind_[instruction.payload / 4] : Kind::uint;
    case Op::shared_store: return position == 1 ? shared_kind_[instruction.payload] : Kind::uint;
    default: return access_operand_kind(instruction, position);
  }
}

Kind Emitter::access_operand_kind(const Instruction& instruction, uint32_t position) const {
  const ir::ResourceAccess& contract = access(instruction);
  const Op op = instruction.op;
  const bool sampled = op == Op::tex_sample || op == Op::tex_gather || op == Op::tex_lod;
  uint32_t rest = contract.slots;
  for (uint32_t i = 0; i < position; ++i) rest &= rest - 1;
  const Slot which = static_cast<Slot>(std::countr_zero(rest));
  switch (which) {
    case Slot::guard: return Kind::none;
    case Slot::fallback0:
    case Slot::fallback1:
    case Slot::fallback2:
    case Slot::fallback3: return access_result_kind(instruction, 0);
    case Slot::coordinate0:
    case Slot::coordinate1:
    case Slot::coordinate2: return sampled ? Kind::float_ : Kind::uint;
    case Slot::layer: return sampled && !contract.layer_is_integer ? Kind::float_ : Kind::uint;
    case Slot::lod: return op == Op::tex_sample ? Kind::float_ : Kind::uint;
    case Slot::ddx0:
    case Slot::ddx1:
    case Slot::ddx2:
    case Slot::ddy0:
    case Slot::ddy1:
    case Slot::ddy2:
    case Slot::reference:
    case Slot::lod_clamp: return Kind::float_;
    case Slot::value0:
    case Slot::value1:
    case Slot::value2:
    case Slot::value3:
      if (op == Op::buf_store) return buffer_kind_[contract.resource];
      return op == Op::surf_store ? texel_kind(contract) : Kind::uint;
    default: return Kind::uint;
  }
}

Kind Emitter::access_result_kind(const Instruction& instruction, uint32_t result) const {
  const ir::ResourceAccess& contract = access(instruction);
  if (contract.feedback && result + 1 == instruction.result_count) return Kind::uint;
  switch (instruction.op) {
    case Op::tex_fetch:
    case Op::surf_load: return texel_kind(contract);
    case Op::tex_sample:
    case Op::tex_gather: return contract.compare ? Kind::float_ : texel_kind(contract);
    case Op::tex_lod:
    case Op::sample_position: return Kind::float_;
    case Op::buf_load: return buffer_kind_[contract.resource];
    default: return Kind::uint;
  }
}

Kind Emitter::varying_result_kind(const Instruction& instruction, uint32_t result) const {
  switch (instruction.op) {
    case Op::local_load: return local_kind_[instruction.payload / 4];
    case Op::shared_load: return shared_kind_[instruction.payload];
    case Op::input:
    case Op::patch_input: return input_kind(instruction);
    case Op::system_value:
      return static_cast<ir::SystemValue>(instruction.payload / 4) == ir::SystemValue::domain_point
                 ? Kind::float_
                 : Kind::uint;
    default: return access_result_kind(instruction, result);
  }
}

void Emitter::fix_kinds() {
  for (const Instruction& instruction : module_.code) {
    for (uint32_t r = 0; r < instruction.result_count; ++r) {
      const Value value = instruction.first_result + r;
      if (module_.values[value].type != ir::Type::b32) continue;
      const Kind kind = result_kind(instruction, r);
      if (kind != Kind::flexible) kind_[value] = kind;
    }
  }
}

namespace {

int32_t lean(Kind kind) {
  return kind == Kind::float_ ? 1 : kind == Kind::uint ? -1 : 0;
}

}  // namespace

/// What the memory that an instruction reads or writes is, its values tell. False: it has none of that kind.
bool Emitter::vote_for_memory(const Instruction& instruction) {
  const Value first = instruction.first_result;
  switch (instruction.op) {
    case Op::local_load: local_score_[instruction.payload / 4] += score_[first]; break;
    case Op::shared_load: shared_score_[instruction.payload] += score_[first]; break;
    case Op::local_store:
      local_score_[instruction.payload / 4] += lean(kind_[operand(instruction, 1)]);
      break;
    case Op::shared_store: shared_score_[instruction.payload] += lean(kind_[operand(instruction, 1)]); break;
    case Op::buf_load:
      for (uint32_t r = 0; r < 4; ++r) buffer_score_[access(instruction).resource] += score_[first + r];
      break;
    case Op::buf_store: {
      const uint32_t values = access(instruction).slots >> static_cast<uint32_t>(Slot::value0) & 0xf;
      for (uint32_t v = 0; v < static_cast<uint32_t>(std::popcount(values)); ++v) {
        buffer_score_[access(instruction).resource] += lean(kind_[slot(instruction, Slot::value0 + v)]);
      }
      break;
    }
    default: return false;
  }
  return true;
}

// Backwards, so that the users of a value have decided before it. A loop's values are used above their last
// source, and what nobody wants one way asks its sources: the second round settles these.
void Emitter::vote(bool count_sources) {
  for (uint32_t i = static_cast<uint32_t>(module_.code.size()); i-- != 0;) {
    const Instruction& instruction = module_.code[i];
    const Value first = instruction.first_result;
    const Kind result = kinds_of(instruction.op).result;
    if (instruction.op == Op::cb_load || instruction.op == Op::table_load) {
      const int32_t row = score_[first] + score_[first + 1] + score_[first + 2] + score_[first + 3];
      if (instruction.op == Op::table_load) table_score_[instruction.payload] += row;
      for (uint32_t r = 0; r < 4; ++r) kind_[first + r] = row >= 0 ? Kind::float_ : Kind::uint;
    } else if (result == Kind::flexible) {
      for (uint32_t r = 0; r < instruction.result_count; ++r) {
        if (module_.values[first + r].type == ir::Type::b32)
          choose_kind(instruction, first + r, count_sources);
      }
      undecided_ |= instruction.op == Op::loop;
    }
    memory_is_typed_ |= vote_for_memory(instruction);
    for_each_operand(i, [&](Value value, Kind kind) { score_[value] += lean(kind); });
  }
}

void Emitter::choose_kind(const Instruction& instruction, Value value, bool count_sources) {
  int32_t score = 2 * score_[value];
  if (score == 0 && count_sources && instruction.op == Op::select)
    score += lean(kind_[operand(instruction, 1)]) + lean(kind_[operand(instruction, 2)]);
  if (score != 0) kind_[value] = score > 0 ? Kind::float_ : Kind::uint;
  if (kind_[value] != Kind::none) return;
  if (count_sources) kind_[value] = Kind::uint;
  undecided_ = true;
}

// A sum with a negated operand is a difference: it needs what was negated, and the negation may go unused.
void Emitter::note_needs() {
  static_assert(kShared == kUsed << 2);
  const auto note = [this](Value value, uint32_t how) {
    const uint32_t before = need_[value];
    need_[value] = static_cast<uint8_t>(before | (before & kUsed) << 2 | kUsed | how);
  };
  for (uint32_t i = 0; i < module_.code.size(); ++i) {
    const Instruction& instruction = module_.code[i];
    if (instruction.op == Op::fneg) negated_[instruction.first_result] = operand(instruction, 0) + 1;
    if (instruction.op == Op::fadd) {
      for (const Value value : addends(instruction).values) note(value, kNeedsFloat);
      continue;
    }
    if ((instruction.op == Op::fmax || instruction.op == Op::dmax) &&
        module_.is_constant(operand(instruction, 1)))
      maximum_[instruction.first_result] = i + 1;
    if (const Instruction* const maximum = clamped_maximum(instruction)) {
      const bool wide = instruction.op == Op::dmin;
      for (const Value value : {operand(*maximum, 0), operand(*maximum, 1), operand(instruction, 1)})
        note(value, wide ? 0u : kNeedsFloat);
      continue;
    }
    for_each_operand(i, [&](Value value, Kind kind) {
      note(value, kind == Kind::float_ ? kNeedsFloat : kind == Kind::uint ? kNeedsUint : 0u);
    });
  }
}

/// What the module's arrays and resources are used for; where constant buffers are read.
void Emitter::survey() {
  has_atomics_ = zeroed<uint8_t>(arena_, module_.resources.size());
  is_read_ = zeroed<uint8_t>(arena_, module_.resources.size());
  is_written_ = zeroed<uint8_t>(arena_, module_.resources.size());
  shared_atomics_ = zeroed<uint8_t>(arena_, module_.shared.size());
  for (uint32_t i = 0; i < module_.code.size(); ++i) {
    const Instruction& instruction = module_.code[i];
    const Op op = instruction.op;
    if (op == Op::cb_load) constant_loads_.push_back(i);
    if (op == Op::shared_atomic) shared_atomics_[instruction.payload / 16] = 1;
    if (!ir::info(op).has(ir::kResource)) continue;
    const uint16_t resource = access(instruction).resource;
    if (op == Op::buf_atomic || op == Op::surf_atomic)
      has_atomics_[resource] = is_read_[resource] = is_written_[resource] = 1;
    if (op == Op::buf_load || op == Op::surf_load) is_read_[resource] = 1;
    if (op == Op::buf_store || op == Op::surf_store) is_written_[resource] = 1;
  }
}

/// As its users voted; what atomic operations work on holds integers.
void Emitter::decide_memory() {
  auto decide = [](std::span<Kind> kinds, std::span<const int32_t> scores, std::span<const uint8_t> atomics) {
    for (size_t i = 0; i < kinds.size(); ++i) {
      const bool integer = scores[i] < 0 || (!atomics.empty() && atomics[i] != 0);
      kinds[i] = integer ? Kind::uint : Kind::float_;
    }
  };
  decide(local_kind_, local_score_, {});
  decide(shared_kind_, shared_score_, shared_atomics_);
  decide(buffer_kind_, buffer_score_, has_atomics_);
  decide(table_kind_, table_score_, {});
}

void Emitter::infer_types() {
  const size_t values = module_.values.size();
  kind_ = zeroed<Kind>(arena_, values);
  need_ = zeroed<uint8_t>(arena_, values);
  negated_ = zeroed<Value>(arena_, values);
  maximum_ = zeroed<uint32_t>(arena_, values);
  score_ = zeroed<int32_t>(arena_, values);
  auto start_votes = [this](size_t count, std::span<Kind>& kinds, std::span<int32_t>& scores) {
    kinds = zeroed<Kind>(arena_, count);
    std::ranges::fill(kinds, Kind::flexible);
    scores = zeroed<int32_t>(arena_, count);
  };
  start_votes(module_.locals.size(), local_kind_, local_score_);
  start_votes(module_.shared.size(), shared_kind_, shared_score_);
  start_votes(module_.resources.size(), buffer_kind_, buffer_score_);
  start_votes(module_.tables.size(), table_kind_, table_score_);
  std::ranges::fill(table_kind_, Kind::float_);
  survey();
  fix_kinds();
  vote(false);
  decide_memory();
  if (memory_is_typed_) fix_kinds();
  if (undecided_ || memory_is_typed_ || !table_kind_.empty()) {
    std::ranges::fill(score_, 0);
    vote(true);
  }
  if (!table_kind_.empty()) {
    for (const Instruction& instruction : module_.code) {
      if (instruction.op != Op::table_load) continue;
      for (uint32_t r = 0; r < 4; ++r) kind_[instruction.first_result + r] = table_kind_[instruction.payload];
    }
  }
  plan_constant_buffers();
  note_needs();
  find_products();
  note_constant_components();
}

}  // namespace texlate::spirv
