// Factors of sparse matrices in steps, and new factors of the same pattern.

#include <cusolverRf.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include "libraries/cusolver/sparse/api_sparse_test.hpp"

namespace solver {
SPARSE_OF_ALL(csrqrBufferInfo)
SPARSE_OF_ALL(csrqrSetup)
SPARSE_OF_ALL(csrqrFactor)
SPARSE_OF_ALL(csrqrZeroPivot)
SPARSE_OF_ALL(csrqrSolve)
SPARSE_OF_ALL(csrcholBufferInfo)
SPARSE_OF_ALL(csrcholFactor)
SPARSE_OF_ALL(csrcholZeroPivot)
SPARSE_OF_ALL(csrcholSolve)
}  // namespace solver
using namespace solver;

namespace {

template <class T>
struct Arrays {
  Compressed<T> host;
  Array<T> values;
  Array<int> offsets;
  Array<int> indices;
  explicit Arrays(const Whole<T>& whole)
      : host(whole), values(host.values), offsets(host.offsets), indices(host.indices) {}
};
template <class T>
Named<T> number(T value) {
  return *named(&value);
}

}  // namespace

TEST_CASE("cuSOLVER: Q R of a sparse matrix in steps") {
  const SparseHandle handle;
  const Descriptor descriptor;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr int n = 23;
    Whole<T> whole = sparse_whole<T>(n, 500, false);
    const Arrays<T> a(whole);
    for (int i = 0; i < n; ++i) whole(i, i) -= T(1);
    const Whole<T> x = random_whole<T>(n, 1, 501);
    const Array<T> b((whole * x).elements);
    const Array<T> result(std::vector<T>(std::size_t{n}));
    csrqrInfo_t info = nullptr;
    SUCCEEDS(cusolverSpCreateCsrqrInfo(&info));
    SUCCEEDS(cusolverSpXcsrqrAnalysis(handle, n, n, a.host.nnz(), descriptor, a.offsets.get(),
                                      a.indices.get(), info));
    std::size_t internal = 0;
    std::size_t bytes = 0;
    SUCCEEDS(csrqrBufferInfo<T>(handle, n, n, a.host.nnz(), descriptor, named(a.values.get()),
                                a.offsets.get(), a.indices.get(), info, &internal, &bytes));
    const Array<char> buffer(std::vector<char>(bytes + 1));
    SUCCEEDS(csrqrSetup<T>(handle, n, n, a.host.nnz(), descriptor, named(a.values.get()),
                           a.offsets.get(), a.indices.get(), number(T(1)), info));
    SUCCEEDS(csrqrFactor<T>(handle, n, n, a.host.nnz(), nullptr, nullptr, info, buffer.get()));
    int position = -99;
    SUCCEEDS(csrqrZeroPivot<T>(handle, info, static_cast<Real<T>>(1e-6), &position));
    CHECK(position == -1);
    SUCCEEDS(csrqrSolve<T>(handle, n, n, named(b.get()), named(result.get()), info, buffer.get()));
    Whole<T> found(n, 1);
    found.elements = result.numbers();
    CHECK(are_near(whole * found, whole * x));
    SUCCEEDS(cusolverSpDestroyCsrqrInfo(info));
  });
}

TEST_CASE("cuSOLVER: Cholesky's factor of a sparse matrix in steps") {
  const SparseHandle handle;
  const Descriptor descriptor;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr int n = 31;
    const Whole<T> whole = sparse_whole<T>(n, 510, true);
    const Arrays<T> a(whole);
    const Whole<T> x = random_whole<T>(n, 1, 511);
    const Array<T> b((whole * x).elements);
    const Array<T> result(std::vector<T>(std::size_t{n}));
    csrcholInfo_t info = nullptr;
    SUCCEEDS(cusolverSpCreateCsrcholInfo(&info));
    SUCCEEDS(cusolverSpXcsrcholAnalysis(handle, n, a.host.nnz(), descriptor, a.offsets.get(),
                                        a.indices.get(), info));
    std::size_t internal = 0;
    std::size_t bytes = 0;
    SUCCEEDS(csrcholBufferInfo<T>(handle, n, a.host.nnz(), descriptor, named(a.values.get()),
                                  a.offsets.get(), a.indices.get(), info, &internal, &bytes));
    const Array<char> buffer(std::vector<char>(bytes + 1));
    SUCCEEDS(csrcholFactor<T>(handle, n, a.host.nnz(), descriptor, named(a.values.get()),
                              a.offsets.get(), a.indices.get(), info, buffer.get()));
    int position = -99;
    SUCCEEDS(csrcholZeroPivot<T>(handle, info, static_cast<Real<T>>(1e-6), &position));
    CHECK(position == -1);
    SUCCEEDS(csrcholSolve<T>(handle, n, named(b.get()), named(result.get()), info, buffer.get()));
    Whole<T> found(n, 1);
    found.elements = result.numbers();
    CHECK(are_near(found, x));
    SUCCEEDS(cusolverSpDestroyCsrcholInfo(info));
  });
}

// L and U of a first matrix, and then those of a second one of its pattern.
TEST_CASE("cuSOLVER: L and U on the host, and new ones of the same pattern") {
  const SparseHandle handle;
  const Descriptor descriptor;
  constexpr int n = 27;
  // The large elements, which become pivots, are not on the diagonal.
  const Whole<double> unshifted = sparse_whole<double>(n, 520, false);
  Whole<double> whole(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) whole(i, j) = unshifted((i + 5) % n, j);
  }
  const Compressed<double> a(whole);
  csrluInfoHost_t info = nullptr;
  SUCCEEDS(cusolverSpCreateCsrluInfoHost(&info));
  SUCCEEDS(cusolverSpXcsrluAnalysisHost(handle, n, a.nnz(), descriptor, a.offsets.data(),
                                        a.indices.data(), info));
  std::size_t internal = 0;
  std::size_t bytes = 0;
  SUCCEEDS(cusolverSpDcsrluBufferInfoHost(handle, n, a.nnz(), descriptor, a.values.data(),
                                          a.offsets.data(), a.indices.data(), info, &internal,
                                          &bytes));
  std::vector<char> buffer(bytes + 1);
  SUCCEEDS(cusolverSpDcsrluFactorHost(handle, n, a.nnz(), descriptor, a.values.data(),
                                      a.offsets.data(), a.indices.data(), info, 1.0,
                                      buffer.data()));
  int position = -99;
  SUCCEEDS(cusolverSpDcsrluZeroPivotHost(handle, info, 1e-10, &position));
  CHECK(position == -1);
  const Whole<double> x = random_whole<double>(n, 1, 521);
  const Whole<double> b = whole * x;
  Whole<double> found(n, 1);
  SUCCEEDS(cusolverSpDcsrluSolveHost(handle, n, b.elements.data(), found.elements.data(), info,
                                     buffer.data()));
  CHECK(are_near(found, x, 10000));
  int nnz_l = 0;
  int nnz_u = 0;
  SUCCEEDS(cusolverSpXcsrluNnzHost(handle, &nnz_l, &nnz_u, info));
  const auto length = [](int count) { return static_cast<std::size_t>(count); };
  std::vector<int> p(n);
  std::vector<int> q(n);
  std::vector<int> l_offsets(n + 1);
  std::vector<int> l_indices(length(nnz_l));
  std::vector<double> l_values(length(nnz_l));
  std::vector<int> u_offsets(n + 1);
  std::vector<int> u_indices(length(nnz_u));
  std::vector<double> u_values(length(nnz_u));
  SUCCEEDS(cusolverSpDcsrluExtractHost(
      handle, p.data(), q.data(), descriptor, l_values.data(), l_offsets.data(), l_indices.data(),
      descriptor, u_values.data(), u_offsets.data(), u_indices.data(), info, buffer.data()));
  const auto dense = [&](const std::vector<int>& offsets, const std::vector<int>& indices,
                         const std::vector<double>& values) {
    Whole<double> result(n, n);
    for (int i = 0; i < n; ++i) {
      for (int k = offsets[length(i)]; k < offsets[length(i + 1)]; ++k) {
        result(i, indices[length(k)]) = values[length(k)];
      }
    }
    return result;
  };
  Whole<double> permuted(n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) permuted(i, j) = whole(p[length(i)], q[length(j)]);
  }
  // The diagonal of L is of ones, which are not stored.
  Whole<double> l = dense(l_offsets, l_indices, l_values);
  for (int i = 0; i < n; ++i) {
    CHECK(l(i, i) == 0);
    l(i, i) = 1;
  }
  CHECK(are_near(l * dense(u_offsets, u_indices, u_values), permuted));
  SUCCEEDS(cusolverSpDestroyCsrluInfoHost(info));

  cusolverRfHandle_t refactor = nullptr;
  SUCCEEDS(cusolverRfCreate(&refactor));
  SUCCEEDS(cusolverRfSetNumericProperties(refactor, 0, 0));
  SUCCEEDS(
      cusolverRfSetAlgs(refactor, CUSOLVERRF_FACTORIZATION_ALG0, CUSOLVERRF_TRIANGULAR_SOLVE_ALG1));
  SUCCEEDS(cusolverRfSetMatrixFormat(refactor, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                     CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  SUCCEEDS(cusolverRfSetResetValuesFastMode(refactor, CUSOLVERRF_RESET_VALUES_FAST_MODE_ON));
  Compressed<double> first(whole);
  SUCCEEDS(cusolverRfSetupHost(n, first.nnz(), first.offsets.data(), first.indices.data(),
                               first.values.data(), nnz_l, l_offsets.data(), l_indices.data(),
                               l_values.data(), nnz_u, u_offsets.data(), u_indices.data(),
                               u_values.data(), p.data(), q.data(), refactor));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  SUCCEEDS(cusolverRfAnalyze(refactor));
  Whole<double> other = whole;
  for (int i = 0; i < n; ++i) other(i, (i + 5) % n) += 1;
  const Arrays<double> next(other);
  const Array<int> device_p(p);
  const Array<int> device_q(q);
  SUCCEEDS(cusolverRfResetValues(n, next.host.nnz(), next.offsets.get(), next.indices.get(),
                                 next.values.get(), device_p.get(), device_q.get(), refactor));
  SUCCEEDS(cusolverRfRefactor(refactor));
  const Array<double> sides((other * x).elements);
  const Array<double> space(std::vector<double>(std::size_t{n}));
  SUCCEEDS(
      cusolverRfSolve(refactor, device_p.get(), device_q.get(), 1, space.get(), n, sides.get(), n));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  found.elements = sides.numbers();
  CHECK(are_near(found, x, 100000));
  SUCCEEDS(cusolverRfDestroy(refactor));
}

TEST_CASE("cuSOLVER: without a matrix there are no new factors, which is no error") {
  cusolverRfHandle_t handle = nullptr;
  SUCCEEDS(cusolverRfCreate(&handle));
  SUCCEEDS(cusolverRfAnalyze(handle));
  SUCCEEDS(cusolverRfRefactor(handle));
  const Array<int> p(std::vector<int>{0});
  const Vector<double> space(1);
  const Vector<double> x(1);
  SUCCEEDS(cusolverRfSolve(handle, p.get(), p.get(), 1, space.get(), 1, x.get(), 1));
  SUCCEEDS(cusolverRfDestroy(handle));
}
