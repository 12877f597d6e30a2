// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_transpose_in_place, (float* A, int n, int lda), A, n, lda)
