/// \file
/// What programs may expect of cuBLAS's functions on vectors: see cublas/api_test.cpp.

#include "libraries/cublas/typed_test.hpp"

using namespace cublas_test;

namespace {

const int sizes[] = {1, 2, 7, 33, 100};
const int increments[] = {1, 2, -1, -3};

/// Calls `use` for all sizes and pairs of increments.
template <class Use>
void for_shapes(Use use) {
  for (const int n : sizes) {
    for (const int incx : increments) {
      for (const int incy : increments) {
        CAPTURE(n);
        CAPTURE(incx);
        CAPTURE(incy);
        use(n, incx, incy);
      }
    }
  }
}

/// The number that `compute(result)` writes, with results on the host and on the device.
template <class Result, class Compute>
Result number(cublasHandle_t handle, Compute compute) {
  Result result = -1;
  CHECK(compute(&result) == success);
  const Array<Result> there({-1});
  REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == success);
  CHECK(compute(there.get()) == success);
  REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST) == success);
  CHECK(there.numbers()[0] == result);
  return result;
}

}  // namespace

TEST_CASE_TEMPLATE("cublas: axpy, copy, swap and scal", T, float, double) {
  const Handle handle;
  const T alpha = 3;
  for_shapes([&](int n, int incx, int incy) {
    const Dense<T> x(n, 1, 1);
    const Dense<T> y(n, 1, 5);
    const Array<T> a(spread(x, incx));
    const Array<T> b(spread(y, incy));
    CHECK(of<T>(cublasSaxpy, cublasDaxpy)(handle, n, &alpha, a.get(), incx, b.get(), incy) ==
          success);
    const auto sum = dense<T>(n, 1, [&](int i, int) { return 3 * x(i) + y(i); });
    CHECK(agree(b.numbers(), spread(sum, incy)));
    CHECK(agree(a.numbers(), spread(x, incx)));

    CHECK(of<T>(cublasSswap, cublasDswap)(handle, n, a.get(), incx, b.get(), incy) == success);
    CHECK(agree(a.numbers(), spread(sum, incx)));
    CHECK(agree(b.numbers(), spread(x, incy)));

    CHECK(of<T>(cublasScopy, cublasDcopy)(handle, n, a.get(), incx, b.get(), incy) == success);
    CHECK(agree(b.numbers(), spread(sum, incy)));

    if (incx < 0) return;
    CHECK(of<T>(cublasSscal, cublasDscal)(handle, n, &alpha, a.get(), incx) == success);
    const auto scaled = dense<T>(n, 1, [&](int i, int) { return 3 * sum(i); });
    CHECK(agree(a.numbers(), spread(scaled, incx)));
  });
}

TEST_CASE_TEMPLATE("cublas: dot, asum, nrm2, amax and amin", T, float, double) {
  const Handle handle;
  for_shapes([&](int n, int incx, int incy) {
    const Dense<T> x(n, 1, 2);
    const Dense<T> y(n, 1, 4);
    const Array<T> a(spread(x, incx));
    const Array<T> b(spread(y, incy));
    T dot = 0;
    T sum = 0;
    T squares = 0;
    int largest = 0;
    int smallest = 0;
    for (int i = 0; i < n; ++i) {
      dot += x(i) * y(i);
      sum += std::abs(x(i));
      squares += x(i) * x(i);
      if (std::abs(x(i)) > std::abs(x(largest))) largest = i;
      if (std::abs(x(i)) < std::abs(x(smallest))) smallest = i;
    }
    CHECK(number<T>(handle, [&](T* result) {
            return of<T>(cublasSdot, cublasDdot)(handle, n, a.get(), incx, b.get(), incy, result);
          }) == dot);
    if (incx < 0) return;
    CHECK(number<T>(handle, [&](T* result) {
            return of<T>(cublasSasum, cublasDasum)(handle, n, a.get(), incx, result);
          }) == sum);
    CHECK(number<T>(handle, [&](T* result) {
            return of<T>(cublasSnrm2, cublasDnrm2)(handle, n, a.get(), incx, result);
          }) == doctest::Approx(std::sqrt(squares)));
    CHECK(number<int>(handle, [&](int* result) {
            return of<T>(cublasIsamax, cublasIdamax)(handle, n, a.get(), incx, result);
          }) == largest + 1);
    CHECK(number<std::int64_t>(handle, [&](std::int64_t* result) {
            return of<T>(cublasIsamin_64, cublasIdamin_64)(handle, n, a.get(), incx, result);
          }) == smallest + 1);
  });
}

TEST_CASE_TEMPLATE("cublas: a long vector's length does not overflow, nor vanish", T, float,
                   double) {
  const Handle handle;
  const T largest = std::numeric_limits<T>::max();
  const T smallest = std::numeric_limits<T>::min();
  for (const T scale : {largest / 8, smallest * 8}) {
    const Array<T> x({3 * scale, 4 * scale});
    T length = 0;
    CHECK(of<T>(cublasSnrm2, cublasDnrm2)(handle, 2, x.get(), 1, &length) == success);
    CHECK(length / scale == doctest::Approx(5));
  }
}

TEST_CASE_TEMPLATE("cublas: rotations", T, float, double) {
  const Handle handle;
  const T c = 2;
  const T s = 3;
  const T matrices[4][5] = {{-1, 2, 3, 4, 5}, {0, 9, 3, 4, 9}, {1, 2, 9, 9, 5}, {-2, 9, 9, 9, 9}};
  const T factors[4][4] = {{2, 3, 4, 5}, {1, 3, 4, 1}, {2, -1, 1, 5}, {1, 0, 0, 1}};
  for_shapes([&](int n, int incx, int incy) {
    const Dense<T> x(n, 1, 3);
    const Dense<T> y(n, 1, 8);
    {
      const Array<T> a(spread(x, incx));
      const Array<T> b(spread(y, incy));
      CHECK(of<T>(cublasSrot, cublasDrot)(handle, n, a.get(), incx, b.get(), incy, &c, &s) ==
            success);
      const auto to_x = dense<T>(n, 1, [&](int i, int) { return 2 * x(i) + 3 * y(i); });
      const auto to_y = dense<T>(n, 1, [&](int i, int) { return 2 * y(i) - 3 * x(i); });
      CHECK(agree(a.numbers(), spread(to_x, incx)));
      CHECK(agree(b.numbers(), spread(to_y, incy)));
    }
    for (int kind = 0; kind < 4; ++kind) {
      CAPTURE(kind);
      const T* const h = factors[kind];
      const Array<T> a(spread(x, incx));
      const Array<T> b(spread(y, incy));
      CHECK(of<T>(cublasSrotm, cublasDrotm)(handle, n, a.get(), incx, b.get(), incy,
                                            matrices[kind]) == success);
      const auto to_x = dense<T>(n, 1, [&](int i, int) { return h[0] * x(i) + h[2] * y(i); });
      const auto to_y = dense<T>(n, 1, [&](int i, int) { return h[1] * x(i) + h[3] * y(i); });
      CHECK(agree(a.numbers(), spread(to_x, incx)));
      CHECK(agree(b.numbers(), spread(to_y, incy)));
    }
  });
}

TEST_CASE_TEMPLATE("cublas: a rotation is made for a point", T, float, double) {
  const Handle handle;
  const auto rotg = of<T>(cublasSrotg, cublasDrotg);
  T a = 3;
  T b = 4;
  T c = 0;
  T s = 0;
  CHECK(rotg(handle, &a, &b, &c, &s) == success);
  CHECK(a == doctest::Approx(5));
  CHECK(c == doctest::Approx(0.6));
  CHECK(s == doctest::Approx(0.8));
  CHECK(b == doctest::Approx(1 / 0.6));

  const Array<T> there({4, 3, 0, 0});
  T* const d = there.get();
  REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == success);
  CHECK(rotg(handle, d, d + 1, d + 2, d + 3) == success);
  CHECK(agree(there.numbers(), {5, T(0.6), T(0.8), T(0.6)}, 1e-6));
}

TEST_CASE_TEMPLATE("cublas: a modified rotation is made for a point", T, float, double) {
  const Handle handle;
  T d1 = 2;
  T d2 = 3;
  T x1 = 1;
  const T y1 = 5;
  T param[5] = {9, 9, 9, 9, 9};
  CHECK(of<T>(cublasSrotmg, cublasDrotmg)(handle, &d1, &d2, &x1, &y1, param) == success);
  // It turns (1, 5) into (x1, 0), and keeps d1 x^2 + d2 y^2.
  const Array<T> x({1});
  const Array<T> y({5});
  CHECK(of<T>(cublasSrotm, cublasDrotm)(handle, 1, x.get(), 1, y.get(), 1, param) == success);
  CHECK(x.numbers()[0] == doctest::Approx(x1));
  CHECK(y.numbers()[0] == doctest::Approx(0).epsilon(1e-5));
  CHECK(d1 * x1 * x1 == doctest::Approx(2 + 3 * 25));
  CHECK(param[0] == 1);
}

TEST_CASE_TEMPLATE("cublas: factors of vectors may lie on the device", T, float, double) {
  const Handle handle;
  REQUIRE(cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE) == success);
  const Array<T> factors({2, 3});
  const T* const f = factors.get();
  const Array<T> h({-1, 2, 3, 4, 5});
  const Array<T> x({1, 10});
  const Array<T> y({5, 6});
  CHECK(of<T>(cublasSaxpy, cublasDaxpy)(handle, 2, f, x.get(), 1, y.get(), 1) == success);
  CHECK(agree(y.numbers(), {7, 26}));
  CHECK(of<T>(cublasSscal, cublasDscal)(handle, 2, f + 1, x.get(), 1) == success);
  CHECK(agree(x.numbers(), {3, 30}));
  CHECK(of<T>(cublasSrot, cublasDrot)(handle, 1, x.get(), 1, y.get(), 1, f, f + 1) == success);
  CHECK(agree(x.numbers(), {27, 30}));
  CHECK(agree(y.numbers(), {5, 26}));
  CHECK(of<T>(cublasSrotm, cublasDrotm)(handle, 1, x.get(), 1, y.get(), 1, h.get()) == success);
  CHECK(agree(x.numbers(), {74, 30}));
  CHECK(agree(y.numbers(), {106, 26}));
}

TEST_CASE_TEMPLATE("cublas: functions on vectors, with sizes of 64 bits", T, float, double) {
  const Handle handle;
  const T two_of_it = 2;
  const std::int64_t n = 2;
  const Array<T> x({1, 2});
  const Array<T> y({3, 4});
  CHECK(of<T>(cublasSaxpy_64, cublasDaxpy_64)(handle, n, &two_of_it, x.get(), 1, y.get(), 1) ==
        success);
  CHECK(agree(y.numbers(), {5, 8}));
  CHECK(of<T>(cublasSswap_64, cublasDswap_64)(handle, n, x.get(), 1, y.get(), -1) == success);
  CHECK(agree(x.numbers(), {8, 5}));
  CHECK(of<T>(cublasSscal_64, cublasDscal_64)(handle, n, &two_of_it, x.get(), 1) == success);
  CHECK(of<T>(cublasScopy_64, cublasDcopy_64)(handle, n, x.get(), 1, y.get(), 1) == success);
  CHECK(agree(y.numbers(), {16, 10}));
  T result = 0;
  CHECK(of<T>(cublasSdot_64, cublasDdot_64)(handle, n, x.get(), 1, y.get(), 1, &result) == success);
  CHECK(result == 356);
  CHECK(of<T>(cublasSasum_64, cublasDasum_64)(handle, n, x.get(), 1, &result) == success);
  CHECK(result == 26);
  CHECK(of<T>(cublasSnrm2_64, cublasDnrm2_64)(handle, n, x.get(), 1, &result) == success);
  CHECK(result == doctest::Approx(std::sqrt(356.0)));
  CHECK(of<T>(cublasSrot_64, cublasDrot_64)(handle, 1, x.get(), 1, y.get(), 1, &two_of_it,
                                            &two_of_it) == success);
  CHECK(agree(x.numbers(), {64, 10}));
  const T param[5] = {-1, 1, 1, 0, 1};
  CHECK(of<T>(cublasSrotm_64, cublasDrotm_64)(handle, 1, x.get(), 1, y.get(), 1, param) == success);
  CHECK(agree(y.numbers(), {64, 10}));
}

TEST_CASE_TEMPLATE("cublas: nothing comes of empty vectors", T, float, double) {
  const Handle handle;
  const T factor = 2;
  const Array<T> x({1, 2});
  T* const d = x.get();
  for (const int n : {0, -1}) {
    CHECK(of<T>(cublasSaxpy, cublasDaxpy)(handle, n, &factor, d, 1, d, 1) == success);
    CHECK(of<T>(cublasSscal, cublasDscal)(handle, n, &factor, d, 1) == success);
    CHECK(of<T>(cublasSswap, cublasDswap)(handle, n, d, 1, d + 1, 1) == success);
    CHECK(of<T>(cublasScopy, cublasDcopy)(handle, n, d, 1, d + 1, 1) == success);
    T result = 7;
    CHECK(of<T>(cublasSdot, cublasDdot)(handle, n, d, 1, d, 1, &result) == success);
    CHECK(result == 0);
    result = 7;
    CHECK(of<T>(cublasSasum, cublasDasum)(handle, n, d, 1, &result) == success);
    CHECK(result == 0);
    result = 7;
    CHECK(of<T>(cublasSnrm2, cublasDnrm2)(handle, n, d, 1, &result) == success);
    CHECK(result == 0);
    int index = 7;
    CHECK(of<T>(cublasIsamax, cublasIdamax)(handle, n, d, 1, &index) == success);
    CHECK(index == 0);
    index = 7;
    CHECK(of<T>(cublasIsamin, cublasIdamin)(handle, n, d, 1, &index) == success);
    CHECK(index == 0);
  }
  CHECK(agree(x.numbers(), {1, 2}));
}

TEST_CASE_TEMPLATE("cublas: increments of 0 and below, and what is no number", T, float, double) {
  const Handle handle;
  const T alpha = 0;
  const Array<T> x({nothing<T>, 2, 3, 4});
  T* const d = x.get();
  int index = 7;
  CHECK(of<T>(cublasIsamax, cublasIdamax)(handle, 2, d, 1, &index) == success);
  CHECK(index == 2);
  for (const int increment : {0, -1}) {
    T result = 7;
    CHECK(of<T>(cublasSasum, cublasDasum)(handle, 3, d, increment, &result) == success);
    CHECK(result == 0);
    index = 7;
    CHECK(of<T>(cublasIsamin, cublasIdamin)(handle, 3, d, increment, &index) == success);
    CHECK(index == 0);
    CHECK(of<T>(cublasSscal, cublasDscal)(handle, 3, &alpha, d + 1, increment) == success);
  }
  CHECK(of<T>(cublasSaxpy, cublasDaxpy)(handle, 1, &alpha, d, 1, d + 1, 1) == success);
  CHECK(of<T>(cublasSscal, cublasDscal)(handle, 1, &alpha, d, 1) == success);
  CHECK(agree(x.numbers(), {nothing<T>, 2, 3, 4}));
  T result = 0;
  CHECK(of<T>(cublasSdot, cublasDdot)(handle, 2, d + 1, 0, d + 2, 1, &result) == success);
  CHECK(result == 14);
}

TEST_CASE("cublas: functions on vectors need a handle") {
  float number_there = 0;
  float* const d = &number_there;
  int index = 0;
  CHECK(cublasSaxpy(nullptr, 0, d, d, 1, d, 1) == no_handle);
  CHECK(cublasSdot(nullptr, 0, d, 1, d, 1, d) == no_handle);
  CHECK(cublasIsamax(nullptr, 0, d, 1, &index) == no_handle);
  CHECK(cublasSrotg(nullptr, d, d, d, d) == no_handle);
}
