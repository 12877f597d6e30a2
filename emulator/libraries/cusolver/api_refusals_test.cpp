// What cuSOLVER's calls refuse, and what they return then; and what they take all the same.

#include "libraries/cusolver/api_test.hpp"

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

// Arguments are counted without the handle.
TEST_CASE("cuSOLVER: the argument that is refused is told on the device") {
  const Handle handle;
  const OnDevice<double> a(positive<double>(4, 2));
  const Vector<double> s(4);
  int size = 0;
  SUCCEEDS(cusolverDnDpotrf_bufferSize(handle, lower, 4, a.get(), a.ld, &size));
  const Space<double> space(std::max(size, 10000));
  const auto potrf = [&](cublasFillMode_t uplo, int n, int lda) {
    const Info info;
    CHECK(cusolverDnDpotrf(handle, uplo, n, a.get(), lda, space, size, info) == invalid);
    return info.value();
  };
  CHECK(potrf(CUBLAS_FILL_MODE_FULL, 4, a.ld) == -1);
  CHECK(potrf(lower, -1, a.ld) == -2);
  CHECK(potrf(lower, 4, 3) == -4);
  const auto gesvd = [&](signed char of_u, signed char of_v, int m, int n) {
    const Info info;
    SUCCEEDS(cusolverDnDgesvd_bufferSize(handle, m, n, &size));
    CHECK(cusolverDnDgesvd(handle, of_u, of_v, m, n, a.get(), m, s.get(), a.get(), 4, a.get(), 4,
                           space, 10000, nullptr, info) == invalid);
    return info.value();
  };
  CHECK(gesvd('X', 'A', 3, 2) == -1);
  CHECK(gesvd('O', 'O', 3, 2) == -2);
  CHECK(gesvd('N', 'N', 0, 0) == -6);
  CHECK(gesvd('A', 'A', 2, 3) == 0);
}

TEST_CASE("cuSOLVER: least squares with fewer rows than columns, and of a low rank") {
  const Handle handle;
  const OnDevice<double> a(random_whole<double>(2, 3, 5));
  const OnDevice<double> b(random_whole<double>(3, 1, 6));
  const OnDevice<double> x(random_whole<double>(3, 1, 7));
  const Info info;
  std::size_t bytes = 0;
  int steps = -99;
  CHECK(cusolverDnDDgels_bufferSize(handle, 2, 3, 1, a.get(), a.ld, b.get(), b.ld, x.get(), x.ld,
                                    nullptr, &bytes) == CUSOLVER_STATUS_IRS_PARAMS_INVALID);
  const Array<char> some(std::vector<char>(1));
  CHECK(cusolverDnDDgels(handle, 2, 3, 1, a.get(), a.ld, b.get(), b.ld, x.get(), x.ld, some.get(),
                         0, &steps, info) == CUSOLVER_STATUS_IRS_PARAMS_INVALID);
  CHECK(info.value() == -2);
  Whole<double> low(3, 2);
  Whole<double> ones(3, 1);
  for (int i = 0; i < 3; ++i) low(i, 0) = ones(i, 0) = 1;
  const auto solve = [&](const Whole<double>& whole) {
    const OnDevice<double> matrix(whole, 0);
    const OnDevice<double> sides(ones, 0);
    const OnDevice<double> result(random_whole<double>(2, 1, 8), 0);
    SUCCEEDS(cusolverDnDDgels_bufferSize(handle, 3, 2, 1, matrix.get(), 3, sides.get(), 3,
                                         result.get(), 2, nullptr, &bytes));
    const Array<char> space(std::vector<char>(bytes + 1));
    SUCCEEDS(cusolverDnDDgels(handle, 3, 2, 1, matrix.get(), 3, sides.get(), 3, result.get(), 2,
                              space.get(), bytes, &steps, info));
    return result.whole();
  };
  const Whole<double> found = solve(low);
  CHECK(size_of(found) == 0);
  CHECK(steps == -3);
  CHECK(info.value() == -30);
  Whole<double> other(3, 2);
  other.elements = {1, 2, 3, 4, 5, 7};
  solve(other);
  CHECK(steps == -50);
  CHECK(info.value() == 0);
}

TEST_CASE("cuSOLVER: factors of a lower type take a step") {
  const Handle handle;
  Whole<double> whole(2, 2);
  whole.elements = {4, 1, 2, 8};
  const OnDevice<double> a(whole, 0);
  const Array<double> b(std::vector<double>{1, 2});
  const Array<double> x(std::vector<double>{0, 0});
  const Info info;
  const Info pivots(2);
  const auto steps_of = [&](auto get_size, auto solve) {
    std::size_t bytes = 0;
    int steps = -99;
    SUCCEEDS(get_size(handle, 2, 1, a.get(), 2, pivots, b.get(), 2, x.get(), 2, nullptr, &bytes));
    const Array<char> space(std::vector<char>(bytes + 1));
    SUCCEEDS(solve(handle, 2, 1, a.get(), 2, pivots, b.get(), 2, x.get(), 2, space.get(), bytes,
                   &steps, info));
    return steps;
  };
  CHECK(steps_of(cusolverDnDDgesv_bufferSize, cusolverDnDDgesv) == 0);
  CHECK(steps_of(cusolverDnDSgesv_bufferSize, cusolverDnDSgesv) == 1);
  CHECK(steps_of(cusolverDnDHgesv_bufferSize, cusolverDnDHgesv) == 1);
  cusolverDnIRSParams_t params = nullptr;
  SUCCEEDS(cusolverDnIRSParamsCreate(&params));
  std::size_t bytes = 0;
  CHECK(cusolverDnIRSXgesv_bufferSize(handle, params, 3, 1, &bytes) ==
        CUSOLVER_STATUS_IRS_PARAMS_INVALID);
  SUCCEEDS(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_64F));
  SUCCEEDS(cusolverDnIRSXgesv_bufferSize(handle, params, 3, 1, &bytes));
  SUCCEEDS(cusolverDnIRSParamsDestroy(params));
}

TEST_CASE("cuSOLVER: what is taken although it makes no sense") {
  const Handle handle;
  const Whole<double> whole = positive<double>(3, 2);
  const OnDevice<double> a(whole);
  const Vector<double> w(3);
  const Info info;
  int size = 0;
  SUCCEEDS(cusolverDnDsyevj_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, lower, 3, a.get(), a.ld,
                                       w.get(), &size, nullptr));
  const OnDevice<std::complex<double>> c(identity<std::complex<double>>(2));
  const Vector<std::complex<double>> tau(2);
  SUCCEEDS(cusolverDnZunmqr_bufferSize(handle, CUBLAS_SIDE_LEFT, CUBLAS_OP_T, 2, 2, 2, c.get(),
                                       c.ld, tau.get(), c.get(), c.ld, &size));
  SUCCEEDS(cusolverDnDgesvdaStridedBatched_bufferSize(handle, CUSOLVER_EIG_MODE_VECTOR, 2, 2, 3,
                                                      a.get(), 2, 6, w.get(), 3, a.get(), 2, 6,
                                                      a.get(), 3, 6, &size, 1));
  const Array<int> others(std::vector<int>{3, 1, 2});
  SUCCEEDS(cusolverDnDlaswp(handle, 3, a.get(), a.ld, 2, 1, others.get(), 1));
  CHECK(are_near(a.whole(), whole));
  const Array<double*> matrices(std::vector<double*>{a.get()});
  CHECK(cusolverDnDpotrfBatched(handle, lower, 3, matrices.get(), a.ld, info, 0) == invalid);
  cusolverDnParams_t params = nullptr;
  SUCCEEDS(cusolverDnCreateParams(&params));
  std::size_t on_device = 0;
  std::size_t on_host = 0;
  SUCCEEDS(cusolverDnXpotrf_bufferSize(handle, params, lower, 3, CUDA_R_64F, a.get(), a.ld,
                                       CUDA_R_32F, &on_device, &on_host));
  SUCCEEDS(cusolverDnDestroyParams(params));
}
