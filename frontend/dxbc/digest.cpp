#include "frontend/dxbc/digest.h"

#include <bit>
#include <cstring>
#include <utility>

namespace texlate::dxbc {

namespace {

constexpr size_t kBlock = 64;
constexpr size_t kDigestEnd = 20;

constexpr uint32_t kShifts[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};

// floor(2^32 * |sin(i + 1)|) (RFC 1321 3.4)
constexpr uint32_t kSines[64] = {
    0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
    0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
    0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
    0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
    0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
    0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
    0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
    0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391};

/// One of the 64 steps (RFC 1321 3.4). Its number is a compile-time constant, so that tables and rotations
/// become immediate operands.
template <uint32_t kStep>
inline void step(const uint32_t (&x)[16], uint32_t& a, uint32_t& b, uint32_t& c, uint32_t& d) {
  constexpr uint32_t kRound = kStep / 16;
  constexpr uint32_t kFactors[4] = {1, 5, 3, 7};
  constexpr uint32_t kStarts[4] = {0, 1, 5, 0};
  constexpr uint32_t kWord = (kFactors[kRound] * kStep + kStarts[kRound]) & 15;
  uint32_t sum = a + x[kWord] + kSines[kStep];
  if constexpr (kRound == 0) sum += d ^ (b & (c ^ d));
  // Two sums: each step waits for b, the result of the step before, and only the second needs it.
  if constexpr (kRound == 1) sum = (sum + (c & ~d)) + (b & d);
  if constexpr (kRound == 2) sum += b ^ c ^ d;
  if constexpr (kRound == 3) sum += c ^ (b | ~d);
  a = b + std::rotl(sum, static_cast<int>(kShifts[kRound][kStep % 4]));
}

template <uint32_t... kGroups>
inline Digest all_steps(const uint32_t (&x)[16], const Digest& state,
                        std::integer_sequence<uint32_t, kGroups...>) {
  uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
  // The four words of the state rotate from step to step.
  (
      [&] {
        step<4 * kGroups>(x, a, b, c, d);
        step<4 * kGroups + 1>(x, d, a, b, c);
        step<4 * kGroups + 2>(x, c, d, a, b);
        step<4 * kGroups + 3>(x, b, c, d, a);
      }(),
      ...);
  return {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

void add_block(Digest& state, const std::byte* block) {
  uint32_t x[16];
  std::memcpy(x, block, sizeof x);
  state = all_steps(x, state, std::make_integer_sequence<uint32_t, 16>());
}

}  // namespace

Digest digest_of(std::span<const std::byte> container) {
  const std::span<const std::byte> data = container.subspan(kDigestEnd);
  Digest state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const size_t whole = data.size() / kBlock * kBlock;
  for (size_t at = 0; at < whole; at += kBlock) add_block(state, data.data() + at);

  // MD5 pads with 0x80, zeros, and the bit count in the last 8 bytes. Here the bit count is the first dword
  // of the last block, and the last dword is the number of nibbles with the lowest bit set.
  const size_t rest = data.size() - whole;
  const auto bits = static_cast<uint32_t>(data.size() * 8);
  const uint32_t tail = (bits >> 2) | 1u;
  std::byte block[kBlock] = {};
  if (rest < 56) {
    std::memcpy(block, &bits, 4);
    if (rest != 0) std::memcpy(block + 4, data.data() + whole, rest);
    block[4 + rest] = std::byte{0x80};
  } else {
    std::memcpy(block, data.data() + whole, rest);
    block[rest] = std::byte{0x80};
    add_block(state, block);
    std::memset(block, 0, kBlock);
    std::memcpy(block, &bits, 4);
  }
  std::memcpy(block + kBlock - 4, &tail, 4);
  add_block(state, block);
  return state;
}

}  // namespace texlate::dxbc
