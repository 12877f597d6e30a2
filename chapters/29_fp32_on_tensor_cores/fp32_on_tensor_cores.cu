// Chapter 29: C = A B for floats, with the accuracy of FP32, by tensor cores, which multiply short
// numbers. A float is written as a sum of short numbers, and the product of two as several
// products:
//
//   TF32              one product, of rounded floats: 11 bits
//   TF32 x 3          with two corrections, by mma.sync; sums truncated by the tensor core, or
//                     promoted
//   BF16 x 3, 6, 9    more and shorter parts, with any exponent
//   FP16 x 3          halves, unscaled; then rows and columns are scaled by powers of two
//   INT8 x 10         slices of fixed-point numbers, and sums that are exact
//   wgmma ...         the best of them at Hopper's speed, the splitting a pass of its own
//   ours              any shape: tensor cores where they pay, else chapter 20's product
//
// The parts: short_numbers.hpp, warp_products.hpp, scaling.hpp, packed.hpp, group_products.hpp,
// launch.hpp, rungs.hpp, accuracy.hpp.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=sm_90a -I ../../common/lesson fp32_on_tensor_cores.cu
//        -o fp32_on_tensor_cores -lcublas

#include <cstring>

#include "accuracy.hpp"
#include "rungs.hpp"

namespace fp32 {

// Errors of every rung, for numbers of these kinds, as tables below the report's.
void note_errors(const course::Options& options, course::Report& report,
                 const std::vector<Rung>& rungs, const std::vector<NamedKind>& chosen) {
  std::vector<std::vector<Errors>> errors;  // by kind, then rung
  for (const NamedKind& kind : chosen) {
    AccuracyProblem problem(kind.kind, static_cast<int>(options.rows),
                            static_cast<int>(options.cols), static_cast<int>(options.inner),
                            options.seed);
    std::vector<Errors>& of_kind = errors.emplace_back();
    for (const Rung& rung : rungs) of_kind.push_back(problem.errors(rung.launch));
  }
  const auto table = [&](const char* which, float Errors::*figure) {
    std::string line(26, ' ');
    line.replace(0, std::strlen(which), which);
    char text[40];
    for (const NamedKind& kind : chosen) {
      std::snprintf(text, sizeof text, "%13s", kind.name);
      line += text;
    }
    report.note(line);
    for (std::size_t i = 0; i < rungs.size(); ++i) {
      line = rungs[i].name;
      line.resize(26, ' ');
      for (const std::vector<Errors>& of_kind : errors) {
        std::snprintf(text, sizeof text, "%13.3g", of_kind[i].*figure);
        line += text;
      }
      report.note(line);
    }
  };
  report.note("errors, in units of 2^-24 times the sum of the terms' magnitudes");
  table("largest", &Errors::largest);
  table("99.9 % are below", &Errors::most);
  table("mean", &Errors::mean);
}

// Sampled rows, compared with FP64: exact data without an error, others within the rung's bound.
course::Verdict verdict(AccuracyProblem& problem, double bound) {
  const double largest = static_cast<double>(problem.errors().largest) * 0x1p-24;
  char text[80];
  std::snprintf(text, sizeof text, "an error of %.3g, where %.3g is allowed", largest, bound);
  return {largest <= bound, text};
}

void verify_and_time(const course::Options& options, course::Report& report,
                     const std::vector<Rung>& rungs) {
  const int m = static_cast<int>(options.rows);
  const int n = static_cast<int>(options.cols);
  const int k = static_cast<int>(options.inner);
  {
    AccuracyProblem exact(Kind::whole, m, n, k, options.seed);
    for (const Rung& rung : rungs) {
      exact.poison();
      exact.launch(rung.launch);
      report.check(rung.name, "exact data", verdict(exact, 0.0));
    }
  }
  AccuracyProblem problem(Kind::normal, m, n, k, options.seed);
  for (const Rung& rung : rungs) {
    const course::Timing timing =
        TIME_EVENTS(options, problem.poison(), problem.launch(rung.launch));
    report.check(rung.name, "timed data", verdict(problem, rung.bound(options.inner)));
    report.add(rung.name, timing, course::gemm_work(options.rows, options.cols, options.inner));
  }
}

}  // namespace fp32

int main(int argc, char** argv) try {
  bool all_kinds = false;
  bool is_fast = false;
  bool with_variants = false;
  const course::Options options = course::parse_gemm_options(
      argc, argv, "29_fp32_on_tensor_cores",
      "C = A B for floats by tensor cores, with the accuracy of FP32.",
      [&](course::Defaults& defaults) {
        defaults.on_gpu = {4096, 4096, 4096};
        defaults.on_emulator = {64, 128, 256};
        defaults.choose_data = false;
        defaults.add("--kinds", &all_kinds, "errors for all kinds of numbers, not only for normal");
        defaults.add("--wgmma", &is_fast, "only what is done by wgmma, and the library");
        defaults.add("--variants", &with_variants, "also other tiles and intervals");
      });
  if (course::device().compute_capability < 80) {
    std::puts("SKIPPED: BF16 and TF32 need compute capability 8.0");
    return 77;
  }
  const std::vector<fp32::Rung> rungs = fp32::rungs_here(is_fast, with_variants);
  course::Report report(options, course::CeilingKind::fma);
  fp32::verify_and_time(options, report, rungs);
  const std::size_t count = all_kinds ? std::size(fp32::kinds) : 1;
  fp32::note_errors(options, report, rungs, {fp32::kinds, fp32::kinds + count});
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
