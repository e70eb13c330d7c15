#include <gtest/gtest.h>

#include <map>

#include "sim/maxwell/instruction.h"
#include "sim/maxwell/texture_form.h"

namespace texlate::sim::maxwell {
namespace {

Instruction decode_alone(uint64_t word) {
  return decode(word, Control{}, 8);
}

TEST(Decode, AddressesSkipControlWords) {
  EXPECT_EQ(next_address(8), 16u);
  EXPECT_EQ(next_address(24), 40u);
  for (uint32_t index = 0; index < 100; ++index) EXPECT_EQ(index_of(address_of(index)), index);
}

// The control word of three slots in the layout of docs/maxwell-isa.md.
TEST(Decode, ControlWord) {
  const Control first = decode_control(0x001c4400fe0007f6, 0);
  EXPECT_EQ(first.stall, 6);
  EXPECT_FALSE(first.yield);
  EXPECT_EQ(first.write_barrier, kNoBarrier);
  EXPECT_EQ(first.read_barrier, kNoBarrier);
  EXPECT_EQ(first.wait_mask, 0);
  const Control third = decode_control(0x001c4400fe0007f6, 2);
  EXPECT_EQ(third.stall, 1);
  EXPECT_EQ(third.write_barrier, 0);
}

// The texts are nvdisasm's.
TEST(Decode, WordsOfNvidia) {
  const std::pair<uint64_t, const char*> words[] = {
      {0x4c98078000870001, "MOV"},      {0x4b6a0b800517ff17, "ISETP"}, {0xdc7a0507aff11c08, "TLD"},
      {0x0248188800972c2c, "LOP3.LUT"}, {0x3b6f03606ff70408, "VMNMX"}, {0x5424056060970800, "VABSDIFF"},
      {0xef70000000070201, "CCTL"},     {0xd0a0000100870e0f, "TEXS"},  {0xdf58000000070000, "TMML"},
      {0x5b00000000070000, "XMAD"},     {0x4e00000000070000, "XMAD"},  {0x0000000000000000, "?"},
  };
  for (const auto& [word, name] : words) EXPECT_EQ(decode_alone(word).name(), name) << std::hex << word;
}

TEST(Decode, WhatAFetchReadsAndWrites) {
  // TLD.LZ.CL.NODEP.T R8, R28, 0x50, 2D, 0xf
  const Instruction i = decode_alone(0xdc7a0507aff11c08);
  ASSERT_EQ(i.read_count, 1);
  EXPECT_EQ(i.reads[0].first, 28);
  EXPECT_EQ(i.reads[0].count, 2);
  ASSERT_EQ(i.write_count, 1);
  EXPECT_EQ(i.writes[0].first, 8);
  EXPECT_EQ(i.writes[0].count, 4);
  EXPECT_EQ(i.guard, 1);
  EXPECT_EQ(i.predicates_written, 0);
  EXPECT_TRUE(i.operand_fault.empty()) << i.operand_fault;
}

// Every value of the short forms' form field: RZ is a fault exactly if a value is needed, and so is a
// misaligned vector.
TEST(Decode, ShortFormsKnowTheirVectors) {
  uint32_t legal = 0;
  for (uint64_t form = 0; form < 16; ++form) {
    const uint64_t texs = 0xd800000ff0000000 | form << 53;
    const Instruction aligned = decode_alone(texs | 4 << 8 | uint64_t{8} << 20 | 0x70000);
    const Instruction none = decode_alone(texs | 255 << 8 | uint64_t{255} << 20 | 0x70000);
    const TextureForm shape = texture_form(aligned);
    if (!shape.fault.empty()) {
      EXPECT_EQ(aligned.run, nullptr);
      continue;
    }
    ++legal;
    const bool one = form == 0;  // only .LZ 1D has nothing in Rb
    EXPECT_EQ(aligned.operand_fault.empty(), !one) << form;
    EXPECT_FALSE(none.operand_fault.empty()) << form;
    const Instruction odd = decode_alone(texs | 5 << 8 | uint64_t{9} << 20 | 0x70000);
    EXPECT_EQ(odd.operand_fault.empty(), shape.a.count < 2 && shape.b.count < 2 && !one) << form;
  }
  EXPECT_EQ(legal, 14u);
}

// No opcode decodes without a handler unless it gives a reason; the sweep covers every value of the upper 16
// bits.
TEST(Decode, EveryWordIsExecutedOrExplained) {
  std::map<std::string_view, uint32_t> executed;
  for (uint64_t top = 0; top < 65536; ++top) {
    const Instruction i = decode_alone(top << 48 | 0x70000);
    if (i.run == nullptr) {
      EXPECT_FALSE(i.why.empty()) << std::hex << top;
    } else {
      ++executed[i.name()];
    }
  }
  EXPECT_GT(executed.size(), 100u);
}

}  // namespace
}  // namespace texlate::sim::maxwell
