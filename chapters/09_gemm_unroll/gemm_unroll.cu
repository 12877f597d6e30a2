// Chapter 09: C = A B with the tiled kernel of chapter 08, and its inner loop unrolled.
//
// One step of the inner loop is one multiply-add. The loop's own instructions, which count, compare
// and jump, cost more than that. The same loop, in four ways:
//
//   as it is   as in chapter 08: the compiler decides
//   rolled     #pragma unroll 1: the compiler must not unroll
//   by hand    four steps written out, and the remaining ones one by one
//   by pragma  #pragma unroll: all steps written out, by the compiler
//
// And one thing that no unrolling does:
//
//   prefetched  the next tile's loads are issued before this tile is used
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson gemm_unroll.cu -o
// gemm_unroll

#include "course.hpp"

using course::at;

// All four: sum plus the product of row y of A's tile with column x of B's.

struct AsItIs {
  template <int tile>
  static __device__ float add(float sum, const float (&A_tile)[tile][tile],
                              const float (&B_tile)[tile][tile], int y, int x) {
    for (int p = 0; p < tile; ++p) sum += A_tile[y][p] * B_tile[p][x];
    return sum;
  }
};

struct Rolled {
  template <int tile>
  static __device__ float add(float sum, const float (&A_tile)[tile][tile],
                              const float (&B_tile)[tile][tile], int y, int x) {
#pragma unroll 1
    for (int p = 0; p < tile; ++p) sum += A_tile[y][p] * B_tile[p][x];
    return sum;
  }
};

struct ByHand {
  template <int tile>
  static __device__ float add(float sum, const float (&A_tile)[tile][tile],
                              const float (&B_tile)[tile][tile], int y, int x) {
    int p = 0;
#pragma unroll 1  // only what is written here, no unrolling on top
    for (; p + 3 < tile; p += 4) {
      sum += A_tile[y][p] * B_tile[p][x];
      sum += A_tile[y][p + 1] * B_tile[p + 1][x];
      sum += A_tile[y][p + 2] * B_tile[p + 2][x];
      sum += A_tile[y][p + 3] * B_tile[p + 3][x];
    }
    // The steps beyond a multiple of 4. Tiles of 16 and 32 have none, but not every tile's size is
    // a multiple of 4.
    for (; p < tile; ++p) sum += A_tile[y][p] * B_tile[p][x];
    return sum;
  }
};

struct ByPragma {
  template <int tile>
  static __device__ float add(float sum, const float (&A_tile)[tile][tile],
                              const float (&B_tile)[tile][tile], int y, int x) {
#pragma unroll
    for (int p = 0; p < tile; ++p) sum += A_tile[y][p] * B_tile[p][x];
    return sum;
  }
};

// Chapter 08's kernel, except for the inner loop.
template <int tile, class Loop>
__global__ void __launch_bounds__(tile* tile)
    gemm_unroll(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float A_tile[tile][tile];
  __shared__ float B_tile[tile][tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;
  // No early return: a thread without an element of C still fetches for the others.

  float sum = 0.0F;
  for (int first = 0; first < k; first += tile) {
    // Beyond an edge the tile holds 0, which adds nothing to any sum.
    A_tile[y][x] = row < m && first + x < k ? A[at(row, first + x, k)] : 0.0F;
    B_tile[y][x] = first + y < k && col < n ? B[at(first + y, col, n)] : 0.0F;
    __syncthreads();  // the tiles are complete before any thread reads them
    sum = Loop::add(sum, A_tile, B_tile, y, x);
    __syncthreads();  // all threads have read them before any overwrites them
  }
  if (row < m && col < n) C[at(row, col, n)] = sum;
}

// The loop by pragma, with a prefetch: the next tile's two loads are issued before this tile is
// used. Their values go to registers, and the multiply-adds need not wait for them.
template <int tile>
__global__ void __launch_bounds__(tile* tile)
    gemm_early(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float A_tile[tile][tile];
  __shared__ float B_tile[tile][tile];
  const int x = threadIdx.x;
  const int y = threadIdx.y;
  const int col = blockIdx.x * tile + x;
  const int row = blockIdx.y * tile + y;

  // Beyond an edge of C a thread reads the last row or column; its result is never written.
  const float* a = A + at(min(row, m - 1), x, k);
  const float* b = B + at(y, min(col, n - 1), n);
  float a_next = x < k ? *a : 0.0F;
  float b_next = y < k ? *b : 0.0F;
  float sum = 0.0F;
  for (int first = 0; first < k; first += tile) {
    A_tile[y][x] = a_next;
    B_tile[y][x] = b_next;
    __syncthreads();
    a += tile;
    b += at(tile, 0, n);
    a_next = first + tile + x < k ? *a : 0.0F;
    b_next = first + tile + y < k ? *b : 0.0F;
    sum = ByPragma::add(sum, A_tile, B_tile, y, x);
    __syncthreads();
  }
  if (row < m && col < n) C[at(row, col, n)] = sum;
}

// ---------------------------------------------------------------- launchers

// As in chapter 08: nothing to do without columns, and one band of rows per launch.

template <int tile, class Loop>
void launch_unroll(const float* A, const float* B, float* C, int m, int n, int k) {
  if (n == 0) return;
  course::for_each_band(m, tile, [&](int first, int rows) {
    const dim3 grid((n - 1) / tile + 1, (rows - 1) / tile + 1);
    gemm_unroll<tile, Loop>
        <<<grid, dim3(tile, tile)>>>(A + at(first, 0, k), B, C + at(first, 0, n), rows, n, k);
    CUDA_CHECK_LAUNCH();
  });
}

template <int tile>
void launch_early(const float* A, const float* B, float* C, int m, int n, int k) {
  if (n == 0) return;
  course::for_each_band(m, tile, [&](int first, int rows) {
    const dim3 grid((n - 1) / tile + 1, (rows - 1) / tile + 1);
    gemm_early<tile>
        <<<grid, dim3(tile, tile)>>>(A + at(first, 0, k), B, C + at(first, 0, n), rows, n, k);
    CUDA_CHECK_LAUNCH();
  });
}

const std::vector<course::GemmRung> kernels = {{"as it is, 16 x 16", launch_unroll<16, AsItIs>},
                                               {"rolled, 16 x 16", launch_unroll<16, Rolled>},
                                               {"by hand, 16 x 16", launch_unroll<16, ByHand>},
                                               {"by pragma, 16 x 16", launch_unroll<16, ByPragma>},
                                               {"prefetched, 16 x 16", launch_early<16>},
                                               {"as it is, 32 x 32", launch_unroll<32, AsItIs>},
                                               {"rolled, 32 x 32", launch_unroll<32, Rolled>},
                                               {"by hand, 32 x 32", launch_unroll<32, ByHand>},
                                               {"by pragma, 32 x 32", launch_unroll<32, ByPragma>},
                                               {"prefetched, 32 x 32", launch_early<32>}};

int main(int argc, char** argv) try {
  const course::Options options = course::parse_gemm_options(
      argc, argv, "09_gemm_unroll", "C = A B in tiles, with the inner loop unrolled or not.");
  course::Report report(options, course::CeilingKind::fma);

  course::verify_and_time(options, report, kernels);

  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
