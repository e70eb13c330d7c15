// Thread groups whose threads would all use many registers: a kernel has what its group has room for, and the
// machine refuses other kernels.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "backend/launch/launch.h"
#include "sim/maxwell/machine.h"
#include "texlate/texlate.hpp"

namespace texlate {
namespace {

using testing::HasSubstr;

// 64 K registers, or 32 K: four schedulers, each with a quarter of the warps.
static_assert(launch::most_registers(52, 1) == 255);
static_assert(launch::most_registers(52, 256) == 255);
static_assert(launch::most_registers(52, 257) == 168);
static_assert(launch::most_registers(50, 512) == 128);
static_assert(launch::most_registers(75, 1024) == 64);
static_assert(launch::most_registers(53, 128) == 255);
static_assert(launch::most_registers(53, 129) == 128);
static_assert(launch::most_registers(62, 1024) == 32);

/// 160 words, all loaded before the first is stored.
std::string many_values(uint32_t threads) {
  std::string text = fmt::format(
      "cs_5_0\ndcl_globalFlags refactoringAllowed\ndcl_resource_raw t0\ndcl_uav_raw u0\ndcl_input "
      "vThreadID.x\n"
      "dcl_temps 41\ndcl_thread_group {}, 1, 1\nimul null, r0.x, vThreadID.x, l(640)\n",
      threads);
  for (uint32_t n = 0; n < 40; ++n) {
    text += fmt::format("iadd r0.y, r0.x, l({})\n", 16 * n);
    text += fmt::format("ld_raw r{}.xyzw, r0.y, t0.xyzw\n", n + 1);
  }
  text += "sync_uglobal_g_t\n";
  for (uint32_t n = 0; n < 40; ++n) {
    text += fmt::format("iadd r0.y, r0.x, l({})\n", 16 * n);
    text += fmt::format("store_raw u0.xyzw, r0.y, r{}.xyzw\n", 40 - n);
  }
  return text + "ret\n";
}

std::string translated(const std::string& listing, const char* target, uint32_t sm,
                       uint32_t max_registers = 0) {
  texlate_kernel_options kernel = TEXLATE_KERNEL_OPTIONS_INIT;
  kernel.max_registers = max_registers;
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  options.sm = sm;
  options.kernel = &kernel;
  options.reflect = 1;
  const api::Output output = api::Program(listing).translate(options);
  EXPECT_TRUE(output.ok()) << target << " " << sm;
  return std::string(output.data()) + std::string(output.reflection());
}

uint32_t registers_of(const std::string& text) {
  const std::string key = "\"registers\": ";
  const size_t at = text.rfind(key);
  EXPECT_NE(at, std::string::npos);
  return at == std::string::npos ? 0 : static_cast<uint32_t>(std::stoul(text.substr(at + key.size())));
}

TEST(LargeGroups, KernelsFitTheRegisterFile) {
  for (const uint32_t threads : {32u, 128u, 256u, 384u, 512u, 1024u}) {
    const std::string listing = many_values(threads);
    for (const uint32_t sm : {50u, 52u, 53u}) {
      const uint32_t registers = registers_of(translated(listing, "cubin", sm));
      EXPECT_LE(registers, launch::most_registers(sm, threads)) << threads << " threads, sm_" << sm;
      EXPECT_TRUE(threads != 32 || registers > 128) << "it would use more";
    }
    EXPECT_LE(registers_of(translated(listing, "dksh", 53)), launch::most_registers(53, threads)) << threads;
  }
}

TEST(LargeGroups, TheCallersLimitIsNotAboveIt) {
  EXPECT_LE(registers_of(translated(many_values(1024), "maxwell", 52, 200)), 64u);
  EXPECT_THAT(translated(many_values(1024), "ptx", 75, 200), HasSubstr(".maxnreg 64\n"));
  EXPECT_THAT(translated(many_values(1024), "ptx", 75, 40), HasSubstr(".maxnreg 40\n"));
  EXPECT_THAT(translated(many_values(32), "ptx", 75, 200), HasSubstr(".maxnreg 200\n"));
}

TEST(LargeGroups, TheMachineRefusesABlockWithoutRoom) {
  using sim::maxwell::Machine;
  sim::maxwell::Program program;
  program.words = {0x001ffc00ffe007edull, 0xe30000000007000full, 0x50b0000000070f00ull,
                   0x50b0000000070f00ull};
  const auto faults = [&](uint32_t registers, uint32_t block_registers, uint32_t threads) {
    program.registers = registers;
    program.block_registers = block_registers;
    program.entry = 8;
    return Machine(program).launch({}, {threads}, {}).describe();
  };
  using sim::maxwell::kBlockRegisters;
  using sim::maxwell::kBlockRegistersOfTegra;
  EXPECT_EQ(faults(64, kBlockRegisters, 1024), "");
  EXPECT_THAT(faults(65, kBlockRegisters, 1024), HasSubstr("a block of 1024 threads has no 65 registers"));
  EXPECT_EQ(faults(255, kBlockRegisters, 256), "");
  EXPECT_NE(faults(255, kBlockRegistersOfTegra, 256), "");
  EXPECT_NE(faults(169, kBlockRegisters, 257), "");
}

}  // namespace
}  // namespace texlate
