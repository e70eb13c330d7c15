#include "sim/scene/sampler_source.h"

namespace texlate::sim {

namespace {

constexpr WholeRange kAnisotropy{1, 16};  // D3D11_REQ_MAXANISOTROPY

/// One word, or an object with a word for each of the three filters.
void read_filters(SceneReader& reader, const SceneValue& wanted, Sampler& sampler) {
  static constexpr std::string_view kFilters[] = {"point", "linear", "trilinear", "anisotropic"};
  if (wanted.given() && wanted.json->is_object()) {
    if (!reader.check_object(wanted, "min mag mip")) return;
    const auto one = [&](const char* key, size_t otherwise) {
      const size_t filter = reader.choice(reader.member(wanted, key), std::span(kFilters).first(2), otherwise,
                                          "point or linear");
      return filter == 0 ? Filter::point : Filter::linear;
    };
    sampler.min_filter = one("min", 1);
    sampler.mag_filter = one("mag", 1);
    sampler.mip_filter = one("mip", 0);
    return;
  }
  const std::string_view filter = kFilters[reader.choice(wanted, kFilters, 1, "a filter")];
  sampler.min_filter = sampler.mag_filter = filter == "point" ? Filter::point : Filter::linear;
  sampler.mip_filter = filter == "trilinear" || filter == "anisotropic" ? Filter::linear : Filter::point;
  sampler.anisotropic = filter == "anisotropic";
}

void read_addresses(SceneReader& reader, const SceneValue& wanted, Sampler& sampler) {
  static constexpr std::string_view kModes[] = {"wrap", "mirror", "clamp", "border", "mirror_once"};
  if (wanted.is_list() && !reader.check_list(wanted, 1, 3, "address modes")) return;
  for (size_t axis = 0; axis < 3 && reader.good(); ++axis) {
    const SceneValue one = wanted.is_list() ? reader.item(wanted, axis) : wanted;
    sampler.address[axis] = static_cast<AddressMode>(1 + reader.choice(one, kModes, 0, "an address mode"));
  }
}

}  // namespace

void read_sampler(SceneReader& reader, const SceneValue& described, Sampler& sampler) {
  const auto value = [&](const char* key) { return reader.member(described, key); };
  read_filters(reader, value("filter"), sampler);
  sampler.max_anisotropy = reader.whole(value("max_anisotropy"), sampler.anisotropic ? 4 : 1, kAnisotropy);
  read_addresses(reader, value("address"), sampler);
  std::array<float, 2> lod{0.0f, 1000.0f};
  reader.numbers(value("lod"), lod, 2);
  sampler.min_lod = lod[0];
  sampler.max_lod = lod[1];
  sampler.mip_lod_bias = reader.number(value("bias"), 0.0f);
  reader.numbers(value("border"), sampler.border, 1);
  static constexpr std::string_view kReductions[] = {"average", "minimum", "maximum"};
  constexpr Reduction kMeanings[] = {Reduction::standard, Reduction::minimum, Reduction::maximum};
  sampler.reduction = kMeanings[reader.choice(value("reduction"), kReductions, 0, "a reduction")];
}

Comparison read_comparison(SceneReader& reader, const SceneValue& wanted) {
  static constexpr std::string_view kNames[] = {"never",   "less",      "equal",         "less_equal",
                                                "greater", "not_equal", "greater_equal", "always"};
  return static_cast<Comparison>(1 + reader.choice(wanted, kNames, 3, "a comparison"));
}

}  // namespace texlate::sim
