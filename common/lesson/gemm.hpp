/// @file
/// The matrix product that the GEMM chapters compute, C = A B, on the device and ready to run.
///
/// x counts columns and y rows, in grids, blocks and tiles. All matrices are row-major: A is m x k,
/// B is k x n, C is m x n.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "cpu.hpp"
#include "device.hpp"
#include "gemm_data.hpp"
#include "launchers.hpp"
#include "options.hpp"
#include "report.hpp"
#include "row_major.hpp"
#include "timing.hpp"
#include "verify.hpp"

namespace course {

/// C = A B: a problem's data on the host, and A, B and memory for C on the device.
class GemmOnDevice {
 public:
  GemmOnDevice(const Options& options, Data data)
      : problem_(make_gemm(data, options.rows, options.cols, options.inner, options.seed)),
        A(problem_.A),
        B(problem_.B),
        C(options.rows * options.cols) {}

  /// Whether C is right. Exact data is compared bit for bit.
  Verdict verify() const { return course::verify(C.to_host(), problem_); }

 private:
  GemmProblem problem_;  // before the arrays that are made from it

 public:
  DeviceArray<float> A;  ///< m x k
  DeviceArray<float> B;  ///< k x n
  DeviceArray<float> C;  ///< m x n, poisoned until a kernel writes them
};

/// A kernel of a chapter.
struct GemmRung {
  std::string name;
  GemmLauncher launch;
};

/// As for the SGEMV ladder: each kernel is verified with small whole numbers, then timed and
/// verified with the requested data, and gets a row in the report.
inline void verify_and_time(const Options& options, Report& report,
                            const std::vector<GemmRung>& rungs) {
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  const int k = static_cast<int>(options.inner);
  {
    GemmOnDevice exact(options, Data::exact);
    for (const GemmRung& rung : rungs) {
      exact.C.poison();
      rung.launch(exact.A, exact.B, exact.C, m, n, k);
      report.check(rung.name, "exact data", exact.verify());
    }
  }
  GemmOnDevice gemm(options, options.data);
  for (const GemmRung& rung : rungs) {
    const Timing timing =
        TIME_EVENTS(options, gemm.C.poison(), rung.launch(gemm.A, gemm.B, gemm.C, m, n, k));
    report.check(rung.name, "timed data", gemm.verify());
    report.add(rung.name, timing, gemm_work(options.rows, options.cols, options.inner));
  }
}

/// The same for products on the CPU. They are timed by the host's clock, wherever the program runs.
inline void verify_and_time(const Options& options, Report& report,
                            const std::vector<GemmOnCpu>& products) {
  const std::size_t m = options.rows;
  const std::size_t n = options.cols;
  const std::size_t k = options.inner;
  std::vector<float> C(m * n);
  const auto poison = [&] { std::fill(C.begin(), C.end(), std::nanf("")); };
  const auto run = [&](const GemmOnCpu& product, const GemmProblem& problem) {
    product.run(problem.A.data(), problem.B.data(), C.data(), m, n, k);
  };
  const GemmProblem exact = make_gemm(Data::exact, m, n, k, options.seed);
  for (const GemmOnCpu& product : products) {
    poison();
    run(product, exact);
    report.check(product.name, "exact data", course::verify(C, exact));
  }
  const GemmProblem gemm = make_gemm(options.data, m, n, k, options.seed);
  for (const GemmOnCpu& product : products) {
    const Timing timing = TIME_ON_CPU(poison(), run(product, gemm));
    report.check(product.name, "timed data", course::verify(C, gemm));
    report.add_on_cpu(options, product.name, product.threads, timing, gemm_work(m, n, k));
  }
}

/// Refuses a size that does not fit: A, B and C on either side; on the host also C's reference and
/// magnitude, in float64.
void require_gemm_memory(const Options& options);

/// Options of a chapter that multiplies matrices.
/// @param add_own adds the chapter's own: `[&](course::Defaults& defaults) { defaults.add(...); }`
Options parse_gemm_options(
    int argc, char** argv, const char* program, const char* description,
    const std::function<void(Defaults& defaults)>& add_own = [](Defaults&) {});

}  // namespace course

#include "compiled_once.hpp"
#if COURSE_DEFINE_HERE
#include "gemm.inl"
#endif
