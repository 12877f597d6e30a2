// Chapter 17, fifth lesson: bring the modes of A and of B into the order of a matrix, multiply the
// matrices, and bring the result back. The cost besides the product: three tensors are read and
// written once more, and there must be memory for them.
#pragma once

#include "contraction.hpp"
#include "cublas.hpp"

// A tensor of four modes whose first mode is fastest before and after: `length` contiguous floats
// move as they are. The other modes have these extents, and strides in the source and the target.
struct Rows {
  int length;
  int extents[3];
  size_t from[3];
  size_t to[3];
  size_t count() const { return static_cast<size_t>(extents[0]) * extents[1] * extents[2]; }
};

constexpr int warps_a_block = 8;

// A warp moves a row: D = S + beta D, element by element. So the divisions that find out which row
// it is take place only once per row. E is a float, or float4 where rows are multiples of four.
__device__ inline float plus(float s, float beta, float d) {
  return s + beta * d;
}
__device__ inline float4 plus(float4 s, float beta, float4 d) {
  return {s.x + beta * d.x, s.y + beta * d.y, s.z + beta * d.z, s.w + beta * d.w};
}

template <class E>
__global__ void move_rows(Rows rows, size_t count, const float* S, float beta, float* D) {
  const size_t row = static_cast<size_t>(blockIdx.x) * warps_a_block + threadIdx.y;
  if (row >= count) return;
  const size_t i = row % rows.extents[0];
  const size_t j = row / rows.extents[0] % rows.extents[1];
  const size_t k = row / rows.extents[0] / rows.extents[1];
  const auto* const from =
      reinterpret_cast<const E*>(S + i * rows.from[0] + j * rows.from[1] + k * rows.from[2]);
  auto* const to = reinterpret_cast<E*>(D + i * rows.to[0] + j * rows.to[1] + k * rows.to[2]);
  const int length = rows.length / static_cast<int>(sizeof(E) / sizeof(float));
  for (int x = static_cast<int>(threadIdx.x); x < length; x += 32) {
    to[x] = beta == 0.0F ? from[x] : plus(from[x], beta, to[x]);
  }
}

inline void launch_move_rows(const Rows& rows, const float* S, float beta, float* D) {
  if (rows.count() == 0 || rows.length == 0) return;
  const auto blocks = static_cast<unsigned>((rows.count() - 1) / warps_a_block + 1);
  const auto aligned = [](const float* p) { return reinterpret_cast<std::uintptr_t>(p) % 16 == 0; };
  const bool in_fours = rows.length % 4 == 0 && aligned(S) && aligned(D);
  const auto kernel = in_fours ? move_rows<float4> : move_rows<float>;
  kernel<<<blocks, dim3(32, warps_a_block)>>>(rows, rows.count(), S, beta, D);
  CUDA_CHECK_LAUNCH();
}

// A leading dimension that is a multiple of four floats, 16 bytes: then each column of the matrix
// is aligned for the product's wide copies, however many rows there are. The gaps between the
// columns are never written, nor read.
inline int padded(size_t rows) {
  return static_cast<int>((rows + 3) / 4 * 4);
}

// The tensors as column-major matrices: A(row, p), B(col, p), C(row, col).
struct Matrices {
  explicit Matrices(const Contraction& c)
      : rows(static_cast<int>(c.rows())),
        cols(static_cast<int>(c.cols())),
        inner(static_cast<int>(c.inner())),
        ld_A(padded(c.rows())),
        ld_B(padded(c.cols())),
        ld_C(padded(c.rows())) {}

  Product product() const {
    return {rows,      cols,          inner,     {rows, 1},   {inner, ld_A},
            {cols, 1}, {inner, ld_B}, {rows, 1}, {cols, ld_C}};
  }

  int rows, cols, inner;
  int ld_A, ld_B, ld_C;
};

// A[m,h,k,n] to A[(m,n),(h,k)], B[u,k,v,h] to B[(u,v),(h,k)], and C[(m,n),(u,v)] to C[m,u,n,v].
inline Rows A_to_matrix(const Contraction& c, const Matrices& matrices) {
  const size_t m = c.m, h = c.h, k = c.k, ld = matrices.ld_A;
  return {c.m, {c.n, c.h, c.k}, {k * h * m, m, h * m}, {m, ld, h * ld}};
}
inline Rows B_to_matrix(const Contraction& c, const Matrices& matrices) {
  const size_t u = c.u, v = c.v, h = c.h, k = c.k, ld = matrices.ld_B;
  return {c.u, {c.v, c.h, c.k}, {k * u, v * k * u, u}, {u, ld, h * ld}};
}
inline Rows C_from_matrix(const Contraction& c, const Matrices& matrices) {
  const size_t m = c.m, u = c.u, n = c.n, ld = matrices.ld_C;
  return {c.m, {c.u, c.n, c.v}, {ld, m, u * ld}, {m, u * m, n * u * m}};
}

class ByTransposes {
 public:
  // With a handle, cuBLAS computes the product; without, our kernel does.
  explicit ByTransposes(const Contraction& contraction, cublasHandle_t handle = nullptr)
      : c_(contraction),
        matrices_(contraction),
        handle_(handle),
        A_(static_cast<size_t>(matrices_.ld_A) * matrices_.inner, course::unset),
        B_(static_cast<size_t>(matrices_.ld_B) * matrices_.inner, course::unset),
        C_(static_cast<size_t>(matrices_.ld_C) * matrices_.cols, course::unset) {
    // The kernel copies in fours, also beyond a line's last row: there must be numbers there.
    CUDA_CHECK(cudaMemset(A_, 0, A_.bytes()));
    CUDA_CHECK(cudaMemset(B_, 0, B_.bytes()));
  }

  void operator()(float alpha, const float* A, const float* B, float beta, float* C) {
    if (is_empty(c_, beta, C)) return;
    launch_move_rows(A_to_matrix(c_, matrices_), A, 0.0F, A_);
    launch_move_rows(B_to_matrix(c_, matrices_), B, 0.0F, B_);
    multiply(alpha);
    launch_move_rows(C_from_matrix(c_, matrices_), C_, beta, C);
  }

  size_t workspace_bytes() const { return A_.bytes() + B_.bytes() + C_.bytes(); }

 private:
  // C(row, col) = alpha times the sum over p of A(row, p) B(col, p).
  void multiply(float alpha) {
    if (handle_ == nullptr) {
      launch_product(matrices_.product(), alpha, A_, B_, 0.0F, C_);
      return;
    }
    const float zero = 0.0F;
    CUDA_CHECK(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_T, matrices_.rows, matrices_.cols,
                           matrices_.inner, &alpha, A_, matrices_.ld_A, B_, matrices_.ld_B, &zero,
                           C_, matrices_.ld_C));
  }

  Contraction c_;
  Matrices matrices_;
  cublasHandle_t handle_;
  course::DeviceArray<float> A_, B_, C_;
};
