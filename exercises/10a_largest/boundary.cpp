// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_largest,
                (const float* x, int n, float* values, int* places, unsigned* ticket, int* index),
                x, n, values, places, ticket, index)
