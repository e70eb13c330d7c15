// Replaces libFuzzer: feeds the entry with seeds and with mutations of them, always the same ones.
//   fuzz_x INPUTS EXTENSION [FOLDER ...]
// Seeds are the folders' files with that extension (.asm), up to 16 KiB; folders that do not exist are
// skipped.
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr size_t kMaxSeed = 16384;

std::vector<std::string> read_seeds(int argc, char** argv) {
  std::vector<std::filesystem::path> paths;
  for (int i = 3; i < argc; ++i) {
    if (!std::filesystem::is_directory(argv[i])) continue;
    for (const auto& entry : std::filesystem::directory_iterator(argv[i])) {
      if (entry.is_regular_file() && entry.path().extension() == argv[2] && entry.file_size() <= kMaxSeed)
        paths.push_back(entry.path());
    }
  }
  std::sort(paths.begin(), paths.end());
  std::vector<std::string> seeds;
  for (const auto& path : paths) {
    std::ifstream file(path, std::ios::binary);
    seeds.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
  }
  if (seeds.empty() && argc <= 3) seeds.emplace_back("ps_5_0\nret \n");
  return seeds;
}

class Mutator {
 public:
  explicit Mutator(const std::vector<std::string>& seeds) : seeds_(seeds) {}

  std::string next() {
    std::string input = seeds_[pick(seeds_.size())];
    for (size_t i = 1 + pick(6); i != 0; --i) mutate(input);
    return input;
  }

 private:
  size_t pick(size_t limit) { return limit == 0 ? 0 : static_cast<size_t>(random_() % limit); }

  void mutate(std::string& input) {
    if (input.empty()) input.push_back(static_cast<char>(random_()));
    const size_t at = pick(input.size());
    const size_t length = std::min(1 + pick(16), input.size() - at);
    switch (pick(8)) {
      case 0: input[at] = static_cast<char>(random_()); break;
      case 1: input[at] = static_cast<char>(input[at] ^ (1 << pick(8))); break;
      case 2: input.resize(at); break;
      case 3: input.erase(at, length); break;
      case 4: input.insert(at, input.substr(pick(input.size()), 1 + pick(16))); break;
      case 5: input.insert(at, 1 + pick(4), "0123456789[](){}.,+-|xyzwr\n\0"[pick(29)]); break;
      case 6: {  // a piece of another seed
        const std::string& other = seeds_[pick(seeds_.size())];
        if (!other.empty()) input.insert(at, other.substr(pick(other.size()), 1 + pick(64)));
        break;
      }
      default: {  // a dword, at a dword boundary
        constexpr uint32_t kDwords[] = {0,           1,           0x7f,    0x80000000u,
                                        0xffffffffu, 0x7fffffffu, 0x10000, 0x00ffffffu};
        const uint32_t value = pick(2) == 0 ? kDwords[pick(8)] : static_cast<uint32_t>(random_());
        const size_t aligned = at & ~size_t{3};
        for (size_t i = 0; i < 4 && aligned + i < input.size(); ++i) {
          input[aligned + i] = static_cast<char>(value >> (8 * i));
        }
      }
    }
  }

  const std::vector<std::string>& seeds_;
  std::mt19937 random_{1};
};

}  // namespace

int main(int argc, char** argv) {
  const long inputs = argc > 1 ? std::atol(argv[1]) : 1000;
  const std::vector<std::string> seeds = read_seeds(argc, argv);
  if (seeds.empty()) {
    std::fprintf(stderr, "no seeds in the folders\n");
    return 1;
  }
  const auto run = [](const std::string& input) {
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(input.data()), input.size());
  };
  for (const std::string& seed : seeds) run(seed);
  Mutator mutator(seeds);
  for (long i = 0; i < inputs; ++i) run(mutator.next());
  std::printf("%zu seeds, %ld mutated inputs\n", seeds.size(), inputs);
  return 0;
}
