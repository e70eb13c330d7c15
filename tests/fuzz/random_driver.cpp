// Drives a fuzzer's entry with a fixed sequence of pseudo-random inputs, for builds without libFuzzer:
//   PROGRAM COUNT [SEED]
// A failing input is the last one whose number is on stderr; run it alone with COUNT 1 and SEED = that
// number.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

int main(int argc, char** argv) {
  const unsigned long count = argc > 1 ? std::strtoul(argv[1], nullptr, 10) : 1000;
  const unsigned long first = argc > 2 ? std::strtoul(argv[2], nullptr, 10) : 0;
  for (unsigned long i = first; i < first + count; ++i) {
    std::mt19937_64 random(i);
    std::vector<uint8_t> input(random() % 200);
    for (uint8_t& byte : input) byte = static_cast<uint8_t>(random());
    if (i % 1000 == 0) std::fprintf(stderr, "input %lu\n", i);
    LLVMFuzzerTestOneInput(input.data(), input.size());
  }
  std::printf("%lu inputs\n", count);
  return 0;
}
