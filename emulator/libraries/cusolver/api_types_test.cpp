// More of the functions that take types as arguments, and those that are asked for less often.

#include "libraries/cusolver/api_test.hpp"

namespace solver {
SOLVER_WITH_SIZE(lauum)
SOLVER_OF_TWO_WITH_SIZE(sygvdx, hegvdx)
}  // namespace solver
using namespace solver;

namespace {

constexpr auto vectors = CUSOLVER_EIG_MODE_VECTOR;
constexpr auto lower = CUBLAS_FILL_MODE_LOWER;

using Params =
    libraries::Owned<cusolverDnParams_t, cusolverDnCreateParams, cusolverDnDestroyParams>;
constexpr auto type = CUDA_R_64F;

// A matrix of 17 x 6, and where its values and vectors go.
struct Decomposed {
  Whole<double> whole;
  OnDevice<double> a;
  OnDevice<double> u;
  OnDevice<double> v;
  Vector<double> s;
  explicit Decomposed(int count, int rank = 6)
      : whole(random_whole<double>(17, rank, 600) * random_whole<double>(rank, 6, 601)),
        a(whole),
        u(Whole<double>(17, count)),
        v(Whole<double>(6, count)),
        s(6) {}
  bool is_right(int count) const {
    std::vector<double> values = s.numbers();
    values.resize(static_cast<std::size_t>(count));
    return are_near(scaled(first_columns(u.whole(true), count), values) *
                        adjoint(first_columns(v.whole(true), count)),
                    whole, 10000);
  }
};

}  // namespace

TEST_CASE("cuSOLVER: singular values by other ways, with types as arguments") {
  const Handle handle;
  const Params params;
  const Info info;
  {
    const Decomposed d(6);
    Spaces spaces;
    SUCCEEDS(cusolverDnXgesvdp_bufferSize(
        handle, params, vectors, 1, 17, 6, type, d.a.get(), d.a.ld, type, d.s.get(), type,
        d.u.get(), d.u.ld, type, d.v.get(), d.v.ld, type, &spaces.on_device, &spaces.on_host));
    spaces.make();
    double error = -1;
    SUCCEEDS(cusolverDnXgesvdp(handle, params, vectors, 1, 17, 6, type, d.a.get(), d.a.ld, type,
                               d.s.get(), type, d.u.get(), d.u.ld, type, d.v.get(), d.v.ld, type,
                               spaces.device, spaces.on_device, spaces.host.data(), spaces.on_host,
                               info, &error));
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    CHECK(info.value() == 0);
    CHECK(d.is_right(6));
    CHECK(std::abs(error) < 1e-6);
  }
  {
    const Decomposed d(6, 2);
    Spaces spaces;
    SUCCEEDS(cusolverDnXgesvdr_bufferSize(
        handle, params, 'S', 'S', 17, 6, 2, 2, 2, type, d.a.get(), d.a.ld, type, d.s.get(), type,
        d.u.get(), d.u.ld, type, d.v.get(), d.v.ld, type, &spaces.on_device, &spaces.on_host));
    spaces.make();
    SUCCEEDS(cusolverDnXgesvdr(handle, params, 'S', 'S', 17, 6, 2, 2, 2, type, d.a.get(), d.a.ld,
                               type, d.s.get(), type, d.u.get(), d.u.ld, type, d.v.get(), d.v.ld,
                               type, spaces.device, spaces.on_device, spaces.host.data(),
                               spaces.on_host, info));
    CHECK(info.value() == 0);
    CHECK(d.is_right(2));
  }
}

TEST_CASE("cuSOLVER: Q R, and eigenvalues of a range, with types as arguments") {
  const Handle handle;
  const Params params;
  const Info info;
  {
    const Whole<double> whole = random_whole<double>(9, 4, 610);
    const OnDevice<double> a(whole);
    const Vector<double> tau(4);
    Spaces spaces;
    SUCCEEDS(cusolverDnXgeqrf_bufferSize(handle, params, 9, 4, type, a.get(), a.ld, type, tau.get(),
                                         type, &spaces.on_device, &spaces.on_host));
    spaces.make();
    SUCCEEDS(cusolverDnXgeqrf(handle, params, 9, 4, type, a.get(), a.ld, type, tau.get(), type,
                              spaces.device, spaces.on_device, spaces.host.data(), spaces.on_host,
                              info));
    CHECK(info.value() == 0);
    const Whole<double> r = one_triangle(a.whole(), true, 0.0);
    CHECK(are_near(adjoint(r) * r, adjoint(whole) * whole));
  }
  {
    const Whole<double> whole = hermitian<double>(10, 611);
    const OnDevice<double> a(whole);
    const Vector<double> w(10);
    Spaces spaces;
    std::int64_t found = -1;
    double low = 0;
    double high = 0;
    const auto range = CUSOLVER_EIG_RANGE_I;
    SUCCEEDS(cusolverDnXsyevdx_bufferSize(handle, params, vectors, range, lower, 10, type, a.get(),
                                          a.ld, &low, &high, 3, 5, &found, type, w.get(), type,
                                          &spaces.on_device, &spaces.on_host));
    spaces.make();
    SUCCEEDS(cusolverDnXsyevdx(handle, params, vectors, range, lower, 10, type, a.get(), a.ld, &low,
                               &high, 3, 5, &found, type, w.get(), type, spaces.device,
                               spaces.on_device, spaces.host.data(), spaces.on_host, info));
    CHECK(info.value() == 0);
    REQUIRE(found == 3);
    std::vector<double> values = w.numbers();
    values.resize(3);
    const Whole<double> v = first_columns(a.whole(), 3);
    CHECK(are_near(whole * v, scaled(v, values)));
  }
}

TEST_CASE("cuSOLVER: eigenvalues of many matrices, with types as arguments") {
  const Handle handle;
  const Params params;
  const Info info(2);
  const Whole<double> first = hermitian<double>(5, 620);
  const Whole<double> second = hermitian<double>(5, 621);
  Whole<double> together(5, 10);
  std::copy(first.elements.begin(), first.elements.end(), together.elements.begin());
  std::copy(second.elements.begin(), second.elements.end(), together.elements.begin() + 25);
  const OnDevice<double> a(together, 0);
  const Vector<double> w(10);
  Spaces spaces;
  SUCCEEDS(cusolverDnXsyevBatched_bufferSize(handle, params, vectors, lower, 5, type, a.get(), 5,
                                             type, w.get(), type, &spaces.on_device,
                                             &spaces.on_host, 2));
  spaces.make();
  SUCCEEDS(cusolverDnXsyevBatched(handle, params, vectors, lower, 5, type, a.get(), 5, type,
                                  w.get(), type, spaces.device, spaces.on_device,
                                  spaces.host.data(), spaces.on_host, info, 2));
  const Whole<double> all = a.whole();
  const std::vector<double> values = w.numbers();
  for (int k = 0; k < 2; ++k) {
    CHECK(info.value(k) == 0);
    Whole<double> v(5, 5);
    std::copy_n(all.elements.begin() + k * 25, 25, v.elements.begin());
    const std::vector<double> own(values.begin() + k * 5, values.begin() + k * 5 + 5);
    CHECK(are_near(scaled(v, own) * adjoint(v), k == 0 ? first : second));
  }
}

TEST_CASE("cuSOLVER: a triangle times its adjoint") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const cublasFillMode_t uplo : both_triangles) {
      const bool upper = uplo == CUBLAS_FILL_MODE_UPPER;
      Whole<T> triangle = one_triangle(random_whole<T>(11, 11, 630), upper, T(0));
      for (int i = 0; i < 11; ++i) triangle(i, i) = std::real(triangle(i, i));
      const OnDevice<T> a(one_triangle(triangle, upper));
      int size = -1;
      SUCCEEDS(lauum_bufferSize<T>(handle, uplo, 11, a.get(), a.ld, &size));
      const Space<T> space(size);
      const Info info;
      SUCCEEDS(lauum<T>(handle, uplo, 11, a.get(), a.ld, space, size, info));
      CHECK(info.value() == 0);
      const Whole<T> product = upper ? triangle * adjoint(triangle) : adjoint(triangle) * triangle;
      CHECK(are_near(a.whole(), one_triangle(product, upper)));
    }
  });
}

TEST_CASE("cuSOLVER: eigenvalues of a range of a pair of matrices") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    using R = Real<T>;
    constexpr int n = 12;
    const Whole<T> whole = hermitian<T>(n, 640);
    Whole<T> other = positive<T>(n, 641);
    for (int i = 0; i < n; ++i) other(i, i) += T(30);
    const OnDevice<T> a(whole);
    const OnDevice<T> b(other);
    const Vector<R> w(n);
    const Info info;
    int size = -1;
    int found = -1;
    SUCCEEDS(sygvdx_bufferSize<T>(handle, CUSOLVER_EIG_TYPE_1, vectors, CUSOLVER_EIG_RANGE_I, lower,
                                  n, a.get(), a.ld, b.get(), b.ld, 0, 0, 2, 4, &found, w.get(),
                                  &size));
    const Space<T> space(size);
    SUCCEEDS(sygvdx<T>(handle, CUSOLVER_EIG_TYPE_1, vectors, CUSOLVER_EIG_RANGE_I, lower, n,
                       a.get(), a.ld, b.get(), b.ld, 0, 0, 2, 4, &found, w.get(), space, size,
                       info));
    CHECK(info.value() == 0);
    REQUIRE(found == 3);
    std::vector<R> values = w.numbers();
    values.resize(3);
    const Whole<T> x = first_columns(a.whole(), 3);
    CHECK(are_near(whole * x, scaled(other * x, values), 1000));
  });
}
