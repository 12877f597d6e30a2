// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_product,
                (const float* A, const float* B, float* to, int m, int n, int k), A, B, to, m, n, k)
COURSE_BOUNDARY(int, chosen, (int which), which)
COURSE_BOUNDARY(long long, numbers_held, (int R, int C), R, C)
COURSE_BOUNDARY(long long, shared_bytes, (int R, int C, int depth), R, C, depth)
COURSE_BOUNDARY(long long, load_sectors, (int R, int C, long long m, long long n, long long k), R,
                C, m, n, k)
COURSE_BOUNDARY(long long, wavefronts,
                (int R, int C, int depth, long long m, long long n, long long k), R, C, depth, m, n,
                k)
