// Chapter 17, fourth lesson: the contraction by one kernel of ours, which reads the tensors in
// place. It is a product of matrices whose rows are (m,n), columns (u,v), inner index (h,k). Only
// the addresses are new.
#pragma once

#include <cuda_pipeline_primitives.h>
#include <cuda_runtime.h>

#include <algorithm>
#include <cstdint>

#include "check.hpp"
#include "tensors.hpp"

// Two modes that count as one index i: the first one's value is i % extent, the second one's
// i / extent. This gives the offset of i in memory.
struct FusedMode {
  int extent;
  std::int64_t first_stride;
  std::int64_t second_stride = 0;

  __host__ __device__ std::int64_t place(int i) const {
    return i % extent * first_stride + i / extent * second_stride;
  }
};

// C = alpha A B + beta C, where element (row, p) of A is at A_row.place(row) + A_inner.place(p),
// and so on. The inner index has the same two modes in A and in B, and two neighbouring rows of a
// mode are neighbours in memory, in A and in C; likewise columns in B.
struct Product {
  int rows, cols, inner;
  FusedMode A_row, A_inner, B_col, B_inner, C_row, C_col;
};

// C[m,u,n,v] = A[m,h,k,n] B[u,k,v,h]: the strides are those of tensors.hpp.
inline Product as_product(const Contraction& c) {
  const std::int64_t m = c.m, u = c.u, n = c.n, v = c.v, h = c.h, k = c.k;
  return {static_cast<int>(c.rows()),
          static_cast<int>(c.cols()),
          static_cast<int>(c.inner()),
          {c.m, 1, m * h * k},
          {std::max(c.h, 1), m, m * h},
          {c.u, 1, u * k},
          {std::max(c.h, 1), u * k * v, u},
          {c.m, 1, m * u},
          {c.u, m, m * u * n}};
}

// A block's tile of C: `rows` x `cols` sums in registers, from `depth` values of the inner index at
// a time, while the next tiles of A and B are in flight. The warp's lanes form 8 x 4 in their part
// of the tile; each has 8 rows and `lane_cols` columns.
template <int rows_, int cols_, int warps_down_, int floats_a_copy_>
struct Tile {
  static constexpr int rows = rows_;
  static constexpr int cols = cols_;
  static constexpr int depth = 16;
  static constexpr int stages = 3;  // tiles in shared memory: one in use, two in flight
  static constexpr int floats_a_copy = floats_a_copy_;
  static constexpr int threads = 256;
  static constexpr int warps_down = warps_down_;
  static constexpr int warps_across = threads / 32 / warps_down;
  static constexpr int lane_rows = rows / warps_down / 8;
  static constexpr int lane_cols = cols / warps_across / 4;
  static constexpr int stage_floats = depth * (rows + cols);
  static constexpr int shared_bytes = stages * stage_floats * static_cast<int>(sizeof(float));
};

// If everything is in aligned multiples of four floats, copies have 16 bytes, and more than the
// oldest GPUs' 64 KiB of shared memory pays off. Otherwise a smaller tile, and 4 bytes.
using LargeTile = Tile<256, 128, 4, 4>;
using SmallTile = Tile<128, 128, 2, 1>;

// One thread's copies of the tiles of A, or of B: always the same row (or column), so that its
// address needs a division only once.
template <class T, int width>
class OperandCopy {
 public:
  __device__ OperandCopy(const float* operand, const FusedMode& along, int first, int count) {
    const int i = first + column();
    const int left = count - i;
    from_ = operand + (left > 0 ? along.place(i) : 0);
    is_inside_ = left > 0;
  }

  // Starts copies of the lines at these offsets. What is out of bounds becomes 0.
  __device__ void start(float* tile, const std::int64_t* offsets) const {
#pragma unroll
    for (int i = 0; i < T::depth; i += lines_at_once) {
      const int line = i + static_cast<int>(threadIdx.x) / pieces;
      const std::int64_t offset = offsets[line];
      const bool there = is_inside_ && offset >= 0;
      __pipeline_memcpy_async(tile + line * width + column(), from_ + (there ? offset : 0),
                              T::floats_a_copy * sizeof(float),
                              there ? 0 : T::floats_a_copy * sizeof(float));
    }
  }

 private:
  static constexpr int pieces = width / T::floats_a_copy;  // per line
  static constexpr int lines_at_once = T::threads / pieces;
  static_assert(T::threads % pieces == 0 && T::depth % lines_at_once == 0);

  __device__ static int column() {
    return static_cast<int>(threadIdx.x) % pieces * T::floats_a_copy;
  }

  const float* from_;
  bool is_inside_;
};

// Where the lines of the next tiles begin: values of the inner index, as offsets in A and in B, -1
// beyond the last one. One thread per line computes it, without a division, for all the others.
template <class T>
class InnerOffsets {
 public:
  struct Stage {
    std::int64_t in_A[T::depth];
    std::int64_t in_B[T::depth];
  };

  __device__ explicit InnerOffsets(const Product& c)
      : first_(static_cast<int>(threadIdx.x) % c.A_inner.extent),
        second_(static_cast<int>(threadIdx.x) / c.A_inner.extent),
        p_(static_cast<int>(threadIdx.x)) {}

  __device__ void note(const Product& c, Stage& stage) {
    if (threadIdx.x >= T::depth) return;
    const bool there = p_ < c.inner;
    stage.in_A[threadIdx.x] =
        there ? first_ * c.A_inner.first_stride + second_ * c.A_inner.second_stride : -1;
    stage.in_B[threadIdx.x] =
        there ? first_ * c.B_inner.first_stride + second_ * c.B_inner.second_stride : -1;
    p_ += T::depth;
    for (first_ += T::depth; first_ >= c.A_inner.extent; first_ -= c.A_inner.extent) ++second_;
  }

 private:
  int first_, second_, p_;
};

// Element i of a lane's rows, or columns: four contiguous ones, then four more, further on by four
// times the number of lanes in that direction. So a warp reads whole lines of banks.
__device__ inline int spread(int i, int lanes) {
  return i / 4 * 4 * lanes + i % 4;
}

template <class T>
__global__ void __launch_bounds__(T::threads, T::floats_a_copy == 4 ? 1 : 2)
    contract_directly(Product c, float alpha, const float* A, const float* B, float beta,
                      float* C) {
  extern __shared__ __align__(16) float tiles[];
  __shared__ typename InnerOffsets<T>::Stage offsets[T::stages];
  const int tiles_down = (c.rows - 1) / T::rows + 1;
  const int first_row = static_cast<int>(blockIdx.x) % tiles_down * T::rows;
  const int first_col = static_cast<int>(blockIdx.x) / tiles_down * T::cols;
  const OperandCopy<T, T::rows> rows_of_A(A, c.A_row, first_row, c.rows);
  const OperandCopy<T, T::cols> cols_of_B(B, c.B_col, first_col, c.cols);
  InnerOffsets<T> lines(c);
  for (int stage = 0; stage < T::stages; ++stage) lines.note(c, offsets[stage]);
  __syncthreads();
  const auto start = [&](int stage) {
    float* const tile = tiles + stage * T::stage_floats;
    rows_of_A.start(tile, offsets[stage].in_A);
    cols_of_B.start(tile + T::depth * T::rows, offsets[stage].in_B);
  };
  for (int stage = 0; stage < T::stages - 1; ++stage) {
    start(stage);
    __pipeline_commit();
  }

  const int lane = static_cast<int>(threadIdx.x) % 32;
  const int warp = static_cast<int>(threadIdx.x) / 32;
  const int row = warp % T::warps_down * 8 * T::lane_rows + lane % 8 * 4;
  const int col = warp / T::warps_down * 4 * T::lane_cols + lane / 8 * 4;
  float sums[T::lane_rows][T::lane_cols] = {};
  float a[2][T::lane_rows], b[2][T::lane_cols];  // of this inner index, and of the next
  int used = 0;
  int filled = T::stages - 1;
  const auto next = [](int stage) { return stage + 1 == T::stages ? 0 : stage + 1; };
  const float *A_line = nullptr, *B_line = nullptr;
  const auto tile_arrives = [&](int stage) {
    __pipeline_wait_prior(T::stages - 2);  // this thread's copies have arrived,
    __syncthreads();                       // and all others'; all have read the last tile
    A_line = tiles + stage * T::stage_floats + row;
    B_line = tiles + stage * T::stage_floats + T::depth * T::rows + col;
  };
  const auto read_step = [&](int slot) {
#pragma unroll
    for (int i = 0; i < T::lane_rows; i += 4) {
      *reinterpret_cast<float4*>(&a[slot][i]) =
          *reinterpret_cast<const float4*>(A_line + spread(i, 8));
    }
#pragma unroll
    for (int j = 0; j < T::lane_cols; j += 4) {
      *reinterpret_cast<float4*>(&b[slot][j]) =
          *reinterpret_cast<const float4*>(B_line + spread(j, 4));
    }
    A_line += T::rows;
    B_line += T::cols;
  };
  const auto multiply = [&](int slot) {
#pragma unroll
    for (int i = 0; i < T::lane_rows; ++i) {
#pragma unroll
      for (int jj = 0; jj < T::lane_cols; ++jj) {
        // Back and forth: the column that a row used last is still in a register for the next row.
        const int j = i % 2 == 0 ? jj : T::lane_cols - 1 - jj;
        sums[i][j] += a[slot][i] * b[slot][j];
      }
    }
  };
  if (c.inner > 0) {
    tile_arrives(used);
    read_step(0);
  }
  for (int first = 0; first < c.inner; first += T::depth) {
    start(filled);  // beyond the last tile: zeros that are never read
    __pipeline_commit();
    lines.note(c, offsets[used]);  // for the tile that will come here next
    used = next(used);
    filled = next(filled);
    // Two steps per iteration, so that each half of a and b keeps its name; not more, because the
    // code of the whole loop has to fit in the instruction cache.
#pragma unroll 1
    for (int p = 2; p < T::depth; p += 2) {
      read_step(1);
      multiply(0);
      read_step(0);
      multiply(1);
    }
    read_step(1);
    multiply(0);
    tile_arrives(used);  // before the last step, which hides the latency of the reads that follow
    read_step(0);
    multiply(1);
  }
  __pipeline_wait_prior(0);  // no copy may be in flight when the block ends

#pragma unroll
  for (int j = 0; j < T::lane_cols; ++j) {
    const int this_col = first_col + col + spread(j, 4);
    if (this_col >= c.cols) continue;
    float* const column = C + c.C_col.place(this_col);
#pragma unroll
    for (int i = 0; i < T::lane_rows; i += 4) {
      const int this_row = first_row + row + spread(i, 8);
      const float results[] = {alpha * sums[i][j], alpha * sums[i + 1][j], alpha * sums[i + 2][j],
                               alpha * sums[i + 3][j]};
      // C is read only if beta is not 0: it may hold anything, and 0 times a NaN is a NaN.
      if (T::floats_a_copy == 4 && this_row + 4 <= c.rows) {
        auto* const to = reinterpret_cast<float4*>(column + c.C_row.place(this_row));
        const float4 old = beta == 0.0F ? float4{} : *to;
        *to = {results[0] + beta * old.x, results[1] + beta * old.y, results[2] + beta * old.z,
               results[3] + beta * old.w};
        continue;
      }
#pragma unroll
      for (int r = 0; r < 4; ++r) {
        if (this_row + r >= c.rows) break;
        float* const to = column + c.C_row.place(this_row + r);
        *to = results[r] + (beta == 0.0F ? 0.0F : beta * *to);
      }
    }
  }
}

// Whether four neighbouring rows, and columns, always are 16 aligned bytes. A matrix, whose rows
// are one mode, may end with fewer: its leading dimension is what counts.
inline bool all_in_fours(const Product& c, const float* A, const float* B, const float* C) {
  const auto by_four = [](const FusedMode& modes, int count) {
    return (modes.extent % 4 == 0 || modes.extent == count) && modes.second_stride % 4 == 0;
  };
  const auto all_by_four = [](const FusedMode& modes) {
    return modes.first_stride % 4 == 0 && modes.second_stride % 4 == 0;
  };
  const auto aligned = [](const float* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  return by_four(c.A_row, c.rows) && by_four(c.B_col, c.cols) && by_four(c.C_row, c.rows) &&
         all_by_four(c.A_inner) && all_by_four(c.B_inner) && all_by_four(c.C_col) && aligned(A) &&
         aligned(B) && aligned(C);
}

template <class T>
void launch_tiles(const Product& c, float alpha, const float* A, const float* B, float beta,
                  float* C) {
  const auto tiles = [](int length, int side) {
    return static_cast<unsigned>((length - 1) / side + 1);
  };
  CUDA_CHECK(cudaFuncSetAttribute(contract_directly<T>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  T::shared_bytes));
  const unsigned blocks = tiles(c.rows, T::rows) * tiles(c.cols, T::cols);
  contract_directly<T><<<blocks, T::threads, T::shared_bytes>>>(c, alpha, A, B, beta, C);
  CUDA_CHECK_LAUNCH();
}

inline void launch_product(const Product& c, float alpha, const float* A, const float* B,
                           float beta, float* C) {
  if (c.rows == 0 || c.cols == 0) return;
  int device = 0;
  int shared_bytes = 0;
  CUDA_CHECK(cudaGetDevice(&device));
  CUDA_CHECK(
      cudaDeviceGetAttribute(&shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin, device));
  // The table of lines also needs a little.
  const int needed = LargeTile::shared_bytes +
                     static_cast<int>(sizeof(InnerOffsets<LargeTile>::Stage)) * LargeTile::stages;
  if (all_in_fours(c, A, B, C) && shared_bytes >= needed) {
    launch_tiles<LargeTile>(c, alpha, A, B, beta, C);
  } else {
    launch_tiles<SmallTile>(c, alpha, A, B, beta, C);
  }
}

inline void launch_direct(const Contraction& c, float alpha, const float* A, const float* B,
                          float beta, float* C) {
  launch_product(as_product(c), alpha, A, B, beta, C);
}
