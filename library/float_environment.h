// The floating-point environment of a call into the library.
#pragma once

#include <cfenv>
#include <cstdint>

namespace texlate::library {

/// While it lives, this thread computes as IEEE 754 does by default: it rounds to nearest, keeps denormals
/// and traps nothing. Constants are folded and literals are read and printed on the CPU, and the result must
/// not depend on what a host has set (games flush denormals, and some round towards zero). The destructor
/// restores the caller's environment, including the flags of exceptions: a call leaves no trace.
class FloatEnvironment {
 public:
  FloatEnvironment() noexcept;
  ~FloatEnvironment();
  FloatEnvironment(const FloatEnvironment&) = delete;
  FloatEnvironment& operator=(const FloatEnvironment&) = delete;

 private:
#if defined(__x86_64__) || defined(_M_X64)
  uint32_t vector_;  // MXCSR
#if defined(_WIN32) && defined(__GNUC__)
  uint32_t x87_[7];  // all but its registers: functions of MinGW's C library clear the flags
#else
  uint16_t x87_ = 0;  // control word; long double is not used where the compiler does not have it in the x87
#endif
#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))
  uint64_t control_;  // FPCR
  uint64_t status_;   // FPSR
#else
  std::fenv_t environment_;
#endif
};

}  // namespace texlate::library
