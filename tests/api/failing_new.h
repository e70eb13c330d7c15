// Replaces the C++ runtime's allocator by one that runs out of memory on request.
#pragma once

#include <cstdint>

namespace texlate::test {

/// How many more allocations of this thread succeed; all later ones fail. Negative: none fails.
extern thread_local int64_t runtime_allocations_left;
/// How many allocations of this thread have not been released.
extern thread_local int64_t runtime_allocations_live;

}  // namespace texlate::test
