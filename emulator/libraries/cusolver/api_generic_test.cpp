// Solutions at once, the functions that take types as arguments, and calls in graphs.

#include "libraries/common/capture_test.hpp"
#include "libraries/cusolver/api_test.hpp"

using namespace solver;

namespace {

using Params =
    libraries::Owned<cusolverDnParams_t, cusolverDnCreateParams, cusolverDnDestroyParams>;

// A X = B by one of the functions that solve at once.
template <class T, class Size, class Solve>
void check_gesv(const Handle& handle, Size size, Solve solve, double tolerance) {
  constexpr int n = 40;
  Whole<T> whole = random_whole<T>(n, n, 300);
  for (int i = 0; i < n; ++i) whole(i, i) += T(30);
  const Whole<T> x = random_whole<T>(n, 3, 301);
  const OnDevice<T> a(whole);
  const OnDevice<T> b(whole * x);
  const OnDevice<T> result(Whole<T>(n, 3));
  const Info pivots(n);
  const Info info;
  std::size_t bytes = 0;
  SUCCEEDS(size(handle, n, 3, a.get(), a.ld, pivots, b.get(), b.ld, result.get(), result.ld,
                nullptr, &bytes));
  const Array<char> space(std::vector<char>(bytes + 1));
  int steps = -99;
  SUCCEEDS(solve(handle, n, 3, a.get(), a.ld, pivots, b.get(), b.ld, result.get(), result.ld,
                 space.get(), bytes, &steps, info));
  CHECK(info.value() == 0);
  CHECK(steps != -99);
  CHECK(are_near(result.whole(), x, tolerance));
}
// Least squares: what is left is orthogonal to the columns.
template <class T, class Size, class Solve>
void check_gels(const Handle& handle, Size size, Solve solve) {
  constexpr int m = 30;
  constexpr int n = 12;
  const Whole<T> whole = random_whole<T>(m, n, 310);
  const Whole<T> sides = random_whole<T>(m, 2, 311);
  const OnDevice<T> a(whole);
  const OnDevice<T> b(sides);
  const OnDevice<T> result(Whole<T>(n, 2));
  const Info info;
  std::size_t bytes = 0;
  SUCCEEDS(size(handle, m, n, 2, a.get(), a.ld, b.get(), b.ld, result.get(), result.ld, nullptr,
                &bytes));
  const Array<char> space(std::vector<char>(bytes + 1));
  int steps = -99;
  SUCCEEDS(solve(handle, m, n, 2, a.get(), a.ld, b.get(), b.ld, result.get(), result.ld,
                 space.get(), bytes, &steps, info));
  CHECK(info.value() == 0);
  Whole<T> left = whole * result.whole();
  for (std::size_t i = 0; i < left.elements.size(); ++i) left.elements[i] -= sides.elements[i];
  CHECK(size_of(adjoint(whole) * left) <= 3000 * epsilon<T> * size_of(whole) * size_of(sides));
}

}  // namespace

TEST_CASE("cuSOLVER: equations solved at once") {
  const Handle handle;
  check_gesv<float>(handle, cusolverDnSSgesv_bufferSize, cusolverDnSSgesv, 100);
  check_gesv<float>(handle, cusolverDnSHgesv_bufferSize, cusolverDnSHgesv, 1000);
  check_gesv<double>(handle, cusolverDnDDgesv_bufferSize, cusolverDnDDgesv, 100);
  check_gesv<double>(handle, cusolverDnDSgesv_bufferSize, cusolverDnDSgesv, 1000);
  check_gesv<std::complex<float>>(handle, cusolverDnCCgesv_bufferSize, cusolverDnCCgesv, 100);
  check_gesv<std::complex<double>>(handle, cusolverDnZZgesv_bufferSize, cusolverDnZZgesv, 100);
  check_gesv<std::complex<double>>(handle, cusolverDnZCgesv_bufferSize, cusolverDnZCgesv, 1000);
}

TEST_CASE("cuSOLVER: least squares at once") {
  const Handle handle;
  check_gels<float>(handle, cusolverDnSSgels_bufferSize, cusolverDnSSgels);
  check_gels<double>(handle, cusolverDnDDgels_bufferSize, cusolverDnDDgels);
  check_gels<double>(handle, cusolverDnDSgels_bufferSize, cusolverDnDSgels);
  check_gels<std::complex<float>>(handle, cusolverDnCCgels_bufferSize, cusolverDnCCgels);
  check_gels<std::complex<double>>(handle, cusolverDnZZgels_bufferSize, cusolverDnZZgels);
}

TEST_CASE("cuSOLVER: equations solved at once, as parameters say") {
  const Handle handle;
  constexpr int n = 20;
  Whole<double> whole = random_whole<double>(n, n, 320);
  for (int i = 0; i < n; ++i) whole(i, i) += 30;
  const Whole<double> x = random_whole<double>(n, 1, 321);
  const OnDevice<double> a(whole);
  const OnDevice<double> b(whole * x);
  const OnDevice<double> result(Whole<double>(n, 1));
  cusolverDnIRSParams_t params = nullptr;
  cusolverDnIRSInfos_t infos = nullptr;
  SUCCEEDS(cusolverDnIRSParamsCreate(&params));
  SUCCEEDS(cusolverDnIRSInfosCreate(&infos));
  SUCCEEDS(cusolverDnIRSParamsSetSolverPrecisions(params, CUSOLVER_R_64F, CUSOLVER_R_32F));
  SUCCEEDS(cusolverDnIRSParamsSetRefinementSolver(params, CUSOLVER_IRS_REFINE_CLASSICAL));
  std::size_t bytes = 0;
  SUCCEEDS(cusolverDnIRSXgesv_bufferSize(handle, params, n, 1, &bytes));
  const Array<char> space(std::vector<char>(bytes + 1));
  const Info info;
  int steps = -99;
  SUCCEEDS(cusolverDnIRSXgesv(handle, params, infos, n, 1, a.get(), a.ld, b.get(), b.ld,
                              result.get(), result.ld, space.get(), bytes, &steps, info));
  CHECK(info.value() == 0);
  CHECK(steps >= 0);
  CHECK(are_near(result.whole(), x, 1000));
  SUCCEEDS(cusolverDnIRSParamsDestroy(params));
  SUCCEEDS(cusolverDnIRSInfosDestroy(infos));
}

TEST_CASE("cuSOLVER: factors and solutions, with types as arguments") {
  const Handle handle;
  const Params params;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr auto type = type_of<T>;
    constexpr int n = 19;
    const Info info;
    const Whole<T> x = random_whole<T>(n, 2, 330);
    {
      const Whole<T> whole = positive<T>(n, 331);
      const OnDevice<T> a(whole);
      const OnDevice<T> b(whole * x);
      Spaces spaces;
      SUCCEEDS(cusolverDnXpotrf_bufferSize(handle, params, CUBLAS_FILL_MODE_UPPER, n, type, a.get(),
                                           a.ld, type, &spaces.on_device, &spaces.on_host));
      spaces.make();
      SUCCEEDS(cusolverDnXpotrf(handle, params, CUBLAS_FILL_MODE_UPPER, n, type, a.get(), a.ld,
                                type, spaces.device, spaces.on_device, spaces.host.data(),
                                spaces.on_host, info));
      CHECK(info.value() == 0);
      SUCCEEDS(cusolverDnXpotrs(handle, params, CUBLAS_FILL_MODE_UPPER, n, 2, type, a.get(), a.ld,
                                type, b.get(), b.ld, info));
      CHECK(are_near(whole * b.whole(), whole * x));
    }
    {
      Whole<T> whole = random_whole<T>(n, n, 332);
      for (int i = 0; i < n; ++i) whole(i, n - 1 - i) += T(20);
      const OnDevice<T> a(whole);
      const OnDevice<T> b(whole * x);
      const Array<std::int64_t> pivots(std::vector<std::int64_t>(std::size_t{n}));
      Spaces spaces;
      SUCCEEDS(cusolverDnXgetrf_bufferSize(handle, params, n, n, type, a.get(), a.ld, type,
                                           &spaces.on_device, &spaces.on_host));
      spaces.make();
      SUCCEEDS(cusolverDnXgetrf(handle, params, n, n, type, a.get(), a.ld, pivots.get(), type,
                                spaces.device, spaces.on_device, spaces.host.data(), spaces.on_host,
                                info));
      CHECK(info.value() == 0);
      SUCCEEDS(cusolverDnXgetrs(handle, params, CUBLAS_OP_N, n, 2, type, a.get(), a.ld,
                                pivots.get(), type, b.get(), b.ld, info));
      CHECK(are_near(b.whole(), x));
    }
    {
      const Whole<T> whole = one_triangle(positive<T>(n, 333), false, T(0));
      const OnDevice<T> a(whole);
      Spaces spaces;
      SUCCEEDS(cusolverDnXtrtri_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_NON_UNIT, n,
                                           type, a.get(), a.ld, &spaces.on_device,
                                           &spaces.on_host));
      spaces.make();
      SUCCEEDS(cusolverDnXtrtri(handle, CUBLAS_FILL_MODE_LOWER, CUBLAS_DIAG_NON_UNIT, n, type,
                                a.get(), a.ld, spaces.device, spaces.on_device, spaces.host.data(),
                                spaces.on_host, info));
      CHECK(info.value() == 0);
      CHECK(are_near(a.whole() * whole, identity<T>(n), 1000));
    }
  });
}

TEST_CASE("cuSOLVER: eigenvalues and singular values, with types as arguments") {
  const Handle handle;
  const Params params;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    constexpr auto type = type_of<T>;
    constexpr auto real = type_of<R>;
    constexpr int n = 13;
    const Info info;
    {
      const Whole<T> whole = hermitian<T>(n, 340);
      const OnDevice<T> a(whole);
      const Vector<R> w(n);
      Spaces spaces;
      SUCCEEDS(cusolverDnXsyevd_bufferSize(handle, params, CUSOLVER_EIG_MODE_VECTOR,
                                           CUBLAS_FILL_MODE_LOWER, n, type, a.get(), a.ld, real,
                                           w.get(), type, &spaces.on_device, &spaces.on_host));
      spaces.make();
      SUCCEEDS(cusolverDnXsyevd(handle, params, CUSOLVER_EIG_MODE_VECTOR, CUBLAS_FILL_MODE_LOWER, n,
                                type, a.get(), a.ld, real, w.get(), type, spaces.device,
                                spaces.on_device, spaces.host.data(), spaces.on_host, info));
      CHECK(info.value() == 0);
      CHECK(are_near(scaled(a.whole(), w.numbers()) * adjoint(a.whole()), whole));
    }
    {
      const Whole<T> whole = random_whole<T>(n + 4, n, 341);
      const OnDevice<T> a(whole);
      const OnDevice<T> u(Whole<T>(n + 4, n));
      const OnDevice<T> vt(Whole<T>(n, n));
      const Vector<R> s(n);
      Spaces spaces;
      SUCCEEDS(cusolverDnXgesvd_bufferSize(handle, params, 'S', 'S', n + 4, n, type, a.get(), a.ld,
                                           real, s.get(), type, u.get(), u.ld, type, vt.get(),
                                           vt.ld, type, &spaces.on_device, &spaces.on_host));
      spaces.make();
      SUCCEEDS(cusolverDnXgesvd(handle, params, 'S', 'S', n + 4, n, type, a.get(), a.ld, real,
                                s.get(), type, u.get(), u.ld, type, vt.get(), vt.ld, type,
                                spaces.device, spaces.on_device, spaces.host.data(), spaces.on_host,
                                info));
      CHECK(info.value() == 0);
      CHECK(are_near(scaled(u.whole(), s.numbers()) * vt.whole(), whole));
    }
  });
}

TEST_CASE("cuSOLVER: a call in a stream that is captured is done by each launch of the graph") {
  libraries::Capture capture;
  const Handle handle;
  SUCCEEDS(cusolverDnSetStream(handle, capture.stream()));
  const Whole<double> whole = positive<double>(9, 350);
  const OnDevice<double> original(whole);
  const OnDevice<double> a(whole);
  int size = -1;
  SUCCEEDS(cusolverDnDpotrf_bufferSize(handle, CUBLAS_FILL_MODE_LOWER, 9, a.get(), a.ld, &size));
  const Space<double> space(size);
  const Info info;
  capture.begin();
  cudaMemcpyAsync(a.get(), original.get(), sizeof(double) * 9 * static_cast<std::size_t>(a.ld),
                  cudaMemcpyDeviceToDevice, capture.stream());
  SUCCEEDS(cusolverDnDpotrf(handle, CUBLAS_FILL_MODE_LOWER, 9, a.get(), a.ld, space, size, info));
  REQUIRE(capture.end() == cudaSuccess);
  CHECK(info.value() == -77);
  for (int launch = 0; launch < 2; ++launch) {
    capture.launch();
    CHECK(info.value() == 0);
    const Whole<double> factor = one_triangle(a.whole(), false, 0.0);
    CHECK(are_near(factor * adjoint(factor), whole));
  }
  SUCCEEDS(cusolverDnSetStream(handle, nullptr));
}
