// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_find_places, (int* C_place, int* A_place, int* B_place, int order),
                C_place, A_place, B_place, order)
