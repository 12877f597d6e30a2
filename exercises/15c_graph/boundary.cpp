// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, run_rounds, (float* x, int* memory, int n, int rounds), x, memory, n, rounds)
