/* What the example hosts share: the CUDA driver, loaded at run time, kernels, memory, pictures. */
#ifndef TEXLATE_CUDA_HOST_HOST_H
#define TEXLATE_CUDA_HOST_HOST_H

#include <cuda.h>
#include <dlfcn.h>
#include <png.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"

static inline void fail(const char* format, ...) {
  va_list arguments;
  va_start(arguments, format);
  fputs("cuda_host: ", stderr);
  vfprintf(stderr, format, arguments);
  fputc('\n', stderr);
  va_end(arguments);
  exit(1);
}

#define DECLARE(function, symbol) __typeof__(&function) function;
static struct { CUDA_DRIVER_FUNCTIONS(DECLARE) } cuda;

/* 0: there is no driver. */
static inline int load_driver(void) {
  void* library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == NULL) return 0;
#define LOAD(function, symbol)                      \
  *(void**)&cuda.function = dlsym(library, symbol); \
  if (cuda.function == NULL) fail("libcuda.so.1 has no %s", symbol);
  CUDA_DRIVER_FUNCTIONS(LOAD)
  return 1;
}

static inline void check(CUresult result, const char* what) {
  if (result == CUDA_SUCCESS) return;
  const char* text = "unknown error";
  cuda.cuGetErrorString(result, &text);
  fail("%s: %s", what, text);
}
#define CHECK(call) check(cuda.call, #call)

static inline char* read_file(const char* path) {
  FILE* file = fopen(path, "rb");
  if (file == NULL) fail("%s cannot be read", path);
  char* text = NULL;
  size_t size = 0, room = 0;
  for (size_t got = 1; got != 0; size += got) {
    if (room - size < 4096) text = realloc(text, room = room * 2 + 8192);
    if (text == NULL) fail("out of memory");
    got = fread(text + size, 1, room - size - 1, file);
  }
  fclose(file);
  text[size] = '\0';
  return text;
}

/* 0: there is no driver, or no GPU. */
static inline int open_gpu(void) {
  int devices = 0;
  if (!load_driver() || cuda.cuInit(0) != CUDA_SUCCESS || cuda.cuDeviceGetCount(&devices) != CUDA_SUCCESS ||
      devices == 0)
    return 0;
  CUdevice device;
  CUcontext context;
  CHECK(cuDeviceGet(&device, 0));
  CHECK(cuDevicePrimaryCtxRetain(&context, device));
  CHECK(cuCtxSetCurrent(context));
  return 1;
}

static inline CUfunction load_kernel(const char* path, const char* entry) {
  CUmodule module;
  CUfunction kernel;
  char* ptx = read_file(path);
  CHECK(cuModuleLoadDataEx(&module, ptx, 0, NULL, NULL));
  CHECK(cuModuleGetFunction(&kernel, module, entry));
  free(ptx);
  return kernel;
}

static inline CUdeviceptr upload(const void* data, size_t bytes) {
  CUdeviceptr address;
  CHECK(cuMemAlloc(&address, bytes));
  CHECK(cuMemcpyHtoD(address, data, bytes));
  return address;
}

static inline void write_png(const char* path, const unsigned char* pixels, unsigned width, unsigned height) {
  png_image image;
  memset(&image, 0, sizeof image);
  image.version = PNG_IMAGE_VERSION;
  image.width = width;
  image.height = height;
  image.format = PNG_FORMAT_RGBA;
  if (!png_image_write_to_file(&image, path, 0, pixels, 0, NULL)) fail("%s: %s", path, image.message);
}

#endif
