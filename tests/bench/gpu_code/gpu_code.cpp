// Compiles SPIR-V modules with a Vulkan driver's compiler and prints the driver's statistics of their code
// (VK_KHR_pipeline_executable_properties). A driver that makes code without a GPU will do, as Mesa's RADV
// with RADV_FORCE_FAMILY. gpu_code.py writes the jobs, one a line of standard input, fields separated by
// spaces, "-" for none:
//
//   STAGE MODULE PARTNER TARGETS BINDINGS ATTRIBUTES
//
//   STAGE       vertex, pixel or compute
//   PARTNER     the module of the other stage of a graphics pipeline
//   TARGETS     a letter for each render target and each ATTRIBUTE's type: f, i or u
//   BINDINGS    SET,BINDING,TYPE,COUNT;... with VkDescriptorType as a number; 128 bytes of push constants
//               are always declared
//   ATTRIBUTES  LOCATION,LETTER;...
//
// Prints "MODULE NAME=NUMBER ..." for each, or "MODULE failed: ...". A driver that crashes loses one job.

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <iostream>
#include <iterator>
#include <map>
#include <sstream>
#include <vector>

#include "tests/bench/gpu_code/device.h"

namespace texlate::bench {
namespace {

struct Job {
  std::string stage, module, partner, targets, bindings, attributes;
};

std::vector<std::string> split(const std::string& text, char separator) {
  std::vector<std::string> parts;
  if (text == "-") return parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, separator);) parts.push_back(part);
  return parts;
}

Job read_job(const std::string& line) {
  const std::vector<std::string> fields = split(line, ' ');
  if (fields.size() != 6) throw std::runtime_error("a job has six fields: " + line);
  return {fields[0], fields[1], fields[2], fields[3], fields[4], fields[5]};
}

VkFormat format_of(char letter) {
  return letter == 'f'   ? VK_FORMAT_R32G32B32A32_SFLOAT
         : letter == 'i' ? VK_FORMAT_R32G32B32A32_SINT
                         : VK_FORMAT_R32G32B32A32_UINT;
}

class Compiler {
 public:
  explicit Compiler(VkDevice device) : device_(device) {}

  VkPipeline compile(const Job& job) {
    const VkPipelineLayout layout = make_layout(job.bindings);
    return job.stage == "compute" ? compile_compute(job, layout) : compile_graphics(job, layout);
  }

  void print(const Job& job, VkPipeline pipeline) {
    const VkShaderStageFlags wanted = job.stage == "compute"  ? VK_SHADER_STAGE_COMPUTE_BIT
                                      : job.stage == "vertex" ? VK_SHADER_STAGE_VERTEX_BIT
                                                              : VK_SHADER_STAGE_FRAGMENT_BIT;
    VkPipelineInfoKHR info = {VK_STRUCTURE_TYPE_PIPELINE_INFO_KHR, nullptr, pipeline};
    for (uint32_t index = 0; const VkShaderStageFlags stages : stages_of(info)) {
      if ((stages & wanted) != 0)
        print_statistics(job, {VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_INFO_KHR, nullptr, pipeline, index});
      ++index;
    }
  }

 private:
  VkPipelineLayout make_layout(const std::string& bindings) {
    std::map<uint32_t, std::vector<VkDescriptorSetLayoutBinding>> sets;
    for (const std::string& text : split(bindings, ';')) {
      uint32_t set = 0, type = 0;
      VkDescriptorSetLayoutBinding binding = {};
      if (std::sscanf(text.c_str(), "%u,%u,%u,%u", &set, &binding.binding, &type, &binding.descriptorCount) !=
          4)
        throw std::runtime_error("a binding has four numbers: " + text);
      binding.descriptorType = static_cast<VkDescriptorType>(type);
      binding.stageFlags = VK_SHADER_STAGE_ALL;
      sets[set].push_back(binding);
    }
    std::vector<VkDescriptorSetLayout> layouts;
    for (uint32_t set = 0; !sets.empty() && set <= sets.rbegin()->first; ++set) {
      VkDescriptorSetLayoutCreateInfo info = {};
      info.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
      info.bindingCount = static_cast<uint32_t>(sets[set].size());
      info.pBindings = sets[set].data();
      check(vkCreateDescriptorSetLayout(device_, &info, nullptr, &layouts.emplace_back()),
            "vkCreateDescriptorSetLayout");
    }
    const VkPushConstantRange range = {VK_SHADER_STAGE_ALL, 0, 128};
    VkPipelineLayoutCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
    info.setLayoutCount = static_cast<uint32_t>(layouts.size());
    info.pSetLayouts = layouts.data();
    info.pushConstantRangeCount = 1;
    info.pPushConstantRanges = &range;
    VkPipelineLayout layout = nullptr;
    check(vkCreatePipelineLayout(device_, &info, nullptr, &layout), "vkCreatePipelineLayout");
    return layout;
  }

  /// Every module of ours, of vkd3d-shader's and of glslang's calls its entry point main.
  VkPipelineShaderStageCreateInfo stage(VkShaderStageFlagBits which, const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    const std::string bytes((std::istreambuf_iterator<char>(file)), {});
    VkShaderModuleCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
    info.codeSize = bytes.size();
    info.pCode = reinterpret_cast<const uint32_t*>(bytes.data());
    VkPipelineShaderStageCreateInfo result = {};
    result.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
    result.stage = which;
    result.pName = "main";
    check(vkCreateShaderModule(device_, &info, nullptr, &result.module), "vkCreateShaderModule");
    return result;
  }

  VkPipeline compile_compute(const Job& job, VkPipelineLayout layout) {
    VkComputePipelineCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO;
    info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    info.stage = stage(VK_SHADER_STAGE_COMPUTE_BIT, job.module);
    info.layout = layout;
    VkPipeline pipeline = nullptr;
    check(vkCreateComputePipelines(device_, nullptr, 1, &info, nullptr, &pipeline),
          "vkCreateComputePipelines");
    return pipeline;
  }

  VkPipeline compile_graphics(const Job& job, VkPipelineLayout layout) {
    const bool is_vertex = job.stage == "vertex";
    const VkPipelineShaderStageCreateInfo stages[] = {
        stage(VK_SHADER_STAGE_VERTEX_BIT, is_vertex ? job.module : job.partner),
        stage(VK_SHADER_STAGE_FRAGMENT_BIT, is_vertex ? job.partner : job.module)};
    std::vector<VkVertexInputBindingDescription> buffers;
    std::vector<VkVertexInputAttributeDescription> attributes;
    for (const std::string& text : split(job.attributes, ';')) {
      const uint32_t location = static_cast<uint32_t>(std::stoul(text));
      buffers.push_back({location, 16, VK_VERTEX_INPUT_RATE_VERTEX});
      attributes.push_back({location, location, format_of(text.back()), 0});
    }
    VkPipelineVertexInputStateCreateInfo input = {};
    input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
    input.vertexBindingDescriptionCount = static_cast<uint32_t>(buffers.size());
    input.pVertexBindingDescriptions = buffers.data();
    input.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size());
    input.pVertexAttributeDescriptions = attributes.data();
    std::vector<VkFormat> formats;
    if (job.targets != "-") std::ranges::transform(job.targets, std::back_inserter(formats), format_of);
    return compile_draw(layout, stages, input, formats);
  }

  /// A draw of triangles with depth and stencil, whose results are all written.
  VkPipeline compile_draw(VkPipelineLayout layout, const VkPipelineShaderStageCreateInfo (&stages)[2],
                          const VkPipelineVertexInputStateCreateInfo& input,
                          const std::vector<VkFormat>& formats) {
    VkPipelineInputAssemblyStateCreateInfo assembly = {};
    assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
    assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    const VkViewport viewport = {0, 0, 64, 64, 0, 1};
    const VkRect2D scissor = {{0, 0}, {64, 64}};
    VkPipelineViewportStateCreateInfo viewports = {};
    viewports.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
    viewports.viewportCount = viewports.scissorCount = 1;
    viewports.pViewports = &viewport;
    viewports.pScissors = &scissor;
    VkPipelineRasterizationStateCreateInfo rasterizer = {};
    rasterizer.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
    rasterizer.lineWidth = 1;
    VkPipelineMultisampleStateCreateInfo samples = {};
    samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
    samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
    VkPipelineDepthStencilStateCreateInfo depth = {};
    depth.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO;
    depth.depthTestEnable = depth.depthWriteEnable = VK_TRUE;
    depth.depthCompareOp = VK_COMPARE_OP_LESS;
    VkPipelineColorBlendAttachmentState all_components = {};
    all_components.colorWriteMask = 0xf;
    const std::vector<VkPipelineColorBlendAttachmentState> targets(formats.size(), all_components);
    VkPipelineColorBlendStateCreateInfo blend = {};
    blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
    blend.attachmentCount = static_cast<uint32_t>(targets.size());
    blend.pAttachments = targets.data();
    VkPipelineRenderingCreateInfo rendering = {};
    rendering.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
    rendering.colorAttachmentCount = static_cast<uint32_t>(formats.size());
    rendering.pColorAttachmentFormats = formats.data();
    rendering.depthAttachmentFormat = rendering.stencilAttachmentFormat = VK_FORMAT_D32_SFLOAT_S8_UINT;
    VkGraphicsPipelineCreateInfo info = {};
    info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
    info.pNext = &rendering;
    info.flags = VK_PIPELINE_CREATE_CAPTURE_STATISTICS_BIT_KHR;
    info.stageCount = 2;
    info.pStages = stages;
    info.pVertexInputState = &input;
    info.pInputAssemblyState = &assembly;
    info.pViewportState = &viewports;
    info.pRasterizationState = &rasterizer;
    info.pMultisampleState = &samples;
    info.pDepthStencilState = &depth;
    info.pColorBlendState = &blend;
    info.layout = layout;
    VkPipeline pipeline = nullptr;
    check(vkCreateGraphicsPipelines(device_, nullptr, 1, &info, nullptr, &pipeline),
          "vkCreateGraphicsPipelines");
    return pipeline;
  }

  /// What a function of the extension lists about `subject`.
  template <typename Listed, typename Function, typename Subject>
  std::vector<Listed> list(const char* name, VkStructureType type, const Subject& subject) {
    const auto function = reinterpret_cast<Function>(vkGetDeviceProcAddr(device_, name));
    uint32_t count = 0;
    function(device_, &subject, &count, nullptr);
    Listed empty = {};
    empty.sType = type;
    std::vector<Listed> all(count, empty);
    function(device_, &subject, &count, all.data());
    return all;
  }

  std::vector<VkShaderStageFlags> stages_of(const VkPipelineInfoKHR& info) {
    std::vector<VkShaderStageFlags> stages;
    for (const auto& each : list<VkPipelineExecutablePropertiesKHR, PFN_vkGetPipelineExecutablePropertiesKHR>(
             "vkGetPipelineExecutablePropertiesKHR", VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_PROPERTIES_KHR,
             info))
      stages.push_back(each.stages);
    return stages;
  }

  void print_statistics(const Job& job, const VkPipelineExecutableInfoKHR& executable) {
    std::cout << job.module;
    for (const auto& each : list<VkPipelineExecutableStatisticKHR, PFN_vkGetPipelineExecutableStatisticsKHR>(
             "vkGetPipelineExecutableStatisticsKHR", VK_STRUCTURE_TYPE_PIPELINE_EXECUTABLE_STATISTIC_KHR,
             executable))
      std::cout << ' ' << each.name << '=' << each.value.u64;
    std::cout << std::endl;
  }

  VkDevice device_;
};

/// Compiles jobs from `first` on, and writes the number of each to `progress` before it begins.
void compile_all(const std::vector<std::string>& lines, size_t first, int progress) {
  constexpr unsigned kMostSeconds = 60;  // for one job
  Compiler compiler(open_device());
  for (size_t i = first; i < lines.size(); ++i) {
    if (write(progress, &i, sizeof i) != sizeof i) return;
    alarm(kMostSeconds);
    const Job job = read_job(lines[i]);
    try {
      compiler.print(job, compiler.compile(job));
    } catch (const std::exception& error) {
      std::cout << job.module << " failed: " << error.what() << std::endl;
    }
  }
}

/// In a process of its own. Returns the number of the first job that is left.
size_t compile_until_crash(const std::vector<std::string>& lines, size_t first) {
  int ends[2];
  if (pipe(ends) != 0) throw std::runtime_error("pipe failed");
  const pid_t child = fork();
  if (child == 0) {
    close(ends[0]);
    try {
      compile_all(lines, first, ends[1]);
    } catch (const std::exception& error) {
      std::cerr << "gpu_code: " << error.what() << '\n';
      _exit(2);
    }
    _exit(0);
  }
  close(ends[1]);
  size_t last = first;
  for (size_t at = 0; read(ends[0], &at, sizeof at) == sizeof at;) last = at;
  close(ends[0]);
  int status = 0;
  waitpid(child, &status, 0);
  if (WIFEXITED(status) && WEXITSTATUS(status) != 0) throw std::runtime_error("nothing can be compiled");
  if (!WIFSIGNALED(status)) return lines.size();
  std::cout << read_job(lines[last]).module << " failed: the driver's compiler crashed" << std::endl;
  return last + 1;
}

}  // namespace
}  // namespace texlate::bench

int main() {
  std::vector<std::string> lines;
  for (std::string line; std::getline(std::cin, line);) lines.push_back(line);
  try {
    for (size_t next = 0; next < lines.size();) next = texlate::bench::compile_until_crash(lines, next);
  } catch (const std::exception& error) {
    std::cerr << "gpu_code: " << error.what() << '\n';
    return 1;
  }
  return 0;
}
