// Results of single words. The words are from ptxas or nvdisasm; the values follow from the equivalent PTX
// (PTX ISA 9.7).
#include <gtest/gtest.h>

#include <bit>

#include "tests/unit/sim_maxwell/words.h"
#include "tests/unit/texture_unit/texture_fixture.h"

namespace texlate::sim::maxwell {
namespace {

// Runs `op` with R4, R5, R6 = a, b, c and returns R0 of lane 0.
uint32_t run_with(uint64_t op, uint32_t a, uint32_t b, uint32_t c = 0) {
  const auto load = [](uint64_t reg, uint32_t value) {
    return Word{0x010000000007f000 | reg | uint64_t{value} << 20};  // MOV32I
  };
  Bench bench({{word::kBaseLow},
               {word::kBaseHigh},
               load(4, a),
               load(5, b),
               load(6, c),
               load(0, 0),
               {op, 15, 0, 0},
               {word::kStore, 2, 1, 7, 1},
               {word::kExit}});
  const Report report = bench.run();
  EXPECT_TRUE(report.ok()) << report.describe();
  return bench.memory[0];
}
constexpr uint64_t kAdd = 0x5c10000000570400;       // IADD R0, R4, R5
constexpr uint64_t kSubtract = 0x5c11000000570400;  // IADD R0, R4, -R5
constexpr uint64_t kFloatAdd = 0x5c58000000570400;  // FADD R0, R4, R5
constexpr uint64_t kFloatAddFlush = 0x5c58100000570400;
constexpr uint64_t kFused = 0x5980030000570400;       // FFMA R0, R4, R5, R6
constexpr uint64_t kMinimum = 0x5c60038000570400;     // FMNMX R0, R4, R5, PT
constexpr uint64_t kMaximum = 0x5c60078000570400;     // FMNMX R0, R4, R5, !PT
constexpr uint64_t kShiftLeft = 0x5c48000000570400;   // SHL R0, R4, R5
constexpr uint64_t kShiftRight = 0x5c29000000570400;  // SHR R0, R4, R5
constexpr uint64_t kXmad = 0x5b00030000570400;        // XMAD R0, R4, R5, R6
constexpr uint64_t kXmadShift = 0x5b00031000570400;   // XMAD.PSL R0, R4, R5, R6
constexpr uint64_t kXmadMerge = 0x5b00032000570400;   // XMAD.MRG R0, R4, R5, R6
constexpr uint64_t kPermute = 0x5bc0030000570400;     // PRMT R0, R4, R5, R6
constexpr uint64_t kExtract = 0x5c00000000570400;     // BFE.U32 R0, R4, R5
constexpr uint64_t kExtractSigned = 0x5c01000000570400;
constexpr uint64_t kInsert = 0x5bf0030000570400;    // BFI R0, R4, R5, R6
constexpr uint64_t kMaxMin = 0x3b6f036060570400;    // VMNMX.MX.MIN R0, R4, R5, R6
constexpr uint64_t kDistance = 0x5424036060570400;  // VABSDIFF.U32.U32.ACC R0, R4, R5, R6

TEST(Execute, Integers) {
  EXPECT_EQ(run_with(kAdd, 0xffffffff, 2), 1u);
  EXPECT_EQ(run_with(kSubtract, 3, 5), 0xfffffffeu);
  EXPECT_EQ(run_with(kXmad, 0x12345, 0x54321, 7), 0x2345u * 0x4321u + 7);
  EXPECT_EQ(run_with(kXmadShift, 3, 5, 1), (15u << 16) + 1);
  EXPECT_EQ(run_with(kXmadMerge, 0x10001, 0xabcd0002, 1), 0x00020003u);
  EXPECT_EQ(run_with(kMaxMin, static_cast<uint32_t>(-5), 0, 100), 0u);
  EXPECT_EQ(run_with(kMaxMin, 500, 0, 100), 100u);
  EXPECT_EQ(run_with(kDistance, 3, 10, 100), 107u);
}

TEST(Execute, Shifts) {
  EXPECT_EQ(run_with(kShiftLeft, 1, 31), 0x80000000u);
  EXPECT_EQ(run_with(kShiftLeft, 1, 32), 0u);
  EXPECT_EQ(run_with(kShiftRight, 0x80000000, 31), 0xffffffffu);
  EXPECT_EQ(run_with(kShiftRight, 0x80000000, 100), 0xffffffffu);
}

TEST(Execute, Fields) {
  EXPECT_EQ(run_with(kExtract, 0xabcd1234, 8 | 8 << 8), 0x12u);
  EXPECT_EQ(run_with(kExtract, 0xabcd1234, 28 | 8 << 8), 0xau);
  EXPECT_EQ(run_with(kExtractSigned, 0x00000f00, 8 | 4 << 8), 0xffffffffu);
  EXPECT_EQ(run_with(kExtractSigned, 0x80000000, 28 | 8 << 8), 0xfffffff8u);
  EXPECT_EQ(run_with(kExtract, 0xffffffff, 4), 0u);
  EXPECT_EQ(run_with(kInsert, 0xff, 8 | 4 << 8, 0), 0xf00u);
  EXPECT_EQ(run_with(kInsert, 0xff, 32 | 4 << 8, 7), 7u);
  EXPECT_EQ(run_with(kPermute, 0x44332211, 0x7610, 0x88776655), 0x88772211u);
  EXPECT_EQ(run_with(kPermute, 0x80, 0x8888, 0), 0xffffffffu);
}

TEST(Execute, Floats) {
  EXPECT_EQ(run_with(kFloatAdd, f(1.5f), f(2.25f)), f(3.75f));
  EXPECT_EQ(run_with(kFloatAdd, 0x7f800000, 0xff800000), 0x7fffffffu);  // one NaN
  EXPECT_EQ(run_with(kFloatAdd, 1, 1), 2u);                             // denormals stay
  EXPECT_EQ(run_with(kFloatAddFlush, 1, 1), 0u);
  EXPECT_EQ(run_with(kFused, f(3), f(4), f(-12)), 0u);
  EXPECT_EQ(run_with(kMinimum, 0x7fc00000, f(2)), f(2));
  EXPECT_EQ(run_with(kMinimum, 0, 0x80000000), 0x80000000u);
  EXPECT_EQ(run_with(kMaximum, 0, 0x80000000), 0u);
}

TEST(Execute, MemoryOutsideEveryRangeIsReported) {
  EXPECT_TRUE(has(
      Bench(std::vector<Word>{
                {word::kZeroR2}, {word::kZeroR3}, {word::kOneR0}, {word::kStore, 2, 0, 7, 0}, {word::kExit}})
          .run(),
      FaultKind::out_of_range));
}

// LDG.E.64 and .128, STG.E.64 and .128 at base + 4 and + 8.
TEST(Execute, MisalignedVectorsAreReported) {
  constexpr uint64_t kLoad64 = 0xeed5200000070204, kLoad128 = 0xeed6200000070204;    // R4.., [R2]
  constexpr uint64_t kStore64 = 0xeedd200000070204, kStore128 = 0xeede200000070204;  // [R2], R4..
  const auto run = [](uint64_t word, uint32_t displacement) {
    std::vector<Word> code{{word::kBaseLow}, {word::kBaseHigh}};
    for (uint64_t r = 4; r < 8; ++r) code.push_back({word::kOneR0 | r});
    code.push_back({word | uint64_t{displacement} << 20, 2, 0, 0, 1});
    code.push_back({word::kExit, 15, 3});
    return Bench(code).run();
  };
  for (const uint64_t word : {kLoad64, kStore64}) {
    EXPECT_TRUE(has(run(word, 4), FaultKind::misaligned));
    EXPECT_TRUE(run(word, 8).ok()) << run(word, 8).describe();
  }
  for (const uint64_t word : {kLoad128, kStore128}) {
    EXPECT_TRUE(has(run(word, 4), FaultKind::misaligned));
    EXPECT_TRUE(has(run(word, 8), FaultKind::misaligned));
    EXPECT_TRUE(run(word, 16).ok()) << run(word, 16).describe();
  }
}

// z counts from the view's first W slice and ends with its last; the header gives no other depth.
TEST(Execute, SurfacesOfVolumesEndWithTheView) {
  constexpr uint64_t kSurfaceLoad = 0xeb10020a00c70800;  // SULD.D.BA.3D R0, [R8], R4
  Texture texture = make_texture({Dimension::texture3d, Format::r32_uint, {1, 1, 4}, 1});
  for (uint32_t z = 0; z < 4; ++z) texture.write(0, 0, 0, 0, z, {100 + z, 0, 0, 0});
  TextureView view = TextureView::whole(texture);
  view.first_slice = 1;
  view.slice_count = 2;
  const auto load_at = [&](uint32_t z) {
    const auto set = [](uint64_t reg, uint32_t value) {
      return Word{0x010000000007f000 | reg | uint64_t{value} << 20};  // MOV32I
    };
    Program program;
    program.words = pack({{word::kBaseLow},
                          {word::kBaseHigh},
                          set(4, 1),  // the handle of the first header
                          set(8, 0),
                          set(9, 0),
                          set(10, z),
                          {kSurfaceLoad, 15, 0, 0},
                          {word::kStore, 2, 1, 7, 1},
                          {word::kExit}});
    program.registers = 16;
    Machine machine(program);
    std::array<uint32_t, 1> memory{77};
    const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(memory)));
    EXPECT_EQ(machine.add_texture({view}), 1u);
    std::array<std::byte, 8> parameters;
    std::memcpy(parameters.data(), &address, 8);
    const Report report = machine.launch({1, 1, 1}, {1, 1, 1}, parameters);
    EXPECT_TRUE(report.ok()) << report.describe();
    return memory[0];
  };
  EXPECT_EQ(load_at(0), 101u);
  EXPECT_EQ(load_at(1), 102u);
  for (const uint32_t z : {2u, 3u, 0xffffffffu}) EXPECT_EQ(load_at(z), 0u) << z;
}

}  // namespace
}  // namespace texlate::sim::maxwell
