// Runs IR text in tests: a pixel shader with inputs v0..v3 and one output register.
#pragma once

#include <bit>
#include <string>
#include <vector>

#include "sim/ir/interpreter.h"
#include "tests/support/ir_text.h"

namespace texlate::sim {

struct TextRun {
  std::vector<uint32_t> inputs = std::vector<uint32_t>(16 * 4, 0);  // planes of v0..v3 for one quad
  std::vector<uint32_t> outputs = std::vector<uint32_t>(8 * 4, 0);  // planes of o0, o1
  std::vector<uint32_t> undefined = std::vector<uint32_t>(4, 0);
  std::vector<uint32_t> written = std::vector<uint32_t>(4, 0);
  std::vector<uint32_t> covered = std::vector<uint32_t>(4, 1);
  RunReport report;

  void set(uint32_t plane, std::array<uint32_t, 4> lanes) {
    for (uint32_t lane = 0; lane < 4; ++lane) inputs[plane * 4 + lane] = lanes[lane];
  }
  void set_all(uint32_t plane, uint32_t value) { set(plane, {value, value, value, value}); }
  std::array<uint32_t, 4> out(uint32_t plane) const {
    return {outputs[plane * 4], outputs[plane * 4 + 1], outputs[plane * 4 + 2], outputs[plane * 4 + 3]};
  }

  void run(const ir::Module& module, const Bindings& bindings, const InterpreterOptions& options = {}) {
    Diagnostics diagnostics;
    const auto interpreter = Interpreter::create(module, diagnostics);
    ASSERT_NE(interpreter, nullptr) << ir::to_text(diagnostics);
    StreamLaunch launch;
    launch.count = 4;
    launch.inputs = inputs;
    launch.outputs = outputs;
    launch.undefined = undefined;
    launch.written = written;
    launch.covered = covered;
    report = interpreter->run(bindings, launch, options);
  }
};

inline std::string pixel_text(std::string_view body, std::string_view declarations = {}) {
  return "module pixel 5.0 \"main\"\n" + std::string(declarations) +
         "input v0.xyzw\ninput v1.xyzw\ninput v2.xyzw\ninput v3.xyzw\noutput o0.xyzw\noutput o1.xyzw\ncode "
         "{\n" +
         std::string(body) + "}\n";
}

inline void run_text(TextRun& run, std::string_view body, std::string_view declarations = {},
                     const InterpreterOptions& options = {}) {
  ir::Module module;
  ir::parse_or_fail(pixel_text(body, declarations), module);
  ir::verify_or_fail(module);
  run.run(module, Bindings(module), options);
}

inline uint32_t f(float value) {
  return std::bit_cast<uint32_t>(value);
}

}  // namespace texlate::sim
