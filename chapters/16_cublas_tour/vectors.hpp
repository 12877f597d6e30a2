// Lesson 3: level 1, vectors. n operations on n numbers: nothing here can be faster than memory.
#pragma once

#include <cmath>
#include <cstddef>
#include <string>
#include <utility>

#include "tour.hpp"

// The index of the largest absolute value. The most common mistake: Fortran counts from 1, and so
// does the library, so x[result] is the next element. A negative stride is invalid here, as in all
// functions of one vector: the result is 0, and no error is reported.
int index_of_largest(cublasHandle_t handle, int n, const float* x, int stride) {
  int index = 0;
  if (n != 0) CUDA_CHECK(cublasIsamax(handle, n, x, stride, &index));
  return index - 1;  // counted from 0, -1 for none
}
int index_of_smallest(cublasHandle_t handle, int n, const float* x, int stride) {
  int index = 0;
  if (n != 0) CUDA_CHECK(cublasIsamin(handle, n, x, stride, &index));
  return index - 1;
}

// The sum of the absolute values. The most common mistake: taking it for the sum.
float sum_of_absolutes(cublasHandle_t handle, int n, const float* x, int stride) {
  float sum = 0;
  if (n != 0) CUDA_CHECK(cublasSasum(handle, n, x, stride, &sum));
  return sum;
}

float dot_product(cublasHandle_t handle, int n, const float* x, int x_stride, const float* y,
                  int y_stride) {
  float sum = 0;
  if (n != 0) CUDA_CHECK(cublasSdot(handle, n, x, x_stride, y, y_stride, &sum));
  return sum;
}

// The root of the sum of squares. It neither overflows nor underflows in intermediate results, as
// sqrt(dot(x, x)) may.
float length(cublasHandle_t handle, int n, const float* x, int stride) {
  float result = 0;
  if (n != 0) CUDA_CHECK(cublasSnrm2(handle, n, x, stride, &result));
  return result;
}

// x = alpha x. The most common mistake: alpha by value. It is an address, like everything that may
// be on the device.
void scale(cublasHandle_t handle, int n, float alpha, float* x, int stride) {
  if (n != 0) CUDA_CHECK(cublasSscal(handle, n, &alpha, x, stride));
}

void exchange(cublasHandle_t handle, int n, float* x, int x_stride, float* y, int y_stride) {
  if (n != 0) CUDA_CHECK(cublasSswap(handle, n, x, x_stride, y, y_stride));
}

// y = alpha x + y.
void add_scaled(cublasHandle_t handle, int n, float alpha, const float* x, int x_stride, float* y,
                int y_stride) {
  if (n != 0) CUDA_CHECK(cublasSaxpy(handle, n, &alpha, x, x_stride, y, y_stride));
}

// (x, y) = (c x + s y, c y - s x), element by element: a rotation by minus the angle. The most
// common mistake: the sign of s.
void rotate(cublasHandle_t handle, int n, float* x, int x_stride, float* y, int y_stride, float c,
            float s) {
  if (n != 0) CUDA_CHECK(cublasSrot(handle, n, x, x_stride, y, y_stride, &c, &s));
}

// The expected results, from the definitions.
struct VectorReference {
  int largest = -1;
  int smallest = -1;
  double absolutes = 0;
  double dot = 0;
  double squares = 0;
};

inline VectorReference reference_of(const Vector<float>& x, const Vector<float>& y) {
  VectorReference r;
  for (int i = 0; i < x.n; ++i) {
    const double value = x[i];
    // The first of several equally large ones.
    if (r.largest < 0 || std::fabs(value) > std::fabs(x[r.largest])) r.largest = i;
    if (r.smallest < 0 || std::fabs(value) < std::fabs(x[r.smallest])) r.smallest = i;
    r.absolutes += std::fabs(value);
    r.dot += value * y[i];
    r.squares += value * value;
  }
  return r;
}

// Functions of one vector, of any valid stride.
inline void one_vector(Tour& tour, int n, int stride) {
  cublasHandle_t handle = tour.handle();
  const std::string with = ", stride " + std::to_string(stride);
  const Vector<float> x = exact_strided<float>(n, stride, n, 1);
  const VectorReference right = reference_of(x, x);
  const course::DeviceArray<float> d_x(x.elements);
  const course::Work read = work_of<float>(n, 2.0 * n);
  tour.number_rung("amax" + with, read, right.largest,
                   [&](int* i) { *i = index_of_largest(handle, n, d_x, stride); });
  tour.number_rung("amin" + with, read, right.smallest,
                   [&](int* i) { *i = index_of_smallest(handle, n, d_x, stride); });
  tour.number_rung("asum" + with, read, static_cast<float>(right.absolutes),
                   [&](float* sum) { *sum = sum_of_absolutes(handle, n, d_x, stride); });

  // A root is rounded, and so is a sum that is scaled against overflow: a few units in the last
  // place.
  float norm = 0;
  tour.judged_rung(
      "nrm2" + with, read, [&] { norm = forbidden; },
      [&] { norm = length(handle, n, d_x, stride); },
      [&] {
        const double expected = std::sqrt(right.squares);
        const bool near = std::fabs(norm - expected) <= 8 * 0x1p-23 * expected;
        return course::Verdict{
            near, "the norm is " + std::to_string(norm) + ", expected " + std::to_string(expected)};
      });

  Vector<float> scaled = x;
  for (int i = 0; i < n; ++i) scaled[i] *= -2;
  tour.rung("scal" + with, work_of<float>(2.0 * n, n), x.elements, scaled.elements,
            [&](float* d) { scale(handle, n, -2, d, stride); });
}

// Functions of two: each vector has its own stride, and a negative one reverses it.
inline void two_vectors(Tour& tour, int n, int x_stride, int y_stride) {
  cublasHandle_t handle = tour.handle();
  const std::string with =
      ", strides " + std::to_string(x_stride) + ", " + std::to_string(y_stride);
  const Vector<float> x = exact_strided<float>(n, x_stride, 5 * n, 1);
  const Vector<float> y = exact_strided<float>(n, y_stride, 5 * n, 2);
  course::DeviceArray<float> d_x(x.elements);
  const course::DeviceArray<float> d_y(y.elements);
  tour.number_rung(
      "dot" + with, work_of<float>(2.0 * n, 2.0 * n), static_cast<float>(reference_of(x, y).dot),
      [&](float* sum) { *sum = dot_product(handle, n, d_x, x_stride, d_y, y_stride); });

  Vector<float> sum = y;
  Vector<float> turned_x = x;
  Vector<float> turned_y = y;
  Vector<float> swapped_x = x;
  Vector<float> swapped_y = y;
  for (int i = 0; i < n; ++i) {
    sum[i] = 3 * x[i] + y[i];
    turned_x[i] = 2 * x[i] + 4 * y[i];
    turned_y[i] = 2 * y[i] - 4 * x[i];
    std::swap(swapped_x[i], swapped_y[i]);
  }
  tour.rung("axpy" + with, work_of<float>(3.0 * n, 2.0 * n), y.elements, sum.elements,
            [&](float* d) { add_scaled(handle, n, 3, d_x, x_stride, d, y_stride); });
  // Both vectors change: the other one is checked afterwards.
  tour.rung("swap" + with, work_of<float>(4.0 * n, 0), y.elements, swapped_y.elements,
            [&](float* d) {
              d_x.copy_from(x.elements);
              exchange(handle, n, d_x, x_stride, d, y_stride);
            });
  tour.check("swap" + with, "exact data", same_elements(d_x.to_host(), swapped_x.elements));
  tour.rung("rot" + with, work_of<float>(4.0 * n, 6.0 * n), y.elements, turned_y.elements,
            [&](float* d) {
              d_x.copy_from(x.elements);
              rotate(handle, n, d_x, x_stride, d, y_stride, 2, 4);
            });
  tour.check("rot" + with, "exact data", same_elements(d_x.to_host(), turned_x.elements));
}

void vectors(Tour& tour, int n) {
  for (const int stride : {1, 2, 3}) one_vector(tour, n, stride);
  const std::pair<int, int> strides[] = {{1, 1}, {2, 3}, {1, -1}, {-2, 3}};
  for (const auto& [x_stride, y_stride] : strides) two_vectors(tour, n, x_stride, y_stride);
}
