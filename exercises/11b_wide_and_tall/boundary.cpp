// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_transpose, (const float* A, float* B, int m, int n), A, B, m, n)
