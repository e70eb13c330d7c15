// Runs a module by two routes: the contract on the interpreter, and its machine code on the Maxwell
// machine.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "backend/launch/lower_addresses.h"
#include "backend/launch/lower_streams.h"
#include "backend/maxwell/guarantees.h"
#include "backend/maxwell/isa/program.h"
#include "backend/maxwell/kernel.h"
#include "ir/passes/optimize.h"
#include "sim/ir/interpreter.h"
#include "sim/maxwell/machine.h"
#include "tests/support/ir_text.h"

namespace texlate {

/// Makes a kernel of a module in SSA form; legalizes the module first.
inline bool make_maxwell_kernel(ir::Module& module, launch::Layout& layout, maxwell::Kernel& kernel,
                                std::string_view text) {
  Diagnostics diagnostics;
  bool good = ir::legalize(module, maxwell::guarantees(), diagnostics);
  if (good) {
    launch::make_layout(module, false, layout);
    const std::pmr::vector<uint16_t> rows = launch::add_rows(module, layout);
    launch::lower_addresses(module, {.rows = rows, .loads_addresses = layout.in_memory});
    good = (module.stage == ir::Stage::compute || launch::lower_streams(module, layout, diagnostics)) &&
           maxwell::make_kernel(module, layout, {}, kernel, diagnostics);
  }
  if (!good) ADD_FAILURE() << ir::to_text(diagnostics, std::string(text));
  return good;
}

inline sim::maxwell::Program machine_program(const maxwell::Kernel& kernel) {
  sim::maxwell::Program program;
  std::pmr::vector<uint64_t> words;
  maxwell::encode_unchecked(kernel.instructions, words);
  program.words.assign(words.begin(), words.end());
  program.registers = kernel.registers;
  program.shared_bytes = kernel.shared_bytes;
  program.local_bytes = kernel.local_bytes;
  const auto tables = std::as_bytes(std::span(kernel.constants));
  program.banks[3].assign(tables.begin(), tables.end());
  return program;
}

/// Runs a pixel or vertex kernel without resources on planes of words.
inline std::vector<uint32_t> run_maxwell_planes(const maxwell::Kernel& kernel, uint32_t count,
                                                const std::vector<uint32_t>& inputs, uint32_t output_planes,
                                                const sim::maxwell::MachineOptions& options = {}) {
  const sim::maxwell::Program program = machine_program(kernel);
  sim::maxwell::Machine machine(program, options);
  std::vector<uint32_t> outputs(size_t{output_planes} * count, 0);
  std::vector<std::byte> block(kernel.parameter_bytes);
  const auto put = [&](uint32_t offset, auto value) {
    std::memcpy(block.data() + offset, &value, sizeof value);
  };
  auto words = inputs;
  if (!words.empty())
    put(launch::stream_head::kInputs, machine.map_memory(std::as_writable_bytes(std::span(words)), false));
  put(launch::stream_head::kOutputs, machine.map_memory(std::as_writable_bytes(std::span(outputs))));
  put(launch::stream_head::kCount, count);
  put(launch::stream_head::kSamples, 1u);
  const sim::maxwell::Report report = machine.launch({(count + 63) / 64, 1, 1}, {64, 1, 1}, block);
  if (!report.ok()) ADD_FAILURE() << report.describe();
  return outputs;
}

}  // namespace texlate
