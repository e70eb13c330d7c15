#include "backend/spirv/vectorize.h"

#include "backend/spirv/component_wise.h"
#include "backend/spirv/vectorizer.h"

namespace texlate::spirv {

Words& Vectorizer::run() {
  decode();
  form_packs();
  choose_dots();
  choose_gathers();
  if (prune()) leave_dissolved();
  rewrite();
  return out_;
}

// ---- reading ----

void Vectorizer::decode() {
  values_.extend_zeroed(builder_.bound());
  builder_.for_each_constant([this](Id id, Id type, bool is_constant) {
    values_[id].type = type;
    values_[id].state = is_constant ? State::constant : State::usual;
  });
  const Layouts& layout_of = layouts();
  const std::span<Value> values(values_.data(), values_.size());
  const uint32_t end = static_cast<uint32_t>(code_.size());
  for (uint32_t at = 0; at < end; at += word_count(at)) {
    const Layout layout = layout_of[op(at)];
    if (layout.form >= Form::value) {
      define(at, layout.form);
    } else if (layout.form == Form::label) {
      instructions_.push_back({at, Role::label});
    }
    for_each_operand(&code_[at], layout, [values](Id id) {
      if (id < values.size()) ++values[id].uses;
    });
  }
}

void Vectorizer::define(uint32_t at, Form form) {
  const uint32_t* const words = code_.data() + at;
  const Id type = words[1], id = words[2];
  Value& known = values_[id];
  known.type = type;
  known.at = at + 1;
  const uint32_t components = builder_.component_count(type);
  if (components == 0) return;
  if (components > 1) {
    if (form != Form::construct) {
      known.size = static_cast<uint8_t>(components);
      instructions_.push_back({at, Role::vector});
    } else if (is_gather(at)) {
      instructions_.push_back({at, Role::construct, false, static_cast<uint32_t>(constructs_.size())});
      constructs_.push_back({at, word_count(at) - 3, {}});
    }
    return;
  }
  switch (form) {
    case Form::extract:
      if (word_count(at) != 5 || values_[words[3]].size == 0) return;
      make_component(id, words[3], words[4]);
      instructions_.push_back({at, Role::component});
      return;
    case Form::bit_cast:
      if (builder_.component_count(type_of(words[3])) != 1) return;
      break;
    case Form::extended:
      if (!is_component_wise(static_cast<GLSLstd450>(words[4]))) return;
      break;
    case Form::component_wise: break;
    default: return;
  }
  instructions_.push_back({at, Role::operation, builder_.is_precise(id)});
}

void Vectorizer::make_component(Id scalar, Id vector, uint32_t lane) {
  Value& whole = values_[vector];
  Value& known = values_[scalar];
  known.vector = vector;
  known.lane = static_cast<uint8_t>(lane);
  known.at = whole.at;
  known.next_component = whole.next_component;
  whole.next_component = scalar;
}

bool Vectorizer::is_gather(uint32_t at) const {
  const uint32_t words = word_count(at);
  if (words > 3 + kMostLanes) return false;
  for (uint32_t w = 3; w < words; ++w) {
    if (builder_.component_count(type_of(code_[at + w])) != 1) return false;
  }
  return true;
}

// ---- writing ----

void Vectorizer::rewrite() {
  for (const Instruction& instruction : instructions_) {
    const uint32_t at = instruction.at;
    switch (instruction.role) {
      case Role::label: gathered_.clear(); break;
      case Role::vector: write_vector(at); break;
      case Role::component: leave_out(at); break;
      case Role::construct:
        leave_out(at);
        write_construct(constructs_[instruction.index]);
        break;
      case Role::operation: {
        const Pack& pack = packs_[instruction.index];
        if (pack.size == 1) break;
        leave_out(at);
        if (pack.members[0] == at) write_pack(pack);
        break;
      }
      case Role::dot: {
        const Dot& dot = dots_[instruction.index];
        if (!dot.chosen) break;
        leave_out(at);
        if (dot.members[dot.size - 1] == at) write_dot(dot);
        break;
      }
    }
  }
  copy_until(static_cast<uint32_t>(code_.size()));
}

void Vectorizer::copy_until(uint32_t end) {
  if (end <= next_) return;
  if (replaced_uses_ != 0) replace_operands(next_, end);
  out_.append(std::span<const uint32_t>(code_.data() + next_, end - next_));
  next_ = end;
}

void Vectorizer::replace_operands(uint32_t begin, uint32_t end) {
  for (uint32_t at = begin; at < end; at += word_count(at)) {
    for_each_operand(&code_[at], layouts()[op(at)], [this](Id& id) {
      if (id >= values_.size() || values_[id].state != State::replaced) return;
      id = values_[id].vector;
      --replaced_uses_;
    });
  }
}

// Phis stand together at the start of a block: components come behind the last one.
void Vectorizer::write_vector(uint32_t at) {
  const Id vector = result(at);
  if (values_[vector].next_component == 0) return;
  uint32_t end = at + word_count(at);
  if (op(at) == spv::OpPhi) {
    while (op(end) == spv::OpPhi || op(end) == spv::OpLine) end += word_count(end);
  }
  copy_until(end);
  write_components(vector);
}

void Vectorizer::write_components(Id vector) {
  for (Id id = values_[vector].next_component; id != 0; id = values_[id].next_component) {
    const Value& scalar = values_[id];
    if (scalar.uses != 0) append(out_, spv::OpCompositeExtract, {scalar.type, id, vector, scalar.lane});
  }
}

void Vectorizer::write_pack(const Pack& pack) {
  const uint32_t first = pack.members[0];
  if (is_dissolved(pack.vector)) {
    for (uint32_t l = 0; l < pack.size; ++l)
      out_.append(code_.data() + pack.members[l], word_count(pack.members[l]));
    return;
  }
  std::array<uint32_t, 8> words{builder_.vector_type(code_[first + 1], pack.size), pack.vector};
  uint32_t count = 2;
  for (uint32_t w = 3; w < pack.first_operand; ++w) words[count++] = code_[first + w];
  spv::Op what = op(first);
  if (is_scaling(what) && write_scaling(pack, words)) {
    what = spv::OpVectorTimesScalar;
    count = 4;
  } else {
    for (uint32_t o = 0; o < pack.operands; ++o) {
      const Gather& how = gathers_[pack.gathers][o];
      words[count++] = how.kind == GatherKind::vector ? how.first : gather(how, lanes_of(pack, o), pack.size);
    }
  }
  append(out_, what, std::span<const uint32_t>(words.data(), count));
  // What decorated the scalars decorates the vector, and no extraction.
  if (pack.precise) {
    for (uint32_t l = 0; l < pack.size; ++l) builder_.forget(result(pack.members[l]));
    builder_.decorate(pack.vector, spv::DecorationNoContraction);
  }
  write_components(pack.vector);
}

bool Vectorizer::write_scaling(const Pack& pack, std::array<uint32_t, 8>& words) {
  for (uint32_t side = 0; side < 2; ++side) {
    const Id scalar = operand_of(pack, 0, side);
    if (gathers_[pack.gathers][side].has(Gather::kDiffer) || values_[scalar].vector != 0) continue;
    words[2] = gather(gathers_[pack.gathers][1 - side], lanes_of(pack, 1 - side), pack.size);
    words[3] = scalar;
    return true;
  }
  return false;
}

void Vectorizer::write_dot(const Dot& dot) {
  for (uint32_t l = 0; l + 1 < dot.size; ++l) builder_.forget(result(dot.members[l]));
  const uint32_t last = dot.members[dot.size - 1];
  const Id a = gather(dot.gathers[0], lanes_of(dot, 0), dot.size);
  const Id b = gather(dot.gathers[1], lanes_of(dot, 1), dot.size);
  append(out_, spv::OpDot, {code_[last + 1], code_[last + 2], a, b});
}

void Vectorizer::write_construct(const Construct& construct) {
  const Gather& how = construct.gather;
  const Lanes lanes = lanes_of(construct);
  const Id id = result(construct.at);
  if (how.kind == GatherKind::vector || how.kind == GatherKind::constant)
    return replace(id, gather(how, lanes, construct.size));
  if (const Id known = gathered(lanes)) return replace(id, known);
  write_gathering(how, code_[construct.at + 1], id, lanes, construct.size);
  gathered_.push_back({lanes, id});
}

void Vectorizer::replace(Id id, Id vector) {
  Value& known = values_[id];
  known.state = State::replaced;
  known.vector = vector;
  replaced_uses_ += known.uses;
  builder_.forget(id);
}

Id Vectorizer::gather(const Gather& how, const Lanes& lanes, uint32_t count) {
  if (how.kind == GatherKind::vector) return how.first;
  const Id type = builder_.vector_type(type_of(lanes[0]), count);
  if (how.kind == GatherKind::constant) return builder_.composite(type, {lanes.data(), count});
  if (const Id known = gathered(lanes)) return known;
  const Id id = builder_.new_id();
  write_gathering(how, type, id, lanes, count);
  gathered_.push_back({lanes, id});
  return id;
}

Id Vectorizer::gathered(const Lanes& lanes) const {
  const Gathered* const oldest = gathered_.end() - std::min(gathered_.size(), kGatheredInReach);
  for (const Gathered* known = gathered_.end(); known != oldest;) {
    --known;
    if (known->lanes[0] == lanes[0] && known->lanes == lanes) return known->vector;
  }
  return 0;
}

void Vectorizer::write_gathering(const Gather& how, Id type, Id id, const Lanes& lanes, uint32_t count) {
  std::array<uint32_t, 8> words{type, id};
  if (how.kind != GatherKind::shuffle) {
    std::copy_n(lanes.begin(), count, words.begin() + 2);
    return append(out_, spv::OpCompositeConstruct, {words.data(), count + 2});
  }
  words[2] = how.first;
  words[3] = how.second != 0 ? how.second : constants_among(lanes, count, how.first);
  const uint32_t size = values_[how.first].size;
  for (uint32_t l = 0; l < count; ++l) {
    const bool constant = is_constant(lanes[l]);
    const bool from_first = !constant && values_[lanes[l]].vector == how.first;
    words[4 + l] = from_first ? values_[lanes[l]].lane : size + (constant ? l : values_[lanes[l]].lane);
  }
  append(out_, spv::OpVectorShuffle, {words.data(), count + 4});
}

Id Vectorizer::constants_among(const Lanes& lanes, uint32_t count, Id otherwise) {
  Lanes constants{};
  Id any = 0;
  for (uint32_t l = 0; l < count; ++l) {
    if (is_constant(lanes[l])) any = lanes[l];
  }
  if (any == 0) return otherwise;
  for (uint32_t l = 0; l < count; ++l) constants[l] = is_constant(lanes[l]) ? lanes[l] : any;
  return builder_.composite(builder_.vector_type(type_of(any), count), {constants.data(), count});
}

void vectorize(ModuleBuilder& builder, Words& code, std::pmr::memory_resource* memory) {
  Vectorizer vectorizer(builder, {code.data(), code.size()}, memory);
  code.swap(vectorizer.run());
}

}  // namespace texlate::spirv
