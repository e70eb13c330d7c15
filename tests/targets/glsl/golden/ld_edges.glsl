#version 450
#extension GL_EXT_samplerless_texture_functions : require
layout(set = 0, binding = 32) uniform texture2D t0;
layout(constant_id = 16) const bool t0_bound = true;
layout(constant_id = 17) const uint t0_missing_alpha = 0u;
layout(location = 0) out vec4 o0;

void main() {
  float f0 = gl_FragCoord.x;  // line 12
  float f1 = gl_FragCoord.y;
  bool b117 = -2147483600.0 < f0;
  float f118 = b117 ? f0 : -2147483600.0;
  bool b120 = f118 < 2147483500.0;
  float f121 = b120 ? f118 : 2147483500.0;
  uint i122 = uint(int(f121));
  bool b124 = f0 >= 2147483600.0;
  uint i126 = b124 ? 0x7fffffffu : i122;
  bool b127 = f0 == f0;
  uint i2 = b127 ? i126 : 0u;
  bool b128 = -2147483600.0 < f1;
  float f129 = b128 ? f1 : -2147483600.0;
  bool b130 = f129 < 2147483500.0;
  float f131 = b130 ? f129 : 2147483500.0;
  uint i132 = uint(int(f131));
  bool b133 = f1 >= 2147483600.0;
  uint i134 = b133 ? 0x7fffffffu : i132;
  bool b135 = f1 == f1;
  uint i3 = b135 ? i134 : 0u;
  uint i39 = i2 + 0xfffffff8u;  // line 14
  bool b40 = t0_bound;
  uint i41 = uint(textureSize(t0, 0).x);
  uint i43 = b40 ? i41 : 0u;
  bool b44 = i39 < i43;
  bool b45 = b40 && b44;
  uint i46 = uint(textureSize(t0, 0).y);
  uint i48 = b40 ? i46 : 0u;
  bool b49 = i3 < i48;
  bool b50 = b45 && b49;
  uint i51 = t0_missing_alpha;
  float f53 = b40 ? uintBitsToFloat(i51) : 0.0;
  vec4 r54 = b50 ? texelFetch(t0, ivec2(int(i39), int(i3)), 0) : vec4(0.0, 0.0, 0.0, f53);
  uint i59 = i2 + 7u;  // line 15
  bool b64 = i59 < i43;
  bool b65 = b40 && b64;
  bool b70 = b49 && b65;
  vec4 r74 = b70 ? texelFetch(t0, ivec2(int(i59), int(i3)), 0) : vec4(0.0, 0.0, 0.0, f53);
  float f13 = r54.x + r74.x;  // line 16
  float f14 = r54.y + r74.y;
  float f15 = r54.z + r74.z;
  float f16 = r54.w + r74.w;
  uint i78 = i3 + 0xfffffff8u;  // line 17
  bool b83 = i2 < i43;
  bool b84 = b40 && b83;
  bool b88 = i78 < i48;
  bool b89 = b84 && b88;
  vec4 r93 = b89 ? texelFetch(t0, ivec2(int(i2), int(i78)), 0) : vec4(0.0, 0.0, 0.0, f53);
  float f21 = f13 + r93.x;  // line 18
  float f22 = f14 + r93.y;
  float f23 = f15 + r93.z;
  float f24 = f16 + r93.w;
  uint i97 = i3 + 7u;  // line 19
  bool b107 = i97 < i48;
  bool b108 = b84 && b107;
  vec4 r112 = b108 ? texelFetch(t0, ivec2(int(i2), int(i97)), 0) : vec4(0.0, 0.0, 0.0, f53);
  float f29 = f21 + r112.x;  // line 20
  float f30 = f22 + r112.y;
  float f31 = f23 + r112.z;
  float f32 = f24 + r112.w;
  float f34 = f29 * 0.25;  // line 21
  float f35 = f30 * 0.25;
  float f36 = f31 * 0.25;
  float f37 = f32 * 0.25;
  o0.x = f34;
  o0.y = f35;
  o0.z = f36;
  o0.w = f37;
  return;  // line 22
}
