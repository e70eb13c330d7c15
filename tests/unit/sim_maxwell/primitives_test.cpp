// Hull, domain and geometry programs on the machine: what each instruction does, and what it reports of
// programs that rely on what no document specifies. Words are those of the pairs in
// tests/unit/maxwell/codec_test.cpp.
#include "sim/maxwell/primitive_stage.h"

#include <gtest/gtest.h>

#include <bit>

#include "tests/unit/sim_maxwell/words.h"

namespace texlate::sim::maxwell {
namespace {

constexpr uint32_t kRZ = 255;
constexpr uint32_t kInfo = 0x1d, kLane = 0x00;
enum Kind : uint32_t { emit = 1, cut = 2, emit_then_cut = 3 };

constexpr Word s2r(uint32_t d, uint32_t number) {
  return {0xf0c8000000070000 | uint64_t{number} << 20 | d};
}
constexpr Word ald(uint32_t d, uint32_t address, uint32_t vertex, uint64_t flags = 0) {
  return {0xefd800000007ff00 | uint64_t{address} << 20 | uint64_t{vertex} << 39 | flags | d};
}
constexpr Word ald_physical(uint32_t d, uint32_t address, uint32_t vertex) {
  return {0xefd8000000070000 | uint64_t{address} << 8 | uint64_t{vertex} << 39 | d};
}
constexpr Word ast(uint32_t address, uint32_t data, uint32_t vertex, uint64_t flags = 0) {
  return {0xeff000000007ff00 | uint64_t{address} << 20 | uint64_t{vertex} << 39 | flags | data};
}
constexpr uint64_t kPatch = uint64_t{1} << 31, kOutput = uint64_t{1} << 32;
constexpr Word al2p(uint32_t d, uint32_t a, uint32_t offset) {
  return {0xefa0700000070000 | uint64_t{offset} << 20 | uint64_t{a} << 8 | d};
}
constexpr Word isberd(uint32_t d, uint32_t a) {
  return {0xefd0000000070000 | uint64_t{a} << 8 | d};
}
constexpr Word out(Kind kind, uint32_t d, uint32_t a) {
  return {0xfbe000000ff70000 | uint64_t{kind} << 39 | uint64_t{a} << 8 | d};
}
constexpr Word mov(uint32_t d, uint32_t a) {
  return {0x5c98078000070000 | uint64_t{a} << 20 | d};
}
constexpr Word number(uint32_t d, uint32_t value) {
  return {0x010000000007f000 | uint64_t{value} << 20 | d};
}
constexpr Word bfe(uint32_t d, uint32_t a, uint32_t how) {  // BFE.U32 Rd, Ra, how
  return {0x3800000000070000 | uint64_t{how} << 20 | uint64_t{a} << 8 | d};
}
constexpr Word xmad(uint32_t d, uint32_t a, uint32_t b) {  // XMAD Rd, Ra, Rb, RZ
  return {0x5b007f8000070000 | uint64_t{b} << 20 | uint64_t{a} << 8 | d};
}
constexpr Word kEnd{word::kExit};

/// R1: the handle of the primitive's first vertex.
std::vector<Word> first_vertex() {
  return {s2r(1, kInfo), bfe(2, 1, 0x810), bfe(1, 1, 0x800), xmad(1, 1, 2), isberd(1, 1)};
}
std::vector<Word> operator+(std::vector<Word> a, const std::vector<Word>& b) {
  a.insert(a.end(), b.begin(), b.end());
  return a;
}

/// Primitives of three vertices, a lane each; vertex v of primitive p has 100 p + v in a[0x80] and p in 0x84.
struct Stage {
  explicit Stage(PrimitiveStage::Kind kind, uint32_t primitives = 4) {
    stage.kind = kind;
    stage.vertices = 3;
    stage.threads.resize(32);
    stage.batch_first = {0};
    stage.inputs.resize(size_t{primitives} * 3);
    stage.patch_inputs.resize(primitives);
    stage.patch_words = 12;
    stage.streams = 1;
    stage.max_vertices = 3;
    for (uint32_t p = 0; p < primitives; ++p) {
      stage.threads[p].runs = true;
      stage.threads[p].primitive = p;
      stage.threads[p].u = std::bit_cast<uint32_t>(0.25f * static_cast<float>(p));
      stage.ids.push_back(10 + p);
      for (uint32_t v = 0; v < 3; ++v) {
        stage.inputs[3 * p + v][0x80 / 4] = 100 * p + v;
        stage.inputs[3 * p + v][0x84 / 4] = p;
      }
      stage.patch_inputs[p][0x20 / 4] = 7 * p;
    }
    for (const uint32_t word : {0x60u / 4, 0x80u / 4, 0x84u / 4}) stage.readable.set(word);
    for (const uint32_t word : {0x80u / 4, 0x84u / 4}) stage.writable.set(word);
  }

  /// Runs the program; the kinds of faults in the order of their addresses.
  std::vector<FaultKind> run(const std::vector<Word>& code) {
    stage.begin();
    Program program;
    program.words = pack(code);
    program.registers = 16;
    MachineOptions options;
    options.check_hazards = false;
    Machine machine(program, options);
    Attributes attributes;
    attributes.primitives = &stage;
    machine.set_attributes(attributes);
    const Report report = machine.launch({1, 1, 1}, {32, 1, 1}, {});
    std::vector<FaultKind> kinds;
    for (const Fault& fault : report.faults) kinds.push_back(fault.kind);
    text = report.describe();
    return kinds;
  }
  PrimitiveStage stage;
  std::string text;
};

using Faults = std::vector<FaultKind>;
constexpr FaultKind kBad = FaultKind::bad_operand;

TEST(Primitives, VerticesOfEachPrimitive) {
  Stage domain(PrimitiveStage::Kind::domain);
  domain.stage.store_first = 0x2f0 / 4;
  domain.stage.store_last = 0x2f4 / 4;
  const auto code = first_vertex() + std::vector<Word>{ald(4, 0x80, 1), ald(5, 0x60, kRZ), ast(0x80, 4, kRZ),
                                                       ast(0x84, 5, kRZ), kEnd};
  EXPECT_EQ(domain.run(code), Faults{}) << domain.text;
  for (uint32_t p = 0; p < 4; ++p) {
    EXPECT_EQ(domain.stage.outputs[p].words[0x80 / 4], 100 * p);
    EXPECT_EQ(domain.stage.outputs[p].words[0x84 / 4], 10 + p);
  }
  // The coordinates are outputs of the lane, patch constants have no vertex.
  EXPECT_EQ(domain.run({s2r(1, kLane), ald(4, 0x2f0, 1, kOutput), ald(5, 0x20, kRZ, kPatch),
                        ast(0x80, 4, kRZ), ast(0x84, 5, kRZ), kEnd}),
            Faults{})
      << domain.text;
  EXPECT_EQ(std::bit_cast<float>(domain.stage.outputs[3].words[0x80 / 4]), 0.75f);
  EXPECT_EQ(domain.stage.outputs[3].words[0x84 / 4], 21u);
}

// A program that takes the number in the batch for the number in the launch must not come out right.
TEST(Primitives, BatchesDoNotBeginWithTheFirstPrimitive) {
  Stage domain(PrimitiveStage::Kind::domain);
  EXPECT_EQ(domain.run({s2r(1, kInfo), bfe(2, 1, 0x800), ast(0x80, 2, kRZ), kEnd}), Faults{}) << domain.text;
  for (uint32_t p = 0; p < 4; ++p) EXPECT_NE(domain.stage.outputs[p].words[0x80 / 4], p);
}

TEST(Primitives, OnlyWhatTheHardwareGaveIsAHandle) {
  Stage stage(PrimitiveStage::Kind::domain);
  EXPECT_EQ(stage.run({number(1, 3), ald(4, 0x80, 1), kEnd}), Faults{kBad}) << stage.text;
  EXPECT_EQ(stage.run({ald(4, 0x80, kRZ), kEnd}), Faults{kBad});
  // Vertex 0 of the batch belongs to nobody here, because batches do not begin with primitive 0.
  EXPECT_EQ(stage.run({number(1, 0), isberd(1, 1), kEnd}), Faults{FaultKind::out_of_range}) << stage.text;
  // A physical address is neither the address nor that of an output.
  EXPECT_EQ(stage.run(first_vertex() + std::vector<Word>{number(3, 0x80), ald_physical(4, 3, 1), kEnd}),
            Faults{kBad});
  EXPECT_EQ(stage.run(first_vertex() + std::vector<Word>{number(3, 4), al2p(3, 3, 0x80),
                                                         ald_physical(4, 3, 1), ast(0x80, 4, kRZ), kEnd}),
            Faults{})
      << stage.text;
  EXPECT_EQ(stage.stage.outputs[2].words[0x80 / 4], 2u);
  // Nor is an attribute that the header does not list readable by it.
  EXPECT_EQ(stage.run(first_vertex() +
                      std::vector<Word>{number(3, 8), al2p(3, 3, 0x80), ald_physical(4, 3, 1), kEnd}),
            Faults{kBad});
}

TEST(Primitives, TheDomainPointIsThatOfTheLane) {
  Stage stage(PrimitiveStage::Kind::domain, 2);
  stage.stage.store_first = 0x2f0 / 4;
  stage.stage.store_last = 0x2f4 / 4;
  EXPECT_EQ(stage.run({number(1, 5), ald(4, 0x2f0, 1, kOutput), kEnd}), Faults{kBad}) << stage.text;
  stage.stage.store_first = 0xff;
  EXPECT_EQ(stage.run({s2r(1, kLane), ald(4, 0x2f0, 1, kOutput), kEnd}), Faults{kBad}) << stage.text;
}

TEST(Primitives, PatchWords) {
  Stage stage(PrimitiveStage::Kind::domain);
  EXPECT_EQ(stage.run({ald(4, 0x18, kRZ, kPatch), kEnd}), Faults{kBad});
  EXPECT_EQ(stage.run({ald(4, 0x200, kRZ, kPatch), kEnd}), Faults{kBad});
  Stage hull(PrimitiveStage::Kind::hull);
  EXPECT_EQ(hull.run({number(4, 9), ast(0x2c, 4, kRZ, kPatch), kEnd}), Faults{}) << hull.text;
  EXPECT_EQ(hull.stage.patch_outputs[2].words[0x2c / 4], 9u);
  EXPECT_EQ(hull.run({number(4, 9), ast(0x30, 4, kRZ, kPatch), kEnd}),
            Faults{kBad});  // beyond the header's count
  EXPECT_EQ(hull.run({number(4, 9), ast(0x18, 4, kRZ, kPatch), kEnd}), Faults{kBad});
  // Reading back what another lane wrote, or nobody.
  EXPECT_EQ(hull.run({ald(4, 0x20, kRZ, kPatch | kOutput), kEnd}), Faults{FaultKind::uninitialized});
}

TEST(Primitives, ControlPointsOfThePatch) {
  // Two patches of two points each.
  Stage hull(PrimitiveStage::Kind::hull);
  for (uint32_t t = 0; t < 4; ++t) {
    hull.stage.threads[t].primitive = t / 2;
    hull.stage.threads[t].invocation = t % 2;
  }
  hull.stage.store_first = hull.stage.store_last = 0x80 / 4;
  const Word lane_xor{0x3847040000170101};  // LOP.XOR R1, R1, 0x1
  EXPECT_EQ(hull.run({s2r(1, kLane), ast(0x80, 1, kRZ), lane_xor, ald(4, 0x80, 1, kOutput), ast(0x84, 4, kRZ),
                      kEnd}),
            Faults{})
      << hull.text;
  for (uint32_t t = 0; t < 4; ++t) EXPECT_EQ(hull.stage.outputs[t].words[0x84 / 4], t ^ 1);
  const Word lane_xor_2{0x3847040000270101};  // LOP.XOR R1, R1, 0x2
  EXPECT_EQ(hull.run({s2r(1, kLane), ast(0x80, 1, kRZ), lane_xor_2, ald(4, 0x80, 1, kOutput), kEnd}),
            Faults{kBad});
  EXPECT_EQ(hull.run({s2r(1, kLane), ald(4, 0x80, 1, kOutput), kEnd}), Faults{kBad});  // nothing stored
  hull.stage.store_last = 0;
  EXPECT_EQ(hull.run({s2r(1, kLane), ast(0x80, 1, kRZ), ald(4, 0x80, 1, kOutput), kEnd}), Faults{kBad});
  // Two lanes write one patch constant.
  EXPECT_EQ(hull.run({number(4, 9), ast(0x20, 4, kRZ, kPatch), kEnd}), Faults{kBad}) << hull.text;
}

TEST(Primitives, HandlesOfEmittedVertices) {
  Stage stage(PrimitiveStage::Kind::geometry, 1);
  const Word start = mov(0, kRZ);
  EXPECT_EQ(stage.run({start, number(4, 7), ast(0x80, 4, 0), out(emit, 0, 0), ast(0x84, 4, 0),
                       out(emit_then_cut, 0, 0), out(cut, 0, 0), kEnd}),
            Faults{})
      << stage.text;
  const auto& emitted = stage.stage.emitted[0];
  ASSERT_EQ(emitted.size(), 4u);
  EXPECT_EQ(emitted[0].vertex.words[0x80 / 4], 7u);
  EXPECT_TRUE(emitted[0].vertex.written[0x80 / 4] && !emitted[0].vertex.written[0x84 / 4]);
  // Nothing of a vertex is left for the next one.
  EXPECT_TRUE(emitted[1].vertex.written[0x84 / 4] && !emitted[1].vertex.written[0x80 / 4]);
  EXPECT_TRUE(!emitted[0].cut && !emitted[1].cut && emitted[2].cut && emitted[3].cut);

  EXPECT_EQ(stage.run({start, mov(1, 0), out(emit, 0, 0), ast(0x80, 1, 1), kEnd}), Faults{kBad})
      << "stale in AST";
  EXPECT_EQ(stage.run({start, mov(1, 0), out(emit, 0, 0), out(emit, 0, 1), kEnd}), Faults{kBad})
      << "stale in OUT";
  EXPECT_EQ(stage.run({start, out(emit, 1, 0), kEnd}), Faults{kBad}) << "R0 is not the last";
  // Beyond the count, vertices vanish; a stream that the header lacks leaves nothing.
  EXPECT_EQ(stage.run({start, out(emit, 0, 0), out(emit, 0, 0), out(emit, 0, 0), out(emit, 0, 0), kEnd}),
            Faults{});
  EXPECT_EQ(stage.stage.emitted[0].size(), 3u);
  stage.stage.streams = 0;
  EXPECT_EQ(stage.run({start, out(emit, 0, 0), kEnd}), Faults{});
  EXPECT_EQ(stage.stage.emitted[0].size(), 0u);
}

TEST(Primitives, UndeclaredAttributes) {
  Stage stage(PrimitiveStage::Kind::geometry, 1);
  EXPECT_EQ(stage.run(first_vertex() + std::vector<Word>{ald(4, 0x90, 1), mov(0, kRZ), kEnd}), Faults{kBad});
  EXPECT_EQ(stage.run({mov(0, kRZ), ast(0x90, 0, 0), kEnd}), Faults{kBad});
  EXPECT_EQ(stage.run({mov(0, kRZ), ald(4, 0x60, 0), kEnd}), Faults{kBad}) << "the number has no vertex";
}

}  // namespace
}  // namespace texlate::sim::maxwell
