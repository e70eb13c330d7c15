#include "sim/ptx/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>

#include "sim/ptx/warp.h"

namespace texlate::sim::ptx {

namespace {

constexpr uint64_t kGap = 0x10000;  // unmapped bytes between ranges, so that overruns are detected
constexpr uint64_t kTextureTag = 0x7e57000000000001;
constexpr uint64_t kSurfaceTag = 0x50f7000000000001;
constexpr uint64_t kSamplerTag = 0x5a3e000000000001;
constexpr uint32_t kMaxBlockThreads = 1024;

// Opens a barrier at which all threads of the block wait, or as many as its instruction names. A warp arrives
// with all its living lanes and counts as 32 threads (PTX ISA 9.7.13.1).
bool open_barrier(std::deque<Warp>& warps) {
  constexpr uint32_t kWarp = kLanes;
  for (uint32_t barrier = 0; barrier < kBarriers; ++barrier) {
    uint32_t living = 0, arrived = 0, named = 0;
    for (const Warp& warp : warps) {
      living += warp.alive() != 0 ? kWarp : 0;
      if (!warp.has_arrived(barrier)) continue;
      arrived += kWarp;
      named = std::max(named, warp.barrier_threads());
    }
    uint32_t left = named == 0 ? living : std::min(named, living);
    if (arrived == 0 || arrived < left) continue;
    for (Warp& warp : warps) {
      if (left == 0 || !warp.has_arrived(barrier)) continue;
      warp.release_barrier(barrier);
      left -= std::min(left, kWarp);
    }
    return true;
  }
  return false;
}

// Runs the warps in turn until all are done.
void run_block(Block& block) {
  std::deque<Warp> warps;
  const uint32_t count = (block.threads + kLanes - 1) / kLanes;
  for (uint32_t i = 0; i < count; ++i) block.warps.push_back(&warps.emplace_back(block, i));
  for (;;) {
    bool left = false;
    for (Warp& warp : warps) left = warp.run() != WarpState::done || left;
    if (!left || block.report.lane_instructions > block.machine.options().max_lane_instructions) return;
    const auto goes_on = [](const Warp& warp) { return warp.may_stop_spinning(); };
    if (std::any_of(warps.begin(), warps.end(), goes_on) || open_barrier(warps)) continue;
    const auto stuck =
        std::find_if(warps.begin(), warps.end(), [](const Warp& warp) { return warp.alive() != 0; });
    stuck->fault_as_stuck();
    return;
  }
}

}  // namespace

std::string_view fault_name(FaultKind kind) {
  constexpr std::string_view kNames[] = {
      "poison_store", "poison_address", "poison_branch", "poison_texture",
      "out_of_range", "misaligned",     "surface_trap",  "divergent_barrier",
      "deadlock",     "warp_mask",      "recursion",     "trap",
      "limit",        "launch"};
  return kNames[static_cast<size_t>(kind)];
}

std::string Report::describe() const {
  std::string text;
  for (const Fault& f : faults) {
    text += fmt::format("line {}, lane {}, thread ({},{},{}) of block ({},{},{}): {}: {}\n", f.line, f.lane,
                        f.thread.x, f.thread.y, f.thread.z, f.block.x, f.block.y, f.block.z,
                        fault_name(f.kind), f.message);
  }
  if (fault_count > faults.size()) text += fmt::format("and {} more\n", fault_count - faults.size());
  return text;
}

Machine::Machine(const Module& module, const MachineOptions& options) : module_(module), options_(options) {
  for (const GlobalVariable& variable : module.globals) {
    globals_.push_back(variable.initial);
    global_addresses_.push_back(map_memory(globals_.back(), variable.space == Space::global));
  }
  constants_ = module.constants;
  for (Constant& constant : constants_) {
    if (constant.global != kNone) constant.value += global_addresses_[constant.global];
  }
  for (uint32_t i = 0; i < module.opaques.size(); ++i) {
    const OpaqueVariable& variable = module.opaques[i];
    if (variable.kind != OpaqueKind::sampler || !variable.initialized) continue;
    SamplerObject sampler;
    variable.apply(sampler);
    bind(i, add_sampler(sampler));
  }
}

uint64_t Machine::map_memory(std::span<std::byte> memory, bool writable) {
  const uint64_t address = next_address_;
  ranges_.push_back({address, memory.data(), memory.size(), writable, {}});
  next_address_ += (memory.size() + kGap + 255) & ~uint64_t{255};
  return address;
}

std::span<std::byte> Machine::global(std::string_view name) {
  for (size_t i = 0; i < globals_.size(); ++i) {
    if (module_.globals[i].name == name) return globals_[i];
  }
  return {};
}

uint64_t Machine::add_texture(const TextureObject& object) {
  textures_.push_back(object);
  return kTextureTag + textures_.size() - 1;
}

uint64_t Machine::add_surface(const SurfaceObject& object) {
  surfaces_.push_back(object);
  return kSurfaceTag + surfaces_.size() - 1;
}

uint64_t Machine::add_sampler(const SamplerObject& object) {
  samplers_.push_back(object);
  return kSamplerTag + samplers_.size() - 1;
}

void Machine::bind(uint32_t opaque, uint64_t handle) {
  for (Constant& constant : constants_) {
    if (constant.opaque == opaque) constant.value = handle;
  }
}

Machine::Range* Machine::find_range(uint64_t address, uint64_t size) {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](uint64_t value, const Range& range) { return value < range.address; });
  if (after == ranges_.begin()) return nullptr;
  Range& range = *(after - 1);
  const uint64_t offset = address - range.address;
  return offset <= range.size && range.size - offset >= size ? &range : nullptr;
}

const TextureObject* Machine::find_texture(uint64_t handle) const {
  const uint64_t index = handle - kTextureTag;
  return index < textures_.size() ? &textures_[index] : nullptr;
}

const SurfaceObject* Machine::find_surface(uint64_t handle) const {
  const uint64_t index = handle - kSurfaceTag;
  return index < surfaces_.size() ? &surfaces_[index] : nullptr;
}

const SamplerObject* Machine::find_sampler(uint64_t handle) const {
  const uint64_t index = handle - kSamplerTag;
  return index < samplers_.size() ? &samplers_[index] : nullptr;
}

Report Machine::launch(std::string_view name, Dim3 grid, Dim3 block_size,
                       std::span<const std::byte> parameters, uint32_t dynamic_shared_bytes) {
  Report report;
  const auto refuse = [&](std::string message) {
    report.fault_count = 1;
    report.faults.push_back({FaultKind::launch, 0, 0, {0, 0, 0}, {0, 0, 0}, std::move(message)});
    return report;
  };
  const Function* entry = module_.find_entry(name);
  if (entry == nullptr) return refuse(fmt::format("the module has no entry {}", name));
  if (parameters.size() != entry->parameter_bytes) {
    return refuse(
        fmt::format("{} takes {} parameter bytes, not {}", name, entry->parameter_bytes, parameters.size()));
  }
  const uint64_t threads = uint64_t{block_size.x} * block_size.y * block_size.z;
  if (threads == 0 || threads > kMaxBlockThreads)
    return refuse(fmt::format("a block of {} threads is not possible", threads));
  const auto& required = entry->required_block;
  if (required[0] != 0 &&
      (required[0] != block_size.x || required[1] != block_size.y || required[2] != block_size.z)) {
    return refuse(fmt::format("{} requires blocks of {}x{}x{}", name, required[0], required[1], required[2]));
  }
  const double blocks = double(grid.x) * grid.y * grid.z;
  coherence_.start(blocks > 1);
  for (Range& range : ranges_) range.written.clear();
  double done = 0;
  for (uint32_t z = 0; z < grid.z; ++z) {
    for (uint32_t y = 0; y < grid.y; ++y) {
      for (uint32_t x = 0; x < grid.x; ++x) {
        Block block{*this, report,     *entry,    parameters,
                    grid,  block_size, {x, y, z}, static_cast<uint32_t>(threads),
                    {},    {},         0};
        block.shared.resize(
            dynamic_shared_bytes != 0 ? kDynamicSharedBase + dynamic_shared_bytes : module_.shared_bytes,
            options_.check_uninitialized);
        run_block(block);
        if (options_.progress) options_.progress(++done / blocks);
        if (report.lane_instructions > options_.max_lane_instructions) return report;
      }
    }
  }
  return report;
}

}  // namespace texlate::sim::ptx
