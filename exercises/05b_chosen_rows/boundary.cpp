// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_chosen_rows,
                (const float* A, const float* x, const int* chosen, float* y, int m, int n), A, x,
                chosen, y, m, n)
