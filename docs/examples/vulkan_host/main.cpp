// A small Direct3D-like host on Vulkan: draws a square with a vertex and a pixel shader from DXBC containers,
// off screen, and writes the picture. It shows what a host does with texlate:
//
//   * says what the device lacks, so that a shader takes another form or is refused by name (properties_of),
//   * names where each register is bound (Stage), and makes descriptors from the same lists
//   (make_descriptors),
//   * lets the vertex shader write the locations that the pixel shader reads (texlate_spirv_options::next),
//   * takes vertex attributes from the signature (attributes_of),
//   * flips y with the viewport (draw).
//
//     vulkan_host VERTEX_SHADER PIXEL_SHADER PICTURE.ppm
//
// Vulkan's functions come from volk, which loads them at run time. Exit status 77: there is no Vulkan device.
#define VOLK_IMPLEMENTATION
#include <volk.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "texlate/texlate.hpp"

namespace {

constexpr uint32_t kSize = 64;  // of the picture, in pixels

[[noreturn]] void fail(const std::string& message, int status = 1) {
  std::fprintf(stderr, "vulkan_host: %s\n", message.c_str());
  std::exit(status);
}

void check(VkResult result, const char* call) {
  if (result != VK_SUCCESS) fail(std::string(call) + " returned " + std::to_string(result));
}

// ---- shaders ----

std::string read_file(const char* path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail(std::string("cannot read ") + path);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// A shader, and where its registers are bound: set 0 for the vertex shader, 1 for the pixel shader, in the
/// order of the declarations.
struct Stage {
  Stage(const char* path, uint32_t set) : program(read_file(path)) {
    for (const auto& message : program.diagnostics())
      std::fprintf(stderr, "%s: %s\n", path, std::string(message.message).c_str());
    if (!program.ok()) fail("a shader cannot be read");
    for (uint32_t i = 0; i < program.info().binding_count; ++i) {
      texlate_binding declared = TEXLATE_BINDING_INIT;
      texlate_program_get_binding(program.get(), i, &declared);
      texlate_spirv_binding place{};
      place.register_class = declared.kind;
      place.first = declared.lower_bound;
      place.space = declared.space;
      place.count = 1;
      place.set = set;
      place.binding = static_cast<uint32_t>(places.size());
      places.push_back(place);
      kinds.push_back(declared.kind);
    }
  }

  texlate::api::Program program;
  std::vector<texlate_spirv_binding> places;
  std::vector<texlate_register_class> kinds;
};

std::vector<texlate_device_property> properties_of(VkPhysicalDevice device) {
  VkPhysicalDeviceVulkan12Features newer{};
  newer.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES;
  VkPhysicalDeviceShaderDemoteToHelperInvocationFeatures demote{};
  demote.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES;
  demote.pNext = &newer;
  VkPhysicalDeviceFeatures2 features{};
  features.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2;
  features.pNext = &demote;
  vkGetPhysicalDeviceFeatures2(device, &features);
  VkPhysicalDeviceProperties properties;
  vkGetPhysicalDeviceProperties(device, &properties);
  // This host enables only what is listed here, so everything else is missing, too.
  std::vector<texlate_device_property> all;
  for (uint32_t i = 0; const char* const name = texlate_device_property_name(i); ++i) {
    if (std::strncmp(name, "max", 3) != 0 && std::strncmp(name, "min", 3) != 0) all.push_back({name, 0});
  }
  const auto tell = [&all](const char* name, int64_t value) {
    for (texlate_device_property& property : all) {
      if (std::strcmp(property.name, name) == 0) {
        property.value = value;
        return;
      }
    }
    all.push_back({name, value});
  };
  tell("shaderDemoteToHelperInvocation", demote.shaderDemoteToHelperInvocation);
  tell("shaderImageGatherExtended", features.features.shaderImageGatherExtended);
  tell("shaderClipDistance", features.features.shaderClipDistance);
  tell("shaderDrawParameters", 1);
  tell("maxFragmentInputComponents", properties.limits.maxFragmentInputComponents);
  tell("maxVertexOutputComponents", properties.limits.maxVertexOutputComponents);
  return all;
}

/// The SPIR-V module of a stage. `next`: the stage that reads its outputs, or null.
std::string translate(const Stage& stage, const Stage* next,
                      const std::vector<texlate_device_property>& device) {
  texlate_spirv_options spirv = TEXLATE_SPIRV_OPTIONS_INIT;
  spirv.robustness = TEXLATE_ROBUSTNESS_SHADER;  // the device is made without robustness features
  spirv.bindings = stage.places.data();
  spirv.binding_count = stage.places.size();
  spirv.strict_bindings = 1;
  spirv.next = next != nullptr ? next->program.get() : nullptr;
  spirv.device = device.data();
  spirv.device_count = device.size();
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = "spirv";
  options.spirv = &spirv;
  const texlate::api::Output output = stage.program.translate(options);
  for (const auto& message : output.diagnostics())
    std::fprintf(stderr, "%s\n", std::string(message.message).c_str());
  if (output.status() == TEXLATE_ERROR_ARGUMENT) fail(texlate_argument_error());
  if (!output.ok()) fail("a shader cannot be translated");
  return std::string(output.data());
}

// ---- Vulkan ----

struct Vulkan {
  VkInstance instance = VK_NULL_HANDLE;
  VkPhysicalDevice physical = VK_NULL_HANDLE;
  VkDevice device = VK_NULL_HANDLE;
  VkQueue queue = VK_NULL_HANDLE;
  VkCommandPool pool = VK_NULL_HANDLE;
  VkCommandBuffer commands = VK_NULL_HANDLE;
  std::vector<texlate_device_property> properties;
};

Vulkan make_device() {
  Vulkan vulkan;
  VkApplicationInfo application{};
  application.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO;
  application.apiVersion = VK_API_VERSION_1_3;
  VkInstanceCreateInfo instance{};
  instance.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO;
  instance.pApplicationInfo = &application;
  if (volkInitialize() != VK_SUCCESS || vkCreateInstance(&instance, nullptr, &vulkan.instance) != VK_SUCCESS)
    fail("there is no Vulkan device", 77);
  volkLoadInstance(vulkan.instance);
  uint32_t count = 1;
  if (vkEnumeratePhysicalDevices(vulkan.instance, &count, &vulkan.physical) < 0 || count == 0)
    fail("there is no Vulkan device", 77);
  vulkan.properties = properties_of(vulkan.physical);

  VkPhysicalDeviceVulkan13Features newest{};
  newest.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES;
  newest.shaderDemoteToHelperInvocation = VK_TRUE;
  newest.dynamicRendering = VK_TRUE;
  newest.synchronization2 = VK_TRUE;
  VkPhysicalDeviceVulkan11Features newer{};
  newer.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_1_FEATURES;
  newer.pNext = &newest;
  newer.shaderDrawParameters = VK_TRUE;
  VkPhysicalDeviceFeatures supported, enabled{};
  vkGetPhysicalDeviceFeatures(vulkan.physical, &supported);
  enabled.shaderImageGatherExtended = supported.shaderImageGatherExtended;
  enabled.shaderClipDistance = supported.shaderClipDistance;
  const float priority = 1;
  VkDeviceQueueCreateInfo queue{};
  queue.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO;
  queue.queueCount = 1;  // of family 0, which draws on every known device
  queue.pQueuePriorities = &priority;
  VkDeviceCreateInfo device{};
  device.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO;
  device.pNext = &newer;
  device.queueCreateInfoCount = 1;
  device.pQueueCreateInfos = &queue;
  device.pEnabledFeatures = &enabled;
  check(vkCreateDevice(vulkan.physical, &device, nullptr, &vulkan.device), "vkCreateDevice");
  volkLoadDevice(vulkan.device);
  vkGetDeviceQueue(vulkan.device, 0, 0, &vulkan.queue);

  VkCommandPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO;
  check(vkCreateCommandPool(vulkan.device, &pool, nullptr, &vulkan.pool), "vkCreateCommandPool");
  VkCommandBufferAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO;
  allocate.commandPool = vulkan.pool;
  allocate.commandBufferCount = 1;
  check(vkAllocateCommandBuffers(vulkan.device, &allocate, &vulkan.commands), "vkAllocateCommandBuffers");
  VkCommandBufferBeginInfo begin{};
  begin.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO;
  check(vkBeginCommandBuffer(vulkan.commands, &begin), "vkBeginCommandBuffer");
  return vulkan;
}

VkDeviceMemory allocate(const Vulkan& vulkan, const VkMemoryRequirements& needs,
                        VkMemoryPropertyFlags wanted) {
  VkPhysicalDeviceMemoryProperties types;
  vkGetPhysicalDeviceMemoryProperties(vulkan.physical, &types);
  VkMemoryAllocateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO;
  info.allocationSize = needs.size;
  while (info.memoryTypeIndex < types.memoryTypeCount &&
         ((needs.memoryTypeBits >> info.memoryTypeIndex & 1) == 0 ||
          (types.memoryTypes[info.memoryTypeIndex].propertyFlags & wanted) != wanted))
    ++info.memoryTypeIndex;
  VkDeviceMemory memory;
  check(vkAllocateMemory(vulkan.device, &info, nullptr, &memory), "vkAllocateMemory");
  return memory;
}

struct Buffer {
  VkBuffer handle = VK_NULL_HANDLE;
  void* data = nullptr;  // mapped
};

Buffer make_buffer(const Vulkan& vulkan, VkDeviceSize size, VkBufferUsageFlags usage,
                   const void* data = nullptr) {
  Buffer buffer;
  VkBufferCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO;
  info.size = size;
  info.usage = usage;
  check(vkCreateBuffer(vulkan.device, &info, nullptr, &buffer.handle), "vkCreateBuffer");
  VkMemoryRequirements needs;
  vkGetBufferMemoryRequirements(vulkan.device, buffer.handle, &needs);
  const VkDeviceMemory memory =
      allocate(vulkan, needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
  check(vkBindBufferMemory(vulkan.device, buffer.handle, memory, 0), "vkBindBufferMemory");
  check(vkMapMemory(vulkan.device, memory, 0, VK_WHOLE_SIZE, 0, &buffer.data), "vkMapMemory");
  if (data != nullptr) std::memcpy(buffer.data, data, size);
  return buffer;
}

struct Image {
  VkImage handle = VK_NULL_HANDLE;
  VkImageView view = VK_NULL_HANDLE;
};

Image make_image(const Vulkan& vulkan, uint32_t size, VkImageUsageFlags usage) {
  Image image;
  VkImageCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO;
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = VK_FORMAT_R8G8B8A8_UNORM;
  info.extent = {size, size, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  info.usage = usage;
  check(vkCreateImage(vulkan.device, &info, nullptr, &image.handle), "vkCreateImage");
  VkMemoryRequirements needs;
  vkGetImageMemoryRequirements(vulkan.device, image.handle, &needs);
  check(vkBindImageMemory(vulkan.device, image.handle, allocate(vulkan, needs, 0), 0), "vkBindImageMemory");
  VkImageViewCreateInfo view{};
  view.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO;
  view.image = image.handle;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = info.format;
  view.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  check(vkCreateImageView(vulkan.device, &view, nullptr, &image.view), "vkCreateImageView");
  return image;
}

/// Everything before is finished and visible to everything after.
void change_layout(const Vulkan& vulkan, VkImage image, VkImageLayout from, VkImageLayout to) {
  VkImageMemoryBarrier2 barrier{};
  barrier.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER_2;
  barrier.srcStageMask = barrier.dstStageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT;
  barrier.srcAccessMask = VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.dstAccessMask = VK_ACCESS_2_MEMORY_READ_BIT | VK_ACCESS_2_MEMORY_WRITE_BIT;
  barrier.oldLayout = from;
  barrier.newLayout = to;
  barrier.image = image;
  barrier.subresourceRange = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1};
  VkDependencyInfo info{};
  info.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO;
  info.imageMemoryBarrierCount = 1;
  info.pImageMemoryBarriers = &barrier;
  vkCmdPipelineBarrier2(vulkan.commands, &info);
}

VkBufferImageCopy whole_image(uint32_t size) {
  VkBufferImageCopy region{};
  region.imageSubresource = {VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1};
  region.imageExtent = {size, size, 1};
  return region;
}

/// Squares of two colors; the second is transparent.
Image make_texture(const Vulkan& vulkan) {
  constexpr uint32_t kTexels = 4;
  uint32_t texels[kTexels * kTexels];
  for (uint32_t i = 0; i < kTexels * kTexels; ++i)
    texels[i] = (i % kTexels + i / kTexels) % 2 == 0 ? 0xff00a5ff : 0;
  const Buffer source = make_buffer(vulkan, sizeof texels, VK_BUFFER_USAGE_TRANSFER_SRC_BIT, texels);
  const Image image =
      make_image(vulkan, kTexels, VK_IMAGE_USAGE_TRANSFER_DST_BIT | VK_IMAGE_USAGE_SAMPLED_BIT);
  change_layout(vulkan, image.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL);
  const VkBufferImageCopy region = whole_image(kTexels);
  vkCmdCopyBufferToImage(vulkan.commands, source.handle, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                         1, &region);
  change_layout(vulkan, image.handle, VK_IMAGE_LAYOUT_TRANSFER_DST_OPTIMAL,
                VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL);
  return image;
}

// ---- descriptors ----

/// What this host binds: to every cb# the same rows, to every t# the same texture, to every s# the same
/// sampler.
struct Resources {
  Buffer constants;
  Image texture;
  VkSampler sampler = VK_NULL_HANDLE;
};

VkDescriptorType descriptor_type(texlate_register_class kind) {
  switch (kind) {
    case TEXLATE_REGISTER_CONSTANT_BUFFER: return VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER;
    case TEXLATE_REGISTER_SAMPLER: return VK_DESCRIPTOR_TYPE_SAMPLER;
    case TEXLATE_REGISTER_RESOURCE: return VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE;
    default: fail("this host binds no unordered access views");
  }
}

struct Descriptors {
  VkDescriptorSetLayout layout = VK_NULL_HANDLE;
  VkDescriptorSet set = VK_NULL_HANDLE;
};

Descriptors make_descriptors(const Vulkan& vulkan, const Stage& stage, const Resources& resources) {
  Descriptors made;
  std::vector<VkDescriptorSetLayoutBinding> bindings;
  for (size_t i = 0; i < stage.places.size(); ++i)
    bindings.push_back(
        {stage.places[i].binding, descriptor_type(stage.kinds[i]), 1, VK_SHADER_STAGE_ALL_GRAPHICS, nullptr});
  VkDescriptorSetLayoutCreateInfo layout{};
  layout.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO;
  layout.bindingCount = static_cast<uint32_t>(bindings.size());
  layout.pBindings = bindings.data();
  check(vkCreateDescriptorSetLayout(vulkan.device, &layout, nullptr, &made.layout),
        "vkCreateDescriptorSetLayout");
  const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 16},
                                        {VK_DESCRIPTOR_TYPE_SAMPLER, 16},
                                        {VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 128}};
  VkDescriptorPoolCreateInfo pool{};
  pool.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO;
  pool.maxSets = 1;
  pool.poolSizeCount = 3;
  pool.pPoolSizes = sizes;
  VkDescriptorSetAllocateInfo allocate{};
  allocate.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO;
  check(vkCreateDescriptorPool(vulkan.device, &pool, nullptr, &allocate.descriptorPool),
        "vkCreateDescriptorPool");
  allocate.descriptorSetCount = 1;
  allocate.pSetLayouts = &made.layout;
  check(vkAllocateDescriptorSets(vulkan.device, &allocate, &made.set), "vkAllocateDescriptorSets");
  const VkDescriptorBufferInfo buffer = {resources.constants.handle, 0, VK_WHOLE_SIZE};
  const VkDescriptorImageInfo image = {resources.sampler, resources.texture.view,
                                       VK_IMAGE_LAYOUT_SHADER_READ_ONLY_OPTIMAL};
  for (const VkDescriptorSetLayoutBinding& binding : bindings) {
    VkWriteDescriptorSet write{};
    write.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET;
    write.dstSet = made.set;
    write.dstBinding = binding.binding;
    write.descriptorCount = 1;
    write.descriptorType = binding.descriptorType;
    write.pBufferInfo = &buffer;
    write.pImageInfo = &image;
    vkUpdateDescriptorSets(vulkan.device, 1, &write, 0, nullptr);
  }
  return made;
}

// ---- the pipeline ----

/// A corner of the square.
struct Vertex {
  float position[4], texcoord[2], color[4];
};
constexpr Vertex kCorners[] = {{{-1, 1, 0, 1}, {0, 0}, {1, 1, 1, 1}},
                               {{1, 1, 0, 1}, {1, 0}, {1, 1, 1, 1}},
                               {{-1, -1, 0, 1}, {0, 1}, {1, 1, 1, 1}},
                               {{1, -1, 0, 1}, {1, 1}, {1, 1, 1, 1}}};

/// The location of an attribute is its register.
std::vector<VkVertexInputAttributeDescription> attributes_of(const texlate::api::Program& program) {
  std::vector<VkVertexInputAttributeDescription> all;
  for (const texlate_signature_element& element : program.signature(TEXLATE_SIGNATURE_INPUT)) {
    const std::string name = element.semantic_name;
    if (name == "POSITION") {
      all.push_back({element.register_index, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(Vertex, position)});
    } else if (name == "TEXCOORD") {
      all.push_back({element.register_index, 0, VK_FORMAT_R32G32_SFLOAT, offsetof(Vertex, texcoord)});
    } else if (name == "COLOR") {
      all.push_back({element.register_index, 0, VK_FORMAT_R32G32B32A32_SFLOAT, offsetof(Vertex, color)});
    } else if (element.system_value == 0) {
      fail("the vertices have no " + name);
    }
  }
  return all;
}

VkPipelineShaderStageCreateInfo make_stage(const Vulkan& vulkan, VkShaderStageFlagBits which,
                                           const std::string& module) {
  std::vector<uint32_t> words(module.size() / sizeof(uint32_t));
  std::memcpy(words.data(), module.data(), module.size());
  VkShaderModuleCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO;
  info.codeSize = module.size();
  info.pCode = words.data();
  VkPipelineShaderStageCreateInfo stage{};
  stage.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO;
  stage.stage = which;
  stage.pName = "main";
  check(vkCreateShaderModule(vulkan.device, &info, nullptr, &stage.module), "vkCreateShaderModule");
  return stage;
}

VkPipelineLayout make_layout(const Vulkan& vulkan, const Descriptors& vertex, const Descriptors& pixel) {
  const VkDescriptorSetLayout sets[] = {vertex.layout, pixel.layout};
  VkPipelineLayoutCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO;
  info.setLayoutCount = 2;
  info.pSetLayouts = sets;
  VkPipelineLayout layout;
  check(vkCreatePipelineLayout(vulkan.device, &info, nullptr, &layout), "vkCreatePipelineLayout");
  return layout;
}

VkPipeline make_pipeline(const Vulkan& vulkan, const Stage& vertex, const Stage& pixel,
                         VkPipelineLayout layout) {
  const VkPipelineShaderStageCreateInfo stages[] = {
      make_stage(vulkan, VK_SHADER_STAGE_VERTEX_BIT, translate(vertex, &pixel, vulkan.properties)),
      make_stage(vulkan, VK_SHADER_STAGE_FRAGMENT_BIT, translate(pixel, nullptr, vulkan.properties))};
  const auto attributes = attributes_of(vertex.program);
  const VkVertexInputBindingDescription buffer = {0, sizeof(Vertex), VK_VERTEX_INPUT_RATE_VERTEX};
  VkPipelineVertexInputStateCreateInfo input{};
  input.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO;
  input.vertexBindingDescriptionCount = 1;
  input.pVertexBindingDescriptions = &buffer;
  input.vertexAttributeDescriptionCount = static_cast<uint32_t>(attributes.size());
  input.pVertexAttributeDescriptions = attributes.data();
  VkPipelineInputAssemblyStateCreateInfo assembly{};
  assembly.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO;
  assembly.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_STRIP;
  VkPipelineViewportStateCreateInfo viewport{};
  viewport.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO;
  viewport.viewportCount = viewport.scissorCount = 1;
  // Direct3D's default state: back faces are culled, and front faces are clockwise.
  VkPipelineRasterizationStateCreateInfo raster{};
  raster.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO;
  raster.cullMode = VK_CULL_MODE_BACK_BIT;
  raster.frontFace = VK_FRONT_FACE_CLOCKWISE;
  raster.lineWidth = 1;
  VkPipelineMultisampleStateCreateInfo samples{};
  samples.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO;
  samples.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT;
  VkPipelineColorBlendAttachmentState all{};
  all.colorWriteMask = 0xf;
  VkPipelineColorBlendStateCreateInfo blend{};
  blend.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO;
  blend.attachmentCount = 1;
  blend.pAttachments = &all;
  const VkDynamicState dynamic[] = {VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR};
  VkPipelineDynamicStateCreateInfo late{};
  late.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO;
  late.dynamicStateCount = 2;
  late.pDynamicStates = dynamic;
  const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
  VkPipelineRenderingCreateInfo rendering{};
  rendering.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachmentFormats = &format;
  VkGraphicsPipelineCreateInfo info{};
  info.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO;
  info.pNext = &rendering;
  info.stageCount = 2;
  info.pStages = stages;
  info.pVertexInputState = &input;
  info.pInputAssemblyState = &assembly;
  info.pViewportState = &viewport;
  info.pRasterizationState = &raster;
  info.pMultisampleState = &samples;
  info.pColorBlendState = &blend;
  info.pDynamicState = &late;
  info.layout = layout;
  VkPipeline pipeline;
  check(vkCreateGraphicsPipelines(vulkan.device, VK_NULL_HANDLE, 1, &info, nullptr, &pipeline),
        "vkCreateGraphicsPipelines");
  return pipeline;
}

// ---- the picture ----

void draw(const Vulkan& vulkan, const Image& target, VkPipeline pipeline, VkPipelineLayout layout,
          const Descriptors& vertex, const Descriptors& pixel) {
  const Buffer corners = make_buffer(vulkan, sizeof kCorners, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT, kCorners);
  VkRenderingAttachmentInfo attachment{};
  attachment.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO;
  attachment.imageView = target.view;
  attachment.imageLayout = VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL;
  attachment.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR;
  attachment.storeOp = VK_ATTACHMENT_STORE_OP_STORE;
  VkRenderingInfo rendering{};
  rendering.sType = VK_STRUCTURE_TYPE_RENDERING_INFO;
  rendering.renderArea.extent = {kSize, kSize};
  rendering.layerCount = 1;
  rendering.colorAttachmentCount = 1;
  rendering.pColorAttachments = &attachment;
  // y points up in Direct3D.
  const VkViewport viewport = {0, kSize, kSize, -static_cast<float>(kSize), 0, 1};
  const VkRect2D scissor = {{0, 0}, {kSize, kSize}};
  const VkDescriptorSet sets[] = {vertex.set, pixel.set};
  const VkDeviceSize start = 0;
  vkCmdBeginRendering(vulkan.commands, &rendering);
  vkCmdBindPipeline(vulkan.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  vkCmdBindDescriptorSets(vulkan.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, layout, 0, 2, sets, 0, nullptr);
  vkCmdSetViewport(vulkan.commands, 0, 1, &viewport);
  vkCmdSetScissor(vulkan.commands, 0, 1, &scissor);
  vkCmdBindVertexBuffers(vulkan.commands, 0, 1, &corners.handle, &start);
  vkCmdDraw(vulkan.commands, 4, 1, 0, 0);
  vkCmdEndRendering(vulkan.commands);
}

void run(const Vulkan& vulkan) {
  check(vkEndCommandBuffer(vulkan.commands), "vkEndCommandBuffer");
  VkSubmitInfo submit{};
  submit.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO;
  submit.commandBufferCount = 1;
  submit.pCommandBuffers = &vulkan.commands;
  check(vkQueueSubmit(vulkan.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
  check(vkQueueWaitIdle(vulkan.queue), "vkQueueWaitIdle");
}

void write_picture(const char* path, const void* pixels) {
  std::ofstream file(path, std::ios::binary);
  file << "P6\n" << kSize << ' ' << kSize << "\n255\n";
  const char* const bytes = static_cast<const char*>(pixels);
  for (uint32_t i = 0; i < kSize * kSize; ++i) file.write(bytes + size_t{4} * i, 3);
  if (!file) fail(std::string("cannot write ") + path);
}

Resources make_resources(const Vulkan& vulkan) {
  Resources resources;
  // What a game's vertex shader expects first: the matrix from the vertices to the screen, row by row.
  const float rows[][4] = {{0.75f, 0, 0, 0}, {0, 0.75f, 0, 0}, {0, 0, 1, 0}, {0, 0, 0, 1}};
  resources.constants = make_buffer(vulkan, sizeof rows, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT, rows);
  resources.texture = make_texture(vulkan);
  VkSamplerCreateInfo sampler{};
  sampler.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO;
  sampler.maxLod = VK_LOD_CLAMP_NONE;
  check(vkCreateSampler(vulkan.device, &sampler, nullptr, &resources.sampler), "vkCreateSampler");
  return resources;
}

}  // namespace

/// The objects live as long as the process.
int main(int count, char** arguments) {
  if (count != 4) fail("usage: vulkan_host VERTEX_SHADER PIXEL_SHADER PICTURE.ppm", 2);
  const Stage vertex(arguments[1], 0), pixel(arguments[2], 1);
  const Vulkan vulkan = make_device();
  const Resources resources = make_resources(vulkan);
  const Descriptors of_vertex = make_descriptors(vulkan, vertex, resources);
  const Descriptors of_pixel = make_descriptors(vulkan, pixel, resources);
  const VkPipelineLayout layout = make_layout(vulkan, of_vertex, of_pixel);
  const VkPipeline pipeline = make_pipeline(vulkan, vertex, pixel, layout);
  const Image target =
      make_image(vulkan, kSize, VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT);
  change_layout(vulkan, target.handle, VK_IMAGE_LAYOUT_UNDEFINED, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL);
  draw(vulkan, target, pipeline, layout, of_vertex, of_pixel);
  change_layout(vulkan, target.handle, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL,
                VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL);
  const Buffer picture =
      make_buffer(vulkan, VkDeviceSize{4} * kSize * kSize, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  const VkBufferImageCopy region = whole_image(kSize);
  vkCmdCopyImageToBuffer(vulkan.commands, target.handle, VK_IMAGE_LAYOUT_TRANSFER_SRC_OPTIMAL, picture.handle,
                         1, &region);
  run(vulkan);
  write_picture(arguments[3], picture.data);
}
