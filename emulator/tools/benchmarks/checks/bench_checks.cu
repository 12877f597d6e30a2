// Runs one of the kernels and verifies its result: bench_checks KERNEL SIZE. Its twin for OpenCL is
// bench_checks.c; bench_checks.py runs both.

#include <cuda_runtime.h>

#include <cstdio>
#include <cstdlib>

#include "emulator/traffic.h"
#include "kernels.cuh"
#include "problem.h"

namespace {

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}

#define CHECK(call) check(call, #call)

// An array of the device; with what the host has, if it has anything.
float* on_device(const float* host, std::size_t count) {
  if (count == 0) return nullptr;
  float* array = nullptr;
  CHECK(cudaMalloc(&array, count * sizeof(float)));
  if (host != nullptr) {
    CHECK(cudaMemcpy(array, host, count * sizeof(float), cudaMemcpyHostToDevice));
  }
  return array;
}

void launch(const problem& p, const float* a, const float* b, float* out) {
  const int n = p.size;
  const dim3 blocks = is_two_dimensional(&p) ? dim3(p.blocks, p.blocks) : dim3(p.blocks);
  const dim3 tile(tile_edge, tile_edge);
  switch (p.kernel) {
    case kernel_empty:
      empty<<<blocks, block_threads>>>();
      break;
    case kernel_saxpy:
      saxpy<<<blocks, block_threads>>>(n, 3.0F, a, out);
      break;
    case kernel_sgemv:
      sgemv<<<blocks, block_threads>>>(n, a, b, out);
      break;
    case kernel_gemm:
      gemm<<<blocks, tile>>>(n, a, b, out);
      break;
    case kernel_reduction:
      reduction<<<blocks, block_threads>>>(n, a, out);
      break;
    case kernel_stencil:
      stencil<<<blocks, block_threads>>>(n, a, out);
      break;
    case kernel_missing_barrier:
      missing_barrier<<<blocks, block_threads>>>(n, a, out);
      break;
    case kernel_past_the_end:
      past_the_end<<<blocks, block_threads>>>(n, 3.0F, a, out);
      break;
    case kernel_never_written:
      never_written<<<blocks, block_threads>>>(n, a, out);
      break;
    case kernel_count:
      break;
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char** argv) {
  const problem p = read_problem(argc, argv);
  emulator::set_recording(true);
  float* const a = new_array(p.a_count);
  float* const b = new_array(p.b_count);
  float* const out = new_array(p.out_count);
  fill(a, p.a_count, 0);
  fill(b, p.b_count, 1);
  fill(out, p.out_count, 1);

  float* const device_a = on_device(a, p.a_count);
  float* const device_b = on_device(b, p.b_count);
  float* const device_out = on_device(is_in_place(&p) ? out : nullptr, p.out_count);
  launch(p, device_a, device_b, device_out);
  if (p.out_count > 0) {
    CHECK(cudaMemcpy(out, device_out, p.out_count * sizeof(float), cudaMemcpyDeviceToHost));
  }
  CHECK(cudaFree(device_a));
  CHECK(cudaFree(device_b));
  CHECK(cudaFree(device_out));

  const int status = judge(&p, a, b, out);
  free(a);
  free(b);
  free(out);
  return status;
}
