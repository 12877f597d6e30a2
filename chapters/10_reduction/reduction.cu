// Chapter 10: the sum of an array, in seven kernels.
//
// Each adds up a block's elements and leaves one number per block; these numbers are added up in
// the same way until one remains. The kernels differ in where the partial sums are (global
// memory, shared memory, registers), in how much a thread adds up on its own before it needs the
// others, and in what adds up the blocks' numbers: more launches, atomics, or the block that ends
// last.
//
// By hand, in this folder:   nvcc -std=c++20 -O3 -I ../../common/lesson reduction.cu -o reduction

#include <numeric>
#include <set>

#include "course.hpp"
#include "in_strides.hpp"
#include "trees.hpp"

// A launch function's arguments: the array (which two of them change), a buffer for the blocks'
// sums, a ticket that is 0, and the address of the result. All on the device.
template <class T>
struct Sum {
  T* x;
  size_t n;
  T* sums;
  unsigned* ticket;
  T* result;
};

// How many block sums all levels of launches write in total, at most.
size_t room_for_sums(size_t n) {
  return 2 * (n / block) + 64;
}

// Each launch adds up the previous launch's sums, until one number is left.
template <class T, class Kernel>
void launch_in_levels(Sum<T> s, Kernel kernel, int elements_a_block) {
  if (s.n == 0) CUDA_CHECK(cudaMemset(s.result, 0, sizeof(T)));
  while (s.n > 0) {
    const size_t blocks = (s.n - 1) / elements_a_block + 1;
    T* const sums = blocks == 1 ? s.result : s.sums;
    kernel<<<static_cast<unsigned>(blocks), block>>>(s.x, s.n, sums);
    CUDA_CHECK_LAUNCH();
    s = {sums, blocks == 1 ? 0 : blocks, s.sums + blocks, s.ticket, s.result};
  }
}

// Four rounds of four loads per thread, as long as that gives enough blocks for any GPU, and no
// more blocks than the last one can add up in no time. The number is the same on every GPU: it
// decides the order of the sum, and so its bits.
unsigned blocks_in_strides(size_t n) {
  const size_t rounds = n / (16 * wide_block) + 1;
  return static_cast<unsigned>(std::clamp<size_t>(rounds / 4, std::min<size_t>(256, rounds), 4096));
}

template <class T>
void launch_in_place(const Sum<T>& s) {
  launch_in_levels(s, in_place<T>, block);
}
template <class T>
void launch_four_a_thread(const Sum<T>& s) {
  launch_in_levels(s, four_a_thread<T>, 4 * block);
}
template <class T>
void launch_in_shared(const Sum<T>& s) {
  launch_in_levels(s, in_shared<T>, 4 * block);
}
template <class T>
void launch_by_shuffles(const Sum<T>& s) {
  launch_in_levels(s, by_shuffles<T>, 4 * block);
}

template <class T>
void launch_in_strides(const Sum<T>& s) {
  const unsigned blocks = blocks_in_strides(s.n);
  in_strides<<<blocks, wide_block>>>(s.x, s.n, blocks == 1 ? s.result : s.sums);
  CUDA_CHECK_LAUNCH();
  if (blocks == 1) return;
  in_strides<<<1, wide_block>>>(s.sums, blocks, s.result);
  CUDA_CHECK_LAUNCH();
}

template <class T>
void launch_by_atomics(const Sum<T>& s) {
  CUDA_CHECK(cudaMemsetAsync(s.result, 0, sizeof(T)));
  by_atomics<<<blocks_in_strides(s.n), wide_block>>>(s.x, s.n, s.result);
  CUDA_CHECK_LAUNCH();
}

template <class T>
void launch_by_the_last(const Sum<T>& s) {
  if (s.n <= in_one_block) {
    by_one_block<<<1, wide_block>>>(s.x, static_cast<unsigned>(s.n), s.result);
  } else {
    by_the_last<<<blocks_in_strides(s.n), wide_block>>>(s.x, s.n, s.sums, s.ticket, s.result);
  }
  CUDA_CHECK_LAUNCH();
}

template <class T>
struct SumRung {
  const char* name;
  void (*launch)(const Sum<T>&);
};

template <class T>
const std::vector<SumRung<T>> rungs = {
    {"in place", launch_in_place<T>},      {"four per thread", launch_four_a_thread<T>},
    {"shared", launch_in_shared<T>},       {"shuffles", launch_by_shuffles<T>},
    {"strides", launch_in_strides<T>},     {"atomics", launch_by_atomics<T>},
    {"last block", launch_by_the_last<T>},
};

// An array on the device, a copy for the kernels to work on, and the buffers they need.
template <class T>
class SumOnDevice {
 public:
  explicit SumOnDevice(const std::vector<T>& values)
      : original_(values), x_(values.size()), sums_(room_for_sums(values.size())) {}

  // As before the first launch, except for the ticket: each launch must restore that itself.
  void restore() {
    CUDA_CHECK(cudaMemcpyAsync(x_, original_, original_.bytes(), cudaMemcpyDeviceToDevice));
    result_.poison();
  }
  Sum<T> arguments() { return {x_, original_.size(), sums_, ticket_, result_}; }
  void run(const SumRung<T>& rung) { rung.launch(arguments()); }
  T result() const { return result_.to_host()[0]; }

 private:
  course::DeviceArray<T> original_, x_, sums_;
  course::DeviceArray<unsigned> ticket_{std::vector<unsigned>{0}};
  course::DeviceArray<T> result_{1};
};

// The CPU's way, which is where the kernels took theirs from: recursive halving. Its float sums are
// more accurate than a loop's, since it adds numbers of similar size.
float sum_by_halving(const float* x, size_t n) {
  if (n <= 8) return std::accumulate(x, x + n, 0.0F);
  return sum_by_halving(x, n / 2) + sum_by_halving(x + n / 2, n - n / 2);
}

// What the order does to a sum's bits: how far each result is off, and how many results differ.
void compare_orders(const std::vector<float>& x, double sum, course::Report& report) {
  const int runs = course::on_emulator ? 4 : 20;
  SumOnDevice<float> on_device(x);
  const double magnitude = std::accumulate(
      x.begin(), x.end(), 0.0, [](double all, float one) { return all + std::abs(one); });
  const auto off = [&](double got) { return std::abs(got - sum); };
  char line[120];
  report.note("Random floats, off by (float64 adds up to " + std::to_string(sum) + "):");
  const auto note = [&](const char* name, double error, size_t results) {
    std::snprintf(line, sizeof line, "  %-22s %10.2e   %zu result%s in %d runs", name, error,
                  results, results == 1 ? "" : "s", runs);
    report.note(line);
  };
  note("CPU, one by one", off(std::accumulate(x.begin(), x.end(), 0.0F)), 1);
  note("CPU, by halving", off(sum_by_halving(x.data(), x.size())), 1);
  for (const SumRung<float>& rung : rungs<float>) {
    std::set<float> results;
    for (int run = 0; run < runs; ++run) {
      on_device.restore();
      on_device.run(rung);
      const float result = on_device.result();
      const course::Verdict verdict =
          course::verify_bounded(&result, &sum, &magnitude, 1, 1, x.size());
      report.check(rung.name, "random floats", verdict);
      if (!verdict.passed) break;  // a NaN has no order, and is not a result
      results.insert(result);
    }
    if (!results.empty()) note(rung.name, off(*results.begin()), results.size());
  }
}

int main(int argc, char** argv) try {
  course::Defaults defaults;
  defaults.program = "10_reduction";
  defaults.description = "The sum of an array: seven kernels, from a tree in memory to one launch.";
  defaults.on_gpu = {1 << 28, 1};
  defaults.on_emulator = {1 << 17, 1};
  defaults.emulator = course::on_emulator;
  defaults.matrix = false;
  defaults.choose_data = false;
  const course::Options options = course::parse_options(argc, argv, defaults);
  const size_t n = options.rows;
  const auto bytes = static_cast<double>(n * sizeof(float));
  course::require_memory(options, 3 * bytes, 2.1 * bytes);
  course::Report report(options, course::CeilingKind::read);

  // Whole numbers, so small that no sum of them rounds: every order gives the same bits.
  const std::vector<float> exact = course::exact_vector(n, n, options.seed);
  const double sum = std::accumulate(exact.begin(), exact.end(), 0.0);
  {
    SumOnDevice<int> integers(std::vector<int>(exact.begin(), exact.end()));
    for (const SumRung<int>& rung : rungs<int>) {
      integers.restore();
      integers.run(rung);
      const auto result = static_cast<float>(integers.result());
      report.check(rung.name, "integers", course::verify_exact(&result, &sum, 1, 1));
    }
  }
  SumOnDevice<float> floats(exact);
  for (const SumRung<float>& rung : rungs<float>) {
    floats.restore();
    floats.run(rung);
    const float result = floats.result();
    report.check(rung.name, "floats", course::verify_exact(&result, &sum, 1, 1));
  }
  for (const SumRung<float>& rung : rungs<float>) {
    const course::Timing timing = TIME_EVENTS(options, floats.restore(), floats.run(rung));
    const float result = floats.result();  // of the last launch: earlier ones must tidy up
    report.check(rung.name, "floats, launched again", course::verify_exact(&result, &sum, 1, 1));
    report.add(rung.name, timing, {bytes, static_cast<double>(n)});
  }
  const std::vector<float> random = course::random_vector(n, options.seed);
  compare_orders(random, std::accumulate(random.begin(), random.end(), 0.0), report);
  return report.finish();
} catch (const std::exception& error) {
  return course::report_failure(error);
}
