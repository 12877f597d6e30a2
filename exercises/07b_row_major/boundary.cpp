// Where a submission is cut off from its checks when it is graded.

#include "judge/boundary.hpp"
#include "cublas.hpp"
#include "judge/cublas_handle.hpp"

COURSE_BOUNDARY(void, launch_multiply,
                (cublasHandle_t handle, const float* A, const float* B, float* C, int m, int n,
                 int k),
                course::grading::handle(handle), A, B, C, m, n, k)
COURSE_BOUNDARY(void, launch_multiply_transposed,
                (cublasHandle_t handle, const float* A, const float* B, float* C, int m, int n,
                 int k),
                course::grading::handle(handle), A, B, C, m, n, k)

COURSE_ALLOWS("cudaMemset")
