// The kernels, as in kernels.cuh: the same statements, line for line, in the words of OpenCL.

kernel void empty() {}

kernel void saxpy(int n, float alpha, global const float* x, global float* y) {
  const int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i < n) y[i] = alpha * x[i] + y[i];
}

// A row a thread.
kernel void sgemv(int n, global const float* a, global const float* x, global float* y) {
  const int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i >= n) return;
  float sum = 0;
  for (int k = 0; k < n; ++k) sum += a[i * n + k] * x[k];
  y[i] = sum;
}

kernel void gemm(int n, global const float* a, global const float* b, global float* c) {
  local float tile_a[16][16];
  local float tile_b[16][16];
  const int tx = get_local_id(0);
  const int ty = get_local_id(1);
  const int col = get_group_id(0) * get_local_size(0) + get_local_id(0);
  const int row = get_group_id(1) * get_local_size(1) + get_local_id(1);
  float sum = 0;
  for (int k0 = 0; k0 < n; k0 += 16) {
    tile_a[ty][tx] = row < n && k0 + tx < n ? a[row * n + k0 + tx] : 0;
    tile_b[ty][tx] = col < n && k0 + ty < n ? b[(k0 + ty) * n + col] : 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int k = 0; k < 16; ++k) sum += tile_a[ty][k] * tile_b[k][tx];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (row < n && col < n) c[row * n + col] = sum;
}

// A sum a block.
kernel void reduction(int n, global const float* x, global float* sums) {
  local float tile[256];
  const int t = get_local_id(0);
  const int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  tile[t] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int reach = 128; reach > 0; reach /= 2) {
    if (t < reach) tile[t] += tile[t + reach];
    barrier(CLK_LOCAL_MEM_FENCE);
  }
  if (t == 0) sums[get_group_id(0)] = tile[0];
}

kernel void stencil(int n, global const float* x, global float* y) {
  local float tile[258];
  const int t = get_local_id(0);
  const int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  tile[t + 1] = i < n ? x[i] : 0;
  if (t == 0) tile[0] = i > 0 ? x[i - 1] : 0;
  if (t == 255) tile[257] = i + 1 < n ? x[i + 1] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) y[i] = tile[t] + 2 * tile[t + 1] + tile[t + 2];
}

// The reduction, without the barrier between two steps.
kernel void missing_barrier(int n, global const float* x, global float* sums) {
  local float tile[256];
  const int t = get_local_id(0);
  const int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  tile[t] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  for (int reach = 128; reach > 0; reach /= 2) {
    if (t < reach) tile[t] += tile[t + reach];
  }
  if (t == 0) sums[get_group_id(0)] = tile[0];
}

// SAXPY, one element too far.
kernel void past_the_end(int n, float alpha, global const float* x, global float* y) {
  const int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  if (i <= n) y[i] = alpha * x[i] + y[i];
}

// The stencil, without the halo.
kernel void never_written(int n, global const float* x, global float* y) {
  local float tile[258];
  const int t = get_local_id(0);
  const int i = get_group_id(0) * get_local_size(0) + get_local_id(0);
  tile[t + 1] = i < n ? x[i] : 0;
  barrier(CLK_LOCAL_MEM_FENCE);
  if (i < n) y[i] = tile[t] + 2 * tile[t + 1] + tile[t + 2];
}
