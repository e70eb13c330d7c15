// What hull, domain and geometry shaders run on: primitives with vertices, and patches with constants.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace texlate::sim {

/// Primitives of a geometry shader (with adjacent vertices), or patches of control points. Component c of
/// register n is plane 4 * n + c; vertex v of primitive p is at (plane * primitives + p) * vertices + v.
struct PrimitiveInputs {
  uint32_t primitives = 0;
  uint32_t vertices = 0;             // of each primitive
  std::span<const uint32_t> planes;  // missing planes read 0
  std::span<const uint32_t> ids;     // vPrim of each; missing ones count from 0
};

/// The control-point phase runs once for each output control point, then fork and join phases run in all
/// their instances, in order. Each phase sees the patch constants of the phases before it (D3D11.3 functional
/// specification 10).
struct HullLaunch {
  PrimitiveInputs patches;
  /// Output control points: output_plane_count() planes; point k of patch p is at (plane * patches + p) *
  /// output_control_points + k.
  std::span<uint32_t> control_points;
  std::span<uint32_t> constants;  // patch_constant_plane_count() planes with a word for each patch
  std::span<uint32_t> undefined;  // the bits of Undefined for each patch; may be empty
  /// One for each word of `control_points` (`constants`), set to 1 where the shader wrote it; may be empty.
  std::span<uint8_t> assigned = {}, assigned_constants = {};
};

struct DomainLaunch {
  PrimitiveInputs patches;  // the hull shader's output control points
  std::span<const uint32_t>
      constants;       // planes of patch constants with a word for each patch; missing ones read 0
  uint32_t count = 0;  // domain points of all patches
  std::span<const uint32_t> patch;      // to which patch each point belongs
  std::span<const uint32_t> locations;  // vDomain: three planes with a float for each point
  std::span<uint32_t> outputs;          // output_plane_count() planes with a word for each point
  std::span<uint32_t> undefined;        // by point; may be empty
  std::span<uint8_t> assigned = {};     // by word of `outputs`, 1 where the shader wrote it; may be empty
};

struct EmittedVertex {
  uint32_t primitive = 0, instance = 0, stream = 0;
  bool starts_strip = false;  // the first of its stream, or the first after a cut
  uint32_t undefined = 0;     // bits of Undefined
};

/// What a geometry shader emits: in the order of primitives, then instances, then of the emissions of all
/// streams.
struct EmittedVertices {
  uint32_t planes = 0;  // words of a vertex: output_plane_count()
  std::vector<EmittedVertex> vertices;
  std::vector<uint32_t> words;
  /// 1 for each word that the shader wrote since the vertex before: the others are undefined (13.4).
  std::vector<uint8_t> written;
};

struct GeometryLaunch {
  PrimitiveInputs primitives;
  EmittedVertices* emitted = nullptr;  // is appended to
};

}  // namespace texlate::sim
