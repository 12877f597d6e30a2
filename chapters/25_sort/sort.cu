// Chapter 25: sorting. First by comparisons that no key can change, then by merging, then by digits
// until each pass reads every key once and writes it once.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -arch=native -I ../../common/lesson sort.cu -o
// sort

#include <bit>

#include "launch.hpp"

// Numbers without a pattern.
std::uint64_t mixed(std::uint64_t z) {
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

// The key that belongs at place j of n: a number from the jth of n equal parts of all numbers. So
// all keys are different, and their order is known without a sort.
unsigned key_at(size_t j, size_t n) {
  const std::uint64_t begin = (std::uint64_t{j} << 32) / n;
  const std::uint64_t end = (std::uint64_t{j + 1} << 32) / n;
  return static_cast<unsigned>(begin + mixed(j + 1) % (end - begin));
}

// Each number below n for one i below n. Every step can be undone: an odd factor, and bits that are
// flipped by higher ones.
size_t shuffled(size_t i, size_t n, std::uint64_t seed) {
  const int bits = std::bit_width(n - 1);
  const std::uint64_t mask = (std::uint64_t{1} << bits) - 1;
  std::uint64_t z = i;
  do {
    for (int round = 0; round < 3; ++round) {
      z = (z * 0x9E3779B97F4A7C15U + seed) & mask;
      z ^= z >> (bits / 2 + 1);
    }
  } while (z >= n);
  return z;
}

// Arrays that sorts have trouble with: some are in order, some have few different keys.
const std::vector<std::string> kinds = {"random", "sorted", "reversed", "few distinct", "one"};
std::vector<unsigned> numbers(size_t n, const std::string& kind, std::uint64_t seed = 1) {
  std::vector<unsigned> x(n);
  course::detail::in_parallel(n, n, [&](size_t begin, size_t end) {
    for (size_t i = begin; i < end; ++i) {
      if (kind == "random") x[i] = key_at(shuffled(i, n, seed), n);
      if (kind == "sorted") x[i] = key_at(i, n);
      if (kind == "reversed") x[i] = key_at(n - 1 - i, n);
      if (kind == "few distinct") x[i] = static_cast<unsigned>(mixed(i + seed) % 7);
      if (kind == "one") x[i] = 4711;
    }
  });
  return x;
}

using Ascending = Order<unsigned>;
using Keys = Sort<Ascending>;
using Pairs = Sort<Ascending, unsigned>;

struct SortVariant {
  const char* name;
  void (*launch)(const Keys&);
  size_t run;  // keys that are sorted by themselves; 0: the whole array
};
const std::vector<SortVariant> variants = {
    {"warps", launch_sort_warps<Ascending>, 32},
    {"blocks", launch_sort_blocks<Ascending>, run},
    {"merged", launch_merge_sort<Ascending>, 0},
    {"passes", launch_passes<false, ByMatch>, 0},
    {"in runs", launch_passes<true, ByMatch>, 0},
    {"ballots", launch_passes<true, ByBallots>, 0},
    {"one sweep", launch_one_sweep<ByBallots>, 0},
    {"predicates", launch_one_sweep<ByPredicates>, 0},
    {"ours", launch_sort<Ascending, NoValue>, 0},
};

// The least that a sort by digits of 8 bits moves, in bytes per key: each of four passes reads and
// writes all, and before them the digits are counted.
constexpr double bytes_of_keys = 4 + 4 * 8, bytes_of_pairs = 4 + 4 * 16;
constexpr double bytes_of_runs = 8;  // what sorts 32 or 2,048 keys reads and writes them once

// Where the keys in order were; equal keys stay in their order.
std::vector<unsigned> places_in_order(const std::vector<unsigned>& x, size_t run) {
  std::vector<unsigned> places(x.size());
  for (size_t i = 0; i < x.size(); ++i) places[i] = static_cast<unsigned>(i);
  const size_t length = run == 0 ? x.size() : run;
  for (size_t first = 0; first < x.size(); first += length) {
    std::stable_sort(places.begin() + first, places.begin() + std::min(first + length, x.size()),
                     [&](unsigned a, unsigned b) { return x[a] < x[b]; });
  }
  return places;
}

std::vector<unsigned> in_order(const std::vector<unsigned>& x, size_t run) {
  std::vector<unsigned> sorted = places_in_order(x, run);
  for (unsigned& value : sorted) value = x[value];
  return sorted;
}

course::Verdict verify_keys_of(const std::vector<unsigned>& got,
                               const std::vector<unsigned>& expected) {
  const auto differ = std::mismatch(got.begin(), got.end(), expected.begin(), expected.end());
  if (differ.first == got.end() && differ.second == expected.end()) {
    return {true, "all " + std::to_string(got.size()) + " elements right"};
  }
  return {false, "the first wrong element is " + std::to_string(differ.first - got.begin())};
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "25_sort";
  defaults.description = "Sorts an array: by a network, by merges, by digits.";
  defaults.on_gpu = {1 << 24, 1};
  defaults.on_emulator = {1 << 15, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  const course::Options options = course::parse_options(argc, argv, defaults);
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(unsigned));
  course::require_memory(options, 6 * array, 7 * array);
  course::Report report(options, course::CeilingKind::copy);

  course::DeviceArray<unsigned char> workspace(workspace_bytes<Ascending, unsigned>(n));
  for (const std::string kind : {"sorted", "few distinct"}) {  // enough to show everything
    const std::vector<unsigned> x = numbers(std::min<size_t>(n, 3000), kind, options.seed);
    course::DeviceArray<unsigned> d_x(x), d_y(x.size());
    const std::vector<unsigned> expected = in_order(x, 0);
    for (const SortVariant& variant : variants) {
      if (variant.run != 0) continue;
      d_y.poison();
      variant.launch({d_x, d_y, x.size(), workspace});
      report.check(variant.name, kind, verify_keys_of(d_y.to_host(), expected));
    }
  }
  const std::vector<unsigned> x = numbers(n, "random", options.seed);
  const std::vector<unsigned> expected = numbers(n, "sorted");
  course::DeviceArray<unsigned> d_x(x), d_y(n);
  for (const SortVariant& variant : variants) {
    const course::Timing timing =
        TIME_EVENTS(options, d_y.poison(), variant.launch({d_x, d_y, n, workspace}));
    report.check(
        variant.name, "numbers",
        verify_keys_of(d_y.to_host(), variant.run == 0 ? expected : in_order(x, variant.run)));
    report.add(variant.name, timing, {n * (variant.run == 0 ? bytes_of_keys : bytes_of_runs), 0});
  }
  std::vector<unsigned> places(n), in_order(n);
  for (size_t i = 0; i < n; ++i) {
    places[i] = static_cast<unsigned>(i);
    in_order[shuffled(i, n, options.seed)] = places[i];
  }
  course::DeviceArray<unsigned> d_values(places), d_sorted_values(n);
  const Pairs pairs = {d_x, d_y, n, workspace, d_values, d_sorted_values};
  const course::Timing timing =
      TIME_EVENTS(options, (d_y.poison(), d_sorted_values.poison()), launch_sort(pairs));
  report.check("pairs", "numbers", verify_keys_of(d_sorted_values.to_host(), in_order));
  report.add("pairs", timing, {n * bytes_of_pairs, 0});
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
