// The most common mistakes, made on purpose. cuBLAS rejects the first, and a GPU says little about
// the others: it reads neighbouring memory, or the program crashes, or the result is wrong.
#pragma once

#include <string>
#include <vector>

#include "batches.hpp"
#include "matrix_vector.hpp"
#include "tour.hpp"
#include "workflow.hpp"

struct Mistake {
  const char* name;
  void (*make)(cublasHandle_t handle, float* A, float* x, float* y);
};

// A is 5 x 3 with a leading dimension of 5, x has 3 elements and y has 5.
constexpr int mistaken_m = 5;
constexpr int mistaken_n = 3;

inline const Mistake mistakes[] = {
    // The leading dimension of the transposed matrix, 3, instead of that of the stored one.
    {"leading-dimension", [](cublasHandle_t handle, float* A, float* x,
                             float* y) { multiply(handle, CUBLAS_OP_T, 5, 3, A, 3, y, 1, x, 1); }},
    // Transposed, A takes a vector of 5 elements and returns one of 3.
    {"short-operand", [](cublasHandle_t handle, float* A, float* x,
                         float* y) { multiply(handle, CUBLAS_OP_T, 5, 3, A, 5, x, 1, y, 1); }},
    // A vector that was never copied to the device.
    {"host-vector",
     [](cublasHandle_t handle, float* A, float*, float* y) {
       const std::vector<float> x(3, 1.0F);
       multiply(handle, CUBLAS_OP_N, 5, 3, A, 5, x.data(), 1, y, 1);
     }},
    // A factor on the device, while the handle's mode says that it is on the host.
    {"pointer-mode", [](cublasHandle_t handle, float*, float* x,
                        float* y) { CUDA_CHECK(cublasSscal(handle, 3, y, x, 1)); }},
    // Addresses of matrices in an array on the host.
    {"host-addresses",
     [](cublasHandle_t handle, float* A, float* x, float* y) {
       const float* const As[] = {A};
       const float* const xs[] = {x};
       float* const ys[] = {y};
       batched(handle, {5, 1, 3, 1, 0, 0, 0}, As, xs, ys);
     }},
};

// The last is not a wrong call: row and column are swapped in idx2c(). All indices are legal, and
// so is every call: only a non-square matrix and a reference reveal it.
inline void swap_row_and_column(Tour& tour) {
  const int m = mistaken_n;
  const int n = mistaken_m;
  const Matrix<float> A = exact_matrix<float>(m, n, m, n, 1);
  const Vector<float> x = exact_strided<float>(n, 1, n, 2);
  Matrix<float> stored(m, n, m);
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) stored.elements[idx2c(j, i, m)] = A(i, j);  // idx2c(i, j, m)
  }
  const Vector<float> before(m, 1);
  Vector<float> after = before;
  reference_product(A, x, after);
  const course::DeviceArray<float> d_A(stored.elements);
  const course::DeviceArray<float> d_x(x.elements);
  tour.rung("gemv, idx2c(j, i)", course::sgemv_work(m, n), before.elements, after.elements,
            [&](float* y) { multiply(tour.handle(), CUBLAS_OP_N, m, n, d_A, m, d_x, 1, y, 1); });
}

inline bool is_mistake(const std::string& name) {
  if (name == "row-and-column") return true;
  for (const Mistake& mistake : mistakes) {
    if (name == mistake.name) return true;
  }
  return false;
}

inline std::string list_of_mistakes() {
  std::string list;
  for (const Mistake& mistake : mistakes) list += std::string("'") + mistake.name + "', ";
  return list + "or 'row-and-column'";
}

inline void make_mistake(Tour& tour, const std::string& name) {
  if (name == "row-and-column") swap_row_and_column(tour);
  course::DeviceArray<float> A(exact_strided<float>(mistaken_m * mistaken_n, 1, 4, 1).elements);
  course::DeviceArray<float> x(exact_strided<float>(mistaken_n, 1, 4, 2).elements);
  course::DeviceArray<float> y(exact_strided<float>(mistaken_m, 1, 4, 3).elements);
  for (const Mistake& mistake : mistakes) {
    if (name == mistake.name) mistake.make(tour.handle(), A, x, y);
  }
}
