// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_runs,
                (const int* x, int n, int* values, int* lengths, int* runs, int* starts,
                 int* of_tiles),
                x, n, values, lengths, runs, starts, of_tiles)
