/// @file
/// What clock and what power chapter 21's products settle at, each by itself, launch upon launch:
/// with normal random numbers, and with equal ones, which cost the GPU less power. So it shows what
/// they do of what tensor cores can do *at their clock*.
///
///     build/cuda/bin/tensor_clocks --json docs/results/nvidia-h200/21_clocks.json
///
/// And what the rest goes into: what products take if fragments are read beside them, and what is
/// saved if C is not written.
///
/// The clock is counted: every multiprocessor has a counter of its cycles, and one of nanoseconds.
/// What NVML says of clock and power is beside it.

#include "../../../chapters/21_tensor_cores/measure.cu"
#include "clocks/clocks.hpp"
#include "clocks/nvml.hpp"

namespace course::measure {
namespace {

// A multiprocessor's two counters.
struct ClockReading {
  unsigned long long cycles, nanoseconds;
};
constexpr int most_multiprocessors = 1024;

__global__ void mark(ClockReading* marks) {
  unsigned number = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(number));
  if (threadIdx.x != 0 || number >= most_multiprocessors) return;
  unsigned long long nanoseconds = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(nanoseconds));
  marks[number] = {static_cast<unsigned long long>(clock64()), nanoseconds};
}

// The marks of all multiprocessors, taken after all that was launched so far.
class ClockReadings {
 public:
  ClockReadings() : marks_(most_multiprocessors) {}
  void take() { mark<<<4 * device().multiprocessors, 32>>>(marks_); }

  // The median of the clocks since `before`, in MHz, over those that have both marks.
  double megahertz_since(const ClockReadings& before) const {
    const std::vector<ClockReading> first = before.marks_.to_host();
    const std::vector<ClockReading> last = marks_.to_host();
    std::vector<double> clocks;
    for (std::size_t i = 0; i < first.size(); ++i) {
      if (first[i].nanoseconds == 0 || last[i].nanoseconds <= first[i].nanoseconds) continue;
      clocks.push_back(1e3 * static_cast<double>(last[i].cycles - first[i].cycles) /
                       static_cast<double>(last[i].nanoseconds - first[i].nanoseconds));
    }
    std::sort(clocks.begin(), clocks.end());
    return clocks.empty() ? 0.0 : percentile(clocks, 0.5);
  }

 private:
  DeviceArray<ClockReading> marks_;
};

// What one of them does all the time.
struct SteadyState {
  double gigaflops_per_s = 0;
  double megahertz = 0;
  ClockSummary as_nvml_says;
  double per_clock() const { return gigaflops_per_s / megahertz * 1e3 / device().multiprocessors; }
};

// Launches for a while until clock and power have settled, and then for that many seconds.
SteadyState settle(const std::function<void()>& launch, double operations, double seconds,
                   ClockWatch& watch) {
  constexpr int at_a_time = 8;  // so that there is hardly a gap between launches
  HostTimer host;
  const auto go_on = [&](double milliseconds) {
    int launches = 0;
    host.start();
    do {
      for (int i = 0; i < at_a_time; ++i) launch();
      CUDA_CHECK(cudaDeviceSynchronize());
      launches += at_a_time;
    } while (host.stop() < milliseconds);
    return launches;
  };
  go_on(800);
  ClockReadings before, after;
  EventTimer events;
  watch.begin();
  before.take();
  events.start();
  const int launches = go_on(1e3 * seconds);
  const double milliseconds = events.stop();
  after.take();
  SteadyState settled;
  settled.as_nvml_says = watch.end();
  settled.gigaflops_per_s = operations * launches / milliseconds / 1e6;
  settled.megahertz = after.megahertz_since(before);
  return settled;
}

// ---------------------------------------------------------------- what the rest goes into

using tensor::Bf16;
using tensor::Fragments;

// A warp's sums, of which the compiler does not know that nobody wants them.
struct ObservableSums : tensor::Sums<Bf16> {
  __device__ void sink(float* to) const {
    float total = 0.0F;
    for (const auto& row : sum_) {
      for (const tensor::FragmentC& c : row) total += c[0] + c[1] + c[2] + c[3];
    }
    if (total == 12345.678F) *to = total;
  }
};

// As mma_alone() with eight warps. But for 32 products a number of loads of fragments are issued
// beside them, four for A's and four for B's at most, as chapter 21's warps do.
template <int loads>
__global__ void __launch_bounds__(256, 1)
    mma_and_loads(const std::uint32_t* words, int steps, float* sink) {
  __shared__ alignas(128) std::uint32_t quarters[4][8][128];
  auto* all = &quarters[0][0][0];
  for (int i = threadIdx.x; i < 4 * 8 * 128; i += blockDim.x) all[i] = words[i];
  __syncthreads();
  const auto read = [&](Fragments& f, int quarter, int count) {
#pragma unroll
    for (int i = 0; i < count; ++i) {
      const std::uint32_t* row = &quarters[quarter][i][threadIdx.x % 32 * 4];
      if (i < 4) {
        tensor::load_matrices(f.a[i], row);
      } else {
        std::uint32_t both[4];
        tensor::load_matrices_transposed(both, row);
        f.b[2 * i - 8][0] = both[0], f.b[2 * i - 8][1] = both[1];
        f.b[2 * i - 7][0] = both[2], f.b[2 * i - 7][1] = both[3];
      }
    }
  };
  Fragments f[2];
  read(f[0], 0, 8);
  read(f[1], 1, 8);
  ObservableSums sums;
  sums.clear();
#pragma unroll 1
  for (int step = 0; step < steps; step += 4) {
#pragma unroll
    for (int quarter = 0; quarter < 4; ++quarter) {
      read(f[(quarter + 1) % 2], (quarter + 1) % 4, loads);
      sums.multiply(f[quarter % 2]);
    }
  }
  sums.sink(sink);
}

template <int loads>
class MmaAndLoadsLaunch {
 public:
  explicit MmaAndLoadsLaunch(const std::vector<std::uint32_t>& words) : words_(words), sink_(1) {}
  void operator()() {
    mma_and_loads<loads><<<device().multiprocessors, 256>>>(words_, steps, sink_);
    CUDA_CHECK_LAUNCH();
  }
  static double operations() { return 2.0 * 64 * 64 * 16 * steps * 8 * device().multiprocessors; }

 private:
  static constexpr int steps = 4096;  // quarters of a stage, 16 terms each
  DeviceArray<std::uint32_t> words_;
  DeviceArray<float> sink_;
};

// Chapter 21's `stream-k`, of a C without rows: nothing is written.
class ProductWithoutStores {
 public:
  ProductWithoutStores() : parts_(std::size_t{2} * blocks_ * Tile::rows * Tile::cols, unset) {
    CUDA_CHECK(cudaMemset(arrived_, 0, arrived_.bytes()));
  }
  void launch(const __nv_bfloat16* A, const __nv_bfloat16* B, int m, int n, int k) {
    Plan plan = data_parallel_plan<Tile>(m, n, k);
    plan.whole = std::max(plan.whole / blocks_ - 1, 0) * blocks_;
    plan.parts = parts_;
    plan.arrived = arrived_;
    tensor::Maps maps;
    make_swizzled_map(maps.A, A, m, k, k, Tile::rows);
    make_swizzled_map(maps.B, B, k, n, n, Tile::depth);
    const auto kernel = tensor::gemm_producer_warps<Tile>;
    constexpr int bytes = sizeof(tensor::Storage<Tile>);
    CUDA_CHECK(cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    const tensor::Product<__nv_bfloat16> nothing = {A, B, nullptr, 0, n, k};
    kernel<<<blocks_, Tile::threads + tensor::producer_threads, bytes>>>(maps, nothing, plan, true);
    CUDA_CHECK_LAUNCH();
  }

 private:
  using Tile = Mapped<Bf16>;
  int blocks_ = device().multiprocessors;
  DeviceArray<float> parts_;
  DeviceArray<unsigned> arrived_{static_cast<std::size_t>(blocks_)};
};

void require_right(const std::string& name, const Verdict& verdict) {
  if (!verdict.passed) throw std::runtime_error(name + ": " + verdict.message);
}

// The ceiling's row first: the others are held against its operations a clock.
class Table {
 public:
  Table(Report& report, ClockWatch& watch, double seconds)
      : report_(report), watch_(watch), seconds_(seconds) {}

  void head(const std::string& numbers) {
    ceiling_ = 0;
    char line[160];
    std::snprintf(line, sizeof line, "%-26s %9s %8s %6s %7s %5s %5s", numbers.c_str(), "GFLOP/s",
                  "a clock", "share", "counted", "NVML", "W");
    report_.note(line);
  }
  void row(const std::string& name, const std::function<void()>& launch, double operations) {
    const SteadyState s = settle(launch, operations, seconds_, watch_);
    if (ceiling_ == 0) ceiling_ = s.per_clock();
    char line[160];
    std::snprintf(line, sizeof line, "%-26s %9.0f %8.0f %4.1f %% %7.0f %5.0f %5.0f", name.c_str(),
                  s.gigaflops_per_s, s.per_clock(), 100 * s.per_clock() / ceiling_, s.megahertz,
                  s.as_nvml_says.sm_mhz_median.value_or(0.0),
                  s.as_nvml_says.power_w_max.value_or(0.0));
    std::fprintf(stderr, "%s\n", line);
    report_.note(line);
  }

 private:
  Report& report_;
  ClockWatch& watch_;
  double seconds_;
  double ceiling_ = 0;
};

template <class T>
void settle_all(const Options& options, Table& table, Report& report, const std::string& type,
                const std::vector<std::string>& names) {
  const std::size_t m = options.rows;
  const std::size_t n = options.cols;
  const std::size_t k = options.inner;
  const double operations = gemm_work(m, n, k).operations;
  for (const Kind kind : {Kind::normal, Kind::constant}) {
    const std::string data = kind == Kind::normal ? "normal" : "constant";
    table.head(type + ", " + data);
    PeakLaunch<T, 4> alone(words_of<T>(kind, std::size_t{512} * peak_words));
    table.row(
        "mma.sync alone", [&] { alone(); }, alone.operations());
    if constexpr (std::is_same_v<T, Bf16>) {
      const auto words = words_of<T>(kind, 4 * 8 * 128);
      const auto with = [&]<int loads>() {
        MmaAndLoadsLaunch<loads> launch(words);
        table.row(
            "mma.sync, " + std::to_string(loads) + " loads", [&] { launch(); },
            launch.operations());
      };
      with.template operator()<2>();
      with.template operator()<4>();
      with.template operator()<8>();
      const Bench21 bench(kind, m, n, k);
      ProductWithoutStores without;
      table.row(
          "stream-k, C not written",
          [&] {
            without.launch(bench.inputs.bf16_A, bench.inputs.bf16_B, static_cast<int>(m),
                           static_cast<int>(n), static_cast<int>(k));
          },
          operations);
    }
    for (const Competitor& one : competitors(kind, type, "", m, n, k)) {
      if (std::find(names.begin(), names.end(), one.name) == names.end()) continue;
      one.restore();
      table.row(one.name, one.launch, operations);
      const Verdict verdict = one.verify();
      require_right(one.name, verdict);
      report.check(one.name, data + " data", verdict);
    }
  }
}

}  // namespace
}  // namespace course::measure

int main(int argc, char** argv) try {
  using namespace course::measure;
  const course::Options options =
      course::parse_gemm_options(argc, argv, "tensor_clocks",
                                 "The clock and the power that products by tensor cores settle at.",
                                 [](course::Defaults& defaults) {
                                   defaults.on_gpu = {8192, 8192, 8192};
                                   defaults.choose_data = false;
                                 });
  if (!course::on_emulator && course::device().compute_capability < 80) {
    std::puts("SKIPPED: tensor cores that know BF16 and TF32 need compute capability 8.0");
    return 77;
  }
  char bus_id[32] = "";
  CUDA_CHECK(cudaDeviceGetPCIBusId(bus_id, sizeof bus_id, 0));
  ClockWatch watch(bus_id);
  course::Report report(options, course::CeilingKind::fma);
  Table table(report, watch, 1.2);
  settle_all<tensor::Bf16>(options, table, report, "BF16",
                           {"whole tiles", "producer warps", "stream-k", "BF16 by cuBLAS"});
  settle_all<tensor::Tf32<false>>(options, table, report, "TF32",
                                  {"TF32, truncated", "truncated, stream-k", "TF32 by cuBLAS"});
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
