#define main chapter_19_main  // not the main() of the bench
#include "gemm_registers.cu"
#undef main

#include "cublas.hpp"
#include "measure/registry.hpp"

// Chapter 08's, in its own measure.cu.
void launch_cublas(cublasHandle_t handle, const float* A, const float* B, float* C, int m, int n,
                   int k);

namespace course::measure {
namespace {

void add(Registry& registry, const std::string& name, GemmLauncher launch, bool large = false) {
  registry.add(GemmKernel{"19_gemm_registers", name, std::move(launch), large});
}

// How much work a thread should have: the last rung with fewer sums, and with more.
template <int R, int C>
void add_work(Registry& registry) {
  const std::string name = std::to_string(R) + " x " + std::to_string(C) + " double-buffered";
  add(registry, name, launch_early<R, C, InGroups>, R * C > 64);
}

}  // namespace

void add_chapter_19(Registry& registry) {
  for (const GemmRung& kernel : kernels) {
    add(registry, kernel.name, kernel.launch,
        kernel.name == "double-buffered" || kernel.name == "block order");
  }
  add_work<4, 4>(registry);
  add_work<4, 8>(registry);
  add_work<8, 4>(registry);
  add_work<8, 16>(registry);
  add_work<16, 8>(registry);

  static cublasHandle_t handle = nullptr;  // lives as long as the program, like the registry
  if (handle == nullptr) CUDA_CHECK(cublasCreate(&handle));
  CUDA_CHECK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));  // plain FP32, as ours: no TF32
  add(
      registry, "cuBLAS", [](auto... arguments) { launch_cublas(handle, arguments...); }, true);
}

}  // namespace course::measure
