#include "sim/scene/random_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <span>
#include <vector>

#include "ir/base/direct3d_limits.h"
#include "sim/scene/integer_uses.h"

namespace texlate::sim {

namespace {

using OrderedJson = nlohmann::ordered_json;
using Names = std::span<const std::string_view>;

// SplitMix64 (Steele, Lea, Flood, OOPSLA 2014). The distributions of the standard library differ between
// libraries.
class Random {
 public:
  explicit Random(uint64_t seed) : state_(seed) {}
  uint64_t bits() {
    uint64_t z = (state_ += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  /// From `least` to `most`.
  uint32_t whole(uint32_t least, uint32_t most) {
    return least + static_cast<uint32_t>(bits() % (uint64_t{most} - least + 1));
  }
  bool one_in(uint32_t n) { return bits() % n == 0; }
  float number(float least, float most) {
    return least + (most - least) * (static_cast<float>(bits() >> 40) / 16777216.0f);
  }
  /// Eighths: exact in all formats of floats, and in ten characters of JSON.
  double eighth(int least, int most) {
    return static_cast<double>(whole(0, static_cast<uint32_t>(8 * (most - least)))) / 8 + least;
  }
  std::string_view one_of(Names names) { return names[bits() % names.size()]; }
  template <typename T>
  T one_of(std::initializer_list<T> list) {
    return list.begin()[bits() % list.size()];
  }

 private:
  uint64_t state_;
};

constexpr std::string_view kFloats[] = {
    "r8g8b8a8_unorm",     "r8g8b8a8_unorm",      "r32g32b32a32_float", "r32g32b32a32_float",
    "r8_unorm",           "r8g8_unorm",          "r16_float",          "r16g16_float",
    "r16g16b16a16_float", "r32_float",           "r32g32_float",       "r11g11b10_float",
    "r10g10b10a2_unorm",  "r8g8b8a8_unorm_srgb", "b8g8r8a8_unorm",     "r16_unorm",
    "r16g16_unorm",       "r8g8b8a8_snorm",      "r8_snorm",           "r16g16_snorm",
    "r16g16b16a16_snorm", "r9g9b9e5_sharedexp",  "b8g8r8x8_unorm",     "a8_unorm",
    "b5g6r5_unorm",       "b5g5r5a1_unorm",      "b4g4r4a4_unorm",     "r16g16b16a16_unorm",
};
constexpr std::string_view kUnorms[] = {"r8g8b8a8_unorm", "r8_unorm",          "r8g8_unorm",
                                        "r16_unorm",      "r10g10b10a2_unorm", "r16g16b16a16_unorm"};
constexpr std::string_view kSnorms[] = {"r8g8b8a8_snorm", "r8_snorm", "r8g8_snorm", "r16_snorm",
                                        "r16g16b16a16_snorm"};
constexpr std::string_view kUnsigned[] = {
    "r32g32b32a32_uint", "r8_uint",           "r8g8_uint", "r8g8b8a8_uint", "r16_uint",
    "r16g16_uint",       "r16g16b16a16_uint", "r32_uint",  "r32g32_uint",   "r10g10b10a2_uint"};
constexpr std::string_view kSigned[] = {"r32g32b32a32_sint", "r8_sint",  "r8g8_sint",
                                        "r8g8b8a8_sint",     "r16_sint", "r16g16_sint",
                                        "r16g16b16a16_sint", "r32_sint", "r32g32_sint"};
// The formats on which Direct3D compares (D3D11.3 functional specification 19.1.4).
constexpr std::string_view kDepths[] = {"r32_float", "r16_unorm", "r24_unorm_x8_typeless", "d16_unorm",
                                        "d32_float"};
constexpr std::string_view kVulkanDepths[] = {"r32_float", "r16_unorm"};
constexpr uint32_t kMostRegisters = 8;  // of a range that are described; the others have defaults

class RandomScene {
 public:
  RandomScene(const ir::Module& module, uint64_t seed, const RandomSceneLimits& limits)
      : module_(module), limits_(limits), random_(seed), integers_(module) {}

  std::string write() {
    find_uses();
    OrderedJson scene = OrderedJson::object();
    scene["viewport"] = {random_.whole(1, 17), random_.whole(1, 11)};
    if (module_.stage == ir::Stage::vertex) scene["vertices"] = random_.whole(1, 150);
    if (module_.stage == ir::Stage::compute && limits_.one_group) {
      scene["dispatch"] = {1, 1, 1};
    } else if (module_.stage == ir::Stage::compute) {
      scene["dispatch"] = {random_.whole(1, 3), random_.whole(1, 2), random_.whole(1, 2)};
    }
    if (random_.one_in(4)) scene["samples"] = random_.one_of({2u, 4u, 8u});
    for (const char* section : {"textures", "uavs", "samplers", "constants", "inputs"})
      scene[section] = OrderedJson::object();
    for (uint32_t i = 0; i < module_.resources.size(); ++i) {
      const ir::Resource& resource = module_.resources[i];
      for (uint32_t r = 0; r < register_count(resource); ++r) {
        const std::string name =
            name_of(resource.is_uav ? "u" : "t", resource.id, resource.lower_bound + r, resource.is_range());
        scene[resource.is_uav ? "uavs" : "textures"][name] = resource_of(i);
      }
    }
    for (uint32_t i = 0; i < module_.samplers.size(); ++i) {
      const ir::Sampler& sampler = module_.samplers[i];
      for (uint32_t r = 0; r < register_count(sampler); ++r)
        scene["samplers"][name_of("s", sampler.id, sampler.lower_bound + r, sampler.is_range())] =
            sampler_of(i);
    }
    for (uint32_t i = 0; i < module_.constant_buffers.size(); ++i) {
      const ir::ConstantBuffer& buffer = module_.constant_buffers[i];
      for (uint32_t r = 0; r < register_count(buffer); ++r)
        scene["constants"][name_of("cb", buffer.id, buffer.lower_bound + r, buffer.is_range())] = rows_of(i);
    }
    for (const ir::Parameter& input : module_.inputs) add_input(scene["inputs"], "v", input);
    add_primitives(scene);
    return scene.dump(1) + "\n";
  }

 private:
  template <typename Declaration>
  static uint32_t register_count(const Declaration& declared) {
    return std::min(declared.upper_bound - declared.lower_bound, kMostRegisters - 1) + 1;
  }

  static std::string name_of(const char* file, uint32_t id, uint32_t reg, bool is_range) {
    return is_range ? fmt::format("{}{}[{}]", file, id, reg) : fmt::format("{}{}", file, id);
  }

  void find_uses() {
    compared_.assign(module_.resources.size(), false);
    atomic_.assign(module_.resources.size(), false);
    queried_.assign(module_.resources.size(), false);
    in_objects_.assign(module_.samplers.size(), false);
    for (const ir::Instruction& instruction : module_.code) {
      if (!ir::info(instruction.op).has(ir::kResource)) continue;
      const ir::ResourceAccess& access = module_.access_of(instruction);
      if (access.compare) compared_[access.resource] = true;
      if (instruction.op == ir::Op::surf_atomic || instruction.op == ir::Op::buf_atomic)
        atomic_[access.resource] = true;
      if (instruction.op == ir::Op::tex_size) queried_[access.resource] = true;
      const bool by_hand = access.compare && instruction.op == ir::Op::tex_sample;
      if (access.sampler < in_objects_.size() && !by_hand) in_objects_[access.sampler] = true;
    }
  }

  bool is_unbound() { return random_.one_in(16) && !limits_.all_bound; }

  OrderedJson resource_of(uint32_t index) {
    const ir::Resource& resource = module_.resources[index];
    if (is_unbound() && !(limits_.vulkan && queried_[index])) return nullptr;
    return ir::is_buffer(resource.dimension) ? buffer_of(index) : texture_of(index);
  }

  Names formats_of(uint32_t index) const {
    if (compared_[index]) return limits_.vulkan ? Names(kVulkanDepths) : Names(kDepths);
    switch (module_.resources[index].component_types[0]) {
      case ir::ComponentType::uint: return kUnsigned;
      case ir::ComponentType::sint: return kSigned;
      case ir::ComponentType::unorm: return kUnorms;
      case ir::ComponentType::snorm: return kSnorms;
      default: return limits_.vulkan ? Names(kFloats).first(20) : Names(kFloats);
    }
  }

  /// Atomics need one word. A scene's default depends on them as well, but on those of the module that it is
  /// made for, which may have fewer.
  static const char* format_of_atomics(const ir::Resource& resource) {
    return resource.component_types[0] == ir::ComponentType::sint ? "r32_sint" : "r32_uint";
  }

  /// Most are small; some are long, up to Direct3D's limit, and thin.
  uint32_t side(uint32_t most) {
    return random_.one_in(3) ? 1u << random_.whole(0, 4) : random_.whole(1, most);
  }

  OrderedJson texture_of(uint32_t index) {
    const ir::Resource& resource = module_.resources[index];
    const ir::Dimension dimension = resource.dimension;
    const bool flat = dimension == ir::Dimension::texture1d || dimension == ir::Dimension::texture1d_array;
    const bool volume = dimension == ir::Dimension::texture3d;
    std::vector<uint32_t> size = {side(volume ? 9 : 40)};
    if (ir::is_cube(dimension)) {
      size = {size[0], size[0]};
    } else if (!flat) {
      size.push_back(side(volume ? 9 : 24));
      if (volume) size.push_back(side(9));
    }
    if (!volume && !ir::is_cube(dimension) && random_.one_in(24)) {
      size[0] = random_.one_of({16384u, 16383u, 8193u});
      if (!flat) size[1] = random_.whole(1, 2);
    }
    OrderedJson texture = {{"size", size}};
    if (atomic_[index]) {
      texture["format"] = format_of_atomics(resource);
    } else if (!resource.is_uav) {
      texture["format"] = random_.one_of(formats_of(index));
    }
    uint32_t mips = 1;
    for (const uint32_t axis : size)
      while (axis >> mips != 0) ++mips;
    if (resource.is_uav || ir::is_multisampled(dimension)) {
      mips = 1;
    } else if (random_.one_in(2)) {
      texture["mips"] = mips = random_.whole(1, mips);
    }
    uint32_t slices = 1;
    if (ir::is_array(dimension)) {
      const bool several = ir::is_cube(dimension) || limits_.vulkan;
      texture["slices"] = slices = random_.whole(several ? 2 : 1, 6);
    }
    if (ir::is_multisampled(dimension) && resource.sample_count == 0)
      texture["samples"] = random_.one_of({2u, 4u, 8u});
    if (mips > 1 && random_.one_in(4)) {
      const uint32_t first = random_.whole(0, mips - 1);
      texture["view_mips"] = {first, random_.whole(1, mips - first)};
    }
    if (slices > 1 && !ir::is_cube(dimension) && random_.one_in(4)) {
      const uint32_t first = random_.whole(0, slices - 1);
      texture["view_slices"] = {first, random_.whole(1, slices - first)};
    }
    texture["generate"] = random_.one_of({"noise", "noise", "noise", "gradient", "checker", "mip-colored"});
    return texture;
  }

  OrderedJson buffer_of(uint32_t index) {
    const ir::Resource& resource = module_.resources[index];
    OrderedJson buffer = {
        {"elements", random_.one_in(8) ? random_.whole(16384, 40000) : random_.whole(1, 200)}};
    if (resource.dimension == ir::Dimension::buffer && atomic_[index]) {
      buffer["format"] = format_of_atomics(resource);
    } else if (!resource.is_uav && resource.dimension == ir::Dimension::buffer) {
      switch (resource.component_types[0]) {
        case ir::ComponentType::uint: buffer["format"] = random_.one_of(kUnsigned); break;
        case ir::ComponentType::sint: buffer["format"] = random_.one_of(kSigned); break;
        case ir::ComponentType::unorm: buffer["format"] = random_.one_of(kUnorms); break;
        case ir::ComponentType::snorm: buffer["format"] = random_.one_of(kSnorms); break;
        default: buffer["format"] = random_.one_of(Names(kFloats).first(12)); break;
      }
    }
    buffer["generate"] = "noise";
    return buffer;
  }

  OrderedJson sampler_of(uint32_t index) {
    OrderedJson sampler = OrderedJson::object();
    const bool restricted = limits_.texture_objects && in_objects_[index];
    const auto filter = [&] { return random_.one_of({"point", "linear"}); };
    switch (limits_.vulkan ? 1 : random_.whole(0, 3)) {
      case 0:
        sampler["filter"] = "anisotropic";
        sampler["max_anisotropy"] = random_.whole(1, 16);
        break;
      case 1: sampler["filter"] = "trilinear"; break;
      default: {
        const char* minification = filter();
        sampler["filter"]["min"] = minification;
        sampler["filter"]["mag"] = restricted ? minification : filter();
        sampler["filter"]["mip"] = filter();
      }
    }
    static constexpr std::string_view kModes[] = {"wrap", "mirror", "clamp", "border", "mirror_once"};
    const Names modes = restricted ? Names(kModes).first(4) : Names(kModes);
    sampler["address"] = {random_.one_of(modes), random_.one_of(modes), random_.one_of(modes)};
    if (random_.one_in(2)) sampler["bias"] = random_.eighth(-3, 3);
    if (random_.one_in(2)) {
      const double least = random_.one_in(2) ? random_.eighth(-1, 3) : 0.0;
      // Vulkan forbids a greatest LOD below the least, and llvmpipe's `lod` is wrong if they are equal.
      const double range = random_.one_in(2) ? random_.eighth(-1, 4) : 1000.0 - least;
      sampler["lod"] = {least, least + (limits_.vulkan ? std::max(range, 0.125) : range)};
    }
    // A device may round a border color to the format or not, which decides a comparison with it.
    sampler["border"] = border(limits_.vulkan && module_.samplers[index].comparison ? 2 : 3);
    static constexpr std::string_view kComparisons[] = {"never",   "less",      "equal",         "less_equal",
                                                        "greater", "not_equal", "greater_equal", "always"};
    sampler["comparison"] = random_.one_of(kComparisons);
    return sampler;
  }

  OrderedJson border(uint32_t most_kinds) {
    switch (std::min(random_.whole(0, 3), most_kinds)) {
      case 0: return {0.0, 0.0, 0.0, 0.0};
      case 1: return {0.0, 0.0, 0.0, 1.0};
      case 2: return {1.0, 1.0, 1.0, 1.0};
      default: {
        const int least = limits_.vulkan ? 0 : -1, most = limits_.vulkan ? 1 : 2;
        return {random_.eighth(least, most), random_.eighth(least, most), random_.eighth(least, most),
                random_.eighth(0, 1)};
      }
    }
  }

  OrderedJson rows_of(uint32_t index) {
    if (is_unbound()) return nullptr;
    const ir::ConstantBuffer& declared = module_.constant_buffers[index];
    const uint32_t rows = declared.rows != 0 ? std::min(declared.rows, kMaxConstantRows) : 64u;
    OrderedJson list = OrderedJson::array();
    for (uint32_t row = 0; row < rows; ++row) {
      OrderedJson numbers = OrderedJson::array();
      for (uint32_t c = 0; c < 4; ++c) numbers.push_back(number(integers_.constant(index, row * 4 + c)));
      list.push_back(std::move(numbers));
    }
    return list;
  }

  OrderedJson number(bool integer) {
    if (integer) return random_.one_in(8) ? random_.whole(0, 255) : random_.whole(0, 8);
    return random_.one_in(4) ? random_.eighth(-8, 8) : static_cast<double>(random_.number(-1, 2));
  }

  // Inputs that the rasterizer or the input assembler makes keep their defaults.
  /// What hull, domain and geometry shaders run on.
  void add_primitives(OrderedJson& scene) {
    if (module_.stage != ir::Stage::hull && module_.stage != ir::Stage::domain &&
        module_.stage != ir::Stage::geometry)
      return;
    scene["primitives"] = random_.whole(1, 70);
    if (random_.one_in(2) && !limits_.vulkan) scene["primitive_ids"].push_back(random_.whole(0, 0xffffffffu));
    if (module_.stage != ir::Stage::domain) return;
    scene["patch_constants"] = OrderedJson::object();
    for (const ir::Parameter& constant : module_.patch_constants)
      add_input(scene["patch_constants"], "vpc", constant);
    constexpr size_t kFactors[] = {0, 2, 4, 6};  // isoline, tri, quad
    OrderedJson lists = OrderedJson::array();
    for (uint32_t patch = random_.whole(1, 5); patch-- != 0;) {
      OrderedJson& factors = lists.emplace_back(OrderedJson::array());
      for (size_t f = 0; f < kFactors[module_.tessellator_domain & 3]; ++f)
        factors.push_back(random_.eighth(-1, 6));
    }
    scene["tessellation"]["factors"] = std::move(lists);
    scene["tessellation"]["partitioning"] =
        random_.one_of({"integer", "pow2", "fractional_odd", "fractional_even"});
  }

  void add_input(OrderedJson& inputs, std::string_view file, const ir::Parameter& input) {
    const std::string name = fmt::format("{}{}", file, input.reg);
    if (input.reg >= ir::kSpecialRegister || input.system_value != ir::SystemValue::none ||
        inputs.contains(name)) {
      return;
    }
    bool integer = input.component_type == 1 || input.component_type == 2;
    for (uint32_t c = 0; c < 4; ++c)
      integer = integer || ((input.mask >> c & 1) != 0 && integers_.input(input.reg * 4 + c));
    const auto four = [&](auto make) { return OrderedJson{make(), make(), make(), make()}; };
    const uint32_t kind = integer ? 4 : random_.whole(0, 7);
    if (kind == 0) {
      inputs[name]["constant"] = four([&] { return number(false); });
    } else if (kind < 4) {
      // Steps from less than a texel to several repetitions of a texture.
      const auto slope = [&] {
        const float size = std::exp2(random_.number(-9, 0));
        return static_cast<double>(random_.one_in(4) ? 0.0f : random_.one_in(2) ? size : -size);
      };
      inputs[name]["gradient"] = four([&] { return static_cast<double>(random_.number(-2, 2)); });
      inputs[name]["dx"] = four(slope);
      inputs[name]["dy"] = four(slope);
    } else {
      OrderedJson values = OrderedJson::array();
      const uint32_t count = random_.whole(5, 67);
      for (uint32_t i = 0; i < count; ++i) values.push_back(four([&] { return number(integer); }));
      inputs[name]["values"] = std::move(values);
    }
  }

  const ir::Module& module_;
  const RandomSceneLimits& limits_;
  Random random_;
  IntegerUses integers_;
  std::vector<bool> compared_, atomic_, queried_, in_objects_;
};

}  // namespace

std::string random_scene(const ir::Module& module, uint64_t seed, const RandomSceneLimits& limits) {
  return RandomScene(module, seed, limits).write();
}

}  // namespace texlate::sim
