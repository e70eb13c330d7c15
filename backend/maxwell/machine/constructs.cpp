#include "backend/maxwell/machine/constructs.h"

#include <algorithm>
#include <cassert>

namespace texlate::maxwell::machine {
namespace {

/// A jump out of constructs: to the merge or continue block of `construct`.
struct Way {
  uint32_t construct;
  bool is_continue;
};

Way find_way(const Constructs& constructs, uint32_t from, BlockId target) {
  for (uint32_t c = from; c != kNoConstruct; c = constructs.list[c].parent) {
    const ConstructInfo& info = constructs.list[c];
    if (info.merge == target) return {c, false};
    if (info.kind == Construct::loop && info.continue_target == target) return {c, true};
  }
  return {kNoConstruct, false};
}

void find_nesting(const Function& function, Constructs& out) {
  out.around_end.assign(function.blocks.size(), kNoConstruct);
  uint32_t top = kNoConstruct;
  for (const BlockId b : Indices<BlockId>(function.blocks)) {
    while (top != kNoConstruct && b >= out.list[top].merge) top = out.list[top].parent;
    const Block& block = function.blocks[b];
    if (block.construct != Construct::none) {
      ConstructInfo info;
      info.header = b;
      info.merge = block.merge;
      info.continue_target = block.continue_target;
      info.kind = block.construct;
      info.parent = top;
      top = static_cast<uint32_t>(out.list.size());
      out.list.push_back(info);
    }
    out.around_end[b] = top;
    if (block.terminator == Terminator::branch && !block.uniform && top != kNoConstruct) {
      out.list[top].is_divergent = true;
    }
  }
}

/// What the jumps to one merge or continue block require.
struct Demand {
  uint32_t jumps = 0;
  bool crosses_entry = false;  // from inside a construct that has an entry
  bool crosses_break = false;  // from inside a construct that has a PBK
  bool is_divergent = false;   // from where some lanes may be absent
};

/// Inner constructs come first, because they determine whether a jump crosses an entry.
class Decision {
 public:
  Decision(const Function& function, Constructs& constructs)
      : function_(function),
        constructs_(constructs),
        merges_(constructs.list.size(), Demand{}, function.scratch()),
        continues_(constructs.list.size(), Demand{}, function.scratch()) {}

  void run() {
    // Jumps by the construct to which they leave. A jump is considered when its construct is decided; all
    // constructs in between are decided by then.
    struct Jump {
      BlockId from;
      bool is_continue;
    };
    Lists<uint32_t, Jump> jumps(function_.scratch());
    jumps.assign(constructs_.list.size(), [&](auto add) {
      for (const BlockId b : Indices<BlockId>(function_.blocks)) {
        for (unsigned s = 0; s < successor_count(function_.blocks[b]); ++s) {
          const Way way = find_way(constructs_, constructs_.around_end[b], function_.blocks[b].target[s]);
          if (way.construct != kNoConstruct) add(way.construct, Jump{b, way.is_continue});
        }
      }
    });
    for (uint32_t c = static_cast<uint32_t>(constructs_.list.size()); c-- > 0;) {
      // The block that enters a loop jumps to its header, which may be the continue block; that jump is not a
      // continue.
      for (const auto& [from, is_continue] : jumps[c]) {
        if (is_continue && from == constructs_.list[c].header) continue;
        count(c, from, is_continue ? continues_[c] : merges_[c]);
      }
      decide(c);
    }
  }

 private:
  void count(uint32_t construct, BlockId from, Demand& demand) const {
    ++demand.jumps;
    uint32_t c = constructs_.around_end[from];
    for (;; c = constructs_.list[c].parent) {
      demand.is_divergent |= constructs_.list[c].is_divergent;
      if (c == construct) return;
      demand.crosses_entry |= constructs_.list[c].pushes();
      demand.crosses_break |= constructs_.list[c].leave == Opcode::brk;
      assert(constructs_.list[c].leave != Opcode::ret && "two constructs that returns leave");
    }
  }

  void decide(uint32_t c) {
    ConstructInfo& info = constructs_.list[c];
    const Demand& merge = merges_[c];
    if (info.kind == Construct::selection) {
      if (merge.crosses_entry) {
        info.leave = merge.crosses_break ? Opcode::ret : Opcode::brk;
      } else if (merge.is_divergent && merge.jumps > 1) {
        info.leave = Opcode::sync;
      }
      return;
    }
    const bool repeats = continues_[c].jumps != 0;
    // Lanes leave a loop in different iterations even if there is only one way out.
    const bool parts = (merge.is_divergent || continues_[c].is_divergent) && (repeats || merge.jumps > 1);
    if (merge.jumps != 0 && (merge.crosses_entry || parts))
      info.leave = merge.crosses_break ? Opcode::ret : Opcode::brk;
    info.has_continue_entry =
        continues_[c].crosses_entry || (continues_[c].is_divergent && continues_[c].jumps > 1);
  }

  const Function& function_;
  Constructs& constructs_;
  std::pmr::vector<Demand> merges_;
  std::pmr::vector<Demand> continues_;
};

unsigned find_stack_depth(const Constructs& constructs, std::pmr::memory_resource* memory) {
  std::pmr::vector<unsigned> depth(constructs.list.size(), 0, memory);
  unsigned deepest = 0;
  for (uint32_t c = 0; c < constructs.list.size(); ++c) {
    const ConstructInfo& info = constructs.list[c];
    depth[c] = (info.parent == kNoConstruct ? 0u : depth[info.parent]) + (info.leave != Opcode::bra) +
               info.has_continue_entry + info.is_divergent;
    deepest = std::max(deepest, depth[c]);
  }
  return deepest;
}

}  // namespace

Constructs find_constructs(const Function& function) {
  Constructs out(function.scratch());
  find_nesting(function, out);
  Decision(function, out).run();
  out.stack_depth = find_stack_depth(out, function.scratch());
  return out;
}

Opcode find_jump(const Constructs& constructs, BlockId from, BlockId target) {
  const Way way = find_way(constructs, constructs.around_end[from], target);
  if (way.construct == kNoConstruct) return Opcode::bra;
  const ConstructInfo& info = constructs.list[way.construct];
  if (!way.is_continue) return info.leave;
  return info.has_continue_entry && from != info.header ? Opcode::cont : Opcode::bra;
}

}  // namespace texlate::maxwell::machine
