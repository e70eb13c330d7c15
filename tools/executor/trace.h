// One pixel, vertex or thread of a run by the interpreter, instruction by instruction: what is written, which
// texels are read, which guards of a translation take effect, and where NaN and INF come from.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "tools/executor/shader.h"

namespace texlate::executor {

/// A component that was written.
struct TracedWrite {
  std::string reg;        // "r1", "x0[3]", "o0", "oDepth"
  uint8_t component = 0;  // x is 0
  uint32_t bits = 0;
  sm4::OperandType type = sm4::OperandType::untyped;
};

/// An instruction of the shader that was executed.
struct TracedLine {
  uint32_t instruction = 0;  // index in sm4::Program::instructions
  bool is_live = true;       // false: a helper, or discarded before: writes to memory have no effect
  std::vector<TracedWrite> writes;
  std::vector<std::string> accesses;  // "t0 mip 0 (3, 4): 0.5, 0.25, 0, 1"
  std::vector<std::string> guards;    // "the guard of tex.fetch was false: 0 without an access"
};

/// A NaN or INF that no operand had.
struct SpecialValue {
  size_t line = 0;  // index in Trace::lines
  TracedWrite write;
};

struct Trace {
  std::vector<TracedLine> lines;
  uint64_t left_out = 0;  // lines beyond the limit
  std::optional<SpecialValue> nan, infinity;
  bool is_live = true;     // at the end
  uint32_t undefined = 0;  // of the run: bits of sim::Undefined
  bool cut_off = false;
};

struct TraceOptions {
  sim::TracedLane lane;
  size_t max_lines = 10000;
  uint64_t max_lane_instructions = uint64_t{1} << 34;
  sim::QuadDerivatives derivatives = sim::QuadDerivatives::each;
  /// The shader prepared for a target, whose guards are followed; may be null.
  const ir::Module* guarded = nullptr;
};

/// Runs the whole scene and follows one lane. `program` is what `shader.contract` was made from. Returns
/// false, with errors, if the interpreter cannot run it.
bool trace(const sm4::Program& program, const Shader& shader, sim::Scene& scene, const TraceOptions& options,
           Trace& result, Diagnostics& diagnostics);

/// The components that a line wrote to one register, in order: {"r1.xyz", "1, 2, 3"}.
struct RegisterWrite {
  std::string reg, values;
};
std::vector<RegisterWrite> register_writes(const std::vector<TracedWrite>& writes);

/// A lane with its name: "pixel (3, 4) of 64 x 64".
struct NamedLane {
  sim::TracedLane lane;
  std::string name;
};
/// The lane of the pixel (x, y), of the vertex x, or of the thread with this SV_DispatchThreadID. Returns
/// false if the scene has none: `problem` says why.
bool find_lane(const sim::Scene& scene, const ir::Module& module, std::array<uint32_t, 3> at,
               NamedLane& result, std::string& problem);

/// A word as its type, or, if nobody knows the type, as what it probably is: "0.25", "-3", "NaN (7fc00001)".
std::string word_text(uint32_t bits, sm4::OperandType type);
/// NaN or INF; a word of no known type is one only if arithmetic makes these bits.
bool is_nan(uint32_t bits, sm4::OperandType type);
bool is_infinite(uint32_t bits, sm4::OperandType type);

}  // namespace texlate::executor
