// Chapter 00: the first kernel, and how to measure it.
//
// SAXPY, y = a x + y, in the five steps of every CUDA program: allocate, copy in, launch, copy
// back, free. Then how long a launch takes, and two ways to measure that wrongly; what the copies
// cost; and the sum of two matrices, where the block's shape decides which addresses a warp reads.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson first_kernel.cu -o
// first_kernel

#include "course.hpp"

// One thread per element. Thread `threadIdx.x` of block `blockIdx.x` works on element blockIdx.x *
// blockDim.x + threadIdx.x; x always runs along contiguous memory.
__global__ void saxpy(size_t n, float a, const float* x, float* y) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i < n) y[i] = a * x[i] + y[i];  // the last block may reach beyond the end
}

// The same, 16 bytes at a time: a thread takes four neighbours of x and of y in one load each, and
// four more half an array further on, so that it has four loads in flight. The first threads also
// take the remaining elements, at most seven.
__global__ void saxpy_float4(size_t n, float a, const float* x, float* y) {
  const size_t i = static_cast<size_t>(blockIdx.x) * blockDim.x + threadIdx.x;
  const size_t half = n / 8;  // in float4s
  const auto* const x4 = reinterpret_cast<const float4*>(x);
  auto* const y4 = reinterpret_cast<float4*>(y);
  if (i < half) {
    const float4 x_near = x4[i], x_far = x4[half + i];
    const float4 y_near = y4[i], y_far = y4[half + i];
    y4[i] = make_float4(a * x_near.x + y_near.x, a * x_near.y + y_near.y,  //
                        a * x_near.z + y_near.z, a * x_near.w + y_near.w);
    y4[half + i] = make_float4(a * x_far.x + y_far.x, a * x_far.y + y_far.y,  //
                               a * x_far.z + y_far.z, a * x_far.w + y_far.w);
  }
  const size_t left_over = 8 * half + i;
  if (left_over < n) y[left_over] = a * x[left_over] + y[left_over];
}

// C = A + B with ny rows of nx elements. x runs along a row, y from row to row.
__global__ void sum_2d(const float* A, const float* B, float* C, int nx, int ny) {
  const int ix = blockIdx.x * blockDim.x + threadIdx.x;
  const int iy = blockIdx.y * blockDim.y + threadIdx.y;
  if (ix >= nx || iy >= ny) return;
  const size_t idx = static_cast<size_t>(iy) * nx + ix;
  C[idx] = A[idx] + B[idx];
}

void launch_saxpy(size_t n, float a, const float* x, float* y) {
  if (n == 0) return;
  const int block = 256;
  const auto grid = static_cast<unsigned>((n - 1) / block + 1);
  saxpy<<<grid, block>>>(n, a, x, y);
  CUDA_CHECK_LAUNCH();
}

void launch_saxpy_float4(size_t n, float a, const float* x, float* y) {
  if (n == 0) return;
  const int block = 256;
  const auto grid = static_cast<unsigned>(n / 8 / block + 1);  // at least one thread
  saxpy_float4<<<grid, block>>>(n, a, x, y);
  CUDA_CHECK_LAUNCH();
}

// A grid has at most 65535 blocks in y, so a launcher must not let y grow with the data unchecked.
void launch_sum_2d(const float* A, const float* B, float* C, int nx, int ny, dim3 block) {
  const dim3 grid((nx - 1) / block.x + 1, (ny - 1) / block.y + 1);
  sum_2d<<<grid, block>>>(A, B, C, nx, ny);
  CUDA_CHECK_LAUNCH();
}

// The five steps, without any helpers. Every call is checked: an unchecked error surfaces later, in
// another call that has nothing to do with it.
std::vector<float> saxpy_in_five_steps(float a, const std::vector<float>& x,
                                       const std::vector<float>& y) {
  const size_t bytes = x.size() * sizeof(float);
  float *d_x = nullptr, *d_y = nullptr;
  // 1. Allocate on the device.
  CUDA_CHECK(cudaMalloc(&d_x, bytes));
  CUDA_CHECK(cudaMalloc(&d_y, bytes));
  // 2. Copy in.
  CUDA_CHECK(cudaMemcpy(d_x, x.data(), bytes, cudaMemcpyHostToDevice));
  CUDA_CHECK(cudaMemcpy(d_y, y.data(), bytes, cudaMemcpyHostToDevice));
  // 3. Launch.
  launch_saxpy(x.size(), a, d_x, d_y);
  // 4. Copy back.
  std::vector<float> result(x.size());
  CUDA_CHECK(cudaMemcpy(result.data(), d_y, bytes, cudaMemcpyDeviceToHost));
  // 5. Free.
  CUDA_CHECK(cudaFree(d_x));
  CUDA_CHECK(cudaFree(d_y));
  return result;
}

void show_device() {
  const course::Device& device = course::device();
  std::printf("device: %s, compute capability %d.%d, %d multiprocessor%s\n", device.name.c_str(),
              device.compute_capability / 10, device.compute_capability % 10,
              device.multiprocessors, device.multiprocessors == 1 ? "" : "s");
  if (device.peak_gigabytes_per_s > 0) {
    std::printf("theoretical bandwidth: memory clock x bus width / 8 x 2 = %.0f GB/s\n",
                device.peak_gigabytes_per_s);
  } else {
    std::printf("theoretical bandwidth: unknown, this device reports no memory clock\n");
  }
}

// A launch returns at once while the kernel still runs: the host's clock times only the launch.
void compare_clocks(size_t n, float a, const float* x, float* y) {
  course::HostTimer host;
  course::EventTimer events;
  launch_saxpy(n, a, x, y);  // the first launch loads the kernel: we do not want to time that
  CUDA_CHECK(cudaDeviceSynchronize());

  host.start();
  launch_saxpy(n, a, x, y);
  const double launch_only = host.stop();  // wrong: nothing waited for the kernel
  CUDA_CHECK(cudaDeviceSynchronize());

  host.start();
  launch_saxpy(n, a, x, y);
  CUDA_CHECK(cudaDeviceSynchronize());
  const double synchronised = host.stop();

  events.start();
  launch_saxpy(n, a, x, y);
  const double by_events = events.stop();
  std::printf(
      "one launch of saxpy: host timer %.4f ms, with synchronisation %.4f ms, events %.4f ms\n",
      launch_only, synchronised, by_events);
}

// What the copies to and from the device cost. Pinned memory cannot be paged out, so the copy
// engine reads it directly; pageable memory goes through a pinned buffer of the driver's.
void time_transfers(const std::vector<float>& pageable, float* device_memory) {
  const size_t bytes = pageable.size() * sizeof(float);
  std::vector<float> target(pageable.size());
  float* pinned = nullptr;
  CUDA_CHECK(cudaMallocHost(&pinned, bytes));
  std::copy(pageable.begin(), pageable.end(), pinned);
  const auto gigabytes_per_s = [&](const void* from, void* to, cudaMemcpyKind kind) {
    course::EventTimer events;
    CUDA_CHECK(cudaMemcpy(to, from, bytes, kind));  // warm up
    events.start();
    CUDA_CHECK(cudaMemcpy(to, from, bytes, kind));
    return static_cast<double>(bytes) / events.stop() / 1e6;
  };
  std::printf("copies, GB/s: pageable to device %.1f, back %.1f; ",
              gigabytes_per_s(pageable.data(), device_memory, cudaMemcpyHostToDevice),
              gigabytes_per_s(device_memory, target.data(), cudaMemcpyDeviceToHost));
  std::printf("pinned to device %.1f, back %.1f\n",
              gigabytes_per_s(pinned, device_memory, cudaMemcpyHostToDevice),
              gigabytes_per_s(device_memory, pinned, cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaFreeHost(pinned));
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "00_first_kernel";
  defaults.description =
      "SAXPY, y = a x + y, and the sum of two matrices: launching and measuring.";
  defaults.on_gpu = {20 << 20, 1};
  defaults.on_emulator = {1 << 20, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  const course::Options options = course::parse_options(argc, argv, defaults);
  const size_t n = options.rows;
  const double array = static_cast<double>(n * sizeof(float));
  course::require_memory(options, 8 * array, 3 * array);
  course::Report report(options, course::CeilingKind::triad);
  show_device();

  // Small whole numbers: a x + y is exact, so every result must be right bit for bit.
  const float a = 2.0F;
  const std::vector<float> x = course::exact_vector(n, 1, options.seed);
  const std::vector<float> y = course::exact_vector(n, 1, options.seed + 1);
  std::vector<double> axpy(n), sum(n);
  for (size_t i = 0; i < n; ++i) {
    axpy[i] = a * x[i] + y[i];
    sum[i] = x[i] + y[i];
  }
  report.check("saxpy", "five steps",
               course::verify_exact(saxpy_in_five_steps(a, x, y).data(), axpy.data(), n, 1));

  course::DeviceArray<float> d_x(x), d_y(y), d_z(n);
  if (!course::on_emulator) {  // there a launch waits for its kernel, and all memory is one
    compare_clocks(n, a, d_x, d_y);
    time_transfers(x, d_z);
  }
  std::printf("\n");

  // SAXPY overwrites its input: y is restored before every timed launch.
  const course::Work work{3 * array, 2.0 * static_cast<double>(n)};
  const course::Timing timing =
      TIME_EVENTS(options, d_y.copy_from(y), launch_saxpy(n, a, d_x, d_y));
  report.check("saxpy", "exact data",
               course::verify_exact(d_y.to_host().data(), axpy.data(), n, 1));
  report.add("saxpy", timing, work);

  const course::Timing wide_timing =
      TIME_EVENTS(options, d_y.copy_from(y), launch_saxpy_float4(n, a, d_x, d_y));
  report.check("saxpy, float4", "exact data",
               course::verify_exact(d_y.to_host().data(), axpy.data(), n, 1));
  report.add("saxpy, float4", wide_timing, work);

  // The same elements as a matrix, as square as possible, in blocks of 256 threads of four shapes.
  d_y.copy_from(y);
  const int nx = static_cast<int>(std::sqrt(static_cast<double>(n)));
  const int ny = static_cast<int>(n / nx);
  const size_t elements = static_cast<size_t>(nx) * ny;
  for (const dim3 block : {dim3(256, 1), dim3(32, 8), dim3(8, 32), dim3(1, 256)}) {
    const std::string name = "sum " + std::to_string(block.x) + " x " + std::to_string(block.y);
    const course::Timing sum_timing =
        TIME_EVENTS(options, d_z.poison(), launch_sum_2d(d_x, d_y, d_z, nx, ny, block));
    report.check(name, "exact data",
                 course::verify_exact(d_z.to_host().data(), sum.data(), elements, 1));
    const auto moved = static_cast<double>(elements);
    report.add(name, sum_timing, {12 * moved, moved});
  }
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
