// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_partition,
                (const int* x, int n, int limit, int* below, int* rest, int* counts), x, n, limit,
                below, rest, counts)
