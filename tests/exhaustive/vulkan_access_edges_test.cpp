// Buffers, unordered access, sizes, gathers with run-time offsets and constant buffers at their edges: the
// interpreter and a Vulkan driver in both robustness modes must give the same bits and leave the same memory.
// Results that Direct3D leaves undefined (misaligned addresses, results of atomics out of range) are not
// compared.
#include <fmt/format.h>

#include <cstring>

#include "tests/support/vulkan_table.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate {
namespace {

using sim::BufferKind;
using sim::Format;
using Words = std::vector<uint32_t>;

constexpr uint32_t kExtremes[] = {0x0fffffff, 0x10000000, 0x15555555, 0x15555556, 0x20000000, 0x2aaaaaab,
                                  0x3fffffff, 0x40000000, 0x55555556, 0x7ffffffe, 0x7fffffff, 0x80000000,
                                  0x80000001, 0xaaaaaaab, 0xfffffff0, 0xfffffffe, 0xffffffff};

/// 0 to `size` and some more, and extremes.
Words indices_of(uint32_t size) {
  Words list;
  for (uint32_t i = 0; i < size + 5; ++i) list.push_back(i);
  list.insert(list.end(), std::begin(kExtremes), std::end(kExtremes));
  return list;
}

/// Also those around each multiple of 2^32 bytes and of 2^32 words, where a product of 32 bits wraps to the
/// first structures.
Words structures_of(uint32_t size, uint32_t stride) {
  Words list = indices_of(size);
  for (const uint64_t wrap : {uint64_t{1} << 32, uint64_t{1} << 34}) {
    for (const uint64_t times : {1u, 2u, 3u, 5u}) {
      for (uint32_t i = 0; i < 5; ++i) {
        const uint64_t index = times * wrap / stride + i - 2;
        if (index <= 0xffffffffu) list.push_back(static_cast<uint32_t>(index));
      }
    }
  }
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
  return list;
}

/// Byte addresses of words. Those of which four words reach beyond 2^32 are left out: they wrap on some
/// hardware and not on other hardware (docs/reference/direct3d.md 1.3), so Direct3D defines no value.
Words addresses_of(uint32_t size) {
  Words list;
  for (const uint32_t index : indices_of(size)) {
    if (index < 0x3ffffffe) list.push_back(index * 4);
  }
  return list;
}

Words numbered(size_t count) {
  Words words(count);
  for (size_t i = 0; i < count; ++i) words[i] = 0x01010101u * static_cast<uint32_t>(i % 250 + 1);
  return words;
}

/// Runs the table on both and compares results and the memory that `make` binds. `memory` is copied for each
/// run.
class VulkanAccess : public testing::TestWithParam<spirv::Robustness> {
 protected:
  using Bind = std::function<void(sim::Bindings&, Words& memory)>;

  void compare(const std::string& name, const TableText& text, const Words& rows, const Words& memory,
               const Bind& bind) {
    VulkanTable table(text);
    Words by_interpreter = memory, by_device = memory;
    Words guarded = memory;
    if (GetParam() == spirv::Robustness::shader && guarded_by_ir_)
      table.expect_guarded(rows, [&](sim::Bindings& bindings) { bind(bindings, guarded); });
    const Words expected =
        table.interpret(rows, [&](sim::Bindings& bindings) { bind(bindings, by_interpreter); });
    std::string complaint;
    const Words results = table.try_on_device(
        GetParam(), rows, [&](sim::Bindings& bindings) { bind(bindings, by_device); }, complaint);
    if (is_beyond_device(complaint)) return;
    ASSERT_EQ(complaint, "") << text.text();
    uint32_t reported = 0;
    for (size_t r = 0; r * text.in < rows.size(); ++r) {
      const auto* wanted = &expected[r * text.out()];
      const auto* result = &results[r * text.out()];
      if (std::equal(wanted, wanted + text.out(), result) || ++reported > 8) continue;
      ADD_FAILURE() << fmt::format("{} ({:08x}): {:08x}, vulkan {:08x}", name,
                                   fmt::join(&rows[r * text.in], &rows[r * text.in] + text.in, ", "),
                                   fmt::join(wanted, wanted + text.out(), ", "),
                                   fmt::join(result, result + text.out(), ", "));
    }
    for (size_t i = 0; i < memory.size() && reported <= 8; ++i) {
      if (by_interpreter[i] == by_device[i] || ++reported > 8) continue;
      ADD_FAILURE() << fmt::format("{}: word {} of memory is {:08x}, vulkan {:08x}", name, i,
                                   by_interpreter[i], by_device[i]);
    }
    accesses_ += rows.size() / text.in;
  }

  void SetUp() override { TEXLATE_NEEDS_VULKAN(GetParam()); }
  void TearDown() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    if (!IsSkipped()) fmt::print("{}: {} accesses\n", test->name(), accesses_);
  }

  static sim::BufferView raw(Words& memory, uint32_t words) {
    if (words == 0) return {};
    return {reinterpret_cast<std::byte*>(memory.data()), BufferKind::raw, Format::unknown, words * 4};
  }
  static sim::BufferView structured(Words& memory, uint32_t elements, uint32_t stride,
                                    uint32_t* counter = nullptr) {
    if (elements == 0) return {};
    return {reinterpret_cast<std::byte*>(memory.data()),
            BufferKind::structured,
            Format::unknown,
            elements,
            stride,
            counter};
  }

  uint64_t accesses_ = 0;
  bool guarded_by_ir_ = true;  // otherwise the emitter provides missing ones
};

constexpr const char* kFour[] = {"%100", "%101", "%102", "%103"};

TEST_P(VulkanAccess, RawLoads) {
  TableText text;
  text.declarations = "resource t0 raw_buffer mixed\n";
  text.body = "  %100..%103 = buf.load t0 raw_buffer mixed coord(%0) mask(15)\n";
  text.results.assign(std::begin(kFour), std::end(kFour));
  for (uint32_t size : {0u, 1u, 4u, 13u}) {
    compare(fmt::format("raw buffer of {} words", size), text, addresses_of(size), numbered(16),
            [size](sim::Bindings& bindings, Words& memory) {
              bindings.resources(2)[0].buffer = raw(memory, size);
            });
  }
}

TEST_P(VulkanAccess, StructuredLoads) {
  for (uint32_t stride : {4u, 12u, 16u, 2048u}) {
    for (uint32_t offset : {0u, stride / 8 * 4, stride - 4}) {
      TableText text;
      text.declarations = fmt::format("resource t0 structured_buffer mixed stride({})\n", stride);
      text.body = fmt::format(
          "  %100..%103 = buf.load t0 structured_buffer mixed coord(%0) byte_offset({}) mask(1)\n", offset);
      text.results = {"%100"};
      for (uint32_t size : {0u, 1u, 5u}) {
        compare(fmt::format("{} structures of {} bytes, offset {}", size, stride, offset), text,
                structures_of(size, stride), numbered(size_t{5} * stride / 4),
                [=](sim::Bindings& bindings, Words& memory) {
                  bindings.resources(2)[0].buffer = structured(memory, size, stride);
                });
      }
    }
  }
}

TEST_P(VulkanAccess, StructuredLoadsOfConstantIndices) {
  constexpr uint32_t kNearby = 64;  // within the memory around a buffer
  for (uint32_t index : structures_of(5, 12)) {
    // It executes loads from constant addresses whether or not their branch is taken (docs/spirv.md).
    if (is_swiftshader() && index > kNearby) continue;
    TableText text;
    text.declarations = "resource t0 structured_buffer mixed stride(12)\n";
    text.body = fmt::format(
        "  %100..%103 = buf.load t0 structured_buffer mixed coord({}) byte_offset(4) mask(3)\n", index);
    text.results = {"%100", "%101"};
    compare(fmt::format("structure {:x}", index), text, {0}, numbered(15),
            [](sim::Bindings& bindings, Words& memory) {
              bindings.resources(2)[0].buffer = structured(memory, 5, 12);
            });
  }
}

TEST_P(VulkanAccess, RawAndStructuredStores) {
  TableText text;
  text.declarations = "uav u0 raw_buffer mixed\n";
  text.body = "  %100 = iadd %0, 7\n  buf.store u0 raw_buffer mixed coord(%0) value(%100) mask(1)\n";
  text.results = {"%100"};
  for (uint32_t size : {0u, 1u, 13u}) {
    compare(fmt::format("raw view of {} words", size), text, addresses_of(size), numbered(16),
            [size](sim::Bindings& bindings, Words& memory) {
              bindings.resources(2)[0].buffer = raw(memory, size);
            });
  }
  for (uint32_t stride : {4u, 12u, 16u}) {
    text.declarations = fmt::format("uav u0 structured_buffer mixed stride({})\n", stride);
    text.body = fmt::format(
        "  %100 = iadd %0, 7\n"
        "  buf.store u0 structured_buffer mixed coord(%0) byte_offset({}) value(%100) mask(1)\n",
        stride - 4);
    for (uint32_t size : {0u, 1u, 5u}) {
      compare(fmt::format("view of {} structures of {} bytes", size, stride), text,
              structures_of(size, stride), numbered(32), [=](sim::Bindings& bindings, Words& memory) {
                bindings.resources(2)[0].buffer = structured(memory, size, stride);
              });
    }
  }
}

TEST_P(VulkanAccess, AtomicsOfBuffers) {
  static constexpr const char* kOps[] = {"add", "and", "or", "xor", "imin", "imax", "umin", "umax"};
  for (const char* op : kOps) {
    TableText text;
    text.declarations = "uav u0 raw_buffer mixed\nuav u1 structured_buffer mixed stride(12)\n";
    text.in = 3;
    text.body = fmt::format(
        "  %100 = buf.atomic u0 raw_buffer mixed coord(%0) value(%2) atomic({0})\n"
        "  %101 = buf.atomic u1 structured_buffer mixed coord(%1) byte_offset(8) value(%2) atomic({0})\n",
        op);
    text.results = {"%2"};
    Words rows;
    const Words addresses = addresses_of(5), structures = structures_of(2, 12);
    for (size_t i = 0; i < std::max(addresses.size(), structures.size()); ++i) {
      for (uint32_t value : {0x80000003u, 0x40u, 0xfffffff0u}) {
        rows.push_back(addresses[i % addresses.size()]);
        rows.push_back(structures[i % structures.size()]);
        rows.push_back(value);
      }
    }
    compare(fmt::format("atomic {}", op), text, rows, numbered(32),
            [](sim::Bindings& bindings, Words& memory) {
              bindings.resources(2)[0].buffer = raw(memory, 5);
              bindings.resources(3)[0].buffer = {reinterpret_cast<std::byte*>(memory.data() + 8),
                                                 BufferKind::structured, Format::unknown, 2, 12};
            });
  }
}

TEST_P(VulkanAccess, CountersOfViews) {
  for (bool there : {true, false}) {
    TableText text;
    text.declarations =
        "uav u0 structured_buffer mixed stride(4) counter\nuav u1 structured_buffer mixed stride(4) "
        "counter\n";
    text.body =
        "  %100 = counter u0 structured_buffer mixed counter(alloc)\n"
        "  %101 = counter u1 structured_buffer mixed counter(consume)\n";
    text.results = {"%0"};
    compare(there ? "counters" : "counters of empty slots", text, Words(64, 5), numbered(4),
            [there](sim::Bindings& bindings, Words& memory) {
              if (!there) return;
              bindings.resources(2)[0].buffer = structured(memory, 1, 4, &memory[1]);
              bindings.resources(3)[0].buffer = {reinterpret_cast<std::byte*>(&memory[2]),
                                                 BufferKind::structured,
                                                 Format::unknown,
                                                 1,
                                                 4,
                                                 &memory[3]};
            });
  }
}

struct ViewShape {
  const char* name;
  sim::Dimension dimension;
  uint32_t axes;
  bool array;
};
constexpr ViewShape kViews[] = {
    {"texture1d", sim::Dimension::texture1d, 1, false},
    {"texture1darray", sim::Dimension::texture1d_array, 1, true},
    {"texture2d", sim::Dimension::texture2d, 2, false},
    {"texture2darray", sim::Dimension::texture2d_array, 2, true},
    {"texture3d", sim::Dimension::texture3d, 3, false},
};

/// Typed views: loads and stores at each place around the edges; a texture represents the memory.
TEST_P(VulkanAccess, TypedViews) {
  for (const ViewShape& shape : kViews) {
    for (Format format : {Format::r32_uint, Format::r32g32b32a32_uint, Format::r32_float}) {
      const char* type = sim::format_info(format).is_integer() ? "uint" : "float";
      sim::TextureDesc desc;
      desc.dimension = shape.dimension;
      desc.format = format;
      desc.size = {5, shape.axes > 1 ? 3u : 1u, shape.axes > 2 ? 4u : 1u};
      desc.array_size = shape.array ? 2 : 1;
      std::string where = shape.axes == 1   ? "coord(%0)"
                          : shape.axes == 2 ? "coord(%0, %1)"
                                            : "coord(%0, %1, %2)";
      if (shape.array) where += " layer(%3)";
      TableText loads;
      loads.in = 4;
      loads.declarations = fmt::format("uav u0 {} {}\n", shape.name, type);
      loads.body = fmt::format("  %100..%103 = surf.load u0 {} {} {}\n", shape.name, type, where);
      loads.results.assign(std::begin(kFour), std::end(kFour));
      TableText stores = loads;
      stores.body = fmt::format("  %100 = ieq %0, %0\n  surf.store u0 {} {} {} value(%0, 7, 8, 9)\n",
                                shape.name, type, where);
      stores.results = {"%0"};
      Words rows;
      const Words xs = {~0u, 0, 1, 4, 5, 6, 0x7fffffff, 0x80000000};
      const Words ys = shape.axes > 1 ? Words{~0u, 0, 2, 3, 0x80000000} : Words{0};
      const Words zs = shape.axes > 2 ? Words{~0u, 0, 3, 4, 0x80000000} : Words{0};
      const Words slices = shape.array ? Words{~0u, 0, 1, 2, 0x80000000} : Words{0};
      for (uint32_t x : xs)
        for (uint32_t y : ys)
          for (uint32_t z : zs)
            for (uint32_t slice : slices) rows.insert(rows.end(), {x, y, z, slice});
      for (bool bound : {true, false}) {
        for (const TableText* text : {&loads, &stores}) {
          std::vector<std::unique_ptr<sim::Texture>> textures;
          const std::string name = fmt::format("{} {} {}", text == &loads ? "loads of" : "stores to",
                                               shape.name, bound ? sim::format_info(format).name : "unbound");
          compare(name, *text, rows, {}, [&](sim::Bindings& bindings, Words&) {
            textures.push_back(std::make_unique<sim::Texture>(sim::make_texture(desc)));
            const Words contents = numbered(textures.back()->memory().size() / 4);
            std::memcpy(textures.back()->memory().data(), contents.data(), contents.size() * 4);
            if (bound) bindings.resources(2)[0].texture = sim::TextureView::whole(*textures.back());
          });
          ASSERT_GE(textures.size(), 2u);
          const auto a = textures[0]->memory(), b = textures[1]->memory();
          EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin())) << name;
        }
      }
    }
  }
}

TEST_P(VulkanAccess, TypedBufferViewsAndAtomics) {
  TableText text;
  text.declarations = "uav u0 buffer uint\nuav u1 texture2d uint\n";
  text.body =
      "  %100..%103 = surf.load u0 buffer uint coord(%0)\n"
      "  %104 = surf.atomic u1 texture2d uint coord(%0, 1) value(3) atomic(add)\n";
  text.results = {"%100", "%101", "%102", "%103"};
  std::vector<std::unique_ptr<sim::Texture>> textures;
  for (uint32_t size : {0u, 5u}) {
    compare(fmt::format("typed view of {} elements", size), text, indices_of(size), numbered(8),
            [&](sim::Bindings& bindings, Words& memory) {
              if (size == 0) return;
              bindings.resources(2)[0].buffer = {reinterpret_cast<std::byte*>(memory.data()),
                                                 BufferKind::typed, Format::r32_uint, size};
              sim::TextureDesc desc;
              desc.format = Format::r32_uint;
              desc.size = {4, 2, 1};
              textures.push_back(std::make_unique<sim::Texture>(sim::make_texture(desc)));
              bindings.resources(3)[0].texture = sim::TextureView::whole(*textures.back());
            });
  }
  ASSERT_GE(textures.size(), 2u);
  const auto a = textures[0]->memory(), b = textures[1]->memory();
  EXPECT_TRUE(std::equal(a.begin(), a.end(), b.begin()));
}

/// resinfo: a mip that does not exist has no size; the number of mips is returned anyway; for empty slots all
/// results are 0.
TEST_P(VulkanAccess, SizesOfMipsThatAreMissing) {
  guarded_by_ir_ = false;
  struct SizeShape {
    const char* name;
    sim::Dimension dimension;
    uint32_t axes, slices;
  };
  static constexpr SizeShape kShapes[] = {
      {"texture1d", sim::Dimension::texture1d, 1, 1},
      {"texture1darray", sim::Dimension::texture1d_array, 1, 3},
      {"texture2d", sim::Dimension::texture2d, 2, 1},
      {"texture2darray", sim::Dimension::texture2d_array, 2, 3},
      {"texture3d", sim::Dimension::texture3d, 3, 1},
      {"texturecube", sim::Dimension::texture_cube, 2, 6},
      {"texturecubearray", sim::Dimension::texture_cube_array, 2, 12},
  };
  for (const SizeShape& shape : kShapes) {
    sim::TextureDesc desc;
    desc.dimension = shape.dimension;
    desc.format = Format::r8g8b8a8_unorm;
    desc.size = {20, shape.axes == 1 ? 1u : shape.slices % 6 == 0 ? 20u : 12u, shape.axes > 2 ? 7u : 1u};
    desc.mips = 4;
    desc.array_size = shape.slices;
    sim::Texture texture = sim::make_texture(desc);
    TableText text;
    text.declarations = fmt::format("resource t0 {} float\n", shape.name);
    text.body = fmt::format("  %100..%103 = tex.size t0 {} float level(%0)\n", shape.name);
    text.results.assign(std::begin(kFour), std::end(kFour));
    const Words mips = {0, 1, 2, 3, 4, 5, 31, 32, 33, 0x7fffffff, 0x80000000, 0xffffffff};
    for (uint32_t first : {0u, 1u, 4u}) {
      // llvmpipe takes the level of one lane for all of them, so there is one level per dispatch.
      for (uint32_t mip : mips) {
        compare(fmt::format("size of {}, view from mip {}", shape.name, first), text, {mip}, {},
                [&](sim::Bindings& bindings, Words&) {
                  if (first == 4) return;  // nothing is bound
                  auto& view = bindings.resources(2)[0].texture = sim::TextureView::whole(texture);
                  view.first_mip = first;
                  view.mip_count = 3;
                });
      }
    }
  }
}

TEST_P(VulkanAccess, SizesOfBuffersAndSamples) {
  guarded_by_ir_ = false;
  TableText text;
  text.declarations =
      "resource t0 buffer float\nresource t1 raw_buffer mixed\nresource t2 structured_buffer mixed "
      "stride(12)\n"
      "resource t3 texture2dms float samples(4)\nuav u0 texture2d uint\n";
  text.body =
      "  %100 = buf.size t0 buffer float\n  %101 = buf.size t1 raw_buffer mixed\n"
      "  %102 = buf.size t2 structured_buffer mixed\n  %103 = tex.samples t3 texture2dms float\n"
      "  %104..%107 = tex.size t3 texture2dms float\n  %108..%111 = tex.size u0 texture2d uint\n";
  for (uint32_t i = 100; i < 112; ++i) text.results.push_back(fmt::format("%{}", i));
  sim::TextureDesc desc;
  desc.dimension = sim::Dimension::texture2dms;
  desc.format = Format::r8g8b8a8_unorm;
  desc.size = {6, 4, 1};
  desc.samples = 4;
  sim::Texture texture = sim::make_texture(desc);
  desc = {};
  desc.format = Format::r32_uint;
  desc.size = {9, 5, 1};
  sim::Texture target = sim::make_texture(desc);
  for (bool bound : {true, false}) {
    compare(bound ? "sizes" : "sizes of empty slots", text, {0}, numbered(64),
            [&](sim::Bindings& bindings, Words& memory) {
              if (!bound) return;
              bindings.resources(2)[0].buffer = {reinterpret_cast<std::byte*>(memory.data()),
                                                 BufferKind::typed, Format::r32_float, 7};
              bindings.resources(3)[0].buffer = raw(memory, 10);
              bindings.resources(4)[0].buffer = structured(memory, 5, 12);
              bindings.resources(5)[0].texture = sim::TextureView::whole(texture);
              bindings.resources(6)[0].texture = sim::TextureView::whole(target);
            });
  }
}

/// gather4_po: the low six bits of each offset, signed; both components from -40 to 40 and extremes.
TEST_P(VulkanAccess, GathersWithRunTimeOffsets) {
  sim::TextureDesc desc;
  desc.format = Format::r32g32b32a32_float;
  desc.size = {16, 8, 1};
  sim::Texture texture = sim::make_texture(desc);
  for (uint32_t y = 0; y < 8; ++y)
    for (uint32_t x = 0; x < 16; ++x) texture.write(0, 0, x, y, 0, sim::texel_value(0, 0, x, y, 0, 0, false));
  for (auto mode : {sim::AddressMode::wrap, sim::AddressMode::clamp, sim::AddressMode::mirror,
                    sim::AddressMode::border}) {
    for (uint32_t component : {0u, 2u, 3u}) {
      TableText text;
      text.in = 2;
      text.declarations = "resource t0 texture2d float\nsampler s0\n";
      // A point around which the four texels are the same whatever the precision.
      text.body = fmt::format(
          "  %100..%103 = tex.gather t0 s0 texture2d float coord(0.25f, 0.5f) offset_by(%0, %1) "
          "component({})\n",
          component);
      text.results.assign(std::begin(kFour), std::end(kFour));
      Words rows, values;
      for (int v = -40; v <= 40; ++v) values.push_back(static_cast<uint32_t>(v));
      values.insert(values.end(), {0x7fffffff, 0x80000000, 0x12345678});
      for (uint32_t u : values)
        for (uint32_t v : values) rows.insert(rows.end(), {u, v});
      for (bool bound : {true, false}) {
        compare(fmt::format("gather component {} in mode {}", component, static_cast<int>(mode)), text, rows,
                {}, [&](sim::Bindings& bindings, Words&) {
                  bindings.samplers(0)[0].address = {mode, mode, mode};
                  if (bound) bindings.resources(2)[0].texture = sim::TextureView::whole(texture);
                });
      }
    }
  }
}

/// A row beyond what is bound reads 0; a row beyond the declaration but within what is bound exists.
TEST_P(VulkanAccess, ConstantBuffers) {
  TableText text;
  text.declarations = "constant_buffer cb0 rows(6) dynamic\n";
  text.body = "  %100..%103 = cb.load cb0[%0]\n  %104..%107 = cb.load cb0[5]\n";
  for (uint32_t i = 100; i < 108; ++i) text.results.push_back(fmt::format("%{}", i));
  for (uint32_t rows : {0u, 3u, 6u, 9u}) {
    Words indices = {0, 1, 2, 3, 4, 5};
    // The driver handles rows beyond the declaration.
    if (GetParam() == spirv::Robustness::driver) indices.insert(indices.end(), {6, 7, 8, 9, 10, 4095});
    const Words contents = numbered(size_t{rows} * 4);
    compare(fmt::format("{} rows bound", rows), text, indices, {},
            [&](sim::Bindings& bindings, Words&) { bindings.constant_buffers(0)[0] = contents; });
  }
}

INSTANTIATE_TEST_SUITE_P(Robustness, VulkanAccess, testing::ValuesIn(kBothRobustness),
                         [](const auto& one) { return robustness_name(one.param); });

}  // namespace
}  // namespace texlate
