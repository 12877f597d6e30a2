// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_review,
                (int kernel, const float* A, int lda, float* B, int ldb, int m, int n,
                 int block_rows),
                kernel, A, lda, B, ldb, m, n, block_rows)
COURSE_BOUNDARY(int, wrong_line_of_first, ())
COURSE_BOUNDARY(int, wrong_line_of_second, ())
COURSE_BOUNDARY(int, wrong_line_of_third, ())
COURSE_BOUNDARY(int, wrong_line_of_fourth, ())
COURSE_BOUNDARY(int, wrong_line_of_fifth, ())
