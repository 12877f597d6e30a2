// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_product,
                (const float* A, const float* B, float* C, int m, int n, int k, int shared_bytes),
                A, B, C, m, n, k, shared_bytes)
