#include "library/float_environment.h"

#if defined(__x86_64__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace texlate::library {

#if defined(__x86_64__) || defined(_M_X64)

namespace {

// Intel SDM 10.2.3, 8.1.5: the values after reset. MXCSR: all exceptions masked, round to nearest, neither
// FTZ nor DAZ, no flags. x87: the same with 64 bits of precision, which the System V ABI demands on entry
// (3.2.1).
constexpr uint32_t kVectorDefault = 0x1f80;
#if defined(__GNUC__)
constexpr uint16_t kX87Default = 0x037f;
#endif

}  // namespace

FloatEnvironment::FloatEnvironment() noexcept : vector_(_mm_getcsr()) {
  _mm_setcsr(kVectorDefault);
#if defined(_WIN32) && defined(__GNUC__)
  asm volatile("fnstenv %0\n\tfldcw %1" : "=m"(x87_) : "m"(kX87Default) : "memory");
#elif defined(__GNUC__)
  asm volatile("fnstcw %0" : "=m"(x87_));
  if (x87_ != kX87Default) asm volatile("fldcw %0" : : "m"(kX87Default) : "memory");
#endif
}

FloatEnvironment::~FloatEnvironment() {
#if defined(_WIN32) && defined(__GNUC__)
  asm volatile("fldenv %0" : : "m"(x87_) : "memory");
#elif defined(__GNUC__)
  if (x87_ != kX87Default) asm volatile("fldcw %0" : : "m"(x87_) : "memory");
#endif
  _mm_setcsr(vector_);
}

#elif defined(__aarch64__) && (defined(__GNUC__) || defined(__clang__))

// Arm ARM C5.2.8, C5.2.10: FPCR and FPSR of 0 round to nearest, keep denormals, trap nothing and have no
// flags.
FloatEnvironment::FloatEnvironment() noexcept {
  asm volatile("mrs %0, fpcr\n\tmrs %1, fpsr" : "=r"(control_), "=r"(status_));
  if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(uint64_t{0}) : "memory");
}

FloatEnvironment::~FloatEnvironment() {
  if (control_ != 0) asm volatile("msr fpcr, %0" : : "r"(control_) : "memory");
  asm volatile("msr fpsr, %0" : : "r"(status_) : "memory");
}

#else

FloatEnvironment::FloatEnvironment() noexcept {
  std::fegetenv(&environment_);
  std::fesetenv(FE_DFL_ENV);
}

FloatEnvironment::~FloatEnvironment() {
  std::fesetenv(&environment_);
}

#endif

}  // namespace texlate::library
