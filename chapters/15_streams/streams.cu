// Chapter 15: streams. z = x + y, with all three in the host's memory: copies in, a kernel, a copy
// out. The sum is cut into chunks, so that one chunk's copies overlap with another's kernel.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -Xcompiler -fopenmp -I ../../common/lesson streams.cu -o streams

#include "costs.hpp"
#include "course.hpp"
#include "events.hpp"
#include "graph_pipeline.hpp"
#include "host_functions.hpp"
#include "host_threads.hpp"
#include "pinned.hpp"
#include "pipeline.hpp"
#include "priorities.hpp"

// A way to compute the sum. When run() returns, z is complete.
struct StreamsVariant {
  const char* name;
  std::function<void()> run;
};

std::vector<StreamsVariant> variants_of(const Sum& sum, const std::shared_ptr<Streams>& streams) {
  const auto by = [&](const char* name, void (*way)(const Sum&, const Streams&)) {
    return StreamsVariant{name, [=] { way(sum, *streams); }};
  };
  const auto by_kind = std::make_shared<StreamPerKind>(sum);
  const auto graph = std::make_shared<GraphPipeline>(sum);
  return {by("one after the other", one_after_the_other),
          by("kernels in default", kernels_in_default),
          by("depth first", depth_first),
          by("breadth first", breadth_first),
          {"by kind", [=] { by_kind->run(); }},
          by("by threads", by_threads),
          {"as a graph", [=] { graph->run(); }}};
}

// x, y and z in the host's memory, buffers for them on the device, and the expected z.
class SumOnHost {
 public:
  SumOnHost(const std::vector<float>& x, const std::vector<float>& y, bool pageable = false)
      : d_x_(x.size(), course::unset),
        d_y_(x.size(), course::unset),
        d_z_(x.size(), course::unset),
        expected_(x.size()) {
    if (pageable) {
      pageable_ = {x, y, std::vector<float>(x.size())};
    } else {
      x_ = std::make_unique<course::PinnedArray<float>>(x);
      y_ = std::make_unique<course::PinnedArray<float>>(y);
      z_ = std::make_unique<course::PinnedArray<float>>(x.size());
    }
    for (size_t i = 0; i < x.size(); ++i) expected_[i] = static_cast<double>(x[i] + y[i]);
  }

  Sum arguments(int chunks) {
    if (!pageable_.empty()) {
      return {pageable_[0].data(),
              pageable_[1].data(),
              pageable_[2].data(),
              d_x_,
              d_y_,
              d_z_,
              expected_.size(),
              chunks};
    }
    return {x_->data(), y_->data(), z_->data(), d_x_, d_y_, d_z_, expected_.size(), chunks};
  }
  // Everything that a variant has to write, on both sides.
  void poison() {
    d_x_.poison(), d_y_.poison(), d_z_.poison();
    if (d_z_.size() == 0) return;
    CUDA_CHECK(cudaMemcpy(arguments(1).z, d_z_, d_z_.bytes(), cudaMemcpyDeviceToHost));
  }
  course::Verdict verify() {
    return course::verify_exact(arguments(1).z, expected_.data(), expected_.size(), 1);
  }
  double total() const { return std::accumulate(expected_.begin(), expected_.end(), 0.0); }

 private:
  std::vector<std::vector<float>> pageable_;
  std::unique_ptr<course::PinnedArray<float>> x_, y_, z_;
  course::DeviceArray<float> d_x_, d_y_, d_z_;
  std::vector<double> expected_;
};

// The lessons that do not compute the sum: their costs, in lines below the table. The emulator also
// runs everything, but has no times.
void note_costs(course::Report& report) {
  const auto note = [&](const char* what, const char* first, const char* second) {
    char line[100];
    std::snprintf(line, sizeof line, "  %-32s %10s %12s", what, first, second);
    report.note(line);
  };
  const auto microseconds = [](const course::Timing& timing) {
    char text[32];
    std::snprintf(text, sizeof text, "%.2f us", 1e3 * timing.median_ms);
    return std::string(course::on_emulator ? "-" : text);
  };
  report.note("One of 200 in a row:");
  note("", "the call", "until done");
  for (const CallCost& cost : Costs().measure()) {
    note(cost.what, microseconds(cost.call).c_str(), microseconds(cost.all).c_str());
  }
  PriorityLatency latencies;
  report.note("A short kernel, from its launch until the host knows that it is done:");
  note("with the device to itself", "", microseconds(latencies.alone()).c_str());
  note("beside a long one", "", microseconds(latencies.with_equal_priority()).c_str());
  note("beside it, with a high priority", "", microseconds(latencies.with_high_priority()).c_str());
  if (!latencies.is_right()) throw std::runtime_error("priorities: a kernel's result is wrong");
}

// One variant, once, and nothing else: for a timeline.
int run_only(const std::string& name, const std::vector<StreamsVariant>& variants,
             SumOnHost& data) {
  for (const StreamsVariant& variant : variants) {
    if (name != variant.name) continue;
    cudaFuncAttributes loaded;  // this loads the kernel's code onto the device before it is timed
    CUDA_CHECK(cudaFuncGetAttributes(&loaded, add));
    variant.run();
    const course::Verdict verdict = data.verify();
    std::printf("15_streams, %s: %s\n", name.c_str(), verdict.passed ? "verified" : "WRONG");
    return verdict.passed ? 0 : 1;
  }
  return 2;
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "15_streams";
  defaults.description =
      "z = x + y in the host's memory: copies and kernels one after the other, and at once.";
  defaults.on_gpu = {1 << 27, 1};
  defaults.on_emulator = {1 << 16, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  int chunks = course::on_emulator ? 8 : 32;
  int stream_count = 4;
  bool pageable = false;
  std::string only;
  const std::vector<std::string> names = {
      "one after the other", "kernels in default", "depth first", "breadth first", "by kind",
      "by threads",          "as a graph"};
  defaults.add("--chunks", &chunks, 1, 4096, "into how many the sum is cut");
  defaults.add("--streams", &stream_count, 1, 64, "over how many they go");
  defaults.add("--pageable", &pageable, "x, y and z in pageable memory of the host");
  defaults.own_options.push_back({"--only", "WAY", "the name of a row, as 'depth first'",
                                  "one way, once: for a timeline", [&](const std::string& name) {
                                    only = name;
                                    return std::find(names.begin(), names.end(), name) !=
                                           names.end();
                                  }});
  const course::Options options = course::parse_options(argc, argv, defaults);
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(float));
  course::require_memory(options, 8 * array, 3 * array);

  SumOnHost data(course::random_vector(n, options.seed), course::random_vector(n, options.seed + 1),
                 pageable);
  const auto streams = std::make_shared<Streams>(stream_count);
  const Sum sum = data.arguments(chunks);
  const std::vector<StreamsVariant> variants = variants_of(sum, streams);
  if (!only.empty()) return run_only(only, variants, data);

  course::Report report(options, course::CeilingKind::host_to_device);
  for (const StreamsVariant& variant : variants) {
    const course::Timing timing = TIME_EVENTS(options, data.poison(), variant.run());
    report.check(variant.name, "random data", data.verify());
    // The input: the largest amount that has to go one way over the link.
    report.add(variant.name, timing, {2 * array, static_cast<double>(n)});
  }
  data.poison();
  const double total = total_of(sum, *streams);
  if (std::abs(total - data.total()) > 1e-9 * static_cast<double>(n)) {
    throw std::runtime_error("host functions: the total is wrong");
  }
  data.poison();
  const long polls = polls_until_done(sum, *streams);
  report.check("asking", "random data", data.verify());
  report.note("The host asked " + (course::on_emulator ? "-" : std::to_string(polls)) +
              " times, and could have worked meanwhile, before a sum was there.");
  note_costs(report);
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
