// What cuSOLVER's calls refuse, and what they return then.

#include "cusolver/api_test.hpp"

using namespace solver;

namespace {

constexpr auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
constexpr auto lower = CUBLAS_FILL_MODE_LOWER;

}  // namespace

TEST_CASE("cuSOLVER: versions, streams and handles") {
  int version = 0;
  SUCCEEDS(cusolverGetVersion(&version));
  int part = -1;
  SUCCEEDS(cusolverGetProperty(MAJOR_VERSION, &part));
  CHECK(version / 1000 == part);
  CHECK(cusolverDnCreate(nullptr) != CUSOLVER_STATUS_SUCCESS);
  CHECK(cusolverDnDestroy(nullptr) == CUSOLVER_STATUS_NOT_INITIALIZED);
  const Handle handle;
  cudaStream_t stream = nullptr;
  cudaStream_t got = nullptr;
  REQUIRE(cudaStreamCreate(&stream) == cudaSuccess);
  SUCCEEDS(cusolverDnSetStream(handle, stream));
  SUCCEEDS(cusolverDnGetStream(handle, &got));
  CHECK(got == stream);
  SUCCEEDS(cusolverDnSetStream(handle, nullptr));
  cudaStreamDestroy(stream);
}

TEST_CASE("cuSOLVER: without a handle nothing is done") {
  const OnDevice<float> a(positive<float>(3, 1));
  const Info info;
  int size = 0;
  CHECK(cusolverDnSpotrf_bufferSize(nullptr, lower, 3, a.get(), a.ld, &size) ==
        CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(cusolverDnSpotrf(nullptr, lower, 3, a.get(), a.ld, a.get(), 9, info) ==
        CUSOLVER_STATUS_NOT_INITIALIZED);
}

TEST_CASE("cuSOLVER: sizes and leading dimensions of factors that are refused") {
  const Handle handle;
  const OnDevice<double> a(positive<double>(4, 2));
  const OnDevice<double> b(random_whole<double>(4, 2, 3));
  const Info info;
  const Info pivots(4);
  int size = 0;
  SUCCEEDS(cusolverDnDpotrf_bufferSize(handle, lower, 4, a.get(), a.ld, &size));
  const Space<double> space(size);
  CHECK(cusolverDnDpotrf(handle, lower, -1, a.get(), a.ld, space, size, info) == invalid);
  CHECK(cusolverDnDpotrf(handle, lower, 4, a.get(), 3, space, size, info) == invalid);
  CHECK(cusolverDnDpotrs(handle, lower, -4, 2, a.get(), a.ld, b.get(), b.ld, info) == invalid);
  CHECK(cusolverDnDpotrs(handle, lower, 4, -2, a.get(), a.ld, b.get(), b.ld, info) == invalid);
  CHECK(cusolverDnDpotrs(handle, lower, 4, 2, a.get(), 3, b.get(), b.ld, info) == invalid);
  CHECK(cusolverDnDpotrs(handle, lower, 4, 2, a.get(), a.ld, b.get(), 3, info) == invalid);
  CHECK(cusolverDnDgetrf_bufferSize(handle, -4, 4, a.get(), a.ld, &size) == invalid);
  CHECK(cusolverDnDgetrf_bufferSize(handle, 4, -4, a.get(), a.ld, &size) == invalid);
  CHECK(cusolverDnDgetrf_bufferSize(handle, 4, 4, a.get(), 3, &size) == invalid);
  CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, -4, 2, a.get(), a.ld, pivots, b.get(), b.ld, info) ==
        invalid);
  CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, 4, 2, a.get(), 3, pivots, b.get(), b.ld, info) ==
        invalid);
  CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, 4, 2, a.get(), a.ld, pivots, b.get(), 3, info) ==
        invalid);
  CHECK(cusolverDnDgeqrf_bufferSize(handle, 4, -1, a.get(), a.ld, &size) == invalid);
  CHECK(cusolverDnDgeqrf_bufferSize(handle, 4, 4, a.get(), 3, &size) == invalid);
  CHECK(cusolverDnDorgqr_bufferSize(handle, 4, 5, 2, a.get(), a.ld, a.get(), &size) == invalid);
  CHECK(cusolverDnDorgqr_bufferSize(handle, 4, 3, 4, a.get(), a.ld, a.get(), &size) == invalid);
}

TEST_CASE("cuSOLVER: eigenvalues and singular values that are refused") {
  const Handle handle;
  const OnDevice<double> a(hermitian<double>(4, 4));
  const Vector<double> w(4);
  int size = 0;
  int found = 0;
  const auto vectors = CUSOLVER_EIG_MODE_VECTOR;
  CHECK(cusolverDnDsyevd_bufferSize(handle, vectors, lower, -1, a.get(), a.ld, w.get(), &size) ==
        invalid);
  CHECK(cusolverDnDsyevd_bufferSize(handle, vectors, lower, 4, a.get(), 3, w.get(), &size) ==
        invalid);
  CHECK(cusolverDnDsyevdx_bufferSize(handle, vectors, CUSOLVER_EIG_RANGE_I, lower, 4, a.get(), a.ld,
                                     0, 0, 3, 2, &found, w.get(), &size) == invalid);
  CHECK(cusolverDnDsyevdx_bufferSize(handle, vectors, CUSOLVER_EIG_RANGE_V, lower, 4, a.get(), a.ld,
                                     1, 0, 1, 2, &found, w.get(), &size) == invalid);
  CHECK(cusolverDnDgesvd_bufferSize(handle, -3, 4, &size) == invalid);
  gesvdjInfo_t params = nullptr;
  SUCCEEDS(cusolverDnCreateGesvdjInfo(&params));
  CHECK(cusolverDnDgesvdjBatched_bufferSize(handle, vectors, 33, 4, a.get(), 33, w.get(), a.get(),
                                            33, a.get(), 4, &size, params, 1) == invalid);
  SUCCEEDS(cusolverDnDestroyGesvdjInfo(params));
}
