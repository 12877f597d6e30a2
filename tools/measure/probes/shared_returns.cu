// What loads from shared memory cost the multiply-adds beside them. A thread keeps 8 x 16 sums, and
// reads 8 + 16 numbers for each step, 16 bytes at a time, as in a tiled product of matrices. All
// rows are the same kernel, and read as many bytes. They differ in one thing: which places a warp's
// lanes read, and so how many wavefronts a load takes.
//
//   shared_returns --json docs/results/nvidia-h200/shared_returns.json
//
// --size is how often a thread reads the tile.

#include "course.hpp"

using std::size_t;

constexpr int threads = 256;  // one block has a multiprocessor: two warps for each quarter of it
constexpr int rows = 8;       // of sums, a thread
constexpr int cols = 16;
constexpr int steps = 14;  // of a tile
constexpr int loads = (rows + cols) / 4;
constexpr int lanes = 32;

struct LanePattern {
  const char* name;
  int (*place_of)(int lane);
};

// Shared memory serves a warp's 16 bytes per lane by quarters, eight lanes at a time, or by two
// quarters if bit 0 or bit 1 of a lane's number has no effect on its place. A name begins with the
// wavefronts.
constexpr LanePattern patterns[] = {
    {"2: one place", [](int) { return 0; }},
    {"2: without bit 0", [](int lane) { return lane / 2; }},
    {"2: without bit 1", [](int lane) { return lane % 2 + lane / 4 * 2; }},
    {"4: quarters alike", [](int lane) { return lane % 8; }},
    {"4: all places", [](int lane) { return lane; }},
};

// What a lane needs for one step: 8 numbers of a row's and 16 of a column's.
struct StepOperands {
  float4 of[loads];
  __device__ float row(int r) const { return part(of[r / 4], r % 4); }
  __device__ float col(int c) const { return part(of[(rows + c) / 4], c % 4); }

 private:
  static __device__ float part(const float4& four, int i) {
    return i == 0 ? four.x : i == 1 ? four.y : i == 2 ? four.z : four.w;
  }
};

// `places`: of each lane. The compiler does not know them, so all patterns have the same machine
// code.
__global__ void __launch_bounds__(threads, 1)
    multiply(const float4* values, const int* places, float* sums, int passes) {
  constexpr int of_step = loads * lanes;
  __shared__ float4 tile[(steps + 1) * of_step];  // the first step once more after the last
  for (int i = threadIdx.x; i < (steps + 1) * of_step; i += threads) {
    tile[i] = values[i % (steps * of_step)];
  }
  __syncthreads();

  float sum[rows][cols] = {};
  const float4* const mine = tile + places[threadIdx.x % lanes];
  const auto read = [&](StepOperands& numbers, const float4* from) {
#pragma unroll
    for (int l = 0; l < loads; ++l) numbers.of[l] = from[l * lanes];
  };
  const auto multiply_by = [&](const StepOperands& numbers) {
#pragma unroll
    for (int r = 0; r < rows; ++r) {
#pragma unroll
      for (int i = 0; i < cols; ++i) {
        const int c = r % 2 == 0 ? i : cols - 1 - i;  // back and forth: a number is still there
        sum[r][c] += numbers.row(r) * numbers.col(c);
      }
    }
  };
  // While one step's numbers are multiplied, the next one's are read.
  StepOperands even, odd;
  read(even, mine);
  for (int pass = 0; pass < passes; ++pass) {
    const float4* from = mine;
#pragma unroll 1
    for (int step = 0; step < steps; step += 2) {
      read(odd, from + of_step);
      multiply_by(even);
      read(even, from + 2 * of_step);
      multiply_by(odd);
      from += 2 * of_step;
    }
  }

  float* const mine_of_sums = sums + size_t{blockIdx.x} * threads * rows * cols + threadIdx.x;
#pragma unroll
  for (int r = 0; r < rows; ++r) {
#pragma unroll
    for (int c = 0; c < cols; ++c) mine_of_sums[(r * cols + c) * threads] = sum[r][c];
  }
}

void launch_multiply(int grid, const float4* values, const int* places, float* sums, int passes) {
  multiply<<<grid, threads>>>(values, places, sums, passes);
  CUDA_CHECK_LAUNCH();
}

std::vector<int> places_of(const LanePattern& pattern) {
  std::vector<int> places;
  for (int lane = 0; lane < lanes; ++lane) places.push_back(pattern.place_of(lane));
  return places;
}

// A block's sums, in the kernel's order.
std::vector<double> expected_sums(const std::vector<float>& values, const std::vector<int>& places,
                                  int passes) {
  std::vector<double> sums(size_t{threads} * rows * cols);
  for (size_t i = 0; i < sums.size(); ++i) {
    const size_t lane = i % threads % lanes;
    const size_t row = i / threads / cols;
    const size_t col = rows + i / threads % cols;
    for (size_t step = 0; step < steps; ++step) {
      const auto value = [&](size_t number) {
        const size_t load = step * loads + number / 4;
        return values[(load * lanes + static_cast<size_t>(places[lane])) * 4 + number % 4];
      };
      sums[i] += passes * static_cast<double>(value(row)) * value(col);
    }
  }
  return sums;
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "shared_returns";
  defaults.description = "What loads from shared memory cost the multiply-adds beside them.";
  defaults.on_gpu = {1 << 12, 1};
  defaults.on_emulator = {2, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  const course::Options options = course::parse_options(argc, argv, defaults);
  const int passes = static_cast<int>(options.rows);
  const int grid = course::on_emulator ? 1 : course::device().multiprocessors;
  course::Report report(options, course::CeilingKind::fma);

  const std::vector<float> values =
      course::exact_vector(4 * steps * loads * lanes, options.rows * steps, options.seed);
  const course::DeviceArray<float> d_values(values);
  const auto* fours = reinterpret_cast<const float4*>(static_cast<const float*>(d_values));
  course::DeviceArray<float> d_sums(size_t(grid) * threads * rows * cols);
  const double multiply_adds = static_cast<double>(d_sums.size()) * passes * steps;
  for (const LanePattern& pattern : patterns) {
    const std::vector<int> places = places_of(pattern);
    const course::DeviceArray<int> d_places(places);
    const course::Timing timing = TIME_EVENTS(
        options, d_sums.poison(), launch_multiply(grid, fours, d_places, d_sums, passes));
    const std::vector<float> sums = d_sums.to_host();
    const std::vector<double> expected = expected_sums(values, places, passes);
    for (int block = 0; block < grid; ++block) {
      report.check(pattern.name, "exact data",
                   course::verify_exact(sums.data() + block * expected.size(), expected.data(),
                                        expected.size(), 1));
    }
    report.add(pattern.name, timing,
               course::Work{16.0 * loads / (rows * cols) * multiply_adds, 2 * multiply_adds});
  }
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
