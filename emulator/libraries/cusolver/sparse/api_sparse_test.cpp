// Sparse systems that are solved at once, and orders of sparse matrices.

#include "libraries/cusolver/sparse/api_sparse_test.hpp"

namespace solver {
SPARSE_OF_ALL(csrlsvqr)
SPARSE_OF_ALL(csrlsvchol)
SPARSE_OF_ALL(csrlsvqrHost)
SPARSE_OF_ALL(csrlsvcholHost)
SPARSE_OF_ALL(csrlsvluHost)
SPARSE_OF_ALL(csrlsqvqrHost)
SPARSE_OF_ALL(csrqrBufferInfoBatched)
SPARSE_OF_ALL(csrqrsvBatched)
}  // namespace solver
using namespace solver;

namespace {

// Calls a function with the arrays on the device, or on the host, and returns x.
template <class T, class Solve>
Whole<T> solved(const SparseHandle& handle, Solve solve, bool on_host, const Whole<T>& whole,
                const Whole<T>& b, int reorder, int base) {
  const Descriptor descriptor(base);
  Compressed<T> a(whole, base);
  Whole<T> x(b.rows, 1);
  int singularity = -99;
  if (on_host) {
    SUCCEEDS(solve(handle, a.rows, a.nnz(), descriptor, named(a.values.data()), a.offsets.data(),
                   a.indices.data(), named(const_cast<T*>(b.elements.data())), 0, reorder,
                   named(x.elements.data()), &singularity));
  } else {
    const Array<T> values(a.values);
    const Array<int> offsets(a.offsets);
    const Array<int> indices(a.indices);
    const Array<T> sides(b.elements);
    const Array<T> result(x.elements);
    SUCCEEDS(solve(handle, a.rows, a.nnz(), descriptor, named(values.get()), offsets.get(),
                   indices.get(), named(sides.get()), 0, reorder, named(result.get()),
                   &singularity));
    x.elements = result.numbers();
  }
  CHECK(singularity == -1);
  return x;
}

}  // namespace

TEST_CASE("cuSOLVER: sparse systems by Q R, Cholesky's factor, and L U") {
  const SparseHandle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int n : {1, 2, 7, 40}) {
      for (const int reorder : {0, 1, 2, 3}) {
        const int base = reorder % 2;
        const Whole<T> general = sparse_whole<T>(n, 400, false);
        const Whole<T> special = sparse_whole<T>(n, 401, true);
        const Whole<T> x = random_whole<T>(n, 1, 402);
        const Whole<T> b = general * x;
        const Whole<T> c = special * x;
        CHECK(are_near(general * solved(handle, csrlsvqr<T>, false, general, b, reorder, base), b));
        CHECK(are_near(general * solved(handle, csrlsvqrHost<T>, true, general, b, reorder, base),
                       b));
        CHECK(are_near(general * solved(handle, csrlsvluHost<T>, true, general, b, reorder, base),
                       b, 10000));
        CHECK(are_near(solved(handle, csrlsvchol<T>, false, special, c, reorder, base), x));
        CHECK(are_near(solved(handle, csrlsvcholHost<T>, true, special, c, reorder, base), x));
      }
    }
  });
}

TEST_CASE("cuSOLVER: a matrix that is singular, or not positive, is told") {
  const SparseHandle handle;
  const Descriptor descriptor;
  Whole<double> whole = identity<double>(5);
  whole(3, 3) = 0;
  whole(3, 1) = 2;
  Compressed<double> a(whole);
  std::vector<double> b(5, 1);
  std::vector<double> x(5);
  int singularity = -99;
  SUCCEEDS(cusolverSpDcsrlsvqrHost(handle, 5, a.nnz(), descriptor, a.values.data(),
                                   a.offsets.data(), a.indices.data(), b.data(), 1e-10, 0, x.data(),
                                   &singularity));
  CHECK(singularity == 3);
  SUCCEEDS(cusolverSpDcsrlsvluHost(handle, 5, a.nnz(), descriptor, a.values.data(),
                                   a.offsets.data(), a.indices.data(), b.data(), 1e-10, 0, x.data(),
                                   &singularity));
  CHECK(singularity == 3);
  whole = identity<double>(5);
  whole(2, 2) = -1;
  a = Compressed<double>(whole);
  SUCCEEDS(cusolverSpDcsrlsvcholHost(handle, 5, a.nnz(), descriptor, a.values.data(),
                                     a.offsets.data(), a.indices.data(), b.data(), 1e-10, 0,
                                     x.data(), &singularity));
  CHECK(singularity == 2);
}

TEST_CASE("cuSOLVER: sparse least squares") {
  const SparseHandle handle;
  const Descriptor descriptor;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr int m = 30;
    constexpr int n = 11;
    Whole<T> whole(m, n);
    const Whole<T> square = sparse_whole<T>(m, 410, false);
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < m; ++i) whole(i, j) = square(i, j);
    }
    const Compressed<T> a(whole);
    const Whole<T> b = random_whole<T>(m, 1, 411);
    Whole<T> x(n, 1);
    std::vector<int> p(n);
    int rank = -1;
    Real<T> left = -1;
    SUCCEEDS(csrlsqvqrHost<T>(
        handle, m, n, a.nnz(), descriptor, named(const_cast<T*>(a.values.data())), a.offsets.data(),
        a.indices.data(), named(const_cast<T*>(b.elements.data())), static_cast<Real<T>>(1e-5),
        &rank, named(x.elements.data()), p.data(), &left));
    CHECK(rank == n);
    CHECK(is_permutation(p));
    Whole<T> rest = whole * x;
    for (std::size_t i = 0; i < rest.elements.size(); ++i) rest.elements[i] -= b.elements[i];
    CHECK(std::abs(static_cast<double>(left) - size_of(rest)) <= 1000 * epsilon<T> * size_of(b));
    CHECK(size_of(adjoint(whole) * rest) <= 1000 * epsilon<T> * size_of(whole) * size_of(b));
  });
}

TEST_CASE("cuSOLVER: of many nearest solutions the shortest is found") {
  const SparseHandle handle;
  const Descriptor descriptor;
  Whole<double> whole(3, 2);
  std::fill(whole.elements.begin(), whole.elements.end(), 1);
  const Compressed<double> a(whole);
  const std::vector<double> b{1, 2, 3};
  Whole<double> x(2, 1);
  std::vector<int> p(2);
  int rank = -1;
  double left = -1;
  SUCCEEDS(cusolverSpDcsrlsqvqrHost(handle, 3, 2, a.nnz(), descriptor, a.values.data(),
                                    a.offsets.data(), a.indices.data(), b.data(), 1e-10, &rank,
                                    x.elements.data(), p.data(), &left));
  CHECK(rank == 1);
  Whole<double> ones(2, 1);
  ones.elements = {1, 1};
  CHECK(are_near(x, ones));
  CHECK(std::abs(left - std::sqrt(2.0)) < 1e-12);
}

TEST_CASE("cuSOLVER: the eigenvalue next to a number") {
  const SparseHandle handle;
  const Descriptor descriptor;
  Whole<double> whole(6, 6);
  for (int i = 0; i < 6; ++i) whole(i, i) = i + 1;
  const Compressed<double> a(whole);
  const Array<double> values(a.values);
  const Array<int> offsets(a.offsets);
  const Array<int> indices(a.indices);
  const Array<double> start(std::vector<double>(6, 1));
  const Array<double> x(std::vector<double>(6));
  const Array<double> mu(std::vector<double>(1));
  SUCCEEDS(cusolverSpDcsreigvsi(handle, 6, a.nnz(), descriptor, values.get(), offsets.get(),
                                indices.get(), 3.9, start.get(), 100, 1e-8, mu.get(), x.get()));
  CHECK(std::abs(mu.numbers()[0] - 4) < 1e-6);
  CHECK(std::abs(std::abs(x.numbers()[3]) - 1) < 1e-6);
}

TEST_CASE("cuSOLVER: many sparse systems of one pattern") {
  const SparseHandle handle;
  const Descriptor descriptor;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr int n = 9;
    const Whole<T> first = sparse_whole<T>(n, 420, false);
    Whole<T> second = first;
    for (T& element : second.elements) element *= T(3);
    const Whole<T> x = random_whole<T>(n, 1, 421);
    const Compressed<T> a(first);
    std::vector<T> both = a.values;
    const Compressed<T> other(second);
    both.insert(both.end(), other.values.begin(), other.values.end());
    std::vector<T> sides = (first * x).elements;
    const Whole<T> more = second * x;
    sides.insert(sides.end(), more.elements.begin(), more.elements.end());
    const Array<T> values(both);
    const Array<int> offsets(a.offsets);
    const Array<int> indices(a.indices);
    const Array<T> b(sides);
    const Array<T> result(std::vector<T>(2 * n));
    csrqrInfo_t info = nullptr;
    SUCCEEDS(cusolverSpCreateCsrqrInfo(&info));
    SUCCEEDS(cusolverSpXcsrqrAnalysisBatched(handle, n, n, a.nnz(), descriptor, offsets.get(),
                                             indices.get(), info));
    std::size_t internal = 0;
    std::size_t bytes = 0;
    SUCCEEDS(csrqrBufferInfoBatched<T>(handle, n, n, a.nnz(), descriptor, named(values.get()),
                                       offsets.get(), indices.get(), 2, info, &internal, &bytes));
    const Array<char> buffer(std::vector<char>(bytes + 1));
    SUCCEEDS(csrqrsvBatched<T>(handle, n, n, a.nnz(), descriptor, named(values.get()),
                               offsets.get(), indices.get(), named(b.get()), named(result.get()), 2,
                               info, buffer.get()));
    const std::vector<T> found = result.numbers();
    Whole<T> one(n, 1);
    for (int k = 0; k < 2; ++k) {
      std::copy_n(found.begin() + k * n, n, one.elements.begin());
      CHECK(are_near(first * one, first * x));
    }
    SUCCEEDS(cusolverSpDestroyCsrqrInfo(info));
  });
}

TEST_CASE("cuSOLVER: orders are permutations, and permute") {
  const SparseHandle handle;
  const Descriptor descriptor(1);
  const Whole<double> whole = sparse_whole<double>(12, 430, true);
  Compressed<double> a(whole, 1);
  for (const auto order :
       {cusolverSpXcsrsymrcmHost, cusolverSpXcsrsymmdqHost, cusolverSpXcsrsymamdHost}) {
    std::vector<int> p(12, -1);
    SUCCEEDS(order(handle, 12, a.nnz(), descriptor, a.offsets.data(), a.indices.data(), p.data()));
    CHECK(is_permutation(p));
  }
  std::vector<int> p(12, -1);
  SUCCEEDS(cusolverSpXcsrmetisndHost(handle, 12, a.nnz(), descriptor, a.offsets.data(),
                                     a.indices.data(), nullptr, p.data()));
  CHECK(is_permutation(p));
  std::vector<int> q(p.rbegin(), p.rend());
  std::size_t bytes = 0;
  SUCCEEDS(cusolverSpXcsrperm_bufferSizeHost(handle, 12, 12, a.nnz(), descriptor, a.offsets.data(),
                                             a.indices.data(), p.data(), q.data(), &bytes));
  std::vector<char> buffer(bytes + 1);
  std::vector<int> map(a.values.size());
  for (std::size_t i = 0; i < map.size(); ++i) map[i] = static_cast<int>(i);
  SUCCEEDS(cusolverSpXcsrpermHost(handle, 12, 12, a.nnz(), descriptor, a.offsets.data(),
                                  a.indices.data(), p.data(), q.data(), map.data(), buffer.data()));
  Whole<double> permuted(12, 12);
  for (int i = 0; i < 12; ++i) {
    for (int k = a.offsets[static_cast<std::size_t>(i)] - 1;
         k < a.offsets[static_cast<std::size_t>(i) + 1] - 1; ++k) {
      const auto place = static_cast<std::size_t>(k);
      permuted(i, a.indices[place] - 1) = a.values[static_cast<std::size_t>(map[place])];
    }
  }
  bool is_right = true;
  for (int j = 0; j < 12; ++j) {
    for (int i = 0; i < 12; ++i) {
      is_right = is_right && permuted(i, j) == whole(p[static_cast<std::size_t>(i)],
                                                     q[static_cast<std::size_t>(j)]);
    }
  }
  CHECK(is_right);
}

TEST_CASE("cuSOLVER: a narrow band, a full diagonal, and symmetry") {
  const SparseHandle handle;
  const Descriptor descriptor;
  // A chain whose links are in no order.
  const int links[] = {4, 0, 7, 2, 5, 1, 6, 3};
  Whole<double> chain = identity<double>(8);
  for (int i = 0; i + 1 < 8; ++i) chain(links[i], links[i + 1]) = chain(links[i + 1], links[i]) = 1;
  Compressed<double> a(chain);
  std::vector<int> p(8);
  SUCCEEDS(cusolverSpXcsrsymrcmHost(handle, 8, a.nnz(), descriptor, a.offsets.data(),
                                    a.indices.data(), p.data()));
  for (int i = 0; i < 8; ++i) {
    for (int j = i + 2; j < 8; ++j) {
      CHECK(chain(p[static_cast<std::size_t>(i)], p[static_cast<std::size_t>(j)]) == 0);
    }
  }
  int is_symmetric = -1;
  SUCCEEDS(cusolverSpXcsrissymHost(handle, 8, a.nnz(), descriptor, a.offsets.data(),
                                   a.offsets.data() + 1, a.indices.data(), &is_symmetric));
  CHECK(is_symmetric == 1);
  Whole<double> turned(4, 4);
  for (int i = 0; i < 4; ++i) turned(i, (i + 1) % 4) = turned(i, 2) = 1;
  Compressed<double> b(turned);
  SUCCEEDS(cusolverSpXcsrissymHost(handle, 4, b.nnz(), descriptor, b.offsets.data(),
                                   b.offsets.data() + 1, b.indices.data(), &is_symmetric));
  CHECK(is_symmetric == 0);
  std::vector<int> rows(4);
  int count = -1;
  SUCCEEDS(cusolverSpDcsrzfdHost(handle, 4, b.nnz(), descriptor, b.values.data(), b.offsets.data(),
                                 b.indices.data(), rows.data(), &count));
  CHECK(count == 4);
  CHECK(is_permutation(rows));
  for (int i = 0; i < 4; ++i) CHECK(turned(rows[static_cast<std::size_t>(i)], i) != 0);
}

TEST_CASE("cuSOLVER: sparse systems that are refused") {
  const SparseHandle handle;
  const Descriptor descriptor;
  const Compressed<double> a(identity<double>(3));
  std::vector<double> b(3, 1);
  std::vector<double> x(3);
  int singularity = 0;
  const auto solve = [&](cusolverSpHandle_t with, int n, int nnz, double tol, int reorder) {
    return cusolverSpDcsrlsvqrHost(with, n, nnz, descriptor, a.values.data(), a.offsets.data(),
                                   a.indices.data(), b.data(), tol, reorder, x.data(),
                                   &singularity);
  };
  CHECK(solve(nullptr, 3, 3, 0, 0) == CUSOLVER_STATUS_NOT_INITIALIZED);
  CHECK(solve(handle, -3, 3, 0, 0) == CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(solve(handle, 3, -3, 0, 0) == CUSOLVER_STATUS_INVALID_VALUE);
  singularity = -99;
  CHECK(solve(handle, 3, 3, 0, 7) == CUSOLVER_STATUS_INVALID_VALUE);
  CHECK(singularity == 0);
  SUCCEEDS(solve(handle, 3, 3, -1, 0));  // all pivots are larger
  CHECK(singularity == -1);
  for (const double unknown : x) CHECK(std::abs(unknown - 1) < 1e-12);
  cusparseSetMatType(descriptor, CUSPARSE_MATRIX_TYPE_SYMMETRIC);
  CHECK(solve(handle, 3, 3, 0, 0) == CUSOLVER_STATUS_MATRIX_TYPE_NOT_SUPPORTED);
}
