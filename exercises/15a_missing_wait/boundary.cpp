// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, blend_pages,
                (const float* a, const float* b, float* y, float* memory, int n, int pages),
                course::boundary::host_in(a, n* pages), course::boundary::host_in(b, n* pages),
                course::boundary::host_out(y, n* pages), memory, n, pages)
