// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_compact,
                (const int* x, int n, int limit, int* kept, int* count, unsigned* ticket,
                 unsigned long long* words),
                x, n, limit, kept, count, ticket, words)
