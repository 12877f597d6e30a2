// The kernels, as in kernels.cuh: the same statements, line for line, in the words of OpenCL.
// `tile` comes from the command line of the compiler.

// One row per thread; A is column-major.
kernel void sgemv(int n, global const float* a, global const float* x, global float* y) {
  const int row = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (row >= n) return;
  float sum = 0;
  for (int j = 0; j < n; ++j) sum += a[j * n + row] * x[j];
  y[row] = sum;
}

kernel void gemm(int n, global const float* a, global const float* b, global float* c) {
  local float a_tile[tile][tile];
  local float b_tile[tile][tile];
  const int tx = get_local_id(0);
  const int ty = get_local_id(1);
  const int col = get_group_id(0) * tile + tx;
  const int row = get_group_id(1) * tile + ty;
  float sum = 0;
  for (int first = 0; first < n; first += tile) {
    a_tile[ty][tx] = row < n && first + tx < n ? a[row * n + first + tx] : 0;
    b_tile[ty][tx] = first + ty < n && col < n ? b[(first + ty) * n + col] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int p = 0; p < tile; ++p) sum += a_tile[ty][p] * b_tile[p][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && col < n) c[row * n + col] = sum;
}
