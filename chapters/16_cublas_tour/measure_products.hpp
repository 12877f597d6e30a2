// Level 3 for the bench: products of all shapes and types, batches, and epilogues.
#pragma once

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "measure/registry.hpp"
#include "sampled_rows.hpp"

namespace course::measure {
namespace {

// The handle lives as long as the program, like the registry.
cublasHandle_t the_handle() {
  static cublasHandle_t handle = nullptr;
  if (handle == nullptr) CUDA_CHECK(cublasCreate(&handle));
  return handle;
}

Verdict equal(const std::vector<float>& got, const std::vector<float>& expected) {
  return same_elements(got, expected);
}

Verdict nearly(double got, double expected) {
  const bool near = std::fabs(got - expected) <= 1e-5 * std::fabs(expected);
  return {near, std::to_string(got) + ", expected " + std::to_string(expected)};
}

// y = A v in double, A column-major.
template <class T>
std::vector<double> times(const T* A, size_t m, size_t n, const std::vector<double>& v) {
  std::vector<double> y(m);
  detail::in_parallel(m, m * n, [&](size_t begin, size_t end) {
    for (size_t j = 0; j < n; ++j) {
      for (size_t i = begin; i < end; ++i) y[i] += static_cast<double>(A[j * m + i]) * v[j];
    }
  });
  return y;
}

// Freivalds' check: if C = A B, then C v = A (B v), for any v. That costs n^2 operations instead of
// n^3, and a wrong C passes with a probability of at most 1 in 15 for each v. All numbers are whole
// and below 2^53, so the two sides are exactly equal or not.
template <class In, class Out>
Verdict freivalds(size_t m, size_t n, size_t k, const In* A, const In* B, const Out* C) {
  for (int seed = 1; seed <= 3; ++seed) {
    std::vector<double> v(n);
    const ExactValues values(1, static_cast<std::uint64_t>(seed));  // -15 ... 15
    for (size_t j = 0; j < n; ++j) v[j] = values(j);
    if (times(C, m, n, v) != times(A, m, k, times(B, k, n, v)))
      return {false, "C v is not A (B v)"};
  }
  return {true, ""};
}

// A B = C, on the device and on the host.
struct Product {
  Product(size_t m_, size_t n_, size_t k_)
      : m(m_), n(n_), k(k_), A(m * k), B(k * n), C(m * n), d_A(m * k, unset), d_B(k * n, unset) {
    fill_exactly(A, m, k, 1);
    fill_exactly(B, k, n, 2);
    d_A.copy_from(A);
    d_B.copy_from(B);
  }
  void fill_exactly(std::vector<float>& target, size_t rows, size_t cols, int seed) const {
    const ExactValues values(k, static_cast<std::uint64_t>(seed));
    detail::in_parallel(cols, rows * cols, [&](size_t begin, size_t end) {
      for (size_t j = begin; j < end; ++j) {
        for (size_t i = 0; i < rows; ++i) target[j * rows + i] = values(i, j);
      }
    });
  }
  Verdict verify() { return freivalds(m, n, k, A.data(), B.data(), C.to_host().data()); }

  size_t m, n, k;
  std::vector<float> A, B;
  DeviceArray<float> C, d_A, d_B;
};

Competitor gemm_of(const std::string& name, size_t m, size_t n, size_t k) {
  const auto p = std::make_shared<Product>(m, n, k);
  return {name, [=] { p->C.poison(); },
          [=] {
            multiply(the_handle(), CUBLAS_OP_N, CUBLAS_OP_N, static_cast<int>(m),
                     static_cast<int>(n), static_cast<int>(k), 1, p->d_A, static_cast<int>(m),
                     p->d_B, static_cast<int>(k), 0, p->C, static_cast<int>(m));
          },
          [=] { return p->verify(); }};
}

// Random numbers, rounded to `In`: products of small whole numbers take less power, and more of
// them fit below the GPU's limit. Some of the result's columns are computed in FP64.
template <class In, class Out>
struct RandomProduct {
  explicit RandomProduct(size_t n)
      : A(rounded(n, 1)),
        B(rounded(n, 2)),
        d_A(std::vector<In>(A.begin(), A.end())),
        d_B(std::vector<In>(B.begin(), B.end())),
        C(n * n, unset),
        columns(B, A, n, n, n) {}  // column-major C = A B is row-major C^T = B^T A^T

  static HostMatrix rounded(size_t n, std::uint64_t seed) {
    HostMatrix x(n * n);
    fill_matrix(x.data(), n, n, Layout::column_major, RandomValues(seed));
    std::transform(x.begin(), x.end(), x.data(),
                   [](float one) { return static_cast<float>(static_cast<In>(one)); });
    return x;
  }
  Verdict verify(double tolerance) const {
    return columns.verify(C.to_host(), [=](auto... of) { return verify_within(of..., tolerance); });
  }

  HostMatrix A, B;
  DeviceArray<In> d_A, d_B;
  DeviceArray<Out> C;
  SampledRows columns;
};

// A square product by any call. Its errors: `tolerance` times the sums of the absolute terms.
template <class In, class Out, class Call>
Competitor random_product(const std::string& name, size_t n, double tolerance, Call call) {
  const auto p = std::make_shared<RandomProduct<In, Out>>(n);
  return {name, [=] { p->C.poison(); },
          [=] {
            call(static_cast<int>(n), static_cast<const In*>(p->d_A),
                 static_cast<const In*>(p->d_B), static_cast<Out*>(p->C));
          },
          [=] { return p->verify(tolerance); }};
}

// The same product in other types. Tensor cores truncate the sums that others round.
std::vector<Competitor> make_types(size_t n) {
  const auto mixed = [](cudaDataType in) {
    return [in](int k, auto* A, auto* B, auto* C) {
      multiply_mixed(the_handle(), in, CUDA_R_32F, CUBLAS_COMPUTE_32F, k, k, k, A, k, B, k, C, k);
    };
  };
  const auto plain = [](int k, auto* A, auto* B, auto* C) {
    multiply(the_handle(), CUBLAS_OP_N, CUBLAS_OP_N, k, k, k, 1, A, k, B, k, 0, C, k);
  };
  return {random_product<float, float>("gemm", n, 0x1p-18, plain),
          random_product<float, float>("gemm, TF32", n, 0x1p-10,
                                       [](int k, auto* A, auto* B, auto* C) {
                                         multiply_as(the_handle(), precisions[3], k, k, k, A, B, C);
                                       }),
          random_product<__half, float>("FP16 to FP32", n, 0x1p-16, mixed(CUDA_R_16F)),
          random_product<__nv_bfloat16, float>("BF16 to FP32", n, 0x1p-16, mixed(CUDA_R_16BF)),
          random_product<double, double>("Dgemm", n, 0x1p-18, [](int k, auto* A, auto* B, auto* C) {
            multiply(the_handle(), CUBLAS_OP_N, k, k, k, A, k, B, k, C, k);
          })};
}

// The relatives of gemm, each compared with gemm itself: their results must equal those of a gemm
// that has passed Freivalds' check.
struct GemmBaseline {
  explicit GemmBaseline(int n_)
      : n(n_),
        A(exact_matrix<float>(n, n, n, n, 1)),
        d_A(A.elements),
        right(A.elements.size()),
        C(A.elements.size()) {}
  // gemm's result for other(A) and op(B).
  std::vector<float> gemm(const std::vector<float>& left, const std::vector<float>& B) {
    d_full.copy_from(left);
    right.copy_from(B);
    multiply(the_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, 1, d_full, n, right, n, 0, C, n);
    std::vector<float> product = C.to_host();
    const auto size = static_cast<size_t>(n);
    if (!freivalds(size, size, size, left.data(), B.data(), product.data())) {
      throw Error("gemm is wrong");
    }
    return product;
  }

  int n;
  Matrix<float> A;
  DeviceArray<float> d_A, right, C;
  DeviceArray<float> d_full{A.elements.size()};
};

std::vector<Competitor> make_symm(int n) {
  const auto r = std::make_shared<GemmBaseline>(n);
  Matrix<float> full = r->A;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) full(i, j) = full(j, i);
  }
  const auto expected = r->gemm(full.elements, exact_matrix<float>(n, n, n, n, 2).elements);
  return {{"symm", [=] { r->C.poison(); },
           [=] {
             multiply_symmetric(the_handle(), CUBLAS_SIDE_LEFT, n, n, r->d_A, n, r->right, n, r->C,
                                n);
           },
           [=] { return same_elements(r->C.to_host(), expected); }},
          {"gemm for symm", [=] { r->C.poison(); },
           [=] {
             multiply(the_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, 1, r->d_full, n, r->right, n,
                      0, r->C, n);
           },
           [=] { return same_elements(r->C.to_host(), expected); }}};
}

std::vector<Competitor> make_syrk(int n) {
  const auto r = std::make_shared<GemmBaseline>(n);
  Matrix<float> turned(n, n, n);
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) turned(i, j) = r->A(j, i);
  }
  const auto product = r->gemm(r->A.elements, turned.elements);
  // Only the lower half is compared: the other one stays poisoned.
  const auto lower = [=] {
    const std::vector<float> got = r->C.to_host();
    for (int j = 0; j < n; ++j) {
      for (int i = j; i < n; ++i) {
        if (got[idx2c(i, j, n)] != product[idx2c(i, j, n)]) return Verdict{false, "lower half"};
      }
    }
    return Verdict{true, ""};
  };
  return {{"syrk", [=] { r->C.poison(); },
           [=] { multiply_by_itself(the_handle(), n, n, r->d_A, n, r->C, n); }, lower}};
}

std::vector<Competitor> make_trsm(int n) {
  const auto r = std::make_shared<GemmBaseline>(n);
  const Matrix<float> A = triangular(n, n, true, false, 1);
  Matrix<float> full = A;
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < j; ++i) full(i, j) = 0;
  }
  const std::vector<float> X = exact_matrix<float>(n, n, n, 4 * n, 2).elements;
  r->right.copy_from(r->gemm(full.elements, X));
  r->d_A.copy_from(A.elements);
  return {{"trsm",
           [=] {
             CUDA_CHECK(cudaMemcpyAsync(static_cast<float*>(r->C), static_cast<float*>(r->right),
                                        r->C.bytes(), cudaMemcpyDeviceToDevice));
           },
           [=] { solve_all(the_handle(), n, n, r->d_A, n, r->C, n); },
           [=] { return same_elements(r->C.to_host(), X); }}};
}

std::vector<Competitor> make_geam(int n) {
  const auto r = std::make_shared<GemmBaseline>(n);
  std::vector<float> turned(r->A.elements.size());
  for (int j = 0; j < n; ++j) {
    for (int i = 0; i < n; ++i) turned[idx2c(i, j, n)] = r->A(j, i);
  }
  return {{"geam, a transpose", [=] { r->C.poison(); },
           [=] { add(the_handle(), CUBLAS_OP_T, n, n, 1, r->d_A, n, 0, r->C, n, r->C, n); },
           [=] { return same_elements(r->C.to_host(), turned); }}};
}

// `count` products of n x n, in three ways.
std::vector<Competitor> make_batches(int n, int count) {
  struct Data {
    Data(int n_, int count_) : n(n_), count(count_) {
      const auto all = static_cast<size_t>(count) * n * n;
      A = exact_vector(all, static_cast<size_t>(n), 1);
      B = exact_vector(all, static_cast<size_t>(n), 2);
      d_A = std::make_unique<DeviceArray<float>>(A);
      d_B = std::make_unique<DeviceArray<float>>(B);
      C = std::make_unique<DeviceArray<float>>(all);
      const long long apart = static_cast<long long>(n) * n;
      batch = {n, n, n, count, apart, apart, apart};
      As = std::make_unique<DeviceArray<const float*>>(addresses<const float>(*d_A, apart, count));
      Bs = std::make_unique<DeviceArray<const float*>>(addresses<const float>(*d_B, apart, count));
      Cs = std::make_unique<DeviceArray<float*>>(addresses<float>(*C, apart, count));
    }
    Verdict verify() const {
      const std::vector<float> got = C->to_host();
      const auto size = static_cast<size_t>(n);
      for (int i = 0; i < count; ++i) {
        const size_t at = static_cast<size_t>(i) * size * size;
        const Verdict one_of = freivalds(size, size, size, &A[at], &B[at], &got[at]);
        if (!one_of) return one_of;
      }
      return {true, ""};
    }
    int n, count;
    Batch batch{};
    std::vector<float> A, B;
    std::unique_ptr<DeviceArray<float>> d_A, d_B, C;
    std::unique_ptr<DeviceArray<const float*>> As, Bs;
    std::unique_ptr<DeviceArray<float*>> Cs;
  };
  const auto d = std::make_shared<Data>(n, count);
  const auto poison = [=] { d->C->poison(); };
  const auto judge = [=] { return d->verify(); };
  return {
      {"one by one", poison, [=] { one_by_one(the_handle(), d->batch, *d->d_A, *d->d_B, *d->C); },
       judge},
      {"batched", poison, [=] { batched(the_handle(), d->batch, *d->As, *d->Bs, *d->Cs); }, judge},
      {"strided batched", poison,
       [=] { strided_batched(the_handle(), d->batch, *d->d_A, *d->d_B, *d->C); }, judge}};
}

// A product with few terms, a bias and ReLU: as one kernel, and as two.
std::vector<Competitor> make_epilogue(int n, int k) {
  struct Data : Product {
    Data(int n, int k)
        : Product(static_cast<size_t>(n), static_cast<size_t>(n), static_cast<size_t>(k)),
          bias(exact_vector(static_cast<size_t>(n), 4, 3)),
          d_bias(bias),
          plain(n, n, k),
          fused(n, n, k, d_bias) {
      multiply(the_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, k, 1, d_A, n, d_B, k, 0, C, n);
      if (!verify()) throw Error("gemm is wrong");
      product = C.to_host();
      active = product;
      for (size_t e = 0; e < active.size(); ++e) {
        active[e] = std::max(active[e] + bias[e % bias.size()], 0.0F);
      }
    }
    std::vector<float> bias;
    DeviceArray<float> d_bias;
    LtProduct plain, fused;
    std::vector<float> product, active;
  };
  const auto d = std::make_shared<Data>(n, k);
  const auto poison = [=] { d->C.poison(); };
  const auto gemm = [=] {
    multiply(the_handle(), CUBLAS_OP_N, CUBLAS_OP_N, n, n, k, 1, d->d_A, n, d->d_B, k, 0, d->C, n);
  };
  const auto is_product = [=] { return same_elements(d->C.to_host(), d->product); };
  const auto is_active = [=] { return same_elements(d->C.to_host(), d->active); };
  std::vector<Competitor> all = {{"gemm, few terms", poison, gemm, is_product},
                                 {"gemm, bias and ReLU", poison,
                                  [=] {
                                    gemm();
                                    launch_bias_and_relu(d->C, d->d_bias, n, n);
                                  },
                                  is_active}};
  const auto add_lt = [&](const std::string& name, const LtProduct& lt, auto judge) {
    const std::vector<Algorithm> found = lt.algorithms();
    if (found.empty()) return;
    const auto launch = [=, &lt](size_t a) { lt.launch(found[a], d->d_A, d->d_B, d->C); };
    const size_t best =
        fastest_of(found, [&](const Algorithm& one) { lt.launch(one, d->d_A, d->d_B, d->C); });
    all.push_back({name + ", first", poison, [=] { launch(0); }, judge});
    all.push_back({name + ", fastest", poison, [=] { launch(best); }, judge});
  };
  add_lt("Lt", d->plain, is_product);
  add_lt("Lt, fused", d->fused, is_active);
  return all;
}

void add_products(Registry& registry) {
  const auto add = [&](size_t m, size_t n, double k, double share, const char* bound,
                       const std::string& library, double arrays,
                       std::function<std::vector<Competitor>()> make) {
    const auto rows = static_cast<double>(m);
    const auto cols = static_cast<double>(n);
    const double elements = rows * k + k * cols + rows * cols;
    const double bytes = std::string(bound) == "fma" ? 4 * elements : 8 * rows * cols;
    registry.add(Problem{"16_cublas_tour", m, n, bytes, 2 * share * rows * cols * k, bound,
                         arrays * 5 * elements, arrays * 4 * elements, library, std::move(make)});
  };
  const auto add_gemm = [&](const std::string& name, size_t m, size_t n, size_t k) {
    add(m, n, static_cast<double>(k), 1, "fma", name, 1.5,
        [=] { return std::vector<Competitor>{gemm_of(name, m, n, k)}; });
  };
  for (const size_t n : {256, 512, 1024, 2048, 4095, 4097, 8192, 16384}) add_gemm("gemm", n, n, n);
  add_gemm("gemm, k = 16", 4096, 4096, 16);
  add_gemm("gemm", 16, 4096, 4096);
  add(4096, 4096, 4096, 1, "fma", "gemm", 6, [] { return make_types(4096); });
  add(4096, 4096, 4096, 1, "fma", "gemm for symm", 3, [] { return make_symm(4096); });
  add(4096, 4096, 4096, 0.5, "fma", "syrk", 3, [] { return make_syrk(4096); });
  add(4096, 4096, 4096, 0.5, "fma", "trsm", 3, [] { return make_trsm(4096); });
  add(8192, 8192, 0, 1, "copy", "geam, a transpose", 5, [] { return make_geam(8192); });
  constexpr int count = 1000;
  for (const int n : {16, 32, 64, 128, 256, 512}) {
    // The number of rows: the matrices of a batch side by side.
    const auto size = static_cast<size_t>(n);
    const int many = n < 512 ? count : 100;
    add(size * static_cast<size_t>(many), size, n, 1, "fma", "one by one", 4,
        [=] { return make_batches(n, many); });
  }
  add(4096, 4096, 256, 1, "fma", "gemm, few terms", 6, [] { return make_epilogue(4096, 256); });
}

}  // namespace
}  // namespace course::measure
