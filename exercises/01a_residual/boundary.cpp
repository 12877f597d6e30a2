// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_residual,
                (const float* A, int lda, const float* x, const float* b, float* r, int m, int n),
                A, lda, x, b, r, m, n)

COURSE_ALLOWS("cudaMemcpy")
