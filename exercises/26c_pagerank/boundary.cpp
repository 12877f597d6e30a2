// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_pagerank,
                (const int* offsets, const int* from, const int* links, int pages, float damping,
                 float tolerance, int most, float* rank, float* next, float* given, float* other,
                 float* sums, int* steps),
                offsets, from, links, pages, damping, tolerance, most, rank, next, given, other,
                sums, steps)
COURSE_ALLOWS("cudaMemcpy")
