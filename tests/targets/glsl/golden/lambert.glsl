#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 16) uniform sampler s0;
layout(set = 0, binding = 17) uniform samplerShadow s1;
layout(set = 0, binding = 32) uniform texture2D t0;
layout(constant_id = 16) const bool t0_bound = true;
layout(set = 0, binding = 33) uniform texture2D t1;
layout(constant_id = 18) const bool t1_bound = true;
layout(set = 0, binding = 34) uniform texture2D t2;
layout(constant_id = 20) const bool t2_bound = true;
layout(set = 0, binding = 0) uniform cb0_block { vec4 cb0[2]; };
layout(location = 1) in vec4 v1;
layout(location = 2) in vec4 v2;
layout(location = 3) in vec4 v3;
layout(location = 4) in vec4 v4;
layout(location = 5) in vec4 v5;
layout(location = 0) out vec4 o0;

void main() {
  float f0 = v1.x;  // line 27
  float f1 = v1.y;
  bool b98 = t1_bound;
  vec4 r99 = mix(vec4(0.0), texture(sampler2D(t1, s0), vec2(f0, f1)), bvec4(b98));
  float f6 = v2.x;  // line 28
  float f7 = v2.y;
  float f8 = v2.z;
  float f9 = f6 * f6;
  float f10 = fma(f7, f7, f9);
  float f11 = fma(f8, f8, f10);
  float f12 = inversesqrt(f11);  // line 29
  float f13 = f6 * f12;  // line 30
  float f14 = f7 * f12;
  float f15 = f8 * f12;
  float f16 = v3.x;  // line 31
  float f17 = v3.y;
  float f18 = v3.z;
  float f19 = f16 * f16;
  float f20 = fma(f17, f17, f19);
  float f21 = fma(f18, f18, f20);
  float f22 = inversesqrt(f21);  // line 32
  float f23 = f16 * f22;  // line 33
  float f24 = f17 * f22;
  float f25 = f18 * f22;
  float f26 = f15 * f24;  // line 34
  float f27 = f13 * f25;
  float f28 = f14 * f23;
  float f29 = -f26;  // line 35
  float f30 = -f27;
  float f31 = -f28;
  float f32 = fma(f14, f25, f29);
  float f33 = fma(f15, f23, f30);
  float f34 = fma(f13, f24, f31);
  float f37 = fma(r99.x, 2.0, -1.0);  // line 36
  float f38 = fma(r99.y, 2.0, -1.0);
  float f39 = fma(r99.z, 2.0, -1.0);
  float f40 = f32 * f38;  // line 37
  float f41 = f33 * f38;
  float f42 = f34 * f38;
  float f43 = fma(f37, f23, f40);  // line 38
  float f44 = fma(f37, f24, f41);
  float f45 = fma(f37, f25, f42);
  float f46 = fma(f39, f13, f43);  // line 39
  float f47 = fma(f39, f14, f44);
  float f48 = fma(f39, f15, f45);
  float f49 = f46 * f46;  // line 40
  float f50 = fma(f47, f47, f49);
  float f51 = fma(f48, f48, f50);
  float f52 = inversesqrt(f51);  // line 41
  float f53 = f46 * f52;  // line 42
  float f54 = f47 * f52;
  float f55 = f48 * f52;
  float f56 = v4.x;  // line 43
  float f57 = v4.y;
  float f58 = v4.z;
  float f59 = f56 * f56;
  float f60 = fma(f57, f57, f59);
  float f61 = fma(f58, f58, f60);
  float f62 = inversesqrt(f61);  // line 44
  float f63 = f56 * f62;  // line 45
  float f64 = f57 * f62;
  float f65 = f58 * f62;
  float f66 = f53 * f63;  // line 46
  float f67 = fma(f54, f64, f66);
  float f68 = fma(f55, f65, f67);
  float f69 = f68 > 0.0 ? min(f68, 1.0) : 0.0;
  float f70 = v5.x;  // line 47
  float f71 = v5.y;
  float f72 = v5.z;
  bool b103 = t2_bound;
  vec4 r104 = mix(vec4(0.0), vec4(textureLod(sampler2DShadow(t2, s1), vec3(f70, f71, f72), 0.0)), bvec4(b103));
  float f77 = f69 * r104.x;  // line 48
  vec4 r79 = cb0[1];  // line 49
  vec4 r84 = cb0[0];
  float f88 = fma(f77, r79.x, r84.x);
  float f89 = fma(f77, r79.y, r84.y);
  float f90 = fma(f77, r79.z, r84.z);
  bool b108 = t0_bound;  // line 50
  vec4 r109 = mix(vec4(0.0), texture(sampler2D(t0, s0), vec2(f0, f1)), bvec4(b108));
  float f95 = f88 * r109.x;  // line 51
  float f96 = f89 * r109.y;
  float f97 = f90 * r109.z;
  o0.x = f95;
  o0.y = f96;
  o0.z = f97;
  o0.w = r109.w;  // line 52
  return;  // line 53
}
