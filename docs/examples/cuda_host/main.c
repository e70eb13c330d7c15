/* A host that uses the CUDA driver API: it loads a translation, fills its parameter block with the header
 * that texlate generates from the reflection, draws a picture and writes a PNG.
 *
 *     texlate translate ld_edges.asm --to ptx --entry edges -o ld_edges.ptx --emit-header ld_edges.h
 *     cc -I. -I/usr/local/cuda/include main.c -lpng -ldl -o cuda_host
 *     ./cuda_host ld_edges.ptx edges.png
 *
 * exit status 0: every pixel is what Direct3D says; 77: there is no GPU, nothing was drawn; 1: an
 * error. The driver is loaded at run time, so that this compiles and starts on machines without one. */
#include "host.h"

#include <math.h>

#include "ld_edges.h"

enum { kWidth = 64, kHeight = 64, kPixels = kWidth * kHeight, kChannels = 4 };

/* Texels with edges to find: a disc on a checkerboard. */
static void draw_source(unsigned char* texels) {
  for (int y = 0; y < kHeight; ++y) {
    for (int x = 0; x < kWidth; ++x) {
      const int in_disc = (x - 32) * (x - 32) + (y - 32) * (y - 32) < 400;
      unsigned char* texel = texels + kChannels * (y * kWidth + x);
      texel[0] = (unsigned char)(in_disc ? 230 : 4 * x);
      texel[1] = (unsigned char)(((x ^ y) & 8) != 0 ? 200 : 40);
      texel[2] = (unsigned char)(4 * y);
      texel[3] = 255;
    }
  }
}

/* The expected result of the shader: the mean of four texels, 8 to the left, 7 to the right, 8 above and 7
 * below; texels outside the texture are 0. */
static float expected(const unsigned char* texels, int x, int y, int channel) {
  static const int offset[4][2] = {{-8, 0}, {7, 0}, {0, -8}, {0, 7}};
  float sum = 0;
  for (int i = 0; i < 4; ++i) {
    const int u = x + offset[i][0], v = y + offset[i][1];
    if (u < 0 || u >= kWidth || v < 0 || v >= kHeight) continue;
    sum += (float)texels[kChannels * (v * kWidth + u) + channel] / 255.0f;
  }
  return sum * 0.25f;
}

static CUtexObject make_texture(const unsigned char* texels) {
  CUDA_ARRAY3D_DESCRIPTOR description = {
      .Width = kWidth, .Height = kHeight, .Format = CU_AD_FORMAT_UNSIGNED_INT8, .NumChannels = kChannels};
  CUmipmappedArray levels;
  CUarray level;
  CHECK(cuMipmappedArrayCreate(&levels, &description, 1));
  CHECK(cuMipmappedArrayGetLevel(&level, levels, 0));
  CUDA_MEMCPY3D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
                        .srcHost = texels,
                        .srcPitch = kWidth * kChannels,
                        .dstMemoryType = CU_MEMORYTYPE_ARRAY,
                        .dstArray = level,
                        .WidthInBytes = kWidth * kChannels,
                        .Height = kHeight,
                        .Depth = 1};
  CHECK(cuMemcpy3D(&copy));
  /* As docs/launch_abi.md requires for a texture that `ld` reads: point filter, normalized coordinates, UNORM
   * read as floats. */
  CUDA_RESOURCE_DESC resource = {.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY};
  resource.res.mipmap.hMipmappedArray = levels;
  CUDA_TEXTURE_DESC texture = {
      .addressMode = {CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP, CU_TR_ADDRESS_MODE_CLAMP},
      .filterMode = CU_TR_FILTER_MODE_POINT,
      .flags = CU_TRSF_NORMALIZED_COORDINATES,
      .mipmapFilterMode = CU_TR_FILTER_MODE_POINT};
  CUtexObject object;
  CHECK(cuTexObjectCreate(&object, &resource, &texture, NULL));
  return object;
}

/* Element e of a pixel shader: pixel e & 3 of quad e / 4; bit 0 is x, bit 1 is y. */
static int x_of(int e) {
  return e / 4 % (kWidth / 2) * 2 + (e & 1);
}
static int y_of(int e) {
  return e / 4 / (kWidth / 2) * 2 + (e >> 1 & 1);
}

int main(int count, char** arguments) {
  if (count != 3) fail("usage: cuda_host PTX PNG");
  if (!open_gpu()) {
    puts("cuda_host: no CUDA driver or no GPU here; nothing was run");
    return 77;
  }
  const CUfunction kernel = load_kernel(arguments[1], "edges");

  static unsigned char texels[kPixels * kChannels], picture[kPixels * kChannels];
  draw_source(texels);
  static float inputs[EDGES_INPUT_PLANES][kPixels], outputs[EDGES_OUTPUT_PLANES][kPixels];
  for (int e = 0; e < kPixels; ++e) { /* positions are pixel centers */
    inputs[EDGES_INPUT0][e] = (float)x_of(e) + 0.5f;
    inputs[EDGES_INPUT0 + 1][e] = (float)y_of(e) + 0.5f;
  }
  edges_parameters block;
  memset(&block, 0, sizeof block);
  block.head.inputs = upload(inputs, sizeof inputs);
  block.head.outputs = upload(outputs, sizeof outputs);
  block.head.count = kPixels;
  block.head.samples = 1;
  block.t0.handle = make_texture(texels);
  block.t0.width = kWidth;
  block.t0.height = kHeight;
  block.t0.depth = block.t0.layers = block.t0.levels = block.t0.samples = 1;
  for (int c = 0; c < kChannels; ++c) block.t0.keep[c] = 0xffffffffu;
  block.t0.u.reference_scale = 255.0f;

  void* kernel_arguments[] = {&block};
  const unsigned threads = EDGES_MAX_THREADS;
  CHECK(cuLaunchKernel(kernel, (kPixels + threads - 1) / threads, 1, 1, threads, 1, 1, 0, NULL,
                       kernel_arguments, NULL));
  CHECK(cuCtxSynchronize());
  CHECK(cuMemcpyDtoH(outputs, block.head.outputs, sizeof outputs));

  int wrong = 0;
  for (int e = 0; e < kPixels; ++e) {
    for (int c = 0; c < kChannels; ++c) {
      const float value = outputs[EDGES_OUTPUT0 + c][e];
      const float wanted = expected(texels, x_of(e), y_of(e), c);
      if (fabsf(value - wanted) > 1e-6f && wrong++ == 0)
        fprintf(stderr, "cuda_host: pixel (%d, %d) channel %d is %g, not %g\n", x_of(e), y_of(e), c, value,
                wanted);
      picture[kChannels * (y_of(e) * kWidth + x_of(e)) + c] =
          (unsigned char)(c == 3 ? 255 : value * 255.0f + 0.5f);
    }
  }
  write_png(arguments[2], picture, kWidth, kHeight);
  printf("cuda_host: %d pixels drawn, %d values wrong\n", kPixels, wrong);
  return wrong == 0 ? 0 : 1;
}
