// What shared memory delivers: the roof of kernels that live on tiles. Each block fills a tile once
// and then reads it again and again, 16 bytes per lane, neighbouring lanes neighbouring places: so
// no two lanes of a wavefront meet in a bank, and every wavefront carries 128 bytes.
//
//   shared_bandwidth --json docs/results/nvidia-h200/shared_bandwidth.json
//
// --size is how often a thread reads. The bytes in the report are those of shared memory.

#include "course.hpp"

using std::size_t;

constexpr int threads = 512;
constexpr int places = 2048;        // of 16 bytes: 32 KB, so that four such blocks fit
constexpr int blocks_together = 4;  // 2048 threads, all that a multiprocessor holds
constexpr int rounds = 8;           // so that the end, where some have finished, hardly counts

// A place that does not change would be read once and kept in a register. So it moves by `step`,
// and the compiler must not know how far.
__global__ void __launch_bounds__(threads)
    read_shared(const float4* values, float* sums, int reads, int step) {
  __shared__ float4 tile[places];
  for (int i = threadIdx.x; i < places; i += threads) tile[i] = values[i];
  __syncthreads();

  float4 sum = make_float4(0.0F, 0.0F, 0.0F, 0.0F);
  int place = threadIdx.x;
#pragma unroll 8
  for (int read = 0; read < reads; ++read) {
    const float4 value = tile[place];
    sum.x += value.x;
    sum.y += value.y;
    sum.z += value.z;
    sum.w += value.w;
    place = (place + step) % places;
  }
  sums[blockIdx.x * threads + threadIdx.x] = sum.x + sum.y + sum.z + sum.w;
}

void launch_read_shared(int grid, const float4* values, float* sums, int reads) {
  read_shared<<<grid, threads>>>(values, sums, reads, threads);
  CUDA_CHECK_LAUNCH();
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "shared_bandwidth";
  defaults.description = "What shared memory delivers, read 16 bytes per lane without a conflict.";
  defaults.on_gpu = {1 << 13, 1};
  defaults.on_emulator = {64, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  const course::Options options = course::parse_options(argc, argv, defaults);
  const int reads = static_cast<int>(options.rows);
  const int grid =
      course::on_emulator ? 2 : rounds * blocks_together * course::device().multiprocessors;
  course::Report report(options, course::CeilingKind::read);

  // Small whole numbers, so that the sums are exact.
  const std::vector<float> values = course::exact_vector(4 * places, 1, options.seed);
  const size_t lanes = static_cast<size_t>(grid) * threads;
  std::vector<double> expected(lanes);
  for (size_t lane = 0; lane < lanes; ++lane) {
    for (int read = 0; read < std::min(reads, places / threads); ++read) {
      // After places / threads steps a thread is where it was: it has read each place so often.
      const int often = (reads - read - 1) / (places / threads) + 1;
      const size_t place = (lane % threads + static_cast<size_t>(read) * threads) % places;
      for (int k = 0; k < 4; ++k) expected[lane] += often * values[4 * place + k];
    }
  }

  const course::DeviceArray<float> d_values(values);
  course::DeviceArray<float> d_sums(lanes);
  const auto* places_of_16 = reinterpret_cast<const float4*>(static_cast<const float*>(d_values));
  const course::Timing timing =
      TIME_EVENTS(options, d_sums.poison(), launch_read_shared(grid, places_of_16, d_sums, reads));
  report.check("shared", "exact data",
               course::verify_exact(d_sums.to_host().data(), expected.data(), lanes, 1));
  const double all_reads = static_cast<double>(lanes) * reads;
  report.add("shared", timing, course::Work{16 * all_reads, 4 * all_reads});
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
