#include "backend/maxwell/machine/schedule_lines.h"

#include <algorithm>
#include <array>

#include "backend/maxwell/isa/table.h"
#include "backend/maxwell/machine/effect_order.h"
#include "backend/maxwell/machine/line_access.h"
#include "backend/maxwell/machine/list_schedule.h"
#include "backend/maxwell/machine/timing.h"
#include "ir/base/buffer.h"
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
        effects_(layout.scratch()),
        readers_(layout.scratch()),
        unsorted_(layout.scratch()) {}

  void run() {
    for (const LineBlock& b : layout_.blocks) {
      uint32_t first = b.first;
      const uint32_t end = b.first + b.body_count;
      while (first < end) {
        // PCNT stays where it is.
        if (is_stack_push(layout_.lines[first].opcode())) {
          ++first;
          continue;
        }
        const uint32_t count = std::min(kMaxRegion, end - first);
        region(first, count);
        first += count;
      }
    }
  }

  static constexpr auto preferred() {
    return [](uint32_t) { return ~uint64_t{0}; };
  }
  static constexpr bool issued(uint32_t) { return true; }

 private:
  using Short = Dependences::Short;
  static constexpr Short kNone = 0xffff;
  struct Reader {
    Short node;
    Short next;
  };
  /// Of a place.
  struct Accessed {
    Short writer = kNone;   // the last node that wrote it
    Short readers = kNone;  // first in the list of nodes that have read it since
  };

  void region(uint32_t first, uint32_t count) {
    if (count < 2) return;
    first_ = first;
    graph_.reset(count);
    effects_.reset();
    readers_.clear();
    accessed_.fill({});
    for (uint32_t n = 0; n < count; ++n) add_node(n);
    std::pmr::monotonic_buffer_resource arena(&memory_);
    uint32_t cycles = 0;
    scheduler_.schedule(graph_.prepare(arena), *this, 0, std::span(order_).first(count), cycles);
    Line* const lines = layout_.lines.data() + first;
    unsorted_.clear();
    unsorted_.append(std::span<const Line>(lines, count));
    for (uint32_t n = 0; n < count; ++n) lines[n] = unsorted_[order_[n]];
  }

  void add_node(uint32_t n) {
    const Line& line = layout_.lines[first_ + n];
    const FormFacts& known = *line.known;
    const Timing& timed = timing(known.opcode);
    known_[n] = &known;
    line.access.visit_reads([&](Place p) {
      Accessed& accessed = accessed_[p];
      if (accessed.readers != kNone && readers_[accessed.readers].node == n) return;
      if (accessed.writer != kNone)
        graph_.add(accessed.writer, n, result_distance(accessed.writer, p, timed.late_read));
      *readers_.extend(1) = {static_cast<Short>(n), accessed.readers};
      accessed.readers = static_cast<Short>(readers_.size() - 1);
    });
    line.access.visit_writes([&](Place p) {
      Accessed& accessed = accessed_[p];
      // Readers come after the writer before.
      if (accessed.readers == kNone && accessed.writer != kNone && accessed.writer != n)
        graph_.add(accessed.writer, n, 1);
      for (Short r = accessed.readers; r != kNone; r = readers_[r].next) {
        const uint32_t reader = readers_[r].node;
        if (reader != n) graph_.add(reader, n, known_[reader]->times.read_barrier ? kExpectedRead : 1);
      }
      accessed = {static_cast<Short>(n), kNone};
    });
    effects_.add(n, timed.looks_at_other_lanes, line.instruction->effect, line.instruction->space, graph_);
    if (known.times.write_barrier) graph_.set_height(n, timed.expected);
  }

  unsigned result_distance(uint32_t from, Place p, unsigned late) const {
    const FormFacts& known = *known_[from];
    if (known.times.write_barrier) return timing(known.opcode).expected;
    const unsigned cycles = result_latency(known.times, p);
    if (!is_register(p)) return cycles;
    return cycles > late ? cycles - late : 1;
  }

  Layout& layout_;
  DependenceGraph graph_;
  StackArena memory_;  // of the region
  ListScheduler scheduler_;
  EffectOrder effects_;
  // Of the region.
  std::array<Accessed, kAccessCount> accessed_;
  std::array<const FormFacts*, kMaxRegion> known_;  // by node
  Buffer<Reader> readers_;
  std::array<uint32_t, kMaxRegion> order_;
  Buffer<Line> unsorted_;
  uint32_t first_ = 0;
};

}  // namespace

void schedule_lines(Layout& layout) {
  LineScheduler(layout).run();
}

}  // namespace texlate::maxwell::machine
