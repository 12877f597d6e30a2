#define main chapter_24_main  // not the main() of the bench
#include "histogram.cu"
#undef main

#include <cub/device/device_histogram.cuh>
#include <memory>

#include "measure/registry.hpp"
#include "measure/workspace.hpp"

namespace course::measure {
namespace {

// The rows of other inputs than random ones have the input's name after the kernel's.
std::string named(const std::string& kernel, Input input) {
  if (input == Input::random) return kernel;
  return kernel + ", " + input_names[static_cast<int>(input)];
}

template <class T>
struct Data {
  Data(const std::vector<T>& values, std::vector<unsigned> right)
      : x(values), expected(std::move(right)), counts(expected.size()) {}
  DeviceArray<T> x;
  std::vector<unsigned> expected;
  DeviceArray<unsigned> counts;
};

template <class T>
Competitor competitor(const std::shared_ptr<Data<T>>& data, const std::string& name,
                      std::function<void()> launch) {
  return {name, [=] { data->counts.poison(); }, std::move(launch),
          [=] { return verify_counts(data->counts.to_host(), data->expected); }};
}

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::vector<Competitor> make_bytes_problem(Input input, size_t n) {
  const std::vector<Byte> x = make_bytes(input, n);
  const auto data = std::make_shared<Data<Byte>>(x, count_on_cpu(x));
  std::vector<Competitor> all;
  for (const ByteRung& rung : byte_rungs) {
    // In global memory most bytes would take minutes, and all rungs need not be shown twice.
    const bool is_few = n < size_t{1} << 28;
    if (is_few && !is_one_of(rung.name, {"global", "own bank"})) continue;
    if (!is_few && is_one_of(rung.name, {"global"})) continue;
    if (input != Input::random && !is_one_of(rung.name, {"16 bytes", "8 copies", "own bank"})) {
      continue;
    }
    all.push_back(competitor(data, named(rung.name, input), [=] {
      rung.launch({data->x, n, data->counts});
    }));
  }
  all.push_back(
      competitor(data, named("CUB", input), with_workspace([=](void* workspace, size_t& bytes) {
                   return cub::DeviceHistogram::HistogramEven(
                       workspace, bytes, static_cast<const Byte*>(data->x),
                       reinterpret_cast<int*>(static_cast<unsigned*>(data->counts)), byte_bins + 1,
                       0, byte_bins, static_cast<int>(n));
                 })));
  return all;
}

std::vector<Competitor> make_floats_problem(Input input, size_t n, unsigned count) {
  const Bins bins{0.0F, 1.0F, count};
  const std::vector<float> x = make_floats(input, n);
  const auto data = std::make_shared<Data<float>>(x, count_on_cpu(x, bins));
  std::vector<Competitor> all;
  for (const FloatRung& rung : float_rungs) {
    if (!rung.can_count(count) || is_one_of(rung.name, {"floats, global"})) continue;
    // The others are for many bins; clusters are slow there, and once is enough.
    if (count <= 1024 && !is_one_of(rung.name, {"floats, shared"})) continue;
    if (input != Input::random && is_one_of(rung.name, {"floats, cluster"})) continue;
    all.push_back(competitor(data, named(rung.name, input), [=] {
      rung.launch({data->x, n, bins, data->counts});
    }));
  }
  all.push_back(
      competitor(data, named("CUB", input), with_workspace([=](void* workspace, size_t& bytes) {
                   return cub::DeviceHistogram::HistogramEven(
                       workspace, bytes, static_cast<const float*>(data->x),
                       reinterpret_cast<int*>(static_cast<unsigned*>(data->counts)),
                       static_cast<int>(count) + 1, bins.low, bins.high, static_cast<int>(n));
                 })));
  return all;
}

}  // namespace

void add_chapter_24(Registry& registry) {
  const size_t largest = size_t{1} << 28;
  const auto add_bytes = [&](Input input, size_t n) {
    const auto bytes = static_cast<double>(n);
    registry.add(Problem{"24_histogram", n, 1, bytes, 0, "read", 6 * bytes, 1.1 * bytes + (1 << 24),
                         named("CUB", input), [=] { return make_bytes_problem(input, n); }});
  };
  const auto add_floats = [&](Input input, unsigned bins) {
    const auto bytes = 4.0 * static_cast<double>(largest);
    registry.add(Problem{"24_histogram", largest, bins, bytes, 0, "read", 2 * bytes,
                         1.1 * bytes + (1 << 28), named("CUB", input),
                         [=] { return make_floats_problem(input, largest, bins); }});
  };
  add_bytes(Input::random, size_t{1} << 24);
  for (const Input input : {Input::random, Input::skewed, Input::equal}) add_bytes(input, largest);
  for (const unsigned bins : {1024U, 4096U, 65536U}) add_floats(Input::random, bins);
  for (const Input input : {Input::sorted, Input::skewed, Input::equal}) add_floats(input, 65536);
}

}  // namespace course::measure
