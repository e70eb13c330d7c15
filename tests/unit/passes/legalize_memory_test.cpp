// legalize_memory, tested on text: guards by operand and by spare elements, and none for rows that are known
// to be inside.

#include "ir/passes/legalize_memory.h"

#include <gtest/gtest.h>

#include "backend/ptx/guarantees.h"
#include "backend/spirv/guarantees.h"
#include "ir/passes/eliminate_common_subexpressions.h"
#include "tests/support/ir_text.h"

namespace texlate::ir {
namespace {

constexpr std::string_view kSource = "a document, 1.2";

MemoryTable table_with(uint32_t promises, GuardForm guard, RowLimit limit = RowLimit::bound) {
  const Guarantee guarantee = {promises, kSource};
  return {guarantee, guarantee, guarantee, guarantee, guarantee, guarantee, guarantee, guard, limit};
}
const MemoryTable kPredicates = table_with(0, GuardForm::operand);
const MemoryTable kSpares = table_with(kAligned, GuardForm::spare, RowLimit::declared);
const MemoryTable kEverything = table_with(~0u, GuardForm::operand);
/// The driver checks rows up to one past the largest buffer.
const MemoryTable kRowsUpTo4096 = [] {
  MemoryTable table = kEverything;
  table.greatest_row = 4096;
  return table;
}();

/// The declarations as the printer prints them.
std::string declarations() {
  Module module;
  module.stage = Stage::compute;
  module.shader_model = 51;
  module.name = "main";
  module.thread_group[0] = 8, module.thread_group[1] = 4;
  Resource textures;
  textures.upper_bound = 3;
  module.resources.push_back(textures);
  module.constant_buffers.push_back({0, 0, 0, 0, 4, false});
  module.constant_buffers.push_back({1, 1, 2, 0, 4, false});
  module.locals.push_back({4, 4});
  module.shared.push_back({64, 0});
  module.tables.push_back({0, 2});
  for (uint32_t i = 1; i <= 8; ++i) module.table_words.push_back(i);
  const std::string text = to_text(module);
  return text.substr(0, text.find("code {\n") + 7);
}

struct Legalized {
  Legalized(std::string_view body, const MemoryTable& table) {
    const std::string head = declarations();
    parse_or_fail(head + std::string(body) + "}\n", module);
    verify_or_fail(module);
    changed = legalize_memory(module, table, &gaps);
    verify_or_fail(module);
    eliminate_common_subexpressions(module);
    text = body_of(module);
  }
  Module module;
  std::pmr::vector<ClosedGap> gaps;
  std::string text;
  bool changed = false;
};

struct Case {
  const MemoryTable* table;
  const char* before;
  const char* after;
  std::vector<Gap> gaps;
};

const Case kCases[] = {
    // A row number that could wrap as an address is replaced by one that no buffer has. Small or known ones
    // are unchanged.
    {&kRowsUpTo4096,
     "  %0 = sysval thread_id.x\n  %1..%4 = cb.load cb0[%0]\n  %5 = and %0, 7\n  %6..%9 = cb.load cb0[%5]\n"
     "  %10..%13 = cb.load cb0[5000]\n  local.store x0[0].x, %1\n  local.store x0[0].y, %6\n"
     "  local.store x0[0].z, %10\n",
     "  %0 = sysval thread_id.x\n  %1 = umin.u32 %0, 4096\n  %2..%5 = cb.load cb0[%1]\n  %6 = and %0, 7\n"
     "  %7..%10 = cb.load cb0[%6]\n  %11..%14 = cb.load cb0[5000]\n  local.store x0[0].x, %2\n"
     "  local.store x0[0].y, %7\n  local.store x0[0].z, %11\n",
     {Gap::row_range}},
    // Rows with the same base share the test of the furthest.
    {&kRowsUpTo4096,
     "  %0 = sysval thread_id.x\n  %1..%4 = cb.load cb0[%0]\n  %5 = iadd %0, 2\n  %6..%9 = cb.load cb0[%5]\n"
     "  local.store x0[0].x, %1\n  local.store x0[0].y, %6\n",
     "  %0 = sysval thread_id.x\n  %1 = iadd %0, 2\n  %2 = umin.u32 %1, 8192\n  %3 = iadd %2, -2\n"
     "  %4..%7 = cb.load cb0[%3]\n  %8..%11 = cb.load cb0[%2]\n  local.store x0[0].x, %4\n"
     "  local.store x0[0].y, %8\n",
     {Gap::row_range, Gap::row_range}},
    // Not if the distance is too large, or the row is known to be small.
    {&kRowsUpTo4096,
     "  %0 = sysval thread_id.x\n  %1..%4 = cb.load cb0[%0]\n  %5 = iadd %0, 4097\n  %6..%9 = cb.load "
     "cb0[%5]\n  local.store x0[0].x, %1\n  local.store x0[0].y, %6\n",
     "  %0 = sysval thread_id.x\n  %1 = umin.u32 %0, 4096\n  %2..%5 = cb.load cb0[%1]\n  %6 = iadd %0, 4097\n"
     "  %7 = umin.u32 %6, 4096\n  %8..%11 = cb.load cb0[%7]\n  local.store x0[0].x, %2\n"
     "  local.store x0[0].y, %8\n",
     {Gap::row_range, Gap::row_range}},
    // One comparison for the row's components.
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1 = local.load x0[%0].x\n  %2 = local.load x0[%0].y\n  local.store "
     "x0[%0].z, %1\n"
     "  local.store x0[%0].w, %2\n",
     "  %0 = sysval thread_id.x\n  %1 = ult.u32 %0, 4\n  %2 = local.load x0[%0].x guard(%1)\n"
     "  %3 = local.load x0[%0].y guard(%1)\n  local.store x0[%0].z guard(%1), %2\n"
     "  local.store x0[%0].w guard(%1), %3\n",
     {Gap::row_range, Gap::row_range, Gap::row_range, Gap::row_range}},
    {&kSpares,
     "  %0 = sysval thread_id.x\n  %1 = local.load x0[%0].x\n  local.store x0[%0].y, %1\n",
     "  %0 = sysval thread_id.x\n  %1 = umin.u32 %0, 4\n  %2 = local.load x0[%1].x\n  %3 = ult.u32 %0, 4\n"
     "  %4 = select.b32 %3, %2, 0\n  local.store x0[%1].y, %4\n",
     {Gap::row_range, Gap::row_range}},
    // Known rows.
    {&kPredicates,
     "  %0 = local.load x0[3].x\n  local.store x0[0].y, %0\n",
     "  %0 = local.load x0[3].x\n  local.store x0[0].y, %0\n",
     {}},
    {&kPredicates,
     "  %0 = local.load x0[4].x\n  local.store x0[9].y, %0\n  local.store x0[1].y, %0\n",
     "  local.store x0[1].y, 0\n",
     {}},
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1 = and %0, 3\n  local.store x0[%1].x, %0\n",
     "  %0 = sysval thread_id.x\n  %1 = and %0, 3\n  local.store x0[%1].x, %0\n",
     {}},
    // Clamped like signed numbers.
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1 = imin.s32 %0, 3\n  %2 = imax.s32 %1, 0\n  local.store x0[%2].x, %0\n",
     "  %0 = sysval thread_id.x\n  %1 = imin.s32 %0, 3\n  %2 = imax.s32 %1, 0\n  local.store x0[%2].x, %0\n",
     {}},
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1 = imin.s32 %0, 3\n  local.store x0[%1].x, %0\n",
     "  %0 = sysval thread_id.x\n  %1 = imin.s32 %0, 3\n  %2 = ult.u32 %1, 4\n  local.store x0[%1].x "
     "guard(%2), "
     "%0\n",
     {Gap::row_range}},
    // Counters are below the limit after the comparison, not before it.
    {&kPredicates,
     "  %0 = loop init(0)\n  local.store x0[%0].x, %0\n  %1 = ige.s32 %0, 4\n  if %1\n  break\n  else\n  "
     "endif\n"
     "  local.store x0[%0].y, %0\n  %2 = iadd %0, 1\n  endloop yields(%2)\n",
     "  %0 = loop init(0)\n"
     "    %1 = ult.u32 %0, 4\n"
     "    local.store x0[%0].x guard(%1), %0\n"
     "    %2 = ige.s32 %0, 4\n"
     "    if %2\n"
     "      break\n"
     "    else\n"
     "    endif\n"
     "    local.store x0[%0].y, %0\n"
     "    %3 = iadd %0, 1\n"
     "  endloop yields(%3)\n",
     {Gap::row_range}},
    {&kPredicates,  // one more than the number of rows
     "  %0 = loop init(0)\n  %1 = ige.s32 %0, 5\n  if %1\n  break\n  else\n  endif\n  local.store x0[%0].y, "
     "%0\n"
     "  %2 = iadd %0, 1\n  endloop yields(%2)\n",
     "  %0 = loop init(0)\n"
     "    %1 = ige.s32 %0, 5\n"
     "    if %1\n"
     "      break\n"
     "    else\n"
     "    endif\n"
     "    %2 = ult.u32 %0, 4\n"
     "    local.store x0[%0].y guard(%2), %0\n"
     "    %3 = iadd %0, 1\n"
     "  endloop yields(%3)\n",
     {Gap::row_range}},
    {&kPredicates,  // not a counter: it decreases
     "  %0 = loop init(2)\n  %1 = ige.s32 %0, 4\n  if %1\n  break\n  else\n  endif\n  local.store x0[%0].y, "
     "%0\n"
     "  %2 = iadd %0, -1\n  endloop yields(%2)\n",
     "  %0 = loop init(2)\n"
     "    %1 = ige.s32 %0, 4\n"
     "    if %1\n"
     "      break\n"
     "    else\n"
     "    endif\n"
     "    %2 = ult.u32 %0, 4\n"
     "    local.store x0[%0].y guard(%2), %0\n"
     "    %3 = iadd %0, -1\n"
     "  endloop yields(%3)\n",
     {Gap::row_range}},
    // Constant buffers: the bound is the binding's, or the declaration's.
    {&kPredicates,
     "  %0..%3 = cb.load cb0[2]\n  local.store x0[0].x, %0\n",
     "  %0 = cb.rows cb0\n  %1 = ult.u32 2, %0\n  %2..%5 = cb.load cb0[2] guard(%1)\n  local.store x0[0].x, "
     "%2\n",
     {Gap::row_range}},
    {&kSpares,
     "  %0..%3 = cb.load cb0[2]\n  local.store x0[0].x, %0\n",
     "  %0..%3 = cb.load cb0[2]\n  local.store x0[0].x, %0\n",
     {}},
    {&kSpares,
     "  %0 = sysval thread_id.x\n  %1..%4 = cb.load cb0[%0]\n  local.store x0[0].x, %1\n",
     "  %0 = sysval thread_id.x\n  %1 = ult.u32 %0, 4\n  %2..%5 = cb.load cb0[%0] guard(%1)\n"
     "  local.store x0[0].x, %2\n",
     {Gap::row_range}},
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1..%4 = cb.load cb1[0] index(%0)\n  local.store x0[0].x, %1\n",
     "  %0 = sysval thread_id.x\n  %1 = umin.u32 %0, 1\n  %2 = cb.rows cb1 index(%1)\n  %3 = ult.u32 0, %2\n"
     "  %4..%7 = cb.load cb1[0] index(%1) guard(%3)\n  local.store x0[0].x, %4\n",
     {Gap::descriptor_index, Gap::row_range}},
    // Tables.
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1..%4 = table.load table0[%0]\n  local.store x0[0].x, %1\n",
     "  %0 = sysval thread_id.x\n  %1 = ult.u32 %0, 2\n  %2..%5 = table.load table0[%0] guard(%1)\n"
     "  local.store x0[0].x, %2\n",
     {Gap::row_range}},
    {&kSpares,
     "  %0 = sysval thread_id.x\n  %1..%4 = table.load table0[%0]\n  local.store x0[0].x, %1\n",
     "  %0 = sysval thread_id.x\n  %1 = umin.u32 %0, 2\n  %2..%5 = table.load table0[%1]\n"
     "  local.store x0[0].x, %2\n",
     {Gap::row_range}},
    // g#: range and low bits; 8 x 4 threads have numbers of words that are known to be inside 64 bytes.
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1 = shared.load g0[%0]\n  shared.store g0[8], %1\n",
     "  %0 = sysval thread_id.x\n  %1 = and %0, -4\n  %2 = ult.u32 %1, 64\n  %3 = shared.load g0[%1] "
     "guard(%2)\n"
     "  shared.store g0[8], %3\n",
     {Gap::alignment, Gap::row_range}},
    {&kPredicates,
     "  %0 = sysval thread_id_in_group.x\n  %1 = shl %0, 2\n  %2 = shared.load g0[%1]\n  shared.store "
     "g0[%1], %2\n",
     "  %0 = sysval thread_id_in_group.x\n  %1 = shl %0, 2\n  %2 = shared.load g0[%1]\n  shared.store "
     "g0[%1], %2\n",
     {}},
    {&kSpares,
     "  %0 = sysval thread_id.x\n  %1 = shared.atomic add g0[%0], 1\n  shared.store g0[0], %1\n",
     "  %0 = sysval thread_id.x\n  %1 = umin.u32 %0, 64\n  %2 = shared.atomic add g0[%1], 1\n"
     "  %3 = ult.u32 %0, 64\n  %4 = select.b32 %3, %2, 0\n  shared.store g0[0], %4\n",
     {Gap::row_range}},
    // Ranges of registers.
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1 = binding t0.width index(%0)\n  local.store x0[0].x, %1\n",
     "  %0 = sysval thread_id.x\n  %1 = umin.u32 %0, 3\n  %2 = binding t0.width index(%1)\n"
     "  local.store x0[0].x, %2\n",
     {}},
    {&kPredicates,
     "  %0 = sysval thread_id.x\n  %1..%4 = tex.fetch t0 texture2d float coord(0, 0) resource_index(%0)\n"
     "  local.store x0[0].x, %1\n",
     "  %0 = sysval thread_id.x\n  %1 = umin.u32 %0, 3\n  %2..%5 = tex.fetch t0 texture2d float coord(0, 0) "
     "resource_index(%1)\n  local.store x0[0].x, %2\n",
     {Gap::descriptor_index}},
};

TEST(LegalizeMemory, InsertsTheSmallestCodeThatClosesTheGap) {
  for (const Case& test : kCases) {
    const Legalized legalized(test.before, *test.table);
    EXPECT_EQ(legalized.text, test.after) << test.before;
    std::vector<Gap> gaps;
    for (const ClosedGap& gap : legalized.gaps) {
      EXPECT_EQ(gap.source, kSource);
      gaps.push_back(gap.gap);
    }
    EXPECT_EQ(gaps, test.gaps) << test.before;
  }
}

TEST(LegalizeMemory, AFullGuaranteeLeavesNothingToDo) {
  for (const Case& test : kCases) {
    const Legalized legalized(test.before, kEverything);
    EXPECT_FALSE(legalized.changed) << test.before;
    EXPECT_TRUE(legalized.gaps.empty()) << test.before;
  }
}

TEST(LegalizeMemory, SpareElementsAreMadeWhereSomethingMayGoThere) {
  const Legalized indexed(
      "  %0 = sysval thread_id.x\n  local.store x0[%0].x, %0\n  shared.store g0[%0], %0\n"
      "  %1..%4 = table.load table0[%0]\n  shared.store g0[0], %1\n",
      kSpares);
  EXPECT_EQ(indexed.module.locals[0].rows, 5u);
  EXPECT_EQ(indexed.module.shared[0].bytes, 68u);
  EXPECT_EQ(indexed.module.tables[0].rows, 3u);
  const uint32_t first = indexed.module.tables[0].first_word;
  for (uint32_t i = 0; i < 12; ++i) EXPECT_EQ(indexed.module.table_words[first + i], i < 8 ? i + 1 : 0) << i;
  const Legalized known("  local.store x0[3].x, 0\n  shared.store g0[60], 0\n", kSpares);
  EXPECT_EQ(known.module.locals[0].rows, 4u);
  EXPECT_EQ(known.module.shared[0].bytes, 64u);
}

// A device need not have more memory for groups than what Direct3D's programs may declare.
TEST(LegalizeMemory, SharedMemoryDoesNotOutgrowTheLimitOfDirect3D) {
  const auto legalized = [](uint32_t bytes, std::string_view body, uint32_t expected_bytes) {
    Module module;
    parse_or_fail("module compute 5.0 \"main\"\nthread_group 8 1 1\nshared g0 bytes(" +
                      std::to_string(bytes) + ") stride(0)\nshared g1 bytes(64) stride(0)\ncode {\n" +
                      std::string(body) + "}\n",
                  module);
    verify_or_fail(module);
    std::pmr::vector<ClosedGap> gaps;
    legalize_memory(module, kSpares, &gaps);
    verify_or_fail(module);
    eliminate_common_subexpressions(module);
    EXPECT_EQ(module.shared[0].bytes, expected_bytes);
    EXPECT_EQ(gaps.size(), 3u);
    return body_of(module);
  };
  const std::string_view body =
      "  %0 = sysval thread_id.x\n  %1 = shl %0, 2\n  %2 = shared.load g0[%1]\n"
      "  %3 = shared.atomic add g0[%1], %2\n  shared.store g0[%1], %3\n";
  const auto spare = [](uint32_t bytes) {
    const std::string limit = std::to_string(bytes);
    return "  %0 = sysval thread_id.x\n  %1 = shl %0, 2\n  %2 = umin.u32 %1, " + limit +
           "\n  %3 = shared.load g0[%2]\n  %4 = ult.u32 %1, " + limit +
           "\n  %5 = select.b32 %4, %3, 0\n  %6 = shared.atomic add g0[%2], %5\n"
           "  %7 = select.b32 %4, %6, 0\n  shared.store g0[%2], %7\n";
  };
  const auto guarded = [](uint32_t bytes) {
    return "  %0 = sysval thread_id.x\n  %1 = shl %0, 2\n  %2 = umin.u32 %1, " + std::to_string(bytes - 4) +
           "\n  %3 = shared.load g0[%2]\n  %4 = ult.u32 %1, " + std::to_string(bytes) +
           "\n  %5 = select.b32 %4, %3, 0\n  %6 = shared.atomic add g0[%1] guard(%4), %5\n"
           "  shared.store g0[%1] guard(%4), %6\n";
  };
  // 64 bytes are g1's, and each may need a spare word: 72 in all.
  EXPECT_EQ(legalized(16384 - 72, body, 16384 - 68), spare(16384 - 72));
  EXPECT_EQ(legalized(16384 - 68, body, 16384 - 68), guarded(16384 - 68));
  EXPECT_EQ(legalized(16384 - 64, body, 16384 - 64), guarded(16384 - 64));
  EXPECT_EQ(legalized(16384 - 60, body, 16384 - 56), spare(16384 - 60));
  EXPECT_EQ(legalized(32768 - 72, body, 32768 - 68), spare(32768 - 72));
  EXPECT_EQ(legalized(32768 - 64, body, 32768 - 64), guarded(32768 - 64));
}

TEST(LegalizeMemory, RunTimeInputsStayAmongTheDeclaredOnes) {
  Module module;
  parse_or_fail(
      "module pixel 5.0 \"main\"\ninput v0.xyzw\ninput v2.xyzw\noutput o0.x\ncode {\n  %0 = input v0.x\n"
      "  %1 = input v1.y index(%0)\n  output o0.x, %1\n}\n",
      module);
  std::pmr::vector<ClosedGap> gaps;
  EXPECT_TRUE(legalize_memory(module, kPredicates, &gaps));
  EXPECT_EQ(body_of(module),
            "  %0 = input v0.x\n  %1 = iadd %0, 1\n  %2 = umin.u32 %1, 2\n  %3 = input v0.y index(%2)\n"
            "  output o0.x, %3\n");
  ASSERT_EQ(gaps.size(), 1u);
  EXPECT_EQ(gaps[0].gap, Gap::register_index);
}

// An array of vertices has the declared length; a hull shader has as many points as it outputs.
TEST(LegalizeMemory, RunTimeVerticesStayAmongTheDeclaredOnes) {
  const auto legalized = [](std::string_view body, const MemoryTable& table, size_t gap_count) {
    Module module;
    parse_or_fail("module geometry 5.0 \"main\"\ninput v1.xyzw array(3)\noutput o0.x\ncode {\n" +
                      std::string(body) + "}\n",
                  module);
    std::pmr::vector<ClosedGap> gaps;
    legalize_memory(module, table, &gaps);
    verify_or_fail(module);
    EXPECT_EQ(gaps.size(), gap_count) << body;
    return body_of(module);
  };
  const std::string_view run_time =
      "  %0 = sysval primitive_id.x\n  %1 = input v1.x vertex(%0)\n  output o0.x, %1\n";
  EXPECT_EQ(legalized(run_time, kSpares, 1),
            "  %0 = sysval primitive_id.x\n  %1 = umin.u32 %0, 2\n  %2 = input v1.x vertex(%1)\n"
            "  output o0.x, %2\n");
  EXPECT_EQ(legalized(run_time, kEverything, 0), run_time);
  const std::string_view known = "  %0 = input v1.x vertex(2)\n  output o0.x, %0\n";
  EXPECT_EQ(legalized(known, kSpares, 0), known);
  const std::string_view instance =
      "  %0 = sysval gs_instance_id.x\n  %1 = input v1.x vertex(%0)\n  output o0.x, %1\n";
  EXPECT_EQ(legalized(instance, kSpares, 0), instance);  // unchanged, because there is one
  EXPECT_EQ(legalized("  %0 = input v1.x vertex(7)\n  output o0.x, %0\n", kSpares, 0), known);
}

TEST(LegalizeMemory, TargetsNameADocumentForEveryKindOfMemory) {
  for (const MemoryTable* table :
       {&ptx::kMemoryGuarantees, &spirv::memory_guarantees(spirv::Robustness::driver),
        &spirv::memory_guarantees(spirv::Robustness::shader)}) {
    for (const Guarantee& guarantee :
         {table->constant_buffer, table->table, table->local, table->shared, table->input, table->range}) {
      EXPECT_FALSE(guarantee.source.empty());
      EXPECT_EQ(guarantee.source.find_first_of("\"\\"), std::string_view::npos);
    }
  }
}

}  // namespace
}  // namespace texlate::ir
