// Chapter 23: the scan of an array, from three launches to one, in which blocks tell each other
// what is before them. Then compaction, which is a scan of counts.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -arch=native -I ../../common/lesson scan.cu -o
// scan

#include <algorithm>
#include <cstring>
#include <set>

#include "course.hpp"
#include "launch.hpp"

using scan::Array;
using scan::TileState;

// --- the rungs: the inclusive scan of an array of floats --------------------------------------

using Floats = scan::Sum<float>;

struct ScanRung {
  const char* name;
  void (*launch)(const float* x, size_t n, float* y, const TileState& state);
  int capability = 0;  // that the device needs at least
};

template <bool by_tree>
void launch_add(const float* x, size_t n, float* y, const TileState& state) {
  scan::launch_scan_then_add<Floats, by_tree>(x, n, y, state);
}
void launch_reduce_first(const float* x, size_t n, float* y, const TileState& state) {
  scan::launch_reduce_then_scan<Floats, true>(Array<float>{x}, n, y, state);
}
template <class Wait>
void launch_one(const float* x, size_t n, float* y, const TileState& state) {
  scan::launch_one<Floats, Wait, true>(Array<float>{x}, n, y, state);
}

template <class Wait>
void launch_ahead(const float* x, size_t n, float* y, const TileState& state) {
  scan::launch_ahead<Wait, scan::AheadTile>(x, n, scan::ScanWork<Floats, true>{y}, state);
}

std::vector<ScanRung> scans_here() {
  std::vector<ScanRung> rungs = {{"tree", launch_add<true>},
                                 {"warps", launch_add<false>},
                                 {"reduce first", launch_reduce_first},
                                 {"chained", launch_one<scan::Chained>},
                                 {"chained, fences", launch_one<scan::ChainedByFences>},
                                 {"one looks back", launch_one<scan::OneLooksBack>},
                                 {"warp looks back", launch_one<scan::WarpLooksBack>},
                                 {"apart", launch_one<scan::WarpLooksApart>},
                                 {"in groups", launch_one<scan::InGroupsApart>},
                                 {"ahead", launch_ahead<scan::WarpLooksApart>, 90},
                                 {"ahead, in groups", launch_ahead<scan::InGroupsApart>, 90},
                                 {"ours", scan::launch_scan<Floats, true, float>}};
  std::erase_if(rungs, [](const ScanRung& rung) {
    return course::device().compute_capability < rung.capability;
  });
  return rungs;
}

std::vector<double> scan_on_cpu(const std::vector<float>& x) {
  std::vector<double> y(x.size());
  double sum = 0;
  for (size_t i = 0; i < x.size(); ++i) y[i] = sum += x[i];
  return y;
}

// --- compaction --------------------------------------------------------------------------------

struct IsPositive {
  __host__ __device__ bool operator()(float value) const { return value > 0; }
};

// Both lists of a partition: those kept, in their order, and then the others, in theirs.
std::vector<double> partition_on_cpu(const std::vector<float>& x) {
  std::vector<double> y(x.begin(), x.end());
  std::stable_partition(y.begin(), y.end(), [](double value) { return value > 0; });
  return y;
}

// --- what the order of additions does to the bits ---------------------------------------------

void compare_orders(const std::vector<float>& x, const TileState& state, course::Report& report) {
  const int runs = course::on_emulator ? 4 : 20;
  const std::vector<double> sums = scan_on_cpu(x);
  course::DeviceArray<float> d_x(x), d_y(x.size());
  report.note("Random floats, the last sum off by (float64 adds up to " +
              std::to_string(sums.back()) + "):");
  for (const ScanRung& rung : scans_here()) {
    std::set<std::vector<float>> results;
    double off = 0;
    for (int run = 0; run < runs; ++run) {
      d_y.poison();
      rung.launch(d_x, x.size(), d_y, state);
      std::vector<float> y = d_y.to_host();
      off = std::max(off, std::abs(y.back() - sums.back()));
      results.insert(std::move(y));
    }
    char line[120];
    std::snprintf(line, sizeof line, "  %-18s %10.2e   %zu result%s in %d runs", rung.name, off,
                  results.size(), results.size() == 1 ? "" : "s", runs);
    report.note(line);
  }
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "23_scan";
  defaults.description = "The scan of an array in three launches and in one; compaction by it.";
  defaults.on_gpu = {1 << 28, 1};
  defaults.on_emulator = {1 << 17, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  const course::Options options = course::parse_options(argc, argv, defaults);
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(float));
  course::require_memory(options, 6 * array, 3.3 * array);
  course::Report report(options, course::CeilingKind::copy);

  // Whole numbers: no sum of them rounds, so every order gives the same bits.
  const std::vector<float> x = course::exact_vector(n, n, options.seed);
  std::vector<double> expected = scan_on_cpu(x);
  scan::TileStateMemory memory(n);
  const TileState state = memory.arguments();
  course::DeviceArray<float> d_x(x), d_y(n);
  for (const ScanRung& rung : scans_here()) {
    d_y.poison();
    rung.launch(d_x, n, d_y, state);
    report.check(rung.name, "exact",
                 course::verify_exact(d_y.to_host().data(), expected.data(), 1, n));
  }
  for (const ScanRung& rung : scans_here()) {
    const course::Timing timing =
        TIME_EVENTS(options, d_y.poison(), rung.launch(d_x, n, d_y, state));
    // Of the last launch: earlier ones must leave the state as the next one needs it.
    report.check(rung.name, "launched again",
                 course::verify_exact(d_y.to_host().data(), expected.data(), 1, n));
    report.add(rung.name, timing, {2 * array, static_cast<double>(n)});
  }

  expected = partition_on_cpu(x);
  const size_t kept = std::count_if(x.begin(), x.end(), IsPositive{});
  course::DeviceArray<float> d_rest(n);
  course::DeviceArray<unsigned> d_count(1);
  const float* const from = d_x;
  float* const list = d_y;
  for (const bool both : {false, true}) {
    const char* const name = both ? "partition" : "compaction";
    float* const rest = both ? static_cast<float*>(d_rest) : nullptr;
    const course::Timing timing =
        TIME_EVENTS(options, (d_y.poison(), d_rest.poison(), d_count.poison()),
                    scan::launch_compact(from, n, IsPositive{}, list, rest, d_count, state));
    std::vector<float> y = d_y.to_host();
    const std::vector<float> others = d_rest.to_host();
    std::copy_n(others.begin(), n - kept, y.begin() + kept);
    const size_t there = both ? n : kept;
    course::Verdict verdict = course::verify_exact(y.data(), expected.data(), 1, there);
    if (d_count.to_host()[0] != kept) verdict = {false, "the number of those kept is wrong"};
    report.check(name, "in order", verdict);
    report.add(name, timing, {array + (both ? array : static_cast<double>(4 * kept)), 0});
  }
  const size_t some = std::min<size_t>(n, size_t{1} << (course::on_emulator ? 17 : 20));
  compare_orders(course::random_vector(some, options.seed), state, report);
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
