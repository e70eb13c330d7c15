// Legalized IR -> SPIR-V words.
#pragma once

#include <array>
#include <memory_resource>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "backend/spirv/descriptors.h"
#include "backend/spirv/guarantees.h"
#include "backend/view_format.h"

namespace texlate::spirv {

/// As in the module's header.
enum class Version : uint32_t {
  v1_0 = 0x00010000,
  v1_3 = 0x00010300,
  v1_4 = 0x00010400,
  v1_5 = 0x00010500,
  v1_6 = 0x00010600
};

inline constexpr uint32_t kNobody = 0xffffffffu;

/// Components of an output register that go into a transform feedback buffer.
struct Capture {
  uint32_t reg = 0;
  uint8_t stream = 0, first = 0, count = 4;
  uint8_t buffer = 0;
  uint32_t offset = 0, stride = 0;  // bytes
};

/// Where the next stage reads an output. The components of both masks correspond in ascending order.
struct Varying {
  uint32_t from = 0;  // output register; kNobody: no shader writes it, so zeros are written
  uint32_t to = 0;    // input register of the next stage
  uint8_t from_mask = 0xf, to_mask = 0xf;
};

/// What pixel shaders write to a target: its component i gets component [i] of the register.
using Swizzle = std::array<uint8_t, 4>;

/// What becomes of a pixel that the shader discards. Its neighbors need it for their derivatives, so it
/// cannot end there and then.
enum class Discard : uint8_t {
  demote,  // the device makes it a helper (VK_EXT_shader_demote_to_helper_invocation)
  flag,    // the shader remembers it, omits its stores and atomics, and kills the pixel at the end
};

/// A float that the host gives: when the shader is translated, or in a constant buffer.
struct StateNumber {
  uint32_t bits = 0;  // if `in_buffer` is false
  bool in_buffer = false;
  uint32_t buffer = 0, space = 0;  // cb#
  uint32_t offset = 0;             // in bytes, a multiple of 4
};

/// The size of points and its range. Of the two limits the upper one wins.
struct PointSize {
  StateNumber value;
  StateNumber least, most;
};

/// A text of the program that is not the one from which it was read.
struct Listing {
  struct Line {
    SourceLocation location;  // of an instruction, in what was read
    uint32_t line;            // in this text, from 1
  };
  std::pmr::string text;
  std::pmr::vector<Line> lines;  // in the order of the program

  explicit Listing(std::pmr::memory_resource* memory) : text(memory), lines(memory) {}
};

struct Options {
  Version version = Version::v1_3;
  Robustness robustness = Robustness::driver;
  BindingMap bindings;
  std::string_view entry = "main";
  std::span<const backend::ViewFormat> view_formats = {};  // where the device needs a format
  bool names = true;                                       // OpName for bindings, inputs and outputs
  bool vectors = true;                                     // join scalar operations (packs.h)
  std::string_view source_name = "shader.asm";             // for OpLine
  std::string_view source = {};  // for debug_info: the text whose lines locations name
#define OPTION(member, type, standard, option, value, least, most, help) type member = standard;
#include "backend/spirv/option_rows.inc"
#undef OPTION
  const Listing* listing = nullptr;  // for debug_info, instead of `source`
  Device device;
  Discard discard = Discard::demote;
  float point_size_value = 1;  // what `point_size` writes, or
  std::optional<PointSize> point_size_state = {};
  std::span<const FactSource> facts = {};
  std::span<const Swizzle> swizzles = {};  // by render target; missing ones change nothing
  std::span<const Capture> captures = {};  // 128 at most
  std::span<const Varying> varyings = {};  // of stream 0
  /// Vertex, domain and geometry shaders: outputs without a system value go where `varyings` says; those that
  /// it does not name are dropped.
  bool has_varyings = false;
  /// False: a hull or geometry shader follows, so the rasterizer takes no array index from this shader.
  bool feeds_rasterizer = true;
};

/// What Vulkan promises a module with these options.
inline ir::Guarantees guarantees(const Options& options) {
  return guarantees(options.robustness, options.device.has(Feature::min_lod),
                    options.float_controls && options.device.has(Feature::preserve_halves));
}

/// Afterwards every load from push constants reads an existing row and uses only its existing components;
/// everything outside is 0 (D3D11.3 7.5). A buffer without a size is left to emit(), which refuses it.
void legalize_push_constants(ir::Module& module, const BindingMap& map, const ir::MemoryTable& table,
                             std::pmr::vector<ir::ClosedGap>* closed);

/// Splits what does not fit into one SPIR-V instruction (limits.h): switches, and the exits of constructs.
/// Run it before emit().
void fit_limits(ir::Module& module);

/// Replaces run-time indices that need a feature which Options::device lacks. Those into very long or
/// unbounded ranges stay, and emit() names the feature. An index beyond the range reads 0 and writes nothing.
/// For before emit().
void expand_indices(ir::Module& module, const Options& options);

/// Moves outputs as Options::swizzles, varyings and captures say. For before emit(). Returns false on errors.
bool arrange_outputs(ir::Module& module, const Options& options, Diagnostics& diagnostics);

/// Adds the output that Options::point_size asks for. For after arrange_outputs() and before emit().
void add_point_size(ir::Module& module, const Options& options);

/// The register of that output.
inline constexpr uint32_t kPointSizeRegister = ir::kSpecialRegister + 0x80;
/// The registers of system values after arrange_outputs() with varyings, which may take any below this.
inline constexpr uint32_t kFirstKept = 0x20;
/// The register of capture i after arrange_outputs(). Signatures only have registers below (D3D11.3 9.5,
/// 12.2.2, 13.9: 32).
inline constexpr uint32_t kFirstCapture = 0x80;
inline constexpr uint32_t kMostCaptures = 0x80;

/// Appends a whole module (for Vulkan 1.1 or, by `version`, older or newer) to `out`. The IR must be in SSA
/// form and legalized with guarantees(options). Returns false, with located errors, for what
/// cannot be expressed; `out` is then unchanged. `host`, if not null, receives what the module requires from
/// its host.
bool emit(const ir::Module& module, const Options& options, std::pmr::vector<uint32_t>& out,
          Diagnostics& diagnostics, HostInterface* host = nullptr);

// For after emit(); `host` is what it has reported.
/// Reports each limit of the device that the module exceeds.
bool check_limits(const ir::Module& module, const Options& options, const HostInterface& host,
                  Diagnostics& diagnostics);
/// Lists what the device must have in `host`, by name. `words`, the translation of `module`, must be
/// well-formed.
void list_requirements(std::span<const uint32_t> words, const ir::Module& module, HostInterface& host);

}  // namespace texlate::spirv
