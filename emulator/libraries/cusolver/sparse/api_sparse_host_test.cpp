// Factors of sparse matrices in steps, with all arrays on the host.

#include <cusolverRf.h>
#include <cusolverSp_LOWLEVEL_PREVIEW.h>

#include <cstdlib>

#include "libraries/cusolver/sparse/api_sparse_test.hpp"

using namespace solver;

TEST_CASE("cuSOLVER: Q R of a sparse matrix in steps on the host") {
  const SparseHandle handle;
  const Descriptor descriptor(1);
  constexpr int n = 14;
  const Whole<double> whole = sparse_whole<double>(n, 700, false);
  const Compressed<double> a(whole, 1);
  const Whole<double> x = random_whole<double>(n, 1, 701);
  Whole<double> b = whole * x;
  csrqrInfoHost_t info = nullptr;
  SUCCEEDS(cusolverSpCreateCsrqrInfoHost(&info));
  SUCCEEDS(cusolverSpXcsrqrAnalysisHost(handle, n, n, a.nnz(), descriptor, a.offsets.data(),
                                        a.indices.data(), info));
  std::size_t internal = 0;
  std::size_t bytes = 0;
  SUCCEEDS(cusolverSpDcsrqrBufferInfoHost(handle, n, n, a.nnz(), descriptor, a.values.data(),
                                          a.offsets.data(), a.indices.data(), info, &internal,
                                          &bytes));
  std::vector<char> buffer(bytes + 1);
  SUCCEEDS(cusolverSpDcsrqrSetupHost(handle, n, n, a.nnz(), descriptor, a.values.data(),
                                     a.offsets.data(), a.indices.data(), 0, info));
  SUCCEEDS(
      cusolverSpDcsrqrFactorHost(handle, n, n, a.nnz(), nullptr, nullptr, info, buffer.data()));
  int position = -99;
  SUCCEEDS(cusolverSpDcsrqrZeroPivotHost(handle, info, 1e-10, &position));
  CHECK(position == -1);
  Whole<double> found(n, 1);
  SUCCEEDS(cusolverSpDcsrqrSolveHost(handle, n, n, b.elements.data(), found.elements.data(), info,
                                     buffer.data()));
  CHECK(are_near(whole * found, whole * x));
  SUCCEEDS(cusolverSpDestroyCsrqrInfoHost(info));
}

TEST_CASE("cuSOLVER: Cholesky's factor of a sparse matrix in steps on the host, and its diagonal") {
  const SparseHandle handle;
  const Descriptor descriptor;
  constexpr int n = 14;
  const Whole<double> whole = sparse_whole<double>(n, 710, true);
  const Compressed<double> a(whole);
  const Whole<double> x = random_whole<double>(n, 1, 711);
  const Whole<double> b = whole * x;
  csrcholInfoHost_t info = nullptr;
  SUCCEEDS(cusolverSpCreateCsrcholInfoHost(&info));
  SUCCEEDS(cusolverSpXcsrcholAnalysisHost(handle, n, a.nnz(), descriptor, a.offsets.data(),
                                          a.indices.data(), info));
  std::size_t internal = 0;
  std::size_t bytes = 0;
  SUCCEEDS(cusolverSpDcsrcholBufferInfoHost(handle, n, a.nnz(), descriptor, a.values.data(),
                                            a.offsets.data(), a.indices.data(), info, &internal,
                                            &bytes));
  std::vector<char> buffer(bytes + 1);
  SUCCEEDS(cusolverSpDcsrcholFactorHost(handle, n, a.nnz(), descriptor, a.values.data(),
                                        a.offsets.data(), a.indices.data(), info, buffer.data()));
  int position = -99;
  SUCCEEDS(cusolverSpDcsrcholZeroPivotHost(handle, info, 1e-10, &position));
  CHECK(position == -1);
  Whole<double> found(n, 1);
  SUCCEEDS(cusolverSpDcsrcholSolveHost(handle, n, b.elements.data(), found.elements.data(), info,
                                       buffer.data()));
  CHECK(are_near(found, x));
  SUCCEEDS(cusolverSpDestroyCsrcholInfoHost(info));
}

TEST_CASE("cuSOLVER: the eigenvalue next to a number, on the host") {
  const SparseHandle handle;
  const Descriptor descriptor;
  const Whole<double> whole = sparse_whole<double>(12, 720, true);
  const Compressed<double> a(whole);
  const std::vector<double> start(12, 1);
  Whole<double> x(12, 1);
  double mu = 0;
  SUCCEEDS(cusolverSpDcsreigvsiHost(handle, 12, a.nnz(), descriptor, a.values.data(),
                                    a.offsets.data(), a.indices.data(), 30, start.data(), 1000,
                                    1e-7, &mu, x.elements.data()));
  CHECK(are_near(whole * x, scaled(x, std::vector<double>{mu}), 1e8));
  CHECK(std::abs(size_of(x) - 1) < 1e-6);
}

// Of a matrix of 2 x 2, whose L and U are given.
TEST_CASE("cuSOLVER: new factors that are handed out") {
  std::vector<int> offsets{0, 2, 4};
  std::vector<int> indices{0, 1, 0, 1};
  std::vector<double> first{4, 2, 2, 3};
  std::vector<int> l_offsets{0, 0, 1};
  std::vector<int> l_indices{0};
  std::vector<double> l_values{0.5};
  std::vector<int> u_offsets{0, 2, 3};
  std::vector<int> u_indices{0, 1, 1};
  std::vector<double> u_values{4, 2, 2};
  std::vector<int> p{0, 1};
  cusolverRfHandle_t handle = nullptr;
  SUCCEEDS(cusolverRfCreate(&handle));
  SUCCEEDS(cusolverRfSetMatrixFormat(handle, CUSOLVERRF_MATRIX_FORMAT_CSR,
                                     CUSOLVERRF_UNIT_DIAGONAL_ASSUMED_L));
  SUCCEEDS(cusolverRfSetupHost(2, 4, offsets.data(), indices.data(), first.data(), 1,
                               l_offsets.data(), l_indices.data(), l_values.data(), 3,
                               u_offsets.data(), u_indices.data(), u_values.data(), p.data(),
                               p.data(), handle));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  SUCCEEDS(cusolverRfAnalyze(handle));
  SUCCEEDS(cusolverRfRefactor(handle));
  int nnz = 0;
  int* m_offsets = nullptr;
  int* m_indices = nullptr;
  double* m_values = nullptr;
  SUCCEEDS(cusolverRfExtractBundledFactorsHost(handle, &nnz, &m_offsets, &m_indices, &m_values));
  REQUIRE(nnz == 4);
  CHECK(std::vector<double>(m_values, m_values + 4) == std::vector<double>{4, 2, 0.5, 2});
  std::free(m_offsets);
  std::free(m_indices);
  std::free(m_values);
  SUCCEEDS(cusolverRfDestroy(handle));
}
