// Finds a device and enables those of its features that Direct3D's shaders use.

#include "sim/vulkan/device.h"

#include <algorithm>
#include <cctype>
#include <cstdlib>

#include "ir/base/diagnostics.h"
#include "sim/vulkan/context.h"
#include "sim/vulkan/jobs.h"

namespace texlate::sim::vulkan {

namespace {

constexpr const char* kWantedExtensions[] = {
    VK_EXT_ROBUSTNESS_2_EXTENSION_NAME,
    VK_EXT_SHADER_DEMOTE_TO_HELPER_INVOCATION_EXTENSION_NAME,
    VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME,
    VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME,
    VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME,
    VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME,
    VK_EXT_SHADER_STENCIL_EXPORT_EXTENSION_NAME,
    VK_EXT_SHADER_VIEWPORT_INDEX_LAYER_EXTENSION_NAME,
    VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME,
    VK_EXT_DEPTH_RANGE_UNRESTRICTED_EXTENSION_NAME,
    VK_EXT_POST_DEPTH_COVERAGE_EXTENSION_NAME,
    VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME,
    VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME,
    VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME,
    VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME,
    VK_KHR_SHADER_CLOCK_EXTENSION_NAME,
    VK_KHR_SHADER_NON_SEMANTIC_INFO_EXTENSION_NAME,
    VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME,
};

template <typename Feature>
void* chain(Feature& feature, VkStructureType type, bool there, void* next) {
  feature.sType = type;
  if (!there) return next;
  feature.pNext = next;
  return &feature;
}

/// The structures of the extensions that are present, in one chain. The device is created with the same chain
/// that was queried.
struct FeatureChain {
  VkPhysicalDeviceFeatures2 core =
      structure<VkPhysicalDeviceFeatures2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2);
  VkPhysicalDeviceShaderDrawParametersFeatures draw_parameters{};
  VkPhysicalDeviceRobustness2FeaturesEXT robustness{};
  VkPhysicalDeviceShaderDemoteToHelperInvocationFeaturesEXT demote{};
  VkPhysicalDeviceDescriptorIndexingFeaturesEXT indexing{};
  VkPhysicalDeviceCustomBorderColorFeaturesEXT border{};
  VkPhysicalDeviceTransformFeedbackFeaturesEXT transform_feedback{};
  VkPhysicalDeviceFragmentShaderInterlockFeaturesEXT interlock{};
  VkPhysicalDeviceDepthClipEnableFeaturesEXT depth_clip{};
  VkPhysicalDeviceLineRasterizationFeaturesEXT lines{};
  VkPhysicalDeviceShaderAtomicFloatFeaturesEXT float_atomics{};
  VkPhysicalDeviceShaderClockFeaturesKHR clock{};

  explicit FeatureChain(const Context& context, bool robust) {
    void* next = nullptr;
    next =
        chain(draw_parameters, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DRAW_PARAMETERS_FEATURES, true, next);
    next = chain(robustness, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_ROBUSTNESS_2_FEATURES_EXT,
                 robust && context.has(VK_EXT_ROBUSTNESS_2_EXTENSION_NAME), next);
    next = chain(demote, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_DEMOTE_TO_HELPER_INVOCATION_FEATURES_EXT,
                 context.has(VK_EXT_SHADER_DEMOTE_TO_HELPER_INVOCATION_EXTENSION_NAME), next);
    next = chain(indexing, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DESCRIPTOR_INDEXING_FEATURES_EXT,
                 context.has(VK_EXT_DESCRIPTOR_INDEXING_EXTENSION_NAME), next);
    next = chain(border, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_CUSTOM_BORDER_COLOR_FEATURES_EXT,
                 context.has(VK_EXT_CUSTOM_BORDER_COLOR_EXTENSION_NAME), next);
    next = chain(transform_feedback, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
                 context.has(VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME), next);
    next = chain(interlock, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FRAGMENT_SHADER_INTERLOCK_FEATURES_EXT,
                 context.has(VK_EXT_FRAGMENT_SHADER_INTERLOCK_EXTENSION_NAME), next);
    next = chain(depth_clip, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_DEPTH_CLIP_ENABLE_FEATURES_EXT,
                 context.has(VK_EXT_DEPTH_CLIP_ENABLE_EXTENSION_NAME), next);
    next = chain(lines, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_LINE_RASTERIZATION_FEATURES_EXT,
                 context.has(VK_EXT_LINE_RASTERIZATION_EXTENSION_NAME), next);
    next = chain(float_atomics, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_ATOMIC_FLOAT_FEATURES_EXT,
                 context.has(VK_EXT_SHADER_ATOMIC_FLOAT_EXTENSION_NAME), next);
    next = chain(clock, VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_SHADER_CLOCK_FEATURES_KHR,
                 context.has(VK_KHR_SHADER_CLOCK_EXTENSION_NAME), next);
    core.pNext = next;
    context.vk.GetPhysicalDeviceFeatures2(context.physical, &core);
    if (!robust) core.features.robustBufferAccess = VK_FALSE;
  }
};

std::string lower_case(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

class VulkanDevice final : public Device {
 public:
  ~VulkanDevice() override {
    if (context_.device != VK_NULL_HANDLE) {
      if (context_.commands != VK_NULL_HANDLE)
        context_.vk.DestroyCommandPool(context_.device, context_.commands, nullptr);
      context_.vk.DestroyDevice(context_.device, nullptr);
    }
    if (context_.instance != VK_NULL_HANDLE) context_.vk.DestroyInstance(context_.instance, nullptr);
  }

  void open(const DeviceOptions& options) {
    context_.timeout = uint64_t{options.timeout_seconds} * 1'000'000'000u;
    make_instance();
    choose(options);
    make_device(options.robust);
  }

  const std::string& name() const override { return context_.name; }
  bool reads_without_format() const override {
    return context_.features.shaderStorageImageReadWithoutFormat != VK_FALSE;
  }

  bool preserves_specials() const override { return context_.preserves_specials; }
  bool has_float_controls() const override { return context_.float_controls; }
  const std::string& missing_feature() const override { return missing_feature_; }

  bool dispatch(const Shader& shader, std::array<uint32_t, 3> groups, Diagnostics& diagnostics) override {
    return guarded(diagnostics, [&] { run_dispatch(context_, shader, groups); });
  }
  bool draw_pixels(const Shader& shader, PixelJob& job, Diagnostics& diagnostics) override {
    return guarded(diagnostics, [&] { run_pixels(context_, shader, job); });
  }
  bool draw_vertices(const Shader& shader, VertexJob& job, Diagnostics& diagnostics) override {
    return guarded(diagnostics, [&] { run_vertices(context_, shader, job); });
  }
  bool run_stage(const Shader& shader, StageJob& job, Diagnostics& diagnostics) override {
    return guarded(diagnostics, [&] { run_single_stage(context_, shader, job); });
  }
  bool draw_primitives(const Shader& vertex, const PrimitiveJob& job, Diagnostics& diagnostics) override {
    return guarded(diagnostics, [&] { run_primitives(context_, vertex, job); });
  }
  bool draw(DrawJob& job, Diagnostics& diagnostics) override {
    return guarded(diagnostics, [&] { run_draw(context_, job); });
  }

 private:
  template <typename Work>
  bool guarded(Diagnostics& diagnostics, Work work) {
    missing_feature_.clear();
    try {
      work();
      return true;
    } catch (const Failure& failure) {
      if (failure.is_missing_feature) missing_feature_ = failure.message;
      diagnostics.error({}, "vulkan: {}", failure.message);
    } catch (const std::bad_alloc&) {
      diagnostics.error({}, "vulkan: out of memory");
    }
    return false;
  }

  void make_instance() {
    std::string why;
    get_ = load_vulkan(why);
    if (get_ == nullptr) throw Failure{why};
    if (!load_global(get_, context_.vk)) fail("the Vulkan loader is older than 1.1");
    auto application = structure<VkApplicationInfo>(VK_STRUCTURE_TYPE_APPLICATION_INFO);
    application.pApplicationName = "texlate";
    application.apiVersion = VK_API_VERSION_1_1;
    auto info = structure<VkInstanceCreateInfo>(VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO);
    info.pApplicationInfo = &application;
    if (context_.vk.CreateInstance(&info, nullptr, &context_.instance) != VK_SUCCESS)
      fail("no Vulkan driver is installed");
    if (!load_instance(get_, context_.instance, context_.vk)) fail("the Vulkan loader is older than 1.1");
  }

  void choose(const DeviceOptions& options) {
    uint32_t count = 0;
    check(context_.vk.EnumeratePhysicalDevices(context_.instance, &count, nullptr),
          "vkEnumeratePhysicalDevices");
    std::vector<VkPhysicalDevice> devices(count);
    if (count != 0)
      check(context_.vk.EnumeratePhysicalDevices(context_.instance, &count, devices.data()),
            "vkEnumeratePhysicalDevices");
    devices.resize(count);
    if (devices.empty()) fail("no Vulkan device");
    const char* wished = std::getenv("TEXLATE_VULKAN_DEVICE");
    const std::string wanted = lower_case(!options.name.empty() ? options.name
                                          : wished != nullptr   ? wished
                                                                : "");
    std::string all;
    for (uint32_t i = 0; i < count; ++i) {
      VkPhysicalDeviceProperties properties;
      context_.vk.GetPhysicalDeviceProperties(devices[i], &properties);
      const std::string found = properties.deviceName;
      all += fmt::format("{}{}: {}", i == 0 ? "" : ", ", i, found);
      if (!wanted.empty() && wanted != std::to_string(i) &&
          lower_case(found).find(wanted) == std::string::npos)
        continue;
      if (properties.apiVersion < VK_API_VERSION_1_1) continue;
      context_.physical = devices[i];
      context_.name = found;
      context_.limits = properties.limits;
      return;
    }
    if (wanted.empty()) fail("no device offers Vulkan 1.1 (there is {})", all);
    fail("no device '{}' with Vulkan 1.1 (there is {})", wanted, all);
  }

  void make_device(bool robust) {
    const Functions& vk = context_.vk;
    const std::vector<const char*> names = choose_extensions(robust);
    FeatureChain features(context_, robust);
    if (robust && (features.robustness.robustBufferAccess2 == VK_FALSE ||
                   features.robustness.robustImageAccess2 == VK_FALSE ||
                   features.robustness.nullDescriptor == VK_FALSE)) {
      fail(
          "'{}' lacks robustBufferAccess2, robustImageAccess2 or nullDescriptor; --robustness shader needs "
          "none of them",
          context_.name);
    }
    const uint32_t family = find_queue_family();
    const float priority = 1.0f;
    auto queue = structure<VkDeviceQueueCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO);
    queue.queueFamilyIndex = family;
    queue.queueCount = 1;
    queue.pQueuePriorities = &priority;
    auto info = structure<VkDeviceCreateInfo>(VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO);
    info.pNext = &features.core;
    info.queueCreateInfoCount = 1;
    info.pQueueCreateInfos = &queue;
    info.enabledExtensionCount = static_cast<uint32_t>(names.size());
    info.ppEnabledExtensionNames = names.data();
    check(vk.CreateDevice(context_.physical, &info, nullptr, &context_.device), "vkCreateDevice");
    if (!load_device(context_.device, context_.vk)) fail("'{}' lacks functions of Vulkan 1.1", context_.name);
    vk.GetDeviceQueue(context_.device, family, 0, &context_.queue);
    vk.GetPhysicalDeviceMemoryProperties(context_.physical, &context_.memory);
    auto pool = structure<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
    pool.queueFamilyIndex = family;
    check(vk.CreateCommandPool(context_.device, &pool, nullptr, &context_.commands), "vkCreateCommandPool");
    note_float_controls();
    note_features(features, robust);
  }

  /// Those of kWantedExtensions that the device has.
  std::vector<const char*> choose_extensions(bool robust) {
    uint32_t count = 0;
    context_.vk.EnumerateDeviceExtensionProperties(context_.physical, nullptr, &count, nullptr);
    std::vector<VkExtensionProperties> offered(count);
    context_.vk.EnumerateDeviceExtensionProperties(context_.physical, nullptr, &count, offered.data());
    std::vector<const char*> names;
    for (const char* wanted : kWantedExtensions) {
      if (!robust && std::string_view(wanted) == VK_EXT_ROBUSTNESS_2_EXTENSION_NAME) continue;
      const auto there = [&](const VkExtensionProperties& one) {
        return std::string_view(one.extensionName) == wanted;
      };
      if (std::none_of(offered.begin(), offered.end(), there)) continue;
      names.push_back(wanted);
      context_.extensions.emplace_back(wanted);
    }
    return names;
  }

  uint32_t find_queue_family() {
    uint32_t count = 0;
    context_.vk.GetPhysicalDeviceQueueFamilyProperties(context_.physical, &count, nullptr);
    std::vector<VkQueueFamilyProperties> families(count);
    context_.vk.GetPhysicalDeviceQueueFamilyProperties(context_.physical, &count, families.data());
    constexpr VkQueueFlags kBoth = VK_QUEUE_GRAPHICS_BIT | VK_QUEUE_COMPUTE_BIT;
    uint32_t family = 0;
    while (family < count && (families[family].queueFlags & kBoth) != kBoth) ++family;
    if (family == count) fail("'{}' has no queue for graphics and compute", context_.name);
    return family;
  }

  void note_float_controls() {
    if (!context_.has(VK_KHR_SHADER_FLOAT_CONTROLS_EXTENSION_NAME)) return;
    auto controls = structure<VkPhysicalDeviceFloatControlsPropertiesKHR>(
        VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FLOAT_CONTROLS_PROPERTIES_KHR);
    auto properties = structure<VkPhysicalDeviceProperties2>(VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2);
    properties.pNext = &controls;
    context_.vk.GetPhysicalDeviceProperties2(context_.physical, &properties);
    context_.preserves_specials = controls.shaderSignedZeroInfNanPreserveFloat32 != VK_FALSE;
    context_.float_controls =
        context_.preserves_specials && controls.shaderDenormFlushToZeroFloat32 != VK_FALSE &&
        controls.shaderRoundingModeRTEFloat32 != VK_FALSE &&
        controls.shaderDenormPreserveFloat64 != VK_FALSE &&
        controls.shaderRoundingModeRTEFloat64 != VK_FALSE &&
        controls.shaderSignedZeroInfNanPreserveFloat64 != VK_FALSE &&
        controls.denormBehaviorIndependence != VK_SHADER_FLOAT_CONTROLS_INDEPENDENCE_NONE;
  }

  void note_features(const FeatureChain& features, bool robust) {
    context_.features = features.core.features;
    context_.indexing = features.indexing;
    context_.null_descriptor = robust;
    context_.custom_border = features.border.customBorderColors != VK_FALSE &&
                             features.border.customBorderColorWithoutFormat != VK_FALSE;
    context_.mirror_once = context_.has(VK_KHR_SAMPLER_MIRROR_CLAMP_TO_EDGE_EXTENSION_NAME);
    context_.min_max = context_.has(VK_EXT_SAMPLER_FILTER_MINMAX_EXTENSION_NAME);
    context_.draw_parameters = features.draw_parameters.shaderDrawParameters != VK_FALSE;
    context_.demote = features.demote.shaderDemoteToHelperInvocation != VK_FALSE;
    context_.transform_feedback = features.transform_feedback.transformFeedback != VK_FALSE;
    context_.geometry_streams = features.transform_feedback.geometryStreams != VK_FALSE;
    context_.interlock = features.interlock.fragmentShaderPixelInterlock != VK_FALSE;
    context_.sample_interlock = features.interlock.fragmentShaderSampleInterlock != VK_FALSE;
    context_.subgroup_clock = features.clock.shaderSubgroupClock != VK_FALSE;
    context_.depth_clip = features.depth_clip.depthClipEnable != VK_FALSE;
    context_.float_atomics = features.float_atomics.shaderImageFloat32Atomics != VK_FALSE;
    context_.bresenham_lines = features.lines.bresenhamLines != VK_FALSE;
  }

  Context context_;
  std::string missing_feature_;
  PFN_vkGetInstanceProcAddr get_ = nullptr;
};

}  // namespace

bool Context::has(std::string_view extension) const {
  return std::find(extensions.begin(), extensions.end(), extension) != extensions.end();
}

std::unique_ptr<Device> Device::open(const DeviceOptions& options, Diagnostics& diagnostics) {
  auto device = std::make_unique<VulkanDevice>();
  try {
    device->open(options);
    return device;
  } catch (const Failure& failure) {
    diagnostics.error({}, "vulkan: {}", failure.message);
    return nullptr;
  }
}

}  // namespace texlate::sim::vulkan
