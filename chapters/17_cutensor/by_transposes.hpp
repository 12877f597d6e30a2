// Chapter 17, fifth lesson: bring the modes of A and of B into the order of a matrix, multiply the
// matrices, and bring the result back. What it costs beside the product: three tensors are read and
// written once more, and there must be room for them.
#pragma once

#include "contraction.hpp"
#include "cublas.hpp"

// A tensor of four modes whose first one is fastest before and after: `length` floats in a row move
// as they are. The others have these extents, and strides there and here.
struct Rows {
  int length;
  int extents[3];
  size_t from[3];
  size_t to[3];
  size_t count() const { return static_cast<size_t>(extents[0]) * extents[1] * extents[2]; }
};

constexpr int warps_a_block = 8;

// A warp moves a row: D = S + beta D, element by element. So only once for each row it has to be
// found out, by division, which row it is. E is a float, or four where rows are whole fours.
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

// A[m,h,k,n] to A[m,n,h,k], B[u,k,v,h] to B[u,v,h,k], and C[m,n,u,v] to C[m,u,n,v].
inline Rows rows_of_A(const Contraction& c) {
  const size_t m = c.m, n = c.n, h = c.h, k = c.k;
  return {c.m, {c.n, c.h, c.k}, {k * h * m, m, h * m}, {m, n * m, h * n * m}};
}
inline Rows rows_of_B(const Contraction& c) {
  const size_t u = c.u, v = c.v, h = c.h, k = c.k;
  return {c.u, {c.v, c.h, c.k}, {k * u, v * k * u, u}, {u, v * u, h * v * u}};
}
inline Rows rows_of_C(const Contraction& c) {
  const size_t m = c.m, u = c.u, n = c.n;
  return {c.m, {c.u, c.n, c.v}, {n * m, m, u * n * m}, {m, u * m, n * u * m}};
}

class ByTransposes {
 public:
  // With a handle, the product is the library's; without, it is ours.
  explicit ByTransposes(const Contraction& contraction, cublasHandle_t handle = nullptr)
      : c_(contraction),
        handle_(handle),
        A_(c_.size_of_A(), course::unset),
        B_(c_.size_of_B(), course::unset),
        C_(c_.size_of_C(), course::unset) {}

  void operator()(float alpha, const float* A, const float* B, float beta, float* C) {
    if (is_empty(c_, beta, C)) return;
    launch_move_rows(rows_of_A(c_), A, 0.0F, A_);
    launch_move_rows(rows_of_B(c_), B, 0.0F, B_);
    multiply(alpha);
    launch_move_rows(rows_of_C(c_), C_, beta, C);
  }

  size_t workspace_bytes() const { return A_.bytes() + B_.bytes() + C_.bytes(); }

 private:
  // C(row, col) = alpha times the sum over p of A(row, p) B(col, p), all column after column.
  void multiply(float alpha) {
    const int rows = static_cast<int>(c_.rows());
    const int cols = static_cast<int>(c_.cols());
    const int inner = static_cast<int>(c_.inner());
    if (handle_ == nullptr) {
      launch_direct({rows, cols, 1, 1, inner, 1}, alpha, A_, B_, 0.0F,
                    C_);  // a matrix has two modes
      return;
    }
    const float zero = 0.0F;
    CUDA_CHECK(cublasSgemm(handle_, CUBLAS_OP_N, CUBLAS_OP_T, rows, cols, inner, &alpha, A_, rows,
                           B_, cols, &zero, C_, rows));
  }

  Contraction c_;
  cublasHandle_t handle_;
  course::DeviceArray<float> A_, B_, C_;
};
