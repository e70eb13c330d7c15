#include "backend/maxwell/machine/schedule_lines.h"

#include <algorithm>
#include <array>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/effect_order.h"
#include "backend/maxwell/machine/line_access.h"
#include "backend/maxwell/machine/list_schedule.h"
#include "backend/maxwell/machine/timing.h"
#include "ir/base/stack_arena.h"

namespace texlate::maxwell::machine {
namespace {

/// Estimated cycles until an instruction without fixed latency has read its registers.
constexpr unsigned kExpectedRead = 12;
constexpr size_t kFirstChunk = 16 * 1024;

class LineScheduler {
 public:
  explicit LineScheduler(Layout& layout)
      : layout_(layout),
        graph_(layout.scratch()),
        memory_(kFirstChunk, layout.scratch()),
        scheduler_(layout.scratch()),
        effects_(layout.scratch()),
        readers_(layout.scratch()),
        order_(layout.scratch()),
        sorted_(layout.scratch()) {}

  void run() {
    for (const LineBlock& b : layout_.blocks) {
      uint32_t first = b.first;
      const uint32_t end = b.first + b.body_count;
      while (first < end) {
        // PCNT stays where it is.
        if (is_stack_push(opcode(layout_.lines[first].code()))) {
          ++first;
          continue;
        }
        const uint32_t count = std::min(kMaxRegion, end - first);
        region(first, count);
        first += count;
      }
    }
  }

  static constexpr uint64_t preferred(uint32_t) { return ~uint64_t{0}; }
  static constexpr bool issued(uint32_t) { return true; }

 private:
  struct Reader {
    uint32_t node;
    uint32_t next;
  };

  void region(uint32_t first, uint32_t count) {
    if (count < 2) return;
    first_ = first;
    graph_.reset(count);
    effects_.reset();
    readers_.clear();
    writer_.fill(kNoIndex);
    reader_of_.fill(kNoIndex);
    for (uint32_t n = 0; n < count; ++n) add_node(n);
    order_.resize(count);
    std::pmr::monotonic_buffer_resource arena(&memory_);
    uint32_t cycles = 0;
    scheduler_.schedule(graph_.prepare(arena), *this, order_, cycles);
    sorted_.clear();
    for (const uint32_t n : order_) sorted_.push_back(layout_.lines[first + n]);
    std::copy(sorted_.begin(), sorted_.end(), layout_.lines.begin() + first);
  }

  void add_node(uint32_t n) {
    const Line& line = layout_.lines[first_ + n];
    const LineAccess& access = line.access;
    const FormFacts& known = facts(line.code());
    const unsigned late = late_read(known.opcode);
    access.visit_reads([&](Place p) {
      if (writer_[p] != kNoIndex) graph_.add(writer_[p], n, result_distance(writer_[p], p, late));
    });
    access.visit_writes([&](Place p) {
      if (writer_[p] != kNoIndex) graph_.add(writer_[p], n, 1);
      for (uint32_t r = reader_of_[p]; r != kNoIndex; r = readers_[r].next) {
        graph_.add(readers_[r].node, n, read_distance(readers_[r].node));
      }
    });
    effects_.add(n, known.opcode, line.instruction->effect, line.instruction->space, graph_);
    access.visit_reads([&](Place p) {
      readers_.push_back({n, reader_of_[p]});
      reader_of_[p] = static_cast<uint32_t>(readers_.size() - 1);
    });
    access.visit_writes([&](Place p) {
      writer_[p] = n;
      reader_of_[p] = kNoIndex;
    });
    if (known.times.write_barrier) graph_.set_height(n, expected_latency(known.opcode, known.times));
  }

  unsigned result_distance(uint32_t from, Place p, unsigned late) const {
    const FormFacts& known = facts(layout_.lines[first_ + from].code());
    const Latency& times = known.times;
    if (times.write_barrier) return expected_latency(known.opcode, times);
    const unsigned cycles = result_latency(times, p);
    if (!is_register(p)) return cycles;
    return cycles > late ? cycles - late : 1;
  }

  unsigned read_distance(uint32_t from) const {
    return latency(layout_.lines[first_ + from].code()).read_barrier ? kExpectedRead : 1;
  }

  Layout& layout_;
  DependenceGraph graph_;
  StackArena memory_;  // of the region
  ListScheduler scheduler_;
  EffectOrder effects_;
  std::array<uint32_t, kAccessCount> writer_{};     // of the region: the last node that wrote a place
  std::array<uint32_t, kAccessCount> reader_of_{};  // first in the list of nodes that have read it since
  std::pmr::vector<Reader> readers_;
  std::pmr::vector<uint32_t> order_;
  std::pmr::vector<Line> sorted_;
  uint32_t first_ = 0;
};

}  // namespace

void schedule_lines(Layout& layout) {
  LineScheduler(layout).run();
}

}  // namespace texlate::maxwell::machine
