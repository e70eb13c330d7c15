// Constant buffers, tables, indexable temporaries, group-shared memory and input registers at every edge, by
// all routes: rows and byte offsets inside, at the end, past it, and where times 16 wraps. Direct3D defines
// the first two kinds (0 out of range; docs/reference/direct3d.md 1.3, "cb# read"). The others are undefined
// there and harmless here: reads give 0, writes are dropped, low bits of misaligned offsets are cleared. No
// route may fault or leak poison.
#include <fmt/format.h>

#include <algorithm>
#include <random>

#include "tests/support/routes.h"

namespace texlate {
namespace {

constexpr uint32_t kEdges[] = {0,           1,           2,           3,           4,
                               5,           6,           7,           8,           63,
                               64,          0x0fffffffu, 0x10000000u, 0x10000001u, 0x10000003u,
                               0x7fffffffu, 0x80000000u, 0x80000001u, 0xfffffffcu, 0xffffffffu};

/// v0: row, word to store, second row.
struct Launch {
  std::vector<uint32_t> planes;
  sim::StreamLaunch launch;
  explicit Launch(const std::vector<std::array<uint32_t, 3>>& elements) {
    launch.count = static_cast<uint32_t>((elements.size() + 3) / 4 * 4);
    for (size_t plane = 0; plane < 3; ++plane) {
      for (uint32_t e = 0; e < launch.count; ++e)
        planes.push_back(elements[std::min<size_t>(e, elements.size() - 1)][plane]);
    }
    launch.inputs = planes;
  }
};

std::string pixel_text(std::string_view declarations, std::string_view body) {
  return fmt::format(
      "module pixel 5.1 \"main\"\n{}input v0.xyz\noutput o0.xyzw\ncode {{\n  %0 = input v0.x\n  %1 = input "
      "v0.y\n  %2 = input v0.z\n{}}}\n",
      declarations, body);
}
constexpr std::string_view kOutputs =
    "  output o0.x, %10\n  output o0.y, %11\n  output o0.z, %12\n  output o0.w, %13\n";

std::vector<std::array<uint32_t, 3>> single_edges() {
  std::vector<std::array<uint32_t, 3>> elements;
  for (uint32_t row : kEdges) elements.push_back({row, row * 3 + 1, 0});
  return elements;
}
std::vector<std::array<uint32_t, 3>> pairs_of_edges() {
  std::vector<std::array<uint32_t, 3>> elements;
  for (uint32_t row : kEdges) {
    for (uint32_t other : kEdges) elements.push_back({row, row * 3 + 1, other});
  }
  return elements;
}

/// Expects these planes of each route.
void expect_outputs(const Routes::Outputs& outputs, const std::vector<uint32_t>& expected) {
  EXPECT_EQ(outputs.contract, expected);
  EXPECT_EQ(outputs.legal, expected);
  EXPECT_EQ(outputs.machine, expected);
}

uint32_t content(uint32_t row, uint32_t c) {
  return 0x1000 + row * 4 + c;
}

std::vector<uint32_t> rows_or_zero(const Launch& launch, uint32_t rows) {
  std::vector<uint32_t> expected;
  for (uint32_t c = 0; c < 4; ++c) {
    for (uint32_t e = 0; e < launch.launch.count; ++e)
      expected.push_back(launch.planes[e] < rows ? content(launch.planes[e], c) : 0);
  }
  return expected;
}

TEST(MemoryEdges, ConstantBuffersEndWhereTheBindingEnds) {
  Routes routes(pixel_text("constant_buffer cb0 rows(4) dynamic\n",
                           fmt::format("  %10..%13 = cb.load cb0[%0]\n{}", kOutputs)));
  const Launch launch(single_edges());
  for (uint32_t rows : {0u, 1u, 3u, 4u, 6u}) {
    // Bytes after the last whole row are not bound.
    std::vector<uint32_t> words;
    for (uint32_t w = 0; w < rows * 4 + 3; ++w) words.push_back(content(0, w));
    sim::Bindings bindings(routes.module());
    if (rows != 0) bindings.constant_buffers(0)[0] = words;
    expect_outputs(routes.run(bindings, launch.launch), rows_or_zero(launch, rows));
  }
}

// Rows that are constants take another path through the emitter, and so does a single component.
TEST(MemoryEdges, ConstantRowsOfConstantBuffers) {
  std::vector<uint32_t> words;
  for (uint32_t w = 0; w < 3 * 4; ++w) words.push_back(content(0, w));
  const Launch launch({{0, 0, 0}});
  for (uint32_t row : kEdges) {
    for (bool single : {false, true}) {
      const std::string_view outputs = single ? "  output o0.z, %12\n" : kOutputs;
      Routes routes(pixel_text("constant_buffer cb0 rows(4)\n",
                               fmt::format("  %10..%13 = cb.load cb0[{:#x}]\n{}", row, outputs)));
      sim::Bindings bindings(routes.module());
      bindings.constant_buffers(0)[0] = words;
      std::vector<uint32_t> expected(16, 0);
      for (uint32_t at = 0; at < 16; ++at) {
        if (row < 3 && (!single || at / 4 == 2)) expected[at] = content(row, at / 4);
      }
      SCOPED_TRACE(row);
      expect_outputs(routes.run(bindings, launch.launch), expected);
    }
  }
}

// Rows that are read near each other share one test (ir/passes/share_row_guards.h). Each exclusive or of rows
// of two buffers, with each number of bound rows.
TEST(MemoryEdges, RowsThatAreReadTogether) {
  const Launch launch({{0, 0, 0}});
  std::vector<uint32_t> words;
  for (uint32_t w = 0; w < 4 * 8; ++w) words.push_back(content(0, w) * 0x9e3779b9u);
  std::mt19937 random(7);
  uint32_t shared = 0;
  for (uint32_t program = 0; program < 24; ++program) {
    struct Read {
      uint32_t buffer, row;
    };
    std::vector<Read> reads;
    std::string body = "  %10..%13 = cb.load cb0[0]\n";
    reads.push_back({0, 0});
    uint32_t next = 14, sum = 10;
    for (uint32_t i = 0; i < 2 + program % 12; ++i) {
      const Read read{static_cast<uint32_t>(random() % 2), static_cast<uint32_t>(random() % 8)};
      reads.push_back(read);
      body += fmt::format("  %{}..%{} = cb.load cb{}[{}]\n", next, next + 3, read.buffer, read.row);
      for (uint32_t c = 0; c < 4; ++c)
        body += fmt::format("  %{} = xor %{}, %{}\n", next + 4 + c, sum + c, next + c);
      sum = next + 4;
      next += 8;
    }
    for (uint32_t c = 0; c < 4; ++c) body += fmt::format("  output o0.{}, %{}\n", "xyzw"[c], sum + c);
    Routes routes(pixel_text("constant_buffer cb0 rows(8)\nconstant_buffer cb1 rows(8)\n", body));
    shared += std::ranges::count(routes.legal().code, ir::Op::if_, &ir::Instruction::op);
    for (uint32_t bound = 0; bound < 64; ++bound) {
      const uint32_t rows[2] = {bound % 8, bound / 8};
      sim::Bindings bindings(routes.module());
      for (uint32_t b = 0; b < 2; ++b) {
        if (rows[b] != 0) bindings.constant_buffers(b)[0] = std::span(words).first(4 * rows[b]);
      }
      std::vector<uint32_t> expected(16, 0);
      for (const Read& read : reads) {
        for (uint32_t at = 0; at < 16 && read.row < rows[read.buffer]; ++at)
          expected[at] ^= words[4 * read.row + at / 4];
      }
      SCOPED_TRACE(fmt::format("program {}, {} and {} rows", program, rows[0], rows[1]));
      expect_outputs(routes.run(bindings, launch.launch), expected);
    }
  }
  EXPECT_GE(shared, 24u);
}

// A register outside a 5.1 range is undefined; inside it, each buffer has its own end.
TEST(MemoryEdges, RangesOfConstantBuffers) {
  Routes routes(pixel_text("constant_buffer cb0 rows(4) dynamic registers(0, 2)\n",
                           fmt::format("  %10..%13 = cb.load cb0[%0] index(%2)\n{}", kOutputs)));
  const Launch launch(pairs_of_edges());
  std::array<std::vector<uint32_t>, 3> words;
  sim::Bindings bindings(routes.module());
  for (uint32_t b = 0; b < 3; ++b) {
    for (uint32_t w = 0; w < 4 * (b + 2); ++w) words[b].push_back(content(100 * b, w));
    bindings.constant_buffers(0)[b] = words[b];
  }
  const Routes::Outputs outputs = routes.run(bindings, launch.launch);
  uint32_t inside = 0;
  for (uint32_t e = 0; e < launch.launch.count; ++e) {
    const uint32_t row = launch.planes[e], index = launch.planes[2 * launch.launch.count + e];
    EXPECT_EQ(outputs.undefined[e] != 0, index > 2);
    if (index > 2) continue;
    ++inside;
    for (uint32_t c = 0; c < 4; ++c) {
      const uint32_t expected = row < index + 2 ? content(100 * index + row, c) : 0;
      for (const auto* route : {&outputs.contract, &outputs.legal, &outputs.machine})
        EXPECT_EQ((*route)[c * launch.launch.count + e], expected) << row << " of " << index;
    }
  }
  EXPECT_EQ(inside, 3 * std::size(kEdges));
}

TEST(MemoryEdges, Tables) {
  std::string table = "table table0\n";
  for (uint32_t row = 0; row < 5; ++row)
    table += fmt::format("  row {}, {}, {}, {}\n", content(row, 0), content(row, 1), content(row, 2),
                         content(row, 3));
  Routes routes(pixel_text(table, fmt::format("  %10..%13 = table.load table0[%0]\n{}", kOutputs)));
  const Launch launch(single_edges());
  expect_outputs(routes.run(sim::Bindings(routes.module()), launch.launch), rows_or_zero(launch, 5));
}

// Stores to one row and loads from another: every pair.
TEST(MemoryEdges, IndexableTemporaries) {
  constexpr uint32_t kRows = 4;
  std::string body;
  for (uint32_t row = 0; row < kRows; ++row)
    body += fmt::format("  local.store x0[{}].y, {}\n", row, 50 + row);
  // A neighbor that a store past the end would hit.
  body +=
      "  local.store x1[0].y, 77\n  local.store x0[%0].y, %1\n  %10 = local.load x0[%2].y\n"
      "  %11 = local.load x1[0].y\n  output o0.x, %10\n  output o0.y, %11\n";
  Routes routes(pixel_text("local x0 rows(4) components(4)\nlocal x1 rows(1) components(4)\n", body));
  const Launch launch(pairs_of_edges());
  const uint32_t count = launch.launch.count;
  std::vector<uint32_t> expected(size_t{4} * count, 0);
  for (uint32_t e = 0; e < count; ++e) {
    const uint32_t stored = launch.planes[e], word = launch.planes[count + e],
                   read = launch.planes[2 * count + e];
    expected[e] = read >= kRows ? 0 : read == stored ? word : 50 + read;
    expected[count + e] = 77;
  }
  expect_outputs(routes.run(sim::Bindings(routes.module()), launch.launch), expected);
}

TEST(MemoryEdges, ConstantRowsOfIndexableTemporaries) {
  const Launch launch({{0, 0, 0}});
  for (uint32_t row : kEdges) {
    SCOPED_TRACE(row);
    Routes routes(pixel_text("local x0 rows(4) components(4)\nlocal x1 rows(1) components(4)\n",
                             fmt::format("  local.store x1[0].y, 77\n  local.store x0[{0:#x}].y, 9\n  %10 = "
                                         "local.load x0[{0:#x}].y\n  %11 = local.load x1[0].y\n  output "
                                         "o0.x, %10\n  output o0.y, %11\n",
                                         row)));
    std::vector<uint32_t> expected(16, 0);
    std::fill_n(expected.begin(), 4, row < 4 ? 9 : 0);
    std::fill_n(expected.begin() + 4, 4, 77);
    expect_outputs(routes.run(sim::Bindings(routes.module()), launch.launch), expected);
  }
}

TEST(MemoryEdges, InputRegistersBeyondTheLast) {
  Routes routes(
      "module pixel 5.0 \"main\"\ninput v0.xyzw\ninput v1.xyzw\noutput o0.x\ncode {\n  %0 = input v0.x\n"
      "  %1 = input v0.y index(%0)\n  output o0.x, %1\n}\n");
  std::vector<uint32_t> planes(8 * std::size(kEdges));
  for (size_t e = 0; e < std::size(kEdges); ++e) {
    planes[e] = kEdges[e];
    planes[std::size(kEdges) + e] = 100;
    planes[5 * std::size(kEdges) + e] = 101;
  }
  sim::StreamLaunch launch;
  launch.count = std::size(kEdges);
  launch.inputs = planes;
  const Routes::Outputs outputs = routes.run(sim::Bindings(routes.module()), launch);
  for (size_t e = 0; e < std::size(kEdges); ++e) {
    EXPECT_EQ(outputs.undefined[e] != 0, kEdges[e] > 1);
    if (kEdges[e] > 1) continue;
    EXPECT_EQ(outputs.contract[e], 100 + kEdges[e]);
    EXPECT_EQ(outputs.machine[e], 100 + kEdges[e]);
  }
}

// One thread accesses one edge and then reads everything back, among words that it must not touch.
struct SharedAccess {
  const char* text;  // its result is %5
  bool returns;      // the old contents
  uint32_t kept, added;
};
constexpr SharedAccess kSharedAccesses[] = {
    {"  shared.store g1[%0], 9\n  %5 = iadd 0, 0\n", false, 0, 9},
    {"  %5 = shared.atomic add g1[%0], 9\n", true, 1, 9},
    {"  %5 = shared.atomic exchange g1[%0], 9\n", true, 0, 9},
    {"  %5 = shared.load g1[%0]\n", true, 1, 0},
};
constexpr uint32_t kSharedWords = 4;  // of each array

std::string shared_text(const SharedAccess& access) {
  std::string text =
      "module compute 5.0 \"main\"\nthread_group 1 1 1\nresource t0 raw_buffer mixed\nuav u0 raw_buffer "
      "mixed\nshared g0 bytes(16) stride(0)\nshared g1 bytes(16) stride(0)\nshared g2 bytes(16) "
      "stride(0)\ncode {\n  %0..%3 = buf.load t0 raw_buffer mixed coord(0) mask(15)\n";
  for (uint32_t w = 0; w < 3 * kSharedWords; ++w) {
    text += fmt::format("  shared.store g{}[{}], {}\n", w / kSharedWords, w % kSharedWords * 4, 60 + w);
  }
  text += access.text;
  text += "  buf.store u0 raw_buffer mixed coord(0) value(%5) mask(1)\n";
  for (uint32_t w = 0; w < 3 * kSharedWords; ++w) {
    text += fmt::format(
        "  %{0} = shared.load g{1}[{2}]\n  buf.store u0 raw_buffer mixed coord({3}) value(%{0}) mask(1)\n",
        20 + w, w / kSharedWords, w % kSharedWords * 4, 4 + 4 * w);
  }
  return text + "}\n";
}

/// The result, followed by all words.
std::vector<uint32_t> expected_shared(const SharedAccess& access, uint32_t offset) {
  std::vector<uint32_t> words = {0};
  for (uint32_t w = 0; w < 3 * kSharedWords; ++w) words.push_back(60 + w);
  if (offset / 4 >= kSharedWords) return words;
  uint32_t& word = words[1 + kSharedWords + offset / 4];
  if (access.returns) words[0] = word;
  word = word * access.kept + access.added;
  return words;
}

TEST(MemoryEdges, GroupSharedMemory) {
  for (const SharedAccess& access : kSharedAccesses) {
    Routes routes(shared_text(access));
    for (uint32_t offset : {0u, 4u, 12u, 13u, 15u, 16u, 17u, 20u, 0x7ffffffcu, 0x80000000u, 0xfffffff0u,
                            0xfffffffcu, 0xffffffffu}) {
      std::array<uint32_t, 4> input = {offset, 0, 0, 0};
      std::vector<std::byte> memory(4 * (1 + 3 * kSharedWords), std::byte{0x21});
      sim::Bindings bindings(routes.module());
      bindings.resources(0)[0].buffer = {reinterpret_cast<std::byte*>(input.data()), sim::BufferKind::raw,
                                         sim::Format::unknown, sizeof input};
      bindings.resources(1)[0].buffer = {memory.data(), sim::BufferKind::raw, sim::Format::unknown,
                                         static_cast<uint32_t>(memory.size())};
      routes.watch(memory);
      const Routes::Outputs outputs = routes.run(bindings, sim::GroupLaunch{});
      for (const auto* left : {&outputs.contract_memory, &outputs.legal_memory, &outputs.machine_memory}) {
        std::vector<uint32_t> words(left->size() / 4);
        std::memcpy(words.data(), left->data(), left->size());
        EXPECT_EQ(words, expected_shared(access, offset)) << access.text << fmt::format("{:x}", offset);
      }
    }
  }
}

}  // namespace
}  // namespace texlate
