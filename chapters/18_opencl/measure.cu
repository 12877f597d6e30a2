#define main chapter_18_main  // not the main() of the bench
#include "opencl.cu"
#undef main

#include <memory>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

// C = A B for both, each in its own memory: an OpenCL buffer is not a CUDA pointer, even on the
// same GPU.
struct ProductBench {
  ProductBench(const PlatformDevice& place, int m, int n, int k)
      : problem(make_gemm(Data::exact, static_cast<std::size_t>(m), static_cast<std::size_t>(n),
                          static_cast<std::size_t>(k))),
        products(place, defines, ProgramOptions().kernels),
        matrices(matrices_of(products, problem)),
        A(problem.A),
        B(problem.B),
        C(problem.m * problem.n) {}

  BuildOptions defines;
  GemmProblem problem;
  OpenClProducts products;
  Matrices matrices;
  DeviceArray<float> A, B, C;
};

// The bench uses CUDA's events, which do not cover OpenCL's queue. So each launch waits for its
// end, on either side, and the time is the host's: the kernel and the latency of the launch and of
// the wait.
std::vector<Competitor> make_products(const PlatformDevice& place, int m, int n, int k) {
  const auto bench = std::make_shared<ProductBench>(place, m, n, k);
  const auto compiled = twins(bench->defines);
  std::vector<Competitor> all;
  for (const Rung& rung : rungs(bench->defines)) {
    all.push_back(
        {"OpenCL " + rung.name, [=] { bench->products.poison(bench->matrices); },
         [=] {
           opencl::launch(bench->products, rung, bench->matrices);
           bench->products.queue().finish();
         },
         [=] { return course::verify(bench->products.to_host(bench->matrices), bench->problem); }});
    const GemmLauncher launch = compiled.at(rung.name);
    all.push_back({"CUDA " + rung.name, [=] { bench->C.poison(); },
                   [=] {
                     launch(bench->A, bench->B, bench->C, m, n, k);
                     CUDA_CHECK(cudaStreamSynchronize(nullptr));
                   },
                   [=] { return course::verify(bench->C.to_host(), bench->problem); }});
  }
  return all;
}

}  // namespace

// Without a GPU in OpenCL there is nothing to compare.
void add_chapter_18(Registry& registry) {
  const auto place = choose(all_devices(), "");
  if (!place || !place->is_gpu()) {
    std::fprintf(stderr, "18_opencl: left out, OpenCL finds no GPU (see ./course run 18 --list)\n");
    return;
  }
  struct Shape {
    int m, n, k;
  };
  for (const Shape& shape :
       {Shape{1024, 1024, 1024}, {1000, 1500, 700}, {2048, 2048, 2048}, {4096, 4096, 4096}}) {
    const auto [m, n, k] = shape;
    const Work work = gemm_work(static_cast<std::size_t>(m), static_cast<std::size_t>(n),
                                static_cast<std::size_t>(k));
    registry.add(Problem{"18_opencl", static_cast<std::size_t>(m), static_cast<std::size_t>(n),
                         work.bytes, work.operations, "fma", 5 * work.bytes, 2.2 * work.bytes,
                         "CUDA 8 x 8", [=] { return make_products(*place, m, n, k); },
                         static_cast<std::size_t>(k)});
  }
}

}  // namespace course::measure
