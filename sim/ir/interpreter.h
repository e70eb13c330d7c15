// The reference executor: interprets a module of the texture IR by Direct3D's rules.
//
//   auto interpreter = Interpreter::create(module, diagnostics);
//   Bindings bindings(module);
//   bindings.resources(0)[0].texture = TextureView::whole(texture);
//   RunReport report = interpreter->run(bindings, StreamLaunch{...});
//
// Works on modules before and after SSA construction, and before and after legalize_texture: an access
// reaches the texture unit with the contract that it still has, and an access with a guard obeys its guard.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "ir/module.h"
#include "sim/ir/bindings.h"
#include "sim/ir/primitive_launch.h"
#include "sim/ir/trace.h"
#include "sim/texture_unit/access.h"

namespace texlate::sim {

/// What covers a pixel of a render target of one sample: vCoverage 1 and vInnerCoverage.
inline constexpr uint32_t kCoveredPixel = 0x80000001u;

/// Pixels or vertices. Planes are arrays with one word per element: component c of register n is plane 4 * n
/// + c, and element e of plane p is at p * count + e. Outputs that are not o# count as registers from 32 on,
/// in declaration order.
struct StreamLaunch {
  uint32_t count = 0;                // pixels: a multiple of 4; a quad is 4 consecutive pixels, x first
  std::span<const uint32_t> inputs;  // missing planes read 0
  std::span<uint32_t> outputs;       // output_plane_count() planes
  /// 0 makes the pixel a helper. Bits 0 to 30 are vCoverage, bit 31 is vInnerCoverage. If empty,
  /// kCoveredPixel for all.
  std::span<const uint32_t> covered;
  std::span<uint32_t> written;    // set to 1 where outputs were written; may be empty
  std::span<uint32_t> undefined;  // the bits of Undefined for each element; may be empty
  uint32_t samples = 1;           // of the render target
  /// One for each word of `outputs`, set to 1 where the shader wrote it: the value of an output that it does
  /// not write is undefined. May be empty.
  std::span<uint8_t> assigned;
};

struct GroupLaunch {
  std::array<uint32_t, 3> groups{1, 1, 1};
};

/// An access that gives a wrong result on a target that promises nothing; see
/// InterpreterOptions::promise_nothing.
struct UnguardedAccess {
  uint32_t instruction = 0;  // index in Module::code
  SourceLocation location;
  std::string what;
};

struct RunReport {
  uint64_t lane_instructions = 0;
  uint32_t undefined = 0;  // bits of Undefined, over all lanes
  uint64_t unguarded_count = 0;
  std::vector<UnguardedAccess> unguarded;  // the first few
  bool cut_off = false;                    // the budget of lane instructions was used up

  bool ok() const { return !cut_off && unguarded_count == 0; }
};

/// Direct3D allows both: coarse derivatives, and the derivatives from which a sample computes its LOD, may be
/// the same for all pixels of a quad. D3D11.3 functional specification 7.18.11 and 22.5.2.
enum class QuadDerivatives : uint8_t {
  each,    // each pixel's own row and column, as for fine derivatives
  shared,  // row and column of the quad's first pixel for all four; cube maps: as `each`, like
           // lavapipe
};

struct InterpreterOptions {
  QuadDerivatives derivatives = QuadDerivatives::each;
  UnitOptions texture_unit{.snap_point = false};  // as on most hardware: point sampling floors
  /// For legalized modules. An access outside its resource, a component that the format lacks, and an unbound
  /// slot read kForeign instead of the value that Direct3D defines. All of these except the missing component
  /// are reported.
  bool promise_nothing = false;
  uint64_t max_lane_instructions = uint64_t{1} << 34;
  /// Called from time to time with the progress, 0 to 1.
  std::function<void(double)> progress;
  /// Follows one lane of vertex, pixel and compute shaders; may be null.
  Tracer* tracer = nullptr;
  TracedLane traced = {};
};
constexpr uint32_t kForeign = 0xdeadbeefu;

class Interpreter {
 public:
  /// Returns null and reports errors for a module whose groups are too large. The module must be well formed
  /// and outlive the interpreter.
  static std::unique_ptr<Interpreter> create(const ir::Module& module, Diagnostics& diagnostics);
  virtual ~Interpreter() = default;

  // The launch must be that of the module's stage; a stream is for vertex and pixel shaders.
  virtual RunReport run(const Bindings& bindings, const StreamLaunch& launch,
                        const InterpreterOptions& options = {}) = 0;
  virtual RunReport run(const Bindings& bindings, const HullLaunch& launch,
                        const InterpreterOptions& options = {}) = 0;
  virtual RunReport run(const Bindings& bindings, const DomainLaunch& launch,
                        const InterpreterOptions& options = {}) = 0;
  virtual RunReport run(const Bindings& bindings, const GeometryLaunch& launch,
                        const InterpreterOptions& options = {}) = 0;
  virtual RunReport run(const Bindings& bindings, const GroupLaunch& launch,
                        const InterpreterOptions& options = {}) = 0;
};

/// Planes of the outputs (inputs): four per register.
uint32_t output_plane_count(const ir::Module& module);
uint32_t input_plane_count(const ir::Module& module);
uint32_t patch_constant_plane_count(const ir::Module& module);
/// The register whose planes an output uses.
uint32_t output_plane_register(const ir::Module& module, const ir::Parameter& parameter);

}  // namespace texlate::sim
