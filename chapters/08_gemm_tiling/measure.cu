#define main chapter_08_main  // not the main() of the bench
#include "gemm_tiling.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_08(Registry& registry) {
  static cublasHandle_t handle = nullptr;  // lives as long as the program, like the registry
  if (handle == nullptr) CUDA_CHECK(cublasCreate(&handle));
  CUDA_CHECK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));  // plain FP32, as ours: no TF32

  const auto with_side = [](auto launch, int side) {
    return [=](auto... arguments) { launch(arguments..., side); };
  };
  const auto add = [&](const char* name, GemmLauncher launch) {
    registry.add(GemmKernel{"08_gemm_tiling", name, std::move(launch)});
  };
  add("swapped 32 x 32", with_side(launch_swapped, 32));
  add("naive 16 x 16", with_side(launch_naive, 16));
  add("naive 32 x 32", with_side(launch_naive, 32));
  add("tiled 16 x 16", launch_tiled<16>);
  add("tiled 32 x 32", launch_tiled<32>);
  add("cuBLAS", [](auto... arguments) { launch_cublas(handle, arguments...); });
}

}  // namespace course::measure
