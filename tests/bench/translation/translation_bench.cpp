// translation_bench [OPTION...] FILE...: what it costs to translate containers, as a driver does it. Each
// shader is translated once a round, so that nothing of the previous one is in the caches by chance; the
// best round counts, in processor time of the thread. Listings are assembled first. A shader that some engine
// cannot translate, or on which one crashes, is left out.
//
//   --vkd3d LIBRARY   compare with this libvkd3d-shader.so; may be repeated
//   --to TARGET       a target of texlate, the default is spirv; may be repeated
//   --rounds N        15 unless given
//   --list FILE       more files, a name in each line
//   --json FILE, --svg FILE
//   --once            one round and no table, for callgrind: it counts translations with
//                     --toggle-collect='*translate_all*'
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>

#include "tests/bench/translation/engines.h"
#include "tests/bench/translation/report.h"

namespace {

using namespace texlate::bench;

struct Arguments {
  std::vector<std::string> files, targets, libraries;
  std::string json, svg;
  int rounds = 15;
  bool once = false;
};

bool read_list(const char* name, std::vector<std::string>& files) {
  std::ifstream list(name);
  for (std::string line; std::getline(list, line);) files.push_back(line);
  return list.eof();
}

bool parse(int count, char** words, Arguments& arguments) {
  for (int i = 1; i < count; ++i) {
    const std::string word = words[i];
    if (!word.starts_with("--")) {
      arguments.files.push_back(word);
      continue;
    }
    if (word == "--once") {
      arguments.once = true;
      continue;
    }
    if (++i == count) return false;
    if (word == "--vkd3d") {
      arguments.libraries.push_back(words[i]);
    } else if (word == "--to") {
      arguments.targets.push_back(words[i]);
    } else if (word == "--rounds") {
      arguments.rounds = std::atoi(words[i]);
    } else if (word == "--json") {
      arguments.json = words[i];
    } else if (word == "--svg") {
      arguments.svg = words[i];
    } else if (word != "--list" || !read_list(words[i], arguments.files)) {
      return false;
    }
  }
  if (arguments.targets.empty() && arguments.libraries.empty()) arguments.targets.push_back("spirv");
  return arguments.rounds > 0;
}

/// Which inputs the engine translates. They are tried in child processes: one that ends takes only its input
/// with it.
void keep_translated(Engine& engine, std::vector<Input>& inputs) {
  std::vector<Input> kept;
  for (size_t next = 0; next < inputs.size();) {
    int pipe_ends[2];
    if (pipe(pipe_ends) != 0) return;
    const pid_t child = fork();
    if (child == 0) {
      if (std::freopen("/dev/null", "w", stderr) == nullptr) _exit(2);
      for (size_t i = next; i < inputs.size(); ++i) {
        alarm(10);
        const char good = engine.translate(inputs[i].container) != 0 ? 1 : 0;
        if (write(pipe_ends[1], &good, 1) != 1) _exit(2);
      }
      _exit(0);
    }
    close(pipe_ends[1]);
    char good = 0;
    while (read(pipe_ends[0], &good, 1) == 1) {
      if (good != 0) kept.push_back(std::move(inputs[next]));
      ++next;
    }
    close(pipe_ends[0]);
    waitpid(child, nullptr, 0);
    ++next;  // the one on which the child ended
  }
  inputs = std::move(kept);
}

double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) * 1e6 + static_cast<double>(time.tv_nsec) * 1e-3;
}

size_t class_of(const Input& input) {
  return static_cast<size_t>(std::ranges::upper_bound(kSizeLimits, input.instructions) - kSizeLimits.begin());
}

[[gnu::noinline]] size_t translate_all(Engine& engine, const std::vector<Input>& inputs, Result& round) {
  size_t bytes = 0;
  for (const Input& input : inputs) {
    const double start = now();
    const size_t size = engine.translate(input.container);
    round.microseconds[class_of(input)] += now() - start;
    round.bytes[class_of(input)] += size;
    bytes += size;
  }
  return bytes;
}

void measure(std::vector<std::unique_ptr<Engine>>& engines, const std::vector<Input>& inputs, int rounds,
             Report& report) {
  for (const Input& input : inputs) {
    ++report.shaders[class_of(input)];
    report.instructions[class_of(input)] += input.instructions;
  }
  report.results.resize(engines.size());
  // Engines take turns, so that a disturbance of the machine does not hit one alone.
  for (int i = 0; i < rounds; ++i) {
    for (size_t e = 0; e < engines.size(); ++e) {
      Result round{};
      translate_all(*engines[e], inputs, round);
      round.engine = engines[e]->name;
      if (i != 0) {
        for (size_t size = 0; size < kSizeClasses; ++size)
          round.microseconds[size] = std::min(round.microseconds[size], report.results[e].microseconds[size]);
      }
      report.results[e] = round;
    }
  }
}

bool save(const std::string& name, const std::string& text) {
  return name.empty() || (std::ofstream(name, std::ios::binary) << text).good();
}

}  // namespace

int main(int count, char** words) {
  Arguments arguments;
  if (!parse(count, words, arguments)) {
    std::fprintf(stderr, "see the head of tests/bench/translation/translation_bench.cpp\n");
    return 2;
  }
  setenv("VKD3D_SHADER_DEBUG", "none", 1);  // its messages must not be measured
  std::vector<std::unique_ptr<Engine>> engines;
  for (const std::string& target : arguments.targets) engines.push_back(make_texlate(target));
  for (const std::string& path : arguments.libraries) {
    engines.push_back(load_vkd3d(path));
    if (engines.back() == nullptr) {
      std::fprintf(stderr, "%s is not a libvkd3d-shader\n", path.c_str());
      return 2;
    }
  }
  std::vector<Input> inputs;
  for (const std::string& name : arguments.files) {
    Input input;
    if (read_input(name, input)) inputs.push_back(std::move(input));
  }
  if (arguments.once) {
    for (const auto& engine : engines) {
      Result round{};
      const size_t bytes = translate_all(*engine, inputs, round);
      std::printf("%s: %zu files, %zu bytes\n", engine->name.c_str(), inputs.size(), bytes);
    }
    return 0;
  }
  for (const auto& engine : engines) keep_translated(*engine, inputs);
  Report report{};
  measure(engines, inputs, arguments.rounds, report);
  print_table(report);
  return save(arguments.json, to_json(report)) && save(arguments.svg, to_svg(report)) ? 0 : 1;
}
