#include "backend/spirv/id_names.h"

#include <algorithm>
#include <spirv/unified1/spirv.hpp>

#include "backend/spirv/grammar.h"
#include "ir/base/characters.h"

namespace texlate::spirv {

namespace {

/// Built-ins of the emitter that have a name without OpName.
struct BuiltInName {
  spv::BuiltIn built_in;
  const char* name;
};
constexpr BuiltInName kBuiltInNames[] = {
    {spv::BuiltInPosition, "gl_Position"},
    {spv::BuiltInPointSize, "gl_PointSize"},
    {spv::BuiltInClipDistance, "gl_ClipDistance"},
    {spv::BuiltInCullDistance, "gl_CullDistance"},
    {spv::BuiltInPrimitiveId, "gl_PrimitiveID"},
    {spv::BuiltInInvocationId, "gl_InvocationID"},
    {spv::BuiltInLayer, "gl_Layer"},
    {spv::BuiltInViewportIndex, "gl_ViewportIndex"},
    {spv::BuiltInTessLevelOuter, "gl_TessLevelOuter"},
    {spv::BuiltInTessLevelInner, "gl_TessLevelInner"},
    {spv::BuiltInTessCoord, "gl_TessCoord"},
    {spv::BuiltInFragCoord, "gl_FragCoord"},
    {spv::BuiltInPointCoord, "gl_PointCoord"},
    {spv::BuiltInFrontFacing, "gl_FrontFacing"},
    {spv::BuiltInSampleId, "gl_SampleID"},
    {spv::BuiltInSampleMask, "gl_SampleMask"},
    {spv::BuiltInFragDepth, "gl_FragDepth"},
    {spv::BuiltInWorkgroupId, "gl_WorkGroupID"},
    {spv::BuiltInLocalInvocationId, "gl_LocalInvocationID"},
    {spv::BuiltInGlobalInvocationId, "gl_GlobalInvocationID"},
    {spv::BuiltInLocalInvocationIndex, "gl_LocalInvocationIndex"},
    {spv::BuiltInVertexIndex, "gl_VertexIndex"},
    {spv::BuiltInInstanceIndex, "gl_InstanceIndex"},
    {spv::BuiltInBaseInstance, "gl_BaseInstance"},
};

}  // namespace

IdNames::IdNames(uint32_t bound, std::pmr::memory_resource* memory)
    : arena_(memory),
      names_(bound, &arena_),
      types_(bound, &arena_),
      number_types_(bound, &arena_),
      next_(&arena_),
      scratch_(&arena_),
      sanitized_(&arena_) {}

std::string_view IdNames::keep(std::string_view text) {
  char* const copy = static_cast<char*>(arena_.allocate(text.size(), 1));
  std::ranges::copy(text, copy);
  return {copy, text.size()};
}

void IdNames::save(uint32_t id, std::string_view suggested) {
  if (!has(id) || !names_[id].empty()) return;
  sanitized_.assign(suggested);
  if (sanitized_.empty()) sanitized_ = '_';
  std::ranges::replace_if(
      sanitized_, [](char c) { return !is_letter(c) && !is_digit(c); }, '_');
  auto found = next_.find(sanitized_);
  if (found != next_.end()) {
    sanitized_ += '_';
    const size_t base = sanitized_.size();
    // The numbers below are in use already. The map stays as it is meanwhile.
    uint32_t& number = found->second;
    do {
      sanitized_.resize(base);
      append_integer(number++, sanitized_);
    } while (next_.contains(sanitized_));
  }
  names_[id] = keep(sanitized_);
  next_.emplace(names_[id], 0);
}

std::string_view IdNames::known(uint32_t id) {
  if (!has(id)) return "_";
  if (names_[id].empty()) {
    scratch_.clear();
    append_integer(id, scratch_);
    names_[id] = keep(scratch_);
  }
  return names_[id];
}

void IdNames::add_type(std::span<const uint32_t> words, uint32_t id) {
  std::pmr::string name(&arena_);
  const auto join = [&name](auto... parts) { (name.append(parts), ...); };
  const auto number = [&name](uint32_t value) { append_integer(value, name); };
  const uint32_t first = words.size() > 2 ? words[2] : 0;
  const uint32_t second = words.size() > 3 ? words[3] : 0;
  types_[id] = id;
  switch (static_cast<spv::Op>(words[0] & spv::OpCodeMask)) {
    case spv::OpTypeInt: {
      number_types_[id] = {second != 0 ? NumberType::Kind::signed_ : NumberType::Kind::unsigned_,
                           static_cast<uint8_t>(first)};
      join(second != 0 ? "" : "u", first == 8    ? "char"
                                   : first == 16 ? "short"
                                   : first == 64 ? "long"
                                                 : "int");
      break;
    }
    case spv::OpTypeFloat:
      number_types_[id] = {NumberType::Kind::float_, static_cast<uint8_t>(first)};
      join(first == 16 ? "half" : first == 64 ? "double" : "float");
      break;
    case spv::OpTypeVector:
    case spv::OpTypeMatrix:
      join((words[0] & spv::OpCodeMask) == spv::OpTypeVector ? "v" : "mat");
      number(second);
      join(known(first));
      break;
    case spv::OpTypeArray: join("_arr_", known(first), "_", known(second)); break;
    case spv::OpTypeRuntimeArray: join("_runtimearr_", known(first)); break;
    case spv::OpTypePointer: join("_ptr_", grammar::storage_class_name(first), "_", known(second)); break;
    case spv::OpTypeStruct:
      join("_struct_");
      number(id);
      break;
    case spv::OpTypeVoid: join("void"); break;
    case spv::OpTypeBool: join("bool"); break;
    default: number(id); break;  // images, samplers, functions
  }
  save(id, name);
}

void IdNames::add(std::span<const uint32_t> words, uint32_t result, uint32_t type) {
  const auto op = static_cast<spv::Op>(words[0] & spv::OpCodeMask);
  if (op == spv::OpName && words.size() > 2) return save(words[1], characters(words.subspan(2)));
  if (op == spv::OpDecorate && words.size() > 3 && words[2] == spv::DecorationBuiltIn) {
    const auto row =
        std::ranges::find(kBuiltInNames, static_cast<spv::BuiltIn>(words[3]), &BuiltInName::built_in);
    if (row != std::end(kBuiltInNames)) save(words[1], row->name);
    return;
  }
  if (!has(result) || result == 0) return;
  types_[result] = type;
  scratch_.clear();
  switch (op) {
    case spv::OpConstantTrue: return save(result, "true");
    case spv::OpConstantFalse: return save(result, "false");
    case spv::OpConstant: {
      if (!has(type) || words.size() < 4) return;
      std::pmr::string name(known(type), &arena_);
      append_number(number_type(type), words.subspan(3), scratch_);
      std::ranges::replace(scratch_, '-', 'n');  // negative
      name += '_';
      name += scratch_;
      return save(result, name);
    }
    default: break;
  }
  if (op >= spv::OpTypeVoid && op <= spv::OpTypeForwardPointer) return add_type(words, result);
  append_integer(result, scratch_);
  save(result, scratch_);
}

}  // namespace texlate::spirv
