#define main chapter_25_main  // not the main() of the bench
#include "sort.cu"
#undef main

#include <atomic>
#include <cub/device/device_radix_sort.cuh>
#include <memory>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

// The keys of a kind, in order: known, or quickly sorted, as there are few different ones.
std::vector<unsigned> sorted_numbers(size_t n, const std::string& kind) {
  if (kind == "random" || kind == "sorted" || kind == "reversed") return numbers(n, "sorted");
  std::vector<unsigned> keys = numbers(n, kind);
  std::sort(keys.begin(), keys.end());
  return keys;
}

// n keys of a kind with their places, and what sorts them.
struct Data {
  Data(size_t n, const std::string& kind)
      : n(n),
        is_random(kind == "random"),
        keys(numbers(n, kind)),
        expected(sorted_numbers(n, kind)),
        x(keys),
        y(n),
        values(n),
        sorted_values(n),
        workspace(workspace_bytes<Ascending, unsigned>(n)) {
    std::vector<unsigned> places(n);
    for (size_t i = 0; i < n; ++i) places[i] = static_cast<unsigned>(i);
    values.copy_from(places);
    CUDA_CHECK(cub::DeviceRadixSort::SortPairs(
        nullptr, cub_bytes, static_cast<const unsigned*>(x), static_cast<unsigned*>(y),
        static_cast<const unsigned*>(values), static_cast<unsigned*>(sorted_values),
        static_cast<long long>(n)));
    cub_workspace = std::make_unique<DeviceArray<unsigned char>>(cub_bytes);
  }

  Keys keys_only() { return {x, y, n, workspace}; }
  Pairs pairs() { return {x, y, n, workspace, values, sorted_values}; }
  void poison() { y.poison(), sorted_values.poison(); }

  Verdict verify_keys(size_t run) const {
    return verify_keys_of(y.to_host(), run == 0 ? expected : in_order(keys, run));
  }
  // Each value is its key's old place. Of different keys it is known which; of equal ones the
  // earlier comes first: so they are stable, and no place occurs twice.
  Verdict verify_pairs() const {
    const std::vector<unsigned> places = sorted_values.to_host();
    std::atomic<size_t> wrong = n;
    course::detail::in_parallel(n, n, [&](size_t begin, size_t end) {
      for (size_t j = begin; j < end; ++j) {
        const bool right =
            is_random ? places[j] < n && shuffled(places[j], n, 1) == j
                      : places[j] < n && keys[places[j]] == expected[j] &&
                            (j == 0 || expected[j] != expected[j - 1] || places[j - 1] < places[j]);
        if (!right) wrong = j;
      }
    });
    if (wrong == n) return verify_keys(0);
    return {false, "value " + std::to_string(wrong) + " is not its key's place"};
  }

  size_t n;
  bool is_random;
  std::vector<unsigned> keys, expected;
  DeviceArray<unsigned> x, y, values, sorted_values;
  DeviceArray<unsigned char> workspace;
  size_t cub_bytes = 0;
  std::unique_ptr<DeviceArray<unsigned char>> cub_workspace;
};

Competitor cub_keys(const std::shared_ptr<Data>& data, const std::string& name) {
  return {name, [=] { data->poison(); },
          [=] {
            size_t bytes = data->cub_bytes;
            CUDA_CHECK(cub::DeviceRadixSort::SortKeys(
                static_cast<unsigned char*>(*data->cub_workspace), bytes,
                static_cast<const unsigned*>(data->x), static_cast<unsigned*>(data->y),
                static_cast<long long>(data->n)));
          },
          [=] { return data->verify_keys(0); }};
}

Competitor cub_pairs(const std::shared_ptr<Data>& data, const std::string& name) {
  return {name, [=] { data->poison(); },
          [=] {
            size_t bytes = data->cub_bytes;
            CUDA_CHECK(cub::DeviceRadixSort::SortPairs(
                static_cast<unsigned char*>(*data->cub_workspace), bytes,
                static_cast<const unsigned*>(data->x), static_cast<unsigned*>(data->y),
                static_cast<const unsigned*>(data->values),
                static_cast<unsigned*>(data->sorted_values), static_cast<long long>(data->n)));
          },
          [=] { return data->verify_pairs(); }};
}

// All rungs, or only the last one.
std::vector<Competitor> make_keys(size_t n, bool all_rungs) {
  const auto data = std::make_shared<Data>(n, "random");
  std::vector<Competitor> all;
  for (const SortVariant& variant : variants) {
    if (!all_rungs && variant.name != std::string("ours")) continue;
    all.push_back({variant.name, [=] { data->poison(); },
                   [=] { variant.launch(data->keys_only()); },
                   [=] { return data->verify_keys(variant.run); },
                   n * (variant.run == 0 ? bytes_of_keys : bytes_of_runs)});
  }
  all.push_back(cub_keys(data, "CUB DeviceRadixSort"));
  return all;
}

// The keys' kind is part of the names, unless it is random.
std::vector<Competitor> make_pairs(size_t n, const std::string& kind) {
  const auto data = std::make_shared<Data>(n, kind);
  const std::string of_kind = kind == "random" ? "" : ", " + kind;
  return {{"pairs" + of_kind, [=] { data->poison(); }, [=] { launch_sort(data->pairs()); },
           [=] { return data->verify_pairs(); }},
          cub_pairs(data, "CUB pairs" + of_kind)};
}
// Sorted ones also with tiles whose number of keys is a power of two.
std::vector<Competitor> make_keys_of(size_t n, const std::string& kind) {
  const auto data = std::make_shared<Data>(n, kind);
  std::vector<Competitor> all = {{"ours, " + kind, [=] { data->poison(); },
                                  [=] { launch_sort(data->keys_only()); },
                                  [=] { return data->verify_keys(0); }}};
  if (kind == "sorted") {
    all.push_back({"tiles of 8,192, sorted", [=] { data->poison(); },
                   [=] { launch_sweeps<Shape<512, 16, 2, ByPredicates>>(data->keys_only()); },
                   [=] { return data->verify_keys(0); }});
  }
  all.push_back(cub_keys(data, "CUB, " + kind));
  return all;
}

}  // namespace

void add_chapter_25(Registry& registry) {
  constexpr size_t rungs = size_t{1} << 24;  // the size at which all are measured
  // From what one launch sorts to 1 GiB of keys.
  for (const size_t n : {size_t{1} << 16, rungs, size_t{1} << 28}) {
    const auto array = 4.0 * static_cast<double>(n);
    registry.add(Problem{"25_sort", n, 1, n * bytes_of_keys, 0, "copy", 4 * array, 12 * array + 1e6,
                         "CUB DeviceRadixSort", [n] { return make_keys(n, n == rungs); }});
    registry.add(Problem{"25_sort", n, 1, n * bytes_of_pairs, 0, "copy", 4 * array,
                         12 * array + 1e6, "CUB pairs", [n] { return make_pairs(n, "random"); }});
  }
  constexpr size_t n = rungs;
  for (const std::string kind : {"sorted", "few distinct", "one"}) {
    registry.add(Problem{"25_sort", n, 1, n * bytes_of_keys, 0, "copy", 16.0 * n, 48.0 * n,
                         "CUB, " + kind, [=] { return make_keys_of(n, kind); }});
    registry.add(Problem{"25_sort", n, 1, n * bytes_of_pairs, 0, "copy", 16.0 * n, 48.0 * n,
                         "CUB pairs, " + kind, [=] { return make_pairs(n, kind); }});
  }
}

}  // namespace course::measure
