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

#include "chunk.hpp"
#include "course.hpp"

using course::add_product;
using course::chunk_floats;
using course::dot;
using course::with_chunk;

constexpr int constant_floats = 16384;  // 64 KB
__constant__ float x_constant[constant_floats];

constexpr int rows_a_thread = 4;
constexpr int warp = 32;

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

// A load of 16 bytes must start at a multiple of 16, and so must every column:
// m % 4 == 0.
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

// Templates over what one load fetches, a Chunk: a float, or a float4 where addresses allow it.

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

// The blocks of a row of the grid share the rows, those of a column of it the columns: `width`
// each. Every piece of the columns leaves its sums in a vector of its own; with one piece that is
// y.
template <class Chunk, int block>
__global__ void __launch_bounds__(block)
    sgemv_split(const float* A, const float* x, float* sums, int m, int n, int width) {
  const int first = blockIdx.y * width;
  const Chunk sum = sum_of_columns<Chunk>(A, x, m, first, first + min(width, n - first));
  const int chunk = blockIdx.x * warp + threadIdx.x;
  if (threadIdx.x >= warp || chunk >= m / chunk_floats<Chunk>) return;
  reinterpret_cast<Chunk*>(sums + static_cast<size_t>(blockIdx.y) * m)[chunk] = sum;
}

// Every piece adds its sums to y.
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

// The second pass: y(row) = sum over the pieces of what they left.
__global__ void sgemv_add_pieces(const float* partial, float* y, int m, int pieces) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  if (row >= m) return;
  float sum = 0.0F;
  for (int piece = 0; piece < pieces; ++piece) sum += partial[static_cast<size_t>(piece) * m + row];
  y[row] = sum;
}

// Row-major A: A(i, j) is A[i * n + j]. A warp has a row, its lane l the row's chunks
// l, l + 32, ...
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
  const int grid = (m - 1) / 128 + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_unroll<<<grid, 128>>>(A, y, m, first, count); });
}

// A quarter of the threads: blocks of one warp, or they would not go round the multiprocessors.
void launch_rows(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const int grid = (m - 1) / (warp * rows_a_thread) + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_rows<<<grid, warp>>>(A, y, m, first, count); });
}

void launch_float4(const float* A, const float* x, float* y, int m, int n) {
  if (m % 4 != 0) return launch_rows(A, x, y, m, n);  // its columns are not aligned
  if (m == 0) return;
  const int grid = (m / 4 - 1) / warp + 1;
  in_batches(x, n,
             [&](int first, int count) { sgemv_float4<<<grid, warp>>>(A, y, m, first, count); });
}

// A grid for the split: enough blocks for the rows, 32 chunks each, times pieces of the columns.
struct Split {
  dim3 grid;
  int width;  // columns of a piece
  Split(int m, int n, int most_blocks) {
    const int blocks = (m / (m % 4 == 0 ? 4 : 1) - 1) / warp + 1;
    const int last = std::max(n, 1) - 1;
    width = last / std::clamp(most_blocks / blocks, 1, last / 64 + 1) + 1;  // 64 columns at least
    grid = dim3(blocks, last / width + 1);
  }
};
constexpr int many_blocks = 1024;  // they keep any GPU busy

void launch_split_warps(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const Split split(m, n, 1);
  with_chunk(m, [&](auto chunk) {
    sgemv_split<decltype(chunk), 1024><<<split.grid, 1024>>>(A, x, y, m, n, split.width);
  });
  CUDA_CHECK_LAUNCH();
}

void launch_split_atomics(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  const Split split(m, n, many_blocks);
  CUDA_CHECK(cudaMemsetAsync(y, 0, m * sizeof(float)));  // what the blocks add to
  with_chunk(m, [&](auto chunk) {
    sgemv_split_atomics<decltype(chunk)><<<split.grid, 256>>>(A, x, y, m, n, split.width);
  });
  CUDA_CHECK_LAUNCH();
}

// @param partial room for Split(m, n, many_blocks).grid.y vectors of m elements
void launch_split_two_passes(const float* A, const float* x, float* partial, float* y, int m,
                             int n) {
  if (m == 0) return;
  const Split split(m, n, many_blocks);
  with_chunk(m, [&](auto chunk) {
    sgemv_split<decltype(chunk), 256><<<split.grid, 256>>>(A, x, partial, m, n, split.width);
  });
  CUDA_CHECK_LAUNCH();
  sgemv_add_pieces<<<(m - 1) / 128 + 1, 128>>>(partial, y, m, split.grid.y);
  CUDA_CHECK_LAUNCH();
}

void launch_warp_a_row(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  sgemv_warp_a_row<float><<<(m - 1) / 8 + 1, 8 * warp>>>(A, x, y, m, n);
  CUDA_CHECK_LAUNCH();
}

void launch_warp_a_row_float4(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  with_chunk(n, [&](auto chunk) {
    sgemv_warp_a_row<decltype(chunk)><<<(m - 1) / 8 + 1, 8 * warp>>>(A, x, y, m, n);
  });
  CUDA_CHECK_LAUNCH();
}

void launch_block_a_row(const float* A, const float* x, float* y, int m, int n) {
  if (m == 0) return;
  with_chunk(n,
             [&](auto chunk) { sgemv_block_a_row<decltype(chunk)><<<m, row_block>>>(A, x, y, n); });
  CUDA_CHECK_LAUNCH();
}

// The rungs, with what each thread asks for before it waits (as the kernel is written: the compiler
// may have other ideas), and the number of threads.
std::vector<course::SgemvRung> column_major_rungs(float* partial) {
  const auto split_threads = [](int m, int n, int most_blocks, int block) {
    const Split split(m, n, most_blocks);
    return 1.0 * split.grid.x * split.grid.y * block;
  };
  return {
      {"unroll", launch_unroll, 64 * sizeof(float), [](int m, int) { return m; }},
      {"rows", launch_rows, 8 * rows_a_thread * sizeof(float), [](int m, int) { return m / 4; }},
      {"float4", launch_float4, 8 * sizeof(float4), [](int m, int) { return m / 4; }},
      {"split warps", launch_split_warps, 8 * sizeof(float4),
       [=](int m, int n) { return split_threads(m, n, 1, 1024); }},
      {"split atomics", launch_split_atomics, 8 * sizeof(float4),
       [=](int m, int n) { return split_threads(m, n, many_blocks, 256); }},
      {"split two passes",
       [=](const float* A, const float* x, float* y, int m, int n) {
         launch_split_two_passes(A, x, partial, y, m, n);
       },
       8 * sizeof(float4), [=](int m, int n) { return split_threads(m, n, many_blocks, 256); }}};
}
std::vector<course::SgemvRung> row_major_rungs() {
  const auto warps = [](int m, int) { return 1.0 * m * warp; };
  const auto blocks = [](int m, int) { return 1.0 * m * row_block; };
  return {{"warp a row", launch_warp_a_row, 8 * sizeof(float), warps},
          {"warp a row, float4", launch_warp_a_row_float4, 8 * sizeof(float4), warps},
          {"block a row", launch_block_a_row, 4 * sizeof(float4), blocks}};
}

int main(int argc, char** argv) try {
  const course::Options options = course::parse_sgemv_options(
      argc, argv, "06_unroll", "y = A x with more bytes on their way, from both layouts.");
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  course::Report report(options, course::CeilingKind::read);
  course::DeviceArray<float> partial(options.rows * Split(m, n, many_blocks).grid.y);
  course::climb(options, report, course::Layout::column_major, column_major_rungs(partial));
  course::climb(options, report, course::Layout::row_major, row_major_rungs());
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
