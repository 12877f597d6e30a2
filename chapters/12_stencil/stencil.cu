// Chapter 12: a stencil. Each point of a line becomes a weighted sum of itself and of the four
// points on either side of it, all points at once; that is a sweep, and there may be many.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson stencil.cu -o stencil

#include "course.hpp"
#include "many_sweeps.hpp"
#include "one_sweep.hpp"

const std::vector<float> usual_weights = {0.01F, 0.05F, 0.01F, 0.04F, -0.02F};

// For all kernels that are launched after this.
void set_weights(const std::vector<float>& w) {
  CUDA_CHECK(cudaMemcpyToSymbol(weights, w.data(), (radius + 1) * sizeof(float)));
  CUDA_CHECK(cudaMemcpyToSymbol(weights_elsewhere, w.data(), (radius + 1) * sizeof(float)));
}

unsigned blocks_for(size_t threads) {
  return static_cast<unsigned>((threads - 1) / block + 1);
}

void launch_from_memory(const float* x, float* y, size_t n) {
  if (n == 0) return;
  from_memory<<<blocks_for(n), block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}

void launch_weights_in_memory(const float* x, float* y, size_t n) {
  if (n == 0) return;
  weights_in_memory<<<blocks_for(n), block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}

void launch_from_shared(const float* x, float* y, size_t n) {
  if (n == 0) return;
  from_shared<<<blocks_for(n), block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}

void launch_by_fours(const float* x, float* y, size_t n) {
  if (n == 0) return;
  by_fours<<<blocks_for((n - 1) / 4 + 1), block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}

void launch_by_shuffles(const float* x, float* y, size_t n) {
  if (n == 0) return;
  by_shuffles<<<blocks_for((n - 1) / 4 + 1), block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}

// Several sweeps from x to y, which are different arrays; z is for intermediate results. Each sweep
// reads the previous one's output, and the last one writes y.
template <class Launch>
void launch_in_turns(const float* x, float* y, float* z, int launches, Launch launch) {
  for (int k = launches; k > 0; --k) {
    float* const to = k % 2 == 1 ? y : z;
    launch(x, to);
    x = to;
  }
}

void launch_single_sweeps(const float* x, float* y, float* z, size_t n, int sweeps) {
  launch_in_turns(x, y, z, sweeps,
                  [n](const float* from, float* to) { launch_by_fours(from, to, n); });
}

void launch_many_sweeps(const float* x, float* y, float* z, size_t n, int sweeps) {
  if (n == 0) return;
  const size_t warps = (n - 1) / kept + 1;
  const auto blocks = static_cast<unsigned>((warps - 1) / warps_a_block + 1);
  launch_in_turns(x, y, z, (sweeps - 1) / most_sweeps + 1, [&](const float* from, float* to) {
    const int now = std::min(sweeps, most_sweeps);
    sweeps -= now;
    many_sweeps<<<blocks, 32 * warps_a_block>>>(from, to, n, now);
    CUDA_CHECK_LAUNCH();
  });
}

// The same on the CPU, in the same order, with the same rounding.
std::vector<float> sweep_on_cpu(const std::vector<float>& x, const std::vector<float>& w) {
  const auto at = [&](size_t i) { return i < x.size() ? x[i] : 0.0F; };
  std::vector<float> y(x.size());
  for (size_t i = 0; i < x.size(); ++i) {
    y[i] = w[0] * x[i];
    for (size_t k = 1; k <= radius; ++k) {
      y[i] = std::fma(w[k], at(i - k), y[i]);
      y[i] = std::fma(w[k], at(i + k), y[i]);
    }
  }
  return y;
}

// Per point and sweep: nine multiplications, eight additions.
constexpr double operations_a_point = 2 * 2 * radius + 1;

struct SweepVariant {
  const char* name;
  void (*launch)(const float* x, float* y, size_t n);
};
const std::vector<SweepVariant> one_sweep = {{"from memory", launch_from_memory},
                                             {"weights in memory", launch_weights_in_memory},
                                             {"from shared", launch_from_shared},
                                             {"by fours", launch_by_fours},
                                             {"by shuffles", launch_by_shuffles}};

struct RepeatedSweepVariant {
  const char* name;
  void (*launch)(const float* x, float* y, float* z, size_t n, int sweeps);
};
const std::vector<RepeatedSweepVariant> several_sweeps = {{"single sweeps", launch_single_sweeps},
                                                          {"many in one", launch_many_sweeps}};

// Bit for bit, since both order and rounding are fixed.
course::Verdict verify_bits(const std::vector<float>& got, const std::vector<float>& expected) {
  return course::verify_exact(got, expected);
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "12_stencil";
  defaults.description =
      "A stencil of nine points: one sweep in five ways, and sixteen in one kernel.";
  defaults.on_gpu = {1 << 28, 1};
  defaults.on_emulator = {1 << 16, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  int sweeps = 16;
  defaults.add("--sweeps", &sweeps, 1, 1000, "how many the last two kernels make");
  const course::Options options = course::parse_options(argc, argv, defaults);
  const size_t n = options.rows;
  const auto array = static_cast<double>(n * sizeof(float));
  course::require_memory(options, 6 * array, 3 * array);
  course::Report report(options, course::CeilingKind::copy);

  set_weights(usual_weights);
  {  // as many points as a CPU can compute in a short time
    const std::vector<float> x = course::random_vector(std::min<size_t>(n, 50000), options.seed);
    course::DeviceArray<float> d_x(x), d_y(x.size()), d_z(x.size());
    std::vector<float> expected = sweep_on_cpu(x, usual_weights);
    for (const SweepVariant& kernel : one_sweep) {
      d_y.poison();
      kernel.launch(d_x, d_y, x.size());
      report.check(kernel.name, "random data", verify_bits(d_y.to_host(), expected));
    }
    for (int s = 1; s < sweeps; ++s) expected = sweep_on_cpu(expected, usual_weights);
    for (const RepeatedSweepVariant& kernel : several_sweeps) {
      d_y.poison();
      kernel.launch(d_x, d_y, d_z, x.size(), sweeps);
      report.check(kernel.name, "random data", verify_bits(d_y.to_host(), expected));
    }
  }
  // At full size each is compared with the first of its kind.
  course::DeviceArray<float> d_x(course::random_vector(n, options.seed)), d_y(n), d_z(n);
  const double operations = operations_a_point * static_cast<double>(n);
  std::vector<float> expected;
  const auto check = [&](const char* name) {
    if (expected.empty()) expected = d_y.to_host();
    report.check(name, "timed data", verify_bits(d_y.to_host(), expected));
  };
  for (const SweepVariant& kernel : one_sweep) {
    const course::Timing timing = TIME_EVENTS(options, d_y.poison(), kernel.launch(d_x, d_y, n));
    check(kernel.name);
    report.add(kernel.name, timing, {2 * array, operations});
  }
  expected.clear();
  for (const RepeatedSweepVariant& kernel : several_sweeps) {
    const course::Timing timing =
        TIME_EVENTS(options, (d_y.poison(), d_z.poison()), kernel.launch(d_x, d_y, d_z, n, sweeps));
    check(kernel.name);
    report.add(kernel.name, timing, {2 * array, sweeps * operations});
  }
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
