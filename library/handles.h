// The objects behind the handles of the C interface. All memory that such an object owns is from the caller's
// allocator.
#pragma once

#include <algorithm>
#include <new>

#include "backend/maxwell/kept_routines.h"
#include "ir/base/stack_arena.h"
#include "library/arguments.h"
#include "library/pipeline.h"

namespace texlate::library {

/// The caller's allocator as a memory resource.
class CallerMemory final : public std::pmr::memory_resource {
 public:
  explicit CallerMemory(const texlate_allocator* allocator) : has_(allocator != nullptr) {
    if (!has_) return;
    allocator_ = *allocator;
    require(allocator_.allocate != nullptr && allocator_.release != nullptr,
            "the allocator lacks a function: it needs both allocate and release");
  }

 private:
  // Outputs are byte strings, but may contain words.
  static constexpr size_t kLeastAlignment = alignof(uint32_t);

  /// std::pmr::new_delete_resource() would ask for any alignment explicitly, which takes malloc much longer.
  static constexpr bool is_usual(size_t alignment) { return alignment <= __STDCPP_DEFAULT_NEW_ALIGNMENT__; }

  void* allocate_block(size_t size, size_t alignment) {
    if (!has_)
      return is_usual(alignment) ? ::operator new(size) : ::operator new (size, std::align_val_t{alignment});
    void* memory = allocator_.allocate(allocator_.user, size, alignment);
    if (memory == nullptr) fail_for_memory();
    return memory;
  }
  void release_block(void* memory, size_t size, size_t alignment) {
    if (has_) return allocator_.release(allocator_.user, memory, size, alignment);
    // Statements: of a conditional expression of two deletes, clang 14 runs both.
    if (is_usual(alignment)) {
      ::operator delete(memory);
    } else {
      ::operator delete (memory, std::align_val_t{alignment});
    }
  }

#if defined(__cpp_exceptions)
  void* do_allocate(size_t size, size_t alignment) override {
    return allocate_block(size, std::max(alignment, kLeastAlignment));
  }
  void do_deallocate(void* memory, size_t size, size_t alignment) override {
    release_block(memory, size, std::max(alignment, kLeastAlignment));
  }
#else
  struct Block;
  static void release_tracked(TrackedBlock* tracked);
  void* do_allocate(size_t size, size_t alignment) override;
  void do_deallocate(void* memory, size_t size, size_t alignment) override;
#endif
  bool do_is_equal(const std::pmr::memory_resource& other) const noexcept override {
    return this == &other;
  }

  texlate_allocator allocator_{};
  bool has_;
};

#if !defined(__cpp_exceptions)

/// No destructor releases anything if the work fails: every block is tracked. This ends where its bytes
/// begin.
struct CallerMemory::Block : TrackedBlock {
  Block(const CallerMemory& from, size_t bytes, size_t aligned, char* first)
      : memory(from), size(bytes), alignment(aligned), start(first) {
    release = release_tracked;
  }
  CallerMemory memory;
  size_t size, alignment;
  char* start;
};

inline void CallerMemory::release_tracked(TrackedBlock* tracked) {
  const auto* const block = static_cast<Block*>(tracked);
  CallerMemory memory(block->memory);  // outlives the block
  memory.release_block(block->start, block->size, block->alignment);
}

inline void* CallerMemory::do_allocate(size_t size, size_t alignment) {
  alignment = std::max(alignment, alignof(Block));
  const size_t before = (sizeof(Block) + alignment - 1) / alignment * alignment;
  if (size > SIZE_MAX - before) fail_for_memory();
  char* const start = static_cast<char*>(allocate_block(before + size, alignment));
  Block* const block = new (start + before - sizeof(Block)) Block(*this, before + size, alignment, start);
  Recovery::track(*block);
  return start + before;
}

inline void CallerMemory::do_deallocate(void* memory, size_t, size_t) {
  Block* const block = static_cast<Block*>(memory) - 1;
  block->forget();
  release_tracked(block);
}

#endif

/// Creates an object in the caller's memory; destroy() releases that memory last.
template <typename Object, typename... Args>
Object* make(const CallerMemory& memory, Args&&... args) {
  CallerMemory copy(memory);
  void* place = copy.allocate(sizeof(Object), alignof(Object));
  return undo_on_failure([&] { return new (place) Object(copy, std::forward<Args>(args)...); },
                         [&] { copy.deallocate(place, sizeof(Object), alignof(Object)); });
}

template <typename Object>
void destroy(Object* object) {
  if (object == nullptr) return;
  CallerMemory memory(object->memory);
  object->~Object();
  memory.deallocate(object, sizeof(Object), alignof(Object));
}

texlate_diagnostic to_c(const Diagnostic& diagnostic);
/// Passes every diagnostic to the callback, if there is one.
void report(const Diagnostics& diagnostics, texlate_diagnostic_callback callback, void* user);

dxbc::DigestCheck digest_check(texlate_digest digest);

/// The options, or their defaults if null.
texlate_parse_options parse_options(const texlate_parse_options* options);

}  // namespace texlate::library

struct texlate_program {
  /// `expected`: bytes that the program will probably need.
  texlate_program(const texlate::library::CallerMemory& caller, size_t expected)
      : memory(caller),
        arena(expected, &memory),
        program(&arena),
        container(&arena),
        module(&arena),
        diagnostics(&memory) {}
  texlate::library::CallerMemory memory;
  texlate::StackArena arena;  // gives back lists that have grown in a long program
  texlate::sm4::Program program;
  texlate::dxbc::Container container;  // empty if the input was text
  texlate::ir::Module module;          // for IR text
  bool is_ir = false;                  // `module` holds the input, and `program` is empty
  texlate::Diagnostics diagnostics;
  bool valid = false;
};

struct texlate_context {
  explicit texlate_context(const texlate::library::CallerMemory& caller)
      : memory(caller), scratch(1 << 16, &memory), routines(&memory) {}
  texlate::library::CallerMemory memory;
  texlate::StackArena scratch;
  texlate::maxwell::KeptRoutines routines;
  bool is_busy = false;  // a translation uses it; a callback that translates gets other memory
};

struct texlate_output {
  explicit texlate_output(const texlate::library::CallerMemory& caller)
      : memory(caller), translation(&memory), diagnostics(&memory) {}
  texlate::library::CallerMemory memory;
  texlate::library::Translation translation;
  texlate::Diagnostics diagnostics;
};

namespace texlate::library {

/// Creates an output in `memory`. `work` fills it and returns whether it succeeded.
template <typename Work>
texlate_status with_output(const CallerMemory& memory, texlate_output** output,
                           texlate_diagnostic_callback callback, void* callback_user, Work work) {
  texlate_output* made = make<texlate_output>(memory);
  const auto finish = [&] {
    const bool good = work(*made);
    report(made->diagnostics, callback, callback_user);
    return good;
  };
  const bool good = undo_on_failure(finish, [&] { destroy(made); });
  *output = made;
  return good ? TEXLATE_OK : TEXLATE_ERROR_INPUT;
}

}  // namespace texlate::library
