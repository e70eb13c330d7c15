#include "ir/base/all_ones.h"

#include <gtest/gtest.h>

#include <cstdint>

namespace texlate {
namespace {

TEST(AllOnes, EveryElementIsTheGreatestNumber) {
  std::pmr::monotonic_buffer_resource memory;
  for (const size_t count : {0, 1, 7, 64, 1000}) {
    EXPECT_EQ(all_ones<uint32_t>(count, &memory), std::pmr::vector<uint32_t>(count, 0xffffffffu, &memory));
    EXPECT_EQ(all_ones<uint16_t>(count, &memory),
              std::pmr::vector<uint16_t>(count, uint16_t{0xffff}, &memory));
  }
}

TEST(AllOnes, UsesTheMemoryThatItIsGiven) {
  std::pmr::monotonic_buffer_resource memory;
  EXPECT_EQ(all_ones<uint32_t>(3, &memory).get_allocator().resource(), &memory);
}

}  // namespace
}  // namespace texlate
