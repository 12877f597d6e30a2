#include "bench/drawn.hpp"

#include <algorithm>
#include <cstdio>
#include <functional>
#include <stdexcept>
#include <string>

#include "bench/alternate.hpp"
#include "bench/bench.hpp"
#include "bench/chapter_filter.hpp"
#include "bench/draw.hpp"
#include "data.hpp"
#include "device.hpp"
#include "report.hpp"
#include "results/results_file.hpp"
#include "timing.hpp"

namespace course::measure {
namespace {

constexpr int threads = 256;

__device__ void set(float& value, int to) {
  value = static_cast<float>(to);
}
/// The bits of BF16: those of FP32 without the lower half, which is 0 for whole numbers up to 256.
__device__ void set(std::uint16_t& value, int to) {
  value = static_cast<std::uint16_t>(__float_as_uint(static_cast<float>(to)) >> 16);
}

/// Exact data, made where it is needed: hundreds of matrices would take the host minutes. Whole
/// numbers from -limit to limit without 0 (see ExactValues).
template <class Element>
__global__ void fill_exact(Element* values, std::size_t count, int limit, std::uint64_t seed) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < count; i += stride) {
    std::uint64_t bits = (i + seed) * 0x9E3779B97F4A7C15U;
    bits = (bits ^ (bits >> 30)) * 0xBF58476D1CE4E5B9U;
    bits = (bits ^ (bits >> 27)) * 0x94D049BB133111EBU;
    const int pick = static_cast<int>((bits >> 32) % (2U * limit)) - limit;
    set(values[i], pick + (pick >= 0 ? 1 : 0));
  }
}

/// Poison, a NaN, differs from everything, itself included.
__device__ bool same(float a, float b) {
  return a == b;
}
__device__ bool same(std::uint16_t a, std::uint16_t b) {
  const auto value = [](std::uint16_t bits) { return __uint_as_float(std::uint32_t{bits} << 16); };
  return value(a) == value(b);
}

/// Rows of a result: what is between them does not belong to it.
struct Rows {
  std::size_t offset, count, cols, ld;
  std::size_t elements() const { return count == 0 ? offset : offset + (count - 1) * ld + cols; }
};

/// Counts the elements that differ.
template <class Element>
__global__ void count_different(const Element* a, const Element* b, Rows rows,
                                unsigned* different) {
  const std::size_t stride = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x;
       i < rows.count * rows.cols; i += stride) {
    const std::size_t at = rows.offset + i / rows.cols * rows.ld + i % rows.cols;
    if (!same(a[at], b[at])) atomicAdd(different, 1U);
  }
}

/// Keeps the GPU busy, about 200 microseconds. Meanwhile the host prepares the launch that is
/// timed: else the time that a library takes to choose its kernel would count, at some shapes.
__global__ void keep_busy() {
  const long long start = clock64();
  while (clock64() - start < 400'000) {
  }
}

/// One kernel at one shape: what it is called, and how either side is launched.
template <class Element>
struct Comparison {
  KernelRecord record;
  std::function<void(Element* result)> ours;
  std::function<void(Element* result)> library;
  Rows results = {};  ///< that either writes
  /// Whose results are right, if not the library's.
  std::function<void(Element* result)> reference = {};
  bool reads_results = false;  ///< they are filled before each launch, and not poisoned
};

class DrawnBench {
 public:
  DrawnBench(const MeasureOptions& options, const Registry& registry, ClockWatch& watch,
             ColdCache& cold, Measurement& result)
      : options_(options),
        registry_(registry),
        watch_(watch),
        cold_(cold),
        result_(result),
        is_chosen_(options.chapters),
        blocks_(8 * device().multiprocessors) {}

  void run() {
    result_.drawn = {options_.random, options_.seed};
    if (any_wanted(registry_.sgemv)) {
      for (const DrawnMatrix& one : draw_matrices(options_.random, options_.seed)) {
        measure_matrix(one, Layout::row_major);
        measure_matrix(one, Layout::column_major);
      }
    }
    if (any_wanted(registry_.gemm)) {
      for (const ProductShape& one : draw_products(options_.random, options_.seed)) {
        measure_product(one);
      }
    }
    if (any_wanted(registry_.general_gemm)) {
      for (const GeneralProduct& one : draw_general_products(options_.random, options_.seed)) {
        measure_general_product(one);
      }
    }
    if (any_wanted(registry_.short_gemm)) {
      for (const ProductShape& one : draw_short_products(options_.random, options_.seed)) {
        measure_short_product(one);
      }
    }
  }

 private:
  template <class Kernel>
  bool wanted(const Kernel& kernel) const {
    if constexpr (requires { kernel.drawn; }) {
      if (!kernel.drawn) return false;
    }
    return is_chosen_(kernel.chapter);
  }
  template <class Kernel>
  bool any_wanted(const std::vector<Kernel>& kernels) const {
    return std::any_of(kernels.begin(), kernels.end(),
                       [&](const Kernel& kernel) { return wanted(kernel); });
  }

  static bool fits(const KernelRecord& record, double bytes) {
    std::size_t free_bytes = 0;
    std::size_t total_bytes = 0;
    CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
    if (bytes < static_cast<double>(free_bytes)) return true;
    std::fprintf(stderr, "%s: left out, it needs %.1f GiB on the GPU\n", shape_text(record).c_str(),
                 bytes / 0x1p30);
    return false;
  }

  template <class Element>
  void fill(DeviceArray<Element>& values, std::size_t terms, std::uint64_t seed) const {
    Element* all = values;
    fill_exact<<<blocks_, threads>>>(all, values.size(), exact_limit(terms), seed << 40);
    CUDA_CHECK_LAUNCH();
  }

  void measure_matrix(const DrawnMatrix& one, Layout layout) {
    const auto m = static_cast<std::size_t>(one.rows);
    const auto n = static_cast<std::size_t>(one.cols);
    const auto offset = static_cast<std::size_t>(one.offset);
    const Work work = sgemv_work(m, n);
    KernelRecord record;
    record.layout = layout == Layout::row_major ? Shape::row_major : Shape::column_major;
    record.rows = m;
    record.cols = n;
    record.offset = one.offset;
    record.bytes = work.bytes;
    record.operations = work.operations;
    record.bound = ceiling_name(CeilingKind::read);
    if (!fits(record, work.bytes + 4.0 * static_cast<double>(m))) return;
    DeviceArray<float> A(offset + m * n, unset);
    DeviceArray<float> x(offset + n, unset);
    fill(A, n, 1);
    fill(x, n, 2);
    const auto of = [&](const SgemvKernel& kernel) {
      return
          [&, offset](float* y) { kernel.launch(A + offset, x + offset, y, one.rows, one.cols); };
    };
    const SgemvKernel& library = library_kernel(registry_, layout);
    for (const SgemvKernel& kernel : registry_.sgemv) {
      if (kernel.layout != layout || !wanted(kernel)) continue;
      record.chapter = kernel.chapter;
      record.kernel = kernel.name;
      measure(Comparison<float>{record, of(kernel), of(library), {0, 1, m, m}});
    }
  }

  static KernelRecord product_record(const ProductShape& one, const Work& work) {
    KernelRecord record;
    record.layout = Shape::row_major;
    record.rows = static_cast<std::size_t>(one.m);
    record.cols = static_cast<std::size_t>(one.n);
    record.inner = static_cast<std::size_t>(one.k);
    record.bytes = work.bytes;
    record.operations = work.operations;
    return record;
  }

  void measure_product(const ProductShape& one) {
    const auto m = static_cast<std::size_t>(one.m);
    const auto n = static_cast<std::size_t>(one.n);
    const auto k = static_cast<std::size_t>(one.k);
    const Work work = gemm_work(m, n, k);
    KernelRecord record = product_record(one, work);
    record.bound = ceiling_name(CeilingKind::fma);
    if (!fits(record, work.bytes + 4.0 * static_cast<double>(m * n))) return;
    DeviceArray<float> A(m * k, unset);
    DeviceArray<float> B(k * n, unset);
    fill(A, k, 1);
    fill(B, k, 2);
    const auto of = [&](const GemmKernel& kernel) {
      return [&](float* C) { kernel.launch(A, B, C, one.m, one.n, one.k); };
    };
    const GemmKernel& library = library_product(registry_);
    for (const GemmKernel& kernel : registry_.gemm) {
      if (!wanted(kernel)) continue;
      record.chapter = kernel.chapter;
      record.kernel = kernel.name;
      measure(Comparison<float>{record, of(kernel), of(library), {0, m, n, n}});
    }
  }

  void measure_general_product(const GeneralProduct& one) {
    const auto m = static_cast<std::size_t>(one.m);
    const auto n = static_cast<std::size_t>(one.n);
    const auto k = static_cast<std::size_t>(one.k);
    Work work = gemm_work(m, n, k);
    if (one.beta != 0.0F) work.bytes += 4.0 * static_cast<double>(m * n);
    KernelRecord record = product_record({one.m, one.n, one.k}, work);
    record.bound = ceiling_name(CeilingKind::fma);
    record.offset = one.offset;
    record.general = GeneralForm{one.lda, one.ldb, one.ldc, one.alpha, one.beta};
    const auto offset = static_cast<std::size_t>(one.offset);
    const Rows of_A = {offset, m, k, static_cast<std::size_t>(one.lda)};
    const Rows of_B = {offset, k, n, static_cast<std::size_t>(one.ldb)};
    const Rows of_C = {offset, m, n, static_cast<std::size_t>(one.ldc)};
    // Kernels may copy matrices whose rows do not suit.
    const std::size_t all = 2 * (of_A.elements() + of_B.elements() + of_C.elements());
    if (!fits(record, 4.0 * static_cast<double>(all))) return;
    DeviceArray<float> A(of_A.elements(), unset);
    DeviceArray<float> B(of_B.elements(), unset);
    fill(A, k, 1);
    fill(B, k, 2);
    const auto of = [&](const GeneralGemmLauncher& launch) {
      return [&](float* C) {
        launch(one.m, one.n, one.k, one.alpha, A + one.offset, one.lda, B + one.offset, one.ldb,
               one.beta, C + one.offset, one.ldc);
      };
    };
    for (const GeneralGemmKernel& kernel : registry_.general_gemm) {
      if (!wanted(kernel)) continue;
      record.chapter = kernel.chapter;
      record.kernel = kernel.name;
      measure(Comparison<float>{
          record, of(kernel.launch), of(kernel.library), of_C, {}, one.beta != 0.0F});
    }
  }

  void measure_short_product(const ProductShape& one) {
    const auto m = static_cast<std::size_t>(one.m);
    const auto n = static_cast<std::size_t>(one.n);
    const auto k = static_cast<std::size_t>(one.k);
    Work work = gemm_work(m, n, k);
    work.bytes /= 2;  // of floats
    KernelRecord record = product_record(one, work);
    // Kernels may copy matrices whose rows do not suit.
    if (!fits(record, 2.0 * work.bytes + 4.0 * static_cast<double>(m * n))) return;
    DeviceArray<std::uint16_t> A(m * k, unset);
    DeviceArray<std::uint16_t> B(k * n, unset);
    fill(A, k, 1);
    fill(B, k, 2);
    const auto of = [&](const ShortGemmLauncher& launch) {
      return [&](std::uint16_t* C) { launch(A, B, C, one.m, one.n, one.k); };
    };
    for (const ShortGemmKernel& kernel : registry_.short_gemm) {
      if (!wanted(kernel)) continue;
      record.chapter = kernel.chapter;
      record.kernel = kernel.name;
      record.bound = kernel.bound;
      measure(Comparison<std::uint16_t>{
          record, of(kernel.launch), of(kernel.library), {0, m, n, n}, of(kernel.reference)});
    }
  }

  template <class Element>
  unsigned number_of_different(const Element* one, const Element* other, const Rows& rows) {
    CUDA_CHECK(cudaMemset(different_, 0, different_.bytes()));
    count_different<<<blocks_, threads>>>(one, other, rows, different_);
    CUDA_CHECK_LAUNCH();
    return different_.to_host()[0];
  }

  /// Both must have written the same bits: with exact data there is one right result.
  template <class Element>
  void require_same(const char* when, const Element* ours, const Element* library,
                    const Rows& rows) {
    const unsigned wrong = number_of_different(ours, library, rows);
    if (wrong == 0) return;
    throw std::runtime_error(std::to_string(wrong) + " elements are not cuBLAS's " + when);
  }

  /// Some 50 ms of either side: there are hundreds of shapes.
  template <class Launch>
  SamplePlan plan(const Launch& launch) {
    events_.start();
    launch();
    const double once = events_.stop();
    const int samples = static_cast<int>(std::min(50.0 / once, 1e6));
    return {std::clamp(samples, least_samples, options_.repeat), 0.0};
  }

  template <class Element>
  void measure(Comparison<Element> comparison) {
    KernelRecord& record = comparison.record;
    record.cache = Cache::cold;
    DeviceArray<Element> ours(comparison.results.elements());
    DeviceArray<Element> library(comparison.results.elements());
    const auto restore = [&](DeviceArray<Element>& result) {
      comparison.reads_results ? fill(result, 1, 3) : result.poison();
    };
    const auto timed = [&](const std::function<void(Element*)>& launch,
                           DeviceArray<Element>& result) {
      return TimedLaunch{[&] {
                           restore(result);
                           cold_.fill_with_reads();
                           keep_busy<<<1, 1>>>();
                           CUDA_CHECK_LAUNCH();
                         },
                         [&] { launch(result); }};
    };
    try {
      const auto right = [&] {
        if (!comparison.reference) return;
        library.poison();
        comparison.reference(library);
      };
      restore(ours);
      restore(library);
      // The library is held to what is asked of ours: if its default also rounds partial sums, it
      // is timed in the mode that does not.
      comparison.library(library);
      if (comparison.reference) {
        comparison.reference(ours);
        record.cublas_default_wrong =
            number_of_different<Element>(library, ours, comparison.results);
        if (*record.cublas_default_wrong > 0) comparison.library = comparison.reference;
        ours.poison();
      }
      comparison.ours(ours);
      right();
      require_same<Element>("before the timing", ours, library, comparison.results);
      record.verified_before = true;
      const Alternation timings = time_alternately(
          events_, timed(comparison.ours, ours), timed(comparison.library, library),
          plan([&] { comparison.ours(ours); }), [&] { watch_.begin(); }, [] { return 0.0; });
      record.clocks = watch_.end();
      record.timing = timings.first;
      record.cublas_timing = timings.second;
      record.cublas_median_ms = timings.second.median_ms;
      right();
      require_same<Element>("after the timing", ours, library, comparison.results);
      record.verified_after = true;
    } catch (const std::exception& error) {
      throw std::runtime_error(record.chapter + ", " + record.kernel + ", " + shape_text(record) +
                               ": " + error.what());
    }
    std::fprintf(stderr, "[%zu] %s, %s, %s: %.4f ms, %.3f x cuBLAS\n", ++done_,
                 record.chapter.c_str(), record.kernel.c_str(), shape_text(record).c_str(),
                 record.timing.median_ms, *record.ratio_to_cublas());
    result_.kernels.push_back(record);
  }

  const MeasureOptions& options_;
  const Registry& registry_;
  ClockWatch& watch_;
  ColdCache& cold_;
  Measurement& result_;
  ChapterFilter is_chosen_;
  int blocks_;
  DeviceArray<unsigned> different_{1};
  EventTimer events_;
  std::size_t done_ = 0;
};

}  // namespace

void measure_drawn(const MeasureOptions& options, const Registry& registry, ClockWatch& watch,
                   ColdCache& cold, Measurement& result) {
  DrawnBench(options, registry, watch, cold, result).run();
}

}  // namespace course::measure
