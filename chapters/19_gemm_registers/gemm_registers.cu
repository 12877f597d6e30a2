// Chapter 19: C = A B with a block's sums in registers. Chapter 09 ended with two loads from shared
// memory per multiply-add, and shared memory was the limit. A thread that computes 8 x 8 elements
// of C loads 16 numbers for 64 multiply-adds. Rung by rung:
//
//   8 x 1        each thread has 8 elements of a column of C
//   8 x 8        8 rows by 8 columns per thread: the first kernel with its numbers in registers
//   16 bytes     four numbers per load; for that A's tile is transposed in shared memory
//   warp tiles   which 8 x 8 a thread has, so that a warp's loads have no bank conflicts
//   lane pairs   ... and which lane has which, so that more lanes are served at once
//   padded       A's tile padded: the stores into it have hardly any bank conflicts
//   swizzled     ... or its rows in another order: they have none at all
//   double-buffered
//                the next tiles are prefetched before these are used, and go to a second buffer
//   block order  the same, and concurrent blocks share rows and columns
//
// The common parts of the kernels with loads of 16 bytes are in tiles.hpp.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -I ../../common/lesson gemm_registers.cu -o gemm_registers

#include "course.hpp"
#include "tiles.hpp"

// ---------------------------------------------------------------- scalar loads

// A block's tile from a matrix, element by element. What is out of bounds is 0.
template <int threads, int rows, int cols>
__device__ void copy_tile(float (&tile)[rows][cols], const float* from, int first_row,
                          int first_col, int m, int n) {
#pragma unroll
  for (int i = 0; i < rows * cols; i += threads) {
    const int y = (i + threadIdx.x) / cols;
    const int x = (i + threadIdx.x) % cols;
    const bool there = first_row + y < m && first_col + x < n;
    tile[y][x] = there ? from[at(first_row + y, first_col + x, n)] : 0.0F;
  }
}

// 64 x 64 elements of C by 512 threads. Each has 8 in a column: one element of B serves 8 of A.
__global__ void __launch_bounds__(512)
    gemm_column(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float A_tile[64][depth];
  __shared__ float B_tile[depth][64];
  const int x = threadIdx.x % 64;
  const int y = threadIdx.x / 64 * 8;
  const int first_row = blockIdx.y * 64;
  const int first_col = blockIdx.x * 64;

  float sum[8] = {};
  for (int first = 0; first < k; first += depth) {
    copy_tile<512>(A_tile, A, first_row, first, m, k);
    copy_tile<512>(B_tile, B, first, first_col, k, n);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < depth; ++p) {
      const float b = B_tile[p][x];
#pragma unroll
      for (int i = 0; i < 8; ++i) sum[i] += A_tile[y + i][p] * b;
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
    const int row = first_row + y + i;
    const int col = first_col + x;
    if (row < m && col < n) C[at(row, col, n)] = sum[i];
  }
}

// 128 x 128 elements of C by 256 threads. Each has 8 rows and 8 columns, 16 apart: as before,
// neighbouring threads have neighbouring columns.
__global__ void __launch_bounds__(256, 2)
    gemm_square(const float* A, const float* B, float* C, int m, int n, int k) {
  __shared__ float A_tile[128][depth];
  __shared__ float B_tile[depth][128];
  const int x = threadIdx.x % 16;
  const int y = threadIdx.x / 16;
  const int first_row = blockIdx.y * 128;
  const int first_col = blockIdx.x * 128;

  float sum[8][8] = {};
  for (int first = 0; first < k; first += depth) {
    copy_tile<256>(A_tile, A, first_row, first, m, k);
    copy_tile<256>(B_tile, B, first, first_col, k, n);
    __syncthreads();
#pragma unroll
    for (int p = 0; p < depth; ++p) {
      float a[8];  // the 16 numbers of this step, read once and used 8 times each
      float b[8];
#pragma unroll
      for (int i = 0; i < 8; ++i) a[i] = A_tile[y + 16 * i][p];
#pragma unroll
      for (int j = 0; j < 8; ++j) b[j] = B_tile[p][x + 16 * j];
#pragma unroll
      for (int i = 0; i < 8; ++i) {
#pragma unroll
        for (int j = 0; j < 8; ++j) sum[i][j] += a[i] * b[j];
      }
    }
    __syncthreads();
  }
#pragma unroll
  for (int i = 0; i < 8; ++i) {
#pragma unroll
    for (int j = 0; j < 8; ++j) {
      const int row = first_row + y + 16 * i;
      const int col = first_col + x + 16 * j;
      if (row < m && col < n) C[at(row, col, n)] = sum[i][j];
    }
  }
}

// ---------------------------------------------------------------- loads of 16 bytes

// 128 x 128 elements of C by 256 threads, as before. All numbers move in groups of four.
template <class Map, class Layout, bool wide>
__global__ void __launch_bounds__(256, 2)
    gemm_wide(const float* A, const float* B, float* C, int m, int n, int k) {
  alignas(16) __shared__ float A_tile[depth][128 + Layout::padding];
  alignas(16) __shared__ float B_tile[depth][128];
  const int first_row = blockIdx.y * 128;
  const int first_col = blockIdx.x * 128;

  float sum[8][8] = {};
  for (int first = 0; first < k; first += depth) {
    Tiles<128, 128, Layout, wide> next;
    next.load(A, B, first_row, first_col, first, m, n, k);
    next.store(A_tile, B_tile);
    __syncthreads();
    multiply<Map, Layout>(sum, A_tile, B_tile);
    __syncthreads();
  }
  write_sums<Map>(sum, C, first_row, first_col, m, n);
}

// ---------------------------------------------------------------- two buffers

// Which of the `down` x `across` tiles of C is the block's.

struct RowByRow {
  static __host__ __device__ int2 tile(int block, int, int across) {
    return make_int2(block / across, block % across);
  }
};
struct InGroups {  // eight rows of tiles, column by column, and then the next eight
  static __host__ __device__ int2 tile(int block, int down, int across) {
    const int group = block / (8 * across) * 8;
    const int rows = min(8, down - group);
    const int place = block - group * across;
    return make_int2(group + place % rows, place / rows);
  }
};

// A thread has R x C sums, a block 16 R x 16 C. The next tiles are in flight to registers while
// these are used. They go to the other buffer, which is free: one barrier per tile is enough.
template <int R, int C, class TileOrder, bool wide>
__global__ void __launch_bounds__(256, R* C <= 64 ? 2 : 1)
    gemm_early(const float* A, const float* B, float* to, int m, int n, int k) {
  alignas(16) __shared__ float A_tile[2][depth][16 * R];
  alignas(16) __shared__ float B_tile[2][depth][16 * C];
  const int2 tile = TileOrder::tile(blockIdx.x, (m - 1) / (16 * R) + 1, (n - 1) / (16 * C) + 1);
  const int first_row = tile.x * 16 * R;
  const int first_col = tile.y * 16 * C;

  float sum[R][C] = {};
  Tiles<16 * R, 16 * C, Swizzled, wide> next;
  next.load(A, B, first_row, first_col, 0, m, n, k);
  next.store(A_tile[0], B_tile[0]);
  __syncthreads();
  int now = 0;
  for (int first = 0; first < k; first += depth) {
    next.load(A, B, first_row, first_col, first + depth, m, n, k);
    multiply<WarpTiles<InPairs>, Swizzled>(sum, A_tile[now], B_tile[now]);
    next.store(A_tile[1 - now], B_tile[1 - now]);
    __syncthreads();
    now = 1 - now;
  }
  write_sums<WarpTiles<InPairs>>(sum, to, first_row, first_col, m, n);
}

// ---------------------------------------------------------------- launchers

// Loads of 16 bytes require rows that begin at multiples of 16 bytes.
bool can_be_wide(const float* A, const float* B, int n, int k) {
  const auto starts = reinterpret_cast<std::uintptr_t>(A) | reinterpret_cast<std::uintptr_t>(B);
  return starts % 16 == 0 && n % 4 == 0 && k % 4 == 0;
}

using Kernel = void (*)(const float* A, const float* B, float* C, int m, int n, int k);

// As in chapter 08: nothing to do without columns, and one band of rows per launch.
void launch_bands(Kernel kernel, int side, int threads, const float* A, const float* B, float* C,
                  int m, int n, int k) {
  if (n == 0) return;
  course::for_each_band(m, side, [&](int first, int rows) {
    const dim3 grid((n - 1) / side + 1, (rows - 1) / side + 1);
    kernel<<<grid, threads>>>(A + at(first, 0, k), B, C + at(first, 0, n), rows, n, k);
    CUDA_CHECK_LAUNCH();
  });
}

void launch_column(const float* A, const float* B, float* C, int m, int n, int k) {
  launch_bands(gemm_column, 64, 512, A, B, C, m, n, k);
}

void launch_square(const float* A, const float* B, float* C, int m, int n, int k) {
  launch_bands(gemm_square, 128, 256, A, B, C, m, n, k);
}

template <class Map, class Layout>
void launch_wide(const float* A, const float* B, float* C, int m, int n, int k) {
  const bool wide = can_be_wide(A, B, n, k);
  const Kernel kernel = wide ? gemm_wide<Map, Layout, true> : gemm_wide<Map, Layout, false>;
  launch_bands(kernel, 128, 256, A, B, C, m, n, k);
}

template <int R, int C, class TileOrder>
void launch_early(const float* A, const float* B, float* to, int m, int n, int k) {
  if (m == 0 || n == 0) return;
  const unsigned down = (m - 1) / (16 * R) + 1;
  const unsigned across = (n - 1) / (16 * C) + 1;
  const Kernel kernel = can_be_wide(A, B, n, k) ? gemm_early<R, C, TileOrder, true>
                                                : gemm_early<R, C, TileOrder, false>;
  kernel<<<down * across, 256>>>(A, B, to, m, n, k);
  CUDA_CHECK_LAUNCH();
}

const std::vector<course::GemmRung> kernels = {
    {"8 x 1", launch_column},
    {"8 x 8", launch_square},
    {"16 bytes", launch_wide<Together, Plain>},
    {"warp tiles", launch_wide<WarpTiles<InRows>, Plain>},
    {"lane pairs", launch_wide<WarpTiles<InPairs>, Plain>},
    {"padded", launch_wide<WarpTiles<InPairs>, Padded>},
    {"swizzled", launch_wide<WarpTiles<InPairs>, Swizzled>},
    {"double-buffered", launch_early<8, 8, RowByRow>},
    {"block order", launch_early<8, 8, InGroups>}};

// How much work a thread has, and how many threads then fit on a multiprocessor.
template <int R, int C>
void note_occupancy(course::Report& report) {
  const auto kernel = gemm_early<R, C, InGroups, true>;
  cudaFuncAttributes attributes{};
  CUDA_CHECK(cudaFuncGetAttributes(&attributes, kernel));
  int blocks = 0;
  CUDA_CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
  char line[120];
  std::snprintf(line, sizeof line, "%2d x %-2d %20.4f %12d %14zu %11d", R, C,
                static_cast<double>(R + C) / (R * C), attributes.numRegs,
                attributes.sharedSizeBytes, 8 * blocks);
  report.note(line);
}

int main(int argc, char** argv) try {
  const course::Options options = course::parse_gemm_options(
      argc, argv, "19_gemm_registers", "C = A B with a block's sums in registers, rung by rung.");
  course::Report report(options, course::CeilingKind::fma);

  course::verify_and_time(options, report, kernels);

  if (!course::on_emulator) {
    report.note("Sums           numbers per  registers   bytes shared   warps on a");
    report.note("               multiply-add per thread  per block      multiprocessor");
    note_occupancy<4, 4>(report);
    note_occupancy<4, 8>(report);
    note_occupancy<8, 4>(report);
    note_occupancy<8, 8>(report);
    note_occupancy<8, 16>(report);
    note_occupancy<16, 8>(report);
  }
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
