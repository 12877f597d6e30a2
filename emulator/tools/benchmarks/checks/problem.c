#include "problem.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char* const kernel_names[kernel_count] = {
    "empty",   "saxpy",           "sgemv",        "gemm",         "reduction",
    "stencil", "missing_barrier", "past_the_end", "never_written"};

static int ceiling_of(int n, int divisor) {
  return (n + divisor - 1) / divisor;
}

const char* kernel_name(const problem* p) {
  return kernel_names[p->kernel];
}

int is_two_dimensional(const problem* p) {
  return p->kernel == kernel_gemm;
}

int is_in_place(const problem* p) {
  return p->kernel == kernel_saxpy || p->kernel == kernel_past_the_end;
}

problem read_problem(int argc, char** argv) {
  problem p;
  memset(&p, 0, sizeof p);
  int kernel = 0;
  while (argc == 3 && kernel < kernel_count && strcmp(argv[1], kernel_names[kernel]) != 0) ++kernel;
  if (argc != 3 || kernel == kernel_count) {
    fprintf(stderr, "usage: %s KERNEL SIZE, with KERNEL one of", argv[0]);
    for (kernel = 0; kernel < kernel_count; ++kernel) fprintf(stderr, " %s", kernel_names[kernel]);
    fprintf(stderr, "\n");
    exit(2);
  }
  p.kernel = (kernel_choice)kernel;
  const int matrix = p.kernel == kernel_sgemv || p.kernel == kernel_gemm;
  const int largest = matrix ? largest_matrix : largest_vector;
  char* end = NULL;
  const long size = strtol(argv[2], &end, 10);
  if (*argv[2] == '\0' || *end != '\0' || size < 1 || size > largest) {
    fprintf(stderr, "%s: '%s': want a size from 1 to %d\n", argv[0], argv[2], largest);
    exit(2);
  }
  p.size = (int)size;
  p.blocks = ceiling_of(p.size, p.kernel == kernel_gemm ? tile_edge : block_threads);
  const size_t n = (size_t)size;
  if (p.kernel == kernel_empty) return p;
  p.a_count = matrix ? n * n : n;
  p.b_count = p.kernel == kernel_sgemv ? n : p.kernel == kernel_gemm ? n * n : 0;
  p.out_count = p.kernel == kernel_gemm ? n * n : n;
  if (p.kernel == kernel_reduction || p.kernel == kernel_missing_barrier) {
    p.out_count = (size_t)p.blocks;
  }
  return p;
}

float* new_array(size_t count) {
  float* const array = (float*)malloc((count + 1) * sizeof(float));
  if (array == NULL) {
    fprintf(stderr, "no memory for %zu elements\n", count);
    exit(1);
  }
  return array;
}

/* The element of an input, a whole number from -3 to 4: high bits of a product, without a pattern
   that would repeat with a tile. */
static float value_at(size_t i, int which) {
  const uint32_t mixed = ((uint32_t)i + 77777U * (uint32_t)which) * 2654435761U;
  return (float)((int)(mixed >> 29) - 3);
}

void fill(float* array, size_t count, int which) {
  for (size_t i = 0; i < count; ++i) array[i] = value_at(i, which);
}

static float expected_at(const problem* p, const float* a, const float* b, size_t i) {
  const size_t n = (size_t)p->size;
  float sum = 0;
  switch (p->kernel) {
    case kernel_saxpy:
    case kernel_past_the_end:
      return 3 * a[i] + value_at(i, 1);
    case kernel_sgemv:
      for (size_t k = 0; k < n; ++k) sum += a[i * n + k] * b[k];
      return sum;
    case kernel_gemm:
      for (size_t k = 0; k < n; ++k) sum += a[i / n * n + k] * b[k * n + i % n];
      return sum;
    case kernel_reduction:
    case kernel_missing_barrier:
      for (size_t k = i * block_threads; k < n && k < (i + 1) * block_threads; ++k) sum += a[k];
      return sum;
    default: /* stencil */
      return (i > 0 ? a[i - 1] : 0) + 2 * a[i] + (i + 1 < n ? a[i + 1] : 0);
  }
}

int judge(const problem* p, const float* a, const float* b, const float* out) {
  size_t wrong = 0;
  for (size_t i = 0; i < p->out_count; ++i) {
    const float expected = expected_at(p, a, b, i);
    if (out[i] == expected) continue;
    if (wrong++ == 0) {
      fprintf(stderr, "%s: element %zu is %g, not %g\n", kernel_names[p->kernel], i, (double)out[i],
              (double)expected);
    }
  }
  if (wrong > 0) fprintf(stderr, "%zu of %zu elements are wrong\n", wrong, p->out_count);
  return wrong > 0 ? 1 : 0;
}
