// Located diagnostics for what is not PTX, and for PTX that the machine or ptxas refuses.
#include "tests/unit/sim_ptx/ptx_fixture.h"

namespace texlate::sim::ptx {
namespace {

void expect_error(std::string_view body, uint32_t line, uint32_t column, std::string_view message) {
  const std::string text = fmt::format(
      "{}.entry k() {{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .pred %p<2>;\n{}\n}}\n", kHeader, body);
  Diagnostics diagnostics;
  EXPECT_EQ(parse(text, diagnostics), nullptr) << body;
  ASSERT_TRUE(diagnostics.has_errors());
  const Diagnostic& d = diagnostics.list()[0];
  EXPECT_EQ(d.message, message);
  EXPECT_EQ(d.location.line, line + 7) << body;
  EXPECT_EQ(d.location.column, column) << body;
}

TEST(PtxParse, LocatedErrors) {
  expect_error("frobnicate.u32 %r0, %r1;", 1, 1, "unknown instruction frobnicate");
  expect_error("add.banana.u32 %r0, %r1, %r2;", 1, 4, "unknown modifier .banana of add");
  expect_error("add.wide.u32 %r0, %r1, %r2;", 1, 4, "add does not take modifier .wide");
  expect_error("add.b8 %r0, %r1, %r2;", 1, 4, "add does not take modifier .b8");
  expect_error("mul.u32 %r0, %r1, %r2;", 1, 1, "mul.u32 has no form with these modifiers");
  expect_error("add.u32 %r0, %r1;", 1, 17, "expected ','");
  expect_error("add.u32 %r0, %r1, %r2, %r3;", 1, 22, "expected ';' after add");
  expect_error("add.u32 %r0, %r9, 1;", 1, 14, "%r9 is not a declared register");
  expect_error("\nadd.u32 %q, %r1, 1;", 2, 9, "%q is not a declared register");
  expect_error("@%r1 add.u32 %r0, %r1, 1;", 1, 2, "%r1 is not a predicate");
  expect_error("add.u32 %p0, %r1, 1;", 1, 9, "%p0 is a predicate");
  expect_error("bra NOWHERE;", 1, 5, "label NOWHERE is not defined");
  expect_error("mov.u32 %r0, 0f3F80000;", 1, 14, "a 0f literal has 8 hex digits");
  expect_error("mov.f64 %rd0, 1.5e;", 1, 15, "malformed number 1.5e");
  expect_error("mov.f64 %rd0, 1e999;", 1, 15, "malformed number 1e999");
  expect_error("ld.global.u32 %r0, [%rd0+x];", 1, 26, "expected an offset");
  expect_error("call missing;", 1, 6, "missing is not a declared function");
  expect_error("ld.global.v2.u32 {%r0}, [%rd0];", 1, 18, "expected 2 elements, found 1");
  expect_error("setp.lt.b32 %p0, %r0, %r1;", 1, 1, "setp.b32 has no form with these modifiers");
  expect_error("cvt.s32.f32 %r0, %r1;", 1, 1, "cvt.s32 has no form with these modifiers");
}

// What ptxas refuses, too.
TEST(PtxParse, ModifiersThatTheTypeOrTheStateSpaceDoesNotHave) {
  for (const char* text : {"div.rn.u32 %r0, %r1, %r2;",
                           "add.ftz.s32 %r0, %r1, %r2;",
                           "mul.lo.sat.s32 %r0, %r1, %r2;",
                           "mad.wide.sat.s32 %rd0, %r1, %r2, %rd1;",
                           "mul.lo.hi.u32 %r0, %r1, %r2;",
                           "sub.sat.cc.s32 %r0, %r1, %r2;",
                           "div.approx.rn.f32 %r0, %r1, %r2;",
                           "add.rz.f16x2 %r0, %r1, %r2;",
                           "fma.f16x2 %r0, %r1, %r2, %r3;",
                           "setp.hi.f32 %p0, %r0, %r1;",
                           "setp.lt.ftz.u32 %p0, %r0, %r1;",
                           "selp.f16x2 %r0, %r1, %r2, %p0;",
                           "cvt.rn.ftz.f64.s32 %rd0, %r1;",
                           "ld.volatile.local.u32 %r0, [%rd0];",
                           "ld.shared.nc.u32 %r0, [%r1];",
                           "ld.global.f16 %r0, [%rd0];",
                           "ld.release.gpu.global.u32 %r0, [%rd0];",
                           "st.global.ca.u32 [%rd0], %r0;",
                           "st.acquire.gpu.global.u32 [%rd0], %r0;",
                           "atom.weak.global.add.u32 %r0, [%rd0], %r1;"}) {
    const std::string name(text, std::string_view(text).find('.'));
    Diagnostics diagnostics;
    EXPECT_EQ(
        parse(std::string(kHeader) +
                  ".entry k() {\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\n.reg .pred %p<2>;\n" + text + "\n}\n",
              diagnostics),
        nullptr)
        << text;
    ASSERT_EQ(diagnostics.error_count(), 1u) << text;
    EXPECT_TRUE(diagnostics.list()[0].message.starts_with(name)) << diagnostics.list()[0].message;
    EXPECT_TRUE(diagnostics.list()[0].message.ends_with("has no form with these modifiers")) << text;
  }
}

// docs/reference/ptx.md 1.2: what ptxas silently accepts and miscompiles must not reach it.
TEST(PtxParse, NeverEmitList) {
  expect_error("tex.2d.v4.f32.s32 {%r0,%r1,%r2,%r3}, [%rd0, %r1];", 1, 45,
               "a vector of 1 does not match the geometry");
  expect_error("tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%rd0, {%r1,%r2}], 5;", 1, 57,
               "this form has no depth comparison; an offset must be in braces");
}

TEST(PtxParse, TextureForms) {
  expect_error("tex.cube.v4.f32.s32 {%r0,%r1,%r2,%r3}, [%rd0, {%r0,%r1,%r2,%r3}];", 1, 21,
               "these coordinates do not match the geometry");
  expect_error("tld4.r.1d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%rd0, {%r0}];", 1, 22,
               "these coordinates do not match the geometry");
  expect_error("tex.2d.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%rd0, %rd1, {%r0,%r1}];", 1, 45,
               "a vector of 1 does not match the geometry");
  expect_error("tex.cube.v4.f32.f32 {%r0,%r1,%r2,%r3}, [%rd0, {%r0,%r1,%r2,%r3}], {1,1};", 1, 67,
               "cubes cannot have an offset");
  expect_error("txq.memory_layout.b32 %r0, [%rd0];", 1, 4, "txq does not take modifier .memory_layout");
  expect_error("suld.b.2d.b32 {%r0}, [%rd0, {%r0,%r1}];", 1, 15,
               "a clamp modifier is required (.trap, .clamp, .zero)");
  expect_error("tex.2d.v2.f32.f32 {%r0,%r1}, [%rd0, {%r0,%r1}];", 1, 19,
               "texture results are vectors of four; those of .f16x2 are vectors of two");
}

TEST(PtxParse, RecoversAndReportsSeveral) {
  const std::string text =
      std::string(kHeader) +
      ".entry k() {\nfoo.u32 %r;\n.reg .b32 %r;\nbar2 x;\nst.global.v2.u32 [%r], {%r, %q};\n"
      "add.u32 %r, %r, 1;\nbaz;\n}\n";
  Diagnostics diagnostics;
  EXPECT_EQ(parse(text, diagnostics), nullptr);
  EXPECT_EQ(diagnostics.error_count(), 4u);
}

TEST(PtxParse, ModuleLevel) {
  Diagnostics diagnostics;
  EXPECT_EQ(parse("banana", diagnostics), nullptr);
  Diagnostics size;
  EXPECT_EQ(parse(".version 6.3\n.target sm_75\n.address_size 32\n", size), nullptr);
  EXPECT_EQ(size.list()[0].message, "only .address_size 64 is supported");
  Diagnostics undefined;
  EXPECT_EQ(parse(".func f();\n", undefined), nullptr);
  Diagnostics twice;
  EXPECT_EQ(parse(".entry k() {}\n.entry k() {}\n", twice), nullptr);
  Diagnostics empty;
  EXPECT_NE(parse("", empty), nullptr);
}

TEST(PtxParse, HostileInput) {
  for (const char* text :
       {".entry k() {", ".entry k(", ".entry", ".global .u32 x[99999999999999999999];", ".reg", "{{{{{{",
        "\"", ".entry k() { .reg .b32 %r<4000000000>; }", ".entry k() { .shared .b8 s[1000000]; }",
        ".entry k() { @", ".entry k() { tex", ".global .u32 x = {{{{", "0f", "0x",
        ".entry k() { .local .b8 a[1000][1000][1000]; }"}) {
    Diagnostics diagnostics;
    EXPECT_EQ(parse(text, diagnostics), nullptr) << text;
  }
  Diagnostics deep;
  EXPECT_EQ(parse(".entry k() " + std::string(100000, '{'), deep), nullptr);
}

TEST(PtxParse, WhatCompilersPrint) {
  const std::string text = R"(//
// Generated by a compiler
//
.version 6.3
.target sm_75, debug
.address_size 64
	// .globl	_Z1kPj
.file 1 "kernel.cu"
.visible .entry _Z1kPj(
	.param .u64 .ptr .global .align 4 _Z1kPj_param_0
)
.maxntid 128, 1, 1
.reqntid 32, 1, 1
{
	.reg .pred 	%p<2>;
	.reg .b32 	%r<4>;
	.reg .v4 .f32 	%v;
	.loc 1 3 0
	{ .reg .b32 %t; mov.u32 %t, 5; mov.u32 %r1, %t; }
	mov.f32 %v.x, 0f00000000;
	setp.eq.s32	%p1, %r1, 5;
	@%p1 bra 	$L__BB0_2;
	bra.uni $L__BB0_2;
$L__BB0_2:
	ret;
}
)";
  EXPECT_NE(compile(text), nullptr);
}

}  // namespace
}  // namespace texlate::sim::ptx
