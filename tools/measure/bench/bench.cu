#include "bench/bench.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/chapter_filter.hpp"
#include "bench/drawn.hpp"
#include "bench/machine.hpp"
#include "bench/measurements.hpp"
#include "bench/timing_session.hpp"
#include "ceiling.hpp"
#include "device.hpp"
#include "report.hpp"

namespace course::measure {
namespace {

std::string utc_now() {
  const std::time_t now = std::time(nullptr);
  std::tm parts{};
  gmtime_r(&now, &parts);
  char text[32];
  std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
  return text;
}

class Bench {
 public:
  Bench(const MeasureOptions& options, const Registry& registry, ClockWatch& watch)
      : registry_(registry),
        wanted_(options.chapters),
        quick_(options.quick),
        session_(options, watch) {
    options_.program = "measure";
    options_.repeat = options.repeat;
    matrices_ = matrix_shapes();
    vectors_ = vector_sizes();
    products_ = product_shapes();
    if (quick_) {
      matrices_.resize(1);
      vectors_.resize(1);
      products_.resize(1);
    }
  }

  Measurement run(const MeasureOptions& options) {
    Measurement& result = session_.result();
    result.machine = describe_machine(session_.watch());
    warm_up();
    for (const CeilingKind kind : ceiling_kinds) {
      if (!is_link(kind) || bounds_a_problem(ceiling_name(kind))) measure_ceiling_of(kind);
    }
    for (const OwnCeiling& own : registry_.ceilings) {
      if (bounds_a_problem(own.name)) record_ceiling([&] { return own.measure(options_); });
    }
    result.latency = measure_latency(options_);
    std::fprintf(stderr, "latency: %.0f ns\n", result.latency.median_ms);
    if (options.random > 0) {
      measure_drawn(options, registry_, session_.watch(), session_.cold(), result);
      for (const DrawnProblems& drawn : registry_.drawn_problems) {
        if (!wanted_(drawn.chapter)) continue;
        for (int number = 0; number < options.random; ++number) {
          measure_drawn_problem(session_, drawn.draw(number, options.seed));
        }
      }
    } else {
      measure_everything();
    }
    result.date = utc_now();
    return result;
  }

 private:
  void measure_everything() {
    if (any_wanted(registry_.saxpy)) {
      for (const std::size_t n : vectors_) measure_saxpy(session_, registry_, n);
    }
    if (any_wanted(registry_.sgemv)) {
      for (const MatrixShape& shape : matrices_) {
        measure_sgemv(session_, registry_, wanted_, shape, Layout::row_major);
        measure_sgemv(session_, registry_, wanted_, shape, Layout::column_major);
      }
    }
    for (const ProductShape& shape : products_) {
      if (std::any_of(registry_.gemm.begin(), registry_.gemm.end(), [&](const GemmKernel& kernel) {
            return is_measured(kernel, shape, wanted_);
          })) {
        measure_gemm(session_, registry_, wanted_, shape);
      }
    }
    std::string chapter;
    for (const Problem& problem : registry_.problems) {
      const bool is_first = problem.chapter != chapter;
      chapter = problem.chapter;
      if (wanted_(chapter) && (is_first || !quick_)) measure_problem(session_, problem);
    }
  }

  template <class Kernel>
  bool any_wanted(const std::vector<Kernel>& kernels) const {
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const Kernel& kernel) { return wanted_(kernel.chapter); });
  }

  bool bounds_a_problem(const std::string& ceiling) const {
    return std::any_of(registry_.problems.begin(), registry_.problems.end(),
                       [&](const Problem& problem) {
                         return wanted_(problem.chapter) && problem.bound == ceiling;
                       });
  }

  /// An idle GPU saves power: its clocks take a moment to rise.
  void warm_up() {
    DeviceArray<float> sink(1);
    HostTimer host;
    host.start();
    while (host.stop() < 500.0) {
      launch_ceiling(CeilingKind::fma, 16 * device().multiprocessors, nullptr, nullptr, 0, sink);
      CUDA_CHECK(cudaDeviceSynchronize());
    }
  }

  void measure_ceiling_of(CeilingKind kind) {
    record_ceiling([&] {
      return measure_ceiling(kind, options_, [&] { session_.make_cold(ceiling_name(kind)); });
    });
  }

  template <class Measure>
  void record_ceiling(const Measure& measure) {
    session_.watch().begin();
    const Ceiling ceiling = measure();
    CeilingRecord record;
    record.clocks = session_.clocks();
    record.name = ceiling.name;
    record.gb_per_s = ceiling.gigabytes_per_s;
    record.gflop_per_s = ceiling.gigaflops_per_s;
    record.bytes = ceiling.bytes;
    record.operations = ceiling.operations;
    record.blocks_per_multiprocessor = ceiling.blocks_per_multiprocessor;
    record.timing = ceiling.timing;
    if (record.gb_per_s > 0) {
      std::fprintf(stderr, "ceiling %s: %.0f GB/s\n", record.name.c_str(), record.gb_per_s);
    } else {
      std::fprintf(stderr, "ceiling %s: %.0f GFLOP/s\n", record.name.c_str(), record.gflop_per_s);
    }
    session_.result().ceilings.push_back(record);
  }

  const Registry& registry_;
  ChapterFilter wanted_;
  bool quick_;
  Options options_;
  std::vector<MatrixShape> matrices_;
  std::vector<ProductShape> products_;
  std::vector<std::size_t> vectors_;
  TimingSession session_;
};

}  // namespace

const SgemvKernel& library_kernel(const Registry& registry, Layout layout) {
  for (const SgemvKernel& kernel : registry.sgemv) {
    if (kernel.chapter == "07_cublas" && kernel.layout == layout) return kernel;
  }
  throw std::runtime_error("chapter 07_cublas registers no kernel for this layout");
}

const GemmKernel& library_product(const Registry& registry) {
  for (const GemmKernel& kernel : registry.gemm) {
    if (kernel.name == "cuBLAS") return kernel;
  }
  throw std::runtime_error("no chapter registers cuBLAS's product of matrices");
}

Measurement run_bench(const MeasureOptions& options, const Registry& registry, ClockWatch& watch) {
  return Bench(options, registry, watch).run(options);
}

}  // namespace course::measure
