#version 450
layout(set = 0, binding = 0) uniform cb0_block { vec4 cb0[33]; };
layout(location = 0) in vec4 v0;
layout(location = 0) out vec4 o0;

void main() {
  float f43;  // line 11
  float f44;
  float f45;
  float f1 = 0.0;
  float f2 = 0.0;
  float f3 = 0.0;
  uint i4 = 0u;
  for (;;) {
    vec4 r5 = cb0[0];  // line 12
    bool b9 = int(i4) >= int(floatBitsToUint(r5.x));
    if (b9) {  // line 13
      f43 = f1;
      f44 = f2;
      f45 = f3;
      break;
    }
    uint i12 = i4 << 1u;  // line 14
    float f13 = v0.x;  // line 15
    float f14 = v0.y;
    float f15 = v0.z;
    uint i16 = i12 + 1u;
    bool b41 = i16 < 33u;
    vec4 r17 = b41 ? cb0[i16] : vec4(0.0);
    float f21 = f13 * r17.x;
    float f22 = fma(f14, r17.y, f21);
    float f23 = fma(f15, r17.z, f22);
    float f24 = f23 > 0.0 ? min(f23, 1.0) : 0.0;
    uint i26 = i12 + 2u;  // line 16
    bool b42 = i26 < 33u;
    vec4 r27 = b42 ? cb0[i26] : vec4(0.0);
    float f31 = fma(r27.x, f24, f1);
    float f32 = fma(r27.y, f24, f2);
    float f33 = fma(r27.z, f24, f3);
    uint i34 = i4 + 1u;  // line 17
    f1 = f31;  // line 18
    f2 = f32;
    f3 = f33;
    i4 = i34;
  }
  o0.x = f43;  // line 19
  o0.y = f44;
  o0.z = f45;
  o0.w = 1.0;  // line 20
  return;  // line 21
}
