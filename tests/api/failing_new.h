// The C++ runtime's allocator, replaced by one that runs out when told to.
#pragma once

#include <cstdint>

namespace texlate::test {

/// Allocations of this thread until one fails; negative: none does.
extern thread_local int64_t runtime_allocations_left;

}  // namespace texlate::test
