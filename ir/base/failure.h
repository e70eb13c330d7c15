// How work ends that cannot go on: by an exception or, where a platform has none, by a jump. Only the
// library's interface recovers (library/arguments.h).
#pragma once

#include <utility>

#if !defined(__cpp_exceptions)
#include <csetjmp>
#endif

namespace texlate {

/// Memory has run out.
[[noreturn]] void fail_for_memory();

/// Runs `work`, and `undo` if `work` does not return. Then the failure goes on.
template <typename Work, typename Undo>
auto undo_on_failure(Work work, Undo undo);

#if defined(__cpp_exceptions)

template <typename Work, typename Undo>
auto undo_on_failure(Work work, Undo undo) {
  try {
    return work();
  } catch (...) {
    undo();
    throw;
  }
}

#else

// A jump runs no destructors: what is pending is undone, and TrackedBlocks are released. What objects on the
// stack have from `new` is lost.

enum class Failure : int { none, memory, argument };

class Recovery;

/// What must be undone if the work around it fails.
class PendingUndo {
 public:
  PendingUndo(void (*run)(void* object), void* object);
  ~PendingUndo();
  PendingUndo(const PendingUndo&) = delete;
  PendingUndo& operator=(const PendingUndo&) = delete;

 private:
  friend class Recovery;
  PendingUndo* outer_;
  void (*run_)(void* object);
  void* object_;
};

/// At the start of memory that is released if the work that requested it fails.
struct TrackedBlock {
  TrackedBlock* before = nullptr;
  TrackedBlock* after = nullptr;
  void (*release)(TrackedBlock* self) = nullptr;

  /// To be called before the memory is released.
  void forget();
};

/// Where failures of this thread go while it exists. The owner calls setjmp(recovery.target).
class Recovery {
 public:
  Recovery();
  ~Recovery();
  Recovery(const Recovery&) = delete;
  Recovery& operator=(const Recovery&) = delete;

  /// Releases `block` if this thread's present work fails.
  static void track(TrackedBlock& block);
  /// Undoes what is pending, the innermost first, releases what is tracked, and jumps.
  [[noreturn]] static void fail(Failure failure);

  std::jmp_buf target;

 private:
  friend class PendingUndo;
  Recovery* outer_;
  PendingUndo* pending_ = nullptr;
  TrackedBlock blocks_;  // the list is a circle, and this is its start
};

template <typename Work, typename Undo>
auto undo_on_failure(Work work, Undo undo) {
  const PendingUndo pending([](void* object) { (*static_cast<Undo*>(object))(); }, &undo);
  return work();
}

#endif

}  // namespace texlate
