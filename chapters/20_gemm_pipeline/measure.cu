#define main chapter_20_main  // not the main() of the bench
#include "gemm_pipeline.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"
#include "sampled_rows.hpp"

namespace course::measure {
namespace {

HostMatrix random_matrix(std::size_t rows, std::size_t cols, std::uint64_t seed) {
  HostMatrix matrix(rows * cols);
  fill_matrix(matrix.data(), rows, cols, Layout::row_major, RandomValues(seed));
  return matrix;
}

// Everything for one shape.
struct Bench20 {
  Bench20(std::size_t m, std::size_t n, std::size_t k)
      : k(k),
        host_A(random_matrix(m, k, 1)),
        host_B(random_matrix(k, n, 2)),
        A(host_A),
        B(host_B),
        C(m * n),
        rows(host_A, host_B, m, n, k) {}

  /// Of Strassen's product, whose small elements get the errors of large ones.
  Verdict verify_by_norm() const {
    const double off = relative_error(rows, C.to_host());
    return {off <= 1e-5, "its errors are " + std::to_string(off) + " of C"};
  }

  Verdict verify() const {
    return rows.verify(C.to_host(), [this](auto... of) { return verify_bounded(of..., k); });
  }

  std::size_t k;
  HostMatrix host_A, host_B;
  DeviceArray<float> A, B, C;
  SampledRows rows;
};

void add_shape(Registry& registry, int m, int n, int k) {
  const Work work = gemm_work(m, n, k);
  const auto make = [=] {
    const auto bench = std::make_shared<Bench20>(m, n, k);
    std::vector<Competitor> all;
    for (const GemmRung& kernel : kernels) {
      if (kernel.name != "ours" && kernel.name != "cuBLAS") continue;
      all.push_back({kernel.name, [=] { bench->C.poison(); },
                     [=] { kernel.launch(bench->A, bench->B, bench->C, m, n, k); },
                     [=] { return bench->verify(); }});
    }
    if (m >= 8192 && n >= 8192 && k >= 8192) {
      all.push_back({"Strassen", [=] { bench->C.poison(); },
                     [=] { launch_strassen(bench->A, bench->B, bench->C, m, n, k); },
                     [=] { return bench->verify_by_norm(); }});
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
    registry.add(GemmKernel{"20_gemm_pipeline", kernel.name, kernel.launch, true});
  }
  registry.add(GeneralGemmKernel{"20_gemm_pipeline", "ours",
                                 [](auto... arguments) { sgemm()(arguments...); },
                                 launch_general_cublas});
  add_shape(registry, 6144, 6144, 6144);
  add_shape(registry, 12288, 12288, 12288);
  add_shape(registry, 16384, 16384, 16384);
  add_shape(registry, 8192, 512, 8192);  // few columns ...
  add_shape(registry, 512, 512, 65536);  // ... few of both, and long sums
  add_shape(registry, 100000, 64, 512);  // tall
  add_shape(registry, 64, 100000, 512);  // flat
}

}  // namespace course::measure
