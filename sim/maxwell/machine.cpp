#include "sim/maxwell/machine.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <deque>

#include "sim/maxwell/warp.h"

namespace texlate::sim::maxwell {

namespace {

constexpr uint64_t kGap = 0x10000;  // unmapped bytes between ranges, so that overruns are detected
constexpr uint32_t kMaxBlockThreads = 1024;
constexpr uint32_t kIndexMask = 0xfffff;

// Called when every warp waits or is done: opens the barrier at which all living warps wait.
bool open_barrier(std::deque<Warp>& warps) {
  const Warp* first = nullptr;
  for (const Warp& warp : warps) {
    if (warp.alive() == 0) continue;
    if (first != nullptr && warp.barrier() != first->barrier()) return false;
    first = &warp;
  }
  for (Warp& warp : warps) warp.release();
  return first != nullptr;
}

void run_block(Block& block) {
  std::deque<Warp> warps;
  const uint32_t count = (block.threads + kLanes - 1) / kLanes;
  for (uint32_t i = 0; i < count; ++i) block.warps.push_back(&warps.emplace_back(block, i));
  for (;;) {
    bool left = false;
    for (Warp& warp : warps) left = warp.run() != WarpState::done || left;
    if (!left || block.report.lane_instructions > block.machine.options().max_lane_instructions) break;
    if (open_barrier(warps)) continue;
    const Instruction none{};
    warps.front().fault(FaultKind::deadlock, none, 0, "the warps of the block wait at different barriers");
    break;
  }
  for (const Warp& warp : warps) block.report.issue_cycles += warp.cycles();
}

/// Each of the four schedulers has a quarter of the registers for a quarter of the warps. A warp gets a
/// multiple of eight for each of its lanes.
bool fits_the_registers(const Program& program, uint64_t threads) {
  const uint64_t warps = (threads + 31) / 32;
  const uint64_t of_scheduler = ((warps + 3) / 4) * ((program.registers + 7u) / 8 * 8) * 32;
  return of_scheduler <= program.block_registers / 4;
}

}  // namespace

std::string_view fault_name(FaultKind kind) {
  switch (kind) {
    case FaultKind::early_read: return "early_read";
    case FaultKind::unwaited_read: return "unwaited_read";
    case FaultKind::unwaited_write: return "unwaited_write";
    case FaultKind::overwritten_source: return "overwritten_source";
    case FaultKind::pair: return "pair";
    case FaultKind::early_wait: return "early_wait";
    case FaultKind::barrier_order: return "barrier_order";
    case FaultKind::unfenced: return "unfenced";
    case FaultKind::bad_operand: return "bad_operand";
    case FaultKind::uninitialized: return "uninitialized";
    case FaultKind::range_reduction: return "range_reduction";
    case FaultKind::out_of_range: return "out_of_range";
    case FaultKind::misaligned: return "misaligned";
    case FaultKind::texture: return "texture";
    case FaultKind::undefined: return "undefined";
    case FaultKind::surface_trap: return "surface_trap";
    case FaultKind::branch_stack: return "branch_stack";
    case FaultKind::divergent_barrier: return "divergent_barrier";
    case FaultKind::deadlock: return "deadlock";
    case FaultKind::unknown_word: return "unknown_word";
    case FaultKind::trap: return "trap";
    case FaultKind::limit: return "limit";
    case FaultKind::launch: return "launch";
  }
  return {};
}

bool Report::only_undefined() const {
  uint64_t count = 0;
  for (const Fault& fault : faults) {
    const bool counts = fault.kind == FaultKind::uninitialized || fault.kind == FaultKind::undefined;
    count += counts ? fault.count : 0;
  }
  return count != 0 && count == fault_count;
}

std::string Report::describe() const {
  std::string text;
  for (const Fault& f : faults) {
    text += fmt::format("0x{:04x} {}, lane {}, thread {} of block ({},{},{}): {}: {}", f.address, f.name,
                        f.lane, f.thread, f.block.x, f.block.y, f.block.z, fault_name(f.kind), f.message);
    text += f.count > 1 ? fmt::format(" ({} times)\n", f.count) : "\n";
  }
  if (faults.empty() && fault_count != 0) text += fmt::format("{} faults\n", fault_count);
  return text;
}

Machine::Machine(const Program& program, const MachineOptions& options)
    : program_(program),
      options_(options),
      code_(decode_program(program.words)),
      banks_(program.banks),
      globals_(program.globals) {
  for (Instruction& instruction : code_) {
    if (instruction.opcode != Opcode::exit || program.result_registers == 0) continue;
    instruction.reads[0] = {0, static_cast<uint8_t>(program.result_registers)};
    instruction.read_count = 1;
  }
  std::vector<uint64_t> addresses;
  for (std::vector<std::byte>& global : globals_) addresses.push_back(map_memory(global));
  for (const Program::AddressConstant& place : program.addresses) {
    const uint64_t address = addresses[place.global] + place.addend;
    std::memcpy(banks_[place.bank].data() + place.offset, &address, sizeof(address));
  }
}

uint64_t Machine::map_memory(std::span<std::byte> memory, bool writable) {
  const uint64_t address = next_address_;
  ranges_.push_back({address, memory.data(), memory.size(), writable});
  next_address_ += (memory.size() + kGap + 255) & ~uint64_t{255};
  return address;
}

uint32_t Machine::add_texture(const TextureHeader& header) {
  textures_.push_back(header);
  return static_cast<uint32_t>(textures_.size());
}

uint32_t Machine::add_sampler(const Sampler& sampler) {
  samplers_.push_back(sampler);
  return static_cast<uint32_t>(samplers_.size() - 1);
}

const Machine::Range* Machine::find_range(uint64_t address, uint64_t size) const {
  const auto after =
      std::upper_bound(ranges_.begin(), ranges_.end(), address,
                       [](uint64_t value, const Range& range) { return value < range.address; });
  if (after == ranges_.begin()) return nullptr;
  const Range& range = *(after - 1);
  const uint64_t offset = address - range.address;
  return offset <= range.size && range.size - offset >= size ? &range : nullptr;
}

const TextureHeader* Machine::find_texture(uint32_t handle) const {
  const uint32_t index = (handle & kIndexMask) - 1;
  return index < textures_.size() ? &textures_[index] : nullptr;
}

const Sampler* Machine::find_sampler(uint32_t handle) const {
  const uint32_t index = handle >> 20;
  return index < samplers_.size() ? &samplers_[index] : nullptr;
}

// What ptxas expects in c[0x0] below the parameters: the sizes of the block and the grid, the end of the
// stack.
void Machine::fill_launch_constants(Dim3 grid, Dim3 block, std::span<const std::byte> parameters) {
  if (!program_.banks[0].empty()) {
    banks_[0] = program_.banks[0];
    return;
  }
  std::vector<std::byte>& bank = banks_[0];
  bank.assign(kParameterBase + parameters.size(), std::byte{0});
  const auto put = [&](uint32_t offset, uint32_t value) { std::memcpy(bank.data() + offset, &value, 4); };
  put(0x8, block.x);
  put(0xc, block.y);
  put(0x10, block.z);
  put(0x14, grid.x);
  put(0x18, grid.y);
  put(0x1c, grid.z);
  put(0x20, program_.local_bytes);
  if (!parameters.empty()) std::memcpy(bank.data() + kParameterBase, parameters.data(), parameters.size());
}

Report Machine::launch(Dim3 grid, Dim3 block_size, std::span<const std::byte> parameters,
                       uint32_t dynamic_shared_bytes) {
  Report report;
  const uint64_t threads = uint64_t{block_size.x} * block_size.y * block_size.z;
  const auto refuse = [&report](std::string message) {
    report.fault_count = 1;
    report.faults.push_back({FaultKind::launch, 0, "", 0, {0, 0, 0}, 0, std::move(message), 1});
    return report;
  };
  if (threads == 0 || threads > kMaxBlockThreads)
    return refuse(fmt::format("a block of {} threads is not possible", threads));
  if (!fits_the_registers(program_, threads)) {
    return refuse(fmt::format("a block of {} threads has no {} registers for each of them", threads,
                              program_.registers));
  }
  fill_launch_constants(grid, block_size, parameters);
  const double blocks = double(grid.x) * grid.y * grid.z;
  double done = 0;
  for (uint32_t z = 0; z < grid.z; ++z) {
    for (uint32_t y = 0; y < grid.y; ++y) {
      for (uint32_t x = 0; x < grid.x; ++x) {
        Block block{*this, report, grid, block_size, {x, y, z}, static_cast<uint32_t>(threads), {}, {}};
        block.shared.resize(program_.shared_bytes + dynamic_shared_bytes, options_.check_uninitialized);
        run_block(block);
        if (options_.progress) options_.progress(++done / blocks);
        if (report.lane_instructions > options_.max_lane_instructions) return report;
      }
    }
  }
  return report;
}

}  // namespace texlate::sim::maxwell
