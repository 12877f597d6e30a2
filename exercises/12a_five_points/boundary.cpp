// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_five_points, (const float* x, float* y, int m, int n, int ld), x, y, m,
                n, ld)
