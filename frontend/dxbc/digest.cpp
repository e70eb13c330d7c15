#include "frontend/dxbc/digest.h"

#include <bit>
#include <cstring>

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

void add_block(Digest& state, const std::byte* block) {
  uint32_t x[16];
  std::memcpy(x, block, sizeof x);
  auto [a, b, c, d] = state;
  for (uint32_t i = 0; i < 64; ++i) {
    uint32_t f = 0;
    uint32_t k = 0;
    switch (i / 16) {
      case 0:
        f = (b & c) | (~b & d);
        k = i;
        break;
      case 1:
        f = (b & d) | (c & ~d);
        k = (5 * i + 1) & 15;
        break;
      case 2:
        f = b ^ c ^ d;
        k = (3 * i + 5) & 15;
        break;
      default:
        f = c ^ (b | ~d);
        k = (7 * i) & 15;
        break;
    }
    const uint32_t sum = a + f + x[k] + kSines[i];
    a = d;
    d = c;
    c = b;
    b += std::rotl(sum, static_cast<int>(kShifts[i / 16][i % 4]));
  }
  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d};
}

}  // namespace

Digest digest_of(std::span<const std::byte> container) {
  const std::span<const std::byte> data = container.subspan(kDigestEnd);
  Digest state = {0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476};
  const size_t whole = data.size() / kBlock * kBlock;
  for (size_t at = 0; at < whole; at += kBlock) add_block(state, data.data() + at);

  // MD5 pads with 0x80, zeros and the bit count in the last 8 bytes. Here the bit count stands first in the
  // last block, and the last dword is half of it, in nibbles, with the lowest bit set.
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
