// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_causal,
                (const float* Q, const float* K, const float* V, int queries, int keys, float* O),
                Q, K, V, queries, keys, O)
