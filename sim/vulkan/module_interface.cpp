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

/// Collects what a module declares, instruction by instruction: declarations precede their uses.
class InterfaceReader {
 public:
  explicit InterfaceReader(uint32_t bound)
      : bound_(bound), types_(bound), decorations_(bound), constants_(bound, 0) {}

  void read(spv::Op op, std::span<const uint32_t> in) {
    const auto in_bound = [&](size_t i) { return i < in.size() && in[i] < bound_; };
    switch (op) {
      case spv::OpCapability: result_.capabilities.push_back(static_cast<spv::Capability>(in[1])); break;
      case spv::OpEntryPoint:
        result_.entry = in.size() > 2 ? in[2] : 0;
        result_.model = in.size() > 2 ? static_cast<spv::ExecutionModel>(in[1]) : spv::ExecutionModelMax;
        break;
      case spv::OpExecutionMode:
        result_.early_fragment_tests |= in.size() > 2 && in[2] == spv::ExecutionModeEarlyFragmentTests;
        if (in.size() > 5 && in[2] == spv::ExecutionModeLocalSize) result_.group = {in[3], in[4], in[5]};
        break;
      case spv::OpDecorate:
        if (in_bound(1) && in.size() > 2) decorate(decorations_[in[1]], in.subspan(2));
        break;
      case spv::OpTypeInt:
      case spv::OpTypeFloat:
      case spv::OpTypeVector:
      case spv::OpTypeArray:
      case spv::OpTypePointer:
        if (in_bound(1)) types_[in[1]] = {op, in.size() > 2 ? in[2] : 0, in.size() > 3 ? in[3] : 0};
        break;
      case spv::OpConstant:
        if (in_bound(2) && in.size() > 3) constants_[in[2]] = in[3];
        break;
      case spv::OpAtomicExchange:
        result_.exchanges_floats |= in_bound(1) && types_[in[1]].op == spv::OpTypeFloat;
        break;
      case spv::OpVariable:
        if (in_bound(1) && in_bound(2) && in.size() > 3 &&
            (in[3] == spv::StorageClassInput || in[3] == spv::StorageClassOutput)) {
          add_variable(in[1], in[2], in[3] == spv::StorageClassInput);
        }
        break;
      default: break;
    }
  }
  ModuleInterface take() { return std::move(result_); }

 private:
  /// `words`: the decoration and its operands.
  static void decorate(Decorations& of, std::span<const uint32_t> words) {
    if (words[0] == spv::DecorationFlat) of.flat = true;
    if (words[0] == spv::DecorationPatch) of.patch = true;
    if (words.size() < 2) return;
    if (words[0] == spv::DecorationLocation) of.location = words[1];
    if (words[0] == spv::DecorationStream) of.stream = words[1];
    if (words[0] == spv::DecorationOffset) of.offset = words[1];
    if (words[0] == spv::DecorationXfbStride) of.stride = words[1];
    if (words[0] == spv::DecorationComponent) of.component = words[1];
    if (words[0] == spv::DecorationBuiltIn) of.builtin = words[1];
  }

  TypeInfo type_at(uint32_t id) const { return id < bound_ ? types_[id] : TypeInfo{}; }
  uint32_t constant_at(uint32_t id) const { return id < bound_ ? constants_[id] : 0; }

  void add_variable(uint32_t pointer, uint32_t id, bool is_input) {
    const Decorations& decorated = decorations_[id];
    InterfaceVariable variable;
    variable.id = id;
    variable.is_input = is_input;
    variable.is_builtin = decorated.builtin >= 0;
    if (!variable.is_builtin && decorated.location < 0) return;
    variable.number = static_cast<uint32_t>(variable.is_builtin ? decorated.builtin : decorated.location);
    variable.component = decorated.component;
    variable.flat = decorated.flat;
    variable.is_patch = decorated.patch;
    variable.stream = decorated.stream;
    variable.capture_offset = decorated.offset;
    variable.capture_stride = decorated.stride;
    TypeInfo type = type_at(types_[pointer].b);
    if (type.op == spv::OpTypeArray && !variable.is_patch && is_by_vertex(result_.model, is_input)) {
      variable.vertices = constant_at(type.b);
      type = type_at(type.a);
    }
    if (type.op == spv::OpTypeArray) {
      variable.array = constant_at(type.b);
      type = type_at(type.a);
    }
    if (type.op == spv::OpTypeVector) {
      variable.components = type.b;
      type = type_at(type.a);
    }
    if (type.op == spv::OpTypeInt) variable.kind = type.b != 0 ? ScalarKind::int_ : ScalarKind::uint;
    result_.variables.push_back(variable);
  }

  ModuleInterface result_;
  const uint32_t bound_;
  std::vector<TypeInfo> types_;
  std::vector<Decorations> decorations_;
  std::vector<uint32_t> constants_;
};

}  // namespace

ModuleInterface read_interface(std::span<const uint32_t> words) {
  if (words.size() < kHeaderWords) fail("the module is not SPIR-V");
  const uint32_t bound = words[3];
  if (bound > (1u << 24)) fail("the module's bound of ids is too large");
  InterfaceReader reader(bound);
  for_each_instruction(words, [&](spv::Op op, std::span<const uint32_t> in, size_t) { reader.read(op, in); });
  return reader.take();
}

// Capability TransformFeedback, execution mode Xfb, and on each output Offset, XfbBuffer, XfbStride
// (Vulkan, Transform Feedback).
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
