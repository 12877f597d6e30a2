// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_equalise,
                (const unsigned char* picture, std::size_t pitch, unsigned char* out,
                 std::size_t out_pitch, int width, int height, unsigned* counts,
                 unsigned char* table),
                picture, pitch, out, out_pitch, width, height, counts, table)
