#include "bench/timing_session.hpp"

#include <algorithm>
#include <cstdio>
#include <stdexcept>

#include "ceiling.hpp"
#include "device.hpp"
#include "report.hpp"
#include "results/results_file.hpp"

namespace course::measure {

TimingSession::TimingSession(const MeasureOptions& options, ClockWatch& watch) : watch_(watch) {
  plan_.samples = options.repeat;
  if (options.quick) plan_.milliseconds = 0;
  result_.quick = options.quick;
}

bool TimingSession::fits(const std::string& shape, double host_bytes, double device_bytes) {
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

std::vector<Cache> TimingSession::caches(double bytes, const std::string& bound) {
  for (const CeilingKind kind : ceiling_kinds) {
    if (is_link(kind) && bound == ceiling_name(kind)) return {Cache::cold};
  }
  if (bytes > static_cast<double>(device().l2_bytes)) return {Cache::cold};
  return {Cache::hot, Cache::cold};
}

void TimingSession::require_right(const char* when, const Verdict& verdict) {
  if (!verdict.passed)
    throw std::runtime_error(std::string("wrong result ") + when + ": " + verdict.message);
}

void TimingSession::measure(KernelRecord record, const std::function<void(KernelRecord&)>& timing) {
  try {
    timing(record);
  } catch (const std::exception& error) {
    throw std::runtime_error(record.chapter + ", " + record.kernel + ", " + shape_text(record) +
                             ", " + (record.cache == Cache::hot ? "hot" : "cold") + ": " +
                             error.what());
  }
  const auto ratio = record.ratio_to_cublas();
  std::fprintf(stderr, "[%zu] %s, %s, %s, %s: %.4f ms, %.0f GB/s", result_.kernels.size() + 1,
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

TimedLaunch TimingSession::timed(DeviceArray<float>& result, Cache cache,
                                 const std::function<void()>& launch) {
  return TimedLaunch{[this, &result, cache, launch] {
                       if (cache == Cache::hot) launch();
                       result.poison();
                       if (cache == Cache::cold) cold_.fill_with_reads();
                     },
                     launch};
}

Alternation TimingSession::alternate(const TimedLaunch& first, const TimedLaunch& second,
                                     const SamplePlan& plan) {
  return time_alternately(events_, first, second, plan, begin_watch(), elapsed());
}

Timing TimingSession::alone(const TimedLaunch& launch) {
  return time_alone(events_, launch, plan_, begin_watch(), elapsed());
}

SamplePlan TimingSession::product_plan(const std::function<void()>& launch) {
  events_.start();
  launch();
  const double once = events_.stop();
  SamplePlan plan = plan_;
  plan.samples = std::min(plan_.samples, std::max(20, static_cast<int>(2000.0 / once)));
  return plan;
}

void TimingSession::make_cold(const std::string& bound) {
  bound == ceiling_name(CeilingKind::read) ? cold_.fill_with_reads() : cold_.fill_with_writes();
}

std::function<void()> TimingSession::begin_watch() {
  return [this] {
    watch_.begin();
    host_.start();
  };
}

std::function<double()> TimingSession::elapsed() const {
  return [this] { return host_.stop(); };
}

}  // namespace course::measure
