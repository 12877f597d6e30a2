// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

COURSE_BOUNDARY(void, launch_record_before,
                (const int* levels, int n, int* records_before, unsigned* ticket, unsigned* flags,
                 int* records),
                levels, n, records_before, ticket, flags, records)
