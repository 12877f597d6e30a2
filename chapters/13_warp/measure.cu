#define main chapter_13_main  // not the main() of the bench
#include "warp.cu"
#undef main

#include <cub/block/block_scan.cuh>
#include <cub/device/device_scan.cuh>
#include <cub/device/device_select.cuh>
#include <memory>

#include "measure/registry.hpp"
#include "measure/workspace.hpp"

namespace course::measure {
namespace {

struct KeptPredicate {
  __device__ bool operator()(unsigned value) const { return is_kept(value); }
};

// --- scans of an array -----------------------------------------------------------------------

struct ScanData {
  explicit ScanData(size_t n) : ScanData(n, numbers(n)) {}
  ScanData(size_t n, const std::vector<unsigned>& values)
      : n(n),
        x(values),
        y(n),
        starts(n / whole_chunk + 1),
        by_chunks(scan_on_cpu(values, false)),
        in_all(scan_on_cpu(values, true)) {}
  ScanArguments arguments() { return {x, n, y, starts}; }

  size_t n;
  DeviceArray<unsigned> x, y, starts;
  std::vector<unsigned> by_chunks, in_all;
};

std::vector<Competitor> make_scans(size_t n) {
  const auto data = std::make_shared<ScanData>(n);
  const auto restore = [=] { data->y.poison(); };
  const auto verify = [=](bool whole) {
    return verify_numbers(data->y.to_host(), whole ? data->in_all : data->by_chunks);
  };
  std::vector<Competitor> all;
  for (const ScanVariant& scan : scans) {
    all.push_back({scan.name, restore, [=] { scan.launch(data->arguments()); },
                   [=] { return verify(scan.whole); }});
  }
  const unsigned* const x = data->x;
  unsigned* const y = data->y;
  const auto cub = with_workspace([=](void* workspace, size_t& bytes) {
    return cub::DeviceScan::InclusiveSum(workspace, bytes, x, y, static_cast<long long>(n));
  });
  all.push_back({"CUB DeviceScan", restore, cub, [=] { return verify(true); }});
  return all;
}

// --- appends ---------------------------------------------------------------------------------

struct AppendData {
  explicit AppendData(size_t n) : n(n), x(numbers(n)), y(n), count(1) {}
  size_t n;
  DeviceArray<unsigned> x, y, count;
};

std::vector<Competitor> make_appends(size_t n) {
  const auto list = std::make_shared<AppendData>(n);
  const auto restore = [=] { list->y.poison(), list->count.poison(); };
  const auto verify = [=] {
    return verify_append(list->y.to_host(), list->count.to_host()[0], list->n);
  };
  std::vector<Competitor> all;
  for (const AppendVariant& append : appends) {
    all.push_back({append.name, restore,
                   [=] {
                     append.launch({list->x, list->n, list->y, list->count});
                   },
                   verify});
  }
  const unsigned* const x = list->x;
  unsigned* const y = list->y;
  unsigned* const count = list->count;
  const auto cub = with_workspace([=](void* workspace, size_t& bytes) {
    return cub::DeviceSelect::If(workspace, bytes, x, y, count, static_cast<long long>(n),
                                 KeptPredicate{});
  });
  all.push_back({"CUB DeviceSelect", restore, cub, verify});
  return all;
}

// --- scans of a block ------------------------------------------------------------------------

constexpr int rounds = 64;
constexpr size_t scanned = size_t{1} << 22;

// Ours and CUB's are interchangeable here: the same loads, the same stores, and between them enough
// scans that the scans dominate. Each scans the previous one's result.
template <class Scan>
__global__ void __launch_bounds__(Scan::threads) many_scans(const unsigned* x, unsigned* y) {
  __shared__ typename Scan::Workspace workspace;
  const size_t i = (static_cast<size_t>(blockIdx.x) * Scan::threads + threadIdx.x) * Scan::items;
  unsigned v[Scan::items];
  load(x, scanned, i, v);
#pragma unroll 1
  for (int k = 0; k < rounds; ++k) {
    Scan::scan(workspace, v);
    __syncthreads();
  }
  store(y, scanned, i, v);
}

template <class Scan, int threads_, int items_>
struct OurScan {
  static constexpr int threads = threads_, items = items_;
  using Workspace = typename Scan::Workspace;
  static __device__ void scan(Workspace& workspace, unsigned (&v)[items]) {
    scan_items<Scan>(workspace, v);
  }
};

template <cub::BlockScanAlgorithm algorithm, int threads_, int items_>
struct CubScan {
  static constexpr int threads = threads_, items = items_;
  using Block = cub::BlockScan<unsigned, threads, algorithm>;
  using Workspace = typename Block::TempStorage;
  static __device__ void scan(Workspace& workspace, unsigned (&v)[items]) {
    Block(workspace).InclusiveSum(v, v);
  }
};

template <class Scan>
void launch_many_scans(const unsigned* x, unsigned* y) {
  many_scans<Scan><<<scanned / (Scan::threads * Scan::items), Scan::threads>>>(x, y);
  CUDA_CHECK_LAUNCH();
}

using LaunchManyScans = void (*)(const unsigned* x, unsigned* y);

// The fastest of these, by the median of a few launches each.
size_t fastest(const std::vector<LaunchManyScans>& launches, const unsigned* x, unsigned* y) {
  Options options;
  options.repeat = least_samples;
  std::vector<double> times;
  for (const LaunchManyScans launch : launches) {
    times.push_back(time_events(
                        options, [] {}, [&] { launch(x, y); })
                        .median_ms);
  }
  return std::min_element(times.begin(), times.end()) - times.begin();
}

// CUB has three algorithms. Our baseline is the one that is fastest here.
template <int threads, int items>
std::vector<Competitor> make_block_scans() {
  struct Data {
    DeviceArray<unsigned> x{numbers(scanned)}, y{scanned};
    std::vector<unsigned> expected;
  };
  const auto data = std::make_shared<Data>();
  data->expected = numbers(scanned);
  for (int k = 0; k < rounds; ++k) {
    for (size_t i = 0; i < scanned; ++i) {
      if (i % (threads * items) != 0) data->expected[i] += data->expected[i - 1];
    }
  }
  const std::vector<LaunchManyScans> cubs = {
      launch_many_scans<CubScan<cub::BLOCK_SCAN_RAKING, threads, items>>,
      launch_many_scans<CubScan<cub::BLOCK_SCAN_RAKING_MEMOIZE, threads, items>>,
      launch_many_scans<CubScan<cub::BLOCK_SCAN_WARP_SCANS, threads, items>>};
  std::vector<Competitor> all;
  const auto add = [&](const char* name, LaunchManyScans launch) {
    all.push_back({name, [=] { data->y.poison(); }, [=] { launch(data->x, data->y); },
                   [=] { return verify_numbers(data->y.to_host(), data->expected); }});
  };
  add("block, one warp", launch_many_scans<OurScan<ByOneWarp<threads>, threads, items>>);
  add("block, two stages", launch_many_scans<OurScan<TwoStages<threads>, threads, items>>);
  add("block, by instruction", launch_many_scans<OurScan<BestScan<threads>, threads, items>>);
  add("CUB BlockScan", cubs[fastest(cubs, data->x, data->y)]);
  return all;
}

// Named by threads and items. The work counted is the additions that a scan needs, one per element
// and round.
template <int threads, int items>
void add_block_scans(Registry& registry) {
  const double bytes = 4.0 * scanned;
  registry.add(Problem{"13_warp", threads, items, 2 * bytes, 1.0 * rounds * scanned, "copy",
                       3 * bytes, 2.1 * bytes, "CUB BlockScan",
                       [] { return make_block_scans<threads, items>(); }});
}
template <int threads>
void add_block_scans_of(Registry& registry) {
  add_block_scans<threads, 1>(registry);
  add_block_scans<threads, 4>(registry);
  add_block_scans<threads, 8>(registry);
  add_block_scans<threads, 16>(registry);
}

}  // namespace

void add_chapter_13(Registry& registry) {
  // From what the level-2 cache holds to 1 GiB; one size is a prime.
  for (const size_t n :
       {size_t{1} << 16, size_t{1} << 20, size_t{3000017}, size_t{1} << 24, size_t{1} << 28}) {
    const auto array = 4.0 * static_cast<double>(n);
    registry.add(Problem{"13_warp", n, 1, 2 * array, array / 4, "copy", 4.1 * array, 2.2 * array,
                         "CUB DeviceScan", [n] { return make_scans(n); }});
    // About half of the numbers are kept.
    registry.add(Problem{"13_warp", n, 1, 1.5 * array, 0, "copy", 2.1 * array, 2.2 * array,
                         "CUB DeviceSelect", [n] { return make_appends(n); }});
  }
  add_block_scans_of<64>(registry);
  add_block_scans_of<128>(registry);
  add_block_scans_of<256>(registry);
  add_block_scans_of<512>(registry);
  add_block_scans_of<1024>(registry);
}

}  // namespace course::measure
