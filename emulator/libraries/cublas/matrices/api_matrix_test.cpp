/// \file
/// What programs may expect of cuBLAS's functions on matrices: see cublas/api_test.cpp.

#include "libraries/cublas/cublas_test.hpp"

using namespace cublas_test;

TEST_CASE("cublas: sgemm, for all operations, with padding and increments") {
  const Handle handle;
  const int m = 37;
  const int n = 21;
  const int k = 50;
  const int ld = 64;
  const Numbers a = some_numbers(ld * ld, 1);
  const Numbers b = some_numbers(ld * ld, 2);
  const Numbers c = some_numbers(ld * n, 3);
  const OnDevice a_device(a);
  const OnDevice b_device(b);
  for (const auto op_a : {op_n, op_t, op_c}) {
    for (const auto op_b : {op_n, op_t, op_c}) {
      Numbers expected = c;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i) {
          float sum = 0;
          for (int l = 0; l < k; ++l) {
            sum += element(a, ld, op_a, i, l) * element(b, ld, op_b, l, j);
          }
          float& value = expected[static_cast<std::size_t>(i + j * ld)];
          value = 2 * sum + 3 * value;
        }
      }
      const OnDevice c_device(c);
      CHECK(cublasSgemm(handle, op_a, op_b, m, n, k, &two, a_device.get(), ld, b_device.get(), ld,
                        &three, c_device.get(), ld) == success);
      CHECK(c_device.numbers() == expected);
    }
  }
}

TEST_CASE("cublas: sgemm, for matrices stored row by row, takes them in the other order") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4, 5, 6});                    // rows 1 2 3 and 4 5 6
  const OnDevice b({1, 0, 2, 0, 1, 0, 3, 0, 1, 1, 0, 0});  // rows 1 0 2 0, 1 0 3 0 and 1 1 0 0
  const OnDevice c(Numbers(8, no_number));
  CHECK(cublasSgemm_64(handle, op_n, op_n, 4, 2, 3, &one, b.get(), 4, a.get(), 3, &zero, c.get(),
                       4) == success);
  CHECK(c.numbers() == Numbers{6, 3, 8, 0, 15, 6, 23, 0});
}

TEST_CASE("cublas: sgemm reads only what has a factor") {
  const Handle handle;
  const OnDevice unusable(Numbers(4, no_number));
  const OnDevice c({1, 2, 3, 4});
  float* const d = unusable.get();
  CHECK(cublasSgemm(handle, op_n, op_n, 2, 2, 2, &zero, d, 2, d, 2, &two, c.get(), 2) == success);
  CHECK(c.numbers() == Numbers{2, 4, 6, 8});
  CHECK(cublasSgemm(handle, op_n, op_n, 2, 2, 0, &one, d, 2, d, 1, &two, c.get(), 2) == success);
  CHECK(c.numbers() == Numbers{4, 8, 12, 16});
  CHECK(cublasSgemm(handle, op_n, op_n, 2, 2, 0, &one, d, 2, d, 1, &zero, d, 2) == success);
  CHECK(unusable.numbers() == Numbers(4, 0));
}

TEST_CASE("cublas: sgemm refuses what makes no sense") {
  const Handle handle;
  const OnDevice numbers({1, 2, 3, 4, 5, 6});
  float* const d = numbers.get();
  const auto none = static_cast<cublasOperation_t>(9);
  const auto gemm = [&](cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int k,
                        int lda, int ldb, int ldc) {
    return cublasSgemm(handle, op_a, op_b, m, n, k, &one, d, lda, d, ldb, &one, d, ldc);
  };
  CHECK(gemm(none, op_n, 2, 1, 1, 2, 1, 2) == invalid);
  CHECK(gemm(op_n, none, 2, 1, 1, 2, 1, 2) == invalid);
  CHECK(gemm(op_n, op_n, -1, 1, 1, 2, 1, 2) == invalid);
  CHECK(gemm(op_n, op_n, 1, -1, 1, 2, 1, 2) == invalid);
  CHECK(gemm(op_n, op_n, 1, 1, -1, 2, 1, 2) == invalid);
  CHECK(gemm(op_n, op_n, 2, 1, 1, 1, 1, 2) == invalid);
  CHECK(gemm(op_t, op_n, 1, 1, 2, 1, 2, 1) == invalid);
  CHECK(gemm(op_n, op_n, 1, 1, 2, 1, 1, 1) == invalid);
  CHECK(gemm(op_n, op_t, 1, 2, 1, 1, 1, 1) == invalid);
  CHECK(gemm(op_n, op_n, 2, 1, 1, 2, 1, 1) == invalid);
  CHECK(gemm(op_n, op_n, 1, 1, 0, 1, 0, 1) == invalid);
  CHECK(gemm(op_n, op_n, 0, 1, 1, 1, 1, 1) == success);
  CHECK(gemm(op_n, op_n, 1, 0, 1, 1, 1, 1) == success);
  CHECK(numbers.numbers() == Numbers{1, 2, 3, 4, 5, 6});
}

TEST_CASE("cublas: sgemm refuses null factors and a null result") {
  const Handle handle;
  const OnDevice numbers({1, 2, 3, 4});
  float* const d = numbers.get();
  CHECK(cublasSgemm(handle, op_n, op_n, 1, 1, 1, nullptr, d, 1, d, 1, &one, d, 1) == invalid);
  CHECK(cublasSgemm(handle, op_n, op_n, 1, 1, 1, &one, d, 1, d, 1, nullptr, d, 1) == invalid);
  CHECK(cublasSgemm(handle, op_n, op_n, 1, 1, 1, &one, d, 1, d, 1, &one, nullptr, 1) == invalid);
}

TEST_CASE("cublas: sgeam transposes and adds") {
  const Handle handle;
  const int m = 45;
  const int n = 70;
  const int ld = 80;
  const Numbers a = some_numbers(ld * ld, 4);
  const Numbers b = some_numbers(ld * ld, 5);
  const Numbers c(static_cast<std::size_t>(ld * n), 77);
  const OnDevice a_device(a);
  const OnDevice b_device(b);
  for (const auto op_a : {op_n, op_t, op_c}) {
    for (const auto op_b : {op_n, op_t}) {
      Numbers expected = c;
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < m; ++i) {
          expected[static_cast<std::size_t>(i + j * ld)] =
              2 * element(a, ld, op_a, i, j) + 3 * element(b, ld, op_b, i, j);
        }
      }
      const OnDevice c_device(c);
      CHECK(cublasSgeam(handle, op_a, op_b, m, n, &two, a_device.get(), ld, &three, b_device.get(),
                        ld, c_device.get(), ld) == success);
      CHECK(c_device.numbers() == expected);
    }
  }
}

TEST_CASE("cublas: sgeam reads only what has a factor") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4, 5, 6});
  const OnDevice unusable(Numbers(6, no_number));
  const OnDevice c(Numbers(6, no_number));
  CHECK(cublasSgeam_64(handle, op_t, op_n, 3, 2, &one, a.get(), 2, &zero, unusable.get(), 3,
                       c.get(), 3) == success);
  CHECK(c.numbers() == Numbers{1, 3, 5, 2, 4, 6});
  CHECK(cublasSgeam(handle, op_n, op_t, 3, 2, &zero, unusable.get(), 3, &two, a.get(), 2, c.get(),
                    3) == success);
  CHECK(c.numbers() == Numbers{2, 6, 10, 4, 8, 12});
  CHECK(cublasSgeam(handle, op_n, op_n, 3, 2, &zero, unusable.get(), 3, &zero, unusable.get(), 3,
                    c.get(), 3) == success);
  CHECK(c.numbers() == Numbers(6, 0));
}

TEST_CASE("cublas: sgeam takes null for a matrix whose factor is 0") {
  const Handle handle;
  const OnDevice a({1, 2, 3, 4});
  const OnDevice c(Numbers(4, no_number));
  CHECK(cublasSgeam(handle, op_t, op_n, 2, 2, &one, a.get(), 2, &zero, nullptr, 2, c.get(), 2) ==
        success);
  CHECK(c.numbers() == Numbers{1, 3, 2, 4});
  CHECK(cublasSgeam(handle, op_n, op_n, 2, 2, &zero, nullptr, 2, &one, a.get(), 2, c.get(), 2) ==
        success);
  CHECK(c.numbers() == Numbers{1, 2, 3, 4});
}

TEST_CASE("cublas: sgeam in place") {
  const Handle handle;
  const OnDevice c({1, 2, 3, 4});
  const OnDevice b({10, 20, 30, 40});
  CHECK(cublasSgeam(handle, op_n, op_t, 2, 2, &two, c.get(), 2, &one, b.get(), 2, c.get(), 2) ==
        success);
  CHECK(c.numbers() == Numbers{12, 34, 26, 48});
  CHECK(cublasSgeam(handle, op_t, op_n, 2, 2, &one, b.get(), 2, &two, c.get(), 2, c.get(), 2) ==
        success);
  CHECK(c.numbers() == Numbers{34, 98, 72, 136});
  float* const d = c.get();
  float* const e = b.get();
  CHECK(cublasSgeam(handle, op_t, op_n, 2, 2, &one, d, 2, &one, e, 2, d, 2) == invalid);
  CHECK(cublasSgeam(handle, op_n, op_t, 2, 2, &one, e, 2, &one, d, 2, d, 2) == invalid);
  CHECK(cublasSgeam(handle, op_n, op_n, 1, 2, &one, d, 1, &one, e, 2, d, 2) == invalid);
  CHECK(cublasSgeam(handle, op_n, op_n, 1, 2, &one, e, 2, &one, d, 1, d, 2) == invalid);
}

TEST_CASE("cublas: sgeam refuses what makes no sense") {
  const Handle handle;
  const OnDevice numbers({1, 2, 3, 4, 5, 6});
  float* const a = numbers.get();
  float* const b = a + 2;
  float* const c = a + 4;
  const auto none = static_cast<cublasOperation_t>(9);
  const auto geam = [&](cublasOperation_t op_a, cublasOperation_t op_b, int m, int n, int lda,
                        int ldb, int ldc) {
    return cublasSgeam(handle, op_a, op_b, m, n, &one, a, lda, &one, b, ldb, c, ldc);
  };
  CHECK(geam(none, op_n, 2, 1, 2, 2, 2) == invalid);
  CHECK(geam(op_n, none, 2, 1, 2, 2, 2) == invalid);
  CHECK(geam(op_n, op_n, -1, 1, 2, 2, 2) == invalid);
  CHECK(geam(op_n, op_n, 1, -1, 2, 2, 2) == invalid);
  CHECK(geam(op_n, op_n, 2, 1, 1, 2, 2) == invalid);
  CHECK(geam(op_n, op_n, 2, 1, 2, 1, 2) == invalid);
  CHECK(geam(op_n, op_n, 2, 1, 2, 2, 1) == invalid);
  CHECK(geam(op_t, op_n, 1, 2, 1, 2, 2) == invalid);
  CHECK(geam(op_n, op_t, 1, 2, 2, 1, 2) == invalid);
  CHECK(geam(op_n, op_n, 0, 1, 1, 1, 1) == success);
  CHECK(geam(op_n, op_n, 1, 0, 1, 1, 1) == success);
  CHECK(numbers.numbers() == Numbers{1, 2, 3, 4, 5, 6});
}
