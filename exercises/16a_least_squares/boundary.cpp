// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"
#include "checks/cublas_handle.hpp"
#include "cublas.hpp"

COURSE_BOUNDARY(void, launch_least_squares,
                (cublasHandle_t handle, const float* Q, int ldq, const float* R, int ldr,
                 const float* B, int ldb, float* X, int ldx, int m, int n, int s),
                course::boundary::handle(handle), Q, ldq, R, ldr, B, ldb, X, ldx, m, n, s)
COURSE_BOUNDARY(void, launch_least_norm,
                (cublasHandle_t handle, const float* Q, int ldq, const float* R, int ldr, float* C,
                 int ldc, float* Y, int ldy, int m, int n, int s),
                course::boundary::handle(handle), Q, ldq, R, ldr, C, ldc, Y, ldy, m, n, s)
