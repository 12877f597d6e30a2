#define main chapter_20_main  // not the main() of the bench
#include "gemm_pipeline.cu"
#undef main

#include <memory>

#include "registry.hpp"

namespace course::measure {
namespace {

// A product too large, or too long, to be computed on the CPU: 64 rows of it are.
struct Bench20 {
  Bench20(std::size_t m, std::size_t n, std::size_t k)
      : n(n), k(k), host_A(m * k), host_B(k * n), C(m * n) {
    fill_matrix(host_A.data(), m, k, Layout::row_major, RandomValues(1));
    fill_matrix(host_B.data(), k, n, Layout::row_major, RandomValues(2));
    A = std::make_unique<DeviceArray<float>>(host_A);
    B = std::make_unique<DeviceArray<float>>(host_B);
    for (std::size_t i = 0; i < 64; ++i) rows.push_back(i * (m - 1) / 63);
    std::vector<float> some(rows.size() * k);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(host_A.data() + rows[i] * k, k, some.data() + i * k);
    }
    reference.resize(rows.size() * n);
    magnitude.resize(rows.size() * n);
    reference_gemm(some.data(), host_B.data(), rows.size(), n, k, reference.data(),
                   magnitude.data());
  }

  Verdict verify() const {
    const std::vector<float> all = C.to_host();
    std::vector<float> some(rows.size() * n);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      std::copy_n(all.data() + rows[i] * n, n, some.data() + i * n);
    }
    return verify_bounded(some.data(), reference.data(), magnitude.data(), rows.size(), n, k);
  }

  std::size_t n, k;
  HostMatrix host_A, host_B;
  std::unique_ptr<DeviceArray<float>> A, B;
  DeviceArray<float> C;
  std::vector<std::size_t> rows;
  std::vector<double> reference, magnitude;
};

void add_shape(Registry& registry, int m, int n, int k) {
  const Work work = gemm_work(m, n, k);
  const auto make = [=] {
    const auto bench = std::make_shared<Bench20>(m, n, k);
    std::vector<Contestant> all;
    for (const GemmRung& kernel : kernels) {
      if (kernel.name != "ours" && kernel.name != "cuBLAS") continue;
      all.push_back({kernel.name, [=] { bench->C.poison(); },
                     [=] { kernel.launch(*bench->A, *bench->B, bench->C, m, n, k); },
                     [=] { return bench->verify(); }});
    }
    return all;
  };
  registry.add(Problem{"20_gemm_pipeline", std::size_t(m), std::size_t(n), work.bytes,
                       work.operations, "fma", 2.0 * work.bytes, 2.2 * work.bytes, "cuBLAS", make,
                       std::size_t(k)});
}

}  // namespace

void add_chapter_20(Registry& registry) {
  for (const GemmRung& kernel : kernels_here()) {
    registry.add(
        GemmKernel{"20_gemm_pipeline", kernel.name, kernel.launch, true, kernel.name == "ours"});
  }
  add_shape(registry, 6144, 6144, 6144);
  add_shape(registry, 16384, 16384, 16384);
  add_shape(registry, 8192, 512, 8192);  // few columns ...
  add_shape(registry, 512, 512, 65536);  // ... few of both, and long sums
  add_shape(registry, 100000, 64, 512);  // tall
  add_shape(registry, 64, 100000, 512);  // flat
}

}  // namespace course::measure
