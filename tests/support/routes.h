// Runs one module by every route: the interpreter on the contract, the interpreter on the module legalized
// for a target (promising nothing), and a machine on the code emitted for that target. The target is PTX, or
// Maxwell with TEXLATE_MACHINE=maxwell in the environment; TEXLATE_MACHINE=cuda runs the PTX on a GPU.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <iostream>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "library/pipeline.h"
#include "sim/ir/interpreter.h"
#include "tests/support/ir_text.h"
#include "tools/executor/cuda_route.h"
#include "tools/executor/ptx_route.h"
#include "tools/executor/sass_route.h"

namespace texlate {

/// True if the suites run the Maxwell machine instead of the PTX machine.
inline bool on_maxwell() {
  const char* asked = std::getenv("TEXLATE_MACHINE");
  return asked != nullptr && std::string_view(asked) == "maxwell";
}
/// True if they run on a GPU.
inline bool on_gpu() {
  const char* asked = std::getenv("TEXLATE_MACHINE");
  return asked != nullptr && std::string_view(asked) == "cuda";
}
inline std::string_view machine_name() {
  return on_maxwell() ? "maxwell" : on_gpu() ? "cuda" : "ptx";
}
/// The exit status of a suite whose kernel made the GPU unusable (tests/gpu/run_on_gpu.sh).
inline constexpr int kContextLost = 76;
/// The GPU of TEXLATE_MACHINE=cuda. If there is none, fails the test and returns null.
inline const executor::cuda::Gpu* the_gpu() {
  static std::string why;
  static const std::unique_ptr<executor::cuda::Gpu> kGpu = executor::cuda::Gpu::open(why);
  if (kGpu == nullptr) ADD_FAILURE() << "TEXLATE_MACHINE=cuda: " << why;
  return kGpu.get();
}

class Routes {
 public:
  explicit Routes(std::string text) : text_(std::move(text)) {
    ir::parse_or_fail(text_, contract_);
    ir::verify_or_fail(contract_);
    ir::parse_or_fail(text_, legal_);
    Diagnostics diagnostics;
    const backend::Target& target = on_maxwell() ? executor::cubin_target() : executor::ptx_target();
    if (!library::legalize(legal_, target, {}, diagnostics)) ADD_FAILURE() << ir::to_text(diagnostics, text_);
    ir::verify_or_fail(legal_);
    contract_interpreter_ = sim::Interpreter::create(contract_, diagnostics);
    legal_interpreter_ = sim::Interpreter::create(legal_, diagnostics);
  }

  const ir::Module& module() const { return contract_; }
  const ir::Module& legal() const { return legal_; }
  /// Memory that the module may write. Every route starts with the original contents, and its results are
  /// kept.
  void watch(std::span<std::byte> memory) { watched_ = memory; }

  struct Outputs {
    std::vector<uint32_t> contract, legal, machine, undefined;
    std::vector<uint32_t> contract_written, legal_written, machine_written;  // by element
    std::vector<std::byte> contract_memory, legal_memory, machine_memory;
  };
  /// Runs all three and reports each route's own complaints.
  Outputs run(const sim::Bindings& bindings, sim::StreamLaunch launch) {
    Outputs result;
    result.undefined.assign(launch.count, 0);
    const size_t words = size_t{sim::output_plane_count(contract_)} * launch.count;
    run_each(bindings, launch, result, [&](std::vector<uint32_t>& outputs, std::vector<uint32_t>& written) {
      outputs.assign(words, 0);
      written.assign(launch.count, 0);
      launch.outputs = outputs;
      launch.written = written;
      // Only the contract tells what Direct3D leaves undefined.
      launch.undefined = &outputs == &result.contract ? result.undefined : std::span<uint32_t>{};
    });
    return result;
  }
  /// The same for groups of a compute shader, whose only results are in memory.
  Outputs run(const sim::Bindings& bindings, const sim::GroupLaunch& launch) {
    Outputs result;
    run_each(bindings, launch, result, [](std::vector<uint32_t>&, std::vector<uint32_t>&) {});
    return result;
  }

 private:
  /// Runs each route on the original memory. `prepare` receives the outputs of the route that runs next.
  template <typename Launch, typename Prepare>
  void run_each(const sim::Bindings& bindings, const Launch& launch, Outputs& result, Prepare prepare) {
    const std::vector<std::byte> initial(watched_.begin(), watched_.end());
    const auto restore = [&] { std::copy(initial.begin(), initial.end(), watched_.begin()); };
    const auto keep = [&](std::vector<std::byte>& memory) {
      memory.assign(watched_.begin(), watched_.end());
    };
    sim::InterpreterOptions options;
    prepare(result.contract, result.contract_written);
    EXPECT_TRUE(contract_interpreter_->run(bindings, launch, options).ok());
    keep(result.contract_memory);

    restore();
    prepare(result.legal, result.legal_written);
    options.promise_nothing = true;
    const sim::RunReport report = legal_interpreter_->run(bindings, launch, options);
    EXPECT_TRUE(report.ok()) << (report.unguarded.empty() ? "cut off" : report.unguarded[0].what) << ", "
                             << report.unguarded_count << " times\n"
                             << text_;
    keep(result.legal_memory);

    restore();
    prepare(result.machine, result.machine_written);
    on_maxwell() ? run_maxwell(bindings, launch)
    : on_gpu()   ? run_cuda(bindings, launch)
                 : run_ptx(bindings, launch);
    keep(result.machine_memory);
  }

  template <typename Launch>
  void run_ptx(const sim::Bindings& bindings, const Launch& launch) {
    Diagnostics diagnostics;
    if (ptx_.program == nullptr && !executor::make_kernel(legal_, bindings, ptx_, diagnostics)) {
      ADD_FAILURE() << ir::to_text(diagnostics, ptx_.text());
      return;
    }
    const sim::ptx::Report report = executor::run_ptx(ptx_, legal_, bindings, launch);
    EXPECT_TRUE(report.ok()) << report.describe() << text_ << ptx_.text();
  }
  template <typename Launch>
  void run_cuda(const sim::Bindings& bindings, const Launch& launch) {
    const executor::cuda::Gpu* gpu = the_gpu();
    if (gpu == nullptr) return;
    Diagnostics diagnostics;
    if (!cuda_made_ && !executor::make_cuda(legal_, bindings, *gpu, cuda_, diagnostics)) {
      ADD_FAILURE() << ir::to_text(diagnostics, text_);
      return;
    }
    cuda_made_ = true;
    const executor::CudaOutcome outcome = executor::run_cuda(cuda_, legal_, bindings, launch, *gpu);
    EXPECT_EQ(outcome.refused + outcome.failed, "") << text_ << cuda_.text();
    if (!gpu->is_lost()) return;
    std::cerr << "the GPU's context is lost, because a kernel failed: the rest of this program was not run\n";
    std::exit(kContextLost);
  }
  template <typename Launch>
  void run_maxwell(const sim::Bindings& bindings, const Launch& launch) {
    Diagnostics diagnostics;
    if (maxwell_.cubin.program.words.empty() &&
        !executor::make_maxwell(legal_, bindings, maxwell_, diagnostics)) {
      ADD_FAILURE() << ir::to_text(diagnostics, text_);
      return;
    }
    sim::maxwell::MachineOptions options;
    options.trust_fetch_bounds = false;  // every fetch is guarded
    const sim::maxwell::Report report = executor::run_sass(maxwell_, legal_, bindings, launch, options);
    EXPECT_TRUE(report.ok()) << report.describe() << text_;
  }

  std::string text_;
  ir::Module contract_, legal_;
  std::unique_ptr<sim::Interpreter> contract_interpreter_, legal_interpreter_;
  executor::PtxKernel ptx_;
  executor::SassKernel maxwell_;
  executor::EmittedKernel cuda_;
  bool cuda_made_ = false;
  std::span<std::byte> watched_;
};

}  // namespace texlate
