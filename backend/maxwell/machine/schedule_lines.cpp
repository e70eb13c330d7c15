#include "backend/maxwell/machine/schedule_lines.h"

#include <algorithm>
#include <array>
#include <bit>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/effect_order.h"
#include "backend/maxwell/machine/line_access.h"
#include "backend/maxwell/machine/timing.h"
#include "ir/base/buffer.h"

namespace texlate::maxwell::machine {
namespace {

/// Estimated cycles until an instruction without fixed latency has read its registers.
constexpr unsigned kExpectedRead = 18;
constexpr unsigned kMostLate = 4;  // Timing::late_read

/// Gives each line, from the last to the first, the last free cycle before those that must follow it. Cycles
/// are counted from the end.
class LineScheduler {
 public:
  explicit LineScheduler(Layout& layout)
      : layout_(layout), effects_(layout.scratch()), unsorted_(layout.scratch()) {}

  void run() {
    for (const LineBlock& b : layout_.blocks) {
      uint32_t first = b.first;
      const uint32_t end = b.first + b.body_count;
      // PCNT stays where it is.
      if (first < end && is_stack_push(layout_.lines[first].opcode())) ++first;
      while (first < end) {
        const uint32_t count = std::min(kMostLines, end - first);
        if (count > 1) region(std::span(layout_.lines).subspan(first, count));
        first += count;
      }
    }
  }

 private:
  // Longer blocks are ordered in pieces. Beyond kMostFree, cycles are taken in turn.
  static constexpr uint32_t kMostLines = 400, kMostFree = 7776, kMostCycles = kMostFree + kMostLines;

  void region(std::span<Line> lines) {
    effects_.reset();
    read_ = written_ = {};
    last_ = 0;
    bool is_ordered = true;
    for (auto n = static_cast<uint32_t>(lines.size()); n-- > 0;) is_ordered &= place(n, lines[n]);
    if (!is_ordered) {
      unsorted_.clear();
      unsorted_.append(std::span<const Line>(lines));
      auto at = lines.size();
      for (uint32_t word = 0; word <= last_ / 64; ++word) {
        for (uint64_t left = taken_[word]; left != 0; left &= left - 1)
          lines[--at] = unsorted_[line_at_[64 * word + static_cast<unsigned>(std::countr_zero(left))]];
      }
    }
    std::fill_n(taken_.begin(), last_ / 64 + 1, 0);
  }

  /// Is it before all lines that have a place?
  bool place(uint32_t n, const Line& line) {
    const FormFacts& known = *line.known;
    const Timing& timed = timing(known.opcode);
    uint32_t next = 0;  // to write what it reads
    line.access.visit_reads([&](Place p) { next = std::max(next, written_[p]); });
    uint32_t cycle = kMostLate;
    if (next != 0) cycle = next + (known.times.read_barrier ? kExpectedRead : 1);
    line.access.visit_writes([&](Place p) {
      cycle = std::max({cycle, read_[p] + result_distance(known, timed, p), written_[p] + 1});
    });
    effects_.add(n, timed.looks_at_other_lanes, line.instruction->effect, line.instruction->space,
                 [&](uint32_t later) { cycle = std::max(cycle, cycle_of_[later] + 1); });
    cycle = find_free(cycle);
    taken_[cycle / 64] |= uint64_t{1} << (cycle % 64);
    line_at_[cycle] = static_cast<uint16_t>(n);
    cycle_of_[n] = cycle;
    line.access.visit_writes([&](Place p) {
      written_[p] = cycle;
      read_[p] = 0;
    });
    line.access.visit_reads(
        [&](Place p) { read_[p] = std::max(read_[p], cycle - (is_register(p) ? timed.late_read : 0)); });
    const bool is_first = cycle > last_;
    if (is_first) last_ = cycle;
    return is_first;
  }

  /// From the cycle at which it is read, less what that is late, to the instruction.
  static unsigned result_distance(const FormFacts& known, const Timing& timed, Place p) {
    if (known.times.write_barrier) return timed.expected;
    return std::max(result_latency(known.times, p), kMostLate + 1);
  }

  uint32_t find_free(uint32_t cycle) const {
    if (cycle >= kMostFree) return last_ + 1;
    uint32_t word = cycle / 64;
    uint64_t left = ~taken_[word] & ~uint64_t{0} << (cycle % 64);
    while (left == 0) left = ~taken_[++word];
    return 64 * word + static_cast<unsigned>(std::countr_zero(left));
  }

  Layout& layout_;
  EffectOrder effects_;
  // Of the region.
  using Cycles = std::array<uint32_t, kAccessCount>;  // by place
  Cycles read_;        // of the next line that reads it, less what that is late; 0: none before it is written
  Cycles written_;     // of the next line that writes it; 0: none
  uint32_t last_ = 0;  // cycle taken
  std::array<uint64_t, kMostCycles / 64 + 1> taken_{};  // a bit for each cycle
  std::array<uint16_t, kMostCycles> line_at_;           // by cycle
  std::array<uint32_t, kMostLines> cycle_of_;           // by line
  Buffer<Line> unsorted_;
};

}  // namespace

void schedule_lines(Layout& layout) {
  LineScheduler(layout).run();
}

}  // namespace texlate::maxwell::machine
