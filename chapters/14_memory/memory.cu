// Chapter 14: memory. x is in the host's memory, y = 2 x + 1 must end up there: twelve ways to move
// them to the device and back, by kind of memory. Then which addresses a warp should read on the
// device, and what allocating memory costs. Each is a part of this program.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson memory.cu -o memory

#include "accesses.hpp"
#include "costs.hpp"
#include "course.hpp"
#include "host_memory.hpp"

// Small whole numbers: 2 x + 1 is exact, so every result must be right bit for bit.
std::vector<double> computed(const std::vector<float>& x) {
  std::vector<double> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) y[i] = 2.0 * x[i] + 1.0;
  return y;
}

// Part 1: copy in, compute, copy out.
int show_transfers(const course::Options& options) {
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(float));
  course::require_memory(options, 10 * array, 4 * array);
  course::Report report(options, course::CeilingKind::bus);
  const std::vector<float> x = course::exact_vector(n, 4, options.seed);
  const std::vector<double> expected = computed(x);
  for (const MemoryRung& rung : rungs) {
    if (!can_run(rung)) {
      report.note(std::string(rung.name) + ": not here, where managed memory cannot move by pages");
      continue;
    }
    Setup setup(rung, x);
    const course::Timing timing = TIME_EVENTS(options, setup.restore(), setup.run());
    report.check(rung.name, "exact data",
                 course::verify_exact(setup.y().data(), expected.data(), n, 1));
    report.add(rung.name, timing, {2 * array, 2.0 * static_cast<double>(n)});
  }
  set_release_threshold(0);

  for (const Kind kind : {Kind::pageable, Kind::registered, Kind::pinned, Kind::managed}) {
    const char* const names[] = {"malloc", "cudaHostRegister", "cudaHostAlloc", "", "",
                                 "",       "cudaMallocManaged"};
    HostArray memory(1, kind);
    report.note(std::string(names[static_cast<int>(kind)]) + ": " +
                describe_pointer(memory.data()));
  }
  course::DeviceArray<float> on_device(1);
  report.note("cudaMalloc: " + describe_pointer(static_cast<float*>(on_device)));
  return report.finish();
}

// Part 2: which addresses a warp reads.
int show_accesses(const course::Options& options) {
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(float));
  course::require_memory(options, 5 * array, 2 * array);
  course::Report report(options, course::CeilingKind::copy);
  const std::vector<float> x = course::exact_vector(n + largest_offset, piece, options.seed);
  course::DeviceArray<float> d_x(x), d_y(n);
  for (const Access& access : all_accesses()) {
    const size_t results = access.results(n);
    const course::Timing timing =
        TIME_EVENTS(options, d_y.poison(), access.launch(d_x, d_y, n, access.distance));
    const std::vector<double> expected = expected_of(access, x, n);
    report.check(access.name, "exact data",
                 course::verify_exact(d_y.to_host().data(), expected.data(), results, 1));
    report.add(access.name, timing, {access.bytes(n), 0});
    if (!timing.counted) continue;  // on a GPU, use a profiler for counts
    const size_t predicted = predicted_load_sectors(access, n);
    const bool as_predicted = predicted == timing.traffic.global_load_sectors;
    const std::string sectors = std::to_string(predicted) + " load sectors predicted";
    report.check(access.name, "the count of sectors", {as_predicted, sectors});
    report.note(access.name + ": " + sectors + (as_predicted ? ", and counted" : ""));
  }
  constexpr size_t shared = 32 << 10;
  const auto blocks = [&](const char* wish, int count) {
    report.note("resident blocks with 32 KiB of shared memory each, " + std::string(wish) + ": " +
                std::to_string(count));
  };
  blocks("no wish", resident_blocks<CacheHint::none>(shared));
  blocks("carve-out 0", resident_blocks<CacheHint::carve_out_0>(shared));
  blocks("carve-out 100", resident_blocks<CacheHint::carve_out_100>(shared));
  blocks("prefer L1", resident_blocks<CacheHint::prefer_l1>(shared));
  blocks("prefer shared", resident_blocks<CacheHint::prefer_shared>(shared));
  return report.finish();
}

// Part 3: what it costs to allocate memory, and to use it on the host.
int show_costs(const course::Options& options) {
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(float));
  course::require_memory(options, 4 * array, 3 * array);
  course::Report report(options, course::CeilingKind::bus);
  const auto add = [&](const std::vector<Cost>& costs) {
    for (const Cost& cost : costs) {
      report.add(cost.name, TIME_EVENTS(options, cost.before(), cost.body()), {cost.bytes, 0});
    }
  };
  add(allocation_costs(n));
  set_release_threshold(0);

  // Not all of it: reading write-combined memory is that slow.
  const size_t some = std::min<size_t>(n, 1 << 20);
  const std::vector<float> values = course::exact_vector(some, 1, options.seed);
  const std::vector<double> expected(values.begin(), values.end());
  const auto add_host = [&](const char* name, Kind kind) {
    HostArray there(some, kind);
    std::vector<float> here = values;
    const std::vector<Cost> costs = host_access_costs(there, here, name);
    add(costs);
    report.check(costs[1].name, "exact data",
                 course::verify_exact(here.data(), expected.data(), some, 1));
  };
  add_host("pageable", Kind::pageable);
  add_host("pinned", Kind::pinned);
  add_host("write-combined", Kind::write_combined);
  return report.finish();
}

int main(int argc, char** argv) try {
  std::string part = "journeys";
  course::Defaults defaults;
  defaults.program = "14_memory";
  defaults.description =
      "y = 2 x + 1 for an x in the host's memory: kinds of memory, and what each costs.";
  defaults.on_gpu = {1 << 26, 1};
  defaults.on_emulator = {1 << 16, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  defaults.own_options.push_back(
      {"--part", "NAME", "'journeys', 'accesses' or 'costs'",
       "which part: journeys, accesses or costs (default journeys)", [&](const std::string& name) {
         part = name;
         return part == "journeys" || part == "accesses" || part == "costs";
       }});
  const course::Options options = course::parse_options(argc, argv, defaults);
  if (part == "accesses") return show_accesses(options);
  return part == "costs" ? show_costs(options) : show_transfers(options);
} catch (const std::exception& error) {
  return course::report_failure(error);
}
