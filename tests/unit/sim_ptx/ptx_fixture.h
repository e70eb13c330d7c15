// Shared by the tests of the PTX machine: parsing and running a kernel, tables of single instructions, and
// ptxas to check that a test's PTX is valid.
#pragma once

#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "ir/base/diagnostics.h"
#include "sim/ptx/machine.h"

namespace texlate::sim::ptx {

inline constexpr std::string_view kHeader = ".version 6.3\n.target sm_75\n.address_size 64\n";

inline uint32_t bits(float value) {
  return std::bit_cast<uint32_t>(value);
}

/// Assembles with ptxas if there is one; a test whose PTX ptxas refuses proves nothing.
inline void expect_assembles([[maybe_unused]] std::string_view text) {
#ifndef _WIN32  // NVIDIA's assembler of this machine is not for Windows
  const char* ptxas = "/usr/local/cuda/bin/ptxas";
  if (access(ptxas, X_OK) != 0) return;
  const std::string base = fmt::format("{}/texlate_ptx_{}_{}", testing::TempDir(), getpid(), rand());
  std::FILE* file = std::fopen((base + ".ptx").c_str(), "w");
  ASSERT_NE(file, nullptr);
  std::fwrite(text.data(), 1, text.size(), file);
  std::fclose(file);
  const std::string command =
      fmt::format("{} -arch=sm_75 -o /dev/null {}.ptx > {}.log 2>&1", ptxas, base, base);
  const int status = std::system(command.c_str());
  std::string log(4096, '\0');
  if (std::FILE* f = std::fopen((base + ".log").c_str(), "r")) {
    log.resize(std::fread(log.data(), 1, log.size(), f));
    std::fclose(f);
  }
  std::remove((base + ".ptx").c_str());
  std::remove((base + ".log").c_str());
  EXPECT_EQ(status, 0) << "ptxas: " << log << "\n" << text;
#endif
}

inline bool has_fault(const Report& report, FaultKind kind) {
  for (const Fault& fault : report.faults) {
    if (fault.kind == kind) return true;
  }
  return false;
}

inline std::unique_ptr<Module> compile(const std::string& text) {
  Diagnostics diagnostics;
  auto module = parse(text, diagnostics);
  std::string messages;
  for (const Diagnostic& d : diagnostics.list()) messages += render(d, "test.ptx", text);
  EXPECT_NE(module, nullptr) << messages << text;
  return module;
}

/// A kernel `k(.param .u64 out)` of one warp. `body` may use %r %f %rd %h %p; the output's address is in
/// %rd0.
inline std::string kernel(std::string_view body, std::string_view before = "") {
  return fmt::format(
      "{}{}\n.visible .entry k(.param .u64 out) {{\n.reg .b16 %h<16>;\n.reg .b32 %r<32>;\n.reg .b32 %f<32>;\n"
      ".reg .b64 %rd<32>;\n.reg .pred %p<16>;\nld.param.u64 %rd0, [out];\n{}\nret;\n}}\n",
      kHeader, before, body);
}

struct KernelRun {
  std::vector<uint32_t> out;
  Report report;
};

/// Runs `kernel(body)` with `threads` lanes on an output of `words` words (initially 0xcccccccc).
inline KernelRun run(std::string_view body, uint32_t threads = 32, uint32_t words = 64,
                     std::string_view before = "", const MachineOptions& options = {}, bool assemble = true) {
  const std::string text = kernel(body, before);
  if (assemble) expect_assembles(text);
  KernelRun result;
  result.out.assign(words, 0xccccccccu);
  const auto module = compile(text);
  if (module == nullptr) return result;
  Machine machine(*module, options);
  const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(result.out)));
  result.report = machine.launch("k", {}, {threads}, std::as_bytes(std::span(&address, 1)));
  return result;
}

/// One instruction: mnemonic, operand registers (h b16, r b32, d b64, p predicate; the destination first),
/// inputs, result.
struct Row {
  const char* op;
  const char* operands;
  std::vector<uint64_t> inputs;
  uint64_t expected;
};

/// Runs all rows in one kernel and compares exactly.
inline void check_rows(const std::vector<Row>& rows) {
  std::string body;
  const auto name = [](char c, size_t index) {
    return fmt::format("%{}{}", c == 'd' ? "rd" : std::string(1, c), index);
  };
  const auto bits = [](char c) { return c == 'h' ? 16 : c == 'd' ? 64 : 32; };
  for (size_t k = 0; k < rows.size(); ++k) {
    const std::string_view operands = rows[k].operands;
    std::string list = name(operands[0], 10);
    for (size_t i = 1; i < operands.size(); ++i) {
      const uint64_t value = rows[k].inputs[i - 1];
      if (operands[i] == 'p') {
        body += fmt::format("mov.b32 %r9, {};\nsetp.ne.u32 %p{}, %r9, 0;\n", value, i);
      } else if (operands[i] == 'i') {
        list += fmt::format(", {}", value);
        continue;
      } else {
        body += fmt::format("mov.b{} {}, 0x{:x};\n", bits(operands[i]), name(operands[i], i), value);
      }
      list += ", " + name(operands[i], i);
    }
    body += fmt::format("{} {};\n", rows[k].op, list);
    if (operands[0] == 'p') {
      body += fmt::format("selp.u32 %r10, 1, 0, %p10;\nst.global.u32 [%rd0+{}], %r10;\n", k * 8);
    } else {
      body += fmt::format("st.global.b{} [%rd0+{}], {};\n", bits(operands[0]), k * 8, name(operands[0], 10));
    }
  }
  const std::string text = kernel(body);
  expect_assembles(text);
  const auto module = compile(text);
  ASSERT_NE(module, nullptr);
  Machine machine(*module);
  std::vector<uint64_t> out(rows.size());
  const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(out)));
  const Report report = machine.launch("k", {}, {1}, std::as_bytes(std::span(&address, 1)));
  EXPECT_TRUE(report.ok()) << report.describe();
  for (size_t k = 0; k < rows.size(); ++k) {
    EXPECT_EQ(out[k], rows[k].expected) << rows[k].op << " row " << k << std::hex << " got 0x" << out[k]
                                        << " expected 0x" << rows[k].expected;
  }
}

}  // namespace texlate::sim::ptx
