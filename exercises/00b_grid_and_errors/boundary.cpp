// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_mirror, (const float* in, float* out, int rows, int cols), in, out,
                rows, cols)
