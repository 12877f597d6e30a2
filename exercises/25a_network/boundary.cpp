// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_sort_chunks, (const int* x, int n, int* y), x, n, y)
