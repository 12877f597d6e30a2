// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_transposed,
                (const int* offsets, const float* values, int rows, int cols, const int* by_column,
                 const int* column_offsets, int* row_of, const float* x, float* y),
                offsets, values, rows, cols, by_column, column_offsets, row_of, x, y)
