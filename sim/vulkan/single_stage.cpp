// A hull, domain or geometry shader between stages of our own: vertices come from a storage buffer, results
// by transform feedback or, those of hull shaders, from a storage buffer that a domain stage writes.

#include <algorithm>
#include <cstring>

#include "sim/vulkan/graphics.h"
#include "sim/vulkan/jobs.h"
#include "sim/vulkan/primitive_stages.h"
#include "sim/vulkan/resources.h"
#include "sim/vulkan/stage_writer.h"
#include "sim/vulkan/stages.h"

namespace texlate::sim::vulkan {

namespace {

constexpr uint32_t kPositionWords = 4;

uint32_t words_of(const InterfaceVariable& variable) {
  return variable.components * std::max(1u, variable.array);
}

VkPrimitiveTopology topology_of(uint32_t vertices) {
  switch (vertices) {
    case 1: return VK_PRIMITIVE_TOPOLOGY_POINT_LIST;
    case 2: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST;
    case 3: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST;
    case 4: return VK_PRIMITIVE_TOPOLOGY_LINE_LIST_WITH_ADJACENCY;
    case 6: return VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST_WITH_ADJACENCY;
    default: fail("Vulkan has no primitives of {} vertices", vertices);
  }
}

/// The stage's variables, and where their words are.
class SingleStage {
 public:
  SingleStage(const Context& context, const Shader& shader, StageJob& stage)
      : job_(context),
        shader_(shader),
        stage_(stage),
        interface_(read_interface(shader.words)),
        specialization_(shader) {
    require_capabilities(context, interface_);
    for (const InterfaceVariable& variable : interface_.variables) {
      if (!variable.is_input) {
        outputs_.push_back(variable);
      } else if (variable.vertices != 0 || variable.is_patch) {
        inputs_.push_back(variable);
      }
    }
  }

  void run() {
    switch (interface_.model) {
      case spv::ExecutionModelTessellationControl: return run_hull();
      case spv::ExecutionModelTessellationEvaluation: return run_domain();
      case spv::ExecutionModelGeometry: return run_geometry();
      default: fail("the module is no hull, domain or geometry shader");
    }
  }

 private:
  uint32_t vertex_count() const { return stage_.primitives * stage_.vertices; }

  /// Records for make_vertex_stage.
  std::vector<uint32_t> vertex_records() const {
    std::vector<uint32_t> records;
    for (uint32_t v = 0; v < vertex_count(); ++v) {
      const auto put = [&](const InterfaceVariable& variable) {
        for (uint32_t w = 0; w < words_of(variable); ++w)
          records.push_back(stage_.vertex_word(place_of(variable, w), v));
      };
      const auto position = std::ranges::find_if(inputs_, is_position);
      if (position != inputs_.end()) {
        put(*position);
      } else {
        records.insert(records.end(), kPositionWords, 0u);
      }
      for (const InterfaceVariable& input : inputs_) {
        if (!is_position(input)) put(input);
      }
    }
    return records;
  }

  static StageJob::Place place_of(const InterfaceVariable& variable, uint32_t word) {
    return {variable.is_builtin, variable.number, variable.component + word};
  }

  void run_geometry() {
    const std::vector<uint32_t> records = vertex_records();
    make_buffer(records.size());
    put(0, records);
    GraphicsState state;
    state.topology = topology_of(stage_.vertices);
    Resources resources(job_, shader_);
    const uint32_t set = resources.add_words(own_);
    state.vertex.module = job_.module(make_vertex_stage(inputs_, set));
    state.geometry = tested(captured_words());
    draw(state, resources, uint64_t{stage_.primitives} * stage_.most_results);
    read_captured();
  }

  void run_domain() {
    PatchRecords layout;
    layout.points = std::max(1u, stage_.vertices);
    for (const InterfaceVariable& input : inputs_) layout.add(input);
    layout.first_patch = stage_.primitives * layout.points * layout.point_words;
    make_buffer(layout.first_patch + size_t{stage_.primitives} * layout.patch_words);
    std::vector<uint32_t> records;
    for (uint32_t v = 0; v < vertex_count(); ++v) {
      for (const InterfaceVariable& input : inputs_) {
        for (uint32_t w = 0; w < words_of(input) && !input.is_builtin && !input.is_patch; ++w)
          records.push_back(stage_.vertex_word(place_of(input, w), v));
      }
    }
    put(0, records);
    records.clear();
    for (uint32_t p = 0; p < stage_.primitives; ++p) {
      records.insert(records.end(), stage_.levels[p].begin(), stage_.levels[p].end());
      records.push_back(0);
      for (const InterfaceVariable& input : inputs_) {
        for (uint32_t w = 0; w < words_of(input) && !input.is_builtin && input.is_patch; ++w)
          records.push_back(stage_.patch_word(place_of(input, w), p));
      }
    }
    put(layout.first_patch, records);
    Resources resources(job_, shader_);
    const uint32_t set = resources.add_words(own_);
    GraphicsState state;
    state.patch_control_points = layout.points;
    state.vertex.module = job_.module(make_vertex_stage({}, set));
    state.hull.module = job_.module(make_hull_stage(inputs_, layout, stage_.spacing, set));
    state.domain = tested(captured_words());
    stage_.vertices = layout.points;
    draw(state, resources, stage_.most_results);
    read_captured();
  }

  void run_hull() {
    const std::vector<uint32_t> records = vertex_records();
    PatchRecords layout;
    layout.points = stage_.output_points;
    for (const InterfaceVariable& output : outputs_) layout.add(output);
    layout.first_point = static_cast<uint32_t>(records.size());
    layout.first_patch = layout.first_point + stage_.primitives * layout.points * layout.point_words;
    make_buffer(layout.first_patch + size_t{stage_.primitives} * layout.patch_words);
    put(0, records);
    Resources resources(job_, shader_);
    const uint32_t set = resources.add_words(own_);
    GraphicsState state;
    state.patch_control_points = stage_.vertices;
    state.vertex.module = job_.module(make_vertex_stage(inputs_, set));
    state.hull = tested(shader_.words);
    state.domain.module = job_.module(make_observing_stage(outputs_, layout, set));
    draw(state, resources, 0);
    read_observed(layout);
  }

  Stage tested(std::span<const uint32_t> words) {
    return {job_.module(words), shader_.entry.c_str(), &specialization_.info};
  }
  std::span<const uint32_t> captured_words() {
    changed_ = with_transform_feedback(shader_.words, interface_, offsets_, strides_);
    captures_ = std::ranges::any_of(strides_, [](uint32_t stride) { return stride != 0; });
    return captures_ ? std::span<const uint32_t>(changed_) : shader_.words;
  }

  void make_buffer(size_t words) {
    own_ = job_.buffer(std::max<size_t>(words, 1) * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  }
  void put(size_t first, std::span<const uint32_t> words) {
    if (!words.empty()) std::memcpy(own_.data + first * 4, words.data(), words.size_bytes());
  }
  uint32_t word(size_t at) const {
    uint32_t value = 0;
    std::memcpy(&value, own_.data + at * 4, 4);
    return value;
  }

  void draw(GraphicsState& state, Resources& resources, uint64_t results) {
    const Functions& vk = job_.vk;
    if (captures_ && !job_.context.transform_feedback)
      fail_missing("'{}' lacks transformFeedback, which is needed to read vertices back", job_.context.name);
    state.layout = resources.layout();
    state.render_pass = make_render_pass(job_, {}, {}, VK_SAMPLE_COUNT_1_BIT);
    const VkFramebuffer framebuffer = make_framebuffer(job_, state.render_pass, {}, {}, 1, 1);
    const VkPipeline pipeline = make_graphics_pipeline(job_, state);
    auto begin = structure<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
    begin.renderPass = state.render_pass;
    begin.framebuffer = framebuffer;
    begin.renderArea.extent = {1, 1};
    std::vector<VkBuffer> buffers, counters;
    const std::vector<VkDeviceSize> zeros(strides_.size(), 0);
    std::vector<VkDeviceSize> sizes;
    for (uint32_t stream = 0; stream < strides_.size() && captures_; ++stream) {
      captured_[stream] = job_.buffer(results * std::max(4u, strides_[stream]),
                                      VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_BUFFER_BIT_EXT);
      counters_[stream] = job_.buffer(16, VK_BUFFER_USAGE_TRANSFORM_FEEDBACK_COUNTER_BUFFER_BIT_EXT);
      buffers.push_back(captured_[stream].buffer);
      counters.push_back(counters_[stream].buffer);
      sizes.push_back(std::max<VkDeviceSize>(captured_[stream].size, 4));
    }
    // Counters start at 0, where capturing begins.
    const auto count = static_cast<uint32_t>(buffers.size());
    job_.barrier();
    vk.CmdBeginRenderPass(job_.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
    vk.CmdBindPipeline(job_.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
    resources.bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
    if (captures_) {
      vk.CmdBindTransformFeedbackBuffersEXT(job_.commands, 0, count, buffers.data(), zeros.data(),
                                            sizes.data());
      vk.CmdBeginTransformFeedbackEXT(job_.commands, 0, 0, nullptr, nullptr);
    }
    vk.CmdDraw(job_.commands, vertex_count(), 1, 0, 0);
    if (captures_) vk.CmdEndTransformFeedbackEXT(job_.commands, 0, count, counters.data(), zeros.data());
    vk.CmdEndRenderPass(job_.commands);
    resources.read_back();
    job_.run();
    resources.store();
  }

  void read_captured() {
    for (uint32_t stream = 0; stream < strides_.size() && captures_; ++stream) {
      uint32_t bytes = 0;
      std::memcpy(&bytes, counters_[stream].data, 4);
      if (strides_[stream] != 0) stage_.results[stream] = bytes / strides_[stream];
    }
    for (size_t i = 0; i < interface_.variables.size() && captures_; ++i) {
      const InterfaceVariable& variable = interface_.variables[i];
      if (variable.is_input) continue;
      StageJob::Output& output = add_output(variable);
      const uint32_t count = stage_.results[variable.stream], stride = strides_[variable.stream];
      output.data.resize(size_t{output.words} * count);
      for (uint32_t v = 0; v < count; ++v) {
        std::memcpy(output.data.data() + size_t{v} * output.words,
                    captured_[variable.stream].data + size_t{v} * stride + offsets_[i],
                    size_t{output.words} * 4);
      }
    }
  }

  void read_observed(const PatchRecords& layout) {
    uint32_t in_point = 0, in_patch = PatchRecords::kHeader;
    for (const InterfaceVariable& variable : outputs_) {
      if (variable.is_builtin) continue;
      StageJob::Output& output = add_output(variable);
      const uint32_t count = stage_.primitives * (variable.is_patch ? 1 : layout.points);
      const uint32_t first = variable.is_patch ? layout.first_patch : layout.first_point;
      const uint32_t stride = variable.is_patch ? layout.patch_words : layout.point_words;
      uint32_t& within = variable.is_patch ? in_patch : in_point;
      for (uint32_t e = 0; e < count; ++e) {
        for (uint32_t w = 0; w < output.words; ++w)
          output.data.push_back(word(first + size_t{e} * stride + within + w));
      }
      within += output.words;
    }
    for (uint32_t p = 0; p < stage_.primitives; ++p) {
      const size_t record = layout.first_patch + size_t{p} * layout.patch_words;
      auto& levels = stage_.levels.emplace_back();
      for (uint32_t i = 0; i < levels.size(); ++i) levels[i] = word(record + i);
      stage_.observed.push_back(word(record + PatchRecords::kMark));
    }
  }

  StageJob::Output& add_output(const InterfaceVariable& variable) {
    return stage_.outputs.emplace_back(StageJob::Output{variable.is_builtin,
                                                        variable.is_patch,
                                                        variable.number,
                                                        variable.component,
                                                        words_of(variable),
                                                        variable.stream,
                                                        {}});
  }

  Job job_;
  const Shader& shader_;
  StageJob& stage_;
  const ModuleInterface interface_;
  const Specialization specialization_;
  std::vector<InterfaceVariable> inputs_, outputs_;  // inputs by vertex or patch
  std::vector<uint32_t> changed_, offsets_;
  StreamStrides strides_{};
  bool captures_ = false;
  Buffer own_;
  std::array<Buffer, 4> captured_, counters_;
};

}  // namespace

void run_single_stage(const Context& context, const Shader& shader, StageJob& stage) {
  SingleStage(context, shader, stage).run();
}

}  // namespace texlate::sim::vulkan
