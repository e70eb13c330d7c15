#include "sim/vulkan/sample_reader.h"

#include "sim/vulkan/stage_writer.h"

namespace texlate::sim::vulkan {

namespace {

constexpr uint32_t kWords = 0, kImage = 1;  // bindings of set 0

/// An invocation for each sample: x and y are those of the pixel, z is the sample.
std::vector<uint32_t> make_reader(bool is_stencil, uint32_t width, uint32_t samples) {
  StageWriter writer;
  writer.capability(spv::CapabilityShader);
  writer.add_words(0, true);
  const ScalarKind kind = is_stencil ? ScalarKind::uint : ScalarKind::float_;
  const Id texel = writer.scalar(kind);
  constexpr uint32_t kNoDepth = 0, kNotArrayed = 0, kMultisampled = 1, kSampled = 1;
  const Id type = writer.global(spv::OpTypeImage, {texel, spv::Dim2D, kNoDepth, kNotArrayed, kMultisampled,
                                                   kSampled, spv::ImageFormatUnknown});
  const Id variable = writer.variable(spv::StorageClassUniformConstant, type);
  writer.decorate({variable, spv::DecorationDescriptorSet, 0});
  writer.decorate({variable, spv::DecorationBinding, kImage});
  const Id three = writer.vector(writer.uint, 3);
  const Id invocation = writer.builtin(spv::StorageClassInput, three, spv::BuiltInGlobalInvocationId);
  const Id where = writer.emit(spv::OpLoad, three, {invocation});
  std::array<Id, 3> at{};
  for (uint32_t i = 0; i < at.size(); ++i)
    at[i] = writer.emit(spv::OpCompositeExtract, writer.uint, {where, i});
  const Id pixel = writer.emit(spv::OpCompositeConstruct, writer.vector(writer.uint, 2), {at[0], at[1]});
  const Id image = writer.emit(spv::OpLoad, type, {variable});
  const Id value = writer.emit(spv::OpImageFetch, writer.vector(texel, 4),
                               {image, pixel, spv::ImageOperandsSampleMask, at[2]});
  Id index = writer.emit(spv::OpIMul, writer.uint, {at[1], writer.constant(writer.uint, width)});
  index = writer.emit(spv::OpIAdd, writer.uint, {index, at[0]});
  index = writer.emit(spv::OpIMul, writer.uint, {index, writer.constant(writer.uint, samples)});
  index = writer.emit(spv::OpIAdd, writer.uint, {index, at[2]});
  writer.store_word(index, writer.bits(kind, writer.emit(spv::OpCompositeExtract, texel, {value, 0})));
  const std::array<StageWriter::Mode, 1> modes = {StageWriter::Mode{spv::ExecutionModeLocalSize, {1, 1, 1}}};
  return writer.finish(spv::ExecutionModelGLCompute, modes);
}

struct Layouts {
  VkDescriptorSetLayout set = VK_NULL_HANDLE;
  VkPipelineLayout pipeline = VK_NULL_HANDLE;
};

Layouts make_layouts(Job& job) {
  Layouts made;
  const std::array<VkDescriptorSetLayoutBinding, 2> bindings = {
      VkDescriptorSetLayoutBinding{kWords, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                   nullptr},
      VkDescriptorSetLayoutBinding{kImage, VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1, VK_SHADER_STAGE_COMPUTE_BIT,
                                   nullptr}};
  auto set = structure<VkDescriptorSetLayoutCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO);
  set.bindingCount = static_cast<uint32_t>(bindings.size());
  set.pBindings = bindings.data();
  check(job.vk.CreateDescriptorSetLayout(job.context.device, &set, nullptr, &made.set),
        "vkCreateDescriptorSetLayout");
  job.defer([&job, made] { job.vk.DestroyDescriptorSetLayout(job.context.device, made.set, nullptr); });
  auto pipeline = structure<VkPipelineLayoutCreateInfo>(VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO);
  pipeline.setLayoutCount = 1;
  pipeline.pSetLayouts = &made.set;
  check(job.vk.CreatePipelineLayout(job.context.device, &pipeline, nullptr, &made.pipeline),
        "vkCreatePipelineLayout");
  job.defer([&job, made] { job.vk.DestroyPipelineLayout(job.context.device, made.pipeline, nullptr); });
  return made;
}

VkDescriptorSet make_set(Job& job, const Layouts& layouts, const Buffer& words, VkImageView view) {
  const std::array<VkDescriptorPoolSize, 2> sizes = {
      VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1},
      VkDescriptorPoolSize{VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1}};
  auto pool_info = structure<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  pool_info.maxSets = 1;
  pool_info.poolSizeCount = static_cast<uint32_t>(sizes.size());
  pool_info.pPoolSizes = sizes.data();
  VkDescriptorPool pool = VK_NULL_HANDLE;
  check(job.vk.CreateDescriptorPool(job.context.device, &pool_info, nullptr, &pool),
        "vkCreateDescriptorPool");
  job.defer([&job, pool] { job.vk.DestroyDescriptorPool(job.context.device, pool, nullptr); });
  auto allocate = structure<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
  allocate.descriptorPool = pool;
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &layouts.set;
  VkDescriptorSet set = VK_NULL_HANDLE;
  check(job.vk.AllocateDescriptorSets(job.context.device, &allocate, &set), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo buffer = {words.buffer, 0, VK_WHOLE_SIZE};
  const VkDescriptorImageInfo image = {VK_NULL_HANDLE, view, VK_IMAGE_LAYOUT_GENERAL};
  std::array<VkWriteDescriptorSet, 2> writes;
  writes.fill(structure<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET));
  for (uint32_t i = 0; i < writes.size(); ++i) {
    writes[i].dstSet = set;
    writes[i].dstBinding = i;
    writes[i].descriptorCount = 1;
  }
  writes[kWords].descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  writes[kWords].pBufferInfo = &buffer;
  writes[kImage].descriptorType = VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
  writes[kImage].pImageInfo = &image;
  job.vk.UpdateDescriptorSets(job.context.device, static_cast<uint32_t>(writes.size()), writes.data(), 0,
                              nullptr);
  return set;
}

}  // namespace

Buffer read_samples(Job& job, const Image& image, VkImageAspectFlags aspect, uint32_t width, uint32_t height,
                    uint32_t samples) {
  const bool is_stencil = aspect == VK_IMAGE_ASPECT_STENCIL_BIT;
  const Buffer words =
      job.buffer(size_t{width} * height * samples * sizeof(uint32_t), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  auto view = structure<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  view.image = image.image;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = image.format;
  view.subresourceRange = {aspect, 0, 1, 0, 1};
  const Layouts layouts = make_layouts(job);
  const VkDescriptorSet set = make_set(job, layouts, words, job.view(view));
  auto info = structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = job.module(make_reader(is_stencil, width, samples));
  info.stage.pName = "main";
  info.layout = layouts.pipeline;
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(job.vk.CreateComputePipelines(job.context.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateComputePipelines");
  job.defer([&job, pipeline] { job.vk.DestroyPipeline(job.context.device, pipeline, nullptr); });
  job.barrier();
  job.vk.CmdBindPipeline(job.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  job.vk.CmdBindDescriptorSets(job.commands, VK_PIPELINE_BIND_POINT_COMPUTE, layouts.pipeline, 0, 1, &set, 0,
                               nullptr);
  job.vk.CmdDispatch(job.commands, width, height, samples);
  return words;
}

}  // namespace texlate::sim::vulkan
