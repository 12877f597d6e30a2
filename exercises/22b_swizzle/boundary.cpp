// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_places, (int* out, int width), out, width)
COURSE_BOUNDARY(void, launch_turn, (const float* in, float* out, int tiles, int width), in, out,
                tiles, width)
