#define main chapter_16_main  // not the main() of the bench
#include "cublas_tour.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"
#include "measure_products.hpp"

namespace course::measure {
namespace {

// Level 1. Results stay on the device, so that no call waits.
std::vector<Competitor> make_reading_vectors(size_t n) {
  struct Data {
    explicit Data(size_t n)
        : x(exact_vector(n, n, 1)), y(exact_vector(n, n, 2)), d_x(x), d_y(y), sum(1), index(1) {
      x[n / 3] = 20;  // the largest
      d_x.copy_from(x);
      for (size_t i = 0; i < n; ++i) {
        dot += static_cast<double>(x[i]) * y[i];
        squares += static_cast<double>(x[i]) * x[i];
        absolutes += std::fabs(x[i]);
      }
    }
    std::vector<float> x, y;
    DeviceArray<float> d_x, d_y, sum;
    DeviceArray<int> index;
    double dot = 0, squares = 0, absolutes = 0;
  };
  const auto d = std::make_shared<Data>(n);
  const auto h = the_handle();
  const int count = static_cast<int>(n);
  const auto on_device = [=](auto call) {
    return [=] {
      CUDA_CHECK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_DEVICE));
      call();
      CUDA_CHECK(cublasSetPointerMode(h, CUBLAS_POINTER_MODE_HOST));
    };
  };
  const auto poison = [=] {
    d->sum.poison();
    d->index.poison();
  };
  const auto sum_is = [=](double expected) {
    return [=] { return nearly(d->sum.to_host()[0], expected); };
  };
  const double bytes = 4.0 * static_cast<double>(n);
  return {
      {"dot", poison,
       on_device([=] { CUDA_CHECK(cublasSdot(h, count, d->d_x, 1, d->d_y, 1, d->sum)); }),
       sum_is(d->dot), 2 * bytes},
      {"nrm2", poison, on_device([=] { CUDA_CHECK(cublasSnrm2(h, count, d->d_x, 1, d->sum)); }),
       sum_is(std::sqrt(d->squares)), bytes},
      {"asum", poison, on_device([=] { CUDA_CHECK(cublasSasum(h, count, d->d_x, 1, d->sum)); }),
       sum_is(d->absolutes), bytes},
      {"amax", poison, on_device([=] { CUDA_CHECK(cublasIsamax(h, count, d->d_x, 1, d->index)); }),
       [=] { return nearly(d->index.to_host()[0], static_cast<double>(n / 3 + 1)); }, bytes}};
}

std::vector<Competitor> make_writing_vectors(size_t n) {
  struct Data {
    explicit Data(size_t n)
        : x(exact_vector(n, 4, 1)), y(exact_vector(n, 4, 2)), sum(n), d_x(x), before(y), d_y(n) {
      for (size_t i = 0; i < n; ++i) sum[i] = 3 * x[i] + y[i];
    }
    std::vector<float> x, y, sum;
    DeviceArray<float> d_x, before, d_y;
  };
  const auto d = std::make_shared<Data>(n);
  const auto h = the_handle();
  const int count = static_cast<int>(n);
  const auto restore = [=] {
    CUDA_CHECK(cudaMemcpyAsync(static_cast<float*>(d->d_y), static_cast<float*>(d->before),
                               d->d_y.bytes(), cudaMemcpyDeviceToDevice));
  };
  return {{"axpy", restore, [=] { add_scaled(h, count, 3, d->d_x, 1, d->d_y, 1); },
           [=] { return equal(d->d_y.to_host(), d->sum); }},
          {"copy", restore, [=] { CUDA_CHECK(cublasScopy(h, count, d->d_x, 1, d->d_y, 1)); },
           [=] { return equal(d->d_y.to_host(), d->x); }, 8.0 * static_cast<double>(n)}};
}

// Level 2. A transposed product reads the same bytes as a row-major one.
std::vector<Competitor> make_gemv(size_t m, size_t n) {
  struct Data {
    Data(size_t m, size_t n, bool transposed)
        : problem(transposed ? make_sgemv(course::Data::exact, n, m, Layout::row_major)
                             : make_sgemv(course::Data::exact, m, n, Layout::column_major)),
          A(problem.A),
          x(problem.x),
          y(problem.rows) {}
    SgemvProblem problem;
    DeviceArray<float> A, x, y;
  };
  std::vector<Competitor> all;
  for (const bool transposed : {false, true}) {
    const auto d = std::make_shared<Data>(m, n, transposed);
    const auto op = transposed ? CUBLAS_OP_T : CUBLAS_OP_N;
    all.push_back({transposed ? "gemv, transposed" : "gemv", [=] { d->y.poison(); },
                   [=] {
                     multiply(the_handle(), op, static_cast<int>(m), static_cast<int>(n), d->A,
                              static_cast<int>(m), d->x, 1, d->y, 1);
                   },
                   [=] { return verify(d->y.to_host(), d->problem); }});
  }
  return all;
}

std::vector<Competitor> make_ger(int n) {
  struct Data {
    explicit Data(int n)
        : A(exact_matrix<float>(n, n, n, 4, 1)),
          x(exact_vector(static_cast<size_t>(n), 4, 2)),
          before(A.elements),
          d_x(x),
          d_A(A.elements.size()) {
      for (int j = 0; j < n; ++j) {
        for (int i = 0; i < n; ++i) A(i, j) += 2 * x[i] * x[j];
      }
    }
    Matrix<float> A;
    std::vector<float> x;
    DeviceArray<float> before, d_x, d_A;
  };
  const auto d = std::make_shared<Data>(n);
  return {{"ger",
           [=] {
             CUDA_CHECK(cudaMemcpyAsync(static_cast<float*>(d->d_A), static_cast<float*>(d->before),
                                        d->d_A.bytes(), cudaMemcpyDeviceToDevice));
           },
           [=] { add_outer_product(the_handle(), n, n, 2, d->d_x, d->d_x, d->d_A, n); },
           [=] { return equal(d->d_A.to_host(), d->A.elements); }}};
}

std::vector<Competitor> make_symv(int n) {
  struct Data {
    explicit Data(int n)
        : A(exact_matrix<float>(n, n, n, n, 1)),
          x(exact_strided<float>(n, 1, n, 2)),
          y(n, 1),
          d_A(A.elements),
          d_x(x.elements),
          d_y(y.elements.size()) {
      std::vector<double> sums(y.elements.size());
      for (int j = 0; j < n; ++j) {
        sums[j] += static_cast<double>(A(j, j)) * x[j];
        for (int i = j + 1; i < n; ++i) {
          sums[i] += static_cast<double>(A(i, j)) * x[j];
          sums[j] += static_cast<double>(A(i, j)) * x[i];
        }
      }
      for (int i = 0; i < n; ++i) y[i] = static_cast<float>(sums[i]);
    }
    Matrix<float> A;
    Vector<float> x, y;
    DeviceArray<float> d_A, d_x, d_y;
  };
  const auto d = std::make_shared<Data>(n);
  std::vector<Competitor> all;
  for (const auto mode : {CUBLAS_ATOMICS_NOT_ALLOWED, CUBLAS_ATOMICS_ALLOWED}) {
    all.push_back({mode == CUBLAS_ATOMICS_ALLOWED ? "symv, atomics" : "symv",
                   [=] { d->d_y.poison(); },
                   [=] {
                     CUDA_CHECK(cublasSetAtomicsMode(the_handle(), mode));
                     multiply_symmetric(the_handle(), n, d->d_A, n, d->d_x, d->d_y);
                     CUDA_CHECK(cublasSetAtomicsMode(the_handle(), CUBLAS_ATOMICS_NOT_ALLOWED));
                   },
                   [=] { return equal(d->d_y.to_host(), d->y.elements); }});
  }
  return all;
}

std::vector<Competitor> make_trsv(int n) {
  struct Data {
    explicit Data(int n)
        : x(exact_strided<float>(n, 1, 4 * n, 2)), A(triangular(n, n, true, false, 1)) {
      std::vector<double> sums(x.elements.size());
      for (int j = 0; j < n; ++j) {
        for (int i = j; i < n; ++i) sums[i] += static_cast<double>(A(i, j)) * x[j];
      }
      d_A.copy_from(A.elements);
      b.copy_from(std::vector<float>(sums.begin(), sums.end()));
    }
    Vector<float> x;
    Matrix<float> A;
    DeviceArray<float> d_A{A.elements.size()}, b{x.elements.size()}, d_x{x.elements.size()};
  };
  const auto d = std::make_shared<Data>(n);
  return {{"trsv",
           [=] {
             CUDA_CHECK(cudaMemcpyAsync(static_cast<float*>(d->d_x), static_cast<float*>(d->b),
                                        d->b.bytes(), cudaMemcpyDeviceToDevice));
           },
           [=] {
             solve(the_handle(), CUBLAS_FILL_MODE_LOWER, CUBLAS_OP_N, CUBLAS_DIAG_NON_UNIT, n,
                   d->d_A, n, d->d_x);
           },
           [=] { return equal(d->d_x.to_host(), d->x.elements); }}};
}

}  // namespace

void add_chapter_16(Registry& registry) {
  add_products(registry);
  for (const size_t n : {size_t{1} << 16, size_t{1} << 26}) {
    const double bytes = 4.0 * static_cast<double>(n);
    registry.add(Problem{"16_cublas_tour", n, 1, 2 * bytes, 2.0 * static_cast<double>(n), "read",
                         4 * bytes, 2.1 * bytes, "dot", [n] { return make_reading_vectors(n); }});
    registry.add(Problem{"16_cublas_tour", n, 1, 3 * bytes, 2.0 * static_cast<double>(n), "triad",
                         6 * bytes, 3.1 * bytes, "axpy", [n] { return make_writing_vectors(n); }});
  }
  const auto add_level_2 = [&](size_t m, size_t n, double share, const char* bound,
                               const char* name, auto make) {
    const double elements = static_cast<double>(m) * static_cast<double>(n);
    registry.add(Problem{"16_cublas_tour", m, n, 4 * share * elements, 2 * elements, bound,
                         16 * elements, 9 * elements, name, make});
  };
  const std::pair<size_t, size_t> shapes[] = {
      {4096, 4096}, {16384, 16384}, {1 << 20, 64}, {64, 1 << 20}};
  for (const auto& [m, n] : shapes) {
    add_level_2(m, n, 1, "read", "gemv", [m, n] { return make_gemv(m, n); });
  }
  add_level_2(8192, 8192, 2, "copy", "ger", [] { return make_ger(8192); });
  add_level_2(16384, 16384, 0.5, "read", "symv", [] { return make_symv(16384); });
  add_level_2(8192, 8192, 0.5, "read", "trsv", [] { return make_trsv(8192); });
}

}  // namespace course::measure
