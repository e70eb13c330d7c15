#include "ir/base/failure.h"

#include <cstdlib>
#include <new>

namespace texlate {

#if defined(__cpp_exceptions)

void fail_for_memory() {
  throw std::bad_alloc();
}

#else

namespace {

thread_local Recovery* innermost = nullptr;

}  // namespace

void fail_for_memory() {
  Recovery::fail(Failure::memory);
}

PendingUndo::PendingUndo(void (*run)(void* object), void* object)
    : outer_(innermost != nullptr ? innermost->pending_ : nullptr), run_(run), object_(object) {
  if (innermost != nullptr) innermost->pending_ = this;
}

PendingUndo::~PendingUndo() {
  if (innermost != nullptr) innermost->pending_ = outer_;
}

void TrackedBlock::forget() {
  if (before == nullptr) return;
  before->after = after;
  after->before = before;
  before = after = nullptr;
}

Recovery::Recovery() : outer_(innermost) {
  blocks_.before = blocks_.after = &blocks_;
  innermost = this;
}

Recovery::~Recovery() {
  while (blocks_.after != &blocks_) blocks_.after->forget();
  innermost = outer_;
}

void Recovery::track(TrackedBlock& block) {
  if (innermost == nullptr) return;
  TrackedBlock& first = innermost->blocks_;
  block.before = &first;
  block.after = first.after;
  first.after->before = &block;
  first.after = &block;
}

void Recovery::fail(Failure failure) {
  Recovery* const recovery = innermost;
  if (recovery == nullptr)
    std::abort();  // outside the library's interface, as an exception that nobody catches
  while (recovery->pending_ != nullptr) {
    PendingUndo* const next = recovery->pending_;
    recovery->pending_ = next->outer_;
    next->run_(next->object_);
  }
  while (recovery->blocks_.after != &recovery->blocks_) {
    TrackedBlock* const block = recovery->blocks_.after;
    block->forget();
    block->release(block);
  }
  std::longjmp(recovery->target, static_cast<int>(failure));
}

#endif

}  // namespace texlate
