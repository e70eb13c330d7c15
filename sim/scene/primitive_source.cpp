#include "sim/scene/primitive_source.h"

#include <fmt/format.h>

#include <bit>
#include <limits>

#include "sim/pipeline/patch_factors.h"

namespace texlate::sim {

namespace {

// The limits only keep a run within a machine's memory.
constexpr uint32_t kDefaultPrimitives = 16;
constexpr WholeRange kPrimitives{1, 1 << 16}, kIds{0, 0xffffffffu};
constexpr size_t kMaxPoints = size_t{1} << 22;
constexpr float kDefaultFactor = 3.0f;

/// A factor may be none that JSON can write.
float read_factor(SceneReader& reader, const SceneValue& value) {
  constexpr float kInfinity = std::numeric_limits<float>::infinity();
  if (value.given() && value.json->is_string()) {
    static constexpr std::string_view kNames[] = {"nan", "inf", "-inf"};
    constexpr float kValues[] = {std::numeric_limits<float>::quiet_NaN(), kInfinity, -kInfinity};
    return kValues[reader.choice(value, kNames, 0, "a number, nan, inf or -inf")];
  }
  return reader.number(value, 0.0f);
}

TessellationFactors factors_from(std::span<const float> list, FactorCounts counts) {
  TessellationFactors factors;
  for (uint32_t i = 0; i < counts.edges; ++i) factors.edge[i] = list[i];
  for (uint32_t i = 0; i < counts.insides; ++i) factors.inside[i] = list[counts.edges + i];
  return factors;
}

/// One list for all patches, or a list of lists.
void read_factors(SceneReader& reader, const SceneValue& described, TessellatorDomain domain,
                  std::vector<TessellationFactors>& factors) {
  const FactorCounts counts = factor_counts(domain);
  const uint32_t size = counts.edges + counts.insides;
  std::vector<float> list(size, kDefaultFactor);
  const auto read_patch = [&](const SceneValue& patch) {
    if (!reader.check_list(patch, size, size, "factors")) return;
    for (uint32_t i = 0; i < size && reader.good(); ++i) list[i] = read_factor(reader, reader.item(patch, i));
    factors.push_back(factors_from(list, counts));
  };
  if (!described.given()) return factors.push_back(factors_from(list, counts));
  const bool by_patch = described.is_list() && described.size() != 0 && (*described.json)[0].is_array();
  if (!by_patch) return read_patch(described);
  for (size_t i = 0; i < described.size() && reader.good(); ++i) read_patch(reader.item(described, i));
}

std::vector<std::array<float, 3>> read_points(SceneReader& reader, const SceneValue& described,
                                              TessellatorDomain domain) {
  std::vector<std::array<float, 3>> points;
  if (!reader.check_list(described, 0, kAnyCount, "domain points")) return points;
  for (size_t i = 0; i < described.size() && reader.good(); ++i) {
    const SceneValue point = reader.item(described, i);
    std::array<float, 3>& location = points.emplace_back();
    const bool is_tri = domain == TessellatorDomain::tri;
    reader.numbers(point, std::span(location).first(is_tri ? 3 : 2), 2);
    if (is_tri && point.is_list() && point.size() == 2) location[2] = 1.0f - location[0] - location[1];
  }
  return points;
}

std::vector<std::array<float, 3>> tessellated_points(const Tessellation& tessellation,
                                                     const TessellationFactors& factors) {
  std::vector<std::array<float, 3>> points;
  for (const DomainPoint point : tessellate(tessellation, factors).points)
    points.push_back(domain_location(tessellation.domain, point));
  return points;
}

void read_domain(SceneReader& reader, TessellatorDomain domain, ScenePrimitives& primitives) {
  const SceneValue described = reader.member(reader.root(), "tessellation");
  const SceneValue listed = reader.member(reader.root(), "domain_points");
  if (!reader.check_object(described, "factors partitioning")) return;
  Tessellation tessellation{domain, Partitioning::integer, TessellatorOutput::point};
  static constexpr std::string_view kPartitionings[] = {"integer", "pow2", "fractional_odd",
                                                        "fractional_even"};
  const size_t partitioning =
      reader.choice(reader.member(described, "partitioning"), kPartitionings, 0,
                    "a partitioning (integer, pow2, fractional_odd, fractional_even)");
  tessellation.partitioning =
      static_cast<Partitioning>(static_cast<size_t>(Partitioning::integer) + partitioning);
  read_factors(reader, reader.member(described, "factors"), domain, primitives.factors);
  if (!reader.good()) return;
  primitives.partitioning = tessellation.partitioning;
  primitives.listed_points = listed.given();
  std::vector<std::vector<std::array<float, 3>>> points;  // repeated over the patches
  if (listed.given()) {
    points.push_back(read_points(reader, listed, domain));
  } else {
    for (const TessellationFactors& factors : primitives.factors)
      points.push_back(tessellated_points(tessellation, factors));
  }
  size_t count = 0;
  for (uint32_t patch = 0; patch < primitives.count; ++patch) count += points[patch % points.size()].size();
  if (count > kMaxPoints) {
    reader.fail(reader.member(reader.root(), "primitives"),
                fmt::format("the patches have {} domain points; at most {} are possible", count, kMaxPoints));
    return;
  }
  primitives.locations.resize(3 * count);
  for (uint32_t patch = 0; patch < primitives.count; ++patch) {
    for (const std::array<float, 3>& point : points[patch % points.size()]) {
      for (size_t c = 0; c < 3; ++c)
        primitives.locations[c * count + primitives.point_patch.size()] = std::bit_cast<uint32_t>(point[c]);
      primitives.point_patch.push_back(patch);
    }
  }
}

}  // namespace

// Values of D3D10_SB_PRIMITIVE (d3d12TokenizedProgramFormat.hpp).
uint32_t vertices_per_primitive(const ir::Module& module) {
  constexpr uint32_t kPatchOf0 = 7;
  if (module.stage == ir::Stage::hull || module.stage == ir::Stage::domain)
    return module.input_control_points;
  if (module.stage != ir::Stage::geometry) return 0;
  switch (module.input_primitive) {
    case 0:
    case 1: return 1;
    case 2: return 2;
    case 3: return 3;
    case 6: return 4;
    case 7: return 6;
    default: return module.input_primitive > kPatchOf0 ? module.input_primitive - kPatchOf0 : 0;
  }
}

bool read_primitives(SceneReader& reader, const ir::Module& module, ScenePrimitives& primitives) {
  const auto section = [&](const char* key) { return reader.member(reader.root(), key); };
  const uint32_t count = reader.whole(section("primitives"), kDefaultPrimitives, kPrimitives);
  for (const char* const key : {"tessellation", "domain_points"}) {
    if (section(key).given() && module.stage != ir::Stage::domain)
      reader.fail(section(key), fmt::format("'{}' is for domain shaders alone", key));
  }
  if (module.stage != ir::Stage::hull && module.stage != ir::Stage::domain &&
      module.stage != ir::Stage::geometry)
    return reader.good();
  primitives.count = count;
  primitives.vertices = vertices_per_primitive(module);
  const SceneValue ids = section("primitive_ids");
  if (ids.given() && reader.check_list(ids, 0, count, "whole numbers")) {
    primitives.ids.resize(ids.size());
    reader.wholes(ids, primitives.ids, 0, kIds);
  }
  if (module.stage == ir::Stage::domain && reader.good())
    read_domain(reader, static_cast<TessellatorDomain>(module.tessellator_domain), primitives);
  return reader.good();
}

}  // namespace texlate::sim
