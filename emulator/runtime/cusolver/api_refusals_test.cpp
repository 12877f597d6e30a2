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
  CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, -4, 2, a.get(), a.ld, pivots, b.get(), b.ld, info) ==
        invalid);
  CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, 4, 2, a.get(), 3, pivots, b.get(), b.ld, info) ==
        invalid);
  CHECK(cusolverDnDgetrs(handle, CUBLAS_OP_N, 4, 2, a.get(), a.ld, pivots, b.get(), 3, info) ==
        invalid);
}

// Only the calls themselves look at these.
TEST_CASE("cuSOLVER: sizes that are not looked at when a call tells how much work it needs") {
  const Handle handle;
  const OnDevice<double> a(positive<double>(4, 2));
  int size = 0;
  SUCCEEDS(cusolverDnDgetrf_bufferSize(handle, -4, 4, a.get(), a.ld, &size));
  SUCCEEDS(cusolverDnDgetrf_bufferSize(handle, 4, -4, a.get(), a.ld, &size));
  SUCCEEDS(cusolverDnDgetrf_bufferSize(handle, 4, 4, a.get(), 3, &size));
  SUCCEEDS(cusolverDnDgeqrf_bufferSize(handle, 4, -1, a.get(), a.ld, &size));
  SUCCEEDS(cusolverDnDgeqrf_bufferSize(handle, 4, 4, a.get(), 3, &size));
  SUCCEEDS(cusolverDnDorgqr_bufferSize(handle, 4, 5, 2, a.get(), a.ld, a.get(), &size));
  SUCCEEDS(cusolverDnDorgqr_bufferSize(handle, 4, 3, 4, a.get(), a.ld, a.get(), &size));
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
  SUCCEEDS(cusolverDnDsyevd_bufferSize(handle, vectors, lower, 4, a.get(), 3, w.get(), &size));
  SUCCEEDS(cusolverDnDsyevdx_bufferSize(handle, vectors, CUSOLVER_EIG_RANGE_I, lower, 4, a.get(),
                                        a.ld, 0, 0, 3, 2, &found, w.get(), &size));
  SUCCEEDS(cusolverDnDsyevdx_bufferSize(handle, vectors, CUSOLVER_EIG_RANGE_V, lower, 4, a.get(),
                                        a.ld, 1, 0, 1, 2, &found, w.get(), &size));
  SUCCEEDS(cusolverDnDgesvd_bufferSize(handle, -3, 4, &size));
  gesvdjInfo_t params = nullptr;
  SUCCEEDS(cusolverDnCreateGesvdjInfo(&params));
  SUCCEEDS(cusolverDnDgesvdjBatched_bufferSize(handle, vectors, 33, 4, a.get(), 33, w.get(),
                                               a.get(), 33, a.get(), 4, &size, params, 1));
  SUCCEEDS(cusolverDnDestroyGesvdjInfo(params));
}
