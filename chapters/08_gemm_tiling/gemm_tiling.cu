// Chapter 08: C = A B, a product of matrices, on the CPU and on the GPU.
//
// All three are row-major: A is m x k, B is k x n, C is m x n, and C(row, col) is the sum over p of
// A(row, p) B(p, col). Every element of A is needed n times and every one of B m times: what counts
// is how often it has to be fetched. The CPU's products are in cpu.cpp. On the GPU:
//
//   swapped   one thread per element of C, x counting its rows and y its columns: the wrong way
//   naive     one thread per element of C, x counting columns and y rows; cuBLAS: NVIDIA's library
//   tiled     as naive, but a block reads A and B together, tile by tile, into shared memory
//
// By hand, in this folder; if OpenBLAS is installed, with -DCOURSE_OPENBLAS -lopenblas as well:
//   nvcc -std=c++20 -O3 -I ../../common/lesson gemm_tiling.cu cpu.cpp -o gemm_tiling -lcublas

#include "course.hpp"
#include "cpu.hpp"
#include "cublas.hpp"

using course::at;  // at(row, col, cols) = row * cols + col, in 64 bits

// Neighbouring threads of a warp have neighbouring rows. Their reads of A, and their writes of C,
// are a whole row apart.
__global__ void gemm_swapped(const float* A, const float* B, float* C, int m, int n, int k,
                             int first_col) {
  const int row = blockIdx.x * blockDim.x + threadIdx.x;
  const int col = first_col + blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;

  float sum = 0.0F;
  for (int p = 0; p < k; ++p) sum += A[at(row, p, k)] * B[at(p, col, n)];
  C[at(row, col, n)] = sum;
}

// Neighbouring threads of a warp have neighbouring columns: they read the same element of A,
// neighbouring elements of B, and write neighbouring elements of C.
__global__ void gemm_naive(const float* A, const float* B, float* C, int m, int n, int k) {
  const int col = blockIdx.x * blockDim.x + threadIdx.x;
  const int row = blockIdx.y * blockDim.y + threadIdx.y;
  if (row >= m || col >= n) return;

  float sum = 0.0F;
  for (int p = 0; p < k; ++p) sum += A[at(row, p, k)] * B[at(p, col, n)];
  C[at(row, col, n)] = sum;
}

// A block of tile x tile threads computes a tile of C. It walks along k in steps of one
// tile: each thread fetches one element of A and one of B, and then all threads use all of
// them.
template <int tile>
__global__ void __launch_bounds__(tile* tile)
    gemm_tiled(const float* A, const float* B, float* C, int m, int n, int k) {
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
    for (int p = 0; p < tile; ++p) sum += A_tile[y][p] * B_tile[p][x];
    __syncthreads();  // all threads have read them before any overwrites them
  }
  if (row < m && col < n) C[at(row, col, n)] = sum;
}

// ---------------------------------------------------------------- launchers

// With m or n = 0 there is nothing to compute, and a grid of no blocks is an error. With k = 0
// every sum is empty, and C is 0. A grid has at most 65535 blocks in y: a launcher that needs more
// in that direction launches several times, each time for one band of rows or columns.

void launch_swapped(const float* A, const float* B, float* C, int m, int n, int k, int side) {
  if (m == 0) return;
  course::for_each_band(n, side, [&](int first, int cols) {
    const dim3 grid((m - 1) / side + 1, (cols - 1) / side + 1);
    gemm_swapped<<<grid, dim3(side, side)>>>(A, B, C, m, n, k, first);
    CUDA_CHECK_LAUNCH();
  });
}

void launch_naive(const float* A, const float* B, float* C, int m, int n, int k, int side) {
  if (n == 0) return;
  course::for_each_band(m, side, [&](int first, int rows) {
    const dim3 grid((n - 1) / side + 1, (rows - 1) / side + 1);
    gemm_naive<<<grid, dim3(side, side)>>>(A + at(first, 0, k), B, C + at(first, 0, n), rows, n, k);
    CUDA_CHECK_LAUNCH();
  });
}

template <int tile>
void launch_tiled(const float* A, const float* B, float* C, int m, int n, int k) {
  if (n == 0) return;
  course::for_each_band(m, tile, [&](int first, int rows) {
    const dim3 grid((n - 1) / tile + 1, (rows - 1) / tile + 1);
    gemm_tiled<tile>
        <<<grid, dim3(tile, tile)>>>(A + at(first, 0, k), B, C + at(first, 0, n), rows, n, k);
    CUDA_CHECK_LAUNCH();
  });
}

// cuBLAS expects column-major matrices. To it our A is A^T, our B is B^T, and the C that we want is
// C^T = B^T A^T: an n x m matrix, the product of n x k and k x m. No copy is made.
void launch_cublas(cublasHandle_t handle, const float* A, const float* B, float* C, int m, int n,
                   int k) {
  if (m == 0 || n == 0) return;
  if (k == 0) {  // the library does not accept a leading dimension of 0
    CUDA_CHECK(cudaMemsetAsync(C, 0, at(m, 0, n) * sizeof(float)));
    return;
  }
  const float one = 1.0F;
  const float zero = 0.0F;
  CUDA_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, m, k, &one, B, n, A, k, &zero, C, n));
}

int main(int argc, char** argv) try {
  size_t cpu_size = 512;
  const course::Options options = course::parse_gemm_options(
      argc, argv, "08_gemm_tiling", "C = A B on the CPU and on the GPU, without tiles and with.",
      [&](course::Defaults& defaults) {
        defaults.add("--cpu-size", &cpu_size, 0, 8192, "m, n and k on the CPU; 0: not at all");
      });
  course::Report report(options, course::CeilingKind::fma);

  if (cpu_size > 0) {  // its own size: a GPU's milliseconds are a CPU's minutes
    course::Options on_cpu = options;
    on_cpu.rows = on_cpu.cols = on_cpu.inner = cpu_size;
    course::require_gemm_memory(on_cpu);
    course::verify_and_time(on_cpu, report, cpu_products(course::cpu_threads()));
    if (!has_openblas()) {
      report.note("OpenBLAS, to compare the CPU's products with, was not there at compile time.");
    }
  }

  cublasHandle_t handle = nullptr;
  CUDA_CHECK(cublasCreate(&handle));
  CUDA_CHECK(cublasSetMathMode(handle, CUBLAS_DEFAULT_MATH));  // plain FP32, as ours: no TF32

  const auto with_side = [](auto launch, int side) {
    return [=](auto... arguments) { launch(arguments..., side); };
  };
  course::verify_and_time(
      options, report,
      {{"swapped 32 x 32", with_side(launch_swapped, 32)},
       {"naive 16 x 16", with_side(launch_naive, 16)},
       {"naive 32 x 32", with_side(launch_naive, 32)},
       {"tiled 16 x 16", launch_tiled<16>},
       {"tiled 32 x 32", launch_tiled<32>},
       {"cuBLAS", [&](auto... arguments) { launch_cublas(handle, arguments...); }}});

  CUDA_CHECK(cublasDestroy(handle));
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
