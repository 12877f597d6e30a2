// Chapter 06: y = A x, up to the ceiling: more bytes on their way.
//
// Memory answers late, so it is kept busy only by asking for much at a time: a thread for several
// elements, and many threads at once. Column-major A, x in constant memory, one thread a row:
//
//   unroll   the loop's next 64 steps at once, so that their loads can go first
//   rows     4 rows a thread: 4 loads a step, and each x(j) is fetched once for 4 products
//   float4   4 neighbouring rows a thread: their 4 elements in one load of 16 bytes
//
// Column-major A, the columns of a row split among several threads, which adds partial sums up:
//
//   split warps        ... among the 32 warps of a block, by shared memory
//   split atomics      ... also among blocks, by atomic additions to y, in any order
//   split two passes   ... by a second kernel, always in the same order
//
// Row-major A, several threads a row, neighbouring threads reading neighbours along it:
//
//   warp a row           32 threads, a float at a time, partial sums added up by shuffles
//   warp a row, float4   16 bytes at a time
//   block a row          256 threads, each with 4 loads of 16 bytes on their way
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common unroll.cu -o unroll

#include <functional>

#include "course.hpp"

constexpr int constant_floats = 16384;  // 64 KB
__constant__ float x_constant[constant_floats];

constexpr int rows_a_thread = 4;
constexpr int warp = 32;

__device__ void add_product(float& sum, float a, float x) {
  sum += a * x;
}
__device__ void add_product(float4& sum, float4 a, float x) {
  sum.x += a.x * x;
  sum.y += a.y * x;
  sum.z += a.z * x;
  sum.w += a.w * x;
}

// ---------------------------------------------------------------- column-major, one thread a row

// All three: y(row) = sum over j of A(row, j) x(j), with A of m x n, column-major: A(i, j) is
// A[j * m + i]. One batch: columns first .. first + count - 1, whose part of x lies in x_constant.

__global__ void sgemv_unroll(const float* A, float* y, int m, int first, int count) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;  // the last block may have more threads than there are rows left

  float sum = first == 0 ? 0.0F : y[row];  // go on where the batch before stopped
#pragma unroll 64
  for (int j = 0; j < count; ++j) {
    sum += A[static_cast<size_t>(first + j) * m + row] * x_constant[j];
  }
  y[row] = sum;
}

// A thread's rows lie a warp apart, so that neighbouring threads still read neighbours. The block
// is one warp, known to the compiler: it finds all rows of a column at fixed distances from the
// first.
__global__ void sgemv_rows(const float* A, float* y, int m, int first, int count) {
  const int row = blockIdx.x * warp * rows_a_thread + threadIdx.x;
  if (row >= m) return;

  const auto add_rows = [&](int rows) {
    float sum[rows_a_thread] = {};
    if (first != 0) {
      for (int r = 0; r < rows; ++r) sum[r] = y[row + r * warp];
    }
#pragma unroll 8
    for (int j = 0; j < count; ++j) {
      const float* const column = A + static_cast<size_t>(first + j) * m + row;
      for (int r = 0; r < rows; ++r) sum[r] += column[r * warp] * x_constant[j];
    }
    for (int r = 0; r < rows; ++r) y[row + r * warp] = sum[r];
  };

  // Nearly all threads have a number of rows that the compiler knows; a few at the end have less.
  if (row + (rows_a_thread - 1) * warp < m) {
    add_rows(rows_a_thread);
  } else {
    add_rows((m - 1 - row) / warp + 1);
  }
}

// A load of 16 bytes must start at a multiple of 16, and so must every column: m % 4 == 0.
__global__ void sgemv_float4(const float* A, float* y, int m, int first, int count) {
  const int quad = blockIdx.x * blockDim.x + threadIdx.x;  // rows 4 quad .. 4 quad + 3
  if (quad >= m / 4) return;

  auto* const y4 = reinterpret_cast<float4*>(y);
  float4 sum = first == 0 ? make_float4(0.0F, 0.0F, 0.0F, 0.0F) : y4[quad];
#pragma unroll 8
  for (int j = 0; j < count; ++j) {
    const float* const column = A + static_cast<size_t>(first + j) * m;
    const float4 a = reinterpret_cast<const float4*>(column)[quad];
    add_product(sum, a, x_constant[j]);
  }
  y4[quad] = sum;
}

// ---------------------------------------------------------------- several threads a row

// What one load fetches is a Chunk: a float, or a float4 where addresses allow it.
template <class Chunk>
constexpr int chunk_floats = sizeof(Chunk) / sizeof(float);

__device__ float dot(float a, float x) {
  return a * x;
}
__device__ float dot(float4 a, float4 x) {
  return a.x * x.x + a.y * x.y + a.z * x.z + a.w * x.w;
}

// The sum of a value over the lanes of a warp: 16 pairs, then 8, 4, 2, 1.
__device__ float warp_sum(float value) {
  for (int distance = 16; distance > 0; distance /= 2) {
    value += __shfl_xor_sync(0xFFFFFFFFU, value, distance);
  }
  return value;
}

// Column-major A: a block's warps share the columns first .. last - 1 of 32 chunks of rows, one a
// lane. Warp 0 gets the sums; the other warps' results mean nothing.
template <class Chunk>
__device__ Chunk sum_of_columns(const float* A, const float* x, int m, int first, int last) {
  __shared__ Chunk partial[32][warp];
  const int lane = threadIdx.x % warp;
  const int this_warp = threadIdx.x / warp;
  const int warps = blockDim.x / warp;
  const int chunk = blockIdx.x * warp + lane;

  Chunk sum = {};
  if (chunk < m / chunk_floats<Chunk>) {
#pragma unroll 8
    for (int j = first + this_warp; j < last; j += warps) {
      const float* const column = A + static_cast<size_t>(j) * m;
      add_product(sum, reinterpret_cast<const Chunk*>(column)[chunk], x[j]);
    }
  }
  partial[this_warp][lane] = sum;
  __syncthreads();
  if (this_warp == 0) {
    for (int w = 1; w < warps; ++w) add_product(sum, partial[w][lane], 1.0F);
  }
  return sum;
}

template <class Chunk>
__global__ void __launch_bounds__(1024)
    sgemv_split_warps(const float* A, const float* x, float* y, int m, int n) {
  const Chunk sum = sum_of_columns<Chunk>(A, x, m, 0, n);
  const int chunk = blockIdx.x * warp + threadIdx.x;
  if (threadIdx.x < warp && chunk < m / chunk_floats<Chunk>)
    reinterpret_cast<Chunk*>(y)[chunk] = sum;
}

// The blocks of a row of the grid share the rows, those of a column of it the columns: `width`
// each.
template <class Chunk>
__global__ void __launch_bounds__(256)
    sgemv_split_atomics(const float* A, const float* x, float* y, int m, int n, int width) {
  const int first = blockIdx.y * width;
  const Chunk sum = sum_of_columns<Chunk>(A, x, m, first, first + min(width, n - first));
  const int row = (blockIdx.x * warp + threadIdx.x) * chunk_floats<Chunk>;
  if (threadIdx.x >= warp || row >= m) return;
  const float* const sums = reinterpret_cast<const float*>(&sum);
  for (int k = 0; k < chunk_floats<Chunk>; ++k) atomicAdd(&y[row + k], sums[k]);
}

// First pass: partial holds gridDim.y vectors of m elements, one for each piece of the columns.
template <class Chunk>
__global__ void __launch_bounds__(256)
    sgemv_split_pass_1(const float* A, const float* x, float* partial, int m, int n, int width) {
  const int first = blockIdx.y * width;
  const Chunk sum = sum_of_columns<Chunk>(A, x, m, first, first + min(width, n - first));
  const int chunk = blockIdx.x * warp + threadIdx.x;
  float* const mine = partial + static_cast<size_t>(blockIdx.y) * m;
  if (threadIdx.x < warp && chunk < m / chunk_floats<Chunk>)
    reinterpret_cast<Chunk*>(mine)[chunk] = sum;
}

__global__ void sgemv_split_pass_2(const float* partial, float* y, int m, int pieces) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0F;
  for (int piece = 0; piece < pieces; ++piece) sum += partial[static_cast<size_t>(piece) * m + row];
  y[row] = sum;
}

// Row-major A: A(i, j) is A[i * n + j]. Lane l takes the chunks l, l + 32, ... of its warp's row.
template <class Chunk>
__global__ void sgemv_warp_a_row(const float* A, const float* x, float* y, int m, int n) {
  const int row = (blockIdx.x * blockDim.x + threadIdx.x) / warp;
  const int lane = threadIdx.x % warp;
  if (row >= m) return;  // the whole warp: no lane is missed in the shuffles

  const auto* const a = reinterpret_cast<const Chunk*>(A + static_cast<size_t>(row) * n);
  const auto* const x_chunks = reinterpret_cast<const Chunk*>(x);
  float sum = 0.0F;
#pragma unroll 8
  for (int j = lane; j < n / chunk_floats<Chunk>; j += warp) sum += dot(a[j], x_chunks[j]);
  sum = warp_sum(sum);
  if (lane == 0) y[row] = sum;
}

// The same with a block a row; warps' sums are added up in shared memory.
constexpr int row_block = 256;
template <class Chunk>
__global__ void __launch_bounds__(row_block)
    sgemv_block_a_row(const float* A, const float* x, float* y, int n) {
  const int row = blockIdx.x;
  const auto* const a = reinterpret_cast<const Chunk*>(A + static_cast<size_t>(row) * n);
  const auto* const x_chunks = reinterpret_cast<const Chunk*>(x);
  const int chunks = n / chunk_floats<Chunk>;

  float sum = 0.0F;
  int j = threadIdx.x;
  for (; j < chunks - 3 * row_block; j += 4 * row_block) {
    Chunk a_ahead[4];  // asked for before any is used
    Chunk x_ahead[4];
    for (int k = 0; k < 4; ++k) a_ahead[k] = a[j + k * row_block];
    for (int k = 0; k < 4; ++k) x_ahead[k] = x_chunks[j + k * row_block];
    for (int k = 0; k < 4; ++k) sum += dot(a_ahead[k], x_ahead[k]);
  }
  for (; j < chunks; j += row_block) sum += dot(a[j], x_chunks[j]);

  __shared__ float partial[row_block / warp];
  sum = warp_sum(sum);
  if (threadIdx.x % warp == 0) partial[threadIdx.x / warp] = sum;
  __syncthreads();
  if (threadIdx.x == 0) {
    for (int w = 1; w < row_block / warp; ++w) sum += partial[w];
    y[row] = sum;
  }
}

// ---------------------------------------------------------------- launchers

// Puts x into constant memory, batch by batch, and calls launch(first, count) for each.
template <class Launch>
void in_batches(const float* x, int n, Launch launch) {
  int first = 0;
  do {  // once even for n = 0, to set y to 0
    const int count = std::min(constant_floats, n - first);
    CUDA_CHECK(cudaMemcpyToSymbolAsync(x_constant, x + first, count * sizeof(float), 0,
                                       cudaMemcpyDeviceToDevice));
    launch(first, count);
    CUDA_CHECK_LAUNCH();
    first += count;
  } while (first < n);
}

// Blocks of 128 threads, as in the measurement of 2019 that this ladder repeats.
void launch_unroll(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;  // a grid of no blocks is an error, an empty matrix is not
  const int block = 128;
  const int grid = (m - 1) / block + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_unroll<<<grid, block>>>(A, y, m, first, count); });
}

// A quarter of the threads: blocks of one warp, or they would not go round the multiprocessors.
void launch_rows(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const int block = warp;
  const int grid = (m - 1) / (block * rows_a_thread) + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_rows<<<grid, block>>>(A, y, m, first, count); });
}

void launch_float4(const float* A, const float* x, float* y, int m, int n) {
  if (m % 4 != 0) return launch_rows(A, x, y, m, n);  // its columns are not aligned
  if (m == 0) return;
  const int block = warp;
  const int grid = (m / 4 - 1) / block + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_float4<<<grid, block>>>(A, y, m, first, count); });
}

// Chunks of rows, 32 a block.
int row_blocks(int m, int floats) {
  return (m / floats - 1) / warp + 1;
}

void launch_split_warps(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  if (m % 4 == 0) {
    sgemv_split_warps<float4><<<row_blocks(m, 4), 1024>>>(A, x, y, m, n);
  } else {
    sgemv_split_warps<float><<<row_blocks(m, 1), 1024>>>(A, x, y, m, n);
  }
  CUDA_CHECK_LAUNCH();
}

// How the columns are shared among blocks: about 1024 blocks in all keep any GPU busy, but a piece
// has 64 columns or more.
struct Pieces {
  dim3 grid;
  int width;
};
Pieces split_columns(int m, int n) {
  const int blocks = row_blocks(m, m % 4 == 0 ? 4 : 1);
  const int wanted = std::clamp(1024 / blocks, 1, (n - 1) / 64 + 1);
  const int width = (std::max(n, 1) - 1) / wanted + 1;
  const int pieces = (std::max(n, 1) - 1) / width + 1;
  return {dim3(blocks, pieces), width};
}

void launch_split_atomics(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const Pieces pieces = split_columns(m, n);
  CUDA_CHECK(cudaMemsetAsync(y, 0, m * sizeof(float)));  // what the blocks add to
  if (m % 4 == 0) {
    sgemv_split_atomics<float4><<<pieces.grid, 256>>>(A, x, y, m, n, pieces.width);
  } else {
    sgemv_split_atomics<float><<<pieces.grid, 256>>>(A, x, y, m, n, pieces.width);
  }
  CUDA_CHECK_LAUNCH();
}

// @param partial room for split_columns(m, n).grid.y vectors of m elements
void launch_split_two_passes(const float* A, const float* x, float* partial, float* y, int m,
                             int n) {
  if (m == 0) return;
  const Pieces pieces = split_columns(m, n);
  if (m % 4 == 0) {
    sgemv_split_pass_1<float4><<<pieces.grid, 256>>>(A, x, partial, m, n, pieces.width);
  } else {
    sgemv_split_pass_1<float><<<pieces.grid, 256>>>(A, x, partial, m, n, pieces.width);
  }
  CUDA_CHECK_LAUNCH();
  sgemv_split_pass_2<<<(m - 1) / 128 + 1, 128>>>(partial, y, m, pieces.grid.y);
  CUDA_CHECK_LAUNCH();
}

void launch_warp_a_row(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  sgemv_warp_a_row<float><<<(m - 1) / 8 + 1, 8 * warp>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}

// Every row must start at a multiple of 16 bytes for float4: n % 4 == 0.
void launch_warp_a_row_float4(const float* A, const float* x, float* y, int m, int n) {
  if (n % 4 != 0) return launch_warp_a_row(A, x, y, m, n);
  if (m == 0) return;
  sgemv_warp_a_row<float4><<<(m - 1) / 8 + 1, 8 * warp>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}

void launch_block_a_row(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  if (n % 4 == 0) {
    sgemv_block_a_row<float4><<<m, row_block>>>(A, x, y, n);
  } else {
    sgemv_block_a_row<float><<<m, row_block>>>(A, x, y, n);
  }
  CUDA_CHECK_LAUNCH();
}

struct Rung {
  const char* name;
  std::function<void(const float* A, const float* x, float* y, int m, int n)> launch;
};

int main(int argc, char** argv) try {
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "06_unroll", "y = A x with more bytes on their way, from both layouts.");
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  course::Report report(options, course::CeilingKind::read);

  course::DeviceArray<float> partial(options.rows * split_columns(m, n).grid.y);
  const auto launch_two_passes = [&](const float* A, const float* x, float* y, int rows, int cols) {
    launch_split_two_passes(A, x, partial, y, rows, cols);
  };
  const std::vector<Rung> column_major = {{"unroll", launch_unroll},
                                          {"rows", launch_rows},
                                          {"float4", launch_float4},
                                          {"split warps", launch_split_warps},
                                          {"split atomics", launch_split_atomics},
                                          {"split two passes", launch_two_passes}};
  const std::vector<Rung> row_major = {{"warp a row", launch_warp_a_row},
                                       {"warp a row, float4", launch_warp_a_row_float4},
                                       {"block a row", launch_block_a_row}};

  const auto climb = [&](course::Layout layout, const std::vector<Rung>& rungs) {
    {  // Small whole numbers first: their sums are exact, so a right kernel gets every bit right.
      course::SgemvOnDevice exact(options, course::Data::exact, layout);
      for (const Rung& rung : rungs) {
        exact.y.poison();
        rung.launch(exact.A, exact.x, exact.y, m, n);
        report.check(rung.name, "exact data", exact.verify());
      }
    }
    course::SgemvOnDevice sgemv(options, options.data, layout);
    for (const Rung& rung : rungs) {
      const course::Timing timing =
          TIME_EVENTS(options, sgemv.y.poison(), rung.launch(sgemv.A, sgemv.x, sgemv.y, m, n));
      report.check(rung.name, "timed data", sgemv.verify());
      report.add(rung.name, timing, course::sgemv_work(m, n));
    }
  };
  climb(course::Layout::column_major, column_major);
  climb(course::Layout::row_major, row_major);

  if (m % 4 != 0) {
    report.note(std::to_string(m) +
                " rows are no multiple of 4, so columns are not aligned: 'float4' "
                "ran as 'rows', and the others with loads of 4 bytes.");
  }
  if (n % 4 != 0) {
    report.note(std::to_string(n) +
                " columns are no multiple of 4, so rows are not aligned: they were "
                "read with loads of 4 bytes.");
  }
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
