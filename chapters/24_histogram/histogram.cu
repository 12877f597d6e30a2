// Chapter 24: histograms. How often does each value occur?
//
// First of an array of bytes: the same counting in seven kernels, which differ in where the
// counters are, how many there are of each, and whether a thread needs an atomic to add to one.
// Then of floats, with any number of bins. At last with weights.
//
// By hand, in this folder:
//   nvcc -std=c++20 -O3 -arch=native -I ../../common/lesson histogram.cu -o histogram

#include "course.hpp"
#include "predictions.hpp"

// A number of bytes and of floats on the device, and the right counts.
struct Problem {
  Problem(Input input, size_t n, Bins bins, std::uint64_t seed)
      : Problem(make_bytes(input, n, seed), make_floats(input, n, seed),
                course::exact_vector(n, n, seed), bins) {}
  Problem(const std::vector<Byte>& x, const std::vector<float>& v, const std::vector<float>& w,
          Bins the_bins)
      : bins(the_bins),
        of_bytes(count_on_cpu(x)),
        of_floats(count_on_cpu(v, bins)),
        of_weights(sums_on_cpu(v, w, bins)),
        bytes(x),
        floats(v),
        weights(w) {}

  Bins bins;
  std::vector<unsigned> of_bytes, of_floats;
  std::vector<double> of_weights;
  course::DeviceArray<Byte> bytes;
  course::DeviceArray<float> floats, weights;
};

void run_bytes(const course::Options& options, const Problem& p, course::Report& report) {
  course::DeviceArray<unsigned> counts(byte_bins);
  const size_t n = p.bytes.size();
  for (const ByteRung& rung : byte_rungs) {
    const course::Timing timing =
        TIME_EVENTS(options, counts.poison(), rung.launch({p.bytes, n, counts}));
    report.check(rung.name, "bytes", verify_counts(counts.to_host(), p.of_bytes));
    report.add(rung.name, timing, {static_cast<double>(n), 0});
  }
}

void run_floats(const course::Options& options, const Problem& p, course::Report& report) {
  course::DeviceArray<unsigned> counts(p.bins.count);
  const size_t n = p.floats.size();
  for (const FloatRung& rung : float_rungs) {
    if (!rung.can_count(p.bins.count)) continue;
    const course::Timing timing =
        TIME_EVENTS(options, counts.poison(), rung.launch({p.floats, n, p.bins, counts}));
    report.check(rung.name, "floats", verify_counts(counts.to_host(), p.of_floats));
    report.add(rung.name, timing, {4.0 * static_cast<double>(n), 0});
  }
}

void run_weights(const course::Options& options, const Problem& p, course::Report& report) {
  if (!has_room_for<1>(p.bins.count)) return;
  course::DeviceArray<float> as_floats(p.bins.count);
  course::DeviceArray<long long> in_units(p.bins.count);
  const size_t n = p.floats.size();
  const double bytes = 8.0 * static_cast<double>(n);
  course::Timing timing =
      TIME_EVENTS(options, as_floats.poison(),
                  launch_weights({p.floats, n, p.bins, nullptr}, p.weights, as_floats));
  report.check("weights as floats", "whole weights",
               course::verify_exact(as_floats.to_host().data(), p.of_weights.data(),
                                    p.of_weights.size(), 1));
  report.add("weights as floats", timing, {bytes, 0});
  timing = TIME_EVENTS(options, in_units.poison(),
                       launch_weights({p.floats, n, p.bins, nullptr}, p.weights, 1.0F, in_units));
  const std::vector<long long> units = in_units.to_host();
  report.check("weights in units", "whole weights",
               course::verify_exact(std::vector<float>(units.begin(), units.end()).data(),
                                    p.of_weights.data(), p.of_weights.size(), 1));
  report.add("weights in units", timing, {bytes, 0});
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "24_histogram";
  defaults.description =
      "How often each value occurs: bytes, floats in any number of bins, weights.";
  defaults.on_gpu = {1 << 28, 1};
  defaults.on_emulator = {1 << 17, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  unsigned bins = 1024;
  Input input = Input::random;
  defaults.add("--bins", &bins, 1, most_bins, "bins of the floats, from 0 to 1");
  defaults.own_options.push_back({"--input", "NAME", "random, sorted, skewed or equal",
                                  "what is counted (default random)",
                                  [&](const std::string& name) { return choose(name, input); }});
  bool no_clocks = false;
  defaults.add("--no-clocks", &no_clocks, "leave out what only a GPU's clocks can show");
  const course::Options options = course::parse_options(argc, argv, defaults);
  const size_t n = options.rows;
  const auto count = static_cast<double>(n);
  course::require_memory(options, 9.5 * count, 9.1 * count);
  course::Report report(options, course::CeilingKind::read);

  const Problem problem(input, n, {0.0F, 1.0F, bins}, options.seed);
  run_bytes(options, problem, report);
  run_floats(options, problem, report);
  run_weights(options, problem, report);
  note_wavefronts(report, options);
  if (!no_clocks && !course::on_emulator) {
    note_costs(report);
    note_predictions(report, options);
  }
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
