// Listings and the files that they come from and become: every fact in the headers has its directive, and
// what is missing or contradicts the code is an error on its line.
#include "backend/maxwell/containers.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "backend/maxwell/isa/cubin.h"
#include "backend/maxwell/isa/dksh.h"
#include "ir/base/diagnostics.h"

namespace texlate::maxwell {
namespace {

using testing::HasSubstr;
using testing::Not;

const std::string kCode =
    "  --:-:-:Y:6     MOV R1, c[0x0][0x20];\n"
    "  --:-:-:Y:6     FADD R0, R1, R7;\n"
    "  --:-:-:Y:15    EXIT;\n";
const std::string kCubin =
    ".kernel blur\n"
    ".sm 53\n"
    ".registers 8\n"
    ".parameters 320\n"
    ".local 48\n"
    ".shared 1024\n"
    ".barriers 1\n"
    ".branches 3\n"
    ".threads 8 4 2\n"
    ".constants 0x3f800000 0x00000000 0x00000001 0x00000002 0x00000003 0x00000004 0x00000005 0x00000006\n"
    ".constants 0xffffffff\n";
const std::string kCompute =
    ".stage compute\n"
    ".registers 12\n"
    ".local 48\n"
    ".shared 1024\n"
    ".barriers 2\n"
    ".call_stack 4096\n"
    ".threads 8 4 2\n"
    ".constants 0x3f800000 0x00000001\n";
// A pixel program of version 3 that writes all of target 0.
const std::string kPixel =
    ".stage pixel\n"
    ".registers 9\n"
    ".early_tests\n"
    ".per_sample\n"
    ".header 0x00061462 0x00000010 0x00000000 0x00000000 0x000ff000 0x00000000 0x000000ff 0x00000000\n"
    ".header 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000\n"
    ".header 0x00000000 0x00000000 0x0000000f 0x00000003\n";

// A domain program of version 3 that reads control points and writes the position and two registers.
const std::string kDomain =
    ".stage domain\n"
    ".registers 9\n"
    ".tessellator triangle fractional_even triangles_ccw\n"
    ".header 0x00060c61 0x00000000 0x00000000 0x00000000 0xbd0bc000 0x00000000 0x00000007 0x00000000\n"
    ".header 0x00000000 0x00000000 0x00000000 0x00000000 0x00000000 0x0370f000 0x00000000 0x00000000\n"
    ".header 0x00000000 0x00000000 0x00003000 0x00000000\n";

std::string made(const std::string& listing, Container container) {
  Diagnostics diagnostics;
  std::pmr::string file;
  EXPECT_TRUE(assemble(listing, container, file, diagnostics))
      << render(diagnostics.list().front(), "t.sass", listing);
  return std::string(file);
}

std::string listed(const std::string& file) {
  Diagnostics diagnostics;
  std::string listing;
  EXPECT_TRUE(
      disassemble_file({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, listing, diagnostics));
  return listing;
}

/// All errors, as a compiler prints them.
std::string errors(const std::string& listing, Container container) {
  Diagnostics diagnostics;
  std::pmr::string file;
  EXPECT_FALSE(assemble(listing, container, file, diagnostics)) << listing;
  std::string text;
  for (const Diagnostic& one : diagnostics.list()) text += render(one, "t.sass", listing);
  return text;
}

std::string without_line(const std::string& text, const std::string& begin) {
  const size_t at = text.find(begin + " ");
  return at == std::string::npos ? text : std::string(text).erase(at, text.find('\n', at) + 1 - at);
}

TEST(Containers, EveryFactOfACubinComesBack) {
  const std::string file = made(kCubin + kCode, Container::cubin);
  EXPECT_EQ(listed(file).substr(0, kCubin.size()), kCubin);
  EXPECT_EQ(made(listed(file), Container::cubin), file);
  Diagnostics diagnostics;
  Cubin cubin;
  ASSERT_TRUE(read_cubin({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, cubin, diagnostics));
  ASSERT_EQ(cubin.kernels.size(), 1u);
  EXPECT_EQ(cubin.sm, 53u);
  EXPECT_EQ(cubin.kernels[0].name, "blur");
  EXPECT_EQ(cubin.kernels[0].register_count, 8u);
  EXPECT_EQ(cubin.kernels[0].barrier_count, 1u);
  EXPECT_EQ(cubin.kernels[0].shared_bytes, 1024u);
  EXPECT_EQ(cubin.constants.size(), 36u);
}

/// The attributes of the kernel's information, in order.
std::vector<uint8_t> attributes(const std::string& code) {
  const std::string file = made(kCubin + code, Container::cubin);
  Diagnostics diagnostics;
  Cubin cubin;
  EXPECT_TRUE(read_cubin({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, cubin, diagnostics));
  const std::span<const uint8_t> info = cubin.kernels.at(0).info;
  constexpr uint8_t kSizedValue = 4;
  std::vector<uint8_t> found;
  for (size_t at = 0; at + 4 <= info.size();) {
    found.push_back(info[at + 1]);
    at += 4 + (info[at] == kSizedValue ? info[at + 2] + 256u * info[at + 3] : 0u);
  }
  return found;
}

TEST(Containers, CubinsSayWhatTheirCodeHas) {
  using testing::Contains;
  constexpr uint8_t kWar1850030 = 0x2a, kWar2393858 = 0x30, kGroupIds = 0x1d, kGroupIdZ = 0x04;
  const std::string read_y = "  --:-:0:Y:2 S2R R0, SR_CTAID.Y;\n",
                    read_z = "  --:-:0:Y:2 S2R R0, SR_CTAID.Z;\n";
  // ptxas's workarounds are yielding NOPs, which this code does not have.
  for (const uint8_t attribute : {kWar1850030, kWar2393858, kGroupIds, kGroupIdZ})
    EXPECT_THAT(attributes(kCode), Not(Contains(attribute)));
  EXPECT_THAT(attributes(read_y + kCode), Contains(kGroupIds));
  EXPECT_THAT(attributes(read_y + kCode), Not(Contains(kGroupIdZ)));
  EXPECT_THAT(attributes(read_z + kCode), Contains(kGroupIds));
  EXPECT_THAT(attributes(read_z + kCode), Contains(kGroupIdZ));
}

TEST(Containers, EveryFactOfADkshComesBack) {
  for (const std::string& directives : {kCompute, kPixel, kDomain}) {
    const std::string file = made(directives + kCode, Container::dksh);
    const std::string listing = listed(file);
    for (size_t at = 0, end = 0; at < directives.size(); at = end + 1) {
      end = directives.find('\n', at);
      EXPECT_THAT(listing, HasSubstr(directives.substr(at, end + 1 - at)));
    }
    EXPECT_EQ(made(listing, Container::dksh), file);
  }
}

TEST(Containers, FactsThatAreZeroHaveNoLine) {
  const std::string least = ".kernel main\n.sm 52\n.registers 8\n.parameters 0\n";
  EXPECT_THAT(listed(made(least + kCode, Container::cubin)), testing::StartsWith(least + "  --"));
}

TEST(Containers, AMissingFactIsNamed) {
  for (const char* const name : {".sm", ".registers", ".parameters"}) {
    EXPECT_THAT(errors(without_line(kCubin, name) + kCode, Container::cubin),
                HasSubstr(std::string("t.sass:1:1: error: a cubin needs '") + name + "'"));
  }
  for (const char* const name : {".stage", ".registers", ".threads"}) {
    EXPECT_THAT(errors(without_line(kCompute, name) + kCode, Container::dksh),
                HasSubstr(std::string("error: a deko3d program needs '") + name + "'"));
  }
  EXPECT_THAT(errors(".stage vertex\n.registers 8\n" + kCode, Container::dksh), HasSubstr("needs '.header'"));
  EXPECT_THAT(errors(without_line(kDomain, ".tessellator") + kCode, Container::dksh),
              HasSubstr("error: a deko3d program needs '.tessellator'"));
}

TEST(Containers, WhatContradictsTheCodeIsRefused) {
  const auto with = [](std::string text, const std::string& from, const std::string& to) {
    return text.replace(text.find(from), from.size(), to) + kCode;
  };
  EXPECT_THAT(errors(with(kCubin, ".registers 8", ".registers 7"), Container::cubin),
              HasSubstr("t.sass:3:1: error: the code uses R7, but the program has 7 registers"));
  EXPECT_THAT(errors(with(kCubin, ".registers 8", ".registers 256"), Container::cubin),
              HasSubstr("a thread has at most 255"));
  EXPECT_THAT(errors(with(kCubin, ".sm 53", ".sm 60"), Container::cubin),
              HasSubstr("t.sass:2:1: error: sm_60"));
  EXPECT_THAT(errors(with(kCubin, ".parameters 320", ".parameters 4000"), Container::cubin),
              HasSubstr("at most 3776 bytes"));
  EXPECT_THAT(errors(with(kPixel, " 0x00000003", ""), Container::dksh), HasSubstr("19 words, not 20"));
  EXPECT_THAT(errors(with(kPixel, " 0x00000003", " 0xf0000003"), Container::dksh),
              HasSubstr("bits that no field"));
  EXPECT_THAT(errors(kCubin + kCode + ".kernel next\n" + kCode, Container::cubin),
              HasSubstr("the listing has 2 programs"));
  EXPECT_THAT(errors(kCubin, Container::cubin), HasSubstr("error: "));
}

TEST(Containers, TheCodeIsThatOfTheListedTarget) {
  const std::string half = ".registers 8\n.parameters 0\n  --:-:-:Y:6 HADD2 R0, R1, R2;\n" + kCode;
  EXPECT_THAT(errors(".kernel a\n.sm 52\n" + half, Container::cubin),
              HasSubstr("t.sass:5:14: error: half precision and f16 texture results need sm_53"));
  EXPECT_FALSE(made(".kernel a\n.sm 53\n" + half, Container::cubin).empty());
  Diagnostics diagnostics;
  std::pmr::string out;
  AssembleOptions options;
  options.sm = 50;
  EXPECT_FALSE(assemble(kCubin + kCode, Container::cubin, out, diagnostics, options));
  EXPECT_EQ(diagnostics.list().at(0).message, "the listing is for sm_53, not for sm_50");
}

TEST(Containers, AByteOrderMarkIsNoText) {
  EXPECT_EQ(made("\xef\xbb\xbf" + kCubin + kCode, Container::cubin), made(kCubin + kCode, Container::cubin));
}

TEST(Containers, DirectivesAreReadStrictly) {
  const auto one = [](const std::string& line) {
    return errors(".kernel a\n" + line + "\n" + kCode, Container::cubin);
  };
  EXPECT_THAT(one(".color 3"), HasSubstr("t.sass:2:1: error: unknown directive '.color'"));
  EXPECT_THAT(one(".registers"), HasSubstr("'.registers' takes one number"));
  EXPECT_THAT(one(".registers 8 9"), HasSubstr("takes one number"));
  EXPECT_THAT(one(".registers 0x8"), HasSubstr("takes one number"));
  EXPECT_THAT(one(".registers 4294967296"), HasSubstr("takes one number"));
  EXPECT_THAT(one(".registers 8\n.registers 8"),
              HasSubstr("t.sass:3:1: error: '.registers' is given twice, first on line 2"));
  EXPECT_THAT(one(".threads 8 8"), HasSubstr("takes three numbers"));
  EXPECT_THAT(one(".early_tests 1"), HasSubstr("takes nothing"));
  EXPECT_THAT(one(".constants 1"), HasSubstr("takes hexadecimal words"));
  EXPECT_THAT(one(".stage hall"), HasSubstr("takes vertex, pixel"));
  for (const char* const mode : {"quad integer", "quads integer lines", "quad pow2 lines",
                                 "quad integer lines 4", "quad integer triangles"})
    EXPECT_THAT(one(std::string(".tessellator ") + mode), HasSubstr("takes isoline, triangle or quad"));
}

// A program with directives is a whole one. ptxas, too, writes a branch to itself after EXIT, and NOPs to 64
// bytes.
TEST(Containers, AssembledToWordsDirectivesAddTheEnd) {
  const std::string nop = "  --:-:-:Y:0 NOP;\n", written = "L:\n  --:-:-:Y:15 BRA L;\n" + nop + nop;
  const auto words = [](const std::string& listing) {
    Diagnostics diagnostics;
    std::vector<uint8_t> out;
    EXPECT_TRUE(assemble(listing, out, diagnostics)) << listing;
    return out;
  };
  EXPECT_EQ(words(kCode).size(), 32u);
  EXPECT_EQ(words(kCubin + kCode), words(kCode + written));
  EXPECT_EQ(words(kCubin + kCode + written), words(kCode + written));
  // Two groups: two more.
  EXPECT_EQ(words(kCubin + kCode + kCode), words(kCode + kCode + written + nop + nop + nop));
}

// The reader tells from the bytes whether a listing can say everything.
TEST(Containers, FilesWithMoreThanAListingSaysAreForInto) {
  std::string file = made(kCubin + kCode, Container::cubin);
  const std::string marked = "other compiler";
  const std::string listing = listed(file + marked);
  EXPECT_THAT(listing, testing::StartsWith("// The headers of this file have more than a listing can say"));
  EXPECT_THAT(listing, HasSubstr(".kernel blur  // sm_53, 8 registers\n"));
  EXPECT_THAT(listing, Not(HasSubstr(".parameters")));
  EXPECT_THAT(listing, HasSubstr("FADD R0, R1, R7;"));
}

// Sizes of records that the section cuts off, and every byte of the headers changed: no crash, and either the
// same file or the comment.
TEST(Containers, HostileFilesAreListedOrRefused) {
  for (const auto& [directives, container] :
       {std::pair{kCubin, Container::cubin}, std::pair{kPixel, Container::dksh},
        std::pair{kDomain, Container::dksh}}) {
    const std::string file = made(directives + kCode, container);
    for (size_t at = 4; at < file.size(); ++at) {
      std::string broken = file;
      broken[at] = static_cast<char>(broken[at] ^ 0x55);
      Diagnostics diagnostics;
      std::string listing;
      if (!disassemble_file({reinterpret_cast<const uint8_t*>(broken.data()), broken.size()}, listing,
                            diagnostics) ||
          listing.starts_with("// The headers")) {
        continue;
      }
      std::pmr::string again;
      if (assemble(listing, container, again, diagnostics, {.constraints = false})) {
        EXPECT_EQ(std::string(again), broken) << at;
      }
    }
  }
}

}  // namespace
}  // namespace texlate::maxwell
