// Times one of the kernels: problem.hpp says how. Its twin for OpenCL is bench_opencl.cpp;
// bench_speed.py runs both.

#include <cuda_runtime.h>

#include "kernels.cuh"
#include "problem.hpp"

namespace {

void check(cudaError_t status, const char* call) {
  if (status == cudaSuccess) return;
  std::fprintf(stderr, "bench: %s: %s\n", call, cudaGetErrorString(status));
  std::exit(1);
}

#define CHECK(call) check(call, #call)

float* on_device(const std::vector<float>& host) {
  float* array = nullptr;
  CHECK(cudaMalloc(&array, host.size() * sizeof(float)));
  CHECK(cudaMemcpy(array, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  return array;
}

void launch(const bench::Problem& p, const float* a, const float* b, float* out) {
  const dim3 blocks(p.blocks(), p.gemm ? p.blocks() : 1);
  const dim3 threads(p.gemm ? p.tile : bench::sgemv_block, p.gemm ? p.tile : 1);
  if (!p.gemm) {
    sgemv<<<blocks, threads>>>(p.size, a, b, out);
  } else if (p.tile == 16) {
    gemm<16><<<blocks, threads>>>(p.size, a, b, out);
  } else {
    gemm<32><<<blocks, threads>>>(p.size, a, b, out);
  }
  CHECK(cudaGetLastError());
  CHECK(cudaDeviceSynchronize());
}

}  // namespace

int main(int argc, char** argv) {
  const bench::Problem p = bench::read_problem(argc, argv);
  float* const a = on_device(p.a);
  float* const b = on_device(p.b);
  float* const out = on_device(std::vector<float>(p.out_count()));
  const auto poison = [&](float value) {
    const std::vector<float> host(p.out_count(), value);
    CHECK(cudaMemcpy(out, host.data(), host.size() * sizeof(float), cudaMemcpyHostToDevice));
  };
  const auto fetch = [&](std::vector<float>& host) {
    CHECK(cudaMemcpy(host.data(), out, host.size() * sizeof(float), cudaMemcpyDeviceToHost));
  };
  const int status = bench::measure(
      p, poison, [&] { launch(p, a, b, out); }, fetch);
  CHECK(cudaFree(a));
  CHECK(cudaFree(b));
  CHECK(cudaFree(out));
  return status;
}
