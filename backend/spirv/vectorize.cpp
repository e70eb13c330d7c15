#define SPV_ENABLE_UTILITY_CODE
#include "backend/spirv/vectorize.h"

#include "backend/spirv/vectorizer.h"

namespace texlate::spirv {

namespace {

bool has_value(spv::Op op) {
  bool has_result = false, has_type = false;
  spv::HasResultAndType(op, &has_result, &has_type);
  return has_result && has_type;
}

}  // namespace

void Vectorizer::run() {
  decode();
  find_chains();
  form_packs();
  choose_dots();
  count_uses();
  if (prune()) count_uses();
  rewrite();
  code_.swap(out_);
}

uint32_t Vectorizer::vector_size(Id vector) const {
  const Value& known = values_[vector];
  return known.size != 0 ? known.size : builder_.component_count(known.type);
}

void Vectorizer::find_operands(Instruction& instruction) {
  uint32_t first = instruction.has_value ? 3 : 1, last = instruction.words, skip = 0;
  switch (static_cast<spv::Op>(instruction.op)) {
    case spv::OpExtInst: first += 2; break;
    case spv::OpCompositeExtract: last = first + 1; break;
    case spv::OpVectorShuffle:
    case spv::OpCompositeInsert: last = first + 2; break;
    case spv::OpSelectionMerge:
    case spv::OpLoopMerge:
    case spv::OpLabel:
    case spv::OpBranch:
    case spv::OpLine: last = first; break;
    case spv::OpSwitch:
    case spv::OpBranchConditional: last = first + 1; break;
    case spv::OpImageSampleDrefImplicitLod:
    case spv::OpImageSampleDrefExplicitLod:
    case spv::OpImageGather:
    case spv::OpImageDrefGather:
    case spv::OpImageWrite:
    case spv::OpImageSparseSampleDrefImplicitLod:
    case spv::OpImageSparseSampleDrefExplicitLod:
    case spv::OpImageSparseGather:
    case spv::OpImageSparseDrefGather: skip = first + 3; break;
    case spv::OpImageSampleImplicitLod:
    case spv::OpImageSampleExplicitLod:
    case spv::OpImageFetch:
    case spv::OpImageRead:
    case spv::OpImageSparseSampleImplicitLod:
    case spv::OpImageSparseSampleExplicitLod:
    case spv::OpImageSparseFetch:
    case spv::OpImageSparseRead: skip = first + 2; break;
    default: break;
  }
  instruction.first = static_cast<uint16_t>(first);
  instruction.last = static_cast<uint16_t>(last);
  instruction.skip = static_cast<uint8_t>(skip);
}

void Vectorizer::decode() {
  // An instruction of a pack has four words at least, and a pack of two or more has one id more.
  const size_t ids = builder_.bound() + code_.size() / 8 + 1;
  values_ = zeroed<Value>(scratch_, ids);
  scalar_uses_ = zeroed<uint32_t>(scratch_, ids);
  vector_uses_ = zeroed<uint32_t>(scratch_, ids);
  uint32_t block = 0;
  for (uint32_t at = 0; at < code_.size(); at += code_[at] >> 16) {
    Instruction& instruction = instructions_.emplace_back();
    const spv::Op what = static_cast<spv::Op>(code_[at] & 0xffff);
    if (what == spv::OpLabel) ++block;
    instruction.offset = at;
    instruction.block = block;
    instruction.op = static_cast<uint16_t>(what);
    instruction.words = static_cast<uint16_t>(code_[at] >> 16);
    instruction.has_value = has_value(what);
    find_operands(instruction);
    if (instruction.has_value) define(instruction, static_cast<uint32_t>(instructions_.size()) - 1);
    for_each_operand(instruction, [&](uint32_t w) { use_scalar(code_[at + w], 1); });
  }
}

void Vectorizer::define(Instruction& instruction, uint32_t index) {
  const uint32_t* const words = code_.data() + instruction.offset;
  instruction.precise = builder_.is_precise(words[2]);
  Value& known = value(words[2]);
  known.type = words[1];
  known.at = index;
  known.defined = true;
  instruction.first_operand = packable(instruction);
  if (instruction.op == spv::OpCompositeExtract && instruction.words == 5)
    component_of(words[2], words[3], words[4]);
}

void Vectorizer::component_of(Id scalar, Id vector, uint32_t lane) {
  if (!in_function(vector) || builder_.component_count(values_[vector].type) < 2) return;
  if (op(values_[vector].at) == spv::OpCompositeConstruct) return;
  Value& known = value(scalar);
  known.vector = vector;
  known.lane = static_cast<uint8_t>(lane);
  known.at = values_[vector].at;
  known.next_component = values_[vector].first_component;
  values_[vector].first_component = scalar;
}

// ---- writing ----

void Vectorizer::rewrite() {
  const uint32_t instructions = static_cast<uint32_t>(instructions_.size());
  for (uint32_t i = 0; i < instructions; ++i) {
    const Instruction& instruction = instructions_[i];
    const spv::Op what = op(i);
    if (!late_.empty() && what != spv::OpPhi && what != spv::OpLine) write_late_components();
    if (what == spv::OpLabel) gathered_.clear();
    if (const uint32_t index = instruction.pack; index != kNone) {
      if (packs_[index].members[0] == i) write_pack(packs_[index]);
      continue;
    }
    if (const uint32_t dot = instruction.dot; dot != kNone) {
      if (dots_[dot].members[dots_[dot].size - 1] == i) write_dot(i, dots_[dot]);
      continue;
    }
    if (is_component(i)) continue;
    if (is_gather(i) && write_gather(i)) continue;
    copy(i);
    if (what == spv::OpPhi) {
      late_.push_back(word(i, 2));
    } else if (instruction.has_value) {
      write_components(word(i, 2));
    }
  }
}

void Vectorizer::copy(uint32_t i) {
  const size_t start = out_.size();
  const uint32_t* const words = code_.data() + instructions_[i].offset;
  out_.append(words, word_count(i));
  if (!has_aliases_) return;
  for_each_operand(instructions_[i], [&](uint32_t w) {
    Id& id = out_[start + w];
    if (in_function(id) && values_[id].alias != 0) id = values_[id].alias;
  });
}

// Phis stand together at the start of a block.
void Vectorizer::write_late_components() {
  for (const Id id : late_) write_components(id);
  late_.clear();
}

void Vectorizer::write_components(Id vector) {
  for (Id id = values_[vector].first_component; id != 0; id = values_[id].next_component) {
    const Value& scalar = values_[id];
    if (scalar.vector != vector || scalar_uses_[id] == 0) continue;
    append(out_, spv::OpCompositeExtract, {scalar.type, id, vector, scalar.lane});
  }
}

void Vectorizer::write_pack(const Pack& pack) {
  if (is_dissolved(pack)) {
    for (uint32_t l = 0; l < pack.size; ++l) copy(pack.members[l]);
    return;
  }
  const uint32_t i = pack.members[0];
  const uint32_t first = first_operand(i);
  std::array<uint32_t, 8> words{builder_.vector_type(word(i, 1), pack.size), pack.vector};
  uint32_t count = 2;
  spv::Op what = op(i);
  if (what == spv::OpExtInst) {
    words[count++] = word(i, 3);
    words[count++] = word(i, 4);
  }
  if (is_scaling(what) && write_scaling(pack, words)) {
    what = spv::OpVectorTimesScalar;
    count = 4;
  } else {
    for (uint32_t w = first; w < word_count(i); ++w) {
      const Gather& how = pack.gathers[w - first];
      words[count++] = how.kind == GatherKind::vector ? how.first : gather(how, lanes_of(pack, w), pack.size);
    }
  }
  append(out_, what, std::span<const uint32_t>(words.data(), count));
  // What decorated the scalars decorates the vector, and no extraction.
  if (precise(i)) {
    for (uint32_t l = 0; l < pack.size; ++l) builder_.forget(word(pack.members[l], 2));
    builder_.decorate(pack.vector, spv::DecorationNoContraction);
  }
  value(pack.vector).type = words[0];
  write_components(pack.vector);
}

bool Vectorizer::write_scaling(const Pack& pack, std::array<uint32_t, 8>& words) {
  for (uint32_t side = 0; side < 2; ++side) {
    const Lanes lanes = lanes_of(pack, 3 + side);
    bool same = true;
    for (uint32_t l = 1; l < pack.size; ++l) same &= lanes[l] == lanes[0];
    if (!same || (in_function(lanes[0]) && values_[lanes[0]].vector != 0)) continue;
    words[2] = gather(pack.gathers[1 - side], lanes_of(pack, 4 - side), pack.size);
    words[3] = lanes[0];
    return true;
  }
  return false;
}

Id Vectorizer::gather(const Gather& how, const Lanes& lanes, uint32_t count) {
  if (how.kind == GatherKind::vector) return how.first;
  const Id type = builder_.vector_type(type_of(lanes[0]), count);
  if (how.kind == GatherKind::constant) return builder_.composite(type, {lanes.data(), count});
  if (const Id known = gathered(lanes, count)) return known;
  const Id id = builder_.new_id();
  write_gathering(how, type, id, lanes, count);
  gathered_.push_back({lanes, count, id});
  return id;
}

Id Vectorizer::gathered(const Lanes& lanes, uint32_t count) const {
  const size_t oldest = gathered_.size() - std::min<size_t>(gathered_.size(), kGatheredInReach);
  for (size_t g = gathered_.size(); g-- != oldest;) {
    if (gathered_[g].count == count && gathered_[g].lanes == lanes) return gathered_[g].vector;
  }
  return 0;
}

bool Vectorizer::write_gather(uint32_t i) {
  const uint32_t count = word_count(i) - 3;
  const Lanes lanes = lanes_of(i);
  const Gather how = classify(lanes, count);
  const Id result = word(i, 2);
  if (how.kind == GatherKind::vector || how.kind == GatherKind::constant) {
    // No instruction: whoever uses the result uses that vector.
    value(result).alias = gather(how, lanes, count);
    has_aliases_ = true;
    builder_.forget(result);
    return true;
  }
  if (const Id known = gathered(lanes, count)) {
    value(result).alias = known;
    has_aliases_ = true;
    builder_.forget(result);
    return true;
  }
  write_gathering(how, word(i, 1), result, lanes, count);
  gathered_.push_back({lanes, count, result});
  return true;
}

void Vectorizer::write_gathering(const Gather& how, Id type, Id id, const Lanes& lanes, uint32_t count) {
  std::array<uint32_t, 8> words{type, id};
  if (how.kind != GatherKind::shuffle) {
    std::copy_n(lanes.begin(), count, words.begin() + 2);
    return append(out_, spv::OpCompositeConstruct, {words.data(), count + 2});
  }
  words[2] = how.first;
  words[3] = how.second != 0 ? how.second : constants_among(lanes, count, how.first);
  const uint32_t size = vector_size(how.first);
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
  Vectorizer(builder, code, memory).run();
}

}  // namespace texlate::spirv
