// Derivatives in control flow of any shape: random programs whose branches, breaks, continues and returns
// separate the pixels of quads. Under every schedule the PTX must end and give one result; where all four
// pixels of a quad reach each derivative, it must be the interpreter's. With TEXLATE_MACHINE=maxwell the
// Maxwell machine is tested, which has only one order.
//
// Runs a few thousand programs; TEXLATE_PROGRAMS=100000 runs that many, TEXLATE_FIRST_PROGRAM=n starts at
// number n. ptxas compiles every twentieth; TEXLATE_PTXAS_EVERY=1: each, which takes half the time with
// TEXLATE_PTXAS_FLAGS=-O0.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <random>

#include "tests/support/environment.h"
#include "tests/support/routes.h"
#include "tests/support/support.h"
#include "tools/executor/shader.h"

namespace texlate {
namespace {

constexpr uint32_t kPixels = 32;  // one warp
constexpr uint32_t kTurns = 3;    // of a loop, at most

/// r0: what the program computes; r1.x: for conditions; r2.x: a derivative; r3 and up: counters of loops. v0:
/// floats, v1: random bits.
class Generator {
 public:
  explicit Generator(uint32_t seed) : random_(seed) {}

  std::string program() {
    text_ =
        "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_constantbuffer CB0[2], immediateIndexed\n"
        "dcl_input_ps linear v0.xyzw\ndcl_input_ps constant v1.xyzw\ndcl_output o0.xyzw\ndcl_temps 16\n"
        "mov r0.xyzw, v0.xyzw\nmov o0.xyzw, l(0,0,0,0)\n";
    block(5, 4, false, false);
    line("mov o0.xyzw, r0.xyzw");
    line("ret");
    return text_;
  }

 private:
  uint32_t below(uint32_t limit) { return static_cast<uint32_t>(random_() % limit); }
  void line(std::string_view text) {
    text_ += text;
    text_ += '\n';
  }
  char component() { return "xyzw"[below(4)]; }

  /// Sets r1.x to nonzero in some pixels, or in all or none of them.
  void condition(bool may_be_uniform) {
    const uint32_t bits = below(3) == 0 ? 1u << below(32) : 1u << below(32) | 1u << below(32);
    const bool uniform = may_be_uniform && below(4) == 0;
    line(fmt::format("and r1.x, {}.{}, l({})", uniform ? "cb0[0]" : "v1", component(),
                     static_cast<int32_t>(bits)));
  }

  void derivative() {
    static constexpr std::string_view kOps[] = {"deriv_rtx_coarse", "deriv_rty_coarse", "deriv_rtx_fine",
                                                "deriv_rty_fine"};
    line(fmt::format("{} r2.x, r0.{}", kOps[below(4)], component()));
    line(fmt::format("add r0.{}, r0.{}, r2.x", component(), component()));
  }

  // Jumps are conditional, so some pixel reaches the code after them.
  void block(uint32_t size, uint32_t depth, bool in_loop, bool in_breakable) {
    for (uint32_t i = 0; i < size; ++i) {
      switch (below(depth != 0 ? 10 : 6)) {
        case 0:
        case 1:
        case 2: derivative(); break;
        case 3: line(fmt::format("add r0.{}, r0.{}, l({}.0)", component(), component(), 1 + below(5))); break;
        case 4:
        case 5: jump(in_loop, in_breakable); break;
        case 6:
        case 7: if_construct(depth, in_loop, in_breakable); break;
        case 8: loop_construct(depth); break;
        case 9: switch_construct(depth, in_loop); break;
      }
    }
  }

  void jump(bool in_loop, bool in_breakable) {
    condition(true);
    const std::string_view test = below(2) != 0 ? "nz" : "z";
    const uint32_t kind = below(6);
    if (kind < 3 && in_breakable) return line(fmt::format("breakc_{} r1.x", test));
    if (kind < 5 && in_loop) return line(fmt::format("continuec_{} r1.x", test));
    if (kind == 5) line(fmt::format("retc_{} r1.x", test));
  }

  void if_construct(uint32_t depth, bool in_loop, bool in_breakable) {
    condition(true);
    line(below(2) != 0 ? "if_nz r1.x" : "if_z r1.x");
    block(1 + below(3), depth - 1, in_loop, in_breakable);
    if (below(8) == 0) line(in_loop && below(2) != 0 ? "continue" : "ret");
    if (below(2) != 0) {
      line("else");
      block(1 + below(3), depth - 1, in_loop, in_breakable);
      if (in_breakable && below(8) == 0) line("break");
    }
    line("endif");
  }

  void loop_construct(uint32_t depth) {
    const uint32_t counter = 3 + depth;
    line(fmt::format("mov r{}.x, l(0)", counter));
    line("loop");
    line(fmt::format("uge r1.x, r{}.x, l({})", counter, 1 + below(kTurns)));
    line("breakc_nz r1.x");
    line(fmt::format("iadd r{0}.x, r{0}.x, l(1)", counter));
    block(1 + below(4), depth - 1, true, true);
    line("endloop");
  }

  void switch_construct(uint32_t depth, bool in_loop) {
    line(fmt::format("and r1.x, {}.{}, l(3)", below(3) == 0 ? "cb0[0]" : "v1", component()));
    line("switch r1.x");
    const uint32_t arm_of_three = below(4);  // 2: together with the default; 3: part of the default
    for (uint32_t arm = 0; arm < 3; ++arm) {
      line(arm == 2 ? "default" : fmt::format("case l({})", arm));
      if (arm == arm_of_three) line("case l(3)");
      block(1 + below(2), depth - 1, in_loop, true);
      line("break");
    }
    line("endswitch");
  }

  std::minstd_rand random_;
  std::string text_;
};

struct Outcome {
  std::vector<uint32_t> outputs = std::vector<uint32_t>(size_t{4} * kPixels);
  std::vector<uint32_t> undefined = std::vector<uint32_t>(kPixels);
};

class Program {
 public:
  Program(uint32_t seed, std::string text) : text_(std::move(text)) {
    const executor::Route routes[] = {on_maxwell() ? executor::Route::maxwell : executor::Route::ptx};
    Diagnostics diagnostics;
    loaded_ = executor::load_shader(text_, shader_, routes, diagnostics);
    for (const Diagnostic& each : diagnostics.list()) ADD_FAILURE() << render(each, "random.asm", text_);
    if (!loaded_) return;
    std::minstd_rand random(seed);
    for (uint32_t i = 0; i < 4 * kPixels; ++i)
      inputs_.push_back(std::bit_cast<uint32_t>(static_cast<float>(static_cast<int>(random() % 64)) - 32.0f));
    for (uint32_t i = 0; i < 4 * kPixels; ++i)
      inputs_.push_back(static_cast<uint32_t>(random() * 2654435761u));
    for (uint32_t& word : constants_) word = static_cast<uint32_t>(random() * 2654435761u);
    bindings_ = std::make_unique<sim::Bindings>(shader_.contract);
    bindings_->constant_buffers(0)[0] = constants_;
    loaded_ = on_maxwell() ? executor::make_maxwell(shader_.legal_maxwell, *bindings_, maxwell_, diagnostics)
                           : executor::make_kernel(shader_.legal, *bindings_, kernel_, diagnostics);
    for (const Diagnostic& each : diagnostics.list())
      ADD_FAILURE() << render(each, "random.ptx", kernel_.text());
  }

  bool loaded() const { return loaded_; }
  const std::string& text() const { return text_; }
  std::string_view ptx() const { return kernel_.text(); }

  Outcome interpret() {
    Outcome run;
    Diagnostics diagnostics;
    EXPECT_TRUE(sim::Interpreter::create(shader_.contract, diagnostics)->run(*bindings_, launch(run)).ok())
        << text_;
    return run;
  }
  Outcome execute(const sim::ptx::Schedule& schedule, std::string& complaint) {
    Outcome run;
    sim::StreamLaunch stream = launch(run);
    stream.undefined = {};
    if (on_maxwell()) {
      sim::maxwell::MachineOptions options;
      options.max_lane_instructions = 1u << 24;
      const sim::maxwell::Report report =
          executor::run_sass(maxwell_, shader_.legal_maxwell, *bindings_, stream, options);
      if (!report.ok()) complaint = report.describe();
      return run;
    }
    sim::ptx::MachineOptions options;
    options.schedule = schedule;
    options.max_lane_instructions = 1u << 24;
    const sim::ptx::Report report = executor::run_ptx(kernel_, shader_.legal, *bindings_, stream, options);
    if (!report.ok()) complaint = report.describe();
    return run;
  }

 private:
  sim::StreamLaunch launch(Outcome& run) {
    sim::StreamLaunch launch;
    launch.count = kPixels;
    launch.inputs = inputs_;
    launch.outputs = run.outputs;
    launch.undefined = run.undefined;
    return launch;
  }

  std::string text_;
  executor::Shader shader_;
  executor::PtxKernel kernel_;
  executor::SassKernel maxwell_;
  std::vector<uint32_t> inputs_;
  std::array<uint32_t, 8> constants_{};
  std::unique_ptr<sim::Bindings> bindings_;
  bool loaded_ = false;
};

bool equal(uint32_t a, uint32_t b) {
  const auto is_nan = [](uint32_t bits) { return (bits & 0x7fffffffu) > 0x7f800000u; };
  return a == b || (is_nan(a) && is_nan(b));
}

/// A later derivative includes an undefined earlier one of the same quad.
bool is_defined(const Outcome& contract, uint32_t pixel) {
  const auto quad = contract.undefined.begin() + (pixel & ~3u);
  return std::all_of(quad, quad + 4, [](uint32_t flags) { return flags == 0; });
}

/// The first difference; empty if there is none.
std::string wrong_under(Program& program, const sim::ptx::Schedule& schedule, const Outcome& first,
                        const Outcome& contract) {
  std::string complaint;
  const Outcome run = program.execute(schedule, complaint);
  if (!complaint.empty()) return complaint;
  for (uint32_t i = 0; i < run.outputs.size(); ++i) {
    const uint32_t pixel = i % kPixels;
    if (!equal(run.outputs[i], first.outputs[i]))
      return fmt::format("pixel {}: {:08x}, {:08x} under another schedule", pixel, run.outputs[i],
                         first.outputs[i]);
    if (is_defined(contract, pixel) && !equal(run.outputs[i], contract.outputs[i]))
      return fmt::format("pixel {}: {:08x}, should be {:08x}", pixel, run.outputs[i], contract.outputs[i]);
  }
  return {};
}

std::string with_flags(std::string ptxas) {
  const char* flags = std::getenv("TEXLATE_PTXAS_FLAGS");
  return ptxas.empty() || flags == nullptr ? ptxas : ptxas + ' ' + flags;
}

/// Kernels for ptxas, many in one module: starting ptxas takes longer than compiling one kernel.
class Modules {
 public:
  void add(uint32_t seed, std::string_view kernel) {
    if (ptxas_.empty() || on_maxwell() || (seed % every_ != 0)) return;
    const size_t entry = kernel.find(kEntry);
    ASSERT_NE(entry, std::string_view::npos) << kernel;
    if (text_.empty()) text_ = kernel.substr(0, entry);
    text_ += fmt::format(".visible .entry program_{}(", seed);
    text_ += kernel.substr(entry + kEntry.size());
    if (++kernels_ == kLargest) judge();
  }
  /// Compiles what was added since the last call.
  void judge() {
    if (kernels_ == 0) return;
    for (int sm : {75, 90, 120}) EXPECT_EQ(test::ptxas_complaint(ptxas_, text_, sm), "") << text_;
    text_.clear();
    kernels_ = 0;
  }

 private:
  static constexpr std::string_view kEntry = ".visible .entry main(";
  static constexpr uint32_t kLargest = 100;

  const std::string ptxas_ = with_flags(test::find_ptxas());
  const uint64_t every_ = test::from_environment("TEXLATE_PTXAS_EVERY", 20);
  std::string text_;
  uint32_t kernels_ = 0;
};

TEST(Divergence, RandomProgramsEndAndAgreeUnderEverySchedule) {
  const auto first = static_cast<uint32_t>(test::from_environment("TEXLATE_FIRST_PROGRAM", 0));
  const auto count = static_cast<uint32_t>(test::from_environment("TEXLATE_PROGRAMS", 2000));
  Modules modules;
  uint32_t parted = 0;
  for (uint32_t seed = first; seed < first + count; ++seed) {
    if (std::getenv("TEXLATE_SHOW")) fmt::print(stderr, "program {}\n{}", seed, Generator(seed).program());
    Program program(seed, Generator(seed).program());
    ASSERT_TRUE(program.loaded()) << "program " << seed << '\n' << program.text();
    const Outcome contract = program.interpret();
    std::string complaint;
    const Outcome run = program.execute({}, complaint);
    for (uint32_t n = 0; n < (on_maxwell() ? 1 : 7); ++n) {
      const std::string wrong = wrong_under(program, sim::ptx::nth_schedule(n), run, contract);
      ASSERT_EQ(wrong, "") << "program " << seed << ", schedule " << n << '\n'
                           << program.text() << program.ptx();
    }
    parted += program.ptx().find("vote.sync") != std::string_view::npos ? 1 : 0;
    modules.add(seed, program.ptx());
  }
  modules.judge();
  if (on_maxwell()) return;
  EXPECT_GT(parted, count / 2) << "the programs part quads";
}

// Every order of branches and of arrivals at exchanges, for small programs, up to the bound.
TEST(Divergence, SmallProgramsEndAndAgreeUnderEveryOrder) {
  if (on_maxwell()) GTEST_SKIP() << "the Maxwell machine has one order";
  constexpr uint32_t kMostRuns = 400;
  for (uint32_t seed = 0; seed < 40; ++seed) {
    Program program(seed, Generator(seed).program());
    ASSERT_TRUE(program.loaded());
    const Outcome contract = program.interpret();
    sim::ptx::ScheduleTree tree;
    sim::ptx::Schedule schedule;
    schedule.policy = sim::ptx::Schedule::Policy::tree;
    schedule.tree = &tree;
    std::string complaint;
    const Outcome run = program.execute({}, complaint);
    uint32_t runs = 0;
    do {
      const std::string wrong = wrong_under(program, schedule, run, contract);
      ASSERT_EQ(wrong, "") << "program " << seed << ", run " << runs << '\n'
                           << program.text() << program.ptx();
    } while (++runs < kMostRuns && tree.advance());
  }
}

}  // namespace
}  // namespace texlate
