// Unordered access, raw and structured buffers and queries at every edge, by all routes: typed loads, stores
// and atomics on every dimension inside and outside the view; conversions of stores; word-wise bounds of raw
// buffers; resinfo and related queries at mips, samples and slots that do not exist. The interpreter on the
// contract, the interpreter on the legalized module and the machine on the emitted kernel must leave the same
// bits in outputs and memory, without poison.
#include <fmt/format.h>

#include <span>

#include <random>

#include "tests/support/routes.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate {
namespace {

using sim::Dimension;
using sim::Format;

struct Surface {
  const char* name;
  Dimension dimension;
  uint32_t axes;
  bool array;
};
constexpr Surface kSurfaces[] = {
    {"texture1d", Dimension::texture1d, 1, false}, {"texture1darray", Dimension::texture1d_array, 1, true},
    {"texture2d", Dimension::texture2d, 2, false}, {"texture2darray", Dimension::texture2d_array, 2, true},
    {"texture3d", Dimension::texture3d, 3, false},
};
struct TypedFormat {
  Format format;
  const char* type;
};
constexpr TypedFormat kFormats[] = {
    {Format::r32g32b32a32_float, "float"},
    {Format::r32_float, "float"},
    {Format::r16g16b16a16_float, "float"},
    {Format::r16_float, "float"},
    {Format::r8g8b8a8_unorm, "unorm"},
    {Format::r8_unorm, "unorm"},
    {Format::r16g16_unorm, "unorm"},
    {Format::r8g8b8a8_snorm, "snorm"},
    {Format::r16g16b16a16_snorm, "snorm"},
    {Format::r32g32b32a32_uint, "uint"},
    {Format::r8g8b8a8_uint, "uint"},
    {Format::r16g16_uint, "uint"},
    {Format::r8g8b8a8_sint, "sint"},
    {Format::r16g16b16a16_sint, "sint"},
    {Format::r32_sint, "sint"},
    // Packed.
    {Format::r10g10b10a2_unorm, "unorm"},
    {Format::r10g10b10a2_uint, "uint"},
    {Format::r11g11b10_float, "float"},
    {Format::b8g8r8a8_unorm, "unorm"},
    {Format::b5g6r5_unorm, "unorm"},
    {Format::b5g5r5a1_unorm, "unorm"},
    {Format::b4g4r4a4_unorm, "unorm"},
    {Format::a8_unorm, "unorm"},
};

constexpr std::array<uint32_t, 3> kSize = {5, 3, 4};
constexpr uint32_t kSlices = 2;

/// v0: address, v1 and v2: anything. Padded to whole quads.
struct Elements {
  std::vector<std::array<uint32_t, 12>> list;
  std::vector<uint32_t> planes;

  sim::StreamLaunch launch() {
    while (list.size() % 4 != 0) list.push_back(list.back());
    planes.clear();
    for (size_t p = 0; p < 12; ++p) {
      for (const auto& element : list) planes.push_back(element[p]);
    }
    sim::StreamLaunch launch;
    launch.count = static_cast<uint32_t>(list.size());
    launch.inputs = planes;
    return launch;
  }
};

std::vector<uint32_t> around(uint32_t size) {
  std::vector<uint32_t> list;
  for (int c = -3; c <= static_cast<int>(size) + 2; ++c) list.push_back(static_cast<uint32_t>(c));
  // x times 16, 8 or 4 bytes wraps back into the row.
  for (uint32_t c : {0x10000000u, 0x10000001u, 0x20000002u, 0x40000001u, 0x7fffffffu, 0x80000000u})
    list.push_back(c);
  return list;
}

std::string module_text(const std::string& declarations, const std::string& body) {
  std::string text = "module pixel 5.0 \"main\"\n" + declarations +
                     "input v0.xyzw\ninput v1.xyzw\ninput v2.xyzw\noutput o0.xyzw\ncode {\n";
  for (uint32_t i = 0; i < 12; ++i) text += fmt::format("  %{} = input v{}.{}\n", i, i / 4, "xyzw"[i % 4]);
  return text + body + "}\n";
}
constexpr const char* kOutputs =
    "  output o0.x, %12\n  output o0.y, %13\n  output o0.z, %14\n  output o0.w, %15\n";

std::string address_text(const Surface& surface) {
  std::string text = surface.axes == 1   ? "coord(%0)"
                     : surface.axes == 2 ? "coord(%0, %1)"
                                         : "coord(%0, %1, %2)";
  return surface.array ? text + " layer(%3)" : text;
}

bool is_nan(uint32_t word) {
  return (word & 0x7fffffffu) > 0x7f800000u;
}

/// If a load converts the NaN of a narrow float, any NaN is accepted. Other words are compared bit by bit:
/// small negative integers have the bits of NaNs, too.
bool converts_nans(Format format) {
  const sim::FormatInfo& info = sim::format_info(format);
  return info.kind == sim::Kind::float_ && info.layout.component[0].bits < 32;
}

/// Compares everything except elements with a flag. `format`: of the typed view that the elements read.
/// Returns the number of elements compared.
uint64_t judge(const Routes::Outputs& outputs, uint32_t count, const std::string& what,
               Format format = Format::unknown) {
  const bool any_nan = converts_nans(format);
  const auto same = [&](uint32_t a, uint32_t b) { return a == b || (any_nan && is_nan(a) && is_nan(b)); };
  uint64_t compared = 0;
  for (uint32_t e = 0; e < count; ++e) {
    if (outputs.undefined[e] != 0) continue;
    ++compared;
    for (size_t at = e; at < outputs.contract.size(); at += count) {
      const bool good =
          same(outputs.contract[at], outputs.legal[at]) && same(outputs.contract[at], outputs.machine[at]);
      if (good || testing::Test::HasFailure()) continue;
      ADD_FAILURE() << what
                    << fmt::format(
                           "element {} component {}: contract {:08x}, legalized {:08x}, machine {:08x}", e,
                           at / count, outputs.contract[at], outputs.legal[at], outputs.machine[at]);
    }
  }
  const auto first_difference = [&](const std::vector<std::byte>& memory) {
    return std::mismatch(memory.begin(), memory.end(), outputs.contract_memory.begin()).first -
           memory.begin();
  };
  // An undefined result of one element may be anywhere in memory.
  if (compared == count) {
    const auto bytes = static_cast<ptrdiff_t>(outputs.contract_memory.size());
    EXPECT_EQ(first_difference(outputs.legal_memory), bytes) << what << "memory of contract and legalized";
    EXPECT_EQ(first_difference(outputs.machine_memory), bytes) << what << "memory of contract and machine";
  }
  return compared;
}

void fill_memory(std::span<std::byte> memory) {
  uint32_t state = 7;
  for (std::byte& byte : memory) {
    state = state * 1664525u + 1013904223u;
    byte = static_cast<std::byte>(state >> 24 & 0x3f);  // floats and halves stay numbers
  }
}

/// With a second mip of kSize, and slices around the tested ones, for views of a part.
enum class Extra : bool { none, around };
sim::Texture surface_texture(const Surface& surface, Format format, Extra extra = Extra::none) {
  const uint32_t more = extra == Extra::around ? 1 : 0;
  sim::TextureDesc desc;
  desc.dimension = surface.dimension;
  desc.format = format;
  desc.size = {kSize[0] << more, surface.axes > 1 ? kSize[1] << more : 1,
               surface.axes > 2 ? kSize[2] << more : 1};
  desc.array_size = surface.array ? kSlices + 2 * more : 1;
  desc.mips = 1 + more;
  sim::Texture texture = sim::make_texture(desc);
  fill_memory(texture.memory());
  return texture;
}

/// Which NaN a half becomes is not defined (docs/reference/direct3d.md 3.3), but one with all bits set stays
/// so everywhere. Floats of 32 bits keep theirs.
void spell_nans(std::array<uint32_t, 12>& element, Format format) {
  if (sim::format_info(format).layout.component[0].bits == 32) return;
  for (size_t c = 4; c < 8; ++c) {
    if (is_nan(element[c])) element[c] = 0x7fffffffu;
  }
}

/// Each place of a view once, so that stores do not collide, and places outside.
Elements surface_elements(const Surface& surface, Format format) {
  const std::vector<uint32_t> zero = {0};
  Elements elements;
  uint32_t state = 1;
  for (uint32_t x : around(kSize[0]))
    for (uint32_t y : surface.axes > 1 ? around(kSize[1]) : zero)
      for (uint32_t z : surface.axes > 2 ? around(kSize[2]) : zero)
        for (uint32_t slice : surface.array ? around(kSlices) : zero) {
          std::array<uint32_t, 12> element = {x, y, z, slice};
          for (size_t i = 4; i < 12; ++i) element[i] = state = state * 1664525u + 1013904223u;
          // Half of the values are floats, some of them in range; the other half are arbitrary.
          for (size_t i = 4; i < 8 && (state >> 20 & 1) != 0; ++i) {
            element[i] = std::bit_cast<uint32_t>(static_cast<float>(element[i] >> 16) / 40000.0f - 0.3f);
          }
          spell_nans(element, format);
          elements.list.push_back(element);
        }
  // A padding element repeats the store of the element that it copies.
  return elements;
}

std::string typed_access(const Surface& surface, const TypedFormat& format) {
  return fmt::format("u0 {} {} {}", surface.name, format.type, address_text(surface));
}

/// Every element loads from its place and stores there.
std::string load_and_store(const Surface& surface, const TypedFormat& format) {
  const std::string access = typed_access(surface, format);
  return module_text(fmt::format("uav u0 {} {}\n", surface.name, format.type),
                     "  %12..%15 = surf.load " + access + "\n  surf.store " + access +
                         " value(%4, %5, %6, %7)\n" + kOutputs);
}

TEST(UnorderedAccess, TypedTexturesAtEveryEdge) {
  uint64_t count = 0;
  for (const Surface& surface : kSurfaces) {
    for (const TypedFormat& format : kFormats) {
      const std::string access = typed_access(surface, format);
      Routes routes(load_and_store(surface, format));
      sim::Texture texture = surface_texture(surface, format.format);
      for (bool bound : {true, false}) {
        sim::Bindings bindings(routes.module());
        if (bound) bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
        routes.watch(texture.memory());
        Elements elements = surface_elements(surface, format.format);
        const sim::StreamLaunch launch = elements.launch();
        count += judge(routes.run(bindings, launch), launch.count,
                       fmt::format("{} {}: ", access, sim::format_info(format.format).name), format.format);
        if (HasFailure()) return;
      }
    }
  }
  fmt::print("{} typed loads and stores, each by 3 routes\n", count);
}

// Bounds and places are those of the view: its mip, its first slice; for 3D textures its first W slice.
TEST(UnorderedAccess, ViewsOfAPart) {
  uint64_t count = 0;
  for (const Surface& surface : kSurfaces) {
    for (const TypedFormat& format : kFormats) {
      const std::string access = typed_access(surface, format);
      Routes routes(load_and_store(surface, format));
      sim::Texture texture = surface_texture(surface, format.format, Extra::around);
      sim::TextureView view = sim::TextureView::whole(texture);
      view.first_mip = 1, view.mip_count = 1;
      if (surface.array) view.first_slice = 1, view.slice_count = kSlices;
      if (surface.axes == 3) view.first_slice = 1, view.slice_count = 2;
      sim::Bindings bindings(routes.module());
      bindings.resources(0)[0].texture = view;
      routes.watch(texture.memory());
      Elements elements = surface_elements(surface, format.format);
      const sim::StreamLaunch launch = elements.launch();
      count +=
          judge(routes.run(bindings, launch), launch.count,
                fmt::format("part of {} {}: ", access, sim::format_info(format.format).name), format.format);
      if (HasFailure()) return;
    }
  }
  fmt::print("{} typed loads and stores of views, each by 3 routes\n", count);
}

TEST(UnorderedAccess, AtomicsAtEveryEdge) {
  static constexpr const char* kOperations[] = {"add",  "and",  "or",   "xor",      "imin",
                                                "imax", "umin", "umax", "exchange", "compare_exchange"};
  uint64_t count = 0;
  for (const Surface& surface : kSurfaces) {
    for (const char* operation : kOperations) {
      const bool expected = std::string_view(operation) == "compare_exchange";
      const std::string access =
          fmt::format("u0 {} uint {} value(%4){} atomic({})", surface.name, address_text(surface),
                      expected ? " expected(%5)" : "", operation);
      Routes routes(module_text(fmt::format("uav u0 {} uint\n", surface.name),
                                "  %12 = surf.atomic " + access + "\n  output o0.x, %12\n"));
      sim::Texture texture = surface_texture(surface, Format::r32_uint);
      for (bool bound : {true, false}) {
        sim::Bindings bindings(routes.module());
        if (bound) bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
        routes.watch(texture.memory());
        Elements elements = surface_elements(surface, Format::r32_uint);
        for (size_t e = 0; e < elements.list.size(); e += 3) {  // sometimes the expected value is there
          const auto& at = elements.list[e];
          if (at[0] >= kSize[0] || at[1] >= texture.desc().size.height ||
              at[2] >= texture.desc().size.depth || at[3] >= texture.desc().array_size)
            continue;
          elements.list[e][5] = texture.read(0, at[3], at[0], at[1], at[2])[0];
        }
        // A padding element would add twice, so its address is out of range.
        while (elements.list.size() % 4 != 0) elements.list.push_back({~0u, ~0u, ~0u, ~0u});
        const sim::StreamLaunch launch = elements.launch();
        count += judge(routes.run(bindings, launch), launch.count, access + ": ");
        if (HasFailure()) return;
      }
    }
  }
  fmt::print("{} atomics, each by 3 routes\n", count);
}

TEST(UnorderedAccess, StoresConvertByTheRules) {
  // Every 16-bit pattern as the upper half of a float with a few lower halves, and integers around every
  // limit.
  std::mt19937 random(5);
  uint64_t count = 0;
  for (const TypedFormat& format : kFormats) {
    const std::string access = fmt::format("u0 texture2d {} coord(%0, %1)", format.type);
    Routes routes(module_text(fmt::format("uav u0 texture2d {}\n", format.type),
                              "  surf.store " + access + " value(%4, %5, %6, %7)\n  %12..%15 = surf.load " +
                                  access + "\n" + kOutputs));
    sim::TextureDesc desc;
    desc.format = format.format;
    desc.size = {256, 256, 1};
    sim::Texture texture = sim::make_texture(desc);
    sim::Bindings bindings(routes.module());
    bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
    routes.watch(texture.memory());
    Elements elements;
    for (uint32_t i = 0; i < 65536; ++i) {
      static constexpr uint32_t kLow[] = {0, 1, 0xffff, 0x7fff, 0x8000, 0x8001};
      std::array<uint32_t, 12> element = {i & 255, i >> 8, 0, 0};
      for (size_t c = 4; c < 8; ++c) element[c] = i << 16 | (c == 4 ? kLow[i % 6] : random() & 0xffffu);
      // Around 0 .. 1, where UNORM and SNORM have their steps, and small integers.
      element[5] = std::bit_cast<uint32_t>((static_cast<float>(i) - 32768.0f) / 32767.0f);
      element[6] = (i - 32768u) * (i % 3 == 0 ? 1u : 65537u);
      spell_nans(element, format.format);
      elements.list.push_back(element);
    }
    const sim::StreamLaunch launch = elements.launch();
    count += judge(routes.run(bindings, launch), launch.count,
                   fmt::format("{}: ", sim::format_info(format.format).name), format.format);
    if (HasFailure()) return;
  }
  fmt::print("{} stores and loads back, each by 3 routes\n", count);
}

TEST(UnorderedAccess, LoadsConvertByTheRules) {
  // Every pattern of 16 and 8 bits in every component, such as SNORM's two -1 and the NaNs of halves.
  uint64_t count = 0;
  for (const TypedFormat& format : kFormats) {
    const sim::FormatInfo& info = sim::format_info(format.format);
    const uint32_t bits = info.layout.component[0].bits;
    const uint32_t bytes = bits != 0 && bits % 8 == 0 ? bits / 8 : std::min<uint32_t>(2, info.bytes);
    Routes routes(module_text(
        fmt::format("uav u0 texture2d {}\n", format.type),
        fmt::format("  %12..%15 = surf.load u0 texture2d {} coord(%0, %1)\n{}", format.type, kOutputs)));
    sim::TextureDesc desc;
    desc.format = format.format;
    desc.size = {256, 256, 1};
    sim::Texture texture = sim::make_texture(desc);
    std::span<std::byte> memory = texture.memory();
    const size_t texel_bytes = memory.size() / 65536;
    Elements elements;
    for (uint32_t i = 0; i < 65536; ++i) {
      elements.list.push_back({i & 255, i >> 8});
      for (size_t at = 0; at < texel_bytes; at += bytes) {
        // 0x9e37: odd, so that each component gets every pattern, a different one at each texel.
        const uint32_t pattern = i * (bytes == 4 ? 0x10001u : 1u) + static_cast<uint32_t>(at) * 0x9e37u;
        std::memcpy(memory.data() + i * texel_bytes + at, &pattern, bytes);
      }
    }
    sim::Bindings bindings(routes.module());
    bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
    const sim::StreamLaunch launch = elements.launch();
    count += judge(routes.run(bindings, launch), launch.count,
                   fmt::format("{}: ", sim::format_info(format.format).name), format.format);
    if (HasFailure()) return;
  }
  fmt::print("{} loads, each by 3 routes\n", count);
}

TEST(UnorderedAccess, TypedBuffersAtEveryEdge) {
  uint64_t count = 0;
  for (const TypedFormat& format : kFormats) {
    const std::string access = fmt::format("u0 buffer {} coord(%0)", format.type);
    Routes routes(module_text(fmt::format("uav u0 buffer {}\n", format.type),
                              "  %12..%15 = surf.load " + access + "\n  surf.store " + access +
                                  " value(%4, %5, %6, %7)\n" + kOutputs));
    for (uint32_t size : {5u, 1u, 0u}) {  // bound first: the kernel packs for the format
      std::vector<std::byte> memory(16 * 8, std::byte{0x21});
      sim::Bindings bindings(routes.module());
      if (size != 0)
        bindings.resources(0)[0].buffer = {memory.data(), sim::BufferKind::typed, format.format, size};
      routes.watch(memory);
      Elements elements;
      for (uint32_t x : around(size))
        elements.list.push_back({x, 0, 0, 0, x + 5, 0x3f000000, 0x3f800000, 0x7fffffff});
      const sim::StreamLaunch launch = elements.launch();
      count += judge(routes.run(bindings, launch), launch.count, fmt::format("{} of {}: ", access, size),
                     format.format);
    }
  }
  fmt::print("{} elements, each by 3 routes\n", count);
}

/// Byte offsets around a size: multiples of 4, and a few others, which are undefined and must be
/// harmless.
std::vector<uint32_t> bytes_around(uint32_t bytes) {
  std::vector<uint32_t> list;
  for (int c = -20; c <= static_cast<int>(bytes) + 8; c += 4) list.push_back(static_cast<uint32_t>(c));
  for (uint32_t c : {0x7ffffffcu, 0x80000000u, 0xfffffff0u, 0xfffffffcu}) list.push_back(c);
  for (uint32_t c : {1u, 6u, bytes - 1, bytes - 2, 0xffffffffu}) list.push_back(c);
  return list;
}

TEST(UnorderedAccess, RawBuffersAreJudgedWordByWord) {
  uint64_t count = 0;
  for (uint32_t words = 1; words <= 4; ++words) {
    const uint32_t mask = (1u << words) - 1;
    static constexpr const char* kValues[] = {"%4", "%4, %5", "%4, %5, %6", "%4, %5, %6, %7"};
    Routes routes(module_text("uav u0 raw_buffer mixed\n",
                              fmt::format("  %12..%15 = buf.load u0 raw_buffer mixed coord(%0) mask({0})\n"
                                          "  buf.store u0 raw_buffer mixed coord(%0) value({1}) mask({0})\n  "
                                          "%16 = buf.size u0 raw_buffer mixed\n"
                                          "  %17 = iadd %12, %16\n  output o0.x, %17\n  output o0.y, %13\n  "
                                          "output o0.z, %14\n  output o0.w, %15\n",
                                          mask, kValues[words - 1])));
    for (uint32_t bytes : {0u, 4u, 24u, 40u}) {
      std::vector<std::byte> memory(64, std::byte{0x21});
      sim::Bindings bindings(routes.module());
      if (bytes != 0)
        bindings.resources(0)[0].buffer = {memory.data(), sim::BufferKind::raw, Format::unknown, bytes};
      routes.watch(memory);
      for (uint32_t offset : bytes_around(bytes)) {
        Elements elements;  // one place per launch, the same for all elements: windows overlap
        elements.list.assign(4, {offset, 0, 0, 0, 0x11111111, 0x22222222, 0x33333333, 0x44444444});
        const sim::StreamLaunch launch = elements.launch();
        count += judge(routes.run(bindings, launch), launch.count,
                       fmt::format("offset {:x} of {}: ", offset, bytes)) /
                 4;
        if (HasFailure()) return;
      }
    }
  }
  fmt::print("{} windows, each by 3 routes\n", count);
}

TEST(UnorderedAccess, StructuredBuffersAreJudgedByIndex) {
  constexpr uint32_t kStride = 20, kStructures = 3;
  Routes routes(
      module_text("uav u0 structured_buffer mixed stride(20)\n",
                  "  %12..%15 = buf.load u0 structured_buffer mixed coord(%0) byte_offset(%1) mask(15)\n"
                  "  buf.store u0 structured_buffer mixed coord(%0) byte_offset(%1) value(%4, %5) mask(3)\n"
                  "  %16 = buf.size u0 structured_buffer mixed\n  %17 = iadd %12, %16\n"
                  "  output o0.x, %17\n  output o0.y, %13\n  output o0.z, %14\n  output o0.w, %15\n"));
  uint64_t count = 0, undefined = 0;
  for (bool bound : {true, false}) {
    std::vector<std::byte> memory(128, std::byte{0x21});
    sim::Bindings bindings(routes.module());
    if (bound)
      bindings.resources(0)[0].buffer = {memory.data(), sim::BufferKind::structured, Format::unknown,
                                         kStructures, kStride};
    routes.watch(memory);
    std::vector<uint32_t> indices = around(kStructures);
    for (uint32_t index : {0x0ccccccdu, 0xccccccceu})
      indices.push_back(index);  // times 20 wraps back to 4 and 24
    for (uint32_t index : indices) {
      for (uint32_t offset : {0u, 4u, 8u, 12u, 16u, 20u, 0xfffffffcu, 3u, 17u, 18u}) {
        Elements elements;
        elements.list.assign(4, {index, offset, 0, 0, 0x11111111, 0x22222222, 0, 0});
        const sim::StreamLaunch launch = elements.launch();
        const Routes::Outputs outputs = routes.run(bindings, launch);
        const uint64_t compared =
            judge(outputs, launch.count, fmt::format("structure {:x} offset {:x}: ", index, offset));
        (compared == 0 ? undefined : count) += 1;
        if (HasFailure()) return;
      }
    }
  }
  fmt::print("{} accesses, each by 3 routes, and {} that are undefined\n", count, undefined);
}

// At known offsets, so that words stay together as far as the stride permits; past the structure's end, word
// by word.
TEST(UnorderedAccess, FieldsOfStructuresAreJudgedByIndex) {
  uint64_t count = 0, undefined = 0;
  for (const uint32_t stride : {8u, 12u, 16u, 24u, 32u}) {
    for (const uint32_t offset : {0u, 4u, 8u, 16u, 20u, 24u, 28u}) {
      Routes routes(module_text(
          fmt::format("uav u0 structured_buffer mixed stride({})\n", stride),
          fmt::format("  %12..%15 = buf.load u0 structured_buffer mixed coord(%0) byte_offset({0}) mask(15)\n"
                      "  buf.store u0 structured_buffer mixed coord(%0) byte_offset({0}) "
                      "value(%4, %5, %4, %7) mask(15)\n{1}",
                      offset, kOutputs)));
      // After the last structure there is only memory that is checked; the start is aligned as the ABI
      // specifies.
      constexpr uint32_t kStructures = 3;
      alignas(16) std::array<std::byte, 160> memory;
      for (size_t i = 0; i < memory.size(); ++i) memory[i] = static_cast<std::byte>(0x21 + i);
      for (const bool bound : {true, false}) {
        sim::Bindings bindings(routes.module());
        if (bound)
          bindings.resources(0)[0].buffer = {memory.data(), sim::BufferKind::structured, Format::unknown,
                                             kStructures, stride};
        routes.watch(memory);
        for (const uint32_t index : around(kStructures)) {
          Elements elements;
          elements.list.assign(4, {index, 0, 0, 0, 0x11111111, 0x22222222, 0, 0x44444444});
          const sim::StreamLaunch launch = elements.launch();
          const uint64_t compared =
              judge(routes.run(bindings, launch), launch.count,
                    fmt::format("stride {} offset {} structure {:x}: ", stride, offset, index));
          (compared == 0 ? undefined : count) += 1;
          if (HasFailure()) return;
        }
      }
    }
  }
  fmt::print("{} accesses, each by 3 routes, and {} that are undefined\n", count, undefined);
}

TEST(UnorderedAccess, AtomicsOnBuffersAndCounters) {
  uint64_t count = 0;
  for (const char* operation : {"add", "umax", "exchange"}) {
    Routes routes(module_text(
        "uav u0 raw_buffer mixed\nuav u1 structured_buffer mixed stride(8) counter\n",
        fmt::format("  %12 = buf.atomic u0 raw_buffer mixed coord(%0) value(%4) atomic({0}) mask(1)\n"
                    "  %13 = buf.atomic u1 structured_buffer mixed coord(%1) byte_offset(%2) value(%5) "
                    "atomic({0}) mask(1)\n"
                    "  %14 = counter u1 structured_buffer mixed counter(alloc)\n  output o0.x, %12\n  output "
                    "o0.y, %13\n  output o0.z, %14\n",
                    operation)));
    for (bool bound : {true, false}) {
      std::vector<std::byte> memory(96, std::byte{0x21});
      sim::Bindings bindings(routes.module());
      auto* counter = reinterpret_cast<uint32_t*>(memory.data() + 88);
      if (bound) {
        bindings.resources(0)[0].buffer = {memory.data(), sim::BufferKind::raw, Format::unknown, 24};
        bindings.resources(1)[0].buffer = {
            memory.data() + 32, sim::BufferKind::structured, Format::unknown, 3, 8, counter};
      }
      routes.watch(memory);
      for (uint32_t offset : bytes_around(24)) {
        Elements elements;
        const uint32_t index = offset / 4 % 5;
        elements.list.push_back({offset, index, offset & 4, 0, 5, 0x30303030, 0, 0});
        elements.list.resize(4, {0xfffffffc, 0xffffffff, 0, 0});
        const sim::StreamLaunch launch = elements.launch();
        count +=
            judge(routes.run(bindings, launch), launch.count, fmt::format("{} at {:x}: ", operation, offset));
        if (HasFailure()) return;
      }
    }
  }
  fmt::print("{} atomics, each by 3 routes\n", count);
}

struct Queried {
  const char* name;
  Dimension dimension;
  std::array<uint32_t, 3> size;
  uint32_t mips, array_size, samples;
};
constexpr Queried kQueried[] = {
    {"texture1d", Dimension::texture1d, {9, 1, 1}, 4, 1, 1},
    {"texture1darray", Dimension::texture1d_array, {9, 1, 1}, 4, 5, 1},
    {"texture2d", Dimension::texture2d, {9, 3, 1}, 4, 1, 1},
    {"texture2darray", Dimension::texture2d_array, {9, 3, 1}, 4, 5, 1},
    {"texture2dms", Dimension::texture2dms, {9, 3, 1}, 1, 1, 8},
    {"texture2dmsarray", Dimension::texture2dms_array, {9, 3, 1}, 1, 5, 8},
    {"texture3d", Dimension::texture3d, {9, 3, 5}, 4, 1, 1},
    {"texturecube", Dimension::texture_cube, {8, 8, 1}, 4, 6, 1},
    {"texturecubearray", Dimension::texture_cube_array, {8, 8, 1}, 4, 18, 1},
};

TEST(Queries, SizesSamplesAndPositionsAtEveryEdge) {
  uint64_t count = 0;
  for (const Queried& queried : kQueried) {
    const bool multisampled = queried.samples > 1;
    std::string body = fmt::format("  %12..%15 = tex.size t0 {} float level(%0)\n", queried.name);
    if (multisampled) {
      body += fmt::format(
          "  %16 = tex.samples t0 {0} float\n  %17, %18 = tex.position t0 {0} float sample(%0)\n  %19 = iadd "
          "%12, %16\n"
          "  output o0.x, %19\n  output o0.y, %17\n  output o0.z, %18\n  output o0.w, %15\n",
          queried.name);
    } else {
      body += kOutputs;
    }
    Routes routes(module_text(
        fmt::format("resource t0 {} float{}\n", queried.name, multisampled ? " samples(8)" : ""), body));
    sim::TextureDesc desc;
    desc.dimension = queried.dimension;
    desc.format = Format::r32_float;
    desc.size = {queried.size[0], queried.size[1], queried.size[2]};
    desc.mips = queried.mips;
    desc.array_size = queried.array_size;
    desc.samples = queried.samples;
    sim::Texture texture = sim::make_texture(desc);
    for (bool bound : {true, false}) {
      sim::Bindings bindings(routes.module());
      if (bound) bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
      Elements elements;
      for (uint32_t level : {~0u, 0u, 1u, 2u, 3u, 4u, 5u, 7u, 8u, 9u, 31u, 32u, 33u, 0x80000000u})
        elements.list.push_back({level});
      const sim::StreamLaunch launch = elements.launch();
      count += judge(routes.run(bindings, launch), launch.count, std::string(queried.name) + ": ");
      if (HasFailure()) return;
    }
  }
  fmt::print("{} queries, each by 3 routes\n", count);
}

TEST(Queries, LevelsOfDetail) {
  // The unit's logarithm and the expanded one differ by roundings: 2^-21 relative (docs/reference/direct3d.md
  // 4.1, log).
  constexpr double kTolerance = 1e-5;
  for (const Queried& queried : kQueried) {
    if (queried.samples > 1) continue;
    const bool cube =
        queried.dimension == Dimension::texture_cube || queried.dimension == Dimension::texture_cube_array;
    const uint32_t axes = cube ? 3 : queried.size[2] > 1 ? 3 : queried.size[1] > 1 ? 2 : 1;
    static constexpr const char* kCoordinates[] = {"%0", "%0, %1", "%0, %1, %2"};
    Routes routes(module_text(fmt::format("resource t0 {} float\nsampler s0\n", queried.name),
                              fmt::format("  %12, %13 = tex.lod t0 s0 {} float coord({}) implicit\n  output "
                                          "o0.x, %12\n  output o0.y, %13\n",
                                          queried.name, kCoordinates[axes - 1])));
    sim::TextureDesc desc;
    desc.dimension = queried.dimension;
    desc.format = Format::r32_float;
    desc.size = {queried.size[0], queried.size[1], queried.size[2]};
    desc.mips = queried.mips;
    desc.array_size = queried.array_size;
    sim::Texture texture = sim::make_texture(desc);
    std::mt19937 random(3);
    for (bool bound : {true, false}) {
      for (uint32_t s = 0; s < 4; ++s) {
        sim::Bindings bindings(routes.module());
        if (bound) bindings.resources(0)[0].texture = sim::TextureView::whole(texture);
        sim::Sampler& sampler = bindings.samplers(0)[0];
        sampler.min_filter = sampler.mag_filter = sampler.mip_filter = sim::Filter::linear;
        sampler.mip_lod_bias = s == 1 ? 0.75f : 0;
        sampler.min_lod = s == 2 ? 1.5f : 0;
        sampler.max_lod = s == 3 ? 2.25f : 1000;
        Elements elements;
        for (uint32_t e = 0; e < 256; ++e) {
          std::array<uint32_t, 12> element{};
          const float spread = std::exp2(static_cast<float>(e / 4 % 12) - 10);
          for (size_t axis = 0; axis < 3; ++axis) {
            const float base = cube ? (axis == e / 4 % 3 ? 1.0f : 0.3f) : 0.5f;
            element[axis] =
                std::bit_cast<uint32_t>(base + spread * static_cast<float>(random() % 1000) / 1000);
          }
          elements.list.push_back(element);
        }
        const sim::StreamLaunch launch = elements.launch();
        const Routes::Outputs outputs = routes.run(bindings, launch);
        for (size_t at = 0; at < size_t{2} * launch.count; ++at) {
          const float expected = std::bit_cast<float>(outputs.contract[at]);
          EXPECT_NEAR(std::bit_cast<float>(outputs.legal[at]), expected, kTolerance)
              << queried.name << " " << at;
          EXPECT_NEAR(std::bit_cast<float>(outputs.machine[at]), expected, kTolerance)
              << queried.name << " " << at;
          if (HasFailure()) return;
        }
      }
    }
  }
}

}  // namespace
}  // namespace texlate
