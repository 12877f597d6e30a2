// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_slices,
                (const int* offsets, const int* columns, const float* values, int rows, int* widths,
                 int* begins, int* sliced_columns, float* sliced_values, const float* x, float* y),
                offsets, columns, values, rows, widths, begins, sliced_columns, sliced_values, x, y)
