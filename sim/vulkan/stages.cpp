#include "sim/vulkan/stages.h"

#include "sim/vulkan/stage_writer.h"

namespace texlate::sim::vulkan {

std::vector<uint32_t> make_vertex_stage(std::span<const InterfaceVariable> inputs, uint32_t set) {
  StageWriter writer;
  writer.capability(spv::CapabilityShader);
  writer.add_words(set);
  uint32_t stride = 4;
  for (const InterfaceVariable& input : inputs) {
    if (is_position(input)) continue;
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
    if (is_position(input)) continue;
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
  StageWriter writer;
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
