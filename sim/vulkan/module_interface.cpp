#include "sim/vulkan/module_interface.h"

#include <algorithm>

#include "sim/vulkan/context.h"

namespace texlate::sim::vulkan {

namespace {

constexpr size_t kHeaderWords = 5;

/// Calls visit(opcode, words of the instruction, offset).
template <typename Visit>
void for_each_instruction(std::span<const uint32_t> words, Visit visit) {
  if (words.size() < kHeaderWords || words[0] != spv::MagicNumber) fail("the module is not SPIR-V");
  for (size_t at = kHeaderWords; at < words.size();) {
    const uint32_t length = words[at] >> 16;
    if (length == 0 || at + length > words.size()) fail("the module ends within an instruction");
    visit(static_cast<spv::Op>(words[at] & 0xffff), words.subspan(at, length), at);
    at += length;
  }
}

struct TypeInfo {
  spv::Op op = spv::OpNop;
  uint32_t a = 0, b = 0;  // the first two operands
};

struct Decorations {
  int64_t location = -1, builtin = -1;
  uint32_t component = 0;
  uint32_t offset = 0, stride = 0;  // transform feedback
  uint32_t stream = 0;
  bool flat = false, patch = false;
};

/// The variables of these stages are arrays with an element for each vertex (Vulkan, "Interface Matching").
bool is_by_vertex(spv::ExecutionModel model, bool is_input) {
  switch (model) {
    case spv::ExecutionModelTessellationControl: return true;
    case spv::ExecutionModelTessellationEvaluation:
    case spv::ExecutionModelGeometry: return is_input;
    default: return false;
  }
}

}  // namespace

ModuleInterface read_interface(std::span<const uint32_t> words) {
  ModuleInterface result;
  if (words.size() < kHeaderWords) fail("the module is not SPIR-V");
  const uint32_t bound = words[3];
  if (bound > (1u << 24)) fail("the module's bound of ids is too large");
  std::vector<TypeInfo> types(bound);
  std::vector<Decorations> decorations(bound);
  std::vector<uint32_t> constants(bound, 0);
  auto add_variable = [&](uint32_t pointer, uint32_t id, bool is_input) {
    InterfaceVariable variable;
    variable.id = id;
    variable.is_input = is_input;
    variable.is_builtin = decorations[id].builtin >= 0;
    if (!variable.is_builtin && decorations[id].location < 0) return;
    variable.number =
        static_cast<uint32_t>(variable.is_builtin ? decorations[id].builtin : decorations[id].location);
    variable.component = decorations[id].component;
    variable.flat = decorations[id].flat;
    variable.capture_offset = decorations[id].offset;
    variable.capture_stride = decorations[id].stride;
    const auto type_at = [&](uint32_t type_id) { return type_id < bound ? types[type_id] : TypeInfo{}; };
    variable.is_patch = decorations[id].patch;
    variable.stream = decorations[id].stream;
    TypeInfo type = type_at(types[pointer].b);
    if (type.op == spv::OpTypeArray && !variable.is_patch && is_by_vertex(result.model, is_input)) {
      variable.vertices = type.b < bound ? constants[type.b] : 0;
      type = type_at(type.a);
    }
    if (type.op == spv::OpTypeArray) {
      variable.array = type.b < bound ? constants[type.b] : 0;
      type = type_at(type.a);
    }
    if (type.op == spv::OpTypeVector) {
      variable.components = type.b;
      type = type_at(type.a);
    }
    if (type.op == spv::OpTypeInt) variable.kind = type.b != 0 ? ScalarKind::int_ : ScalarKind::uint;
    result.variables.push_back(variable);
  };
  for_each_instruction(words, [&](spv::Op op, std::span<const uint32_t> in, size_t) {
    const auto in_bound = [&](size_t i) { return i < in.size() && in[i] < bound; };
    switch (op) {
      case spv::OpCapability: result.capabilities.push_back(static_cast<spv::Capability>(in[1])); break;
      case spv::OpEntryPoint:
        result.entry = in.size() > 2 ? in[2] : 0;
        result.model = in.size() > 2 ? static_cast<spv::ExecutionModel>(in[1]) : spv::ExecutionModelMax;
        break;
      case spv::OpExecutionMode:
        result.early_fragment_tests |= in.size() > 2 && in[2] == spv::ExecutionModeEarlyFragmentTests;
        if (in.size() > 5 && in[2] == spv::ExecutionModeLocalSize) result.group = {in[3], in[4], in[5]};
        break;
      case spv::OpDecorate:
        if (!in_bound(1) || in.size() < 3) break;
        if (in[2] == spv::DecorationFlat) decorations[in[1]].flat = true;
        if (in[2] == spv::DecorationPatch) decorations[in[1]].patch = true;
        if (in.size() < 4) break;
        if (in[2] == spv::DecorationLocation) decorations[in[1]].location = in[3];
        if (in[2] == spv::DecorationStream) decorations[in[1]].stream = in[3];
        if (in[2] == spv::DecorationOffset) decorations[in[1]].offset = in[3];
        if (in[2] == spv::DecorationXfbStride) decorations[in[1]].stride = in[3];
        if (in[2] == spv::DecorationComponent) decorations[in[1]].component = in[3];
        if (in[2] == spv::DecorationBuiltIn) decorations[in[1]].builtin = in[3];
        break;
      case spv::OpTypeInt:
      case spv::OpTypeFloat:
      case spv::OpTypeVector:
      case spv::OpTypeArray:
      case spv::OpTypePointer:
        if (in_bound(1)) types[in[1]] = {op, in.size() > 2 ? in[2] : 0, in.size() > 3 ? in[3] : 0};
        break;
      case spv::OpConstant:
        if (in_bound(2) && in.size() > 3) constants[in[2]] = in[3];
        break;
      case spv::OpAtomicExchange:
        result.exchanges_floats |= in_bound(1) && types[in[1]].op == spv::OpTypeFloat;
        break;
      case spv::OpVariable:
        if (in_bound(1) && in_bound(2) && in.size() > 3 &&
            (in[3] == spv::StorageClassInput || in[3] == spv::StorageClassOutput)) {
          add_variable(in[1], in[2], in[3] == spv::StorageClassInput);
        }
        break;
      default: break;
    }
  });
  return result;
}

// Capability TransformFeedback, execution mode Xfb, and on each output Offset, XfbBuffer, XfbStride
// (Vulkan 27.1).
std::vector<uint32_t> with_transform_feedback(std::span<const uint32_t> words,
                                              const ModuleInterface& interface,
                                              std::vector<uint32_t>& offsets, StreamStrides& strides) {
  strides = {};
  offsets.clear();
  for (const InterfaceVariable& variable : interface.variables) {
    uint32_t& stride = strides.at(variable.stream);
    offsets.push_back(stride);
    if (!variable.is_input) stride += 4 * variable.components * std::max(1u, variable.array);
  }
  for (size_t i = 0; i < interface.variables.size(); ++i) {
    if (interface.variables[i].capture_stride == 0) continue;
    offsets[i] = interface.variables[i].capture_offset;
    strides[0] = interface.variables[i].capture_stride;
  }
  if (std::ranges::any_of(interface.variables, [](const auto& one) { return one.capture_stride != 0; }))
    return {words.begin(), words.end()};
  std::vector<uint32_t> out(words.begin(), words.begin() + kHeaderWords);
  auto put = [&](spv::Op op, std::initializer_list<uint32_t> operands) {
    out.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op);
    out.insert(out.end(), operands.begin(), operands.end());
  };
  put(spv::OpCapability, {spv::CapabilityTransformFeedback});
  bool mode = false, decorated = false;
  for_each_instruction(words, [&](spv::Op op, std::span<const uint32_t> in, size_t) {
    // Execution modes follow the entry points; decorations precede the types (SPIR-V 2.4).
    if (!mode && op != spv::OpCapability && op != spv::OpExtension && op != spv::OpExtInstImport &&
        op != spv::OpMemoryModel && op != spv::OpEntryPoint) {
      put(spv::OpExecutionMode, {interface.entry, spv::ExecutionModeXfb});
      mode = true;
    }
    if (!decorated && op >= spv::OpTypeVoid && op <= spv::OpTypeForwardPointer) {
      for (size_t i = 0; i < interface.variables.size(); ++i) {
        if (interface.variables[i].is_input) continue;
        const uint32_t id = interface.variables[i].id;
        const uint32_t stream = interface.variables[i].stream;
        put(spv::OpDecorate, {id, spv::DecorationXfbBuffer, stream});
        put(spv::OpDecorate, {id, spv::DecorationXfbStride, strides[stream]});
        put(spv::OpDecorate, {id, spv::DecorationOffset, offsets[i]});
      }
      decorated = true;
    }
    out.insert(out.end(), in.begin(), in.end());
  });
  return out;
}

}  // namespace texlate::sim::vulkan
