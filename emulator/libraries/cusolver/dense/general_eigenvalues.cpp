/// \file
/// Eigenvalues and eigenvectors of general matrices, by Hessenberg's form and the implicit Q R
/// method with double shifts (Golub and Van Loan, Matrix Computations, sections 7.4 to 7.6).

#include <limits>

#include "libraries/cusolver/work.hpp"

namespace emulator::cusolver {
namespace {

template <class T>
using Complex = std::complex<Real<T>>;

/// H = Q^H A Q in A's place, and Q, if it has columns. In the end H is triangular, but for blocks
/// of two rows, each for a pair of complex eigenvalues of a real matrix.
template <class T>
struct Schur {
  using R = Real<T>;
  Matrix<T> h;
  Matrix<T> q;
  std::int64_t n = h.columns;
  R scale = 1;  // the elements are of this size

  /// A reflection, of the rows and columns from k on, that makes `x` a multiple of the first unit
  /// vector. \param rows  how many rows can have elements in these columns
  T reflect(std::int64_t k, std::int64_t count, T* x, std::int64_t rows) const {
    const T tau = reflector(count, x);
    reflect_columns(count, x + 1, conjugate(tau), h.from(k, k));
    reflect_rows(count, x + 1, tau, Matrix<T>{h.column(k), rows, count, h.ld});
    if (q.columns > 0) reflect_rows(count, x + 1, tau, q.from(0, k));
    return x[0];
  }
  /// Makes 0 what is below the diagonal beside the main one.
  void make_hessenberg() const {
    std::vector<T> x;
    for (std::int64_t k = 0; k + 2 < n; ++k) {
      x.assign(&h(k + 1, k), &h(k + 1, k) + (n - k - 1));
      const T first = reflect(k + 1, n - k - 1, x.data(), n);
      std::fill_n(&h(k + 1, k), n - k - 1, T(0));
      h(k + 1, k) = first;
    }
  }
  bool is_small(std::int64_t k) const {  // the element left of the diagonal's
    R size = std::abs(h(k - 1, k - 1)) + std::abs(h(k, k));
    if (size == 0) size = scale;
    return std::abs(h(k, k - 1)) <= std::numeric_limits<R>::epsilon() * size;
  }
  /// One step with the eigenvalues of the last two rows as shifts, for at least three rows.
  void step(std::int64_t first, std::int64_t last, bool is_stuck) const {
    T upper = h(last - 1, last - 1);
    T lower = h(last, last);
    T product = h(last - 1, last) * h(last, last - 1);
    if (is_stuck) {  // other shifts, of the elements' size
      const R size = std::abs(h(last, last - 1)) + std::abs(h(last - 1, last - 2));
      upper = lower = size * R(0.75);
      product = -size * size * R(0.4375);
    }
    const T corner = h(first, first);
    T x[3] = {
        ((corner - upper) * (corner - lower) - product) / h(first + 1, first) + h(first, first + 1),
        corner + h(first + 1, first + 1) - upper - lower, h(first + 2, first + 1)};
    for (std::int64_t k = first; k < last; ++k) {
      const std::int64_t count = std::min<std::int64_t>(3, last - k + 1);
      if (k > first) std::copy_n(&h(k, k - 1), count, x);
      const T left = reflect(k, count, x, std::min(k + 3, last) + 1);
      if (k == first) continue;
      std::fill_n(&h(k, k - 1), count, T(0));
      h(k, k - 1) = left;
    }
  }
  /// Two rows become triangular unless their eigenvalues are complex, and the numbers are not.
  void split(std::int64_t first) const {
    const T half = (h(first, first) - h(first + 1, first + 1)) / R(2);
    const T square = half * half + h(first, first + 1) * h(first + 1, first);
    if constexpr (!is_complex<T>) {
      if (square < 0) return;
    }
    const T root = std::sqrt(square);
    T x[2] = {std::abs(half + root) < std::abs(half - root) ? half - root : half + root,
              h(first + 1, first)};
    reflect(first, 2, x, first + 2);
    h(first + 1, first) = 0;
  }
  /// \return 0, or how many eigenvalues are not found: all are that follow these
  int iterate() const {
    std::int64_t last = n - 1;
    std::int64_t steps = 0;
    for (std::int64_t all = 30 * std::max<std::int64_t>(n, 10); last >= 0; --all) {
      if (all == 0) return static_cast<int>(last + 1);
      std::int64_t first = last;
      while (first > 0 && !is_small(first)) --first;
      if (first > 0) h(first, first - 1) = 0;
      if (last - first < 2) {
        if (last > first) split(first);
        last = first - 1;
        steps = 0;
      } else {
        step(first, last, ++steps % 10 == 0);
      }
    }
    return 0;
  }

  bool begins_pair(std::int64_t i) const { return i + 1 < n && h(i + 1, i) != T(0); }
  std::vector<Complex<T>> values() const {
    std::vector<Complex<T>> result;
    for (std::int64_t i = 0; i < n; ++i) {
      result.push_back(h(i, i));
      if constexpr (!is_complex<T>) {
        if (!begins_pair(i)) continue;
        const R half = (h(i, i) - h(i + 1, i + 1)) / 2;
        const R square = half * half + h(i, i + 1) * h(i + 1, i);
        result.back() = {h(i + 1, i + 1) + half, std::sqrt(std::abs(square))};
        result.push_back(std::conj(result.back()));
        ++i;
      }
    }
    return result;
  }
  /// The eigenvector of the value number j, the first one of a pair: of length 1, its largest
  /// element real.
  std::vector<Complex<T>> vector(std::int64_t j, Complex<T> value) const {
    using C = Complex<T>;
    const R least = std::numeric_limits<R>::epsilon() * scale;
    const auto at = [](std::vector<C>& x, std::int64_t i) -> C& {
      return x[static_cast<std::size_t>(i)];
    };
    std::int64_t rows = j + 1;
    std::vector<C> x(static_cast<std::size_t>(n));
    at(x, j) = 1;
    if (begins_pair(j)) {
      ++rows;
      at(x, j + 1) = (value - h(j, j)) / h(j, j + 1);
    }
    const auto left = [&](std::int64_t i, std::int64_t from) {
      C sum = 0;
      for (std::int64_t k = from; k < rows; ++k) sum -= h(i, k) * at(x, k);
      return sum;
    };
    // Two eigenvalues that are equal are taken as far from each other as rounding may have them.
    const auto divisor = [&](C of, R smallest) { return std::abs(of) < smallest ? smallest : of; };
    for (std::int64_t i = j - 1; i >= 0; --i) {
      if (i > 0 && begins_pair(i - 1)) {
        const C upper = h(i - 1, i - 1) - value;
        const C lower = h(i, i) - value;
        const C first = left(i - 1, i + 1);
        const C last = left(i, i + 1);
        const C of_both = divisor(upper * lower - h(i - 1, i) * h(i, i - 1), least * scale);
        at(x, i) = (upper * last - h(i, i - 1) * first) / of_both;
        at(x, i - 1) = (lower * first - h(i - 1, i) * last) / of_both;
        --i;
      } else {
        at(x, i) = left(i, i + 1) / divisor(h(i, i) - value, least);
      }
      const R size = norm(rows - i, &at(x, i));
      for (std::int64_t k = i; size > 1 / least && k < rows; ++k) at(x, k) /= size;
    }
    std::vector<C> v(static_cast<std::size_t>(n));
    for (std::int64_t k = 0; k < rows; ++k) {
      for (std::int64_t i = 0; i < n; ++i) at(v, i) += q(i, k) * at(x, k);
    }
    const auto largest = std::max_element(
        v.begin(), v.end(), [](const C& a, const C& b) { return std::abs(a) < std::abs(b); });
    const R length = norm(n, v.data());
    const bool is_real = !is_complex<T> && value.imag() == 0;
    const C phase = is_real ? 1 : *largest / std::abs(*largest);
    for (C& element : v) element /= phase * length;
    largest->imag(0);
    return v;
  }
};

struct GeneralEigenproblem {
  cusolverEigMode_t left;
  cusolverEigMode_t right;
  std::int64_t n;
  cudaDataType type;
  void* A;
  std::int64_t lda;
  cudaDataType type_of_values;
  void* W;
  cudaDataType type_of_left;
  std::int64_t ldvl;
  cudaDataType type_of_right;
  void* VR;
  std::int64_t ldvr;

  bool with_vectors() const { return right == CUSOLVER_EIG_MODE_VECTOR; }
  bool types_fit(cudaDataType compute_type) const {
    const bool values_fit = type_of_values == type ||
                            (type == CUDA_R_32F && type_of_values == CUDA_C_32F) ||
                            (type == CUDA_R_64F && type_of_values == CUDA_C_64F);
    return values_fit && type_of_left == type && type_of_right == type && compute_type == type;
  }
  void check(Work& work) const {
    if (left != CUSOLVER_EIG_MODE_NOVECTOR) {
      work.refuse(CUSOLVER_STATUS_INTERNAL_ERROR,
                  "jobvl is not CUSOLVER_EIG_MODE_NOVECTOR: cuSOLVER has no left eigenvectors");
    }
    work.eigen_mode(right);
    work.size("n", n);
    work.leading_dimension("lda", lda, n);
    work.leading_dimension("ldvl", ldvl, 1);
    work.leading_dimension("ldvr", ldvr, with_vectors() ? n : 1);
  }
};

/// Calls `use` with a 0 of the type.
template <class Use>
cusolverStatus_t with_types(const char* function, const Context* handle,
                            const GeneralEigenproblem& g, cudaDataType compute_type, Use use) {
  if (g.types_fit(compute_type)) {
    return with_type(function, handle, g.type, compute_type, use, CUSOLVER_STATUS_INVALID_VALUE);
  }
  Work work(function, handle);
  work.require(false, "the types do not go together");
  return work.status();
}

template <class T>
void find(Work& work, const GeneralEigenproblem& g, const void* space, int* info) {
  using R = Real<T>;
  if (g.n == 0) return;  // info, too, is not written
  const Matrix<T> a = square_at<T>(g.A, g.n, g.lda);
  const Matrix<T> vectors = square_at<T>(g.VR, g.with_vectors() ? g.n : 0, g.ldvr);
  // Real parts and then imaginary ones, or complex numbers.
  const bool is_apart = !is_complex<T> && g.type_of_values == g.type;
  work.changes("A", a);
  work.writes("W", as<R>(g.W), 2 * g.n);
  work.writes("VR", vectors);
  work.uses({space, work_bytes<T>(g.n)}, work_bytes<T>(g.n));
  work.writes("info", info, 1);
  if (!work.ok()) return;
  R size = 0;  // the largest real or imaginary part
  for (std::int64_t j = 0; j < g.n; ++j) {
    for (std::int64_t i = 0; i < g.n; ++i) {
      for (const R part : {std::real(a(i, j)), std::imag(a(i, j))}) {
        if (!std::isfinite(part)) {
          if (g.n == 1) continue;  // is its own eigenvalue, whatever it is
          *info = 0;
          return work.refuse(CUSOLVER_STATUS_INTERNAL_ERROR, "A has a number that is not finite");
        }
        size = std::max(size, std::abs(part));
      }
    }
  }
  // By a power of 2, so that no square is too large or too small, and nothing is rounded.
  const int exponent =
      size > 0 ? std::max(std::ilogb(size), std::numeric_limits<R>::min_exponent) : 0;
  for (std::int64_t j = 0; j < g.n; ++j) {
    for (std::int64_t i = 0; i < g.n; ++i) a(i, j) = std::ldexp(R(1), -exponent) * a(i, j);
  }
  const Owned<T> q(g.n, g.with_vectors() ? g.n : 0);
  make_identity<T>(q);
  const Schur<T> schur{a, q};
  schur.make_hessenberg();
  *info = schur.iterate();
  const std::vector<Complex<T>> values = schur.values();
  for (std::int64_t j = 0; j < g.n; ++j) {
    const Complex<T> value = std::ldexp(R(1), exponent) * values[static_cast<std::size_t>(j)];
    as<R>(g.W)[is_apart ? j : 2 * j] = value.real();
    as<R>(g.W)[is_apart ? g.n + j : 2 * j + 1] = value.imag();
  }
  for (std::int64_t j = 0; j < vectors.columns && *info == 0; ++j) {
    const auto v = schur.vector(j, values[static_cast<std::size_t>(j)]);
    const bool is_pair = schur.begins_pair(j);
    for (std::int64_t i = 0; i < g.n; ++i) {
      const Complex<T> element = v[static_cast<std::size_t>(i)];
      if constexpr (is_complex<T>) {
        vectors(i, j) = element;
      } else {
        vectors(i, j) = element.real();
        if (is_pair) vectors(i, j + 1) = element.imag();
      }
    }
    if (is_pair) ++j;
  }
}

}  // namespace
}  // namespace emulator::cusolver

using namespace emulator::cusolver;

#define GENERAL(A, W, VR)                                                                  \
  (GeneralEigenproblem{jobvl, jobvr, n, dataTypeA, A, lda, dataTypeW, W, dataTypeVL, ldvl, \
                       dataTypeVR, VR, ldvr})

cusolverStatus_t cusolverDnXgeev_bufferSize(
    cusolverDnHandle_t handle, cusolverDnParams_t, cusolverEigMode_t jobvl, cusolverEigMode_t jobvr,
    std::int64_t n, cudaDataType dataTypeA, const void*, std::int64_t lda, cudaDataType dataTypeW,
    const void*, cudaDataType dataTypeVL, const void*, std::int64_t ldvl, cudaDataType dataTypeVR,
    const void*, std::int64_t ldvr, cudaDataType computeType, std::size_t* workspaceInBytesOnDevice,
    std::size_t* workspaceInBytesOnHost) {
  if (workspaceInBytesOnHost != nullptr) *workspaceInBytesOnHost = 0;
  const char* const function = __func__;
  const GeneralEigenproblem g = GENERAL(nullptr, nullptr, nullptr);
  return with_types(function, handle, g, computeType, [&](auto zero) {
    return size_call(
        function, handle, [&](Work& work) { g.check(work); }, workspaceInBytesOnDevice,
        work_bytes<decltype(zero)>(n));
  });
}
cusolverStatus_t cusolverDnXgeev(cusolverDnHandle_t handle, cusolverDnParams_t,
                                 cusolverEigMode_t jobvl, cusolverEigMode_t jobvr, std::int64_t n,
                                 cudaDataType dataTypeA, void* A, std::int64_t lda,
                                 cudaDataType dataTypeW, void* W, cudaDataType dataTypeVL, void*,
                                 std::int64_t ldvl, cudaDataType dataTypeVR, void* VR,
                                 std::int64_t ldvr, cudaDataType computeType, void* bufferOnDevice,
                                 std::size_t, void*, std::size_t, int* info) {
  const char* const function = __func__;
  const GeneralEigenproblem g = GENERAL(A, W, VR);
  return with_types(function, handle, g, computeType, [&](auto zero) {
    // Of the work's size an H200 takes no notice. It waits for results on the host: no graph.
    const cusolverStatus_t status = call_now(
        function, handle, [&](Work& work) { g.check(work); },
        [&](Work& work) { find<decltype(zero)>(work, g, bufferOnDevice, info); });
    // What bufferSize refuses so is, in the call itself, an error of the library's.
    return status == CUSOLVER_STATUS_INVALID_VALUE ? CUSOLVER_STATUS_INTERNAL_ERROR : status;
  });
}
