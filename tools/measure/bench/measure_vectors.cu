#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/measurements.hpp"
#include "ceiling.hpp"
#include "data.hpp"
#include "device.hpp"
#include "report.hpp"
#include "sgemv.hpp"
#include "verify.hpp"

namespace course::measure {

void measure_saxpy(TimingSession& session, const Registry& registry, std::size_t n) {
  const auto length = static_cast<double>(n);
  const std::string name = std::to_string(n) + " elements";
  if (!TimingSession::fits(name, 16.0 * length, 13.0 * length)) return;
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

  for (const SaxpyKernel& kernel : registry.saxpy) {
    const auto launch = [&] { kernel.launch(n, a, x, y); };
    const auto verified = [&] { return verify_exact(y.to_host().data(), expected.data(), n, 1); };
    for (const Cache cache : TimingSession::caches(12.0 * length)) {
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
        TimingSession::require_right("before the timing", verified());
        measured.verified_before = true;
        const TimedLaunch timed{[&] {
                                  if (cache == Cache::hot) launch();
                                  restore();
                                  if (cache == Cache::cold) session.cold().fill_with_writes();
                                },
                                launch};
        measured.timing = session.alone(timed);
        measured.clocks = session.clocks();
        TimingSession::require_right("after the timing", verified());
        measured.verified_after = true;
      };
      session.measure(record, measure);
    }
  }
}

void measure_sgemv(TimingSession& session, const Registry& registry, const ChapterFilter& wanted,
                   const MatrixShape& shape, Layout layout) {
  const auto m = static_cast<std::size_t>(shape.rows);
  const auto n = static_cast<std::size_t>(shape.cols);
  const Work work = sgemv_work(m, n);
  const std::string name = std::to_string(m) + " x " + std::to_string(n);
  if (!TimingSession::fits(name, work.bytes + 24.0 * static_cast<double>(m), 1.1 * work.bytes))
    return;
  std::fprintf(stderr, "%s, %s: making the data\n", name.c_str(),
               layout == Layout::row_major ? "row-major" : "column-major");
  const SgemvProblem problem = make_sgemv(Data::exact, m, n, layout);
  const DeviceArray<float> A(problem.A);
  const DeviceArray<float> x(problem.x);
  DeviceArray<float> y(m);
  DeviceArray<float> library_y(m);
  const SgemvKernel& library = library_kernel(registry, layout);

  for (const SgemvKernel& kernel : registry.sgemv) {
    if (kernel.layout != layout || !wanted(kernel.chapter)) continue;
    if (!shape.whole_ladder && kernel.chapter != "07_cublas") continue;
    for (const Cache cache : TimingSession::caches(work.bytes)) {
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

      const auto timed = [&](const SgemvKernel& which, DeviceArray<float>& result) {
        return session.timed(result, cache,
                             [&] { which.launch(A, x, result, shape.rows, shape.cols); });
      };
      const auto measure = [&](KernelRecord& measured) {
        y.poison();
        kernel.launch(A, x, y, shape.rows, shape.cols);
        TimingSession::require_right("before the timing", verify(y.to_host(), problem));
        measured.verified_before = true;

        const Alternation timings = session.alternate(timed(kernel, y), timed(library, library_y));
        measured.clocks = session.clocks();
        measured.timing = timings.first;
        measured.cublas_median_ms = timings.second.median_ms;
        TimingSession::require_right("after the timing", verify(y.to_host(), problem));
        TimingSession::require_right("of cuBLAS beside it", verify(library_y.to_host(), problem));
        measured.verified_after = true;
      };
      session.measure(record, measure);
    }
  }
}

}  // namespace course::measure
