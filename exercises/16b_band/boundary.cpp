// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"
#include "checks/cublas_handle.hpp"
#include "cublas.hpp"

COURSE_BOUNDARY(void, launch_pack,
                (const float* A, int lda, float* band, int m, int n, int kl, int ku), A, lda, band,
                m, n, kl, ku)
COURSE_BOUNDARY(void, launch_band_product,
                (cublasHandle_t handle, const float* band, const float* x, float* y, int m, int n,
                 int kl, int ku),
                course::boundary::handle(handle), band, x, y, m, n, kl, ku)
COURSE_BOUNDARY(void, launch_band_product_transposed,
                (cublasHandle_t handle, const float* band, const float* x, float* y, int m, int n,
                 int kl, int ku),
                course::boundary::handle(handle), band, x, y, m, n, kl, ku)
