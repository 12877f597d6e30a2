// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_distances,
                (const float* P, const float* Q, float* D, int m, int n, int d), P, Q, D, m, n, d)
