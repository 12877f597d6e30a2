// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_distances, (const float* P, const float* q, float* d, int m, int n), P,
                q, d, m, n)
