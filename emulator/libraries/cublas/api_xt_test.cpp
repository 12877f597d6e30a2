/// \file
/// cublasXt: what it computes of matrices in the host's memory is what cuBLAS computes on the
/// device.

#include "cublasXt.h"

#include <algorithm>
#include <vector>

#include "libraries/cublas/cublas_test.hpp"

using namespace cublas_test;

namespace {

class XtHandle {
 public:
  XtHandle() {
    int first[] = {0};
    REQUIRE(cublasXtCreate(&handle_) == success);
    REQUIRE(cublasXtDeviceSelect(handle_, 1, first) == success);
  }
  ~XtHandle() { CHECK(cublasXtDestroy(handle_) == success); }
  XtHandle(const XtHandle&) = delete;
  XtHandle& operator=(const XtHandle&) = delete;
  operator cublasXtHandle_t() const { return handle_; }

 private:
  cublasXtHandle_t handle_ = nullptr;
};

// Whole numbers, as complex ones: products and sums of these are exact.
using Complexes = std::vector<cuComplex>;
Complexes some_complexes(int count, int seed) {
  const Numbers parts = some_numbers(2 * count, seed);
  Complexes all(static_cast<std::size_t>(count));
  for (std::size_t i = 0; i < all.size(); ++i) all[i] = {parts[2 * i], parts[2 * i + 1]};
  return all;
}

using ComplexesOnDevice = libraries::Array<cuComplex>;

bool equal(const Complexes& a, const Complexes& b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(),
                    [](cuComplex x, cuComplex y) { return x.x == y.x && x.y == y.y; });
}

constexpr int ld = 8;
constexpr int n = 5;
constexpr int k = 3;

}  // namespace

TEST_CASE("cublasXt: gemm of matrices in the host's memory, and on the device") {
  const XtHandle xt;
  const Handle handle;
  const Numbers a = some_numbers(ld * ld, 1);
  const Numbers b = some_numbers(ld * ld, 2);
  const Numbers c = some_numbers(ld * n, 3);
  const OnDevice a_device(a);
  const OnDevice b_device(b);
  for (const auto op_a : {op_n, op_t, op_c}) {
    for (const auto op_b : {op_n, op_t, op_c}) {
      const OnDevice expected(c);
      REQUIRE(cublasSgemm(handle, op_a, op_b, 4, n, k, &two, a_device.get(), ld, b_device.get(), ld,
                          &three, expected.get(), ld) == success);
      Numbers here = c;
      CHECK(cublasXtSgemm(xt, op_a, op_b, 4, n, k, &two, a.data(), ld, b.data(), ld, &three,
                          here.data(), ld) == success);
      CHECK(here == expected.numbers());
      const OnDevice there(c);
      CHECK(cublasXtSgemm(xt, op_a, op_b, 4, n, k, &two, a_device.get(), ld, b.data(), ld, &three,
                          there.get(), ld) == success);
      CHECK(there.numbers() == expected.numbers());
    }
  }
}

TEST_CASE("cublasXt: with beta = 0 the result is not read") {
  const XtHandle xt;
  Numbers c(4, no_number);
  const Numbers a = {1, 2, 3, 4};
  CHECK(cublasXtSgemm(xt, op_n, op_n, 2, 2, 2, &one, a.data(), 2, a.data(), 2, &zero, c.data(),
                      2) == success);
  CHECK(c == Numbers{7, 10, 15, 22});
  CHECK(cublasXtSgemm(xt, op_n, op_n, 0, 2, 2, &one, nullptr, 1, a.data(), 2, &zero, c.data(), 1) ==
        success);
}

TEST_CASE("cublasXt: the other products are cuBLAS's") {
  const XtHandle xt;
  const Handle handle;
  const Numbers a = some_numbers(ld * ld, 4);
  const Numbers b = some_numbers(ld * ld, 5);
  const Numbers c = some_numbers(ld * ld, 6);
  const OnDevice da(a);
  const OnDevice db(b);
  const auto same = [&](auto there, auto here) {
    const OnDevice expected(c);
    REQUIRE(there(expected.get()) == success);
    Numbers result = c;
    CHECK(here(result.data()) == success);
    CHECK(result == expected.numbers());
  };
  for (const auto uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    for (const auto trans : {op_n, op_t}) {
      same(
          [&](float* d) {
            return cublasSsyrk(handle, uplo, trans, n, k, &two, da.get(), ld, &three, d, ld);
          },
          [&](float* d) {
            return cublasXtSsyrk(xt, uplo, trans, n, k, &two, a.data(), ld, &three, d, ld);
          });
      same(
          [&](float* d) {
            return cublasSsyr2k(handle, uplo, trans, n, k, &two, da.get(), ld, db.get(), ld, &three,
                                d, ld);
          },
          [&](float* d) {
            return cublasXtSsyr2k(xt, uplo, trans, n, k, &two, a.data(), ld, b.data(), ld, &three,
                                  d, ld);
          });
      same(
          [&](float* d) {
            return cublasSsyrkx(handle, uplo, trans, n, k, &two, da.get(), ld, db.get(), ld, &three,
                                d, ld);
          },
          [&](float* d) {
            return cublasXtSsyrkx(xt, uplo, trans, n, k, &two, a.data(), ld, b.data(), ld, &three,
                                  d, ld);
          });
    }
    for (const auto side : {CUBLAS_SIDE_LEFT, CUBLAS_SIDE_RIGHT}) {
      const auto diag = CUBLAS_DIAG_UNIT;
      same(
          [&](float* d) {
            return cublasSsymm(handle, side, uplo, n, k, &two, da.get(), ld, db.get(), ld, &three,
                               d, ld);
          },
          [&](float* d) {
            return cublasXtSsymm(xt, side, uplo, n, k, &two, a.data(), ld, b.data(), ld, &three, d,
                                 ld);
          });
      same(
          [&](float* d) {
            return cublasStrmm(handle, side, uplo, op_t, diag, n, k, &two, da.get(), ld, db.get(),
                               ld, d, ld);
          },
          [&](float* d) {
            return cublasXtStrmm(xt, side, uplo, op_t, diag, n, k, &two, a.data(), ld, b.data(), ld,
                                 d, ld);
          });
      same(
          [&](float* d) {
            return cublasStrsm(handle, side, uplo, op_n, diag, n, k, &two, da.get(), ld, d, ld);
          },
          [&](float* d) {
            return cublasXtStrsm(xt, side, uplo, op_n, diag, n, k, &two, a.data(), ld, d, ld);
          });
      // The triangle of A, column by column.
      Numbers packed;
      const int extent = side == CUBLAS_SIDE_LEFT ? n : k;
      for (int column = 0; column < extent; ++column) {
        const bool is_upper = uplo == CUBLAS_FILL_MODE_UPPER;
        for (int row = is_upper ? 0 : column; row < (is_upper ? column + 1 : extent); ++row) {
          packed.push_back(a[static_cast<std::size_t>(row + column * ld)]);
        }
      }
      same(
          [&](float* d) {
            return cublasSsymm(handle, side, uplo, n, k, &two, da.get(), ld, db.get(), ld, &three,
                               d, ld);
          },
          [&](float* d) {
            return cublasXtSspmm(xt, side, uplo, n, k, &two, packed.data(), b.data(), ld, &three, d,
                                 ld);
          });
    }
  }
}

TEST_CASE("cublasXt: products whose result is Hermitian") {
  const XtHandle xt;
  const Handle handle;
  const Complexes a = some_complexes(ld * ld, 7);
  const Complexes b = some_complexes(ld * ld, 8);
  Complexes c = some_complexes(ld * ld, 9);
  for (int i = 0; i < ld; ++i) c[static_cast<std::size_t>(i * ld + i)].y = 0;
  const ComplexesOnDevice da(a);
  const ComplexesOnDevice db(b);
  const cuComplex factor = {2, 1};
  const auto same = [&](auto there, auto here) {
    const ComplexesOnDevice expected(c);
    REQUIRE(there(expected.get()) == success);
    Complexes result = c;
    CHECK(here(result.data()) == success);
    CHECK(equal(result, expected.numbers()));
  };
  for (const auto uplo : {CUBLAS_FILL_MODE_LOWER, CUBLAS_FILL_MODE_UPPER}) {
    for (const auto trans : {op_n, op_c}) {
      same(
          [&](cuComplex* d) {
            return cublasCherk(handle, uplo, trans, n, k, &two, da.get(), ld, &three, d, ld);
          },
          [&](cuComplex* d) {
            return cublasXtCherk(xt, uplo, trans, n, k, &two, a.data(), ld, &three, d, ld);
          });
      same(
          [&](cuComplex* d) {
            return cublasCher2k(handle, uplo, trans, n, k, &factor, da.get(), ld, db.get(), ld,
                                &three, d, ld);
          },
          [&](cuComplex* d) {
            return cublasXtCher2k(xt, uplo, trans, n, k, &factor, a.data(), ld, b.data(), ld,
                                  &three, d, ld);
          });
      same(
          [&](cuComplex* d) {
            return cublasCherkx(handle, uplo, trans, n, k, &factor, da.get(), ld, db.get(), ld,
                                &three, d, ld);
          },
          [&](cuComplex* d) {
            return cublasXtCherkx(xt, uplo, trans, n, k, &factor, a.data(), ld, b.data(), ld,
                                  &three, d, ld);
          });
    }
    same(
        [&](cuComplex* d) {
          return cublasChemm(handle, CUBLAS_SIDE_LEFT, uplo, n, k, &factor, da.get(), ld, db.get(),
                             ld, &factor, d, ld);
        },
        [&](cuComplex* d) {
          return cublasXtChemm(xt, CUBLAS_SIDE_LEFT, uplo, n, k, &factor, a.data(), ld, b.data(),
                               ld, &factor, d, ld);
        });
  }
}

TEST_CASE("cublasXt: what is refused") {
  int none[] = {7};
  int twice[] = {0, 0};
  int count = 0;
  cublasXtHandle_t xt = nullptr;
  CHECK(cublasXtCreate(nullptr) == invalid);
  REQUIRE(cublasXtCreate(&xt) == success);
  const Numbers a = {1, 2, 3, 4};
  Numbers c(4);
  const auto multiply = [&](std::size_t lda, cublasOperation_t op) {
    return cublasXtSgemm(xt, op, op_n, 2, 2, 2, &one, a.data(), lda, a.data(), 2, &zero, c.data(),
                         2);
  };
  CHECK(multiply(2, op_n) == no_handle);  // no device
  CHECK(cublasXtDeviceSelect(xt, 1, none) == invalid);
  CHECK(cublasXtDeviceSelect(xt, 2, twice) == invalid);
  CHECK(cublasXtDeviceSelect(xt, 1, twice) == success);
  CHECK(multiply(2, op_n) == success);
  CHECK(multiply(1, op_n) == invalid);
  CHECK(multiply(2, static_cast<cublasOperation_t>(9)) == invalid);
  const OnDevice too_few({1, 2});  // of a triangle of three
  CHECK(cublasXtSspmm(xt, CUBLAS_SIDE_LEFT, CUBLAS_FILL_MODE_LOWER, 2, 2, &one, too_few.get(),
                      a.data(), 2, &zero, c.data(), 2) == CUBLAS_STATUS_EXECUTION_FAILED);
  CHECK(cublasXtSetBlockDim(xt, 0) == invalid);
  CHECK(cublasXtSetBlockDim(xt, 64) == success);
  CHECK(cublasXtGetBlockDim(xt, &count) == success);
  CHECK(count == 64);
  CHECK(cublasXtSetCpuRatio(xt, CUBLASXT_GEMM, CUBLASXT_FLOAT, 1.5F) == invalid);
  CHECK(cublasXtSetCpuRatio(xt, CUBLASXT_GEMM, CUBLASXT_FLOAT, 0.5F) == success);
  auto mode = CUBLASXT_PINNING_DISABLED;
  CHECK(cublasXtSetPinningMemMode(xt, CUBLASXT_PINNING_ENABLED) == success);
  CHECK(cublasXtGetPinningMemMode(xt, &mode) == success);
  CHECK(mode == CUBLASXT_PINNING_ENABLED);
  CHECK(cublasXtGetNumBoards(1, twice, &count) == success);
  CHECK(count == 1);
  CHECK(cublasXtDestroy(xt) == success);
  CHECK(cublasXtDestroy(nullptr) == no_handle);
}
