// Where a submission is cut off from its checks when it is graded.

#include <cstddef>

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_dot,
                (const float* x, const float* y, std::size_t n, float* sums, float* result), x, y,
                n, sums, result)
