// C = A B in OpenCL C: A is m x k, B is k x n, C is m x n, all three row-major. Id 0 of a work-item
// counts columns and id 1 rows, as x and y do in CUDA.
//
// This file is compiled when the program runs. What the host defines then:
//   SUB_SIZE   rows and columns of a sub-matrix in local memory
//   WPT        elements of C that a work-item of gemm_work_per_item computes; divides SUB_SIZE
//   WIDTH      floats that gemm_8x8 moves at a time: 4, or 1 where rows do not begin at 16 bytes

#define AT(row, col, cols) ((size_t)(row) * (cols) + (col))

// One work-item per element of C.
kernel void gemm_naive(global const float* restrict A, global const float* restrict B,
                       global float* restrict C, int m, int n, int k) {
  const int col = get_global_id(0);
  const int row = get_global_id(1);
  if (row >= m || col >= n) return;

  float sum = 0.0f;
  for (int p = 0; p < k; ++p) sum += A[AT(row, p, k)] * B[AT(p, col, n)];
  C[AT(row, col, n)] = sum;
}

// A work-group reads a sub-matrix of A and one of B together, and then uses them.
kernel __attribute__((reqd_work_group_size(SUB_SIZE, SUB_SIZE, 1)))
void gemm_sub_matrix(global const float* restrict A, global const float* restrict B,
                     global float* restrict C, int m, int n, int k) {
  local float A_sub[SUB_SIZE][SUB_SIZE];
  local float B_sub[SUB_SIZE][SUB_SIZE];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int col = get_group_id(0) * SUB_SIZE + x;
  const int row = get_group_id(1) * SUB_SIZE + y;

  float sum = 0.0f;
  for (int first = 0; first < k; first += SUB_SIZE) {
    A_sub[y][x] = row < m && first + x < k ? A[AT(row, first + x, k)] : 0.0f;
    B_sub[y][x] = first + y < k && col < n ? B[AT(first + y, col, n)] : 0.0f;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 0; p < SUB_SIZE; ++p) sum += A_sub[y][p] * B_sub[p][x];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < m && col < n) C[AT(row, col, n)] = sum;
}

// The same sub-matrices, but a work-item has WPT elements of one column of C. It uses each element
// of B_sub that it reads WPT times.
#define ROWS (SUB_SIZE / WPT)  // of a work-group; it passes over a sub-matrix WPT times
kernel __attribute__((reqd_work_group_size(SUB_SIZE, ROWS, 1)))
void gemm_work_per_item(global const float* restrict A, global const float* restrict B,
                        global float* restrict C, int m, int n, int k) {
  local float A_sub[SUB_SIZE][SUB_SIZE];
  local float B_sub[SUB_SIZE][SUB_SIZE];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int col = get_group_id(0) * SUB_SIZE + x;
  const int first_row = get_group_id(1) * SUB_SIZE;

  float sums[WPT];
  for (int w = 0; w < WPT; ++w) sums[w] = 0.0f;
  for (int first = 0; first < k; first += SUB_SIZE) {
    for (int w = 0; w < WPT; ++w) {
      const int i = y + w * ROWS;  // a row of the sub-matrices
      const int row = first_row + i;
      A_sub[i][x] = row < m && first + x < k ? A[AT(row, first + x, k)] : 0.0f;
      B_sub[i][x] = first + i < k && col < n ? B[AT(first + i, col, n)] : 0.0f;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 0; p < SUB_SIZE; ++p) {
      const float b = B_sub[p][x];
      for (int w = 0; w < WPT; ++w) sums[w] += A_sub[y + w * ROWS][p] * b;
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  for (int w = 0; w < WPT; ++w) {
    const int row = first_row + y + w * ROWS;
    if (row < m && col < n) C[AT(row, col, n)] = sums[w];
  }
}

// Four neighbours of a row, 0 out of bounds. With WIDTH 4 either all four are inside or none is.
float4 load4(global const float* M, int row, int col, int rows, int cols) {
  float4 v = (float4)(0.0f);
  if (row >= rows) return v;
#if WIDTH == 4
  if (col < cols) v = *(global const float4*)(M + AT(row, col, cols));
#else
  if (col + 0 < cols) v.s0 = M[AT(row, col + 0, cols)];
  if (col + 1 < cols) v.s1 = M[AT(row, col + 1, cols)];
  if (col + 2 < cols) v.s2 = M[AT(row, col + 2, cols)];
  if (col + 3 < cols) v.s3 = M[AT(row, col + 3, cols)];
#endif
  return v;
}

void store4(global float* M, int row, int col, int rows, int cols, float4 v) {
  if (row >= rows) return;
#if WIDTH == 4
  if (col < cols) *(global float4*)(M + AT(row, col, cols)) = v;
#else
  if (col + 0 < cols) M[AT(row, col + 0, cols)] = v.s0;
  if (col + 1 < cols) M[AT(row, col + 1, cols)] = v.s1;
  if (col + 2 < cols) M[AT(row, col + 2, cols)] = v.s2;
  if (col + 3 < cols) M[AT(row, col + 3, cols)] = v.s3;
#endif
}

// A work-group of 16 x 16 computes 128 x 128 elements of C, 8 at a time along k. A work-item has
// four squares of 4 x 4 of them, 64 rows and 64 columns apart: so neighbours read neighbours.
#define TILE 128
#define STEP 8
kernel __attribute__((reqd_work_group_size(16, 16, 1)))
void gemm_8x8(global const float* restrict A, global const float* restrict B,
              global float* restrict C, int m, int n, int k) {
  local float4 A_tile[STEP][TILE / 4 + 1];  // transposed: rows of A run along it
  local float4 B_tile[STEP][TILE / 4];
  const int x = get_local_id(0);
  const int y = get_local_id(1);
  const int t = y * 16 + x;
  const int first_row = get_group_id(1) * TILE;
  const int first_col = get_group_id(0) * TILE;

  float sums[8][8];
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) sums[i][j] = 0.0f;
  }
  for (int first = 0; first < k; first += STEP) {
    // 128 rows of A with 8 numbers: two work-items per row. 8 rows of B with 128: 32 per row.
    const int a_row = t / 2;
    const int a_p = t % 2 * 4;
    const int b_p = t / 32;
    const int b_col = t % 32 * 4;
    const float4 a = load4(A, first_row + a_row, first + a_p, m, k);
    const float4 b = load4(B, first + b_p, first_col + b_col, k, n);
    ((local float*)A_tile[a_p + 0])[a_row] = a.s0;
    ((local float*)A_tile[a_p + 1])[a_row] = a.s1;
    ((local float*)A_tile[a_p + 2])[a_row] = a.s2;
    ((local float*)A_tile[a_p + 3])[a_row] = a.s3;
    B_tile[b_p][b_col / 4] = b;
    barrier(CLK_LOCAL_MEM_FENCE);
#pragma unroll
    for (int p = 0; p < STEP; ++p) {
      const float4 a0 = A_tile[p][y];
      const float4 a1 = A_tile[p][y + 16];
      const float4 b0 = B_tile[p][x];
      const float4 b1 = B_tile[p][x + 16];
      const float as[8] = {a0.s0, a0.s1, a0.s2, a0.s3, a1.s0, a1.s1, a1.s2, a1.s3};
      const float bs[8] = {b0.s0, b0.s1, b0.s2, b0.s3, b1.s0, b1.s1, b1.s2, b1.s3};
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sums[i][j] += as[i] * bs[j];
      }
    }
    barrier(CLK_LOCAL_MEM_FENCE);
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = first_row + i / 4 * 64 + y * 4 + i % 4;
    const float* s = sums[i];
    store4(C, row, first_col + x * 4, m, n, (float4)(s[0], s[1], s[2], s[3]));
    store4(C, row, first_col + 64 + x * 4, m, n, (float4)(s[4], s[5], s[6], s[7]));
  }
}
