#include "ir/passes/known_facts.h"

#include <algorithm>
#include <bit>
#include <tuple>

namespace texlate::ir {

namespace {

bool covers(const KnownRegisters& known, const KnownRegisters& asked) {
  return known.contains(asked.file, asked.space, asked.first) && asked.last <= known.last;
}

bool overlaps(const KnownRegisters& known, RegisterFile file, uint32_t space, uint32_t first, uint32_t last) {
  return known.file == file && known.space == space && known.first <= last && first <= known.last;
}

template <typename Declaration>
void select_facts(const KnownState& state, RegisterFile file, const Declaration& declaration,
                  std::pmr::vector<KnownFact>& facts) {
  for (const KnownFact& entry : state.facts) {
    if (overlaps(entry.of, file, declaration.space, declaration.lower_bound, declaration.upper_bound))
      facts.push_back(entry);
  }
}

RegisterFile file_of(const Resource& resource) {
  return resource.is_uav ? RegisterFile::uav : RegisterFile::resource;
}

auto place(const KnownRegisters& of) {
  return std::tuple(of.file, of.space, of.first, of.last);
}

}  // namespace

KnownFacts::KnownFacts(Module& module, const KnownState& state)
    : module_(module),
      state_(state),
      resources_(module.memory()),
      samplers_(module.memory()),
      relied_(module.memory()) {
  for (const Resource& resource : module.resources)
    select_facts(state, file_of(resource), resource, resources_.emplace_back());
  for (const Sampler& sampler : module.samplers)
    select_facts(state, RegisterFile::sampler, sampler, samplers_.emplace_back());
  const auto is_default = [](const auto& entry) { return entry.specialize; };
  specializes_ = std::ranges::any_of(state.facts, is_default) || std::ranges::any_of(state.rows, is_default);
}

std::optional<uint32_t> KnownFacts::find_entry(const Facts& facts, const KnownRegisters& of,
                                               BindingFact fact) {
  for (const KnownFact& entry : facts) {
    if (entry.fact == fact && !entry.specialize && covers(entry.of, of)) return entry.value;
  }
  return std::nullopt;
}

/// Facts that follow from others: any fact but `bound` says that something is bound; the properties of a slot
/// to which nothing is bound are 0; an alpha that the format has is not replaced, and one that it lacks is 1.
std::optional<uint32_t> KnownFacts::derive(const Facts& facts, const Resource& resource,
                                           const KnownRegisters& of, BindingFact fact) {
  const auto is_about = [&](const KnownFact& entry) {
    return entry.fact != BindingFact::bound && covers(entry.of, of);
  };
  if (fact == BindingFact::bound)
    return std::ranges::any_of(facts, is_about) ? std::optional<uint32_t>(1) : std::nullopt;
  if (find_entry(facts, of, BindingFact::bound) == 0u) return 0;
  if (fact != BindingFact::missing_alpha) return std::nullopt;
  const std::optional<uint32_t> has_alpha = find_entry(facts, of, BindingFact::keep3);
  if (!has_alpha) return std::nullopt;
  const ComponentType type = resource.component_types[3];
  const bool is_integer = type == ComponentType::sint || type == ComponentType::uint;
  const uint32_t one = is_integer ? 1u : std::bit_cast<uint32_t>(1.0f);
  return *has_alpha != 0 ? 0 : one;
}

std::optional<uint32_t> KnownFacts::find(BindingQuery query, std::optional<uint32_t> index) {
  KnownRegisters of;
  std::optional<uint32_t> value;
  if (query.is_sampler_fact()) {
    of = registers(RegisterFile::sampler, module_.samplers[query.resource], index);
    value = find_entry(samplers_[query.resource], of, query.fact);
  } else {
    const Resource& resource = module_.resources[query.resource];
    const Facts& facts = resources_[query.resource];
    of = registers(file_of(resource), resource, index);
    value = find_entry(facts, of, query.fact);
    if (!value) value = derive(facts, resource, of, query.fact);
  }
  if (value) relied_.facts.push_back({of, query.fact, *value});
  return value;
}

/// Equal places are one constant.
uint32_t KnownFacts::add_specialized(const Specialized& wanted) {
  auto& all = module_.specialized;
  const auto same = [&](const Specialized& each) { return each.is_same_place(wanted); };
  const auto found = std::ranges::find_if(all, same);
  const auto index = static_cast<uint32_t>(found - all.begin());
  if (found == all.end()) all.push_back(wanted);
  return index;
}

std::optional<uint32_t> KnownFacts::find_specialized(BindingQuery query, Value index) {
  if (!specializes_ || query.is_sampler_fact()) return std::nullopt;
  const Resource& resource = module_.resources[query.resource];
  const KnownRegisters of = registers(file_of(resource), resource, register_of(index));
  if (of.first != of.last) return std::nullopt;
  for (const KnownFact& entry : resources_[query.resource]) {
    if (entry.fact == query.fact && entry.specialize && covers(entry.of, of))
      return add_specialized({of, query.fact, 0, 0, entry.value});
  }
  return std::nullopt;
}

std::optional<uint32_t> KnownFacts::find_specialized(uint32_t buffer, Value index, uint32_t row,
                                                     uint32_t component) {
  if (!specializes_) return std::nullopt;
  const auto of =
      registers(RegisterFile::constant_buffer, module_.constant_buffers[buffer], register_of(index));
  if (of.first != of.last) return std::nullopt;
  for (const KnownRow& entry : state_.rows) {
    if (entry.row == row && ((entry.mask >> component) & 1) != 0 && entry.specialize && covers(entry.of, of))
      return add_specialized({of, BindingFact::bound, row, component, entry.words[component]});
  }
  return std::nullopt;
}

std::optional<uint32_t> KnownFacts::word(uint32_t buffer, Value index, uint32_t row, uint32_t component) {
  const auto of =
      registers(RegisterFile::constant_buffer, module_.constant_buffers[buffer], register_of(index));
  for (const KnownRow& entry : state_.rows) {
    if (entry.row != row || ((entry.mask >> component) & 1) == 0 || !covers(entry.of, of)) continue;
    if (entry.specialize) return std::nullopt;
    KnownRow& relied =
        relied_.rows.emplace_back(KnownRow{of, row, static_cast<uint8_t>(1u << component), {}});
    relied.words[component] = entry.words[component];
    return entry.words[component];
  }
  return std::nullopt;
}

bool KnownFacts::has_row(uint32_t buffer, Value index, uint32_t row) {
  const auto of =
      registers(RegisterFile::constant_buffer, module_.constant_buffers[buffer], register_of(index));
  for (const KnownRowCount& entry : state_.row_counts) {
    if (row >= entry.count || !covers(entry.of, of)) continue;
    relied_.row_counts.push_back({of, row + 1});
    return true;
  }
  return false;
}

void KnownFacts::conclude() {
  auto& facts = relied_.facts;
  std::ranges::sort(
      facts, {}, [](const KnownFact& each) { return std::tuple_cat(place(each.of), std::tuple(each.fact)); });
  facts.erase(std::unique(facts.begin(), facts.end()), facts.end());
  std::ranges::sort(relied_.rows, {}, [](const KnownRow& each) {
    return std::tuple_cat(place(each.of), std::tuple(each.row, each.mask));
  });
  for (const KnownRow& each : relied_.rows) {
    auto& rows = module_.relied.rows;
    if (rows.empty() || rows.back().of != each.of || rows.back().row != each.row) {
      rows.push_back(each);
      continue;
    }
    rows.back().mask |= each.mask;
    for (uint32_t i = 0; i < 4; ++i) rows.back().words[i] |= each.words[i];  // one component each
  }
  // The largest count of each register comes first.
  std::ranges::sort(relied_.row_counts, {}, [](const KnownRowCount& each) {
    return std::tuple_cat(place(each.of), std::tuple(~each.count));
  });
  for (const KnownRowCount& each : relied_.row_counts) {
    auto& counts = module_.relied.row_counts;
    if (counts.empty() || counts.back().of != each.of) counts.push_back(each);
  }
  module_.relied.facts = facts;
}

}  // namespace texlate::ir
