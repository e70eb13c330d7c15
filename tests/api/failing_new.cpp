// These functions have a separate file: a compiler that also sees their callers warns that free() does not
// match operator new.
#include "tests/api/failing_new.h"

#include <new>

#include "tests/api/aligned_memory.h"

namespace texlate::test {

thread_local int64_t runtime_allocations_left = -1;
thread_local int64_t runtime_allocations_live = 0;

namespace {

bool runs_out() {
  if (runtime_allocations_left < 0) return false;
  if (runtime_allocations_left == 0) return true;
  --runtime_allocations_left;
  return false;
}

void* allocate(size_t size, size_t alignment) {
  void* memory = runs_out() ? nullptr : allocate_aligned(alignment, size + 1);  // never 0
  if (memory == nullptr) throw std::bad_alloc();
  ++runtime_allocations_live;
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) --runtime_allocations_live;
  free_aligned(memory);
}

}  // namespace
}  // namespace texlate::test

void* operator new(size_t size) {
  return texlate::test::allocate(size, __STDCPP_DEFAULT_NEW_ALIGNMENT__);
}
// Stable sorts allocate their buffer with this operator. They also work without the buffer.
void* operator new(size_t size, const std::nothrow_t&) noexcept {
  try {
    return operator new(size);
  } catch (const std::bad_alloc&) {
    return nullptr;
  }
}
void* operator new(size_t size, std::align_val_t alignment) {
  return texlate::test::allocate(size, static_cast<size_t>(alignment));
}
void operator delete(void* memory) noexcept {
  texlate::test::release(memory);
}
void operator delete(void* memory, size_t) noexcept {
  texlate::test::release(memory);
}
void operator delete(void* memory, std::align_val_t) noexcept {
  texlate::test::release(memory);
}
void operator delete(void* memory, size_t, std::align_val_t) noexcept {
  texlate::test::release(memory);
}
