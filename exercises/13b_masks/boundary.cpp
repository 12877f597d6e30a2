// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_statements,
                (const int* booked, int n, int* balance, int* above, int* newest_first), booked, n,
                balance, above, newest_first)
