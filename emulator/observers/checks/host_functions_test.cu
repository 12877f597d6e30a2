// Ordinary memory of the host's that host functions use, and how calls are named in findings.

#include <cuda_runtime.h>
#include <doctest/doctest.h>

#include <atomic>
#include <future>
#include <mutex>
#include <string>

#include "emulator/findings.h"

namespace {

struct Job {
  int input = 2;
  int result = 0;
};

int total = 0;
std::atomic<bool> is_done{false};
std::mutex mutex;

void square(void* job) {
  auto* const mine = static_cast<Job*>(job);
  int own[4] = {};  // the function's own, whose place others use later
  for (int& number : own) number = mine->input;
  mine->result = own[0] * own[3];
}
void add_one(void*) {
  total = total + 1;
}
void add_one_and_say_so(void*) {
  total = total + 1;
  is_done = true;
}
void add_one_alone(void*) {
  const std::lock_guard lock(mutex);
  total = total + 1;
}

void add_one_and_keep(void* promise) {
  total = total + 1;
  static_cast<std::promise<void>*>(promise)->set_value();
}

struct Streams {
  cudaStream_t one = nullptr;
  cudaStream_t other = nullptr;
  Streams() {
    REQUIRE(cudaStreamCreate(&one) == cudaSuccess);
    REQUIRE(cudaStreamCreate(&other) == cudaSuccess);
  }
  ~Streams() {
    cudaStreamDestroy(one);
    cudaStreamDestroy(other);
  }
};

void use(int number) {
  static volatile int sink;
  sink = number;
}

// The stack where a host function's own variables were.
void use_the_stack() {
  int numbers[64] = {};
  for (int& number : numbers) number = 1;
  use(numbers[63]);
}

struct Found {
  std::string first;  // what it says, and how to mend it
  std::string places;
};

template <class Program>
Found found_in(Program program) {
  Found found;
  Streams streams;
  cudaDeviceSynchronize();
  emulator::clear_findings();
  emulator::set_checking(true);
  program(streams);
  cudaDeviceSynchronize();
  emulator::set_checking(false);
  for (const emulator::Finding& finding : emulator::findings()) {
    if (found.first.empty())
      found.first = finding.kind + ": " + finding.what + ". " + finding.remedy;
    found.places += finding.place.event + "\n" + finding.memory + "\n";
    for (const auto& place : finding.others) found.places += place.event + "\n";
  }
  emulator::clear_findings();
  return found;
}

bool has(const std::string& text, const char* part) {
  return text.find(part) != std::string::npos;
}

__global__ void fill(int* x) {
  x[threadIdx.x] = 1;
}

}  // namespace

TEST_CASE("what a host function writes is not read before it is waited for") {
  const Found on_stack = found_in([](Streams& s) {
    Job job;
    cudaLaunchHostFunc(s.one, square, &job);
    use(job.result);
  });
  CHECK(has(on_stack.first, "unordered: the host reads memory that a host function may still be"));
  CHECK(has(on_stack.first, "after the host function and before the host reads"));
  const Found of_program = found_in([](Streams& s) {
    cudaLaunchHostFunc(s.one, add_one, nullptr);
    cudaStreamSynchronize(s.other);
    use(total);
  });
  CHECK(has(of_program.first, "the host reads memory"));
  const Found overwritten = found_in([](Streams& s) {
    Job job;
    cudaLaunchHostFunc(s.one, square, &job);
    job.input = 3;
  });
  CHECK(has(overwritten.first, "the host writes memory"));
  const Found twice = found_in([](Streams& s) {
    cudaLaunchHostFunc(s.one, add_one, nullptr);
    cudaLaunchHostFunc(s.other, add_one, nullptr);
  });
  CHECK(has(twice.first, "another stream"));
}

TEST_CASE("what a host function has handed over, and what is its own, is left alone") {
  const auto is_quiet = [](auto program) {
    const Found found = found_in(program);
    INFO(found.first);
    CHECK(found.first.empty());
  };
  is_quiet([](Streams& s) {
    Job job;
    cudaLaunchHostFunc(s.one, square, &job);
    use_the_stack();
    cudaStreamSynchronize(s.one);
    use(job.result);
    job.input = 3;
    cudaLaunchHostFunc(s.one, square, &job);
    cudaStreamSynchronize(s.one);
  });
  is_quiet([](Streams& s) {
    is_done = false;
    cudaLaunchHostFunc(s.one, add_one_and_say_so, nullptr);
    while (!is_done) cudaStreamQuery(s.one);
    use(total);
  });
  is_quiet([](Streams& s) {
    cudaLaunchHostFunc(s.one, add_one_alone, nullptr);
    cudaLaunchHostFunc(s.other, add_one_alone, nullptr);
    const std::lock_guard lock(mutex);
    use(total);
  });
  is_quiet([](Streams& s) {
    std::promise<void> promise;
    cudaLaunchHostFunc(s.one, add_one_and_keep, &promise);
    promise.get_future().wait();
    use(total);
    cudaStreamSynchronize(s.one);
  });
  is_quiet([](Streams& s) {
    for (int round = 0; round < 3; ++round) {
      Job job;
      job.input = round;
      cudaLaunchHostFunc(s.one, square, &job);
      cudaLaunchHostFunc(s.one, add_one, nullptr);
      cudaStreamSynchronize(s.one);
      use(job.result + total);
    }
  });
}

TEST_CASE("calls are named as the program has written them") {
  int* device = nullptr;
  int* pinned = nullptr;
  REQUIRE(cudaMalloc(&device, 256) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 256) == cudaSuccess);
  fill<<<1, 64>>>(device);
  const Found copy = found_in([&](Streams& s) {
    cudaMemcpyAsync(pinned, device, 256, cudaMemcpyDeviceToHost, s.one);
    use(pinned[0]);
  });
  CHECK(has(copy.places, "written here by cudaMemcpyAsync\n"));
  CHECK(has(copy.places, "allocated by cudaMallocHost"));
  const Found set = found_in([&](Streams& s) {
    cudaMemsetAsync(device, 0, 256, s.one);
    cudaMemcpyAsync(pinned, device, 256, cudaMemcpyDeviceToHost, s.other);
  });
  CHECK(has(set.places, "written here by cudaMemsetAsync\n"));
  CHECK(has(set.first, "after the call of cudaMemsetAsync"));
  cudaFree(device);
  cudaFreeHost(pinned);
}
