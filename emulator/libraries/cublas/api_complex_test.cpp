/// \file
/// What programs may expect of cuBLAS's functions for complex numbers, of float and of double, the
/// emulator's or NVIDIA's: this file compiles against both.

#include <complex>

#include "libraries/cublas/typed_test.hpp"

using namespace cublas_test;

namespace {

using Single = std::complex<float>;
using Double = std::complex<double>;

/// Of a function for complex floats and the same for doubles, the one for T.
template <class T, class ForSingle, class ForDouble>
constexpr auto pick(ForSingle single, ForDouble twice) {
  if constexpr (std::is_same_v<T, Single>) {
    return single;
  } else {
    return twice;
  }
}

template <class T>
using Cuda = std::conditional_t<std::is_same_v<T, Single>, cuComplex, cuDoubleComplex>;

/// The library's view of a complex number's address.
template <class T>
Cuda<T>* cu(T* x) {
  return reinterpret_cast<Cuda<T>*>(x);
}
template <class T>
const Cuda<T>* cu(const T* x) {
  return reinterpret_cast<const Cuda<T>*>(x);
}
template <class T>
Cuda<T>* cu(const Array<T>& x) {
  return cu(x.get());
}

/// Small whole numbers in both parts.
template <class T>
Dense<T> some(int m, int n, int seed) {
  using Part = typename T::value_type;
  const Dense<Part> real(m, n, seed);
  const Dense<Part> imaginary(m, n, seed + 13);
  Dense<T> result(m, n);
  for (std::size_t i = 0; i < result.values.size(); ++i) {
    result.values[i] = T(real.values[i], imaginary.values[i]);
  }
  return result;
}

template <class T, class Value>
Dense<T> filled(int m, int n, Value value) {
  Dense<T> result(m, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < m; ++i) result(i, j) = value(i, j);
  }
  return result;
}

template <class T>
Dense<T> with_op(const Dense<T>& a, cublasOperation_t operation) {
  if (operation == op_n) return a;
  return filled<T>(a.columns, a.rows,
                   [&](int i, int j) { return operation == op_c ? std::conj(a(j, i)) : a(j, i); });
}

/// alpha A B + beta C.
template <class T>
Dense<T> sum_of(T alpha, const Dense<T>& a, const Dense<T>& b, T beta, const Dense<T>& c) {
  return filled<T>(c.rows, c.columns, [&](int i, int j) {
    T sum = 0;
    for (int l = 0; l < a.columns; ++l) sum += a(i, l) * b(l, j);
    return alpha * sum + beta * c(i, j);
  });
}

template <class T>
double distance(const std::vector<T>& a, const std::vector<T>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    largest = std::max(largest, static_cast<double>(std::abs(a[i] - b[i])));
  }
  return largest;
}

/// A symmetric or Hermitian matrix, with k diagonals beside the main one.
template <class T>
Dense<T> own_transposed(int n, int k, bool hermitian) {
  const Dense<T> a = some<T>(n, n, 1);
  return filled<T>(n, n, [&](int i, int j) {
    if (std::abs(i - j) > k) return T(0);
    const T x = a(std::min(i, j), std::max(i, j));
    if (i == j && hermitian) return T(x.real());
    return hermitian && i > j ? std::conj(x) : x;
  });
}

/// A triangular one with easy solutions: its diagonal is 2i, 2, ... or ones.
template <class T>
Dense<T> triangle(int n, int k, cublasFillMode_t uplo, cublasDiagType_t diag) {
  const Dense<T> a = some<T>(n, n, 2);
  return filled<T>(n, n, [&](int i, int j) {
    if (i == j) return diag == unit ? T(1) : (i % 2 == 0 ? T(0, 2) : T(2));
    const bool is_part = in_triangle(uplo, i, j) && std::abs(i - j) <= k && (i + j) % 3 == 0;
    return is_part ? a(i, j) : T(0);
  });
}

/// The part that is stored, as a whole matrix.
template <class T>
Dense<T> kept(const Dense<T>& a, cublasFillMode_t uplo) {
  return filled<T>(a.rows, a.columns,
                   [&](int i, int j) { return in_triangle(uplo, i, j) ? a(i, j) : T(99, 99); });
}

/// What a call that writes only one triangle leaves.
template <class T>
Dense<T> mixed(const Dense<T>& written, const Dense<T>& before, cublasFillMode_t uplo) {
  return filled<T>(written.rows, written.columns, [&](int i, int j) {
    return in_triangle(uplo, i, j) ? written(i, j) : before(i, j);
  });
}

const cublasOperation_t operations[] = {op_n, op_t, op_c};

}  // namespace

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

TEST_CASE_TEMPLATE("cublas: complex gemm, for all operations", T, Single, Double) {
  const Handle handle;
  const T alpha = {2, 1};
  const T beta = {0, 1};
  constexpr int m = 5;
  constexpr int n = 4;
  constexpr int k = 6;
  constexpr int ld = 9;
  constexpr auto type = std::is_same_v<T, Single> ? CUDA_C_32F : CUDA_C_64F;
  constexpr auto compute = std::is_same_v<T, Single> ? CUBLAS_COMPUTE_32F : CUBLAS_COMPUTE_64F;
  const Dense<T> c = some<T>(m, n, 3);
  for (const auto op_a : operations) {
    for (const auto op_b : operations) {
      CAPTURE(op_a);
      CAPTURE(op_b);
      const Dense<T> a = op_a == op_n ? some<T>(m, k, 1) : some<T>(k, m, 1);
      const Dense<T> b = op_b == op_n ? some<T>(k, n, 2) : some<T>(n, k, 2);
      const Array<T> a_there(stored(a, ld));
      const Array<T> b_there(stored(b, ld));
      const std::vector<T> expected =
          stored(sum_of(alpha, with_op(a, op_a), with_op(b, op_b), beta, c), ld);
      const auto gives = [&](auto multiply) {
        const Array<T> c_there(stored(c, ld));
        CHECK(multiply(c_there.get()) == success);
        CHECK(distance(c_there.numbers(), expected) < 1e-4);
      };
      gives([&](T* result) {
        return pick<T>(cublasCgemm, cublasZgemm)(handle, op_a, op_b, m, n, k, cu(&alpha),
                                                 cu(a_there), ld, cu(b_there), ld, cu(&beta),
                                                 cu(result), ld);
      });
      gives([&](T* result) {
        return pick<T>(cublasCgemm3m_64, cublasZgemm3m_64)(handle, op_a, op_b, m, n, k, cu(&alpha),
                                                           cu(a_there), ld, cu(b_there), ld,
                                                           cu(&beta), cu(result), ld);
      });
      gives([&](T* result) {
        return cublasGemmEx(handle, op_a, op_b, m, n, k, &alpha, a_there.get(), type, ld,
                            b_there.get(), type, ld, &beta, result, type, ld, compute,
                            CUBLAS_GEMM_DEFAULT);
      });
      gives([&](T* result) {
        return pick<T>(cublasCgemmStridedBatched, cublasZgemmStridedBatched)(
            handle, op_a, op_b, m, n, k, cu(&alpha), cu(a_there), ld, 0, cu(b_there), ld, 0,
            cu(&beta), cu(result), ld, 0, 1);
      });
      gives([&](T* result) {
        const Array<const Cuda<T>*> left_of(std::vector<const Cuda<T>*>{cu(a_there)});
        const Array<const Cuda<T>*> right_of(std::vector<const Cuda<T>*>{cu(b_there)});
        const Array<Cuda<T>*> results(std::vector<Cuda<T>*>{cu(result)});
        return pick<T>(cublasCgemmBatched, cublasZgemmBatched)(
            handle, op_a, op_b, m, n, k, cu(&alpha), left_of.get(), ld, right_of.get(), ld,
            cu(&beta), results.get(), ld, 1);
      });
    }
  }
}

TEST_CASE("cublas: CgemmEx, CsyrkEx and CherkEx") {
  const Handle handle;
  const Single alpha = {0, 1};
  const Single none = 0;
  const float two_times = 2;
  const float nothing_of = 0;
  const Array<Single> a(std::vector<Single>{{1, 2}, {3, -1}});
  const Array<Single> c(std::vector<Single>(4, Single(7, 7)));
  CHECK(cublasCgemmEx(handle, op_c, op_n, 1, 1, 2, cu(&alpha), a.get(), CUDA_C_32F, 2, a.get(),
                      CUDA_C_32F, 2, cu(&none), c.get(), CUDA_C_32F, 2) == success);
  CHECK(c.numbers()[0] == Single(0, 15));
  CHECK(cublasCsyrkEx(handle, upper, op_n, 2, 1, cu(&alpha), a.get(), CUDA_C_32F, 2, cu(&none),
                      c.get(), CUDA_C_32F, 2) == success);
  // (1 + 2i)² = -3 + 4i, (1 + 2i)(3 - i) = 5 + 5i, (3 - i)² = 8 - 6i, all times i
  CHECK(c.numbers() == std::vector<Single>{{-4, -3}, {7, 7}, {-5, 5}, {6, 8}});
  CHECK(cublasCherkEx(handle, lower, op_n, 2, 1, &two_times, a.get(), CUDA_C_32F, 2, &nothing_of,
                      c.get(), CUDA_C_32F, 2) == success);
  // (3 - i)(1 - 2i) = 1 - 7i
  CHECK(c.numbers() == std::vector<Single>{{10, 0}, {2, -14}, {-5, 5}, {20, 0}});
}

TEST_CASE_TEMPLATE("cublas: symm and hemm", T, Single, Double) {
  const Handle handle;
  const T alpha = {2, 1};
  const T beta = {0, 1};
  constexpr int m = 4;
  constexpr int n = 3;
  const Dense<T> b = some<T>(m, n, 2);
  const Dense<T> c = some<T>(m, n, 3);
  const Array<T> b_there(stored(b, 5));
  for (const auto side : {left, right}) {
    for (const auto uplo : {lower, upper}) {
      for (const bool hermitian : {false, true}) {
        CAPTURE(side);
        CAPTURE(uplo);
        CAPTURE(hermitian);
        const int order = side == left ? m : n;
        const Dense<T> a = own_transposed<T>(order, order, hermitian);
        const Array<T> a_there(stored(kept(a, uplo), 6));
        const Array<T> c_there(stored(c, 7));
        const auto multiply =
            hermitian ? pick<T>(cublasChemm, cublasZhemm) : pick<T>(cublasCsymm, cublasZsymm);
        CHECK(multiply(handle, side, uplo, m, n, cu(&alpha), cu(a_there), 6, cu(b_there), 5,
                       cu(&beta), cu(c_there), 7) == success);
        const Dense<T> expected =
            side == left ? sum_of(alpha, a, b, beta, c) : sum_of(alpha, b, a, beta, c);
        CHECK(c_there.numbers() == stored(expected, 7));
      }
    }
  }
}

TEST_CASE_TEMPLATE("cublas: products that are symmetric or Hermitian", T, Single, Double) {
  using Part = typename T::value_type;
  const Handle handle;
  const T alpha = {2, 1};
  const T beta = {0, 1};
  const Part real_alpha = 2;
  const Part real_beta = 3;
  constexpr int k = 3;
  for (const int n : {4, 101}) {
    for (const auto uplo : {lower, upper}) {
      for (const bool hermitian : {false, true}) {
        for (const auto trans : {op_n, hermitian ? op_c : op_t}) {
          CAPTURE(n);
          CAPTURE(uplo);
          CAPTURE(hermitian);
          CAPTURE(trans);
          const auto other = hermitian ? op_c : op_t;
          const Dense<T> a = trans == op_n ? some<T>(n, k, 1) : some<T>(k, n, 1);
          const Dense<T> b = trans == op_n ? some<T>(n, k, 2) : some<T>(k, n, 2);
          const Dense<T> c = own_transposed<T>(n, n, hermitian);
          const int ld = 103;
          const Array<T> a_there(stored(a, ld));
          const Array<T> b_there(stored(b, ld));
          const Dense<T> op_a = with_op(a, trans);
          const Dense<T> op_b = with_op(b, trans);
          const Dense<T> before = kept(c, uplo);
          const T old_factor = hermitian ? T(real_beta) : beta;
          const auto gives = [&](const Dense<T>& expected, auto multiply) {
            const Array<T> c_there(stored(before, ld));
            CHECK(multiply(cu(c_there)) == success);
            CHECK(c_there.numbers() == stored(mixed(expected, before, uplo), ld));
          };
          gives(
              sum_of(hermitian ? T(real_alpha) : alpha, op_a, with_op(op_a, other), old_factor, c),
              [&](Cuda<T>* result) {
                return hermitian ? pick<T>(cublasCherk, cublasZherk)(handle, uplo, trans, n, k,
                                                                     &real_alpha, cu(a_there), ld,
                                                                     &real_beta, result, ld)
                                 : pick<T>(cublasCsyrk, cublasZsyrk)(handle, uplo, trans, n, k,
                                                                     cu(&alpha), cu(a_there), ld,
                                                                     cu(&beta), result, ld);
              });
          gives(sum_of(hermitian ? std::conj(alpha) : alpha, op_b, with_op(op_a, other), T(1),
                       sum_of(alpha, op_a, with_op(op_b, other), old_factor, c)),
                [&](Cuda<T>* result) {
                  return hermitian ? pick<T>(cublasCher2k, cublasZher2k)(
                                         handle, uplo, trans, n, k, cu(&alpha), cu(a_there), ld,
                                         cu(b_there), ld, &real_beta, result, ld)
                                   : pick<T>(cublasCsyr2k, cublasZsyr2k)(
                                         handle, uplo, trans, n, k, cu(&alpha), cu(a_there), ld,
                                         cu(b_there), ld, cu(&beta), result, ld);
                });
          // The same matrix twice, so that the product is one that the function is for.
          gives(
              sum_of(hermitian ? T(real_alpha) : alpha, op_a, with_op(op_a, other), old_factor, c),
              [&](Cuda<T>* result) {
                const T factor = hermitian ? T(real_alpha) : alpha;
                return hermitian ? pick<T>(cublasCherkx, cublasZherkx)(
                                       handle, uplo, trans, n, k, cu(&factor), cu(a_there), ld,
                                       cu(a_there), ld, &real_beta, result, ld)
                                 : pick<T>(cublasCsyrkx, cublasZsyrkx)(
                                       handle, uplo, trans, n, k, cu(&factor), cu(a_there), ld,
                                       cu(a_there), ld, cu(&beta), result, ld);
              });
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("cublas: complex trmm and trsm", T, Single, Double) {
  const Handle handle;
  const T alpha = {2, 0};
  const T one_half = {0.5, 0};
  constexpr int m = 4;
  constexpr int n = 3;
  const Dense<T> b = some<T>(m, n, 2);
  for (const auto side : {left, right}) {
    for (const auto uplo : {lower, upper}) {
      for (const auto diag : {unit, non_unit}) {
        for (const auto trans : operations) {
          CAPTURE(side);
          CAPTURE(uplo);
          CAPTURE(diag);
          CAPTURE(trans);
          const int order = side == left ? m : n;
          const Dense<T> a = triangle<T>(order, order, uplo, diag);
          const Dense<T> op_a = with_op(a, trans);
          const Array<T> a_there(stored(kept(a, uplo), 6));
          const Array<T> b_there(stored(b, 5));
          const Array<T> c_there(std::vector<T>(7 * n));
          CHECK(pick<T>(cublasCtrmm, cublasZtrmm)(handle, side, uplo, trans, diag, m, n, cu(&alpha),
                                                  cu(a_there), 6, cu(b_there), 5, cu(c_there),
                                                  7) == success);
          const Dense<T> none(m, n);
          const Dense<T> expected = side == left ? sum_of(alpha, op_a, b, T(0), none)
                                                 : sum_of(alpha, b, op_a, T(0), none);
          CHECK(c_there.numbers() == stored(expected, 7));
          CHECK(pick<T>(cublasCtrsm, cublasZtrsm)(handle, side, uplo, trans, diag, m, n,
                                                  cu(&one_half), cu(a_there), 6, cu(c_there),
                                                  7) == success);
          CHECK(distance(c_there.numbers(), stored(b, 7)) < 1e-4);
        }
      }
    }
  }
}

TEST_CASE_TEMPLATE("cublas: complex geam and dgmm", T, Single, Double) {
  const Handle handle;
  const T alpha = {2, 1};
  const T beta = {0, 1};
  constexpr int m = 4;
  constexpr int n = 3;
  for (const auto op_a : operations) {
    for (const auto op_b : operations) {
      CAPTURE(op_a);
      CAPTURE(op_b);
      const Dense<T> a = op_a == op_n ? some<T>(m, n, 1) : some<T>(n, m, 1);
      const Dense<T> b = op_b == op_n ? some<T>(m, n, 2) : some<T>(n, m, 2);
      const Dense<T> in_a = with_op(a, op_a);
      const Dense<T> in_b = with_op(b, op_b);
      const Array<T> a_there(stored(a, 5));
      const Array<T> b_there(stored(b, 6));
      const Array<T> c_there(std::vector<T>(7 * n));
      CHECK(pick<T>(cublasCgeam, cublasZgeam)(handle, op_a, op_b, m, n, cu(&alpha), cu(a_there), 5,
                                              cu(&beta), cu(b_there), 6, cu(c_there),
                                              7) == success);
      const auto expected =
          filled<T>(m, n, [&](int i, int j) { return alpha * in_a(i, j) + beta * in_b(i, j); });
      CHECK(c_there.numbers() == stored(expected, 7));
    }
  }
  const Dense<T> a = some<T>(m, n, 1);
  const Dense<T> x = some<T>(m, 1, 4);
  const Array<T> a_there(a.values);
  const Array<T> x_there(x.values);
  const Array<T> c_there(std::vector<T>(m * n));
  CHECK(pick<T>(cublasCdgmm, cublasZdgmm)(handle, left, m, n, cu(a_there), m, cu(x_there), 1,
                                          cu(c_there), m) == success);
  CHECK(c_there.numbers() == filled<T>(m, n, [&](int i, int j) { return x(i) * a(i, j); }).values);
}

TEST_CASE("cublas: complex batches of solutions") {
  const Handle handle;
  const Single alpha = {0, 1};
  const Array<Single> a(std::vector<Single>{{0, 2}, {4, 0}});
  const Array<Single> b(std::vector<Single>{{2, 0}, {0, 8}});
  const Array<const cuComplex*> matrices(std::vector<const cuComplex*>{cu(a), cu(a) + 1});
  const Array<cuComplex*> results(std::vector<cuComplex*>{cu(b), cu(b) + 1});
  CHECK(cublasCtrsmBatched(handle, left, upper, op_c, non_unit, 1, 1, cu(&alpha), matrices.get(), 1,
                           results.get(), 1, 2) == success);
  // -2i x = 2i and 4 x = -8
  CHECK(b.numbers() == std::vector<Single>{{-1, 0}, {-2, 0}});
}

TEST_CASE_TEMPLATE("cublas: complex equations and inverses", T, Single, Double) {
  const Handle handle;
  const Array<T> a(std::vector<T>{{0, 0}, {0, 2}, {1, 1}, {4, 0}});  // (0 1+i; 2i 4)
  const Array<Cuda<T>*> array(std::vector<Cuda<T>*>{cu(a)});
  const Array<const Cuda<T>*> const_array(std::vector<const Cuda<T>*>{cu(a)});
  const Array<int> pivots(std::vector<int>(2));
  const Array<int> info(std::vector<int>(1, 7));
  CHECK(pick<T>(cublasCgetrfBatched, cublasZgetrfBatched)(handle, 2, array.get(), 2, pivots.get(),
                                                          info.get(), 1) == success);
  CHECK(info.numbers()[0] == 0);
  // The conjugate transposed times (1, i): (2, 1 + 3i).
  const Array<T> b(std::vector<T>{{2, 0}, {1, 3}});
  const Array<Cuda<T>*> right_side(std::vector<Cuda<T>*>{cu(b)});
  int wrong = 7;
  CHECK(pick<T>(cublasCgetrsBatched, cublasZgetrsBatched)(handle, op_c, 2, 1, const_array.get(), 2,
                                                          pivots.get(), right_side.get(), 2, &wrong,
                                                          1) == success);
  CHECK(distance(b.numbers(), {{1, 0}, {0, 1}}) < 1e-5);
}
