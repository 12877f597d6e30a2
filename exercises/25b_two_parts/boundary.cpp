// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_order,
                (const int* grade, const int* team, int n, int* order, int* spare, int* counts),
                grade, team, n, order, spare, counts)
