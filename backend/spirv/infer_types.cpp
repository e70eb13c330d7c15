#include "backend/spirv/infer_types.h"

#include <algorithm>
#include <bit>

#include "backend/spirv/survey.h"
#include "ir/base/zeroed.h"

namespace texlate::spirv {

Kind texel_kind(const ir::Module& module, const ir::ResourceAccess& access) {
  const ir::ComponentType type = module.resources[access.resource].component_types[0];
  return type == ir::ComponentType::uint || type == ir::ComponentType::sint ? Kind::uint : Kind::float_;
}

Kind OperandKinds::varying_operand(const Instruction& instruction, uint32_t position) const {
  const bool last = position + 1 == instruction.operand_count;
  switch (instruction.op) {
    case Op::patch_output: return last ? Kind::float_ : Kind::uint;
    case Op::output: return last ? output_kind(interface_, instruction) : Kind::uint;
    case Op::local_store: return position == 1 ? types_.locals[instruction.payload / 4] : Kind::uint;
    case Op::shared_store: return position == 1 ? types_.shared[instruction.payload] : Kind::uint;
    default: return access_operand(instruction, position);
  }
}

Kind OperandKinds::access_operand(const Instruction& instruction, uint32_t position) const {
  const ir::ResourceAccess& contract = module_.access_of(instruction);
  const Op op = instruction.op;
  const bool sampled = op == Op::tex_sample || op == Op::tex_gather || op == Op::tex_lod;
  uint32_t rest = contract.slots;
  for (uint32_t i = 0; i < position; ++i) rest &= rest - 1;
  const Slot which = static_cast<Slot>(std::countr_zero(rest));
  const auto is_from = [which](Slot first, Slot last) { return first <= which && which <= last; };
  if (which == Slot::guard) return Kind::none;
  if (is_from(Slot::fallback0, Slot::fallback3)) return access_result(instruction, 0);
  if (is_from(Slot::value0, Slot::value3) && op == Op::buf_store) return types_.buffers[contract.resource];
  if (is_from(Slot::value0, Slot::value3) && op == Op::surf_store) return texel_kind(module_, contract);
  const bool is_float = is_from(Slot::ddx0, Slot::ddy2) || which == Slot::reference ||
                        which == Slot::lod_clamp || (which == Slot::lod && op == Op::tex_sample) ||
                        (sampled && (is_from(Slot::coordinate0, Slot::coordinate2) ||
                                     (which == Slot::layer && !contract.layer_is_integer)));
  return is_float ? Kind::float_ : Kind::uint;
}

Kind OperandKinds::access_result(const Instruction& instruction, uint32_t result) const {
  const ir::ResourceAccess& contract = module_.access_of(instruction);
  if (contract.feedback && result + 1 == instruction.result_count) return Kind::uint;
  switch (instruction.op) {
    case Op::tex_fetch:
    case Op::surf_load: return texel_kind(module_, contract);
    case Op::tex_sample:
    case Op::tex_gather: return contract.compare ? Kind::float_ : texel_kind(module_, contract);
    case Op::tex_lod:
    case Op::sample_position: return Kind::float_;
    case Op::buf_load: return types_.buffers[contract.resource];
    case Op::tex_size:
    case Op::tex_samples:
    case Op::mapped:
    case Op::surf_store:
    case Op::surf_atomic:
    case Op::buf_store:
    case Op::buf_atomic:
    case Op::buf_size:
    case Op::counter:
#define IR_COVERED_texture
#define IR_COVERED_surface
#define IR_COVERED_buffer
#include "ir/op_cases.inc"
      break;
  }
  return Kind::uint;
}

Kind OperandKinds::varying_result(const Instruction& instruction, uint32_t result) const {
  switch (instruction.op) {
    case Op::local_load: return types_.locals[instruction.payload / 4];
    case Op::shared_load: return types_.shared[instruction.payload];
    case Op::input:
    case Op::patch_input: return input_kind(interface_, instruction);
    case Op::system_value:
      return static_cast<ir::SystemValue>(instruction.payload / 4) == ir::SystemValue::domain_point
                 ? Kind::float_
                 : Kind::uint;
    default: return access_result(instruction, result);
  }
}

namespace {

constexpr int32_t lean(Kind kind) {
  return kind == Kind::float_ ? 1 : kind == Kind::uint ? -1 : 0;
}

constexpr bool is_row_load(Op op) {
  return op == Op::cb_load || op == Op::table_load;
}

constexpr bool is_memory(Op op) {
  switch (op) {
    case Op::local_load:
    case Op::shared_load:
    case Op::local_store:
    case Op::shared_store:
    case Op::buf_load:
    case Op::buf_store: return true;
    default: return false;
  }
}

}  // namespace

TypeInference::TypeInference(const ir::Module& module, const ControlWalk* control,
                             const InterfaceElements& interface, ValueNeeds& needs,
                             std::pmr::monotonic_buffer_resource& arena)
    : module_(module),
      control_(control),
      needs_(needs),
      operands_(module, interface, types_),
      tallies_(zeroed<uint64_t>(arena, module.values.size())),
      score_(zeroed<int32_t>(arena, module.values.size())),
      open_(&arena),
      of_memory_(&arena) {
  types_.kind = zeroed<Kind>(arena, module.values.size());
  open_.reserve(module.code.size() / 4 + 16);
  const auto start = [&arena](size_t count, std::span<Kind>& kinds, std::span<int32_t>& scores, Kind kind) {
    kinds = zeroed<Kind>(arena, count);
    std::ranges::fill(kinds, kind);
    scores = zeroed<int32_t>(arena, count);
  };
  start(module.locals.size(), types_.locals, locals_, Kind::flexible);
  start(module.shared.size(), types_.shared, shared_, Kind::flexible);
  start(module.resources.size(), types_.buffers, buffers_, Kind::flexible);
  start(module.tables.size(), types_.tables, tables_, Kind::float_);
}

void TypeInference::visit(uint32_t index) {
  const Instruction& instruction = module_.code[index];
  const Kind result = kinds_of(instruction.op).result;
  if (result == Kind::varies) set_varying(instruction);
  if (is_memory(instruction.op)) of_memory_.push_back(index);
  if (is_memory(instruction.op) || result == Kind::flexible || is_row_load(instruction.op) ||
      ir::info(instruction.op).has(ir::kControl)) {
    open_.push_back(index);
    return vote_of(index, false);
  }
  operands_.for_each(instruction,
                     [&](Value value, Kind kind) { tallies_[value] += tally(lean(kind)) - tally(0); });
}

const ValueTypes& TypeInference::finish(const ModuleUses& uses) {
  for (const uint32_t i : of_memory_) vote_for_memory(module_.code[i]);
  decide_memory(uses);
  for (const uint32_t i : of_memory_) {
    if (kinds_of(module_.code[i].op).result == Kind::varies) set_varying(module_.code[i]);
  }
  if (!undecided_ && of_memory_.empty() && types_.tables.empty()) return types_;
  std::ranges::fill(score_, 0);
  for (const uint32_t i : open_) vote_of(i, true);
  // The rows of a table have one kind.
  for (const uint32_t i : open_) {
    const Instruction& load = module_.code[i];
    if (load.op == Op::table_load)
      std::fill_n(types_.kind.begin() + load.first_result, 4, types_.tables[load.payload]);
  }
  return types_;
}

void TypeInference::set_varying(const Instruction& instruction) {
  for (uint32_t r = 0; r < instruction.result_count; ++r) {
    const Value value = instruction.first_result + r;
    if (module_.values[value].type != ir::Type::b32) continue;
    const Kind kind = operands_.varying_result(instruction, r);
    if (kind != Kind::flexible) types_.kind[value] = kind;
  }
}

/// The values stored to and loaded from memory determine the kind of its elements.
void TypeInference::vote_for_memory(const Instruction& instruction) {
  const Op op = instruction.op;
  int32_t& votes = op == Op::local_load || op == Op::local_store ? locals_[instruction.payload / 4]
                   : op == Op::shared_load || op == Op::shared_store
                       ? shared_[instruction.payload]
                       : buffers_[module_.access_of(instruction).resource];
  // What only passes bits on has no say.
  const auto add_stored = [&](Value value) {
    if ((needs_.flags[value] & ValueNeeds::kFlexible) == 0) votes += lean(types_.kind[value]);
  };
  if (op == Op::local_store || op == Op::shared_store) return add_stored(module_.operands_of(instruction)[1]);
  for (uint32_t i = 0; i < 4; ++i) {
    if (op != Op::buf_store) {
      if (i < instruction.result_count) votes += score(instruction.first_result + i);
    } else if (const Value value = module_.operand(instruction, Slot::value0 + i); value != ir::kNoValue) {
      add_stored(value);
    }
  }
}

void TypeInference::vote_of(uint32_t i, bool count_sources) {
  const Instruction& instruction = module_.code[i];
  if (instruction.op == Op::select) return vote_of_selection(instruction, count_sources);
  if (ir::info(instruction.op).has(ir::kControl)) return vote_of_marker(i, count_sources);
  const Value first = instruction.first_result;
  const Kind result = kinds_of(instruction.op).result;
  if (is_row_load(instruction.op)) {
    const int32_t row = score(first) + score(first + 1) + score(first + 2) + score(first + 3);
    if (instruction.op == Op::table_load && !count_sources) tables_[instruction.payload] += row;
    for (uint32_t r = 0; r < 4; ++r) {
      types_.kind[first + r] = row >= 0 ? Kind::float_ : Kind::uint;
      needs_.flags[first + r] |= ValueNeeds::kFlexible;
    }
  } else if (result == Kind::flexible) {
    for (uint32_t r = 0; r < instruction.result_count; ++r) {
      if (module_.values[first + r].type == ir::Type::b32) choose_kind(instruction, first + r, count_sources);
    }
  }
  operands_.for_each(instruction, [&](Value value, Kind kind) { score_[value] += lean(kind); });
}

/// The same for the most common of them.
void TypeInference::vote_of_selection(const Instruction& selection, bool count_sources) {
  choose_kind(selection, selection.first_result, count_sources);
  const int32_t vote = lean(types_.kind[selection.first_result]);
  const Value* const operands = module_.operands.data() + selection.first_operand;
  score_[operands[1]] += vote;
  score_[operands[2]] += vote;
}

/// The same for markers and jumps: values that are passed are what the results are that they become.
void TypeInference::vote_of_marker(uint32_t i, bool count_sources) {
  const Instruction& marker = module_.code[i];
  const auto is_word = [this](Value value) { return module_.values[value].type == ir::Type::b32; };
  for (uint32_t r = 0; r < marker.result_count; ++r) {
    if (is_word(marker.first_result + r)) choose_kind(marker, marker.first_result + r, count_sources);
  }
  undecided_ |= marker.op == Op::loop;
  const Value* const operands = module_.operands.data() + marker.first_operand;
  const uint32_t target = control_ != nullptr ? control_->receiver(i) : kNoIndex;
  if (target == kNoIndex) {
    if (marker.op == Op::switch_) score_[operands[0]] += lean(Kind::uint);
    return;
  }
  const Value first = module_.code[target].first_result;
  for (uint32_t o = 0; o < marker.operand_count; ++o) {
    if (needs_.is_used(first + o) && is_word(first + o)) score_[operands[o]] += lean(types_.kind[first + o]);
  }
}

void TypeInference::choose_kind(const Instruction& instruction, Value value, bool count_sources) {
  if (!needs_.is_used(value)) return;
  needs_.flags[value] |= ValueNeeds::kFlexible;
  int32_t votes = 2 * score(value);
  if (votes == 0 && count_sources && instruction.op == Op::select)
    votes += lean(types_.kind[module_.operands_of(instruction)[1]]) +
             lean(types_.kind[module_.operands_of(instruction)[2]]);
  if (votes != 0) types_.kind[value] = votes > 0 ? Kind::float_ : Kind::uint;
  if (types_.kind[value] != Kind::none) return;
  if (count_sources) types_.kind[value] = Kind::uint;
  undecided_ = true;
}

/// Decides by the votes of the users; memory with atomic operations holds integers.
void TypeInference::decide_memory(const ModuleUses& uses) {
  const auto decide = [](std::span<Kind> kinds, std::span<const int32_t> scores,
                         std::span<const uint8_t> atomics) {
    for (size_t i = 0; i < kinds.size(); ++i) {
      const bool integer = scores[i] < 0 || (!atomics.empty() && atomics[i] != 0);
      kinds[i] = integer ? Kind::uint : Kind::float_;
    }
  };
  decide(types_.locals, locals_, {});
  decide(types_.shared, shared_, uses.shared_atomics);
  decide(types_.buffers, buffers_, uses.has_atomics);
  decide(types_.tables, tables_, {});
}

}  // namespace texlate::spirv
