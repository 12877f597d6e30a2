// Chapter 22: C = A B for BF16 on a Hopper GPU, as fast as cuBLAS. Chapter 21 ended at mma.sync.
// Now wgmma reads its matrices directly from shared memory, and tensor maps copy them there:
//
//   wgmma          one warpgroup, 64 x 128 elements of C, one stage
//   128 x 128      a tile twice as tall
//   ring           a producer thread, five stages ahead
//   two consumers  two consumer warpgroups, and registers that are reassigned
//   128 x 256      a tile twice as wide
//   block order    concurrent blocks share what they read
//   persistent     one block per multiprocessor: the next tile is copied while one is written
//   TMA store      C is also written by a tensor map
//   clusters       two blocks share each tile of B
//   ours           any shape: the function that chooses
//
// and, with options, products of FP16, TF32 and FP8, into FP32, of transposed matrices and of
// batches: format_rungs.hpp.
//
// The parts: epilogue.hpp, kernels.hpp, launch.hpp, split.hpp, costs.hpp, best_gemm.hpp,
// numbers.hpp; in common/lesson/tensor_cores: instructions.hpp, products.hpp, tiles.hpp,
// storage.hpp, pipeline.hpp.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=sm_90a -I ../../common/lesson hopper.cu -o hopper -lcublas

#include "best_gemm.hpp"
#include "course.hpp"
#include "cublas.hpp"
#include "numbers.hpp"
#include "tensor_cores/wgmma_peak.hpp"
#include "turns.hpp"

namespace hopper {

// ---------------------------------------------------------------- launchers

struct Rung {
  std::string name;
  std::function<void(const Product& g)> launch;
  bool takes_any_rows = false;  // also those that are not aligned to 16 bytes
  bool has_clusters = false;
};

// As in chapter 08: read as column-major, our C is C^T = B^T A^T.
void cublas_product(const Product& g, cublasMath_t mode) {
  if (g.m == 0 || g.n == 0) return;
  static cublasHandle_t handle = [] {
    cublasHandle_t made = nullptr;
    CUDA_CHECK(cublasCreate(&made));
    return made;
  }();
  const float one = 1.0F;
  const float zero = 0.0F;
  CUDA_CHECK(cublasSetMathMode(handle, mode));
  CUDA_CHECK(cublasGemmEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, g.n, g.m, g.k, &one, g.B, CUDA_R_16BF,
                          g.n, g.A, CUDA_R_16BF, std::max(g.k, 1), &zero, g.C, CUDA_R_16BF, g.n,
                          CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
}

void launch_cublas(const Product& g) {
  cublas_product(g, CUBLAS_DEFAULT_MATH);
}

// By default the library may round partial sums to BF16; so it is exact.
void launch_exact_cublas(const Product& g) {
  cublas_product(g, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
}

void launch_ours(const Product& g) {
  static Gemm gemm;
  gemm(g);
}

template <class Tile>
void one_stage(const Product& g) {
  if (!is_done(g)) launch_one_stage<Tile>(g);
}

template <class Tile, bool by_map>
auto ring(Schedule schedule) {
  return [schedule](const Product& g) {
    if (!is_done(g)) launch_ring<Tile, by_map>(g, schedule);
  };
}

using Large = Gemm::Large;

constexpr Cluster pairs = {2, 1};

const std::vector<Rung> kernels = {{"wgmma", one_stage<Tile<64, 128, 1, 1>>},
                                   {"128 x 128", one_stage<Tile<128, 128, 1, 1>>},
                                   {"ring", ring<Tile<128, 128, 1, 5>, false>({false, 1})},
                                   {"two consumers", ring<Tile<128, 128, 2, 5>, false>({false, 1})},
                                   {"128 x 256", ring<Large, false>({false, 1})},
                                   {"block order", ring<Large, false>({false, 16})},
                                   {"persistent", ring<Large, false>({true, 16})},
                                   {"TMA store", ring<Large, true>({true, 16})},
                                   {"clusters", ring<Large, true>({true, 16, pairs}), false, true},
                                   {"ours", launch_ours, true},
                                   {"cuBLAS", launch_cublas, true}};

// The last rungs in other orders: which is the fastest depends on the level-2 cache.
const std::vector<Rung> variants = {
    {"bands of 4", ring<Large, true>({true, 4, pairs}), false, true},
    {"bands of 8", ring<Large, true>({true, 8, pairs}), false, true},
    {"bands of 12", ring<Large, true>({true, 12, pairs}), false, true},
    {"bands of 24", ring<Large, true>({true, 24, pairs}), false, true},
    {"bands of 32", ring<Large, true>({true, 32, pairs}), false, true},
    {"128 blocks", ring<Large, true>({true, 16, pairs, 128}), false, true},
    {"2 x 2", ring<Large, true>({true, 16, {2, 2}, 128}), false, true},
    {"1 x 2", ring<Large, true>({true, 16, {1, 2}}), false, true},
    {"3 stages", ring<Tile<128, 256, 2, 3>, true>({true, 16, pairs}), false, true},
    {"128 x 128, 2", ring<Tile<128, 128, 2, 6>, true>({true, 16, pairs}), false, true},
    {"256 x 128", ring<Tile<256, 128, 2, 4>, true>({true, 8, pairs}), false, true}};

// Those that the device and this shape allow.
std::vector<Rung> rungs_here(const course::Options& options, bool all) {
  std::vector<Rung> here;
  const bool suits = options.cols % 8 == 0 && options.inner % 8 == 0;
  const auto add = [&](const Rung& rung) {
    if (rung.has_clusters && !has_clusters()) return;
    if (suits || rung.takes_any_rows) here.push_back(rung);
  };
  for (const Rung& rung : kernels) {
    if (all && rung.name == "cuBLAS") {
      for (const Rung& variant : variants) add(variant);
    }
    add(rung);
  }
  return here;
}

// ---------------------------------------------------------------- verified and timed

// A problem on the device.
struct OnDevice {
  OnDevice(const Problem& problem, const course::Options& options)
      : A(problem.A()),
        B(problem.B()),
        C(options.rows * options.cols),
        product{A,
                B,
                C,
                static_cast<int>(options.rows),
                static_cast<int>(options.cols),
                static_cast<int>(options.inner),
                static_cast<std::int64_t>(options.inner),
                static_cast<std::int64_t>(options.cols),
                static_cast<std::int64_t>(options.cols)} {}
  course::DeviceArray<Bf16> A, B, C;
  Product product;
};

void verify_and_time(const course::Options& options, course::Report& report,
                     const std::vector<Rung>& rungs) {
  const TensorPeak alone = measure_peak(options);
  report.add("wgmma alone", alone.timing, {0.0, alone.operations});
  report.bound("wgmma alone", alone.gigaflops_per_s());
  const std::size_t m = options.rows;
  const std::size_t n = options.cols;
  const std::size_t k = options.inner;
  {
    const Problem exact(course::Data::exact, m, n, k, options.seed);
    OnDevice on(exact, options);
    for (const Rung& rung : rungs) {
      on.C.poison();
      rung.launch(on.product);
      report.check(rung.name, "exact data", exact.verify(on.C.to_host()));
    }
  }
  const Problem problem(course::Data::random, m, n, k, options.seed);
  OnDevice on(problem, options);
  const std::vector<course::Timing> timings =
      time_in_turns<Rung>(options, rungs, on, [&](const Rung& rung) {
        report.check(rung.name, "timed data", problem.verify(on.C.to_host()));
      });
  course::Work work = course::gemm_work(m, n, k);
  work.bytes /= 2;  // of floats
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    report.add(rungs[i].name, timings[i], work);
    report.bound(rungs[i].name, alone.gigaflops_per_s());
  }
}

}  // namespace hopper

int main(int argc, char** argv) try {
  bool all = false;
  const course::Options options = course::parse_gemm_options(
      argc, argv, "22_hopper", "C = A B for BF16 by wgmma, rung by rung, to the speed of cuBLAS.",
      [&](course::Defaults& defaults) {
        defaults.on_gpu = {8192, 8192, 8192};
        defaults.on_emulator = {256, 256, 256};
        defaults.choose_data = false;
        defaults.add("--variants", &all, "also time the last rungs in other orders and sizes");
      });
  if (course::device().compute_capability != 90) {
    std::puts("SKIPPED: wgmma and tensor maps as here need compute capability 9.0");
    return 77;
  }
  course::Report report(options, course::CeilingKind::fma);
  hopper::verify_and_time(options, report, hopper::rungs_here(options, all));
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
