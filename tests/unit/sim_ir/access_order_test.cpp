// Accesses of several threads to one place of a u# or g#: which are undefined, and whose results.
#include <array>

#include "tests/unit/sim_ir/run_text.h"

namespace texlate::sim {
namespace {

constexpr auto kRace = static_cast<uint32_t>(Undefined::race);

/// What a compute shader of two groups of four threads is flagged with. %0 is the number of the thread in the
/// grid, %1 four times that, %2 the number of the thread in the group, %3 four times that.
uint32_t flags_of(std::string_view body, std::array<uint32_t, 3> groups = {2, 1, 1}) {
  ir::Module module;
  ir::parse_or_fail(
      "module compute 5.0 \"main\"\nthread_group 4 1 1\nuav u0 raw_buffer mixed\nuav u1 raw_buffer mixed\n"
      "uav u2 buffer uint\nuav u3 structured_buffer mixed stride(16) counter\nshared g0 bytes(64) "
      "stride(0)\ncode {\n"
      "  %0 = sysval thread_id.x\n  %1 = shl %0, 2\n  %2 = sysval thread_id_in_group.x\n  %3 = shl %2, 2\n" +
          std::string(body) + "}\n",
      module);
  Diagnostics diagnostics;
  std::array<std::array<uint32_t, 16>, 4> memory{};
  uint32_t counter = 0;
  Bindings bindings(module);
  const auto view = [&](size_t i) { return reinterpret_cast<std::byte*>(memory[i].data()); };
  bindings.resources(0)[0].buffer = {view(0), BufferKind::raw, Format::unknown, 64};
  bindings.resources(1)[0].buffer = {view(1), BufferKind::raw, Format::unknown, 64};
  bindings.resources(2)[0].buffer = {view(2), BufferKind::typed, Format::r32_uint, 16};
  bindings.resources(3)[0].buffer = {view(3), BufferKind::structured, Format::unknown, 4, 16, &counter};
  const auto interpreter = Interpreter::create(module, diagnostics);
  return interpreter == nullptr ? ~0u : interpreter->run(bindings, GroupLaunch{groups}).undefined;
}

constexpr const char* kStoreOwn = "  buf.store u0 raw_buffer mixed coord(%1) value(%0) mask(1)\n";
constexpr const char* kStoreFirst = "  buf.store u0 raw_buffer mixed coord(0) value(9) mask(1)\n";
constexpr const char* kLoadFirst = "  %5..%8 = buf.load u0 raw_buffer mixed coord(0) mask(1)\n";
constexpr const char* kKeep = "  buf.store u1 raw_buffer mixed coord(%1) value(%5) mask(1)\n";

TEST(AccessOrder, ReadsOfWhatOtherThreadsWrite) {
  EXPECT_EQ(flags_of(std::string("  %5..%8 = buf.load u0 raw_buffer mixed coord(%1) mask(1)\n") + kStoreOwn),
            0u)
      << "its own word";
  EXPECT_EQ(flags_of(std::string(kLoadFirst) + kKeep), 0u) << "nobody writes";
  EXPECT_EQ(flags_of(std::string(kStoreFirst) + kLoadFirst + kKeep), kRace) << "written, then read";
  EXPECT_EQ(flags_of(std::string(kLoadFirst) + kKeep + kStoreFirst), kRace) << "read, then written";
  EXPECT_EQ(flags_of(std::string(kLoadFirst) + kKeep +
                     "  buf.store u0 raw_buffer mixed coord(0) value(0) mask(1)\n"),
            0u)
      << "the value that was there";
  EXPECT_EQ(flags_of("  %5..%8 = buf.load u0 raw_buffer mixed coord(%3) mask(1)\n"
                     "  buf.store u0 raw_buffer mixed coord(%3) value(255) mask(1)\n"
                     "  buf.store u1 raw_buffer mixed coord(%1) value(%5) mask(1)\n"),
            kRace)
      << "of another group";
}

TEST(AccessOrder, OnlyBarriersForTheMemoryOrderAGroup) {
  const auto after = [](std::string_view barrier) {
    return flags_of(std::string("  buf.store u0 raw_buffer mixed coord(%3) value(7) mask(1)\n") +
                        std::string(barrier) + kLoadFirst + kKeep,
                    {1, 1, 1});
  };
  EXPECT_EQ(after(""), kRace);
  EXPECT_EQ(after("  barrier threads uav_group\n"), 0u);
  EXPECT_EQ(after("  barrier threads uav_global\n"), 0u);
  EXPECT_EQ(after("  barrier threads shared\n"), kRace) << "of other memory";
  EXPECT_EQ(after("  barrier uav_group\n"), kRace) << "nobody waits";
  EXPECT_EQ(after("  barrier uav_group\n  barrier threads\n"), 0u) << "in two steps";
}

TEST(AccessOrder, AtomicsThatReturn) {
  const auto atomic = [](std::string_view operation, std::string_view coordinate = "0",
                         std::string_view result = "%5") {
    return "  " + std::string(result) + " = buf.atomic u0 raw_buffer mixed coord(" + std::string(coordinate) +
           ") value(" + std::string(operation) + "\n";
  };
  EXPECT_EQ(flags_of(atomic("1) atomic(add)") + kKeep), kRace);
  EXPECT_EQ(flags_of(atomic("1) atomic(add)")), 0u) << "nobody uses the result";
  EXPECT_EQ(flags_of(atomic("1) atomic(add)", "%1") + kKeep), 0u) << "its own word";
  EXPECT_EQ(flags_of(atomic("0) atomic(or)") + kKeep), 0u) << "a load";
  EXPECT_EQ(flags_of(atomic("0) atomic(or)") + kKeep + atomic("1) atomic(or)", "%1", "%9")), kRace)
      << "and another thread changes it";
}

TEST(AccessOrder, WritesThatDoNotCommute) {
  const auto both = [](std::string_view first, std::string_view second) {
    const auto atomic = [](std::string_view operation) {
      return "  %" + std::string(operation[0] == '#' ? "9" : "5") +
             " = buf.atomic u0 raw_buffer mixed coord(0) value(" +
             std::string(operation.substr(operation[0] == '#' ? 1 : 0)) + "\n";
    };
    return flags_of(atomic(first) + (second.empty() ? "" : atomic("#" + std::string(second))));
  };
  EXPECT_EQ(both("%0) atomic(add)", ""), 0u);
  EXPECT_EQ(both("%0) atomic(umax)", "3) atomic(umax)"), 0u);
  EXPECT_EQ(both("%0) atomic(umax)", "3) atomic(umin)"), kRace);
  EXPECT_EQ(both("%0) atomic(and)", "3) atomic(or)"), kRace);
  EXPECT_EQ(both("4) atomic(exchange)", ""), 0u) << "the same value";
  EXPECT_EQ(both("%0) atomic(exchange)", ""), kRace);
  EXPECT_EQ(flags_of("  %5 = buf.atomic u0 raw_buffer mixed coord(0) value(1) atomic(add)\n" +
                     std::string(kStoreFirst)),
            kRace)
      << "a store and an atomic";
}

TEST(AccessOrder, StoresOfSeveralThreads) {
  // The first store of each thread is replaced by its second one, which is the same for all.
  EXPECT_EQ(
      flags_of(std::string("  buf.store u0 raw_buffer mixed coord(0) value(%0) mask(1)\n") + kStoreFirst),
      kRace)
      << "in lockstep, all first stores come before the second ones, but nothing promises that";
  EXPECT_EQ(flags_of(std::string(kStoreFirst) + kStoreFirst), 0u);
}

TEST(AccessOrder, OnlyTheComponentsOfTheFormatAreStored) {
  EXPECT_EQ(flags_of("  surf.store u2 buffer uint coord(0) value(7, %0, %1, %2)\n"), 0u);
  EXPECT_EQ(flags_of("  surf.store u2 buffer uint coord(0) value(%0, 7, 7, 7)\n"), kRace);
}

TEST(AccessOrder, Counters) {
  EXPECT_EQ(flags_of("  %5 = counter u3 structured_buffer mixed counter(alloc)\n" + std::string(kKeep)),
            kRace);
  EXPECT_EQ(flags_of("  %5 = counter u3 structured_buffer mixed counter(alloc)\n"), 0u) << "a count";
}

TEST(AccessOrder, GroupSharedMemory) {
  const std::string store = "  shared.store g0[%3], %2\n", load = "  %5 = shared.load g0[0]\n";
  EXPECT_EQ(flags_of(store + load + kKeep), kRace);
  EXPECT_EQ(flags_of(store + "  barrier threads shared\n" + load + kKeep), 0u);
  EXPECT_EQ(flags_of(store + "  barrier threads uav_group\n" + load + kKeep), kRace);
  EXPECT_EQ(flags_of("  shared.store g0[0], %2\n"), kRace);
  EXPECT_EQ(
      flags_of("  shared.store g0[0], 0\n  barrier threads shared\n  %5 = shared.atomic add g0[0], 1\n"), 0u);
  EXPECT_EQ(
      flags_of("  shared.store g0[0], 0\n  barrier threads shared\n  %5 = shared.atomic add g0[0], 1\n" +
               std::string(kKeep)),
      kRace);
}

// Pixels that read before the write are undefined too; those that only write are not.
TEST(AccessOrder, FlagsThePixelsThatRead) {
  const auto run = [](std::string_view body) {
    TextRun text;
    for (uint32_t lane = 0; lane < 4; ++lane) text.inputs[lane] = lane;
    ir::Module module;
    ir::parse_or_fail(pixel_text(body, "uav u0 raw_buffer mixed\n"), module);
    std::array<uint32_t, 4> memory{};
    Bindings bindings(module);
    bindings.resources(0)[0].buffer = {reinterpret_cast<std::byte*>(memory.data()), BufferKind::raw,
                                       Format::unknown, 16};
    text.run(module, bindings);
    EXPECT_EQ(text.report.undefined, kRace);
    return text.undefined;
  };
  constexpr const char* kBefore =
      "  %0 = input v0.x\n  %1 = ieq %0, 1\n  if %1\n"
      "    %2..%5 = buf.load u0 raw_buffer mixed coord(0) mask(1)\n    output o0.x, %2\n  else\n  endif\n";
  constexpr const char* kWrite =
      "  %6 = ieq %0, 2\n  if %6\n    buf.store u0 raw_buffer mixed coord(0) value(5) mask(1)\n  else\n  "
      "endif\n";
  EXPECT_EQ(run(std::string(kBefore) + kWrite), (std::vector<uint32_t>{0, kRace, 0, 0}));
  EXPECT_EQ(run("  %0 = input v0.x\n" + std::string(kWrite) +
                "  %1 = ieq %0, 1\n  if %1\n    %2..%5 = buf.load u0 raw_buffer mixed coord(0) mask(1)\n"
                "    output o0.x, %2\n  else\n  endif\n"),
            (std::vector<uint32_t>{0, kRace, 0, 0}));
  EXPECT_EQ(run("  %0 = input v0.x\n  %2 = buf.atomic u0 raw_buffer mixed coord(0) value(1) atomic(add)\n"
                "  output o0.x, %2\n"),
            (std::vector<uint32_t>{kRace, kRace, kRace, kRace}));
}

TEST(AssignedOutputs, AreThoseThatTheShaderWrites) {
  ir::Module module;
  ir::parse_or_fail(
      pixel_text("  output o0.x, 1\n  %0 = input v0.x\n  %1 = ieq %0, 1\n  if %1\n    output o1.y, 2\n"
                 "  else\n  endif\n"),
      module);
  TextRun text;
  text.inputs[1] = 1;
  std::vector<uint8_t> assigned(32, 7);
  StreamLaunch launch;
  launch.count = 4;
  launch.inputs = text.inputs;
  launch.outputs = text.outputs;
  launch.assigned = assigned;
  Diagnostics diagnostics;
  Interpreter::create(module, diagnostics)->run(Bindings(module), launch);
  std::vector<uint8_t> expected(32, 0);
  std::fill_n(expected.begin(), 4, uint8_t{1});  // o0.x
  expected[(4 + 1) * 4 + 1] = 1;                 // o1.y of the second pixel
  EXPECT_EQ(assigned, expected);
}

}  // namespace
}  // namespace texlate::sim
