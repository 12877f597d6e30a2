// Exercise 02c: explain the counters of three copies of a matrix.
//
// README.md beside this file says what is asked. The kernels and their launch functions stay as
// they are. Write numbers where it says TODO. Then:   ./course check 02c

#include "check.hpp"
#include "row_major.hpp"

using course::at;  // at(row, col, ld) = row * ld + col, in 64 bits

constexpr int warp = 32;
constexpr int block = 4 * warp;

// B = A. Both are m x n, row-major, their rows ld elements apart. A warp copies one row: at each
// step its lanes have 32 neighbouring columns.
__global__ void copy_by_rows(const float* A, float* B, int ld, int m, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warp;
  const int lane = threadIdx.x % warp;
  if (row >= m) return;
  for (int col = lane; col < n; col += warp) B[at(row, col, ld)] = A[at(row, col, ld)];
}

// The same. A warp copies 32 rows: at each step its lanes have 32 neighbouring rows of one column.
__global__ void copy_by_columns(const float* A, float* B, int ld, int m, int n) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  for (int col = 0; col < n; ++col) B[at(row, col, ld)] = A[at(row, col, ld)];
}

// B = A for matrices without gaps, of that many float4. Each thread copies one float4.
__global__ void copy_float4(const float4* A, float4* B, int count) {
  const int i = blockIdx.x * blockDim.x + threadIdx.x;
  if (i < count) B[i] = A[i];
}

// All pointers are to device memory, and to multiples of 256 bytes.
void launch_by_rows(const float* A, float* B, int ld, int m, int n) {
  copy_by_rows<<<(m * warp + block - 1) / block, block>>>(A, B, ld, m, n);
  CUDA_CHECK_LAUNCH();
}

void launch_by_columns(const float* A, float* B, int ld, int m, int n) {
  copy_by_columns<<<(m + block - 1) / block, block>>>(A, B, ld, m, n);
  CUDA_CHECK_LAUNCH();
}

// n is a multiple of 4.
void launch_float4(const float* A, float* B, int m, int n) {
  const int count = m * n / 4;
  copy_float4<<<(count + block - 1) / block, block>>>(reinterpret_cast<const float4*>(A),
                                                      reinterpret_cast<float4*>(B), count);
  CUDA_CHECK_LAUNCH();
}

// From here on you write: what is counted when A has m = 64 rows and n = 96 columns, without gaps.

// How many load requests does one warp of copy_by_rows make?
int load_requests_of_a_warp_by_rows() {
  return 0;  // TODO (1 number)
}

// How many sectors does one load request of copy_by_rows touch?
int sectors_per_request_by_rows() {
  return 0;  // TODO (1 number)
}

// How many sectors does one load request of copy_by_columns touch?
int sectors_per_request_by_columns() {
  return 0;  // TODO (1 number)
}

// Of the bytes in these sectors, how many per cent did the request ask for?
double per_cent_used_by_columns() {
  return 0;  // TODO (1 number)
}

// Now m = 64, n = 32, and the rows are 33 elements apart.

// How many sectors do the load requests of copy_by_rows touch for rows 0 to 7, added up?
int sectors_of_eight_rows_with_33() {
  return 0;  // TODO (1 number)
}

// How many sectors does one load request of copy_by_columns touch?
int sectors_per_request_by_columns_with_33() {
  return 0;  // TODO (1 number)
}

// m = 64 and n = 96 again, without gaps.

// How many sectors does one load request of copy_float4 touch?
int sectors_per_request_float4() {
  return 0;  // TODO (1 number)
}

// How many load requests do all warps of copy_float4 make?
int load_requests_float4() {
  return 0;  // TODO (1 number)
}
