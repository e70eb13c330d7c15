// Memory of a shader: constant buffers, tables, x#, g#, and registers before SSA construction.
#pragma once

#include <vector>

#include "sim/ir/access_order.h"
#include "sim/ir/lanes.h"

namespace texlate::sim {

class Memory {
 public:
  explicit Memory(Lanes& lanes);

  /// Families memory and source_register.
  void run(const Step& step);
  /// Clears x#.
  void start_lanes();
  /// Clears g#.
  void start_group();

 private:
  struct SharedArray {
    std::vector<uint32_t> words;
    std::vector<uint8_t> written;
    AccessOrder order{false};
  };

  void access_local(const Step& step);
  void access_shared(const Step& step);
  void note_shared_read(SharedArray& array, uint32_t offset, uint32_t lane);
  void note_shared_write(SharedArray& array, uint32_t offset, uint32_t lane, const MemoryWrite& write,
                         bool changes);

  Lanes& lanes_;
  std::vector<uint32_t> locals_;        // x#: by array, row, component and lane
  std::vector<uint8_t> local_written_;  // the same
  std::vector<uint32_t> local_base_;    // rows of x# before each array
  std::vector<SharedArray> shared_;
  std::vector<uint32_t> disturbed_;
};

/// The texture unit's name of the operation.
AtomicOp unit_atomic(ir::AtomicOp op);

/// Family binding: facts and addresses of what is bound.
void run_binding(Lanes& lanes, const Step& step);

}  // namespace texlate::sim
