/// @file
/// What the program shows of other formats: each beside the library, and the errors of their sums.
#pragma once

#include <memory>

#include "best_gemm.hpp"
#include "format_data.hpp"
#include "format_library.hpp"
#include "format_peak.hpp"
#include "turns.hpp"

namespace hopper {

/// Options of the program: which numbers are multiplied, and how they are stored.
struct FormatOptions {
  bool fp16 = false, into_fp32 = false, tf32 = false;
  bool rounding = false;
  bool transposed_A = false, transposed_B = false;
  unsigned batches = 1;

  void add_to(course::Defaults& defaults) {
    defaults.add("--fp16", &fp16, "FP16 in place of FP8");
    defaults.add("--into-fp32", &into_fp32, "likewise BF16, with C in FP32");
    defaults.add("--tf32", &tf32, "likewise TF32");
    defaults.add("--rounding", &rounding, "likewise BF16: which results are rounded once");
    defaults.add("--transposed-a", &transposed_A, "not of FP8: A is stored transposed");
    defaults.add("--transposed-b", &transposed_B, "likewise B");
    defaults.add("--batches", &batches, 1, 65535, "not of FP8: products at once");
  }
};

/// A product in other numbers, by a kernel or by the library.
template <class Product>
struct FormatRung {
  std::string name;
  std::function<void(const Product&)> launch;
};

/// Verifies the rungs on exact data, then times them in turns, and verifies what they leave.
template <class A, class B, class C, class MakeRungs>
void compare_rungs(const course::Options& options, course::Report& report, const Storing& storing,
                   double peak, const MakeRungs& rungs_of) {
  using Rung = FormatRung<ProductOf<A, B, C>>;
  {
    FormatProblem<A, B, C> exact(course::Data::exact, options, storing);
    for (const Rung& rung : rungs_of(exact.product)) {
      exact.C.poison();
      rung.launch(exact.product);
      report.check(rung.name, "exact data", exact.verify());
    }
  }
  FormatProblem<A, B, C> problem(course::Data::random, options, storing);
  const std::vector<Rung> rungs = rungs_of(problem.product);
  const std::vector<course::Timing> timings = time_in_turns<Rung>(
      options, rungs, problem,
      [&](const Rung& rung) { report.check(rung.name, "timed data", problem.verify()); });
  course::Work work = course::gemm_work(options.rows, options.cols, options.inner);
  work.bytes = static_cast<double>(problem.A.bytes() + problem.B.bytes() + problem.C.bytes());
  work.operations *= storing.batches;
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    report.add(rungs[i].name, timings[i], work);
    report.bound(rungs[i].name, peak);
  }
}

/// Numbers of 16 or 32 bits: ours and the library's.
template <class T, class C>
void compare_with_cublas(const course::Options& options, course::Report& report,
                         const std::string& name, const FormatOptions& chosen, double peak) {
  const Storing storing = {chosen.transposed_A ? Major::mn : Major::k,
                           chosen.transposed_B ? Major::k : Major::mn,
                           static_cast<int>(chosen.batches)};
  using Product = ProductOf<T, T, C>;
  std::string full = name;
  if (chosen.transposed_A) full += ", A transposed";
  if (chosen.transposed_B) full += ", B transposed";
  if (chosen.batches > 1) full += ", " + std::to_string(chosen.batches) + " matrices";
  compare_rungs<T, T, C>(options, report, storing, peak,
                         [&](const Product&) -> std::vector<FormatRung<Product>> {
                           const auto ours = std::make_shared<FormatGemm<T, T, C>>();
                           return {{full, [ours](const Product& g) { (*ours)(g); }},
                                   {"cuBLAS", [](const Product& g) { cublas_batch(g); }}};
                         });
}

/// FP8: the tensor core's own sums, with a scale per matrix and with one per row and column, and
/// promoted ones. All scales are 1. The library also has both kinds of sums.
inline void compare_fp8(const course::Options& options, course::Report& report, double peak) {
  using Product = ProductOf<E4m3, E4m3, Bf16>;
  const std::vector<float> ones(std::max(options.rows, options.cols), 1.0F);
  const auto scales = std::make_shared<course::DeviceArray<float>>(ones);
  const bool suits_lt = options.cols % 16 == 0 && options.inner % 16 == 0 && !course::on_emulator;
  const auto rungs_of = [=](const Product& on) {
    const auto with_scales = [scales](Product g, bool per_line) {
      g.scale_A = g.scale_B = {*scales, per_line};
      return g;
    };
    const auto fast = std::make_shared<FormatGemm<E4m3, E4m3, Bf16>>();
    const auto promoted = std::make_shared<FormatGemm<E4m3, E4m3, Bf16, Accumulation::promoted>>();
    std::vector<FormatRung<Product>> rungs = {
        {"FP8", [=](const Product& g) { (*fast)(with_scales(g, false)); }},
        {"FP8, scaled rows", [=](const Product& g) { (*fast)(with_scales(g, true)); }},
        {"FP8, promoted", [=](const Product& g) { (*promoted)(with_scales(g, false)); }}};
    if (suits_lt) {
      using Lt = LtProduct<E4m3, E4m3, Bf16>;
      const auto lt_fast = std::make_shared<Lt>(with_scales(on, false), true);
      const auto lt_promoted = std::make_shared<Lt>(with_scales(on, false), false);
      rungs.push_back({"cuBLAS", [=](const Product&) { (*lt_fast)(); }});
      rungs.push_back({"cuBLAS, promoted", [=](const Product&) { (*lt_promoted)(); }});
    }
    return rungs;
  };
  compare_rungs<E4m3, E4m3, Bf16>(options, report, {Major::k, Major::k}, peak, rungs_of);
}

// ---------------------------------------------------------------- errors of FP8's sums

/// The root mean square of C's errors against FP64, relative to that of C.
inline double relative_error(const std::vector<float>& C, const std::vector<double>& reference) {
  double off = 0.0;
  double all = 0.0;
  for (std::size_t i = 0; i < C.size(); ++i) {
    off += (C[i] - reference[i]) * (C[i] - reference[i]);
    all += reference[i] * reference[i];
  }
  return std::sqrt(off / all);
}

/// A table, as lines below the report: C in FP32, of normal numbers of E4M3, and of their absolute
/// values, whose sums grow as fast as their terms.
inline void note_errors_of_fp8(course::Report& report, std::uint64_t seed) {
  constexpr std::size_t side = 64;
  using Product = ProductOf<E4m3, E4m3, float>;
  report.note("Errors of FP8's sums, as parts of C (root of the mean square):");
  report.note(course::on_emulator
                  ? "   signs       k  tensor core  promoted"
                  : "   signs       k  tensor core  promoted    cuBLAS  cuBLAS, promoted");
  std::vector<std::size_t> lengths = {128, 1024};
  if (!course::on_emulator) lengths.insert(lengths.end(), {8192, 65536});
  const std::vector<float> ones = {1.0F};
  const course::DeviceArray<float> one(ones);
  for (const bool both_signs : {true, false}) {
    for (const std::size_t k : lengths) {
      course::HostMatrix A = values_of<E4m3>(course::Data::random, side, k, seed);
      course::HostMatrix B = values_of<E4m3>(course::Data::random, k, side, ~seed);
      for (std::size_t i = 0; !both_signs && i < A.size(); ++i) {
        A.data()[i] = std::abs(A[i]);
        B.data()[i] = std::abs(B[i]);
      }
      std::vector<double> reference(side * side);
      course::reference_gemm(A.data(), B.data(), side, side, k, reference.data(), nullptr);
      std::vector<E4m3> stored_A, stored_B;
      append_stored(stored_A, A, side, k, false);
      append_stored(stored_B, B, k, side, true);
      const course::DeviceArray<E4m3> on_A(stored_A);
      const course::DeviceArray<E4m3> on_B(stored_B);
      course::DeviceArray<float> C(side * side);
      const auto terms = static_cast<int>(k);
      Product g{on_A, on_B, C, side, side, terms, terms, terms, side, Major::k, Major::k};
      g.scale_A = g.scale_B = {one, false};
      std::string line(both_signs ? "    both" : "     one");
      char cell[40];
      std::snprintf(cell, sizeof cell, " %7zu", k);
      line += cell;
      const auto add = [&](const char* format) {
        std::snprintf(cell, sizeof cell, format, relative_error(C.to_host(), reference));
        line += cell;
      };
      FormatGemm<E4m3, E4m3, float>{}(g);
      add(" %12.1e");
      FormatGemm<E4m3, E4m3, float, Accumulation::promoted>{}(g);
      add(" %9.1e");
      if (!course::on_emulator) {
        LtProduct<E4m3, E4m3, float>(g, true)();
        add(" %9.1e");
        LtProduct<E4m3, E4m3, float>(g, false)();
        add(" %17.1e");
      }
      report.note(line);
    }
  }
}

// ---------------------------------------------------------------- BF16 results, rounded once?

/// Sums of whole numbers are exact in FP32: a result that differs from the rounded sum was rounded
/// more than once. Counts these, and times the library both ways.
inline void compare_rounding(const course::Options& options, course::Report& report, double peak) {
  using Product = ProductOf<Bf16, Bf16, Bf16>;
  using Rung = FormatRung<Product>;
  FormatProblem<Bf16, Bf16, Bf16> problem(course::Data::exact, options, Storing{});
  const Product& g = problem.product;
  course::DeviceArray<float> sums(options.rows * options.cols);
  FormatGemm<Bf16, Bf16, float>{}(
      {g.A, g.B, sums, g.m, g.n, g.k, g.lda, g.ldb, g.ldc, g.major_A, g.major_B});
  const std::vector<float> exact = sums.to_host();
  Gemm gemm;
  const std::vector<Rung> rungs = {{"ours",
                                    [&](const Product& p) {
                                      gemm({p.A, p.B, p.C, p.m, p.n, p.k, p.lda, p.ldb, p.ldc});
                                    }},
                                   {"cuBLAS", [](const Product& p) { cublas_batch(p); }},
                                   {"cuBLAS, rounds once", [](const Product& p) {
                                      cublas_batch(
                                          p, CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION);
                                    }}};
  const auto count_wrong = [&](const Rung& rung) {
    const std::vector<Bf16> C = problem.C.to_host();
    std::size_t wrong = 0;
    std::string first;
    for (std::size_t i = 0; i < C.size(); ++i) {
      const float expected = __bfloat162float(__float2bfloat16(exact[i]));
      const float got = __bfloat162float(C[i]);
      if (got == expected) continue;
      if (wrong++ > 0) continue;
      char text[120];
      std::snprintf(text, sizeof text, "; the first is %g, of the sum %g, which rounds to %g", got,
                    exact[i], expected);
      first = text;
    }
    report.note(rung.name + ": " + std::to_string(wrong) + " of " + std::to_string(C.size()) +
                " results are not the rounded sum" + first);
  };
  const std::vector<course::Timing> timings =
      time_in_turns<Rung>(options, rungs, problem, count_wrong);
  for (std::size_t i = 0; i < rungs.size(); ++i) {
    course::Work work = course::gemm_work(options.rows, options.cols, options.inner);
    work.bytes /= 2;  // of floats
    report.add(rungs[i].name, timings[i], work);
    report.bound(rungs[i].name, peak);
  }
  // The library's default is right by its own rules: only ours, and the exact mode, are judged.
  report.check("ours", "exact data", problem.verify());
}

// ---------------------------------------------------------------- the options

/// What the program does.
inline void compare_formats(const course::Options& options, course::Report& report,
                            const FormatOptions& chosen) {
  const auto with_peak = [&](const TensorPeak& alone, const auto& compare) {
    report.add("wgmma alone", alone.timing, {0.0, alone.operations});
    report.bound("wgmma alone", alone.gigaflops_per_s());
    compare(alone.gigaflops_per_s());
  };
  if (chosen.fp16) {
    with_peak(measure_format_peak<Half>(options), [&](double peak) {
      compare_with_cublas<Half, Half>(options, report, "FP16", chosen, peak);
    });
  } else if (chosen.into_fp32) {
    with_peak(measure_format_peak<Bf16>(options), [&](double peak) {
      compare_with_cublas<Bf16, float>(options, report, "BF16 into FP32", chosen, peak);
    });
  } else if (chosen.tf32) {
    with_peak(measure_format_peak<float>(options), [&](double peak) {
      compare_with_cublas<float, float>(options, report, "TF32", chosen, peak);
    });
  } else if (chosen.rounding) {
    with_peak(measure_format_peak<Bf16>(options),
              [&](double peak) { compare_rounding(options, report, peak); });
  } else {
    with_peak(measure_format_peak<E4m3>(options),
              [&](double peak) { compare_fp8(options, report, peak); });
    note_errors_of_fp8(report, options.seed);
  }
}

}  // namespace hopper
