// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_levels, (const float* x, int n, unsigned char* levels, int chunk),
                course::boundary::host_in_opaque(x, n), n, levels, chunk)

COURSE_FREES_ITS_MEMORY()
COURSE_SHARES_AT_MOST(1 << 14)  // two buffers of the largest chunk in the checks, and a little
