/// \file
/// What programs may expect of cuBLAS's functions for complex matrices, the emulator's or NVIDIA's:
/// this file compiles against both.

#include "libraries/cublas/complex_test.hpp"

using namespace cublas_test;

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
