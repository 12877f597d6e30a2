// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"
#include "cublas.hpp"

#ifndef COURSE_JUDGE
// The submission's handle has a stream of its own, like that of the checks: what comes into another
// one is not ordered with the library's work.
[[maybe_unused]] static const bool handles_are_made =
    course::boundary::set_handle_maker([]() -> void* {
      static const cublasHandle_t handle = [] {
        cublasHandle_t made = nullptr;
        cudaStream_t stream = nullptr;
        CUDA_CHECK(cublasCreate(&made));
        CUDA_CHECK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
        CUDA_CHECK(cublasSetStream(made, stream));
        return made;
      }();
      return handle;
    });
#endif

COURSE_BOUNDARY(void, launch_power_iteration,
                (cublasHandle_t handle, const float* A, int lda, float* x, float* y, float* memory,
                 float* lambda, int n, int steps),
                course::boundary::handle(handle), A, lda, x, y, memory, lambda, n, steps)
COURSE_BOUNDARY(void, launch_scale, (cublasHandle_t handle, float factor, float* x, int n),
                course::boundary::handle(handle), factor, x, n)
