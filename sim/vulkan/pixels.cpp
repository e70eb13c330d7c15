// Pixels: a draw over the whole target whose inputs are interpolated by the device. Inputs that are linear
// over the target come from one triangle. For others, each pixel has a small triangle whose plane goes
// through the pixel and its neighbors in the quad.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "sim/vulkan/graphics.h"
#include "sim/vulkan/jobs.h"
#include "sim/vulkan/resources.h"
#include "sim/vulkan/stages.h"

namespace texlate::sim::vulkan {

namespace {

/// One scalar of the pixel shader's interface, in the order in which make_vertex_stage reads a record.
struct Scalar {
  size_t plane;  // index of the first word in PixelJob::inputs; past its end: all 0
  bool exact;    // flat: the bits, not interpolated
};

class InputPlanes {
 public:
  InputPlanes(const PixelJob& job, std::span<const InterfaceVariable> inputs) : job_(job) {
    const size_t plane_words = size_t{job.padded_width()} * job.padded_height();
    for (const InterfaceVariable& input : inputs) {
      for (uint32_t c = 0; c < input.components * std::max(1u, input.array); ++c) {
        const bool none = input.is_builtin;
        const size_t plane = (size_t{input.number} * 4 + input.component + c) * plane_words;
        scalars_.push_back(
            {none ? job.inputs.size() : plane, input.flat || input.kind != ScalarKind::float_});
      }
    }
  }
  size_t count() const { return scalars_.size(); }

  /// True if every scalar is a plane (or, if not interpolated, the same everywhere), helper pixels included.
  bool are_planes() const {
    for (const Scalar& scalar : scalars_) {
      double largest = 0, worst = 0;
      const auto [origin, dx, dy] = plane_of(scalar);
      for (uint32_t y = 0; y < job_.padded_height(); ++y) {
        for (uint32_t x = 0; x < job_.padded_width(); ++x) {
          if (scalar.exact && word(scalar, x, y) != word(scalar, 0, 0)) return false;
          if (scalar.exact) continue;
          const double value = real(scalar, x, y);
          largest = std::max(largest, std::fabs(value));
          worst = std::max(worst, std::fabs(value - (origin + dx * (x + 0.5) + dy * (y + 0.5))));
        }
      }
      // Written so that NaN is not a plane.
      if (!scalar.exact && !(worst <= largest * 0x1p-22)) return false;
    }
    return true;
  }

  /// The record of a vertex of the triangle that covers the target; `x`, `y` are in pixels from its corner.
  void append_whole(std::vector<uint32_t>& records, double x, double y) const {
    for (const Scalar& scalar : scalars_) {
      const auto [origin, dx, dy] = plane_of(scalar);
      records.push_back(scalar.exact ? word(scalar, 0, 0) : bits(origin + dx * x + dy * y));
    }
  }
  /// The record of a vertex near the pixel (px, py), displaced from its center by (x, y).
  void append_near(std::vector<uint32_t>& records, uint32_t px, uint32_t py, double x, double y) const {
    for (const Scalar& scalar : scalars_) {
      if (scalar.exact) {
        records.push_back(word(scalar, px, py));
        continue;
      }
      const double dx = real(scalar, px | 1, py) - real(scalar, px & ~1u, py);
      const double dy = real(scalar, px, py | 1) - real(scalar, px, py & ~1u);
      records.push_back(bits(real(scalar, px, py) + dx * x + dy * y));
    }
  }

 private:
  uint32_t word(const Scalar& scalar, uint32_t x, uint32_t y) const {
    const size_t at = scalar.plane + size_t{y} * job_.padded_width() + x;
    return at < job_.inputs.size() ? job_.inputs[at] : 0;
  }
  double real(const Scalar& scalar, uint32_t x, uint32_t y) const {
    return std::bit_cast<float>(word(scalar, x, y));
  }
  static uint32_t bits(double value) { return std::bit_cast<uint32_t>(static_cast<float>(value)); }
  std::array<double, 3> plane_of(const Scalar& scalar) const {
    const double first = real(scalar, 0, 0);
    const uint32_t right = job_.padded_width() - 1, bottom = job_.padded_height() - 1;  // at least 1
    const double dx = (real(scalar, right, 0) - first) / right;
    const double dy = (real(scalar, 0, bottom) - first) / bottom;
    return {first - 0.5 * dx - 0.5 * dy, dx, dy};
  }

  const PixelJob& job_;
  std::vector<Scalar> scalars_;
};

struct Geometry {
  std::vector<uint32_t> records;
  uint32_t instances = 1;
  uint32_t width, height;  // of the viewport
};

Geometry make_geometry(const PixelJob& job, const InputPlanes& planes) {
  // The triangle that covers the target fills half of a viewport of twice the target's size. If it were
  // clipped, it would become several triangles, with a quad of helpers along each edge. Powers of two keep a
  // device's arithmetic on planes exact.
  Geometry geometry;
  geometry.width = 2 * std::bit_ceil(job.width);
  geometry.height = 2 * std::bit_ceil(job.height);
  auto vertex = [&](double x, double y) {
    for (double value : {2 * x / geometry.width - 1, 2 * y / geometry.height - 1, 0.5, 1.0}) {
      geometry.records.push_back(std::bit_cast<uint32_t>(static_cast<float>(value)));
    }
  };
  if (planes.are_planes()) {
    const double width = geometry.width, height = geometry.height;
    for (const auto& [x, y] : {std::array{0.0, 0.0}, std::array{width, 0.0}, std::array{0.0, height}}) {
      vertex(x, y);
      planes.append_whole(geometry.records, x, y);
    }
    return geometry;
  }
  geometry.instances = job.width * job.height;
  for (uint32_t py = 0; py < job.height; ++py) {
    for (uint32_t px = 0; px < job.width; ++px) {
      for (const auto& [x, y] : {std::array{-0.25, -0.25}, std::array{0.5, -0.25}, std::array{-0.25, 0.5}}) {
        vertex(px + 0.5 + x, py + 0.5 + y);
        planes.append_near(geometry.records, px, py, x, y);
      }
    }
  }
  return geometry;
}

VkFormat target_format(ScalarKind kind) {
  switch (kind) {
    case ScalarKind::uint: return VK_FORMAT_R32G32B32A32_UINT;
    case ScalarKind::int_: return VK_FORMAT_R32G32B32A32_SINT;
    default: return VK_FORMAT_R32G32B32A32_SFLOAT;
  }
}

/// A color or depth-stencil target and the memory that it is read back through.
struct TargetImage {
  Attachment attachment;
  Image image;
  Buffer words, stencil;
};

TargetImage make_target(Job& job, const PixelJob& pixels, VkFormat format, VkImageAspectFlags aspect) {
  TargetImage target;
  auto info = structure<VkImageCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO);
  info.imageType = VK_IMAGE_TYPE_2D;
  info.format = format;
  info.extent = {pixels.width, pixels.height, 1};
  info.mipLevels = info.arrayLayers = 1;
  info.samples = VK_SAMPLE_COUNT_1_BIT;
  const bool color = aspect == VK_IMAGE_ASPECT_COLOR_BIT;
  info.usage = VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
               (color ? VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT : VK_IMAGE_USAGE_DEPTH_STENCIL_ATTACHMENT_BIT);
  target.image = job.image(info, aspect);
  auto view = structure<VkImageViewCreateInfo>(VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO);
  view.image = target.image.image;
  view.viewType = VK_IMAGE_VIEW_TYPE_2D;
  view.format = format;
  view.subresourceRange = {aspect, 0, 1, 0, 1};
  target.attachment = {format, job.view(view)};
  const size_t count = size_t{pixels.width} * pixels.height;
  target.words = job.buffer(count * (color ? 16 : 4), VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  if (!color) target.stencil = job.buffer(count, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
  return target;
}

void copy_back(Job& job, const PixelJob& pixels, const TargetImage& target, VkImageAspectFlags aspect,
               const Buffer& to) {
  VkBufferImageCopy copy{};
  copy.imageSubresource = {aspect, 0, 0, 1};
  copy.imageExtent = {pixels.width, pixels.height, 1};
  job.vk.CmdCopyImageToBuffer(job.commands, target.image.image, VK_IMAGE_LAYOUT_GENERAL, to.buffer, 1, &copy);
}

std::vector<uint32_t> words_of(const Buffer& buffer) {
  std::vector<uint32_t> words(buffer.size / 4);
  std::memcpy(words.data(), buffer.data, words.size() * 4);
  return words;
}

void check_size(const Context& context, const PixelJob& pixels) {
  const VkPhysicalDeviceLimits& limits = context.limits;
  const bool fits = pixels.width != 0 && pixels.height != 0 && pixels.width <= limits.maxFramebufferWidth &&
                    pixels.height <= limits.maxFramebufferHeight &&
                    2 * std::bit_ceil(pixels.width) <= limits.maxViewportDimensions[0] &&
                    2 * std::bit_ceil(pixels.height) <= limits.maxViewportDimensions[1];
  if (!fits) fail("a target of {} x {} pixels cannot be made", pixels.width, pixels.height);
}

/// The inputs and outputs of a pixel shader, with an image for each target.
struct PixelInterface {
  std::vector<InterfaceVariable> inputs;
  std::vector<TargetImage> targets;  // by number; without a view if the shader does not have it
  std::vector<Attachment> colors;    // of the targets
  bool exports_stencil = false;
};

PixelInterface make_targets(Job& job, const PixelJob& pixels, const ModuleInterface& interface) {
  PixelInterface made;
  for (const InterfaceVariable& variable : interface.variables) {
    if (variable.is_input) {
      const bool distances =
          variable.number == spv::BuiltInClipDistance || variable.number == spv::BuiltInCullDistance;
      if (!variable.is_builtin || distances) made.inputs.push_back(variable);
      continue;
    }
    made.exports_stencil |= variable.is_builtin && variable.number == spv::BuiltInFragStencilRefEXT;
    if (variable.is_builtin) continue;
    if (variable.number >= job.context.limits.maxColorAttachments)
      fail("'{}' has no color target {}", job.context.name, variable.number);
    if (made.colors.size() <= variable.number) {
      made.colors.resize(variable.number + 1);
      made.targets.resize(variable.number + 1);
    }
    if (made.colors[variable.number].view != VK_NULL_HANDLE) continue;
    made.targets[variable.number] =
        make_target(job, pixels, target_format(variable.kind), VK_IMAGE_ASPECT_COLOR_BIT);
    made.colors[variable.number] = made.targets[variable.number].attachment;
  }
  return made;
}

// A color that shaders are unlikely to write: a NaN with a payload.
constexpr uint32_t kUntouched = 0x7fd1c5a3u;

void begin_render_pass(Job& job, const PixelJob& pixels, VkRenderPass pass,
                       std::span<const Attachment> colors, const Attachment& depth) {
  std::vector<VkClearValue> clears;
  for (const Attachment& color : colors) {
    if (color.view == VK_NULL_HANDLE) continue;
    VkClearValue& clear = clears.emplace_back();
    std::fill_n(clear.color.uint32, 4, kUntouched);
  }
  clears.emplace_back().depthStencil = {0.5f, 0};
  auto begin = structure<VkRenderPassBeginInfo>(VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO);
  begin.renderPass = pass;
  begin.framebuffer = make_framebuffer(job, pass, colors, depth, pixels.width, pixels.height);
  begin.renderArea.extent = {pixels.width, pixels.height};
  begin.clearValueCount = static_cast<uint32_t>(clears.size());
  begin.pClearValues = clears.data();
  job.barrier();
  job.vk.CmdBeginRenderPass(job.commands, &begin, VK_SUBPASS_CONTENTS_INLINE);
}

/// Targets, depth, stencil, and the pixels that were written. The stencil marks pixels that were not
/// discarded, unless it was written before the shader ran or by the shader itself; in that case `by_color`
/// is used.
void read_targets(PixelJob& pixels, std::span<const TargetImage> targets, const TargetImage& depth,
                  bool by_color) {
  const size_t count = size_t{pixels.width} * pixels.height;
  pixels.targets.clear();
  for (uint32_t i = 0; i < targets.size(); ++i) {
    if (targets[i].attachment.view != VK_NULL_HANDLE)
      pixels.targets.push_back({i, words_of(targets[i].words)});
  }
  pixels.depth = words_of(depth.words);
  pixels.stencil.assign(count, 0);
  pixels.written.assign(count, 0);
  for (size_t p = 0; p < count; ++p) {
    pixels.stencil[p] = static_cast<uint32_t>(depth.stencil.data[p]);
    if (!by_color) {
      pixels.written[p] = pixels.stencil[p] != 0;
    } else if (pixels.targets.empty()) {
      pixels.written[p] = 1;
    } else {
      const uint32_t* texel = &pixels.targets[0].texels[p * 4];
      pixels.written[p] = std::any_of(texel, texel + 4, [](uint32_t word) { return word != kUntouched; });
    }
  }
}

}  // namespace

void run_pixels(const Context& context, const Shader& shader, PixelJob& pixels) {
  const ModuleInterface interface = read_interface(shader.words);
  require_capabilities(context, interface);
  check_size(context, pixels);
  Job job(context);
  const PixelInterface made = make_targets(job, pixels, interface);
  constexpr VkImageAspectFlags kDepthStencil = VK_IMAGE_ASPECT_DEPTH_BIT | VK_IMAGE_ASPECT_STENCIL_BIT;
  const TargetImage depth = make_target(job, pixels, VK_FORMAT_D32_SFLOAT_S8_UINT, kDepthStencil);

  const Geometry geometry = make_geometry(pixels, InputPlanes(pixels, made.inputs));
  const Buffer records = job.buffer(geometry.records.size() * 4, VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
  std::memcpy(records.data, geometry.records.data(), geometry.records.size() * 4);
  Resources resources(job, shader);
  const uint32_t set = resources.add_words(records);
  const Specialization specialization(shader);
  GraphicsState state;
  state.vertex.module = job.module(make_vertex_stage(made.inputs, set));
  state.pixel = {job.module(shader.words), shader.entry.c_str(), &specialization.info};
  state.layout = resources.layout();
  state.render_pass = make_render_pass(job, made.colors, depth.attachment, VK_SAMPLE_COUNT_1_BIT);
  state.width = pixels.width;
  state.height = pixels.height;
  state.viewport_width = geometry.width;
  state.viewport_height = geometry.height;
  state.color_count = static_cast<uint32_t>(made.colors.size());
  state.depth_stencil = true;
  const VkPipeline pipeline = make_graphics_pipeline(job, state);

  begin_render_pass(job, pixels, state.render_pass, made.colors, depth.attachment);
  job.vk.CmdBindPipeline(job.commands, VK_PIPELINE_BIND_POINT_GRAPHICS, pipeline);
  resources.bind(VK_PIPELINE_BIND_POINT_GRAPHICS);
  job.vk.CmdDraw(job.commands, 3, geometry.instances, 0, 0);
  job.vk.CmdEndRenderPass(job.commands);
  resources.read_back();
  for (const TargetImage& target : made.targets) {
    if (target.attachment.view != VK_NULL_HANDLE)
      copy_back(job, pixels, target, VK_IMAGE_ASPECT_COLOR_BIT, target.words);
  }
  copy_back(job, pixels, depth, VK_IMAGE_ASPECT_DEPTH_BIT, depth.words);
  copy_back(job, pixels, depth, VK_IMAGE_ASPECT_STENCIL_BIT, depth.stencil);
  job.run();
  resources.store();
  read_targets(pixels, made.targets, depth, made.exports_stencil || interface.early_fragment_tests);
}

}  // namespace texlate::sim::vulkan
