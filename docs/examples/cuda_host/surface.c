/* A software renderer's geometry stages on the GPU: the vertex, hull, domain and geometry shaders of
 * shaders/surface are kernels, and what Direct3D does between them is done here by hand. It tessellates four
 * patches, displaces them, makes a normal for each triangle, and draws the triangles into a PNG.
 *
 *     for stage in vs hs ds gs; do
 *       texlate translate surface_$stage.asm --to ptx --entry surface_$stage -o surface_$stage.ptx \
 *         --emit-header surface_$stage.h
 *     done
 *     cc -I. -I/usr/local/cuda/include surface.c -lpng -ldl -lm -o surface
 *     ./surface . surface.png
 *
 * Arrays are as docs/launch_abi.md describes them. Exit status: as in main.c. */
#include "host.h"

#include <math.h>

#include "surface_ds.h"
#include "surface_gs.h"
#include "surface_hs.h"
#include "surface_vs.h"

enum { kWidth = 96, kHeight = 96, kVertices = 9, kPatches = 4, kPoints = SURFACE_HS_VERTICES };

static const float kGrid[kVertices][3] = {{-1, 0, -1}, {0, 0, -1}, {1, 0, -1}, {-1, 0, 0}, {0, 0, 0},
                                          {1, 0, 0},   {-1, 0, 1}, {0, 0, 1},  {1, 0, 1}};
static const int kIndices[kPatches][4] = {{0, 1, 3, 4}, {1, 2, 4, 5}, {3, 4, 6, 7}, {4, 5, 7, 8}};
static const float kProjection[4][4] = {{2.248219f, -0.478315f, -0.326221f, -0.305832f},
                                        {0, 2.026197f, -0.579949f, -0.543702f},
                                        {0.879738f, 1.222361f, 0.833677f, 0.781572f},
                                        {0, -0.20262f, 2.663635f, 2.997158f}};

static void* zeros(size_t count) {
  void* memory = calloc(count, 4);
  if (memory == NULL) fail("out of memory");
  return memory;
}
static CUdeviceptr upload_zeros(size_t count) {
  void* memory = zeros(count);
  const CUdeviceptr address = upload(memory, 4 * count);
  free(memory);
  return address;
}
static void* download(CUdeviceptr address, size_t count) {
  void* memory = zeros(count);
  CHECK(cuMemcpyDtoH(memory, address, 4 * count));
  return memory;
}

static CUfunction kernel_in(const char* folder, const char* name) {
  char path[4096];
  snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
  return load_kernel(path, name);
}
static void launch(CUfunction kernel, unsigned blocks, unsigned threads_x, unsigned threads_y, void* block) {
  void* arguments[] = {block};
  CHECK(cuLaunchKernel(kernel, blocks, 1, 1, threads_x, threads_y, 1, 0, NULL, arguments, NULL));
  CHECK(cuCtxSynchronize());
}
/* One thread per element. */
static void launch_elements(CUfunction kernel, unsigned count, unsigned most_threads, void* block) {
  const unsigned threads = most_threads < 128 ? most_threads : 128;
  launch(kernel, (count + threads - 1) / threads, threads, 1, block);
}

/* ---- stages: each returns planes in the host's memory */

static float* run_vertices(const char* folder) {
  static float inputs[SURFACE_VS_INPUT_PLANES][kVertices];
  for (int v = 0; v < kVertices; ++v) {
    for (int c = 0; c < 3; ++c) inputs[SURFACE_VS_INPUT0 + c][v] = kGrid[v][c];
  }
  const size_t words = (size_t)SURFACE_VS_OUTPUT_PLANES * kVertices;
  surface_vs_parameters block = {
      .head = {.inputs = upload(inputs, sizeof inputs), .outputs = upload_zeros(words), .count = kVertices}};
  launch_elements(kernel_in(folder, "surface_vs"), kVertices, SURFACE_VS_MAX_THREADS, &block);
  return download(block.head.outputs, words);
}

/* The control points and the patch constants stay on the GPU; the factor comes back. */
static float run_hull(const char* folder, const float* vertices, CUdeviceptr* points,
                      CUdeviceptr* constants) {
  static float inputs[SURFACE_HS_INPUT_PLANES][kPatches][kPoints];
  for (int plane = 0; plane < SURFACE_HS_INPUT_PLANES; ++plane) {
    for (int p = 0; p < kPatches; ++p) {
      for (int v = 0; v < kPoints; ++v) inputs[plane][p][v] = vertices[plane * kVertices + kIndices[p][v]];
    }
  }
  *points = upload_zeros((size_t)SURFACE_HS_OUTPUT_PLANES * kPatches * SURFACE_HS_OUTPUT_CONTROL_POINTS);
  *constants = upload_zeros((size_t)SURFACE_HS_CONSTANT_PLANES * kPatches);
  surface_hs_parameters block = {.head = {.stream = {.outputs = *points},
                                          .vertices = upload(inputs, sizeof inputs),
                                          .constants = *constants,
                                          .primitives = kPatches}};
  launch(kernel_in(folder, "surface_hs"),
         (kPatches + SURFACE_HS_PATCHES_PER_BLOCK - 1) / SURFACE_HS_PATCHES_PER_BLOCK, SURFACE_HS_THREADS_X,
         SURFACE_HS_THREADS_Y, &block);
  float* factors = download(*constants, (size_t)SURFACE_HS_CONSTANT_PLANES * kPatches);
  const float factor = factors[SURFACE_HS_CONSTANT4 * kPatches];
  free(factors);
  return factor;
}

static float* run_domain(const char* folder, const uint32_t* locations, unsigned count, CUdeviceptr points,
                         CUdeviceptr constants) {
  const size_t words = (size_t)SURFACE_DS_OUTPUT_PLANES * count;
  surface_ds_parameters block = {.head = {.stream = {.inputs = upload(locations, 16 * (size_t)count),
                                                     .outputs = upload_zeros(words),
                                                     .count = count},
                                          .vertices = points,
                                          .constants = constants,
                                          .primitives = kPatches},
                                 .cb0 = {.address = upload(kProjection, sizeof kProjection), .rows = 4}};
  launch_elements(kernel_in(folder, "surface_ds"), count, SURFACE_DS_MAX_THREADS, &block);
  return download(block.head.stream.outputs, words);
}

/* Two launches: the first counts the vertices of each triangle, the second stores them one after the other.
 */
static float* run_geometry(const char* folder, const float* triangles, unsigned count, unsigned* slots,
                           uint32_t** tags) {
  const CUfunction kernel = kernel_in(folder, "surface_gs");
  surface_gs_parameters block = {
      .head.primitives = {
          .stream = {.outputs = upload_zeros(count), .count = count},
          .vertices = upload(triangles, (size_t)SURFACE_GS_INPUT_PLANES * count * SURFACE_GS_VERTICES * 4),
          .primitives = count}};
  launch_elements(kernel, count, SURFACE_GS_MAX_THREADS, &block);
  uint32_t* first = download(block.head.primitives.stream.outputs, count);
  *slots = 0;
  for (unsigned t = 0; t < count; ++t) {
    const uint32_t vertices = first[t];
    first[t] = *slots;
    *slots += vertices;
  }
  const size_t words = (size_t)SURFACE_GS_OUTPUT_PLANES * *slots;
  block.head.primitives.slots = *slots;
  block.head.emitted = upload_zeros(words);
  block.head.tags = upload_zeros(*slots);
  block.head.first = upload(first, 4 * (size_t)count);
  launch_elements(kernel, count, SURFACE_GS_MAX_THREADS, &block);
  *tags = download(block.head.tags, *slots);
  free(first);
  return download(block.head.emitted, words);
}

/* ---- what Direct3D does between and after the stages */

/* Even parts, as partitioning_integer has them where all factors of a patch are equal.
 * docs/reference/pipeline.md describes Direct3D's other points. */
static unsigned tessellate(unsigned parts, uint32_t** locations) {
  const unsigned side = parts + 1, count = kPatches * side * side;
  float* planes = zeros(4 * (size_t)count);
  for (unsigned point = 0; point < count; ++point) {
    planes[point] = (float)(point % side) / (float)parts;
    planes[count + point] = (float)(point / side % side) / (float)parts;
    ((uint32_t*)planes)[3 * count + point] = point / (side * side);
  }
  *locations = (uint32_t*)planes;
  return count;
}

/* Planes of the triangles' vertices from the planes of the domain points. */
static float* assemble(unsigned parts, unsigned points, const float* vertices, unsigned* count) {
  const unsigned side = parts + 1;
  *count = kPatches * parts * parts * 2;
  float* planes = zeros((size_t)SURFACE_GS_INPUT_PLANES * *count * 3);
  for (unsigned t = 0; t < *count; ++t) {
    const unsigned cell = t / 2, patch = cell / (parts * parts), within = cell % (parts * parts);
    const unsigned corner = patch * side * side + within / parts * side + within % parts;
    const unsigned corners[2][3] = {{corner, corner + 1, corner + side},
                                    {corner + 1, corner + side + 1, corner + side}};
    for (unsigned plane = 0; plane < SURFACE_GS_INPUT_PLANES; ++plane) {
      for (unsigned v = 0; v < 3; ++v)
        planes[(plane * *count + t) * 3 + v] = vertices[plane * points + corners[t % 2][v]];
    }
  }
  return planes;
}

/* One triangle, if no vertex is behind the eye: nearest first, shaded by its normal. */
static int draw_triangle(const float* planes, unsigned slots, unsigned first, float* depth,
                         unsigned char* pixels) {
  float x[3], y[3], z[3];
  for (unsigned v = 0; v < 3; ++v) {
    const float w = planes[(SURFACE_GS_OUTPUT0 + 3) * slots + first + v];
    if (!(w > 0)) return 0;
    x[v] = (planes[SURFACE_GS_OUTPUT0 * slots + first + v] / w + 1) * kWidth / 2;
    y[v] = (1 - planes[(SURFACE_GS_OUTPUT0 + 1) * slots + first + v] / w) * kHeight / 2;
    z[v] = planes[(SURFACE_GS_OUTPUT0 + 2) * slots + first + v] / w;
  }
  const float* normal = planes + SURFACE_GS_OUTPUT1 * (size_t)slots + first;
  float light = 0.5f * normal[0] + 0.75f * normal[slots] - 0.5f * normal[2 * slots];
  light = 0.2f + 0.8f * fminf(fabsf(light), 1);
  const float area = (x[1] - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (y[1] - y[0]);
  int drawn = 0;
  for (int py = 0; py < kHeight; ++py) {
    for (int px = 0; px < kWidth; ++px) {
      const float cx = (float)px + 0.5f, cy = (float)py + 0.5f;
      const float b = ((cx - x[0]) * (y[2] - y[0]) - (x[2] - x[0]) * (cy - y[0])) / area;
      const float c = ((x[1] - x[0]) * (cy - y[0]) - (cx - x[0]) * (y[1] - y[0])) / area;
      const float at = z[0] + b * (z[1] - z[0]) + c * (z[2] - z[0]);
      if (!(b >= 0 && c >= 0 && b + c <= 1) || at < 0 || at >= depth[py * kWidth + px]) continue;
      depth[py * kWidth + px] = at;
      unsigned char* pixel = pixels + 4 * (py * kWidth + px);
      pixel[0] = pixel[1] = (unsigned char)(light * 230);
      pixel[2] = (unsigned char)(light * 160);
      ++drawn;
    }
  }
  return drawn;
}

/* How many domain points are not on the surface y = 0.5 - 0.6 (x^2 + z^2). */
static int count_wrong(const float* vertices, unsigned count) {
  int wrong = 0;
  for (unsigned point = 0; point < count; ++point) {
    const float x = vertices[SURFACE_DS_OUTPUT1 * count + point];
    const float y = vertices[(SURFACE_DS_OUTPUT1 + 1) * count + point];
    const float z = vertices[(SURFACE_DS_OUTPUT1 + 2) * count + point];
    if (!(fabsf(y - (0.5f - 0.6f * (x * x + z * z))) < 1e-5f)) ++wrong;
  }
  return wrong;
}

int main(int count, char** arguments) {
  if (count != 3) fail("usage: surface FOLDER PNG");
  if (!open_gpu()) {
    puts("surface: no CUDA driver or no GPU here; nothing was run");
    return 77;
  }
  const char* folder = arguments[1];
  float* grid = run_vertices(folder);
  CUdeviceptr control_points, constants;
  const float factor = run_hull(folder, grid, &control_points, &constants);
  uint32_t* locations;
  const unsigned parts = (unsigned)ceilf(factor), points = tessellate(parts, &locations);
  float* vertices = run_domain(folder, locations, points, control_points, constants);
  unsigned triangles, slots;
  uint32_t* tags;
  float* assembled = assemble(parts, points, vertices, &triangles);
  float* emitted = run_geometry(folder, assembled, triangles, &slots, &tags);

  static float depth[kWidth * kHeight];
  static unsigned char picture[4 * kWidth * kHeight];
  for (int pixel = 0; pixel < kWidth * kHeight; ++pixel) {
    depth[pixel] = 1;
    memcpy(picture + 4 * pixel, (const unsigned char[]){26, 38, 64, 255}, 4);
  }
  unsigned drawn = 0;
  int covered = 0;
  for (unsigned slot = 0; slot + 2 < slots; slot += 3, ++drawn) { /* each strip is one triangle */
    if (tags[slot] != 4 || tags[slot + 1] != 0 || tags[slot + 2] != 0) fail("slot %u is no triangle", slot);
    covered += draw_triangle(emitted, slots, slot, depth, picture);
  }
  write_png(arguments[2], picture, kWidth, kHeight);
  const int wrong = count_wrong(vertices, points) + (drawn != triangles) + (covered == 0);
  printf("surface: factor %g, %u domain points, %u triangles drawn, %d wrong\n", factor, points, drawn,
         wrong);
  free(grid);
  free(locations);
  free(vertices);
  free(assembled);
  free(emitted);
  free(tags);
  return wrong == 0 ? 0 : 1;
}
