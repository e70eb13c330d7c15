// Every arithmetic, logic, comparison and conversion instruction against values worked out by hand from the
// PTX ISA.
#include "tests/unit/sim_ptx/ptx_fixture.h"

namespace texlate::sim::ptx {
namespace {

constexpr uint64_t kOne = 0x3f800000, kInf = 0x7f800000, kNan = 0x7fc00001, kDenormal = 0x00000001,
                   kMinusZero = 0x80000000;
constexpr uint64_t kCanonical = 0x7fffffff;

TEST(PtxInteger, AddSubMul) {
  check_rows({
      {"add.s32", "rrr", {0x7fffffff, 1}, 0x80000000},
      {"add.sat.s32", "rrr", {0x7fffffff, 1}, 0x7fffffff},
      {"add.sat.s32", "rrr", {0x80000000, 0xffffffff}, 0x80000000},
      {"add.u32", "rrr", {0xffffffff, 1}, 0},
      {"add.u16", "hhh", {0xffff, 2}, 1},
      {"add.u64", "ddd", {0xffffffffffffffff, 2}, 1},
      {"sub.s32", "rrr", {0, 1}, 0xffffffff},
      {"sub.sat.s32", "rrr", {0x80000000, 1}, 0x80000000},
      {"sub.u16", "hhh", {0, 1}, 0xffff},
      {"mul.lo.u32", "rrr", {0xffffffff, 0xffffffff}, 1},
      {"mul.hi.u32", "rrr", {0xffffffff, 0xffffffff}, 0xfffffffe},
      {"mul.hi.s32", "rrr", {0xffffffff, 0xffffffff}, 0},
      {"mul.hi.s32", "rrr", {0x80000000, 0x80000000}, 0x40000000},
      {"mul.wide.u32", "drr", {0xffffffff, 0xffffffff}, 0xfffffffe00000001},
      {"mul.wide.s32", "drr", {0xffffffff, 2}, 0xfffffffffffffffe},
      {"mul.wide.u16", "rhh", {0xffff, 0xffff}, 0xfffe0001},
      {"mul.lo.u64", "ddd", {0x100000001, 0x100000001}, 0x200000001},
      {"mul.hi.u64", "ddd", {0xffffffffffffffff, 0xffffffffffffffff}, 0xfffffffffffffffe},
      {"mul.hi.s64", "ddd", {0xffffffffffffffff, 0xffffffffffffffff}, 0},
      {"mul.hi.u64", "ddd", {0x123456789abcdef0, 0xfedcba9876543210}, 0x121fa00ad77d7422},
      {"mul.hi.s64", "ddd", {0x123456789abcdef0, 0xfedcba9876543210}, 0xffeb49923cc09532},
      {"mul.hi.s64", "ddd", {0x8000000000000000, 2}, 0xffffffffffffffff},
      {"mul.hi.s64", "ddd", {0x8000000000000000, 0x8000000000000000}, 0x4000000000000000},
      {"mad.lo.u32", "rrrr", {3, 5, 0xfffffff0}, 0xffffffff},
      {"mad.hi.u32", "rrrr", {0xffffffff, 0xffffffff, 2}, 0},
      {"mad.hi.sat.s32", "rrrr", {0x7fffffff, 0x7fffffff, 0x7fffffff}, 0x7fffffff},
      {"mad.wide.u32", "drrd", {0xffffffff, 0xffffffff, 0xffffffff}, 0xffffffff00000000},
      {"mad.lo.s16", "hhhh", {0x8000, 2, 5}, 5},
      {"sad.u32", "rrrr", {3, 5, 10}, 12},
      {"sad.s32", "rrrr", {0xfffffffe, 3, 1}, 6},
  });
}

TEST(PtxInteger, DivideNegateMinMax) {
  check_rows({
      {"div.u32", "rrr", {0xffffffff, 10}, 0x19999999},
      {"div.s32", "rrr", {0xfffffff9, 2}, 0xfffffffd},
      {"rem.s32", "rrr", {0xfffffff9, 2}, 0xffffffff},
      {"rem.u64", "ddd", {0xffffffffffffffff, 10}, 5},
      {"neg.s32", "rr", {0x80000000}, 0x80000000},
      {"neg.s16", "hh", {1}, 0xffff},
      {"abs.s32", "rr", {0xffffffff}, 1},
      {"abs.s64", "dd", {0xffffffffffffffff}, 1},
      {"min.s32", "rrr", {0xffffffff, 1}, 0xffffffff},
      {"min.u32", "rrr", {0xffffffff, 1}, 1},
      {"max.s32", "rrr", {0xffffffff, 1}, 1},
      {"max.u32", "rrr", {0xffffffff, 1}, 0xffffffff},
      {"max.u64", "ddd", {0xffffffffffffffff, 1}, 0xffffffffffffffff},
      {"min.s16", "hhh", {0x8000, 1}, 0x8000},
  });
}

TEST(PtxBits, LogicAndShifts) {
  check_rows({
      {"and.b32", "rrr", {0xf0f0f0f0, 0xff00ff00}, 0xf000f000},
      {"or.b32", "rrr", {0xf0f0f0f0, 0xff00ff00}, 0xfff0fff0},
      {"xor.b64", "ddd", {0xffffffffffffffff, 1}, 0xfffffffffffffffe},
      {"not.b32", "rr", {0}, 0xffffffff},
      {"not.b16", "hh", {1}, 0xfffe},
      {"cnot.b32", "rr", {0}, 1},
      {"cnot.b32", "rr", {7}, 0},
      {"shl.b32", "rrr", {1, 31}, 0x80000000},
      {"shl.b32", "rrr", {1, 32}, 0},
      {"shl.b32", "rrr", {1, 0xffffffff}, 0},
      {"shr.u32", "rrr", {0x80000000, 31}, 1},
      {"shr.u32", "rrr", {0x80000000, 32}, 0},
      {"shr.s32", "rrr", {0x80000000, 32}, 0xffffffff},
      {"shr.s32", "rrr", {0x80000000, 4}, 0xf8000000},
      {"shr.b64", "ddr", {0x8000000000000000, 63}, 1},
      {"shl.b16", "hhr", {1, 15}, 0x8000},
      {"shf.l.wrap.b32", "rrrr", {0x80000000, 1, 33}, 3},
      {"shf.l.clamp.b32", "rrrr", {0x12345678, 0x9abcdef0, 33}, 0x12345678},
      {"shf.r.wrap.b32", "rrrr", {0x12345678, 0x9abcdef0, 8}, 0xf0123456},
      {"shf.r.clamp.b32", "rrrr", {0x12345678, 0x9abcdef0, 99}, 0x9abcdef0},
      {"lop3.b32", "rrrri", {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x80}, 0xf0f0f0f0 & 0xcccccccc & 0xaaaaaaaa},
      {"lop3.b32",
       "rrrri",
       {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x10},
       0xf0f0f0f0 & ~0xcccccccc & ~0xaaaaaaaa},
      {"lop3.b32",
       "rrrri",
       {0xf0f0f0f0, 0xcccccccc, 0xaaaaaaaa, 0x04},
       ~0xf0f0f0f0 & 0xcccccccc & ~0xaaaaaaaa},
      {"lop3.b32", "rrrri", {0x0000ffff, 0x00ff00ff, 0x0f0f0f0f, 0x96}, 0x0000ffff ^ 0x00ff00ff ^ 0x0f0f0f0f},
      {"and.pred", "ppp", {1, 0}, 0},
      {"or.pred", "ppp", {1, 0}, 1},
      {"xor.pred", "ppp", {1, 1}, 0},
      {"not.pred", "pp", {0}, 1},
  });
}

TEST(PtxBits, FieldsAndCounts) {
  check_rows({
      {"bfe.u32", "rrrr", {0x12345678, 8, 8}, 0x56},
      {"bfe.s32", "rrrr", {0x0000f000, 12, 4}, 0xffffffff},
      {"bfe.u32", "rrrr", {0xffffffff, 28, 8}, 0xf},
      {"bfe.s32", "rrrr", {0x80000000, 28, 8}, 0xfffffff8},
      {"bfe.s32", "rrrr", {0x80000000, 40, 8}, 0xffffffff},
      {"bfe.u32", "rrrr", {0xffffffff, 4, 0}, 0},
      {"bfe.u64", "ddrr", {0x123456789abcdef0, 32, 16}, 0x5678},
      {"bfi.b32", "rrrrr", {0xff, 0, 8, 4}, 0xf00},
      {"bfi.b32", "rrrrr", {0, 0xffffffff, 28, 8}, 0x0fffffff},
      {"bfi.b32", "rrrrr", {0xff, 7, 32, 4}, 7},
      {"bfi.b32", "rrrrr", {0xff, 7, 4, 0}, 7},
      {"bfi.b32", "rrrrr", {0x12345678, 0xffffffff, 0, 32}, 0x12345678},
      {"bfi.b32", "rrrrr", {0x12345678, 0xffffffff, 8, 255}, 0x345678ff},
      {"brev.b32", "rr", {1}, 0x80000000},
      {"brev.b64", "dd", {1}, 0x8000000000000000},
      {"popc.b32", "rr", {0xf0f0}, 8},
      {"popc.b64", "rd", {0xffffffffffffffff}, 64},
      {"clz.b32", "rr", {0}, 32},
      {"clz.b32", "rr", {0x00010000}, 15},
      {"clz.b64", "rd", {1}, 63},
      {"bfind.u32", "rr", {0x00010000}, 16},
      {"bfind.u32", "rr", {0}, 0xffffffff},
      {"bfind.s32", "rr", {0xffffffff}, 0xffffffff},
      {"bfind.s32", "rr", {0xfffffff0}, 3},
      {"bfind.shiftamt.u32", "rr", {0x00010000}, 15},
      {"prmt.b32", "rrrr", {0x33221100, 0x77665544, 0x7531}, 0x77553311},
      {"prmt.b32", "rrrr", {0x80, 0, 0x8888}, 0xffffffff},
      {"prmt.b32.f4e", "rrrr", {0x33221100, 0x77665544, 1}, 0x44332211},
      {"prmt.b32.b4e", "rrrr", {0x33221100, 0x77665544, 1}, 0x66770011},
      {"prmt.b32.rc8", "rrrr", {0x33221100, 0, 2}, 0x22222222},
      {"prmt.b32.ecl", "rrrr", {0x33221100, 0, 1}, 0x33221111},
      {"prmt.b32.ecr", "rrrr", {0x33221100, 0, 1}, 0x11111100},
      {"prmt.b32.rc16", "rrrr", {0x33221100, 0, 1}, 0x33223322},
  });
}

TEST(PtxFloat, AddMulFma) {
  check_rows({
      {"add.f32", "rrr", {kOne, kOne}, 0x40000000},
      {"add.f32", "rrr", {kDenormal, kDenormal}, 2},
      {"add.ftz.f32", "rrr", {kDenormal, kDenormal}, 0},
      {"add.ftz.f32", "rrr", {0x80000001, 0x80000001}, kMinusZero},
      {"add.f32", "rrr", {kInf, 0xff800000}, kCanonical},
      {"add.f32", "rrr", {kNan, kOne}, kCanonical},
      {"add.sat.f32", "rrr", {kOne, kOne}, kOne},
      {"add.sat.f32", "rrr", {kNan, kOne}, 0},
      {"add.rn.f32", "rrr", {kOne, 0x33800000}, kOne},  // 1 + 2^-24: tie to even
      {"add.rp.f32", "rrr", {kOne, 0x33800000}, 0x3f800001},
      {"add.rm.f32", "rrr", {kOne, 0x33800000}, kOne},
      {"add.rz.f32", "rrr", {0xbf800000, 0xb3800000}, 0xbf800000},
      {"add.rm.f32", "rrr", {0xbf800000, 0xb3800000}, 0xbf800001},
      {"sub.f32", "rrr", {0x00800001, 0x00800000}, 1},
      {"sub.ftz.f32", "rrr", {0x00800001, 0x00800000}, 0},
      {"mul.f32", "rrr", {0, kInf}, kCanonical},
      {"mul.ftz.f32", "rrr", {kDenormal, kInf}, kCanonical},
      {"mul.f32", "rrr", {0x40000000, 0xc0400000}, 0xc0c00000},
      {"mul.sat.f32", "rrr", {0x40000000, 0xc0400000}, 0},
      // (1 + 2^-23)^2 - 1 - 2^-22 = 2^-46: only a fused operation gives it.
      {"fma.rn.f32", "rrrr", {0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000},
      {"mad.rn.f32", "rrrr", {0x3f800001, 0x3f800001, 0xbf800002}, 0x28800000},
      {"fma.rn.ftz.f32", "rrrr", {kOne, kDenormal, kMinusZero}, 0},
      {"fma.rz.f32", "rrrr", {kOne, kOne, 0x33c00000}, 0x3f800000},
      {"add.f64", "ddd", {0x3ff0000000000000, 1}, 0x3ff0000000000000},
      {"mul.rn.f64", "ddd", {0x4000000000000000, 0x4008000000000000}, 0x4018000000000000},
      {"fma.rn.f64",
       "dddd",
       {0x4000000000000000, 0x4008000000000000, 0x3ff0000000000000},
       0x401c000000000000},
      {"add.f64", "ddd", {1, 1}, 2},
      {"add.f16", "hhh", {0x3c00, 0x3c00}, 0x4000},
      {"mul.f16", "hhh", {0x7bff, 0x4000}, 0x7c00},
      {"fma.rn.f16", "hhhh", {0x3c01, 0x3c01, 0xbc02}, 0x0010},
      {"add.f16x2", "rrr", {0x3c004000, 0x3c003c00}, 0x40004200},
  });
}

TEST(PtxFloat, DivideAndRoots) {
  check_rows({
      {"div.rn.f32", "rrr", {kOne, 0x40400000}, 0x3eaaaaab},
      {"div.rz.f32", "rrr", {kOne, 0x40400000}, 0x3eaaaaaa},
      {"div.rn.f32", "rrr", {kOne, 0}, kInf},
      {"div.rn.f32", "rrr", {0, 0}, kCanonical},
      {"div.approx.f32", "rrr", {0x40800000, 0x40000000}, 0x40000000},
      {"div.approx.f32", "rrr", {kOne, 0x7f000000}, 0},  // |b| > 2^126
      {"div.approx.f32", "rrr", {kInf, 0x7f000000}, kCanonical},
      {"div.full.f32", "rrr", {0x40800000, 0x40000000}, 0x40000000},
      {"rcp.rn.f32", "rr", {0x40400000}, 0x3eaaaaab},
      {"rcp.approx.ftz.f32", "rr", {kDenormal}, kInf},
      {"rcp.approx.ftz.f32", "rr", {0x80000001}, 0xff800000},
      {"rcp.approx.f32", "rr", {0x40000000}, 0x3f000000},
      {"sqrt.rn.f32", "rr", {0x40000000}, 0x3fb504f3},
      {"sqrt.rn.f32", "rr", {kMinusZero}, kMinusZero},
      {"sqrt.rn.f32", "rr", {0xbf800000}, kCanonical},
      {"sqrt.approx.f32", "rr", {0x40800000}, 0x40000000},
      {"rsqrt.approx.f32", "rr", {0x40800000}, 0x3f000000},
      {"rsqrt.approx.f32", "rr", {kMinusZero}, 0xff800000},
      {"rsqrt.approx.f32", "rr", {kInf}, 0},
      {"ex2.approx.f32", "rr", {0x40400000}, 0x41000000},
      {"ex2.approx.f32", "rr", {0xff800000}, 0},
      {"ex2.approx.ftz.f32", "rr", {0xc3010000}, 0},  // 2^-129 is subnormal
      {"ex2.approx.f32", "rr", {0xc3010000}, 0x00100000},
      {"lg2.approx.f32", "rr", {0x41000000}, 0x40400000},
      {"lg2.approx.f32", "rr", {0}, 0xff800000},
      {"lg2.approx.f32", "rr", {0xbf800000}, kCanonical},
      {"sin.approx.f32", "rr", {0}, 0},
      {"sin.approx.f32", "rr", {kMinusZero}, kMinusZero},
      {"cos.approx.f32", "rr", {0}, kOne},
      {"sin.approx.f32", "rr", {kInf}, kCanonical},
      {"div.rn.f64", "ddd", {0x3ff0000000000000, 0x4000000000000000}, 0x3fe0000000000000},
      {"rcp.rn.f64", "dd", {0x4000000000000000}, 0x3fe0000000000000},
      {"sqrt.rn.f64", "dd", {0x4010000000000000}, 0x4000000000000000},
      // 9.7.3.14: only the high words count.
      {"rcp.approx.ftz.f64", "dd", {0x4008000012345678}, 0x3fd5555500000000},
      {"rcp.approx.ftz.f64", "dd", {0x800fffffffffffff}, 0xfff0000000000000},
      {"rcp.approx.ftz.f64", "dd", {0x7fe8000000000000}, 0},
      {"rcp.approx.ftz.f64", "dd", {0xfff8000000000001}, 0x7fffffff00000000},
      {"rsqrt.approx.ftz.f64", "dd", {0x401000000fffffff}, 0x3fe0000000000000},
      {"rsqrt.approx.ftz.f64", "dd", {0xbff0000000000000}, 0x7fffffff00000000},
  });
}

TEST(PtxFloat, MinMaxSignsAndTests) {
  check_rows({
      {"min.f32", "rrr", {kNan, kOne}, kOne},
      {"max.f32", "rrr", {kOne, kNan}, kOne},
      {"min.f32", "rrr", {kNan, kNan}, kCanonical},
      {"min.f32", "rrr", {0, kMinusZero}, kMinusZero},
      {"max.f32", "rrr", {kMinusZero, 0}, 0},
      {"min.ftz.f32", "rrr", {kDenormal, kOne}, 0},
      {"max.f32", "rrr", {kDenormal, 0}, kDenormal},
      {"min.f64", "ddd", {0x7ff8000000000000, 0x3ff0000000000000}, 0x3ff0000000000000},
      {"neg.f32", "rr", {kOne}, 0xbf800000},
      {"neg.ftz.f32", "rr", {kDenormal}, kMinusZero},
      {"abs.f32", "rr", {0xff800000}, kInf},
      {"abs.f64", "dd", {0x8000000000000000}, 0},
      {"copysign.f32", "rrr", {kMinusZero, kOne}, 0xbf800000},
      {"testp.finite.f32", "pr", {kInf}, 0},
      {"testp.infinite.f32", "pr", {kInf}, 1},
      {"testp.number.f32", "pr", {kNan}, 0},
      {"testp.notanumber.f32", "pr", {kNan}, 1},
      {"testp.normal.f32", "pr", {kOne}, 1},
      {"testp.normal.f32", "pr", {kDenormal}, 0},
      {"testp.subnormal.f32", "pr", {kDenormal}, 1},
      {"testp.subnormal.f64", "pd", {1}, 1},
  });
}

TEST(PtxCompare, Setp) {
  check_rows({
      {"setp.lt.s32", "prr", {0xffffffff, 0}, 1},
      {"setp.lt.u32", "prr", {0xffffffff, 0}, 0},
      {"setp.lo.u32", "prr", {1, 2}, 1},
      {"setp.ls.u32", "prr", {2, 2}, 1},
      {"setp.hi.u32", "prr", {2, 1}, 1},
      {"setp.hs.u32", "prr", {1, 2}, 0},
      {"setp.eq.b64", "pdd", {5, 5}, 1},
      {"setp.ne.u64", "pdd", {0, 0}, 0},
      {"setp.ge.s16", "phh", {0x8000, 0}, 0},
      {"setp.eq.f32", "prr", {0, kMinusZero}, 1},
      {"setp.eq.f32", "prr", {kNan, kNan}, 0},
      {"setp.ne.f32", "prr", {kNan, kNan}, 0},
      {"setp.neu.f32", "prr", {kNan, kNan}, 1},
      {"setp.equ.f32", "prr", {kNan, kOne}, 1},
      {"setp.ltu.f32", "prr", {kNan, kOne}, 1},
      {"setp.leu.f32", "prr", {kOne, 0}, 0},
      {"setp.gtu.f32", "prr", {kOne, kNan}, 1},
      {"setp.geu.f32", "prr", {0, kOne}, 0},
      {"setp.num.f32", "prr", {kOne, kOne}, 1},
      {"setp.nan.f32", "prr", {kOne, kNan}, 1},
      {"setp.lt.f32", "prr", {0, kDenormal}, 1},
      {"setp.lt.ftz.f32", "prr", {0, kDenormal}, 0},
      {"setp.gt.f64", "pdd", {0x4000000000000000, 0x3ff0000000000000}, 1},
      {"setp.lt.f16", "phh", {0x3c00, 0x4000}, 1},
      {"setp.eq.f16", "phh", {0x0001, 0x8000}, 0},
      {"setp.eq.ftz.f16", "phh", {0x0001, 0x8000}, 1},
      {"setp.lt.and.u32", "prrp", {1, 2, 0}, 0},
      {"setp.lt.and.u32", "prrp", {1, 2, 1}, 1},
      {"setp.lt.or.u32", "prrp", {2, 1, 1}, 1},
      {"setp.lt.xor.u32", "prrp", {1, 2, 1}, 0},
      {"set.lt.u32.u32", "rrr", {1, 2}, 0xffffffff},
      {"set.lt.f32.s32", "rrr", {1, 2}, kOne},
      {"set.neu.u32.f32", "rrr", {kNan, kNan}, 0xffffffff},
      {"selp.b32", "rrrp", {7, 8, 1}, 7},
      {"selp.b64", "dddp", {7, 8, 0}, 8},
      {"slct.u32.s32", "rrrr", {7, 8, 0}, 7},
      {"slct.u32.s32", "rrrr", {7, 8, 0xffffffff}, 8},
      {"slct.f32.f32", "rrrr", {7, 8, kMinusZero}, 7},
      {"slct.f32.f32", "rrrr", {7, 8, kNan}, 8},
  });
}

TEST(PtxConvert, FloatAndInteger) {
  check_rows({
      {"cvt.rzi.s32.f32", "rr", {0xbfc00000}, 0xffffffff},
      {"cvt.rni.s32.f32", "rr", {0x40200000}, 2},  // 2.5: tie to even
      {"cvt.rni.s32.f32", "rr", {0x40600000}, 4},  // 3.5
      {"cvt.rmi.s32.f32", "rr", {0xbf000000}, 0xffffffff},
      {"cvt.rpi.s32.f32", "rr", {0x3f000000}, 1},
      {"cvt.rzi.s32.f32", "rr", {0x7f000000}, 0x7fffffff},
      {"cvt.rzi.s32.f32", "rr", {0xff000000}, 0x80000000},
      {"cvt.rzi.u32.f32", "rr", {0xbf800000}, 0},
      {"cvt.rzi.u32.f32", "rr", {kInf}, 0xffffffff},
      {"cvt.rzi.u32.f32", "rr", {kNan}, 0},
      {"cvt.rzi.s32.f32", "rr", {kNan}, 0},
      {"cvt.rni.u32.f32", "rr", {0xc0400000}, 0},
      {"cvt.rzi.s64.f32", "dr", {kNan}, 0x8000000000000000},
      {"cvt.rzi.s32.f64", "rd", {0x7ff8000000000000}, 0x80000000},
      {"cvt.rzi.u16.f32", "hr", {0x47c35000}, 0xffff},  // 100000
      {"cvt.rn.f32.s32", "rr", {0xffffffff}, 0xbf800000},
      {"cvt.rn.f32.u32", "rr", {0xffffffff}, 0x4f800000},
      {"cvt.rz.f32.u32", "rr", {0xffffffff}, 0x4f7fffff},
      {"cvt.rn.f32.s32", "rr", {16777217}, 0x4b800000},
      {"cvt.rp.f32.s32", "rr", {16777217}, 0x4b800001},
      {"cvt.rn.f32.u16", "rh", {0xffff}, 0x477fff00},
      {"cvt.rn.f64.u64", "dd", {0xffffffffffffffff}, 0x43f0000000000000},
      {"cvt.s32.s16", "rh", {0x8000}, 0xffff8000},
      {"cvt.u32.u16", "rh", {0x8000}, 0x8000},
      {"cvt.u16.u32", "hr", {0x12345678}, 0x5678},
      {"cvt.s64.s32", "dr", {0x80000000}, 0xffffffff80000000},
      {"cvt.u64.u32", "dr", {0x80000000}, 0x80000000},
      {"cvt.sat.u32.s32", "rr", {0xffffffff}, 0},
      {"cvt.sat.s16.s32", "hr", {0x00012345}, 0x7fff},
      {"cvt.sat.s32.s64", "rd", {0x8000000000000000}, 0x80000000},
      {"cvt.sat.u32.s64", "rd", {0x100000000}, 0xffffffff},
      {"cvt.sat.s64.u64", "dd", {0xffffffffffffffff}, 0x7fffffffffffffff},
      {"cvt.sat.u64.s64", "dd", {0xffffffffffffffff}, 0},
      {"cvt.sat.s16.u16", "hh", {0xffff}, 0x7fff},
      {"cvt.u32.u8", "rr", {0x1ff}, 0xff},
      {"cvt.s32.s8", "rr", {0x80}, 0xffffff80},
  });
}

TEST(PtxConvert, FloatAndFloat) {
  check_rows({
      {"cvt.rn.f16.f32", "hr", {kOne}, 0x3c00},
      {"cvt.rn.f16.f32", "hr", {0x477ff000}, 0x7c00},  // 65520: rounds up to infinity
      {"cvt.rz.f16.f32", "hr", {0x477ff000}, 0x7bff},
      {"cvt.rz.f16.f32", "hr", {0x7f000000}, 0x7bff},
      {"cvt.rn.f16.f32", "hr", {kInf}, 0x7c00},
      {"cvt.rn.f16.f32", "hr", {0x33800000}, 0x0001},  // 2^-24
      {"cvt.rn.f16.f32", "hr", {0x33000000}, 0x0000},  // 2^-25: tie to even
      {"cvt.rp.f16.f32", "hr", {0x33000000}, 0x0001},
      {"cvt.rn.f16.f32", "hr", {0x3f802000}, 0x3c01},
      {"cvt.rn.f16.f32", "hr", {0x3f801000}, 0x3c00},
      {"cvt.rm.f16.f32", "hr", {0xbf801000}, 0xbc01},
      {"cvt.rn.f16.f32", "hr", {kNan}, 0x7fff},
      {"cvt.rn.sat.f16.f32", "hr", {0x40000000}, 0x3c00},
      {"cvt.f32.f16", "rh", {0x3c00}, kOne},
      {"cvt.f32.f16", "rh", {0x0001}, 0x33800000},
      {"cvt.f32.f16", "rh", {0xfc00}, 0xff800000},
      {"cvt.rn.f32.f64", "rd", {0x3ff0000010000000}, kOne},
      {"cvt.rp.f32.f64", "rd", {0x3ff0000010000000}, 0x3f800001},
      {"cvt.f64.f32", "dr", {kOne}, 0x3ff0000000000000},
      {"cvt.rni.f32.f32", "rr", {0x40200000}, 0x40000000},
      {"cvt.rzi.f32.f32", "rr", {0xbf400000}, kMinusZero},
      {"cvt.rmi.f32.f32", "rr", {0xbf400000}, 0xbf800000},
      {"cvt.rpi.f32.f32", "rr", {0xbf400000}, kMinusZero},
      {"cvt.sat.f32.f32", "rr", {kNan}, 0},
      {"cvt.sat.f32.f32", "rr", {0xbf800000}, 0},
      {"cvt.ftz.f32.f32", "rr", {kDenormal}, 0},
      {"cvt.rmi.ftz.f32.f32", "rr", {0x80000001}, kMinusZero},
      {"cvt.rni.f64.f64", "dd", {0x3fe0000000000000}, 0},
  });
}

TEST(PtxInteger, ExtendedPrecision) {
  const KernelRun r = run(R"(
    mov.u32 %r1, 0xffffffff;
    mov.u32 %r2, 1;
    mov.u32 %r3, 5;
    add.cc.u32 %r4, %r1, %r2;
    addc.cc.u32 %r5, %r3, 0xffffffff;
    addc.u32 %r6, 0, 0;
    sub.cc.u32 %r7, 0, %r2;
    subc.u32 %r8, %r3, 0;
    st.global.v4.u32 [%rd0], {%r4, %r5, %r6, %r7};
    st.global.u32 [%rd0+16], %r8;
    mov.u64 %rd1, 0xffffffffffffffff;
    add.cc.u64 %rd2, %rd1, %rd1;
    addc.cc.u64 %rd3, %rd1, 0;
    addc.cc.u64 %rd4, %rd1, %rd1;
    addc.u64 %rd5, 0, 0;
    sub.cc.u64 %rd6, 1, 2;
    subc.cc.u64 %rd7, 0, 0;
    subc.u64 %rd8, 5, 1;
    st.global.u64 [%rd0+24], %rd4;
    st.global.u64 [%rd0+32], %rd5;
    st.global.u64 [%rd0+40], %rd7;
    st.global.u64 [%rd0+48], %rd8;)",
                          1);
  EXPECT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 0u);
  EXPECT_EQ(r.out[1], 5u) << "5 + 0xffffffff + carry";
  EXPECT_EQ(r.out[2], 1u);
  EXPECT_EQ(r.out[3], 0xffffffffu);
  EXPECT_EQ(r.out[4], 4u) << "5 - 0 - borrow";
  EXPECT_EQ(r.out[6], 0xffffffffu) << "all ones twice, and a carry from all ones + 0 + carry";
  EXPECT_EQ(r.out[7], 0xffffffffu);
  EXPECT_EQ(r.out[8], 1u);
  EXPECT_EQ(r.out[10], 0xffffffffu) << "0 - 0 - borrow";
  EXPECT_EQ(r.out[11], 0xffffffffu);
  EXPECT_EQ(r.out[12], 3u) << "5 - 1 - borrow";
}

TEST(PtxMove, PackAndUnpack) {
  const KernelRun r = run(R"(
    mov.b64 %rd1, {0x11111111, 0x22222222};
    mov.b64 {%r1, %r2}, %rd1;
    mov.b32 {%h1, %h2}, 0x12345678;
    mov.b32 %r3, {%h2, %h1};
    mov.b64 {%r4, _}, %rd1;
    st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};)",
                          1, 64);
  EXPECT_TRUE(r.report.ok()) << r.report.describe();
  EXPECT_EQ(r.out[0], 0x11111111u);
  EXPECT_EQ(r.out[1], 0x22222222u);
  EXPECT_EQ(r.out[2], 0x56781234u);
  EXPECT_EQ(r.out[3], 0x11111111u);
}

TEST(PtxLiterals, AllForms) {
  const KernelRun r = run(R"(
    mov.u32 %r1, 017;
    mov.u32 %r2, 0b101;
    mov.s32 %r3, -3;
    mov.f32 %f1, 0f3F800000;
    mov.f32 %f2, 1.5;
    add.f32 %f3, %f1, -2.5e-1;
    mov.f64 %rd1, 0d3FF8000000000000;
    cvt.rn.f32.f64 %f4, %rd1;
    mov.u32 %r4, 0xFFU;
    st.global.v4.u32 [%rd0], {%r1, %r2, %r3, %r4};
    st.global.v4.f32 [%rd0+16], {%f1, %f2, %f3, %f4};)",
                          1, 64);
  const std::vector<uint32_t> expected{15,         5,          0xfffffffdu, 0xff,
                                       0x3f800000, 0x3fc00000, 0x3f400000,  0x3fc00000};
  EXPECT_EQ(std::vector<uint32_t>(r.out.begin(), r.out.begin() + 8), expected);
}

// 9.7.6.2: q is the opposite of the comparison, combined with c as p is.
TEST(PtxCompare, BothPredicates) {
  const KernelRun result =
      run("mov.u32 %r1, %tid.x;\nsetp.ge.u32 %p5, %r1, 3;\nsetp.lt.u32 %p1|%p2, %r1, 5;\n"
          "setp.lt.and.u32 %p3|%p4, %r1, 5, %p5;\nselp.u32 %r2, 1, 0, %p1;\nselp.u32 %r3, 2, 0, %p2;\n"
          "selp.u32 %r4, 4, 0, %p3;\nselp.u32 %r5, 8, 0, %p4;\nor.b32 %r2, %r2, %r3;\nor.b32 %r4, %r4, %r5;\n"
          "or.b32 %r2, %r2, %r4;\nmul.wide.u32 %rd1, %r1, 4;\nadd.u64 %rd1, %rd0, %rd1;\nst.global.u32 "
          "[%rd1], %r2;\n");
  EXPECT_TRUE(result.report.ok()) << result.report.describe();
  for (uint32_t lane = 0; lane < 32; ++lane) {
    const uint32_t expected = (lane < 5 ? 1 : 2) | (lane >= 3 ? (lane < 5 ? 4 : 8) : 0);
    EXPECT_EQ(result.out[lane], expected) << lane;
  }
}

// 9.7.3.11, 9.7.3.12: with .NaN one NaN is enough. It needs sm_80, which the tables of instructions here do
// not name.
TEST(PtxFloat, MinAndMaxThatPassNaN) {
  std::string text = kernel(
      "mov.b32 %f1, 0x7fc00001;\nmov.b32 %f2, 0x3f800000;\nmin.NaN.f32 %f3, %f1, %f2;\nmax.NaN.f32 %f4, %f2, "
      "%f1;\n"
      "min.NaN.f32 %f5, %f2, %f2;\nst.global.f32 [%rd0], %f3;\nst.global.f32 [%rd0+4], %f4;\n"
      "st.global.f32 [%rd0+8], %f5;\n");
  text.replace(text.find("sm_75"), 5, "sm_80").replace(text.find("6.3"), 3, "7.0");
  const auto module = compile(text);
  ASSERT_NE(module, nullptr);
  Machine machine(*module);
  std::vector<uint32_t> out(3);
  const uint64_t address = machine.map_memory(std::as_writable_bytes(std::span(out)));
  const Report report = machine.launch("k", {}, {1}, std::as_bytes(std::span(&address, 1)));
  EXPECT_TRUE(report.ok()) << report.describe();
  EXPECT_EQ(out, (std::vector<uint32_t>{kCanonical, kCanonical, kOne}));
}

}  // namespace
}  // namespace texlate::sim::ptx
