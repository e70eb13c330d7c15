// Drives the fuzz entry with a fixed number of pseudo-random mutations of valid kernels, in every build.
#include <gtest/gtest.h>

#include <random>
#include <string>

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size);

namespace {

constexpr const char* kSeeds[] = {
    R"(.version 6.3
.target sm_75
.address_size 64
.const .align 4 .f32 table[4] = {0f3F800000, 1.5, -2.0, 0f00000000};
.func (.param .b32 r) twice(.param .b32 v) {
  .reg .b32 %a<3>;
  ld.param.u32 %a0, [v];
  add.u32 %a1, %a0, %a0;
  st.param.b32 [r], %a1;
  ret;
}
.visible .entry k(.param .u64 out, .param .align 16 .b8 record[32]) {
  .reg .b32 %r<16>;
  .reg .b64 %rd<8>;
  .reg .pred %p<4>;
  .shared .align 4 .b8 pool[256];
  ld.param.u64 %rd0, [out];
  mov.u32 %r1, %tid.x;
  mov.u32 %r2, 0;
LOOP:
  setp.ge.u32 %p1, %r2, 5;
  @%p1 bra DONE;
  mad.lo.u32 %r3, %r1, 4, %r2;
  { .param .b32 a; .param .b32 b; st.param.b32 [a], %r3; call.uni (b), twice, (a); ld.param.b32 %r4, [b]; }
  shfl.sync.bfly.b32 %r5|%p2, %r4, 1, 31, 0xffffffff;
  add.u32 %r2, %r2, 1;
  bra LOOP;
DONE:
  bar.sync 0;
  st.shared.u32 [pool+4], %r2;
  atom.shared.add.u32 %r6, [pool+4], 1;
  st.global.v2.u32 [%rd0+8], {%r2, %r5};
  ret;
})",
    R"(.version 6.3
.target sm_75
.address_size 64
.visible .entry t(.param .u64 h) {
  .reg .b32 %r<32>;
  .reg .b64 %rd<8>;
  .reg .pred %p<4>;
  ld.param.u64 %rd0, [h];
  mov.u64 %rd1, 0x7e57000000000001;
  mov.u64 %rd2, 0x50f7000000000001;
  mov.b32 %r1, 0f3E800000;
  setp.lt.and.u32 %p2, 1, 4, %p1;
  @%p2 tex.level.2d.v4.f32.s32 {%r4,%r5,%r6,%r7}, [%rd1, {1, 2}], 1, {-1, 0};
  tex.grad.2d.v4.f32.f32 {%r4,%r5,%r6,%r7}, [%rd1, {%r1,%r1}], {%r1,%r1}, {%r1,%r1};
  tld4.g.2d.v4.f32.f32 {%r4,%r5,%r6,%r7}, [%rd1, {%r1,%r1}];
  txq.level.width.b32 %r8, [%rd1], 2;
  suld.b.2d.b32.clamp {%r9}, [%rd2, {-4, 77}];
  sust.p.2d.v4.b32.zero [%rd2, {1, 1}], {%r1,%r1,%r1,%r1};
  cvt.rni.s32.f32 %r10, %r1;
  bfe.u32 %r11, %r10, 300, 20;
  div.s32 %r12, %r11, 0;
  vote.sync.ballot.b32 %r13, %p2, -1;
  exit;
})",
};

constexpr const char* kPieces[] = {"{",
                                   "}",
                                   "[",
                                   "]",
                                   ";",
                                   ",",
                                   "@%p1 ",
                                   ".v4",
                                   ".u64",
                                   "0xffffffff",
                                   "-1",
                                   "%r999999",
                                   "bra LOOP;",
                                   "ret;",
                                   "[%rd0+-9223372036854775807]",
                                   ".reg .b32 %q<262143>;",
                                   "%tid.x",
                                   "0f7FC00000",
                                   "/*",
                                   "4294967296"};

std::string mutate(std::string text, std::mt19937& random) {
  for (uint32_t n = 1 + random() % 4; n > 0 && !text.empty(); --n) {
    const size_t at = random() % text.size();
    switch (random() % 6) {
      case 0: text[at] = static_cast<char>(random()); break;
      case 1: text.erase(at, 1 + random() % 20); break;
      case 2: text.insert(at, kPieces[random() % (sizeof(kPieces) / sizeof(kPieces[0]))]); break;
      case 3: text.insert(at, text.substr(random() % text.size(), random() % 60)); break;
      case 4: text[at] = static_cast<char>('0' + random() % 10); break;
      default: {  // exchange one word of the text for another
        const size_t from = random() % text.size();
        text.replace(at, 1 + random() % 8, text.substr(from, 1 + random() % 8));
      }
    }
  }
  return text;
}

TEST(SimPtxFuzz, MutationsOfValidKernels) {
  std::mt19937 random(20260801);
  for (const char* seed : kSeeds) {
    const std::string text = seed;
    LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(text.data()), text.size());
    for (int i = 0; i < 10000; ++i) {
      const std::string mutant = mutate(text, random);
      LLVMFuzzerTestOneInput(reinterpret_cast<const uint8_t*>(mutant.data()), mutant.size());
    }
  }
}

}  // namespace
