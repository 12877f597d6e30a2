// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_pages,
                (const float* Q, const float* K, const float* V, const int* pages,
                 const int* lengths, int sequences, int most_pages, float* O),
                Q, K, V, pages, lengths, sequences, most_pages, O)
