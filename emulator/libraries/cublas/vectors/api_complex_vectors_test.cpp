/// \file
/// What programs may expect of cuBLAS's functions for complex vectors, the emulator's or NVIDIA's:
/// this file compiles against both.

#include "libraries/cublas/complex_test.hpp"

using namespace cublas_test;

TEST_CASE_TEMPLATE("cublas: complex vectors", T, Single, Double) {
  using Part = typename T::value_type;
  const Handle handle;
  const T alpha = {2, 1};
  const Dense<T> x = some<T>(5, 1, 1);
  const Dense<T> y = some<T>(5, 1, 2);
  const Array<T> x_there(x.values);
  const Array<T> y_there(y.values);
  CHECK(pick<T>(cublasCaxpy, cublasZaxpy)(handle, 5, cu(&alpha), cu(x_there), 1, cu(y_there), 1) ==
        success);
  CHECK(y_there.numbers() ==
        filled<T>(5, 1, [&](int i, int) { return alpha * x(i) + y(i); }).values);
  CHECK(pick<T>(cublasCcopy, cublasZcopy)(handle, 5, cu(x_there), 1, cu(y_there), -1) == success);
  CHECK(y_there.numbers() == filled<T>(5, 1, [&](int i, int) { return x(4 - i); }).values);
  CHECK(pick<T>(cublasCscal, cublasZscal)(handle, 5, cu(&alpha), cu(y_there), 1) == success);
  CHECK(y_there.numbers() == filled<T>(5, 1, [&](int i, int) { return alpha * x(4 - i); }).values);
  const Part one_half = Part(0.5);
  CHECK(pick<T>(cublasCsscal, cublasZdscal)(handle, 5, &one_half, cu(y_there), 1) == success);
  CHECK(y_there.numbers() ==
        filled<T>(5, 1, [&](int i, int) { return one_half * alpha * x(4 - i); }).values);
  CHECK(pick<T>(cublasCswap, cublasZswap)(handle, 5, cu(x_there), 1, cu(y_there), 1) == success);
  CHECK(y_there.numbers() == x.values);

  const Array<T> back(y.values);
  T dot = 0;
  T dot_of_conjugate = 0;
  T expected = 0;
  T expected_of_conjugate = 0;
  for (int i = 0; i < 5; ++i) {
    expected += x(i) * y(i);
    expected_of_conjugate += std::conj(x(i)) * y(i);
  }
  CHECK(pick<T>(cublasCdotu, cublasZdotu)(handle, 5, cu(y_there), 1, cu(back), 1, cu(&dot)) ==
        success);
  CHECK(pick<T>(cublasCdotc_64, cublasZdotc_64)(handle, 5, cu(y_there), 1, cu(back), 1,
                                                cu(&dot_of_conjugate)) == success);
  CHECK(dot == expected);
  CHECK(dot_of_conjugate == expected_of_conjugate);
}

TEST_CASE_TEMPLATE("cublas: lengths and magnitudes of complex numbers", T, Single, Double) {
  using Part = typename T::value_type;
  const Handle handle;
  const Array<T> x(std::vector<T>{{2, -2}, {0, 5}, {-3, 3}, {1, 0}, {1, 1}});
  Part sum = 0;
  Part length = 0;
  int largest = 0;
  int smallest = 0;
  CHECK(pick<T>(cublasScasum, cublasDzasum)(handle, 5, cu(x), 1, &sum) == success);
  CHECK(sum == 18);
  CHECK(pick<T>(cublasScnrm2, cublasDznrm2)(handle, 2, cu(x), 3, &length) == success);
  CHECK(length == doctest::Approx(3));  // of (2 - 2i, 1); NVIDIA's is a bit off, in doubles
  CHECK(pick<T>(cublasIcamax, cublasIzamax)(handle, 5, cu(x), 1, &largest) == success);
  CHECK(pick<T>(cublasIcamin, cublasIzamin)(handle, 5, cu(x), 1, &smallest) == success);
  CHECK(largest == 3);  // 3 + 3 > 5
  CHECK(smallest == 4);
}

TEST_CASE_TEMPLATE("cublas: rotations of complex points", T, Single, Double) {
  using Part = typename T::value_type;
  const Handle handle;
  const Dense<T> x = some<T>(3, 1, 1);
  const Dense<T> y = some<T>(3, 1, 2);
  const Part c = 2;
  const T s = {1, 3};
  {
    const Array<T> x_there(x.values);
    const Array<T> y_there(y.values);
    CHECK(pick<T>(cublasCrot, cublasZrot)(handle, 3, cu(x_there), 1, cu(y_there), 1, &c, cu(&s)) ==
          success);
    CHECK(x_there.numbers() ==
          filled<T>(3, 1, [&](int i, int) { return c * x(i) + s * y(i); }).values);
    CHECK(y_there.numbers() ==
          filled<T>(3, 1, [&](int i, int) { return c * y(i) - std::conj(s) * x(i); }).values);
  }
  const Part real = 3;
  const Array<T> x_there(x.values);
  const Array<T> y_there(y.values);
  CHECK(pick<T>(cublasCsrot, cublasZdrot)(handle, 3, cu(x_there), 1, cu(y_there), 1, &c, &real) ==
        success);
  CHECK(x_there.numbers() ==
        filled<T>(3, 1, [&](int i, int) { return c * x(i) + real * y(i); }).values);
  CHECK(y_there.numbers() ==
        filled<T>(3, 1, [&](int i, int) { return c * y(i) - real * x(i); }).values);

  // c a + s b is the new a, and c b - conj(s) a is 0.
  const T a_before = {3, 4};
  const T b_before = {0, 12};
  T a = a_before;
  T b = b_before;
  Part cosine = 0;
  T sine = 0;
  CHECK(pick<T>(cublasCrotg, cublasZrotg)(handle, cu(&a), cu(&b), &cosine, cu(&sine)) == success);
  CHECK(std::abs(cosine * a_before + sine * b_before - a) < 1e-5);
  CHECK(std::abs(cosine * b_before - std::conj(sine) * a_before) < 1e-5);
  CHECK(std::abs(std::abs(a) - 13) < 1e-5);
}
