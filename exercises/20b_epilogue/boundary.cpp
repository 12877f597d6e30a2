// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_layer,
                (const float* A, const float* B, const float* bias, float* C, int m, int n, int k,
                 float alpha, float beta),
                A, B, bias, C, m, n, k, alpha, beta)
