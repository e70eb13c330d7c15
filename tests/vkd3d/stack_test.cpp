// How much of its stack a thread needs to compile: less than 32 KiB, so that a client's threads may be small
// (docs/vkd3d.md).

#include <gtest/gtest.h>
#include <pthread.h>
#include <sys/mman.h>

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "tests/support/paths.h"
#include "tests/vkd3d/client.h"
#include "tests/vkd3d/shaders.h"

namespace texlate::vkd3d {
namespace {

constexpr size_t kStack = 1 << 20, kPromised = 32 << 10;
constexpr unsigned char kPaint = 0xa5;

struct Job {
  const std::string* bytes;
  TargetType target = TargetType::spirv_binary;
  unsigned char* bottom = nullptr;
  size_t used = 0;
  int result = 0;
};

__attribute__((noinline)) void compile_once(Job& job) {
  ScanSignatureInfo signatures{};
  signatures.type = StructureType::scan_signature_info;
  ScanDescriptorInfo descriptors{};
  descriptors.type = StructureType::scan_descriptor_info;
  descriptors.next = &signatures;
  CompileInfo info{};
  info.next = &descriptors;
  info.source = {job.bytes->data(), job.bytes->size()};
  info.source_type = SourceType::dxbc_tpf;
  info.target_type = job.target;
  info.log_level = LogLevel::info;
  Code out{};
  char* messages = nullptr;
  job.result = vkd3d_shader_compile(&info, &out, &messages);
  vkd3d_shader_free_messages(messages);
  vkd3d_shader_free_shader_code(&out);
  vkd3d_shader_free_scan_signature_info(&signatures);
  vkd3d_shader_free_scan_descriptor_info(&descriptors);
}

/// Counts what is no longer painted below this function.
void* run(void* argument) {
  Job& job = *static_cast<Job*>(argument);
  auto* const here = static_cast<unsigned char*>(__builtin_frame_address(0));
  compile_once(job);
  const unsigned char* const deepest =
      std::find_if(job.bottom, here, [](unsigned char c) { return c != kPaint; });
  job.used = static_cast<size_t>(here - deepest);
  return nullptr;
}

/// Bytes of stack for compiling the container in a new thread.
size_t stack_of(const std::string& bytes, TargetType target) {
  void* const stack = mmap(nullptr, kStack, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  EXPECT_NE(stack, MAP_FAILED);
  std::memset(stack, kPaint, kStack);
  Job job{&bytes, target, static_cast<unsigned char*>(stack)};
  pthread_attr_t attributes;
  pthread_attr_init(&attributes);
  pthread_attr_setstack(&attributes, stack, kStack);
  pthread_t thread;
  EXPECT_EQ(pthread_create(&thread, &attributes, run, &job), 0);
  pthread_join(thread, nullptr);
  pthread_attr_destroy(&attributes);
  munmap(stack, kStack);
  return job.used;
}

std::string nested(uint32_t depth) {
  std::string listing =
      "ps_5_0\ndcl_globalFlags refactoringAllowed\ndcl_input_ps linear v0.xyzw\ndcl_output o0.xyzw\n"
      "dcl_temps 1\nmov r0.x, v0.x\n";
  for (uint32_t i = 0; i < depth; ++i)
    listing += i % 2 == 0 ? "if_nz v0.y\n" : "loop\nadd r0.x, r0.x, l(1.0)\n";
  for (uint32_t i = depth; i-- != 0;) listing += i % 2 == 0 ? "endif\n" : "break\nendloop\n";
  return listing + "mov o0.xyzw, r0.xxxx\nret \n";
}

TEST(Vkd3dStack, IsBelow32KiB) {
#if defined(__SANITIZE_ADDRESS__) || !defined(NDEBUG)
  GTEST_SKIP() << "debug code needs more";
#endif
  std::vector<std::string> inputs;
  for (const std::string_view listing :
       {kVertexShader, kViewsShader, kPixelShader, kSamplingShader, kHullShader})
    inputs.push_back(container(listing));
  inputs.push_back(container(nested(60)));
  inputs.push_back("broken");
  std::vector<std::string> folders = {test::source_dir() + "/tests/fuzz/frontend/container_seeds"};
  for (const char* name : {"pairs", "dxbc_suite", "fxc_suite"})
    folders.push_back(test::shared_dir() + "/corpus/" + name);
  for (const std::string& path : folders) {
    if (!std::filesystem::is_directory(path)) continue;
    for (const auto& entry : std::filesystem::directory_iterator(path)) {
      if (entry.path().extension() == ".asm" || entry.path().extension() == ".hlsl") continue;
      std::ifstream file(entry.path(), std::ios::binary);
      inputs.emplace_back(std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>());
    }
  }
  size_t most = 0;
  for (const std::string& bytes : inputs) {
    for (const TargetType target : {TargetType::spirv_binary, TargetType::spirv_text, TargetType::d3d_asm})
      most = std::max(most, stack_of(bytes, target));
  }
  RecordProperty("bytes", static_cast<int>(most));
  EXPECT_GT(most, 1000u) << "nothing was measured";
  EXPECT_LT(most, kPromised);
  std::printf("%zu inputs; the deepest stack had %zu bytes\n", inputs.size(), most);
}

}  // namespace
}  // namespace texlate::vkd3d
