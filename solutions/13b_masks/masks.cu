//@stub
//@ // Exercise 13b: a bug hunt. Accounts of eight bookings, four of them a warp.
//@ //
//@ // README.md beside this file says what it is meant to do.
//@ // TODO: find the mistakes and mend them. Then:   ./course check 13b
//@solution
// Exercise 13b: accounts of eight bookings, four of them a warp. The model solution of the bug
// hunt.
//
// What was wrong: lanes without a booking left, though others ask them; the first lanes of an
// account added what they had got from themselves; the lowest balance was asked of the warp's first
// lane, not of the account's; and nothing waited for what other lanes had written.
//@end

#include <climits>

#include "check.hpp"

constexpr int block = 128;
constexpr int bookings = 8;  // of an account
constexpr unsigned all_lanes = 0xFFFFFFFFU;

// Bookings are stored account after account, eight each; the last account may have fewer. For each
// booking: the account's balance after it; how much that is above the account's lowest balance; and
// the balances once more, in each account the newest first.
__global__ void statements(const int* booked, int n, int* balance, int* above, int* newest_first) {
  __shared__ int balances[block];
  const int t = threadIdx.x;
  const int i = blockIdx.x * block + t;
  const int k = t % bookings;  // of the account
  //@stub
  //@ if (i >= n) return;
  //@
  //@ // What was booked up to here.
  //@ int sum = booked[i];
  //@ for (int distance = 1; distance < bookings; distance *= 2) {
  //@   sum += __shfl_up_sync(all_lanes, sum, distance, bookings);
  //@ }
  //@ balance[i] = sum;
  //@
  //@ // The lowest of the account is found by its first lane, which tells the others.
  //@ int lowest = sum;
  //@ for (int distance = bookings / 2; distance > 0; distance /= 2) {
  //@   lowest = min(lowest, __shfl_down_sync(all_lanes, lowest, distance, bookings));
  //@ }
  //@ above[i] = sum - __shfl_sync(all_lanes, lowest, 0);
  //@
  //@ // The balances in reverse order.
  //@ const int last = min(bookings, n - (i - k)) - 1;  // the account's last booking
  //@ balances[t] = sum;
  //@ newest_first[i] = balances[t - k + last - k];
  //@solution
  const bool exists = i < n;

  // What was booked up to here.
  int sum = exists ? booked[i] : 0;
  for (int distance = 1; distance < bookings; distance *= 2) {
    const int earlier = __shfl_up_sync(all_lanes, sum, distance, bookings);
    if (k >= distance) sum += earlier;  // else it is the lane's own
  }
  if (exists) balance[i] = sum;

  // The lowest of the account is found by its first lane, which tells the others.
  int lowest = exists ? sum : INT_MAX;
  for (int distance = bookings / 2; distance > 0; distance /= 2) {
    lowest = min(lowest, __shfl_down_sync(all_lanes, lowest, distance, bookings));
  }
  lowest = __shfl_sync(all_lanes, lowest, 0, bookings);
  if (exists) above[i] = sum - lowest;

  // The balances in reverse order.
  const int last = min(bookings, n - (i - k)) - 1;  // the account's last booking
  balances[t] = sum;
  __syncwarp();  // another lane of this warp has written what this one reads
  if (exists) newest_first[i] = balances[t - k + last - k];
  //@end
}

// All arrays have n elements and are in device memory. n may be 0.
void launch_statements(const int* booked, int n, int* balance, int* above, int* newest_first) {
  if (n == 0) return;
  const int grid = (n - 1) / block + 1;
  statements<<<grid, block>>>(booked, n, balance, above, newest_first);
  CUDA_CHECK_LAUNCH();
}
