// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_sweeps, (const float* x, float* y, float* z, int n, int sweeps), x, y,
                z, n, sweeps)
