#include "sim/vulkan/jobs.h"
#include "sim/vulkan/resources.h"

namespace texlate::sim::vulkan {

// Constants that the module does not have are ignored (Vulkan, Specialization Constants).
Specialization::Specialization(const Shader& shader) {
  for (uint32_t i = 0; i < shader.constants.size(); ++i) {
    entries_.push_back(
        {shader.constants[i].id,
         static_cast<uint32_t>(i * sizeof(SpecializationConstant) + offsetof(SpecializationConstant, value)),
         4});
  }
  info.mapEntryCount = static_cast<uint32_t>(entries_.size());
  info.pMapEntries = entries_.data();
  info.dataSize = shader.constants.size() * sizeof(SpecializationConstant);
  info.pData = shader.constants.data();
}

namespace {

void check_group(const Context& context, const std::array<uint32_t, 3>& group) {
  const VkPhysicalDeviceLimits& limits = context.limits;
  uint64_t threads = 1;
  bool fits = true;
  for (size_t i = 0; i < 3; ++i) {
    threads *= group[i];
    fits = fits && group[i] <= limits.maxComputeWorkGroupSize[i];
  }
  if (fits && threads <= limits.maxComputeWorkGroupInvocations) return;
  fail("'{}' has no groups of {} x {} x {} threads", context.name, group[0], group[1], group[2]);
}

}  // namespace

void run_dispatch(const Context& context, const Shader& shader, std::array<uint32_t, 3> groups) {
  const ModuleInterface interface = read_interface(shader.words);
  require_capabilities(context, interface);
  check_group(context, interface.group);
  for (size_t i = 0; i < 3; ++i) {
    if (groups[i] > context.limits.maxComputeWorkGroupCount[i]) fail("{} groups are too many", groups[i]);
  }
  Job job(context);
  Resources resources(job, shader);
  const Specialization specialization(shader);
  auto info = structure<VkComputePipelineCreateInfo>(VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO);
  info.stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  info.stage.stage = VK_SHADER_STAGE_COMPUTE_BIT;
  info.stage.module = job.module(shader.words);
  info.stage.pName = shader.entry.c_str();
  info.stage.pSpecializationInfo = &specialization.info;
  info.layout = resources.layout();
  VkPipeline pipeline = VK_NULL_HANDLE;
  check(job.vk.CreateComputePipelines(context.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateComputePipelines");
  job.defer([&job, pipeline] { job.vk.DestroyPipeline(job.context.device, pipeline, nullptr); });
  job.barrier();
  job.vk.CmdBindPipeline(job.commands, VK_PIPELINE_BIND_POINT_COMPUTE, pipeline);
  resources.bind(VK_PIPELINE_BIND_POINT_COMPUTE);
  if (const auto& words = shader.push_constants; !words.empty()) {
    job.vk.CmdPushConstants(job.commands, info.layout, VK_SHADER_STAGE_COMPUTE_BIT, 0,
                            static_cast<uint32_t>(words.size() * sizeof(uint32_t)), words.data());
  }
  job.vk.CmdDispatch(job.commands, groups[0], groups[1], groups[2]);
  resources.read_back();
  job.run();
  resources.store();
}

}  // namespace texlate::sim::vulkan
