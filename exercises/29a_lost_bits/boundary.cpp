// Where a submission is cut off from its checks when it is graded.

#include <cuda_fp16.h>

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_split, (const float* x, int n, __half* high, __half* low), x, n, high,
                low)
