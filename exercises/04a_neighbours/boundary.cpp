// Where a submission is cut off from its checks when it is graded.

#include <cuda_runtime.h>

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_neighbours,
                (const float2* p, const float2* q, float r, int* count, int m, int n), p, q, r,
                count, m, n)
