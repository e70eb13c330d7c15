// deko3d programs: the header's bits and the container's fields are where the documents have them
// (docs/reference/maxwell-graphics.md 2 and 3), and the graphics interface is selected correctly.
#include "backend/maxwell/isa/dksh.h"

#include <gtest/gtest.h>

#include <cstring>

#include "backend/maxwell/graphics/program.h"
#include "backend/maxwell/guarantees.h"
#include "backend/maxwell/isa/listing.h"
#include "tests/support/ir_text.h"

namespace texlate::maxwell {
namespace {

uint32_t bit_of(const ProgramHeaderBytes& bytes, uint32_t bit) {
  return bytes[bit / 8] >> (bit % 8) & 1u;
}

TEST(ProgramHeader, BitsStandWhereTheDocumentHasThem) {
  ProgramHeader header;
  header.stage = ProgramStage::pixel;
  header.kills_pixels = true;
  header.inputs[0x7c / 4] = 1;
  header.inputs[0x80 / 4] = static_cast<uint8_t>(InputMode::perspective);
  header.inputs[0x27c / 4] = static_cast<uint8_t>(InputMode::screen_linear);
  header.targets[0] = 0xf;
  header.targets[7] = 0x3;
  header.writes_depth = true;
  const ProgramHeaderBytes bytes = encode_header(header);
  EXPECT_EQ(bytes[0] & 31, 2);  // a pixel program
  EXPECT_EQ(bytes[1] >> 2 & 15, 5);
  EXPECT_EQ(bit_of(bytes, 15), 1u);
  EXPECT_EQ(bit_of(bytes, 16), 0u);
  EXPECT_EQ(bit_of(bytes, 20 * 8 + 31), 1u);  // position w
  EXPECT_EQ(bytes[24], 2);                    // generic 0 x: two bits
  EXPECT_EQ(bytes[24 + 31], 0xc0);            // generic 31 w
  EXPECT_EQ(bytes[72], 0x0f);
  EXPECT_EQ(bytes[75], 0x30);
  EXPECT_EQ(bytes[76], 2);
  EXPECT_EQ(bytes[4 * 4 + 1] >> 4 | (bytes[4 * 4 + 2] & 15) << 4, 0xff);  // nothing is read back
  EXPECT_EQ(bytes[4 * 4 + 3], 0);
}

TEST(ProgramHeader, VertexMapsStandWhereTheDocumentHasThem) {
  ProgramHeader header;
  header.inputs[0x80 / 4] = 1;
  header.inputs[0x2fc / 4] = 1;
  header.outputs[0x70 / 4] = 1;
  header.outputs[0x9c / 4] = 1;
  header.outputs[0x2c0 / 4] = 1;
  header.outputs[0x3a0 / 4] = 1;
  const ProgramHeaderBytes bytes = encode_header(header);
  EXPECT_EQ(bytes[0] & 31, 1);
  EXPECT_EQ(bytes[24], 1);
  EXPECT_EQ(bytes[43], 0x80);  // vertex id: bit 47 of the system values
  EXPECT_EQ(bytes[53], 0x10);  // position x: bit 28
  EXPECT_EQ(bytes[54], 0x80);  // generic 1 w
  EXPECT_EQ(bytes[72], 1);     // clip distance 0: bit 32
  EXPECT_EQ(bytes[79], 1);     // viewport mask
}

TEST(ProgramHeader, EveryAttributeComesBackAlone) {
  constexpr uint32_t kViewportMask = 0x3a0 / 4;  // only as an output
  for (const ProgramStage stage : {ProgramStage::vertex, ProgramStage::pixel}) {
    for (uint32_t word = 0; word < kAttributeWords; ++word) {
      ProgramHeader header;
      header.stage = stage;
      if (has_input_bit(stage, word)) header.inputs[word] = 1;
      if (stage == ProgramStage::vertex && (has_input_bit(stage, word) || word == kViewportMask))
        header.outputs[word] = 1;
      EXPECT_EQ(decode_header(encode_header(header)), header) << word;
    }
  }
}

DkshProgram pixel_program() {
  DkshProgram program;
  program.stage = DkshStage::pixel;
  program.header.stage = ProgramStage::pixel;
  program.header.targets[0] = 0xf;
  program.header.local_bytes = 32;
  program.registers = 7;
  program.words.assign(8, 0x50b0000000070f00);
  program.words[0] = program.words[4] = 0x001f8000fc0007e0;
  program.constants = {1, 2, 3, 4};
  return program;
}

uint32_t word_at(const std::pmr::string& file, size_t at) {
  uint32_t value;
  std::memcpy(&value, file.data() + at, 4);
  return value;
}

TEST(Dksh, FieldsStandWhereTheDocumentHasThem) {
  std::pmr::string file;
  write_dksh(pixel_program(), file);
  EXPECT_EQ(file.substr(0, 4), "DKSH");
  EXPECT_EQ(word_at(file, 4), 24u);
  EXPECT_EQ(word_at(file, 8), 256u);
  EXPECT_EQ(word_at(file, 12) % 256, 0u);
  EXPECT_EQ(file.size(), 256 + word_at(file, 12));
  EXPECT_EQ(word_at(file, 16), 24u);
  EXPECT_EQ(word_at(file, 20), 1u);
  EXPECT_EQ(word_at(file, 24), 1u);  // pixel
  EXPECT_EQ(word_at(file, 28), 0x30u);
  EXPECT_EQ(word_at(file, 32), 7u);
  EXPECT_EQ(word_at(file, 36) % 256, 0u);
  EXPECT_EQ(word_at(file, 40), 16u);
  EXPECT_EQ(word_at(file, 44), 32u * 32);          // scratch of a warp
  EXPECT_EQ(word_at(file, 24 + 44), 0x087f6080u);  // the same value as in uam
  EXPECT_EQ(word_at(file, 256 + word_at(file, 36)), 1u);
  // Code from 0x80, 64 bytes at a time, ended by a branch to itself.
  EXPECT_EQ(word_at(file, 256 + 0x80 + 8), 0x00070f00u);
  EXPECT_EQ(word_at(file, 256 + 0x80 + 64 + 12) >> 20, 0xe24u);
}

TEST(Dksh, ReadsBackWhatItWrote) {
  const DkshProgram program = pixel_program();
  std::pmr::string file;
  write_dksh(program, file);
  DkshProgram again;
  Diagnostics diagnostics;
  ASSERT_TRUE(read_dksh({reinterpret_cast<const uint8_t*>(file.data()), file.size()}, again, diagnostics));
  EXPECT_EQ(again.header, program.header);
  EXPECT_EQ(again.constants, program.constants);
  EXPECT_EQ(again.registers, program.registers);
  ASSERT_EQ(again.words.size(), program.words.size() + 8);
  EXPECT_TRUE(std::equal(program.words.begin(), program.words.end(), again.words.begin()));
}

TEST(Dksh, BrokenFilesAreRefused) {
  std::pmr::string file;
  write_dksh(pixel_program(), file);
  const auto reads = [](const std::pmr::string& bytes) {
    DkshProgram out;
    Diagnostics diagnostics;
    const bool good =
        read_dksh({reinterpret_cast<const uint8_t*>(bytes.data()), bytes.size()}, out, diagnostics);
    EXPECT_EQ(good, diagnostics.error_count() == 0);
    return good;
  };
  ASSERT_TRUE(reads(file));
  for (size_t size = 4; size < file.size(); size += 4) EXPECT_FALSE(reads(file.substr(0, size))) << size;
  for (const size_t at : {4u, 8u, 12u, 16u, 20u, 24u, 28u, 36u, 40u}) {
    std::pmr::string broken = file;
    const uint32_t value = 0xfffffff0;
    std::memcpy(broken.data() + at, &value, 4);
    EXPECT_FALSE(reads(broken)) << at;
  }
}

// ---- selection

struct Made {
  bool good = false;
  std::string listing, messages;
  DkshProgram dksh;
};

Made make(const std::string& text) {
  ir::Module module;
  ir::parse_or_fail(text, module);
  Diagnostics diagnostics;
  graphics::Program program(module.memory());
  Made made;
  made.good = ir::legalize(module, graphics_guarantees(), diagnostics) &&
              graphics::make_program(module, {}, nullptr, program, diagnostics);
  made.messages = ir::to_text(diagnostics, text);
  if (!made.good) return made;
  made.dksh = program.dksh;
  disassemble_program(program.dksh.words, made.listing, diagnostics);
  return made;
}

size_t count(const Made& made, std::string_view what) {
  size_t found = 0;
  for (size_t at = made.listing.find(what); at != std::string::npos; at = made.listing.find(what, at + 1))
    ++found;
  return found;
}

TEST(Graphics, InterpolationIsTheDeclared) {
  const Made made = make(
      "module pixel 5.0 \"main\"\ninput v0.xyzw linear\ninput v1.x constant\ninput v2.x "
      "linear_noperspective\n"
      "input v3.x linear_centroid\noutput o0.xyzw\ncode {\n  %0 = input v0.y\n  %1 = input v1.x\n"
      "  %2 = input v2.x\n  %3 = input v3.x\n  output o0.x, %0\n  output o0.y, %1\n  output o0.z, %2\n"
      "  output o0.w, %3\n}\n");
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_EQ(count(made, "IPA.PASS R"), 2u) << made.listing;  // w, and the attribute linear in screen space
  EXPECT_EQ(count(made, "IPA R"), 1u);
  EXPECT_EQ(count(made, "a[0x84]"), 1u);
  EXPECT_EQ(count(made, "IPA.CONSTANT R"), 1u);
  EXPECT_EQ(count(made, "IPA.PASS.CENTROID"), 1u);  // w at the centroid
  EXPECT_EQ(count(made, "IPA.CENTROID"), 1u);
  EXPECT_EQ(count(made, "MUFU.RCP"), 2u);
  // Only inputs that are read are listed.
  EXPECT_EQ(made.dksh.header.inputs[0x80 / 4], 0);
  EXPECT_EQ(made.dksh.header.inputs[0x84 / 4], static_cast<uint8_t>(InputMode::perspective));
  EXPECT_EQ(made.dksh.header.inputs[0x90 / 4], static_cast<uint8_t>(InputMode::constant));
  EXPECT_EQ(made.dksh.header.inputs[0xa0 / 4], static_cast<uint8_t>(InputMode::screen_linear));
  EXPECT_EQ(made.dksh.header.inputs[0xb0 / 4], static_cast<uint8_t>(InputMode::perspective));
}

TEST(Graphics, PixelsAreKilledAtTheEnd) {
  const Made made = make(
      "module pixel 5.0 \"main\"\ninput v0.xy linear\noutput o0.x\ncode {\n  %0 = input v0.x\n"
      "  %1 = flt.f32 %0, 0.5f\n  discard %1\n  %2 = ddx.fine %0\n  output o0.x, %2\n}\n");
  ASSERT_TRUE(made.good) << made.messages;
  ASSERT_EQ(count(made, "KIL;"), 1u) << made.listing;
  // The neighbors need the difference first.
  EXPECT_LT(made.listing.find("FSWZADD"), made.listing.find("KIL;"));
  EXPECT_TRUE(made.dksh.header.kills_pixels);
  EXPECT_FALSE(made.dksh.header.stores_to_memory);
}

// The hardware does not run a pixel stage that has neither (docs/reference/maxwell-graphics.md 2).
TEST(Graphics, WithoutColorAndDepthTarget0IsEnabled) {
  const std::string begin = "module pixel 5.0 \"main\"\ninput v0.x linear\n";
  const std::string discard = "  %0 = input v0.x\n  %1 = flt.f32 %0, 0.5f\n  discard %1\n";
  const Made neither = make(begin + "code {\n" + discard + "}\n");
  ASSERT_TRUE(neither.good) << neither.messages;
  EXPECT_EQ(neither.dksh.header.targets[0], 0xf);
  const Made depth =
      make(begin + "output depth.x sv(depth)\ncode {\n" + discard + "  output depth.x, %0\n}\n");
  ASSERT_TRUE(depth.good) << depth.messages;
  EXPECT_EQ(depth.dksh.header.targets[0], 0);
  EXPECT_TRUE(depth.dksh.header.writes_depth);
}

TEST(Graphics, VertexInputsAndOutputsAreVectors) {
  const Made made = make(
      "module vertex 5.0 \"main\"\ninput v0.xyzw\noutput o0.xyzw sv(position)\noutput o1.xy\ncode {\n"
      "  %0 = input v0.x\n  %1 = input v0.y\n  %2 = input v0.z\n  %3 = input v0.w\n  output o0.x, %0\n"
      "  output o0.y, %1\n  output o0.z, %2\n  output o0.w, %3\n  output o1.x, %3\n  output o1.y, %2\n}\n");
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_EQ(count(made, "ALD.128 R0, a[0x80]"), 1u) << made.listing;
  EXPECT_EQ(count(made, "AST.128 a[0x70], R0"), 1u);
  EXPECT_EQ(count(made, "AST.64 a[0x90]"), 1u);
  EXPECT_EQ(made.dksh.header.outputs[0x90 / 4], 1);
  EXPECT_EQ(made.dksh.header.outputs[0x98 / 4], 0);
}

TEST(Graphics, ConstantBuffersAreOperands) {
  const Made made = make(
      "module pixel 5.0 \"main\"\nconstant_buffer cb1 rows(4)\noutput o0.x\ncode {\n"
      "  %0..%3 = cb.load cb1[2]\n  %4 = fadd.f32 %0, %3\n  output o0.x, %4\n}\n");
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_EQ(count(made, "c[0x3][0x2c]"), 1u) << made.listing;
  EXPECT_EQ(count(made, "c[0x3][0x20]"), 1u);
  EXPECT_EQ(count(made, "LD"), 0u);
}

std::string geometry_of(const char* head) {
  return std::string("module geometry 5.0 \"main\"\ninput_primitive 3\n") + head +
         "input v0.xyzw sv(position) array(3)\ninput v1.xy array(3)\noutput o0.xyzw sv(position)\ncode {\n"
         "  %0 = input v0.x vertex(0)\n  %1 = input v1.y vertex(2)\n  output o0.x, %0\n  output o0.y, %1\n"
         "  output o0.z, %0\n  output o0.w, %0\n  emit 0\n  cut 0\n}\n";
}

TEST(Graphics, GeometryHeadersCountVerticesAndInstances) {
  const Made made = make(geometry_of("output_topology 5\nmax_vertex_count 256\ngs_instances 7\n"));
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_EQ(made.dksh.stage, DkshStage::geometry);
  const ProgramHeader& header = made.dksh.header;
  EXPECT_EQ(header.threads, 7);
  EXPECT_EQ(header.max_vertices, 256);
  EXPECT_EQ(header.topology, ProgramTopology::triangle_strip);
  EXPECT_EQ(header.stream_mask, 1);
  EXPECT_EQ(header.inputs[0x70 / 4], 1);
  EXPECT_EQ(header.inputs[0x94 / 4], 1);
  EXPECT_EQ(header.inputs[0x90 / 4], 0);
  // A handle for each vertex that is read; the cut is part of the emission.
  EXPECT_EQ(count(made, "ISBERD"), 2u) << made.listing;
  EXPECT_EQ(count(made, "OUT.EMIT_THEN_CUT R0, "), 1u);
  const Made points = make(geometry_of("output_topology 1\nmax_vertex_count 1\n"));
  ASSERT_TRUE(points.good) << points.messages;
  EXPECT_EQ(count(points, "OUT.EMIT R0, "), 1u) << points.listing;
  const Made more = make(geometry_of("output_topology 1\nmax_vertex_count 257\n"));
  EXPECT_FALSE(more.good);
  EXPECT_NE(more.messages.find("257 vertices of 4 words"), std::string::npos) << more.messages;
}

TEST(Graphics, DistancesAreInTheOrderOfRegistersHoweverTheyAreDeclared) {
  const Made made = make(
      "module geometry 5.0 \"main\"\ninput_primitive 1\noutput_topology 1\nmax_vertex_count 1\n"
      "input v2.zw sv(cull_distance) array(1)\ninput v2.xy sv(clip_distance) array(1)\n"
      "input v1.xyzw sv(clip_distance) array(1)\noutput o2.x sv(clip_distance)\n"
      "output o1.xyzw sv(clip_distance)\ncode {\n  %0 = input v2.y vertex(0)\n  %1 = input v2.w vertex(0)\n"
      "  output o2.x, %0\n  output o1.w, %1\n  emit 0\n}\n");
  ASSERT_TRUE(made.good) << made.messages;
  EXPECT_EQ(made.dksh.header.inputs[0x2d4 / 4], 1) << made.listing;
  EXPECT_EQ(made.dksh.header.inputs[0x2dc / 4], 1) << made.listing;
  EXPECT_EQ(made.dksh.header.outputs[0x2d0 / 4], 1) << made.listing;
  EXPECT_EQ(made.dksh.header.outputs[0x2cc / 4], 1) << made.listing;
}

TEST(ProgramHeader, FieldsOfHullAndGeometryPrograms) {
  ProgramHeader header;
  header.stage = ProgramStage::hull;
  header.threads = 32;
  header.patch_words = 0xa8;
  header.store_first = 0x20;
  header.store_last = 0x23;
  ProgramHeaderBytes bytes = encode_header(header);
  EXPECT_EQ(bytes[7], 0xa8);                                 // word 1, bits 24..31
  EXPECT_EQ(bytes[11], 32);                                  // word 2, bits 24..31
  EXPECT_EQ(bytes[15] >> 4, 0x8);                            // word 3, bits 28..31
  EXPECT_EQ(bytes[18] >> 4, 0xa);                            // word 4, bits 20..23
  EXPECT_EQ(bytes[17] >> 4 | (bytes[18] & 0xf) << 4, 0x20);  // word 4, bits 12..19
  EXPECT_EQ(bytes[19], 0x23);
  EXPECT_EQ(decode_header(bytes), header);
  header = {};
  header.stage = ProgramStage::geometry;
  header.threads = 5;
  header.topology = ProgramTopology::line_strip;
  header.max_vertices = 1024;
  header.stream_mask = 9;
  bytes = encode_header(header);
  EXPECT_EQ(bytes[3] >> 4, 9);
  EXPECT_EQ(bytes[15], 6);
  EXPECT_EQ(bytes[16] | (bytes[17] & 0xf) << 8, 1024);
  EXPECT_EQ(decode_header(bytes), header);
}

TEST(Dksh, ModesOfTheTessellator) {
  DkshProgram program;
  program.stage = DkshStage::domain;
  program.header.stage = ProgramStage::domain;
  program.words.assign(4, 0);
  program.tessellator = {TessellationMode::Domain::quad, TessellationMode::Spacing::fractional_odd,
                         TessellationMode::Primitives::triangles_ccw};
  std::pmr::string file;
  write_dksh(program, file);
  EXPECT_EQ(file[24 + 24], 0x12);
  EXPECT_EQ(file[24 + 25], 0x03);
}

TEST(Graphics, WhatHasNoPlaceIsRefused) {
  const Made stencil = make(
      "module pixel 5.0 \"main\"\noutput stencil_ref.x sv(stencil_ref) component_type(1)\ncode {\n  output "
      "stencil_ref.x, 1\n}\n");
  EXPECT_FALSE(stencil.good);
}

// TXD does not compare: the level is computed, as an isotropic sampler would choose it.
TEST(Graphics, ComparisonsWithDerivativesTakeALevel) {
  const Made made = make(
      "module pixel 5.0 \"main\"\nresource t0 texture2d float\nsampler s0 comparison\n"
      "input v0.xy linear\noutput o0.x\ncode {\n  %0 = input v0.x\n  %1 = input v0.y\n"
      "  %2..%5 = tex.sample t0 s0 texture2d float coord(%0, %1) compare(%0) ddx(%0, %1) ddy(%0, %1) "
      "gradient\n  output o0.x, %2\n}\n");
  EXPECT_TRUE(made.good) << made.messages;
  EXPECT_NE(made.listing.find(".LL.DC"), std::string::npos) << made.listing;
}

}  // namespace
}  // namespace texlate::maxwell
