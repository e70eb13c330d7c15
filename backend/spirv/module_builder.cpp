#include "backend/spirv/module_builder.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace texlate::spirv {

namespace {

constexpr uint32_t kGenerator = 0;  // not registered with Khronos

/// Words of a literal string: UTF-8, little endian, with at least one zero byte.
uint32_t string_words(std::string_view text) {
  return static_cast<uint32_t>(text.size() / 4 + 1);
}

}  // namespace

void append_string(Words& words, spv::Op op, std::initializer_list<Operand> operands, std::string_view text,
                   std::span<const Id> tail) {
  const uint32_t count = string_words(text);
  uint32_t* const start = words.start(op, 1 + operands.size() + count + tail.size());
  uint32_t* const string = put(start + 1, operands);
  string[count - 1] = 0;
  if (!text.empty()) std::memcpy(string, text.data(), text.size());
  put(string + count, tail);
}

ModuleBuilder::ModuleBuilder(uint32_t version, std::pmr::memory_resource* memory)
    : memory_(memory),
      names_(memory),
      decorations_(memory),
      globals_(memory),
      modes_(memory),
      strings_(memory),
      capabilities_(memory),
      extensions_(memory),
      imports_(memory),
      interface_(memory),
      slots_(memory),
      version_(version),
      glsl_(new_id()),
      entry_label_(new_id()) {
  slots_.extend_zeroed(256);
  // What most modules need; growing would copy.
  names_.reserve(256);
  decorations_.reserve(128);
  globals_.reserve(512);
}

void ModuleBuilder::require(spv::Capability capability) {
  const uint32_t number = static_cast<uint32_t>(capability);
  const auto is_it = [&](const Required& one) { return one.capability == number; };
  if (std::ranges::none_of(capabilities_, is_it))
    capabilities_.push_back({number, position_ != nullptr ? *position_ : 0});
}

void ModuleBuilder::require_extension(std::string_view name) {
  if (std::find(extensions_.begin(), extensions_.end(), name) == extensions_.end())
    extensions_.push_back(name);
}

Id ModuleBuilder::non_semantic_set(std::string_view name) {
  const auto known = std::ranges::find(imports_, name, &Import::name);
  if (known != imports_.end()) return known->id;
  require_extension("SPV_KHR_non_semantic_info");
  imports_.push_back({name, new_id()});
  return imports_.back().id;
}

Id ModuleBuilder::extended(Id set, uint32_t instruction, std::initializer_list<Id> operands) {
  const Id nothing = void_type();
  const Id id = new_id();
  uint32_t* const words = globals_.start(spv::OpExtInst, operands.size() + 5);
  const Operand head[] = {nothing, id, set, literal(instruction)};
  put(put(words + 1, head), operands);
  return id;
}

Id ModuleBuilder::double_type() {
  if (double_ == Id::none) {
    require(spv::CapabilityFloat64);
    double_ = type(spv::OpTypeFloat, {literal(64)});
  }
  return double_;
}

Id ModuleBuilder::own_type(spv::Op op, std::span<const Id> operands) {
  const Id id = new_id();
  uint32_t* const words = globals_.start(op, operands.size() + 2);
  words[1] = word_of(id);
  put(words + 2, operands);
  return id;
}

Id ModuleBuilder::constant_float(float value) {
  return constant(float_type(), std::bit_cast<uint32_t>(value));
}

Id ModuleBuilder::constant_double(uint64_t bits) {
  const Operand words[2] = {literal(static_cast<uint32_t>(bits)), literal(static_cast<uint32_t>(bits >> 32))};
  return intern(spv::OpConstant, double_type(), std::span<const Operand>(words));
}

Id ModuleBuilder::specialization(spv::Op op, Id type, std::initializer_list<uint32_t> value, uint32_t id) {
  const Id result = new_id();
  uint32_t* const words = globals_.start(op, value.size() + 3);
  words[1] = word_of(type);
  words[2] = word_of(result);
  std::ranges::copy(value, words + 3);
  decorate(result, spv::DecorationSpecId, id);
  return result;
}

Id ModuleBuilder::variable(spv::StorageClass storage, Id pointee, Id initializer) {
  const Id pointer = pointer_type(storage, pointee);
  const Id id = new_id();
  ++variables_;
  if (initializer != Id::none) {
    append(globals_, spv::OpVariable, {pointer, id, storage, initializer});
  } else {
    append(globals_, spv::OpVariable, {pointer, id, storage});
  }
  // From SPIR-V 1.4 on an entry point lists every variable that it uses; before that, only inputs and outputs
  // (2.17).
  if (version_ >= 0x00010400 || storage == spv::StorageClassInput || storage == spv::StorageClassOutput) {
    interface_.push_back(id);
  }
  return id;
}

void ModuleBuilder::execution_mode(Id entry, spv::ExecutionMode mode,
                                   std::initializer_list<uint32_t> values) {
  uint32_t* const words = modes_.start(spv::OpExecutionMode, values.size() + 3);
  words[1] = word_of(entry);
  words[2] = static_cast<uint32_t>(mode);
  std::ranges::copy(values, words + 3);
}

Id ModuleBuilder::string(std::string_view text) {
  const Id id = new_id();
  append_string(strings_, spv::OpString, {id}, text);
  return id;
}

// Types are [op, result, operands], constants [op, type, result, operands]; equal words apart from the result
// mean the same type or constant.
template <OperandList List>
Id ModuleBuilder::intern(spv::Op op, Id type, List operands) {
  uint32_t hash = static_cast<uint32_t>(op) * 0x9e3779b9u + word_of(type);
  for (const Operand operand : operands) hash = (std::rotl(hash, 5) ^ operand.word()) * 0x9e3779b9u;
  const bool typed = is_constant(op);
  const size_t head = typed ? 3 : 2;
  const uint32_t first = static_cast<uint32_t>(head + operands.size()) << 16 | static_cast<uint32_t>(op);
  for (size_t at = (hash >> 4) & (slots_.size() - 1);; at = (at + 1) & (slots_.size() - 1)) {
    Slot& slot = slots_[at];
    if (slot.offset == 0) {
      const Id id = new_id();
      slot = {static_cast<uint32_t>(globals_.size() + 1), hash};
      uint32_t* const words = globals_.start(op, head + operands.size());
      if (typed) words[1] = word_of(type);
      words[head - 1] = word_of(id);
      put(words + head, operands);
      if (++interned_ * 2 > slots_.size()) grow();
      return id;
    }
    const uint32_t* words = globals_.data() + slot.offset - 1;
    if (slot.hash != hash || words[0] != first || (typed && words[1] != word_of(type))) continue;
    if (operands.empty() || std::memcmp(words + head, operands.data(), operands.size_bytes()) == 0)
      return Id{words[head - 1]};
  }
}
template Id ModuleBuilder::intern(spv::Op op, Id type, std::span<const Id> operands);
template Id ModuleBuilder::intern(spv::Op op, Id type, std::span<const Operand> operands);

void ModuleBuilder::grow() {
  Buffer<Slot> old(memory_);
  old.extend_zeroed(slots_.size() * 2);
  old.swap(slots_);
  for (const Slot& slot : old) {
    if (slot.offset == 0) continue;
    size_t at = (slot.hash >> 4) & (slots_.size() - 1);
    while (slots_[at].offset != 0) at = (at + 1) & (slots_.size() - 1);
    slots_[at] = slot;
  }
}

Id ModuleBuilder::constants(Id type, Id part_type, std::span<const uint32_t> bits) {
  if (std::ranges::all_of(bits, [](uint32_t word) { return word == 0; })) return null(type);
  std::array<Id, 4> parts{};
  for (size_t i = 0; i < bits.size(); ++i) parts[i] = constant(part_type, bits[i]);
  return composite(type, std::span<const Id>(parts).first(bits.size()));
}

std::string ModuleBuilder::excess(std::string_view entry_name) const {
  auto more = [](size_t count, std::string_view what, size_t most) {
    return std::to_string(count).append(" ").append(what).append(" exceed the limit of ") +
           std::to_string(most);
  };
  for (const Words* section : {&names_, &decorations_, &globals_, &modes_, &strings_}) {
    if (section->too_long() != 0)
      return more(section->too_long(), "words in one instruction", kMostInstructionWords);
  }
  const size_t entry_words = 3 + string_words(entry_name) + interface_.size();
  if (entry_words > kMostInstructionWords)
    return more(entry_words, "words in OpEntryPoint", kMostInstructionWords);
  if (variables_ > kMostGlobalVariables) return more(variables_, "variables", kMostGlobalVariables);
  if (bound_ > kMostIds) return more(bound_, "ids", kMostIds);
  return {};
}

void ModuleBuilder::assemble(std::pmr::vector<uint32_t>& result, spv::ExecutionModel model, Id entry,
                             std::string_view entry_name, const Words& code, const Words& functions) {
  const Id void_id = void_type();
  const Id function_type = type(spv::OpTypeFunction, {void_id});
  Words head(memory_), function(memory_), end(memory_);
  head.reserve(64 + string_words(entry_name) + interface_.size());
  const uint32_t header[] = {spv::MagicNumber, version_, kGenerator, bound_, 0};
  head.append(header);
  for (const Required& one : capabilities_) append(head, spv::OpCapability, {literal(one.capability)});
  for (std::string_view extension : extensions_) append_string(head, spv::OpExtension, {}, extension);
  if (uses_glsl_) append_string(head, spv::OpExtInstImport, {glsl_}, "GLSL.std.450");
  for (const Import& import : imports_) append_string(head, spv::OpExtInstImport, {import.id}, import.name);
  append(head, spv::OpMemoryModel, {spv::AddressingModelLogical, spv::MemoryModelGLSL450});
  append_string(head, spv::OpEntryPoint, {model, entry}, entry_name, interface_);
  append(function, spv::OpFunction, {void_id, entry, spv::FunctionControlMaskNone, function_type});
  append(function, spv::OpLabel, {entry_label_});
  append(end, spv::OpFunctionEnd, {});
  const Words* const parts[] = {&head,     &modes_,   &strings_, &names_, &decorations_,
                                &globals_, &function, &code,     &end,    &functions};
  size_t words = result.size();
  for (const Words* const part : parts) words += part->size();
  const size_t before = result.size();
  result.resize(words);
  uint32_t* at = result.data() + before;
  for (const Words* const part : parts) {
    if (!part->empty()) std::memcpy(at, part->data(), part->size() * sizeof(uint32_t));
    at += part->size();
  }
}

}  // namespace texlate::spirv
