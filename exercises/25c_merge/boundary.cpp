// Where a submission is cut off from its checks when it is graded.

#include "checks/boundary.hpp"

struct Item {
  int key;
  int from;
};

COURSE_BOUNDARY(void, launch_merge, (const Item* a, int m, const Item* b, int n, Item* merged), a,
                m, b, n, merged)
