#include <algorithm>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "bench/bench.hpp"
#include "bench/measurements.hpp"
#include "ceiling.hpp"
#include "data.hpp"
#include "device.hpp"
#include "gemm.hpp"
#include "report.hpp"
#include "results/results_file.hpp"
#include "verify.hpp"

namespace course::measure {

void measure_gemm(TimingSession& session, const Registry& registry, const ChapterFilter& wanted,
                  const ProductShape& shape) {
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
  if (!TimingSession::fits(name, work.bytes + 16.0 * elements, 1.1 * work.bytes + 4.0 * elements))
    return;
  std::fprintf(stderr, "%s: making the data\n", name.c_str());
  const GemmProblem problem = make_gemm(Data::exact, m, n, k);
  const DeviceArray<float> A(problem.A);
  const DeviceArray<float> B(problem.B);
  DeviceArray<float> C(m * n);
  DeviceArray<float> library_C(m * n);
  const GemmKernel& library = library_product(registry);

  for (const GemmKernel& kernel : registry.gemm) {
    if (!is_measured(kernel, shape, wanted)) continue;
    for (const Cache cache : TimingSession::caches(work.bytes)) {
      KernelRecord record = all;
      record.chapter = kernel.chapter;
      record.kernel = kernel.name;
      record.cache = cache;

      const auto timed = [&](const GemmKernel& which, DeviceArray<float>& result) {
        return session.timed(result, cache,
                             [&] { which.launch(A, B, result, shape.m, shape.n, shape.k); });
      };
      const auto measure = [&](KernelRecord& measured) {
        C.poison();
        kernel.launch(A, B, C, shape.m, shape.n, shape.k);
        TimingSession::require_right("before the timing", verify(C.to_host(), problem));
        measured.verified_before = true;

        const TimedLaunch ours = timed(kernel, C);
        const Alternation timings =
            session.alternate(ours, timed(library, library_C), session.product_plan(ours.body));
        measured.clocks = session.clocks();
        measured.timing = timings.first;
        measured.cublas_median_ms = timings.second.median_ms;
        TimingSession::require_right("after the timing", verify(C.to_host(), problem));
        TimingSession::require_right("of cuBLAS beside it", verify(library_C.to_host(), problem));
        measured.verified_after = true;
      };
      session.measure(record, measure);
    }
  }
}

namespace {

/// All competitors, with each of these caches; or, of a drawn problem, the first only,
/// with few samples.
void measure_with(TimingSession& session, const Problem& problem, const std::vector<Cache>& caches,
                  bool first_only) {
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
  if (!TimingSession::fits(shape_text(all), problem.host_bytes, problem.device_bytes)) return;
  std::fprintf(stderr, "%s, %s: making the data\n", problem.chapter.c_str(),
               shape_text(all).c_str());
  const std::vector<Competitor> competitors = problem.make();
  const auto library =
      std::find_if(competitors.begin(), competitors.end(),
                   [&](const Competitor& one) { return one.name == problem.library; });
  if (library == competitors.end()) throw std::runtime_error("no " + problem.library);

  for (const Competitor& one : competitors) {
    if (first_only && &one != competitors.data()) break;
    for (const Cache cache : caches) {
      KernelRecord record = all;
      record.kernel = one.name;
      record.cache = cache;
      if (one.bytes > 0) record.bytes = one.bytes;
      const auto timed = [&](const Competitor& which) {
        return TimedLaunch{[&which, &problem, &session, cache] {
                             which.restore();
                             if (cache == Cache::hot) which.launch(), which.restore();
                             if (cache == Cache::cold) session.make_cold(problem.bound);
                           },
                           which.launch};
      };
      const auto measure = [&](KernelRecord& measured) {
        one.restore();
        one.launch();
        TimingSession::require_right("before the timing", one.verify());
        measured.verified_before = true;
        const TimedLaunch ours = timed(one);
        ours.before();
        const Alternation timings = session.alternate(
            ours, timed(*library),
            first_only ? SamplePlan{least_samples, 0.0} : session.product_plan(ours.body));
        measured.clocks = session.clocks();
        measured.timing = timings.first;
        measured.library_median_ms = timings.second.median_ms;
        one.restore();
        one.launch();
        TimingSession::require_right("after the timing", one.verify());
        measured.verified_after = true;
      };
      session.measure(record, measure);
    }
  }
}

}  // namespace

void measure_problem(TimingSession& session, const Problem& problem) {
  measure_with(session, problem, TimingSession::caches(problem.bytes, problem.bound), false);
}

void measure_drawn_problem(TimingSession& session, const Problem& problem) {
  measure_with(session, problem, {Cache::cold}, true);
}

}  // namespace course::measure
