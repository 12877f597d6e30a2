// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_by_rows, (const float* A, float* B, int ld, int m, int n), A, B, ld, m,
                n)
COURSE_BOUNDARY(void, launch_by_columns, (const float* A, float* B, int ld, int m, int n), A, B, ld,
                m, n)
COURSE_BOUNDARY(void, launch_float4, (const float* A, float* B, int m, int n), A, B, m, n)
COURSE_BOUNDARY(int, load_requests_of_a_warp_by_rows, ())
COURSE_BOUNDARY(int, sectors_per_request_by_rows, ())
COURSE_BOUNDARY(int, sectors_per_request_by_columns, ())
COURSE_BOUNDARY(double, per_cent_used_by_columns, ())
COURSE_BOUNDARY(int, sectors_of_eight_rows_with_33, ())
COURSE_BOUNDARY(int, sectors_per_request_by_columns_with_33, ())
COURSE_BOUNDARY(int, sectors_per_request_float4, ())
COURSE_BOUNDARY(int, load_requests_float4, ())
