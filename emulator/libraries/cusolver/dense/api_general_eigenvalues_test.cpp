// Eigenvalues and eigenvectors of general matrices.

#include "libraries/common/capture_test.hpp"
#include "libraries/cusolver/api_test.hpp"

using namespace solver;

namespace {

using Params =
    libraries::Owned<cusolverDnParams_t, cusolverDnCreateParams, cusolverDnDestroyParams>;
constexpr auto without = CUSOLVER_EIG_MODE_NOVECTOR;
constexpr auto with_vectors = CUSOLVER_EIG_MODE_VECTOR;

template <class T>
using Complex = std::complex<Real<T>>;
template <class T>
Whole<Complex<T>> as_complex(const Whole<T>& a) {
  Whole<Complex<T>> result(a.rows, a.columns);
  std::copy(a.elements.begin(), a.elements.end(), result.elements.begin());
  return result;
}

template <class T>
struct Found {
  int info;
  std::vector<Complex<T>> values;
  Whole<T> vectors;
  /// With those of pairs as complex numbers.
  Whole<Complex<T>> all_vectors() const {
    Whole<Complex<T>> result = as_complex(vectors);
    for (int j = 0; j + 1 < result.columns && !is_complex<T>; ++j) {
      if (values[static_cast<std::size_t>(j)].imag() == 0) continue;
      for (int i = 0; i < result.rows; ++i) {
        const Complex<T> imaginary(0, std::real(vectors(i, j + 1)));
        result(i, j) = std::real(vectors(i, j)) + imaginary;
        result(i, j + 1) = std::real(vectors(i, j)) - imaginary;
      }
      ++j;
    }
    return result;
  }
};
template <class T>
Found<T> find(const Handle& handle, const Whole<T>& whole, bool complex_values = is_complex<T>,
              cusolverEigMode_t mode = with_vectors) {
  using R = Real<T>;
  const int n = whole.rows;
  const Params params;
  const OnDevice<T> a(whole);
  const Array<R> w(std::vector<R>(static_cast<std::size_t>(2 * n), R(55)));
  const OnDevice<T> vr{Whole<T>(n, mode == with_vectors ? n : 0)};
  const Info info;
  Spaces spaces;
  constexpr auto type = type_of<T>;
  const auto of_values = complex_values ? type_of<Complex<T>> : type;
  SUCCEEDS(cusolverDnXgeev_bufferSize(handle, params, without, mode, n, type, a.get(), a.ld,
                                      of_values, w.get(), type, nullptr, 1, type, vr.get(), vr.ld,
                                      type, &spaces.on_device, &spaces.on_host));
  spaces.make();
  SUCCEEDS(cusolverDnXgeev(handle, params, without, mode, n, type, a.get(), a.ld, of_values,
                           w.get(), type, nullptr, 1, type, vr.get(), vr.ld, type, spaces.device,
                           spaces.on_device, spaces.host.data(), spaces.on_host, info));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  Found<T> found{info.value(), {}, vr.whole(true)};
  const std::vector<R> numbers = w.numbers();
  for (std::size_t i = 0; i < numbers.size() / 2; ++i) {
    if (complex_values) {
      found.values.emplace_back(numbers[2 * i], numbers[2 * i + 1]);
    } else {
      found.values.emplace_back(numbers[i], numbers[i + numbers.size() / 2]);
    }
  }
  return found;
}

// Whether A V = V W, and whether the values are as many as they should: of their sum, and of that
// of their squares.
template <class T>
void check_values(const Whole<T>& whole, const Found<T>& found, bool defective = false) {
  using C = Complex<T>;
  const int n = whole.rows;
  CHECK(found.info == 0);
  const Whole<C> a = as_complex(whole);
  const Whole<C> v = found.all_vectors();
  Whole<C> scaled_vectors = v;
  Whole<C> left(1, 2);
  for (int j = 0; j < n; ++j) {
    const C value = found.values[static_cast<std::size_t>(j)];
    for (int i = 0; i < n; ++i) scaled_vectors(i, j) *= value;
    left(0, 0) += a(j, j) - value;
    left(0, 1) += (a * a)(j, j) - value * value;
  }
  const double size = size_of(whole);
  Whole<C> difference = a * v;
  for (std::size_t i = 0; i < difference.elements.size(); ++i) {
    difference.elements[i] -= scaled_vectors.elements[i];
  }
  CHECK(size_of(difference) <= 30 * n * epsilon<T> * size);
  if (!defective) {
    CHECK(std::abs(left(0, 0)) <= 30 * n * epsilon<T> * size);
    CHECK(std::abs(left(0, 1)) <= 30 * n * epsilon<T> * size * size);
  }
  for (int j = 0; j < n; ++j) {
    double length = 0;
    double largest = 0;
    for (int i = 0; i < n; ++i) {
      length = std::hypot(length, static_cast<double>(std::abs(v(i, j))));
      largest = std::max(largest, static_cast<double>(std::abs(v(i, j))));
    }
    double imaginary = 1;  // of the largest one; several may be as large
    for (int i = 0; i < n; ++i) {
      if (static_cast<double>(std::abs(v(i, j))) < largest - 10 * epsilon<T>) continue;
      imaginary = std::min(imaginary, static_cast<double>(std::abs(v(i, j).imag())));
    }
    CHECK(std::abs(length - 1) <= 30 * n * epsilon<T>);
    CHECK(imaginary <= 10 * epsilon<T>);
  }
}
// Those of a real matrix: a positive imaginary part, and then the conjugate number.
template <class T>
void check_pairs(const Found<T>& found) {
  for (std::size_t j = 0; j < found.values.size(); ++j) {
    if (found.values[j].imag() == 0) continue;
    REQUIRE(j + 1 < found.values.size());
    CHECK(found.values[j].imag() > 0);
    CHECK(found.values[j + 1] == std::conj(found.values[j]));
    ++j;
  }
}

}  // namespace

TEST_CASE("cuSOLVER: eigenvalues and eigenvectors of general matrices") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    for (const int n : {1, 2, 3, 4, 7, 33}) {
      for (unsigned seed = 700; seed < (n < 10 ? 705 : 701); ++seed) {
        const Whole<T> whole = random_whole<T>(n, n, seed);
        for (const bool complex_values : {is_complex<T>, true}) {
          const Found<T> found = find(handle, whole, complex_values);
          check_values(whole, found);
          if (!is_complex<T>) check_pairs(found);
        }
      }
    }
  });
}

TEST_CASE("cuSOLVER: eigenvalues of a general matrix without its eigenvectors") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    const Whole<T> whole = random_whole<T>(20, 20, 710);
    Found<T> found = find(handle, whole, is_complex<T>, without);
    CHECK(found.info == 0);
    const auto expected = find(handle, whole).values;
    double distance = 0;
    for (const auto& value : found.values) {
      Real<T> nearest = std::numeric_limits<Real<T>>::max();
      for (const auto& other : expected) nearest = std::min(nearest, std::abs(value - other));
      distance = std::max(distance, static_cast<double>(nearest));
    }
    CHECK(distance <= 1000 * epsilon<T> * size_of(whole));
  });
}

TEST_CASE("cuSOLVER: eigenvalues of matrices that are hard") {
  const Handle handle;
  for_all_types([&](auto zero) {
    using T = decltype(zero);
    constexpr int n = 8;
    // Without other shifts the steps leave this one as it is.
    Whole<T> round(n, n);
    for (int i = 0; i < n; ++i) round((i + 1) % n, i) = 1;
    check_values(round, find(handle, round));
    check_values(identity<T>(n), find(handle, identity<T>(n)));
    check_values(Whole<T>(n, n), find(handle, Whole<T>(n, n)));
    const Whole<T> triangle = one_triangle(random_whole<T>(n, n, 720), true, T(0));
    check_values(triangle, find(handle, triangle));
    // All its eigenvalues are equal, and all its eigenvectors: one block of Jordan's.
    Whole<T> block = identity<T>(n);
    for (int i = 0; i + 1 < n; ++i) block(i, i + 1) = 1;
    check_values(block, find(handle, block), true);
    // Numbers whose squares are too large or too small.
    for (const int exponent : {-1, 1}) {
      Whole<T> extreme = random_whole<T>(n, n, 721);
      const auto factor = static_cast<Real<T>>(
          std::ldexp(1.0, exponent * std::numeric_limits<Real<T>>::max_exponent * 3 / 4));
      const Found<T> expected = find(handle, extreme);
      for (T& element : extreme.elements) element *= factor;
      Found<T> found = find(handle, extreme);
      CHECK(found.info == 0);
      for (std::size_t j = 0; j < found.values.size(); ++j) {
        CHECK(std::abs(found.values[j] / factor - expected.values[j]) <= 1000 * epsilon<T>);
      }
      CHECK(are_near(found.vectors, expected.vectors, 1000));
    }
  });
}

TEST_CASE("cuSOLVER: eigenvalues of what is no number, and in a stream that is captured") {
  const Handle handle;
  const Params params;
  const Array<double> a(std::vector<double>(16, std::numeric_limits<double>::quiet_NaN()));
  const Array<double> w(std::vector<double>(8, 5));
  const Info info;
  Spaces spaces;
  SUCCEEDS(cusolverDnXgeev_bufferSize(handle, params, without, without, 4, CUDA_R_64F, a.get(), 4,
                                      CUDA_R_64F, w.get(), CUDA_R_64F, nullptr, 1, CUDA_R_64F,
                                      nullptr, 1, CUDA_R_64F, &spaces.on_device, &spaces.on_host));
  spaces.make();
  const auto find = [&](std::int64_t n) {
    return cusolverDnXgeev(handle, params, without, without, n, CUDA_R_64F, a.get(), 4, CUDA_R_64F,
                           w.get(), CUDA_R_64F, nullptr, 1, CUDA_R_64F, nullptr, 1, CUDA_R_64F,
                           spaces.device, spaces.on_device, spaces.host.data(), spaces.on_host,
                           info);
  };
  CHECK(find(4) == CUSOLVER_STATUS_INTERNAL_ERROR);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(info.value() == 0);
  CHECK(w.numbers() == std::vector<double>(8, 5));
  CHECK(find(1) == CUSOLVER_STATUS_SUCCESS);
  CHECK(std::isnan(w.numbers()[0]));
  libraries::Capture capture;
  SUCCEEDS(cusolverDnSetStream(handle, capture.stream()));
  capture.begin();
  // (On an H200 the process's next call of sytrf then returns INTERNAL_ERROR, once, and has done
  // its work.)
  CHECK(find(1) != CUSOLVER_STATUS_SUCCESS);
  CHECK(capture.end() == cudaErrorStreamCaptureInvalidated);
  SUCCEEDS(cusolverDnSetStream(handle, nullptr));
}

TEST_CASE("cuSOLVER: what is refused of a general matrix") {
  const Handle handle;
  const Params params;
  const OnDevice<double> a(identity<double>(4), 0);
  const OnDevice<double> vectors(identity<double>(4), 0);
  const Vector<double> w(8);
  const auto size = [&](cusolverEigMode_t left, int n, int lda, cudaDataType of_values,
                        cudaDataType of_vectors, int ldvr) {
    std::size_t on_device = 0;
    std::size_t on_host = 0;
    return cusolverDnXgeev_bufferSize(handle, params, left, with_vectors, n, CUDA_R_64F, a.get(),
                                      lda, of_values, w.get(), of_vectors, a.get(), 4, of_vectors,
                                      vectors.get(), ldvr, CUDA_R_64F, &on_device, &on_host);
  };
  constexpr auto invalid = CUSOLVER_STATUS_INVALID_VALUE;
  constexpr auto internal = CUSOLVER_STATUS_INTERNAL_ERROR;
  SUCCEEDS(size(without, 4, 4, CUDA_R_64F, CUDA_R_64F, 4));
  SUCCEEDS(size(without, 4, 4, CUDA_C_64F, CUDA_R_64F, 4));
  CHECK(size(with_vectors, 4, 4, CUDA_R_64F, CUDA_R_64F, 4) == internal);
  CHECK(size(without, -1, 4, CUDA_R_64F, CUDA_R_64F, 4) == invalid);
  CHECK(size(without, 4, 3, CUDA_R_64F, CUDA_R_64F, 4) == invalid);
  CHECK(size(without, 4, 4, CUDA_R_64F, CUDA_R_64F, 3) == invalid);
  CHECK(size(without, 4, 4, CUDA_C_32F, CUDA_R_64F, 4) == invalid);
  CHECK(size(without, 4, 4, CUDA_C_64F, CUDA_C_64F, 4) == invalid);
  const auto call = [&](int n, int lda, cudaDataType of_values, const Info& info) {
    const Array<char> space(std::vector<char>(1 << 20));
    std::vector<char> on_host(1 << 20);
    return cusolverDnXgeev(handle, params, without, with_vectors, n, CUDA_R_64F, a.get(), lda,
                           of_values, w.get(), CUDA_R_64F, nullptr, 1, CUDA_R_64F, vectors.get(), 4,
                           CUDA_R_64F, space.get(), 1 << 20, on_host.data(), 1 << 20, info);
  };
  const Info info;
  CHECK(call(4, 4, CUDA_C_32F, info) == invalid);
  CHECK(call(-1, 4, CUDA_R_64F, info) == internal);
  CHECK(call(4, 3, CUDA_R_64F, info) == internal);
  SUCCEEDS(call(0, 1, CUDA_R_64F, info));
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(info.value() == -77);
}
