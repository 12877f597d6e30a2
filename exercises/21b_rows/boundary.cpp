// Where a submission is cut off from its checks when it is graded.

#include <cuda_fp16.h>

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_product,
                (const __half* A, const __half* B, float* C, int m, int n, int k), A, B, C, m, n, k)
