// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(int, launch_quarters, (const int* x, int* quarter, int n), x, quarter, n)

COURSE_FREES_ITS_MEMORY()
COURSE_SHARES_AT_MOST(64)  // a few numbers, and not the array
