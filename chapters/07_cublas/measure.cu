#define main chapter_07_main  // not the main() of the bench
#include "cublas.cu"
#undef main

#include "measure/registry.hpp"

namespace course::measure {

void add_chapter_07(Registry& registry) {
  // The handles live as long as the program, like the registry.
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr) CUDA_CHECK(cublasCreate(&handle));
  registry.add({"07_cublas", "cuBLAS row-major", Layout::row_major,
                [](const float* A, const float* x, float* y, int m, int n) {
                  launch_row_major(handle, A, x, y, m, n);
                }});
  registry.add({"07_cublas", "cuBLAS column-major", Layout::column_major,
                [](const float* A, const float* x, float* y, int m, int n) {
                  launch_column_major(handle, A, x, y, m, n);
                }});
  static ours::Sgemv ours;
  registry.add({"07_cublas",
                "ours row-major",
                Layout::row_major,
                [](const float* A, const float* x, float* y, int m, int n) {
                  ours.row_major(A, x, y, m, n);
                },
                {},
                true});
  registry.add({"07_cublas",
                "ours column-major",
                Layout::column_major,
                [](const float* A, const float* x, float* y, int m, int n) {
                  ours.column_major(A, x, y, m, n);
                },
                {},
                true});
}

}  // namespace course::measure
