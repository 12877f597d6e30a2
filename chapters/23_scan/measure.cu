#define main chapter_23_main  // not the main() of the bench
#include "scan.cu"
#undef main

#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <memory>

#include "measure/registry.hpp"
#include "measure/workspace.hpp"

namespace course::measure {
namespace {

struct ScanData {
  explicit ScanData(size_t n)
      : values(exact_vector(n, n)), expected(scan_on_cpu(values)), x(values), y(n), memory(n) {}
  std::vector<float> values;
  std::vector<double> expected;
  DeviceArray<float> x, y;
  scan::TileStateMemory memory;
};

// All rungs, or only the last ones.
std::vector<Competitor> make_scans(size_t n, bool all_rungs) {
  const auto data = std::make_shared<ScanData>(n);
  const auto restore = [=] { data->y.poison(); };
  const auto verify = [=] {
    return verify_exact(data->y.to_host().data(), data->expected.data(), 1, n);
  };
  std::vector<Competitor> all;
  for (const ScanRung& rung : scans_here()) {
    const std::string name = rung.name;
    if (!all_rungs && name != "in groups" && name != "ahead, in groups" && name != "ours") continue;
    all.push_back({rung.name, restore,
                   [=] { rung.launch(data->x, n, data->y, data->memory.arguments()); }, verify});
  }
  const float* const x = data->x;
  float* const y = data->y;
  const auto cub = with_workspace([=](void* workspace, size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(workspace, bytes, x, y, static_cast<long long>(n));
  });
  all.push_back({"CUB DeviceScan", restore, cub, verify});
  return all;
}

struct ListData {
  explicit ListData(size_t n)
      : values(exact_vector(n, n)), expected(partition_on_cpu(values)), x(values), y(n), memory(n) {
    kept = static_cast<size_t>(std::count_if(values.begin(), values.end(), IsPositive{}));
  }
  std::vector<float> values;
  std::vector<double> expected;
  size_t kept;
  DeviceArray<float> x, y;
  DeviceArray<unsigned> count{1};
  scan::TileStateMemory memory;
};

std::vector<Competitor> make_compactions(size_t n) {
  const auto data = std::make_shared<ListData>(n);
  const auto restore = [=] { data->y.poison(), data->count.poison(); };
  const auto verify = [=] {
    if (data->count.to_host()[0] != data->kept) return Verdict{false, "the number is wrong"};
    return verify_exact(data->y.to_host().data(), data->expected.data(), 1, data->kept);
  };
  const float* const x = data->x;
  float* const y = data->y;
  unsigned* const count = data->count;
  const auto cub = with_workspace([=](void* workspace, size_t& bytes) {
    return cub::DeviceSelect::If(workspace, bytes, x, y, count, static_cast<long long>(n),
                                 IsPositive{});
  });
  const auto ours = [=] {
    float* const none = nullptr;
    scan::launch_compact(x, n, IsPositive{}, y, none, count, data->memory.arguments());
  };
  return {{"compaction", restore, ours, verify}, {"CUB DeviceSelect", restore, cub, verify}};
}

}  // namespace

void add_chapter_23(Registry& registry) {
  // From less than a tile to 1 GiB; one size is not a multiple of anything.
  for (const size_t n : {size_t{1} << 10, size_t{1} << 16, size_t{1} << 20, size_t{3000017},
                         size_t{1} << 24, size_t{1} << 28}) {
    const auto array = 4.0 * static_cast<double>(n);
    registry.add(Problem{
        "23_scan", n, 1, 2 * array, array / 4, "copy", 6 * array, 2.2 * array, "CUB DeviceScan",
        [=] { return make_scans(n, n == size_t{1} << 20 || n == size_t{1} << 28); }});
  }
  // Half of the numbers are kept.
  for (const size_t n :
       {size_t{1} << 16, size_t{1} << 20, size_t{3000017}, size_t{1} << 24, size_t{1} << 28}) {
    const auto array = 4.0 * static_cast<double>(n);
    registry.add(Problem{"23_scan", n, 1, 1.5 * array, 0, "copy", 6 * array, 2.3 * array,
                         "CUB DeviceSelect", [n] { return make_compactions(n); }});
  }
}

}  // namespace course::measure
