#include "sim/vulkan/stages.h"

namespace texlate::sim::vulkan {

namespace {

using Id = uint32_t;

/// A minimal module writer: one list of words per section of SPIR-V 2.4.
class Writer {
  std::vector<uint32_t> capabilities_, decorations_, globals_, code_;
  std::vector<Id> interface_;
  std::vector<std::array<uint32_t, 3>> vectors_;
  Id bound_ = 1;
  Id words_ = 0, word_pointer_ = 0, zero_ = 0;

 public:
  Id id() { return bound_++; }
  Id global(spv::Op op, std::initializer_list<uint32_t> operands) {
    return result(globals_, op, 0, operands);
  }
  Id constant(Id type, uint32_t bits) { return result(globals_, spv::OpConstant, type, {bits}); }
  Id emit(spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    return result(code_, op, type, operands);
  }
  void effect(spv::Op op, std::initializer_list<uint32_t> operands) { put(code_, op, operands); }
  void decorate(std::initializer_list<uint32_t> operands) { put(decorations_, spv::OpDecorate, operands); }
  void capability(spv::Capability which) {
    put(capabilities_, spv::OpCapability, {static_cast<uint32_t>(which)});
  }

  Id void_ = global(spv::OpTypeVoid, {});
  Id uint = global(spv::OpTypeInt, {32, 0});
  Id int_ = global(spv::OpTypeInt, {32, 1});
  Id real = global(spv::OpTypeFloat, {32});
  Id scalar(ScalarKind kind) const {
    return kind == ScalarKind::float_ ? real : kind == ScalarKind::int_ ? int_ : uint;
  }
  Id vector(Id of, uint32_t count) {
    if (count == 1) return of;
    for (const auto& known : vectors_) {
      if (known[0] == of && known[1] == count) return known[2];
    }
    vectors_.push_back({of, count, global(spv::OpTypeVector, {of, count})});
    return vectors_.back()[2];
  }
  Id pointer(spv::StorageClass storage, Id to) {
    return global(spv::OpTypePointer, {static_cast<uint32_t>(storage), to});
  }
  Id variable(spv::StorageClass storage, Id type) {
    const Id made =
        result(globals_, spv::OpVariable, pointer(storage, type), {static_cast<uint32_t>(storage)});
    if (storage != spv::StorageClassStorageBuffer) interface_.push_back(made);
    return made;
  }
  Id builtin(spv::StorageClass storage, Id type, spv::BuiltIn which) {
    const Id made = variable(storage, type);
    decorate({made, spv::DecorationBuiltIn, static_cast<uint32_t>(which)});
    return made;
  }

  /// A storage buffer of words at binding 0.
  void add_words(uint32_t set) {
    const Id array = global(spv::OpTypeRuntimeArray, {uint});
    decorate({array, spv::DecorationArrayStride, 4});
    const Id block = global(spv::OpTypeStruct, {array});
    decorate({block, spv::DecorationBlock});
    put(decorations_, spv::OpMemberDecorate, {block, 0, spv::DecorationOffset, 0});
    words_ = variable(spv::StorageClassStorageBuffer, block);
    decorate({words_, spv::DecorationNonWritable});
    decorate({words_, spv::DecorationDescriptorSet, set});
    decorate({words_, spv::DecorationBinding, 0});
    word_pointer_ = pointer(spv::StorageClassStorageBuffer, uint);
    zero_ = constant(uint, 0);
  }
  Id word(Id index) {
    return emit(spv::OpLoad, uint, {emit(spv::OpAccessChain, word_pointer_, {words_, zero_, index})});
  }
  Id as(ScalarKind kind, Id bits) {
    return kind == ScalarKind::uint ? bits : emit(spv::OpBitcast, scalar(kind), {bits});
  }

  std::vector<uint32_t> finish(spv::ExecutionModel model) {
    std::vector<uint32_t> out = {spv::MagicNumber, 0x00010300u, 0, 0, 0};
    const Id function_type = global(spv::OpTypeFunction, {void_}), entry = id(), label = id();
    out.insert(out.end(), capabilities_.begin(), capabilities_.end());
    put(out, spv::OpMemoryModel, {spv::AddressingModelLogical, spv::MemoryModelGLSL450});
    std::vector<uint32_t> point = {static_cast<uint32_t>(model), entry, 0x6e69616du, 0};  // "main"
    point.insert(point.end(), interface_.begin(), interface_.end());
    out.push_back(static_cast<uint32_t>(point.size() + 1) << 16 | spv::OpEntryPoint);
    out.insert(out.end(), point.begin(), point.end());
    if (model == spv::ExecutionModelFragment)
      put(out, spv::OpExecutionMode, {entry, spv::ExecutionModeOriginUpperLeft});
    out.insert(out.end(), decorations_.begin(), decorations_.end());
    out.insert(out.end(), globals_.begin(), globals_.end());
    put(out, spv::OpFunction, {void_, entry, spv::FunctionControlMaskNone, function_type});
    put(out, spv::OpLabel, {label});
    out.insert(out.end(), code_.begin(), code_.end());
    put(out, spv::OpReturn, {});
    put(out, spv::OpFunctionEnd, {});
    out[3] = bound_;
    return out;
  }

 private:
  static void put(std::vector<uint32_t>& words, spv::Op op, std::initializer_list<uint32_t> operands) {
    words.push_back(static_cast<uint32_t>(operands.size() + 1) << 16 | op);
    words.insert(words.end(), operands.begin(), operands.end());
  }
  Id result(std::vector<uint32_t>& words, spv::Op op, Id type, std::initializer_list<uint32_t> operands) {
    const Id made = id();
    words.push_back(static_cast<uint32_t>(operands.size() + (type != 0 ? 3 : 2)) << 16 | op);
    if (type != 0) words.push_back(type);
    words.push_back(made);
    words.insert(words.end(), operands.begin(), operands.end());
    return made;
  }
};

}  // namespace

std::vector<uint32_t> make_vertex_stage(std::span<const InterfaceVariable> inputs, uint32_t set) {
  Writer writer;
  writer.capability(spv::CapabilityShader);
  writer.add_words(set);
  uint32_t stride = 4;
  for (const InterfaceVariable& input : inputs) {
    if (input.is_builtin && input.number == spv::BuiltInClipDistance)
      writer.capability(spv::CapabilityClipDistance);
    if (input.is_builtin && input.number == spv::BuiltInCullDistance)
      writer.capability(spv::CapabilityCullDistance);
    stride += input.components * std::max(1u, input.array);
  }
  const Id vertex = writer.builtin(spv::StorageClassInput, writer.int_, spv::BuiltInVertexIndex);
  const Id instance = writer.builtin(spv::StorageClassInput, writer.int_, spv::BuiltInInstanceIndex);
  const Id position =
      writer.builtin(spv::StorageClassOutput, writer.vector(writer.real, 4), spv::BuiltInPosition);
  Id index =
      writer.emit(spv::OpIMul, writer.int_,
                  {writer.emit(spv::OpLoad, writer.int_, {instance}), writer.constant(writer.int_, 3)});
  index = writer.emit(spv::OpIAdd, writer.int_, {index, writer.emit(spv::OpLoad, writer.int_, {vertex})});
  const Id record =
      writer.emit(spv::OpIMul, writer.uint,
                  {writer.emit(spv::OpBitcast, writer.uint, {index}), writer.constant(writer.uint, stride)});
  uint32_t next = 0;
  auto read = [&](ScalarKind kind) {
    const Id at = writer.emit(spv::OpIAdd, writer.uint, {record, writer.constant(writer.uint, next++)});
    return writer.as(kind, writer.word(at));
  };
  auto read_vector = [&](ScalarKind kind, uint32_t count) {
    std::array<Id, 4> parts{};
    for (uint32_t i = 0; i < count; ++i) parts[i] = read(kind);
    const Id type = writer.vector(writer.scalar(kind), count);
    switch (count) {
      case 1: return parts[0];
      case 2: return writer.emit(spv::OpCompositeConstruct, type, {parts[0], parts[1]});
      case 3: return writer.emit(spv::OpCompositeConstruct, type, {parts[0], parts[1], parts[2]});
      default: return writer.emit(spv::OpCompositeConstruct, type, {parts[0], parts[1], parts[2], parts[3]});
    }
  };
  writer.effect(spv::OpStore, {position, read_vector(ScalarKind::float_, 4)});
  for (const InterfaceVariable& input : inputs) {
    const Id type = writer.vector(writer.scalar(input.kind), input.components);
    if (input.array != 0) {
      const Id array = writer.global(spv::OpTypeArray, {type, writer.constant(writer.uint, input.array)});
      const Id variable =
          writer.builtin(spv::StorageClassOutput, array, static_cast<spv::BuiltIn>(input.number));
      const Id pointer = writer.pointer(spv::StorageClassOutput, type);
      for (uint32_t i = 0; i < input.array; ++i) {
        const Id element =
            writer.emit(spv::OpAccessChain, pointer, {variable, writer.constant(writer.uint, i)});
        writer.effect(spv::OpStore, {element, read_vector(input.kind, input.components)});
      }
      continue;
    }
    const Id variable = writer.variable(spv::StorageClassOutput, type);
    writer.decorate({variable, spv::DecorationLocation, input.number});
    if (input.component != 0) writer.decorate({variable, spv::DecorationComponent, input.component});
    if (input.flat) writer.decorate({variable, spv::DecorationFlat});
    writer.effect(spv::OpStore, {variable, read_vector(input.kind, input.components)});
  }
  return writer.finish(spv::ExecutionModelVertex);
}

std::vector<uint32_t> make_sample_stage(ScalarKind kind) {
  Writer writer;
  writer.capability(spv::CapabilityShader);
  writer.capability(spv::CapabilitySampleRateShading);
  writer.add_words(0);
  const Id coordinate =
      writer.builtin(spv::StorageClassInput, writer.vector(writer.real, 4), spv::BuiltInFragCoord);
  const Id sample = writer.builtin(spv::StorageClassInput, writer.int_, spv::BuiltInSampleId);
  writer.decorate({sample, spv::DecorationFlat});
  const Id four = writer.vector(writer.scalar(kind), 4);
  const Id target = writer.variable(spv::StorageClassOutput, four);
  writer.decorate({target, spv::DecorationLocation, 0});
  const Id where = writer.emit(spv::OpLoad, writer.vector(writer.real, 4), {coordinate});
  std::array<Id, 2> pixel{};
  for (uint32_t i = 0; i < 2; ++i) {
    const Id part = writer.emit(spv::OpCompositeExtract, writer.real, {where, i});
    pixel[i] = writer.emit(spv::OpConvertFToU, writer.uint, {part});
  }
  const Id width = writer.word(writer.constant(writer.uint, 0)),
           samples = writer.word(writer.constant(writer.uint, 1));
  Id index = writer.emit(spv::OpIMul, writer.uint, {pixel[1], width});
  index = writer.emit(spv::OpIAdd, writer.uint, {index, pixel[0]});
  index = writer.emit(spv::OpIMul, writer.uint, {index, samples});
  const Id which =
      writer.emit(spv::OpBitcast, writer.uint, {writer.emit(spv::OpLoad, writer.int_, {sample})});
  index = writer.emit(spv::OpIAdd, writer.uint, {index, which});
  index = writer.emit(spv::OpIMul, writer.uint, {index, writer.constant(writer.uint, 4)});
  std::array<Id, 4> parts{};
  for (uint32_t i = 0; i < 4; ++i) {
    parts[i] = writer.as(kind, writer.word(writer.emit(spv::OpIAdd, writer.uint,
                                                       {index, writer.constant(writer.uint, 4 + i)})));
  }
  writer.effect(spv::OpStore, {target, writer.emit(spv::OpCompositeConstruct, four,
                                                   {parts[0], parts[1], parts[2], parts[3]})});
  return writer.finish(spv::ExecutionModelFragment);
}

}  // namespace texlate::sim::vulkan
