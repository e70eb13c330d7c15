// What a process may do around the library: small stacks, fork, unloading, callbacks that do not return.

#include <dlfcn.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <thread>

#include "texlate/texlate.hpp"

namespace texlate {
namespace {

constexpr std::string_view kShader =
    "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_sampler s0, mode_default\n"
    "dcl_resource_texture2d (float,float,float,float) t0\ndcl_input_ps linear v0.xy\ndcl_output o0.xyzw\n"
    "dcl_temps 1\nsample_indexable(texture2d)(float,float,float,float) r0.xyzw, v0.xyxx, t0.xyzw, s0\n"
    "discard_nz r0.w\nmov o0.xyzw, r0.xyzw\nret\n";

std::string translated(const char* target) {
  const api::Program program(kShader);
  texlate_translate_options options = TEXLATE_TRANSLATE_OPTIONS_INIT;
  options.target = target;
  return std::string(program.translate(options).data());
}

/// Runs `work` in a thread with a stack of this size.
void run_with_stack(size_t size, void* (*work)(void*), void* argument) {
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  ASSERT_EQ(pthread_attr_setstacksize(&attributes, size), 0);
  pthread_t thread;
  ASSERT_EQ(pthread_create(&thread, &attributes, work, argument), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
}

// 64 KiB are the stack of musl's threads times a half; a page of it is the thread's own.
TEST(Process, ThreadsMayHaveSmallStacks) {
  for (const char* const target : {"spirv", "spirv-text", "ptx", "maxwell", "dksh"}) {
    struct Job {
      const char* target;
      std::string made;
    } job{target, {}};
    constexpr size_t kStack = 64 << 10;
    run_with_stack(
        kStack,
        [](void* argument) -> void* {
          Job& own = *static_cast<Job*>(argument);
          own.made = translated(own.target);
          return nullptr;
        },
        &job);
    EXPECT_EQ(job.made, translated(target)) << target;
  }
}

// A child has only the thread that forked; the others may have been in the middle of a translation.
TEST(Process, AChildTranslatesWhileOthersDid) {
  std::atomic<bool> stop = false;
  std::thread other([&] {
    while (!stop) translated("spirv");
  });
  const std::string expected = translated("spirv");
  for (int i = 0; i < 8; ++i) {
    const pid_t child = fork();
    ASSERT_GE(child, 0);
    if (child == 0) _exit(translated("spirv") == expected ? 0 : 1);
    int status = 0;
    ASSERT_EQ(waitpid(child, &status, 0), child);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0);
  }
  stop = true;
  other.join();
}

// A thread that has used the library ends after it has been unloaded.
TEST(Process, TheLibraryMayBeUnloaded) {
  for (int i = 0; i < 3; ++i) {
    void* const library = dlopen(TEXLATE_SHARED_LIBRARY, RTLD_NOW | RTLD_LOCAL);
    ASSERT_NE(library, nullptr) << dlerror();
    const auto parse = reinterpret_cast<decltype(&texlate_parse)>(dlsym(library, "texlate_parse"));
    const auto release =
        reinterpret_cast<decltype(&texlate_program_free)>(dlsym(library, "texlate_program_free"));
    const auto reason =
        reinterpret_cast<decltype(&texlate_argument_error)>(dlsym(library, "texlate_argument_error"));
    ASSERT_TRUE(parse != nullptr && release != nullptr && reason != nullptr);
    std::thread user([&] {
      texlate_program* program = nullptr;
      EXPECT_EQ(parse(kShader.data(), kShader.size(), nullptr, &program), TEXLATE_OK);
      EXPECT_EQ(parse(nullptr, 1, nullptr, nullptr), TEXLATE_ERROR_ARGUMENT);
      EXPECT_NE(std::string(reason()), "");
      release(program);
      EXPECT_EQ(dlclose(library), 0);
    });
    user.join();
  }
}

/// Counts what is in use.
struct Counter {
  std::atomic<int> blocks = 0;
  texlate_allocator allocator = {allocate, release, this};

  static void* allocate(void* user, size_t size, size_t alignment) {
    ++static_cast<Counter*>(user)->blocks;
    return std::aligned_alloc(alignment, (size + alignment - 1) / alignment * alignment);
  }
  static void release(void* user, void* memory, size_t, size_t) {
    --static_cast<Counter*>(user)->blocks;
    std::free(memory);
  }
};

constexpr std::string_view kWrong = "ps_5_0\nmov r0.x, nonsense\nret\n";

TEST(Process, ExceptionsOfCallbacksEndTheCall) {
  Counter counter;
  texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
  options.allocator = &counter.allocator;
  options.callback = [](void*, const texlate_diagnostic*) { throw std::runtime_error("from a callback"); };
  texlate_program* program = nullptr;
  EXPECT_EQ(texlate_parse(kWrong.data(), kWrong.size(), &options, &program), TEXLATE_ERROR_INTERNAL);
  EXPECT_EQ(program, nullptr);
  EXPECT_EQ(counter.blocks, 0);

  const api::Program wrong(kShader);
  texlate_translate_options translate = TEXLATE_TRANSLATE_OPTIONS_INIT;
  translate.entry = "no name";
  translate.callback = options.callback;
  texlate_output* output = nullptr;
  EXPECT_EQ(texlate_translate(wrong.get(), &translate, &output), TEXLATE_ERROR_INTERNAL);
  EXPECT_EQ(output, nullptr);
}

TEST(Process, ACallbackMayEndItsThread) {
  Counter counter;
  run_with_stack(
      1 << 20,
      [](void* argument) -> void* {
        texlate_parse_options options = TEXLATE_PARSE_OPTIONS_INIT;
        options.allocator = &static_cast<Counter*>(argument)->allocator;
        options.callback = [](void*, const texlate_diagnostic*) { pthread_exit(nullptr); };
        texlate_program* program = nullptr;
        texlate_parse(kWrong.data(), kWrong.size(), &options, &program);
        ADD_FAILURE() << "the thread goes on";
        return nullptr;
      },
      &counter);
  EXPECT_EQ(counter.blocks, 0);
}

}  // namespace
}  // namespace texlate
