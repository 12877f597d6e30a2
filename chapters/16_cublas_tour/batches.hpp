// Lesson 6: many small products. Each is too small for a GPU; all together are not.
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

#include "matrices.hpp"
#include "tour.hpp"

// C_i = A_i B_i for `count` products, all m x n x k and without gaps; three strides in elements say
// where the matrices of a batch begin.
struct Batch {
  int m, n, k, count;
  long long A_apart, B_apart, C_apart;
  int ldb() const { return std::max(k, 1); }  // never 0, even if the sums are empty
};

// One call each: each costs a launch, and fills a small part of the device.
void one_by_one(cublasHandle_t handle, const Batch& b, const float* A, const float* B, float* C) {
  for (int i = 0; i < b.count; ++i) {
    multiply(handle, CUBLAS_OP_N, CUBLAS_OP_N, b.m, b.n, b.k, 1, A + i * b.A_apart, b.m,
             B + i * b.B_apart, b.ldb(), 0, C + i * b.C_apart, b.m);
  }
}

// All at once, at any addresses. The most common mistake: the three arrays of addresses must
// themselves be on the device.
void batched(cublasHandle_t handle, const Batch& b, const float* const* A, const float* const* B,
             float* const* C) {
  if (b.count == 0 || b.m == 0 || b.n == 0) return;
  CUDA_CHECK(cublasSgemmBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, b.m, b.n, b.k, &one, A, b.m, B,
                                b.ldb(), &zero, C, b.m, b.count));
}

// All at once, at equal strides: no addresses needed. A stride of 0 is the same matrix for all. The
// most common mistake: a stride in bytes. It is in elements, like a leading dimension.
void strided_batched(cublasHandle_t handle, const Batch& b, const float* A, const float* B,
                     float* C) {
  if (b.count == 0 || b.m == 0 || b.n == 0) return;
  CUDA_CHECK(cublasSgemmStridedBatched(handle, CUBLAS_OP_N, CUBLAS_OP_N, b.m, b.n, b.k, &one, A,
                                       b.m, b.A_apart, B, b.ldb(), b.B_apart, &zero, C, b.m,
                                       b.C_apart, b.count));
}

// The addresses of a batch's matrices.
template <class T>
std::vector<T*> addresses(T* first, long long apart, int count) {
  std::vector<T*> all;
  all.reserve(static_cast<size_t>(count));
  for (int i = 0; i < count; ++i) all.push_back(first + i * apart);
  return all;
}

void batches(Tour& tour, int m, int n, int k) {
  constexpr int count = 5;
  const long long A_size = static_cast<long long>(idx2c(0, k, m));
  const long long B_size = static_cast<long long>(idx2c(0, n, k));
  const long long C_size = static_cast<long long>(idx2c(0, n, m));
  // The matrices of a batch are contiguous; between the results are gaps that no call may change.
  const Batch each{m, n, k, count, A_size, B_size, C_size + 3};
  Batch same_B = each;
  same_B.B_apart = 0;
  const Matrix<float> A = exact_matrix<float>(m, k * count, m, k, 1);
  const Matrix<float> B = exact_matrix<float>(k, n * count, k, k, 2);
  const std::vector<float> before(static_cast<size_t>(each.C_apart * count), gap);
  const auto expected = [&](const Batch& b) {
    std::vector<float> after = before;
    for (int i = 0; i < count; ++i) {
      for (int row = 0; row < m; ++row) {
        for (int col = 0; col < n; ++col) {
          double sum = 0;
          for (int p = 0; p < k; ++p) {
            sum += static_cast<double>(A.elements[i * b.A_apart + idx2c(row, p, m)]) *
                   B.elements[i * b.B_apart + idx2c(p, col, k)];
          }
          after[i * b.C_apart + idx2c(row, col, m)] = static_cast<float>(sum);
        }
      }
    }
    return after;
  };
  const std::vector<float> after = expected(each);
  const course::DeviceArray<float> d_A(A.elements);
  const course::DeviceArray<float> d_B(B.elements);
  course::Work work = course::gemm_work(m, n, k);
  work.bytes *= count;
  work.operations *= count;
  tour.rung("one by one", work, before, after,
            [&](float* d_C) { one_by_one(tour.handle(), each, d_A, d_B, d_C); });

  course::DeviceArray<float> d_C(before);
  const course::DeviceArray<const float*> As(addresses<const float>(d_A, each.A_apart, count));
  const course::DeviceArray<const float*> Bs(addresses<const float>(d_B, each.B_apart, count));
  const course::DeviceArray<float*> Cs(addresses<float>(d_C, each.C_apart, count));
  tour.judged_rung(
      "batched", work, [&] { d_C.copy_from(before); },
      [&] { batched(tour.handle(), each, As, Bs, Cs); },
      [&] { return same_elements(d_C.to_host(), after); });

  tour.rung("strided batched", work, before, after,
            [&](float* C) { strided_batched(tour.handle(), each, d_A, d_B, C); });
  tour.rung("strided, one B", work, before, expected(same_B),
            [&](float* C) { strided_batched(tour.handle(), same_B, d_A, d_B, C); });
}
