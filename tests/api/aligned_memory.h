/* aligned_alloc() of C11 and the free() that belongs to it, which Windows has under other names. For C and
 * C++. */
#ifndef TEXLATE_TESTS_ALIGNED_MEMORY_H
#define TEXLATE_TESTS_ALIGNED_MEMORY_H

#include <stdlib.h>
#ifdef _WIN32
#include <malloc.h>
#endif

static inline void* allocate_aligned(size_t alignment, size_t size) {
#ifdef _WIN32
  return _aligned_malloc(size, alignment);
#else
  return aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
#endif
}

static inline void free_aligned(void* memory) {
#ifdef _WIN32
  _aligned_free(memory);
#else
  free(memory);
#endif
}

#endif
