// More comparisons than are expanded inline: calls. Functions for samplers that are known have their state in their code.
ps_5_0
dcl_globalFlags refactoringAllowed
dcl_sampler s0, mode_comparison
dcl_sampler s1, mode_comparison
dcl_sampler s2, mode_comparison
dcl_resource_texture2d (float,float,float,float) t0
dcl_input_ps linear v1.xyz
dcl_output o0.xyzw
dcl_temps 3
mov r1.xyzw, l(0,0,0,0)
mad r2.xyz, v1.xyzx, l(1.00,1.00,1.0,0), l(0.000,0.1,0.000,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s0, r2.z
mad r1.x, r0.x, l(0.050), r1.x
mad r2.xyz, v1.xyzx, l(1.10,0.97,1.0,0), l(0.013,0.1,0.002,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s1, r2.z
mad r1.x, r0.x, l(0.051), r1.x
mad r2.xyz, v1.xyzx, l(1.20,0.94,1.0,0), l(0.026,0.1,0.004,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s2, r2.z
mad r1.x, r0.x, l(0.052), r1.x
mad r2.xyz, v1.xyzx, l(1.30,0.91,1.0,0), l(0.039,0.1,0.006,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s0, r2.z
mad r1.x, r0.x, l(0.053), r1.x
mad r2.xyz, v1.xyzx, l(1.40,0.88,1.0,0), l(0.052,0.1,0.008,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s1, r2.z
mad r1.x, r0.x, l(0.054), r1.x
mad r2.xyz, v1.xyzx, l(1.50,0.85,1.0,0), l(0.065,0.1,0.010,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s2, r2.z
mad r1.x, r0.x, l(0.055), r1.x
mad r2.xyz, v1.xyzx, l(1.60,0.82,1.0,0), l(0.078,0.1,0.012,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s0, r2.z
mad r1.x, r0.x, l(0.056), r1.x
mad r2.xyz, v1.xyzx, l(1.70,0.79,1.0,0), l(0.091,0.1,0.014,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s1, r2.z
mad r1.x, r0.x, l(0.057), r1.x
mad r2.xyz, v1.xyzx, l(1.80,0.76,1.0,0), l(0.104,0.1,0.016,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s2, r2.z
mad r1.x, r0.x, l(0.058), r1.x
mad r2.xyz, v1.xyzx, l(1.90,0.73,1.0,0), l(0.117,0.1,0.018,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s0, r2.z
mad r1.x, r0.x, l(0.059), r1.x
mad r2.xyz, v1.xyzx, l(2.00,0.70,1.0,0), l(0.130,0.1,0.020,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s1, r2.z
mad r1.x, r0.x, l(0.060), r1.x
mad r2.xyz, v1.xyzx, l(2.10,0.67,1.0,0), l(0.143,0.1,0.022,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s2, r2.z
mad r1.x, r0.x, l(0.061), r1.x
mad r2.xyz, v1.xyzx, l(2.20,0.64,1.0,0), l(0.156,0.1,0.024,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s0, r2.z
mad r1.x, r0.x, l(0.062), r1.x
mad r2.xyz, v1.xyzx, l(2.30,0.61,1.0,0), l(0.169,0.1,0.026,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s1, r2.z
mad r1.x, r0.x, l(0.063), r1.x
mad r2.xyz, v1.xyzx, l(2.40,0.58,1.0,0), l(0.182,0.1,0.028,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s2, r2.z
mad r1.x, r0.x, l(0.064), r1.x
mad r2.xyz, v1.xyzx, l(2.50,0.55,1.0,0), l(0.195,0.1,0.030,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s0, r2.z
mad r1.x, r0.x, l(0.065), r1.x
mad r2.xyz, v1.xyzx, l(2.60,0.52,1.0,0), l(0.208,0.1,0.032,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s1, r2.z
mad r1.x, r0.x, l(0.066), r1.x
mad r2.xyz, v1.xyzx, l(2.70,0.49,1.0,0), l(0.221,0.1,0.034,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s2, r2.z
mad r1.x, r0.x, l(0.067), r1.x
mad r2.xyz, v1.xyzx, l(2.80,0.46,1.0,0), l(0.234,0.1,0.036,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s0, r2.z
mad r1.x, r0.x, l(0.068), r1.x
mad r2.xyz, v1.xyzx, l(2.90,0.43,1.0,0), l(0.247,0.1,0.038,0)
sample_c_lz r0.x, r2.xyxx, t0.xxxx, s1, r2.z
mad r1.x, r0.x, l(0.069), r1.x
mov o0.xyzw, r1.xxxx
ret

// TEST: translate --to ptx --check ANY
// ANY: texlate_compare0
// ANY-NOT: texlate_compare1

// TEST: translate --to ptx --known known_samplers.known.json --check KNOWN
// KNOWN: .func (.param .b32 texlate_result) texlate_compare2(
// KNOWN: call (texlate_result), texlate_compare0
// KNOWN-NOT: texlate_compare3

// TEST: run --scene known_samplers.json --via ir,ptx,maxwell
// TEST: run --scene known_samplers.json --known known_samplers.known.json --via ir,ptx,maxwell
// TEST: run --scene known_samplers.json --known known_samplers.json --via ir,ptx,maxwell
