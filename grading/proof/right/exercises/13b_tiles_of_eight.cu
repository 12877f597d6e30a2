// A right solution for 13b: accounts are tiles of cooperative groups, which scan and reduce, in a
// kernel with launch bounds.
// expected: full marks

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cooperative_groups/scan.h>

#include <climits>

#include "check.hpp"

namespace cg = cooperative_groups;

constexpr int block = 64;
constexpr int bookings = 8;

__global__ void __launch_bounds__(block)
    statements(const int* __restrict__ booked, const int n, int* __restrict__ balance,
               int* __restrict__ above, int* __restrict__ newest_first) {
  const auto account = cg::tiled_partition<bookings>(cg::this_thread_block());
  const int i = blockIdx.x * block + threadIdx.x, k = account.thread_rank();
  const bool exists = i < n;
  const int sum = cg::inclusive_scan(account, exists ? booked[i] : 0);
  const int lowest = cg::reduce(account, exists ? sum : INT_MAX, cg::less<int>());
  const int last = min(bookings, n - (i - k)) - 1;
  const int newest = account.shfl(sum, max(last - k, 0));
  if (!exists) return;
  balance[i] = sum;
  above[i] = sum - lowest;
  newest_first[i] = newest;
}

void launch_statements(const int* booked, int n, int* balance, int* above, int* newest_first) {
  if (n == 0) return;
  statements<<<(n - 1) / block + 1, block>>>(booked, n, balance, above, newest_first);
  CUDA_CHECK_LAUNCH();
}
