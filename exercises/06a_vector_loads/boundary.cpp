// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_squared_lengths, (const float* A, float* s, int m, int n), A, s, m, n)
