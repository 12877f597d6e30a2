// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

#include <cstddef>

COURSE_BOUNDARY(std::size_t, place, (int particle, int field, int n), particle, field, n)
COURSE_BOUNDARY(void, launch_fly, (float* particles, float t, int n), particles, t, n)
