// What the emulator says of cuSOLVER's calls, which a GPU does not.

#include <cusolverRf.h>

#include <string>

#include "emulator/findings.h"
#include "libraries/cusolver/sparse/api_sparse_test.hpp"

using namespace solver;

namespace {

struct Outcome {
  cusolverStatus_t status;
  std::string findings;
};
// Cholesky's factor of a 4 x 4 matrix of which that many columns are written.
Outcome factorise(int written, bool on_host = false, int missing_work = 0) {
  emulator::clear_findings();
  emulator::set_checking(true);
  const Handle handle;
  double* a = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&a), 16 * sizeof(double)) == cudaSuccess);
  const Whole<double> whole = positive<double>(4, 1);
  cudaMemcpy(a, whole.elements.data(), sizeof(double) * 4 * static_cast<std::size_t>(written),
             cudaMemcpyHostToDevice);
  int size = 0;
  SUCCEEDS(cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 4, a, 4, &size));
  const Space<double> space(size);
  const Info info;
  std::vector<double> host = whole.elements;
  Outcome outcome;
  outcome.status = cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 4, on_host ? host.data() : a, 4,
                                    space, size - missing_work, info);
  emulator::set_checking(false);
  for (const emulator::Finding& finding : emulator::findings()) {
    outcome.findings += finding.what + "\n";
  }
  emulator::clear_findings();
  cudaFree(a);
  return outcome;
}

}  // namespace

TEST_CASE("cuSOLVER: reading what nobody has written is a finding") {
  CHECK(factorise(4).findings.empty());
  const std::string text = factorise(3).findings;
  CHECK(text.find("cusolverDnDpotrf reads as A 8 bytes that nothing has written") !=
        std::string::npos);
}

TEST_CASE("cuSOLVER: a finding names the function, of those with types as arguments, too") {
  emulator::clear_findings();
  emulator::set_checking(true);
  const Handle handle;
  cusolverDnParams_t params = nullptr;
  SUCCEEDS(cusolverDnCreateParams(&params));
  double* a = nullptr;
  REQUIRE(cudaMalloc(reinterpret_cast<void**>(&a), sizeof(double)) == cudaSuccess);
  std::size_t on_device = 0;
  std::size_t on_host = 0;
  SUCCEEDS(cusolverDnXpotrf_bufferSize(handle, params, CUBLAS_FILL_MODE_LOWER, 1, CUDA_R_64F, a, 1,
                                       CUDA_R_64F, &on_device, &on_host));
  const Array<char> space(std::vector<char>(on_device, 0));
  const Info info;
  cusolverDnXpotrf(handle, params, CUBLAS_FILL_MODE_LOWER, 1, CUDA_R_64F, a, 1, CUDA_R_64F,
                   space.get(), on_device, nullptr, 0, info);
  emulator::set_checking(false);
  const auto findings = emulator::findings();
  REQUIRE(findings.size() == 1);
  CHECK(findings[0].what.find("cusolverDnXpotrf reads as A") != std::string::npos);
  emulator::clear_findings();
  SUCCEEDS(cusolverDnDestroyParams(params));
  cudaFree(a);
}

TEST_CASE("cuSOLVER: a work that is too small is refused, unless the library does not look at it") {
  CHECK(factorise(4, false, 1).status == CUSOLVER_STATUS_SUCCESS);
  const Handle handle;
  const OnDevice<double> a(positive<double>(4, 1));
  const Vector<double> tau(4);
  const Info info;
  int size = 0;
  SUCCEEDS(cusolverDnDgeqrf_bufferSize(handle, 4, 4, a.get(), a.ld, &size));
  const Space<double> space(size);
  CHECK(cusolverDnDgeqrf(handle, 4, 4, a.get(), a.ld, tau.get(), space, size - 1, info) ==
        CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 4, a.get(), a.ld, nullptr, 0, info) ==
        CUSOLVER_STATUS_INVALID_VALUE);
}

// On a GPU X is of what are not numbers.
TEST_CASE("cuSOLVER: a singular system is told, and not solved") {
  const Handle handle;
  const OnDevice<double> a(Whole<double>(2, 2));
  const OnDevice<double> b(identity<double>(2));
  const OnDevice<double> x(identity<double>(2));
  const Info info;
  const Info pivots(2);
  std::size_t bytes = 0;
  SUCCEEDS(cusolverDnDSgesv_bufferSize(handle, 2, 2, a.get(), a.ld, pivots, b.get(), b.ld, x.get(),
                                       x.ld, nullptr, &bytes));
  const Space<double> space(static_cast<int>(bytes / sizeof(double)));
  int steps = -99;
  SUCCEEDS(cusolverDnDSgesv(handle, 2, 2, a.get(), a.ld, pivots, b.get(), b.ld, x.get(), x.ld,
                            space, bytes, &steps, info));
  CHECK(steps == 0);
  CHECK(info.value() == 1);
  CHECK(are_near(x.whole(), identity<double>(2)));
}

TEST_CASE("cuSOLVER: pivots that are no rows, and indices that make no sense, fail the call") {
  const Handle handle;
  const OnDevice<float> a(positive<float>(3, 2));
  const OnDevice<float> b(random_whole<float>(3, 1, 3));
  const Info info;
  const Array<int> pivots({1, 4, 3});
  CHECK(cusolverDnSgetrs(handle, CUBLAS_OP_N, 3, 1, a.get(), a.ld, pivots.get(), b.get(), b.ld,
                         info) == CUSOLVER_STATUS_EXECUTION_FAILED);
  for (const std::int64_t pivot : {0, 4, -4, -3}) {  // a block of two has its number twice
    const Array<std::int64_t> of_blocks({1, 2, pivot});
    CHECK(cusolverDnXsytrs(handle, CUBLAS_FILL_MODE_LOWER, 3, 1, CUDA_R_32F, a.get(), a.ld,
                           of_blocks.get(), CUDA_R_32F, b.get(), b.ld, nullptr, 0, nullptr, 0,
                           info) == CUSOLVER_STATUS_EXECUTION_FAILED);
  }
  const SparseHandle sparse;
  const Descriptor descriptor;
  const Compressed<double> matrix(identity<double>(3));
  const Array<double> values(matrix.values);
  const Array<int> offsets({0, 1, 2, 3});
  const Array<int> indices({0, 3, 2});
  const Array<double> sides(std::vector<double>(3));
  int singularity = -99;
  CHECK(cusolverSpDcsrlsvqr(sparse, 3, 3, descriptor, values.get(), offsets.get(), indices.get(),
                            sides.get(), 0, 0, sides.get(),
                            &singularity) == CUSOLVER_STATUS_EXECUTION_FAILED);
  CHECK(cusolverSpDcsrlsvqr(sparse, 3, 3, descriptor, values.get(), offsets.get(), indices.get(),
                            sides.get(), 0, 0, sides.get(),
                            indices.get()) == CUSOLVER_STATUS_INVALID_VALUE);
}

// Where the library crashes.
TEST_CASE("cuSOLVER: without a handle nothing is done") {
  CHECK(cusolverDnCreate(nullptr) == CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(cusolverDnDestroy(nullptr) == CUSOLVER_STATUS_NOT_INITIALIZED);
  const OnDevice<float> a(positive<float>(3, 1));
  const Info info;
  int size = 0;
  CHECK(cusolverDnSpotrf_bufferSize(nullptr, CUBLAS_FILL_MODE_LOWER, 3, a.get(), a.ld, &size) ==
        CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(cusolverDnSpotrf(nullptr, CUBLAS_FILL_MODE_LOWER, 3, a.get(), a.ld, a.get(), 9, info) ==
        CUSOLVER_STATUS_NOT_INITIALIZED);
}

// Two matrices of 2 x 2; L and U of the first one are given. The library's analysis crashes.
TEST_CASE("cuSOLVER: many new factors at once") {
  std::vector<int> offsets{0, 2, 4};
  std::vector<int> indices{0, 1, 0, 1};
  std::vector<double> first{4, 2, 2, 3};
  std::vector<double> second{1, 1, 2, 5};
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
  double* both[] = {first.data(), second.data()};
  SUCCEEDS(cusolverRfBatchSetupHost(2, 2, 4, offsets.data(), indices.data(), both, 1,
                                    l_offsets.data(), l_indices.data(), l_values.data(), 3,
                                    u_offsets.data(), u_indices.data(), u_values.data(), p.data(),
                                    p.data(), handle));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  SUCCEEDS(cusolverRfBatchAnalyze(handle));
  SUCCEEDS(cusolverRfBatchRefactor(handle));
  int positions[] = {-99, -99};
  SUCCEEDS(cusolverRfBatchZeroPivot(handle, positions));
  CHECK(positions[0] == -1);
  CHECK(positions[1] == -1);
  SUCCEEDS(cusolverRfDestroy(handle));
}

// The library writes past the columns of some of these.
TEST_CASE("cuSOLVER: what stands behind the columns of a matrix is left") {
  const Handle handle;
  const Info info;
  const OnDevice<double> a(hermitian<double>(4, 100));
  const Vector<double> d(4);
  const Vector<double> e(3);
  const Vector<double> tau(4);
  const Space<double> space(1000);
  const auto lower = CUBLAS_FILL_MODE_LOWER;
  SUCCEEDS(cusolverDnDsytrd(handle, lower, 4, a.get(), a.ld, d.get(), e.get(), tau.get(), space,
                            1000, info));
  const OnDevice<double> c(identity<double>(4));
  SUCCEEDS(cusolverDnDormtr(handle, CUBLAS_SIDE_LEFT, lower, CUBLAS_OP_N, 4, 4, a.get(), a.ld,
                            tau.get(), c.get(), c.ld, space, 1000, info));
  SUCCEEDS(cusolverDnDorgtr(handle, lower, 4, a.get(), a.ld, tau.get(), space, 1000, info));
  CHECK(are_near(a.whole(), c.whole()));
}

TEST_CASE("cuSOLVER: a handle that is not live is refused") {
  cusolverDnHandle_t handle = nullptr;
  SUCCEEDS(cusolverDnCreate(&handle));
  SUCCEEDS(cusolverDnDestroy(handle));
  CHECK(cusolverDnDestroy(handle) == CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(cusolverDnSetStream(handle, nullptr) == CUSOLVER_STATUS_NOT_INITIALIZED);
}

// The last one: the device fails.
TEST_CASE("cuSOLVER: a matrix on the host fails the device") {
  CHECK(factorise(4, true).status == CUSOLVER_STATUS_EXECUTION_FAILED);
  CHECK(cudaDeviceReset() == cudaSuccess);
}
