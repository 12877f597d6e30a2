// Chapter 17, sixth lesson: the contraction by cuBLAS alone. A call of cublasSgemm() has three
// extents; the contraction has six. Three of them must be the extents of matrices, and the others a
// loop, unless two modes fold into one: they do if they are adjacent, in the same order, in both
// tensors that have them.
#pragma once

#include "by_transposes.hpp"

// For each n, v and h: C[m,u] = A[m,k] B[u,k], all column-major. Rows of C are m alone and columns
// u alone, since n does not follow m in A, nor v follow u in B. The inner index is k alone: in A it
// follows h, in B it follows u.
inline void launch_loop(cublasHandle_t handle, const Contraction& c, float alpha, const float* A,
                        const float* B, float beta, float* C) {
  if (is_empty(c, beta, C)) return;
  const float one = 1.0F;
  const size_t m = c.m, u = c.u, n = c.n, v = c.v, h = c.h, k = c.k;
  for (size_t iv = 0; iv < v; ++iv) {
    for (size_t in = 0; in < n; ++in) {
      for (size_t ih = 0; ih < h; ++ih) {
        // The first h scales the old C; each of the others adds to the sum so far.
        CUDA_CHECK(cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_T, c.m, c.u, c.k, &alpha,
                               A + (in * k * h + ih) * m, c.h * c.m,  //
                               B + (ih * v + iv) * k * u, c.u,        //
                               ih == 0 ? &beta : &one, C + (iv * n + in) * u * m, c.m));
      }
    }
  }
}

// The same, but one call for all n: their matrices have equal strides, in A and in C. In B all use
// the same matrix, with a stride of 0.
inline void launch_batches(cublasHandle_t handle, const Contraction& c, float alpha, const float* A,
                           const float* B, float beta, float* C) {
  if (is_empty(c, beta, C)) return;
  const float one = 1.0F;
  const size_t m = c.m, u = c.u, n = c.n, v = c.v, h = c.h, k = c.k;
  for (size_t iv = 0; iv < v; ++iv) {
    for (size_t ih = 0; ih < h; ++ih) {
      CUDA_CHECK(cublasSgemmStridedBatched(
          handle, CUBLAS_OP_N, CUBLAS_OP_T, c.m, c.u, c.k, &alpha,                        //
          A + ih * m, c.h * c.m, static_cast<long long>(k * h * m),                       //
          B + (ih * v + iv) * k * u, c.u, 0, ih == 0 ? &beta : &one, C + iv * n * u * m,  //
          c.m, static_cast<long long>(u * m), c.n));
    }
  }
}

// B[u,k,v,h] is reordered to B[u,h,k,v] first. Now h and k are adjacent in A and in B, in the same
// order: they fold into one inner index, C is written once, and the loop is only over v.
inline void launch_folded(cublasHandle_t handle, const Contraction& c, float alpha, const float* A,
                          const float* B, float beta, float* C, float* turned) {
  if (is_empty(c, beta, C)) return;
  const size_t m = c.m, u = c.u, n = c.n, v = c.v, h = c.h, k = c.k;
  const Rows turn{c.u, {c.h, c.k, c.v}, {v * k * u, u, k * u}, {u, h * u, k * h * u}};
  launch_move_rows(turn, B, 0.0F, turned);
  const int inner = static_cast<int>(c.inner());
  for (size_t iv = 0; iv < v; ++iv) {
    CUDA_CHECK(cublasSgemmStridedBatched(
        handle, CUBLAS_OP_N, CUBLAS_OP_T, c.m, c.u, inner, &alpha,                   //
        A, c.m, static_cast<long long>(k * h * m), turned + iv * k * h * u, c.u, 0,  //
        &beta, C + iv * n * u * m, c.m, static_cast<long long>(u * m), c.n));
  }
}
