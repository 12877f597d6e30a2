// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_multiply,
                (const float* x, const float* y, int n, float bound, float* z, int* products), x, y,
                n, bound, z, products)
