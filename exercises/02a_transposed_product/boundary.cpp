// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_transposed_product,
                (const float* A, const float* x, float* y, int m, int n), A, x, y, m, n)
