#include "bench/bench.hpp"

#include <algorithm>
#include <cstdio>
#include <ctime>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/alternate.hpp"
#include "bench/cold_cache.hpp"
#include "bench/drawn.hpp"
#include "bench/machine.hpp"
#include "ceiling.hpp"
#include "data.hpp"
#include "device.hpp"
#include "gemm.hpp"
#include "report.hpp"
#include "results/results_file.hpp"
#include "sgemv.hpp"
#include "verify.hpp"

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
      : registry_(registry), watch_(watch), chapters_(options.chapters) {
    plan_.samples = options.repeat;
    if (options.quick) plan_.milliseconds = 0;
    options_.program = "measure";
    options_.repeat = options.repeat;
    matrices_ = matrix_shapes();
    vectors_ = vector_sizes();
    products_ = product_shapes();
    if (options.quick) {
      matrices_.resize(1);
      vectors_.resize(1);
      products_.resize(1);
    }
    quick_ = options.quick;
    result_.quick = options.quick;
  }

  Measurement run(const MeasureOptions& options) {
    result_.machine = describe_machine(watch_);
    warm_up();
    for (const CeilingKind kind : ceiling_kinds) {
      if (!is_link(kind) || bounds_a_problem(ceiling_name(kind))) measure_ceiling_of(kind);
    }
    for (const OwnCeiling& own : registry_.ceilings) {
      if (bounds_a_problem(own.name)) record_ceiling([&] { return own.measure(options_); });
    }
    result_.latency = measure_latency(options_);
    std::fprintf(stderr, "latency: %.0f ns\n", result_.latency.median_ms);
    options.random > 0 ? measure_drawn(options, registry_, watch_, cold_, result_)
                       : measure_everything();
    result_.date = utc_now();
    return result_;
  }

 private:
  void measure_everything() {
    if (any_wanted(registry_.saxpy)) {
      for (const std::size_t n : vectors_) measure_saxpy(n);
    }
    if (any_wanted(registry_.sgemv)) {
      for (const MatrixShape shape : matrices_) {
        measure_sgemv(shape, Layout::row_major);
        measure_sgemv(shape, Layout::column_major);
      }
    }
    for (const ProductShape& shape : products_) {
      if (std::any_of(registry_.gemm.begin(), registry_.gemm.end(),
                      [&](const GemmKernel& kernel) { return wanted_at(kernel, shape); })) {
        measure_gemm(shape);
      }
    }
    std::string chapter;
    for (const Problem& problem : registry_.problems) {
      const bool is_first = problem.chapter != chapter;
      chapter = problem.chapter;
      if (wanted(chapter) && (is_first || !quick_)) measure_problem(problem);
    }
  }

  bool wanted(const std::string& chapter) const {
    return chapters_.empty() ||
           std::any_of(chapters_.begin(), chapters_.end(), [&](const std::string& number) {
             return chapter.starts_with(number + "_");
           });
  }
  bool wanted_at(const GemmKernel& kernel, const ProductShape& shape) const {
    return wanted(kernel.chapter) && (kernel.large || !shape.large);
  }
  template <class Kernel>
  bool any_wanted(const std::vector<Kernel>& kernels) const {
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const Kernel& kernel) { return wanted(kernel.chapter); });
  }

  bool bounds_a_problem(const std::string& ceiling) const {
    return std::any_of(registry_.problems.begin(), registry_.problems.end(),
                       [&](const Problem& problem) {
                         return wanted(problem.chapter) && problem.bound == ceiling;
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
    record_ceiling(
        [&] { return measure_ceiling(kind, options_, [&] { make_cold(ceiling_name(kind)); }); });
  }

  template <class Measure>
  void record_ceiling(const Measure& measure) {
    watch_.begin();
    const Ceiling ceiling = measure();
    CeilingRecord record;
    record.clocks = watch_.end();
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
    result_.ceilings.push_back(record);
  }

  /// False, with a line that says so, if a shape needs more memory than there is.
  static bool fits(const std::string& shape, double host_bytes, double device_bytes) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    const bool fit = device_bytes < static_cast<double>(free_bytes) &&
                     host_bytes < static_cast<double>(available_host_bytes());
    if (!fit) {
      std::fprintf(stderr, "%s: left out, it needs %.1f GiB on the GPU and %.1f GiB beside it\n",
                   shape.c_str(), device_bytes / 0x1p30, host_bytes / 0x1p30);
    }
    return fit;
  }

  /// Small problems are measured both ways, for others there is no hot. What comes over the link
  /// comes from the host's memory, every time.
  static std::vector<Cache> caches(double bytes, const std::string& bound = "") {
    for (const CeilingKind kind : ceiling_kinds) {
      if (is_link(kind) && bound == ceiling_name(kind)) return {Cache::cold};
    }
    if (bytes > static_cast<double>(device().l2_bytes)) return {Cache::cold};
    return {Cache::hot, Cache::cold};
  }

  /// measure_kernel() adds the kernel's name.
  static void require_right(const char* when, const Verdict& verdict) {
    if (!verdict.passed)
      throw std::runtime_error(std::string("wrong result ") + when + ": " + verdict.message);
  }

  /// Measures one kernel. An error of CUDA's does not say in which kernel it happened: we do.
  template <class Measure>
  void measure_kernel(KernelRecord record, const Measure& measure) {
    try {
      measure(record);
    } catch (const std::exception& error) {
      throw std::runtime_error(record.chapter + ", " + record.kernel + ", " + shape_text(record) +
                               ", " + (record.cache == Cache::hot ? "hot" : "cold") + ": " +
                               error.what());
    }
    finish(record);
  }

  /// What the timing loops call when they begin in earnest, and what tells them the time.
  std::function<void()> begin_watch() {
    return [this] {
      watch_.begin();
      host_.start();
    };
  }
  std::function<double()> elapsed() const {
    return [this] { return host_.stop(); };
  }

  void finish(const KernelRecord& record) {
    const auto ratio = record.ratio_to_cublas();
    std::fprintf(stderr, "[%zu] %s, %s, %s, %s: %.4f ms, %.0f GB/s", ++done_,
                 record.chapter.c_str(), record.kernel.c_str(), shape_text(record).c_str(),
                 record.cache == Cache::hot ? "hot" : "cold", record.timing.median_ms,
                 record.gb_per_s());
    if (record.inner > 0) std::fprintf(stderr, ", %.0f GFLOP/s", record.gflop_per_s());
    if (ratio) std::fprintf(stderr, ", %.3f x cuBLAS", *ratio);
    if (!record.library.empty()) {
      std::fprintf(stderr, ", %.3f x %s", record.library_median_ms / record.timing.median_ms,
                   record.library.c_str());
    }
    std::fprintf(stderr, "\n");
    result_.kernels.push_back(record);
  }

  void measure_sgemv(MatrixShape shape, Layout layout) {
    const auto m = static_cast<std::size_t>(shape.rows);
    const auto n = static_cast<std::size_t>(shape.cols);
    const Work work = sgemv_work(m, n);
    const std::string name = std::to_string(m) + " x " + std::to_string(n);
    if (!fits(name, work.bytes + 24.0 * static_cast<double>(m), 1.1 * work.bytes)) return;
    std::fprintf(stderr, "%s, %s: making the data\n", name.c_str(),
                 layout == Layout::row_major ? "row-major" : "column-major");
    const SgemvProblem problem = make_sgemv(Data::exact, m, n, layout);
    const DeviceArray<float> A(problem.A);
    const DeviceArray<float> x(problem.x);
    DeviceArray<float> y(m);
    DeviceArray<float> library_y(m);
    const SgemvKernel& library = library_kernel(registry_, layout);

    for (const SgemvKernel& kernel : registry_.sgemv) {
      if (kernel.layout != layout || !wanted(kernel.chapter)) continue;
      if (!shape.whole_ladder && kernel.chapter != "07_cublas") continue;
      for (const Cache cache : caches(work.bytes)) {
        KernelRecord record;
        record.chapter = kernel.chapter;
        record.kernel = kernel.name;
        record.layout = layout == Layout::row_major ? Shape::row_major : Shape::column_major;
        record.rows = m;
        record.cols = n;
        record.cache = cache;
        record.bytes = work.bytes;
        record.operations = work.operations;
        if (kernel.bytes_in_flight) {
          record.bytes_in_flight = kernel.bytes_in_flight(shape.rows, shape.cols);
        }
        record.bound = ceiling_name(CeilingKind::read);

        const auto contender = [&](const SgemvKernel& which, DeviceArray<float>& result) {
          const auto launch = [&] { which.launch(A, x, result, shape.rows, shape.cols); };
          return Contender{[&result, this, cache, launch] {
                             if (cache == Cache::hot) launch();
                             result.poison();
                             if (cache == Cache::cold) cold_.fill_with_reads();
                           },
                           launch};
        };
        const auto measure = [&](KernelRecord& measured) {
          y.poison();
          kernel.launch(A, x, y, shape.rows, shape.cols);
          require_right("before the timing", verify(y.to_host(), problem));
          measured.verified_before = true;

          const Alternation timings =
              time_alternately(events_, contender(kernel, y), contender(library, library_y), plan_,
                               begin_watch(), elapsed());
          measured.clocks = watch_.end();
          measured.timing = timings.first;
          measured.cublas_median_ms = timings.second.median_ms;
          require_right("after the timing", verify(y.to_host(), problem));
          require_right("of cuBLAS beside it", verify(library_y.to_host(), problem));
          measured.verified_after = true;
        };
        measure_kernel(record, measure);
      }
    }
  }

  /// As many samples as are asked for, or as fit in two seconds, but 20: the slowest products take
  /// a quarter of a second each.
  template <class Launch>
  SamplePlan product_plan(const Launch& launch) {
    events_.start();
    launch();
    const double once = events_.stop();
    SamplePlan plan = plan_;
    plan.samples = std::min(plan_.samples, std::max(20, static_cast<int>(2000.0 / once)));
    return plan;
  }

  void measure_gemm(const ProductShape& shape) {
    const auto m = static_cast<std::size_t>(shape.m);
    const auto n = static_cast<std::size_t>(shape.n);
    const auto k = static_cast<std::size_t>(shape.k);
    const Work work = gemm_work(m, n, k);
    KernelRecord all;
    all.layout = Shape::row_major;
    all.rows = m;
    all.cols = n;
    all.inner = k;
    all.bytes = work.bytes;
    all.operations = work.operations;
    all.bound = ceiling_name(CeilingKind::fma);
    const std::string name = shape_text(all);
    const double elements = static_cast<double>(m) * static_cast<double>(n);
    if (!fits(name, work.bytes + 16.0 * elements, 1.1 * work.bytes + 4.0 * elements)) return;
    std::fprintf(stderr, "%s: making the data\n", name.c_str());
    const GemmProblem problem = make_gemm(Data::exact, m, n, k);
    const DeviceArray<float> A(problem.A);
    const DeviceArray<float> B(problem.B);
    DeviceArray<float> C(m * n);
    DeviceArray<float> library_C(m * n);
    const GemmKernel& library = library_product(registry_);

    for (const GemmKernel& kernel : registry_.gemm) {
      if (!wanted_at(kernel, shape)) continue;
      for (const Cache cache : caches(work.bytes)) {
        KernelRecord record = all;
        record.chapter = kernel.chapter;
        record.kernel = kernel.name;
        record.cache = cache;

        const auto contender = [&](const GemmKernel& which, DeviceArray<float>& result) {
          const auto launch = [&] { which.launch(A, B, result, shape.m, shape.n, shape.k); };
          return Contender{[&result, this, cache, launch] {
                             if (cache == Cache::hot) launch();
                             result.poison();
                             if (cache == Cache::cold) cold_.fill_with_reads();
                           },
                           launch};
        };
        const auto measure = [&](KernelRecord& measured) {
          C.poison();
          kernel.launch(A, B, C, shape.m, shape.n, shape.k);
          require_right("before the timing", verify(C.to_host(), problem));
          measured.verified_before = true;

          const Contender ours = contender(kernel, C);
          const Alternation timings =
              time_alternately(events_, ours, contender(library, library_C),
                               product_plan(ours.body), begin_watch(), elapsed());
          measured.clocks = watch_.end();
          measured.timing = timings.first;
          measured.cublas_median_ms = timings.second.median_ms;
          require_right("after the timing", verify(C.to_host(), problem));
          require_right("of cuBLAS beside it", verify(library_C.to_host(), problem));
          measured.verified_after = true;
        };
        measure_kernel(record, measure);
      }
    }
  }

  void measure_saxpy(std::size_t n) {
    const auto length = static_cast<double>(n);
    const std::string name = std::to_string(n) + " elements";
    if (!fits(name, 16.0 * length, 13.0 * length)) return;
    std::fprintf(stderr, "%s: making the data\n", name.c_str());
    constexpr float a = 2.0F;
    constexpr std::uint64_t x_seed = 1;
    constexpr std::uint64_t y_seed = 2;
    // Small whole numbers: a x + y is exact, so the result must be right bit for bit.
    std::vector<double> expected(n);
    const ExactValues x_values(1, x_seed);
    const ExactValues y_values(1, y_seed);
    detail::in_parallel(n, n, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) expected[i] = a * x_values(i) + y_values(i);
    });
    const DeviceArray<float> x(exact_vector(n, 1, x_seed));
    const DeviceArray<float> y_before(exact_vector(n, 1, y_seed));
    DeviceArray<float> y(n);
    const auto restore = [&] {
      CUDA_CHECK(cudaMemcpyAsync(y, y_before, y.bytes(), cudaMemcpyDeviceToDevice));
    };

    for (const SaxpyKernel& kernel : registry_.saxpy) {
      const auto launch = [&] { kernel.launch(n, a, x, y); };
      const auto verified = [&] { return verify_exact(y.to_host().data(), expected.data(), n, 1); };
      for (const Cache cache : caches(12.0 * length)) {
        KernelRecord record;
        record.chapter = kernel.chapter;
        record.kernel = kernel.name;
        record.rows = n;
        record.cache = cache;
        record.bytes = 12.0 * length;
        record.operations = 2.0 * length;
        record.bound = ceiling_name(CeilingKind::triad);

        const auto measure = [&](KernelRecord& measured) {
          restore();
          launch();
          require_right("before the timing", verified());
          measured.verified_before = true;
          const Contender contender{[&] {
                                      if (cache == Cache::hot) launch();
                                      restore();
                                      if (cache == Cache::cold) cold_.fill_with_writes();
                                    },
                                    launch};
          measured.timing = time_alone(events_, contender, plan_, begin_watch(), elapsed());
          measured.clocks = watch_.end();
          require_right("after the timing", verified());
          measured.verified_after = true;
        };
        measure_kernel(record, measure);
      }
    }
  }

  void measure_problem(const Problem& problem) {
    KernelRecord all;
    all.chapter = problem.chapter;
    all.layout = problem.cols == 1 ? Shape::vector : Shape::row_major;
    all.rows = problem.rows;
    all.cols = problem.cols;
    all.inner = problem.inner;
    all.bytes = problem.bytes;
    all.operations = problem.operations;
    all.bound = problem.bound;
    all.library = problem.library;
    if (!fits(shape_text(all), problem.host_bytes, problem.device_bytes)) return;
    std::fprintf(stderr, "%s, %s: making the data\n", problem.chapter.c_str(),
                 shape_text(all).c_str());
    const std::vector<Contestant> contestants = problem.make();
    const auto library =
        std::find_if(contestants.begin(), contestants.end(),
                     [&](const Contestant& one) { return one.name == problem.library; });
    if (library == contestants.end()) throw std::runtime_error("no " + problem.library);

    for (const Contestant& one : contestants) {
      for (const Cache cache : caches(problem.bytes, problem.bound)) {
        KernelRecord record = all;
        record.kernel = one.name;
        record.cache = cache;
        if (one.bytes > 0) record.bytes = one.bytes;
        const auto contender = [&](const Contestant& which) {
          return Contender{[&which, &problem, this, cache] {
                             which.restore();
                             if (cache == Cache::hot) which.launch(), which.restore();
                             if (cache == Cache::cold) make_cold(problem.bound);
                           },
                           which.launch};
        };
        const auto measure = [&](KernelRecord& measured) {
          one.restore();
          one.launch();
          require_right("before the timing", one.verify());
          measured.verified_before = true;
          const Contender ours = contender(one);
          ours.before();
          const Alternation timings =
              time_alternately(events_, ours, contender(*library), product_plan(ours.body),
                               begin_watch(), elapsed());
          measured.clocks = watch_.end();
          measured.timing = timings.first;
          measured.library_median_ms = timings.second.median_ms;
          one.restore();
          one.launch();
          require_right("after the timing", one.verify());
          measured.verified_after = true;
        };
        measure_kernel(record, measure);
      }
    }
  }

  void make_cold(const std::string& bound) {
    bound == ceiling_name(CeilingKind::read) ? cold_.fill_with_reads() : cold_.fill_with_writes();
  }

  const Registry& registry_;
  ClockWatch& watch_;
  std::vector<std::string> chapters_;
  bool quick_ = false;
  SamplePlan plan_;
  Options options_;
  std::vector<MatrixShape> matrices_;
  std::vector<ProductShape> products_;
  std::vector<std::size_t> vectors_;
  ColdCache cold_;
  EventTimer events_;
  HostTimer host_;
  Measurement result_;
  std::size_t done_ = 0;
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
