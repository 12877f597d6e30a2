/// \file
/// What programs may expect of cuBLAS's functions for complex matrices and vectors, the emulator's
/// or NVIDIA's: this file compiles against both.

#include "libraries/cublas/complex_test.hpp"

using namespace cublas_test;

TEST_CASE_TEMPLATE("cublas: complex gemv and gbmv", T, Single, Double) {
  const Handle handle;
  const T alpha = {2, 1};
  const T beta = {0, 1};
  for (const auto op_a : operations) {
    CAPTURE(op_a);
    const Dense<T> a = some<T>(7, 4, 1);
    const Dense<T> in_op = with_op(a, op_a);
    const Dense<T> x = some<T>(in_op.columns, 1, 2);
    const Dense<T> y = some<T>(in_op.rows, 1, 3);
    const Array<T> a_there(stored(a, 9));
    const Array<T> x_there(spread(x, -2));
    const Array<T> y_there(spread(y, 3));
    CHECK(pick<T>(cublasCgemv, cublasZgemv)(handle, op_a, 7, 4, cu(&alpha), cu(a_there), 9,
                                            cu(x_there), -2, cu(&beta), cu(y_there), 3) == success);
    CHECK(y_there.numbers() == spread(sum_of(alpha, in_op, x, beta, y), 3));

    const Dense<T> band =
        filled<T>(7, 4, [&](int i, int j) { return i - j > 1 || j - i > 2 ? T(0) : a(i, j); });
    const Array<T> band_there(banded(band, 1, 2, 5));
    const Array<T> again(y.values);
    CHECK(pick<T>(cublasCgbmv, cublasZgbmv)(handle, op_a, 7, 4, 1, 2, cu(&alpha), cu(band_there), 5,
                                            cu(x_there), -2, cu(&beta), cu(again), 1) == success);
    CHECK(again.numbers() == sum_of(alpha, with_op(band, op_a), x, beta, y).values);
  }
}

TEST_CASE_TEMPLATE("cublas: many complex gemv", T, Single, Double) {
  const Handle handle;
  const T alpha = {2, 1};
  const T none = 0;
  const Dense<T> a = some<T>(3, 4, 1);  // two of 3 x 2
  const Dense<T> x = some<T>(3, 2, 2);
  const auto part = [&](int from) {
    return filled<T>(3, 2, [&](int i, int j) { return a(i, from + j); });
  };
  std::vector<T> expected;
  for (const int index : {0, 1}) {
    const Dense<T> column = filled<T>(3, 1, [&](int i, int) { return x(i, index); });
    const auto y = sum_of(alpha, with_op(part(2 * index), op_c), column, none, Dense<T>(2, 1));
    expected.insert(expected.end(), y.values.begin(), y.values.end());
  }
  const Array<T> a_there(a.values);
  const Array<T> x_there(x.values);
  const Array<T> y_there(std::vector<T>(4));
  CHECK(pick<T>(cublasCgemvStridedBatched, cublasZgemvStridedBatched)(
            handle, op_c, 3, 2, cu(&alpha), cu(a_there), 3, 6, cu(x_there), 1, 3, cu(&none),
            cu(y_there), 1, 2, 2) == success);
  CHECK(y_there.numbers() == expected);
  const Array<T> again(std::vector<T>(4));
  const Array<const Cuda<T>*> matrices(std::vector<const Cuda<T>*>{cu(a_there), cu(a_there) + 6});
  const Array<const Cuda<T>*> vectors(std::vector<const Cuda<T>*>{cu(x_there), cu(x_there) + 3});
  const Array<Cuda<T>*> results(std::vector<Cuda<T>*>{cu(again), cu(again) + 2});
  CHECK(pick<T>(cublasCgemvBatched, cublasZgemvBatched)(handle, op_c, 3, 2, cu(&alpha),
                                                        matrices.get(), 3, vectors.get(), 1,
                                                        cu(&none), results.get(), 1, 2) == success);
  CHECK(again.numbers() == expected);
}

TEST_CASE_TEMPLATE("cublas: geru and gerc", T, Single, Double) {
  const Handle handle;
  const T alpha = {2, 1};
  const Dense<T> x = some<T>(4, 1, 1);
  const Dense<T> y = some<T>(3, 1, 2);
  const Dense<T> a = some<T>(4, 3, 3);
  const Array<T> x_there(x.values);
  const Array<T> y_there(y.values);
  const Array<T> a_there(stored(a, 5));
  CHECK(pick<T>(cublasCgeru, cublasZgeru)(handle, 4, 3, cu(&alpha), cu(x_there), 1, cu(y_there), 1,
                                          cu(a_there), 5) == success);
  CHECK(a_there.numbers() == stored(sum_of(alpha, x, with_op(y, op_t), T(1), a), 5));
  const Array<T> again(stored(a, 5));
  CHECK(pick<T>(cublasCgerc, cublasZgerc)(handle, 4, 3, cu(&alpha), cu(x_there), 1, cu(y_there), 1,
                                          cu(again), 5) == success);
  CHECK(again.numbers() == stored(sum_of(alpha, x, with_op(y, op_c), T(1), a), 5));
}

TEST_CASE_TEMPLATE("cublas: symmetric and Hermitian matrices, times a vector", T, Single, Double) {
  const Handle handle;
  const T alpha = {2, 1};
  const T beta = {0, 1};
  constexpr int n = 5;
  const Dense<T> x = some<T>(n, 1, 2);
  const Dense<T> y = some<T>(n, 1, 3);
  const Array<T> x_there(x.values);
  for (const auto uplo : {lower, upper}) {
    for (const bool hermitian : {false, true}) {
      CAPTURE(uplo);
      CAPTURE(hermitian);
      const Dense<T> a = own_transposed<T>(n, n, hermitian);
      const Array<T> a_there(stored(kept(a, uplo), 6));
      const Array<T> y_there(y.values);
      const auto multiply =
          hermitian ? pick<T>(cublasChemv, cublasZhemv) : pick<T>(cublasCsymv, cublasZsymv);
      CHECK(multiply(handle, uplo, n, cu(&alpha), cu(a_there), 6, cu(x_there), 1, cu(&beta),
                     cu(y_there), 1) == success);
      CHECK(y_there.numbers() == sum_of(alpha, a, x, beta, y).values);
    }
    const Dense<T> a = own_transposed<T>(n, 2, true);
    const Dense<T> stored_band =
        filled<T>(n, n, [&](int i, int j) { return in_triangle(uplo, i, j) ? a(i, j) : T(0); });
    const Array<T> band(uplo == upper ? banded(stored_band, 0, 2, 4)
                                      : banded(stored_band, 2, 0, 4));
    const Array<T> y_there(y.values);
    CHECK(pick<T>(cublasChbmv, cublasZhbmv)(handle, uplo, n, 2, cu(&alpha), cu(band), 4,
                                            cu(x_there), 1, cu(&beta), cu(y_there), 1) == success);
    CHECK(y_there.numbers() == sum_of(alpha, a, x, beta, y).values);
    const Array<T> pack(packed(a, uplo));
    const Array<T> again(y.values);
    CHECK(pick<T>(cublasChpmv, cublasZhpmv)(handle, uplo, n, cu(&alpha), cu(pack), cu(x_there), 1,
                                            cu(&beta), cu(again), 1) == success);
    CHECK(again.numbers() == sum_of(alpha, a, x, beta, y).values);
  }
}

TEST_CASE_TEMPLATE("cublas: outer products added to symmetric and Hermitian matrices", T, Single,
                   Double) {
  using Part = typename T::value_type;
  const Handle handle;
  const T alpha = {2, 1};
  const Part factor = 3;
  constexpr int n = 4;
  const Dense<T> x = some<T>(n, 1, 2);
  const Dense<T> y = some<T>(n, 1, 3);
  const Array<T> x_there(x.values);
  const Array<T> y_there(y.values);
  const auto transposed = [](const Dense<T>& v, bool hermitian) {
    return with_op(v, hermitian ? op_c : op_t);
  };
  for (const auto uplo : {lower, upper}) {
    for (const bool hermitian : {false, true}) {
      CAPTURE(uplo);
      CAPTURE(hermitian);
      const Dense<T> a = own_transposed<T>(n, n, hermitian);
      const Dense<T> before = kept(a, uplo);
      const Array<T> one_there(before.values);
      const T one_factor = hermitian ? T(factor) : alpha;
      const Dense<T> one_more = sum_of(one_factor, x, transposed(x, hermitian), T(1), a);
      CHECK((hermitian ? pick<T>(cublasCher, cublasZher)(handle, uplo, n, &factor, cu(x_there), 1,
                                                         cu(one_there), n)
                       : pick<T>(cublasCsyr, cublasZsyr)(handle, uplo, n, cu(&alpha), cu(x_there),
                                                         1, cu(one_there), n)) == success);
      CHECK(one_there.numbers() == mixed(one_more, before, uplo).values);

      const Array<T> two_there(before.values);
      const T other_factor = hermitian ? std::conj(alpha) : alpha;
      const Dense<T> two_more = sum_of(other_factor, y, transposed(x, hermitian), T(1),
                                       sum_of(alpha, x, transposed(y, hermitian), T(1), a));
      const auto add =
          hermitian ? pick<T>(cublasCher2, cublasZher2) : pick<T>(cublasCsyr2, cublasZsyr2);
      CHECK(add(handle, uplo, n, cu(&alpha), cu(x_there), 1, cu(y_there), 1, cu(two_there), n) ==
            success);
      CHECK(two_there.numbers() == mixed(two_more, before, uplo).values);
      if (!hermitian) continue;
      const Array<T> one_packed(packed(a, uplo));
      CHECK(pick<T>(cublasChpr, cublasZhpr)(handle, uplo, n, &factor, cu(x_there), 1,
                                            cu(one_packed)) == success);
      CHECK(one_packed.numbers() == packed(one_more, uplo));
      const Array<T> two_packed(packed(a, uplo));
      CHECK(pick<T>(cublasChpr2, cublasZhpr2)(handle, uplo, n, cu(&alpha), cu(x_there), 1,
                                              cu(y_there), 1, cu(two_packed)) == success);
      CHECK(two_packed.numbers() == packed(two_more, uplo));
    }
  }
}

TEST_CASE_TEMPLATE("cublas: complex triangles and vectors", T, Single, Double) {
  const Handle handle;
  constexpr int n = 5;
  constexpr int k = 3;
  const Dense<T> x = some<T>(n, 1, 2);
  for (const auto uplo : {lower, upper}) {
    for (const auto diag : {unit, non_unit}) {
      for (const auto trans : operations) {
        CAPTURE(uplo);
        CAPTURE(diag);
        CAPTURE(trans);
        const Dense<T> a = triangle<T>(n, k, uplo, diag);
        const Dense<T> product = sum_of(T(1), with_op(a, trans), x, T(0), Dense<T>(n, 1));
        const Array<T> full(stored(kept(a, uplo), 6));
        const Array<T> band(uplo == upper ? banded(a, 0, k, 4) : banded(a, k, 0, 4));
        const Array<T> pack(packed(a, uplo));
        const auto there_and_back = [&](auto multiply, auto solve) {
          const Array<T> x_there(x.values);
          CHECK(multiply(x_there) == success);
          CHECK(x_there.numbers() == product.values);
          CHECK(solve(x_there) == success);
          CHECK(distance(x_there.numbers(), x.values) < 1e-4);
        };
        const auto in_full = [&](auto function) {
          return [&, function](const Array<T>& v) {
            return function(handle, uplo, trans, diag, n, cu(full), 6, cu(v), 1);
          };
        };
        const auto in_band = [&](auto function) {
          return [&, function](const Array<T>& v) {
            return function(handle, uplo, trans, diag, n, k, cu(band), 4, cu(v), 1);
          };
        };
        const auto in_pack = [&](auto function) {
          return [&, function](const Array<T>& v) {
            return function(handle, uplo, trans, diag, n, cu(pack), cu(v), 1);
          };
        };
        there_and_back(in_full(pick<T>(cublasCtrmv, cublasZtrmv)),
                       in_full(pick<T>(cublasCtrsv, cublasZtrsv)));
        there_and_back(in_band(pick<T>(cublasCtbmv, cublasZtbmv)),
                       in_band(pick<T>(cublasCtbsv, cublasZtbsv)));
        there_and_back(in_pack(pick<T>(cublasCtpmv, cublasZtpmv)),
                       in_pack(pick<T>(cublasCtpsv, cublasZtpsv)));
      }
    }
  }
}
