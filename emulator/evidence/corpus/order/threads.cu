// Two host threads use the same memory, or issue work that does.
#include <atomic>
#include <condition_variable>
#include <future>
#include <mutex>
#include <thread>

#include "fixture.hpp"

__global__ void fill(int* x, int value) {
  x[threadIdx.x] = value;
}
__global__ void add(int* y, const int* x) {
  y[threadIdx.x] += x[threadIdx.x];
}
__global__ void add_reversed(int* y, const int* x) {
  y[threadIdx.x] += x[n - 1 - threadIdx.x];
}

// case: two_threads_two_streams
// bug: unordered
// where: add<<<1, n, 0, t.other>>>(t.y, t.x)
// mend: tell the other
static bool two_threads_two_streams(Fixture& t) {
  std::thread thread([&] { fill<<<1, n, 0, t.one>>>(t.x, 7); });
  add<<<1, n, 0, t.other>>>(t.y, t.x);
  thread.join();
  return true;
}
// case: joined_and_waited
// correct
static bool joined_and_waited(Fixture& t) {
  std::thread thread([&] {
    fill<<<1, n, 0, t.one>>>(t.x, 7);
    cudaStreamSynchronize(t.one);
  });
  thread.join();
  add<<<1, n, 0, t.other>>>(t.y, t.x);
  return true;
}

// case: joined_and_not_waited
// bug: unordered
// where: add<<<1, n, 0, t.other>>>(t.z, t.x)
// mend: cudaEventRecord(event, stream)
static bool joined_and_not_waited(Fixture& t) {
  std::thread thread([&] { fill<<<1, n, 0, t.one>>>(t.x, 7); });
  thread.join();
  add<<<1, n, 0, t.other>>>(t.z, t.x);
  return true;
}
// case: joined_with_an_event
// correct
static bool joined_with_an_event(Fixture& t) {
  std::thread thread([&] {
    fill<<<1, n, 0, t.one>>>(t.x, 7);
    cudaEventRecord(t.event, t.one);
  });
  thread.join();
  cudaStreamWaitEvent(t.other, t.event);
  add<<<1, n, 0, t.other>>>(t.z, t.x);
  return true;
}

// case: read_from_the_other_end
// correct
static bool read_from_the_other_end(Fixture& t) {
  std::thread thread([&] {
    fill<<<1, n, 0, t.one>>>(t.x, 7);
    cudaStreamSynchronize(t.one);
  });
  thread.join();
  add_reversed<<<1, n, 0, t.other>>>(t.y, t.x);
  return true;
}

// case: mutex_around_launches
// bug: unordered
// where: fill<<<1, n, 0, stream>>>(t.x, value)
// mend: two host threads
static bool mutex_around_launches(Fixture& t) {
  std::mutex mutex;
  const auto work = [&](cudaStream_t stream, int value) {
    const std::lock_guard lock(mutex);
    fill<<<1, n, 0, stream>>>(t.x, value);
  };
  std::thread thread([&] { work(t.one, 1); });
  work(t.other, 2);
  thread.join();
  return true;
}
// case: mutex_around_work
// correct
static bool mutex_around_work(Fixture& t) {
  std::mutex mutex;
  const auto work = [&](cudaStream_t stream, int value) {
    const std::lock_guard lock(mutex);
    fill<<<1, n, 0, stream>>>(t.x, value);
    cudaStreamSynchronize(stream);
  };
  std::thread thread([&] { work(t.one, 1); });
  work(t.other, 2);
  thread.join();
  return true;
}

// case: counter_without_a_lock
// bug: unordered
// where: for (int i = 0; i < 9; ++i) t.pinned[0] += 1
// mend: mutex
static bool counter_without_a_lock(Fixture& t) {
  fill<<<1, n>>>(t.x, 1);
  const auto count = [&] {
    for (int i = 0; i < 9; ++i) t.pinned[0] += 1;
  };
  std::thread thread(count);
  count();
  thread.join();
  return true;
}
// case: counter_with_a_lock
// correct
static bool counter_with_a_lock(Fixture& t) {
  std::mutex mutex;
  fill<<<1, n>>>(t.x, 1);
  const auto count = [&] {
    for (int i = 0; i < 9; ++i) {
      const std::lock_guard lock(mutex);
      t.pinned[0] += 1;
    }
  };
  std::thread thread(count);
  count();
  thread.join();
  return t.pinned[0] == 18;
}

// case: read_before_join
// bug: unordered
// where: const bool right = t.managed[0] >= 0
// mend: after the launch of fill
static bool read_before_join(Fixture& t) {
  std::thread thread([&] {
    fill<<<1, n, 0, t.one>>>(t.managed, 7);
    cudaStreamSynchronize(t.one);
  });
  const bool right = t.managed[0] >= 0;
  thread.join();
  return right;
}
// case: read_behind_a_flag
// correct
static bool read_behind_a_flag(Fixture& t) {
  std::atomic<bool> is_done{false};
  std::thread thread([&] {
    fill<<<1, n, 0, t.one>>>(t.managed, 7);
    cudaStreamSynchronize(t.one);
    is_done = true;
  });
  while (!is_done) std::this_thread::yield();
  const bool right = t.managed[0] == 7;
  thread.join();
  return right;
}

// case: flag_before_the_wait
// bug: unordered
// where: right = t.managed[1] >= 0
// mend: cudaStreamSynchronize(stream)
static bool flag_before_the_wait(Fixture& t) {
  std::atomic<bool> is_done{false};
  std::thread thread([&] {
    fill<<<1, n, 0, t.one>>>(t.managed, 7);
    is_done = true;
  });
  while (!is_done) std::this_thread::yield();
  const bool right = t.managed[1] >= 0;
  thread.join();
  return right;
}
// case: condition_variable
// correct
static bool condition_variable(Fixture& t) {
  std::mutex mutex;
  std::condition_variable changed;
  bool is_done = false;
  std::thread thread([&] {
    fill<<<1, n, 0, t.one>>>(t.managed, 7);
    cudaStreamSynchronize(t.one);
    const std::lock_guard lock(mutex);
    is_done = true;
    changed.notify_one();
  });
  bool right = false;
  {
    std::unique_lock lock(mutex);
    changed.wait(lock, [&] { return is_done; });
    right = t.managed[0] == 7;
  }
  thread.join();
  return right;
}

// case: streams_of_two_threads
// bug: unordered
// where: add<<<1, n, 0, cudaStreamPerThread>>>(t.y, t.x)
// mend: tell the other
static bool streams_of_two_threads(Fixture& t) {
  std::thread thread([&] { fill<<<1, n, 0, cudaStreamPerThread>>>(t.x, 7); });
  thread.join();
  add<<<1, n, 0, cudaStreamPerThread>>>(t.y, t.x);
  return true;
}
// case: one_stream_of_two_threads
// correct
static bool one_stream_of_two_threads(Fixture& t) {
  std::thread thread([&] { fill<<<1, n, 0, t.one>>>(t.x, 7); });
  add<<<1, n, 0, t.one>>>(t.y, t.x);  // now or then, but never beside it
  thread.join();
  return true;
}

// case: future_not_asked
// bug: unordered
// where: t.managed[2] = 1
// mend: let the other thread wait
static bool future_not_asked(Fixture& t) {
  auto future = std::async(std::launch::async, [&] {
    fill<<<1, n, 0, t.one>>>(t.managed, 7);
    return cudaStreamSynchronize(t.one);
  });
  t.managed[2] = 1;
  return future.get() == cudaSuccess;
}
// case: future_asked
// correct
static bool future_asked(Fixture& t) {
  auto future = std::async(std::launch::async, [&] {
    fill<<<1, n, 0, t.one>>>(t.managed, 7);
    return cudaStreamSynchronize(t.one);
  });
  const bool right = future.get() == cudaSuccess;
  t.managed[2] = 1;
  return right;
}

int main(int argc, char** argv) {
  const Program programs[] = {
      PROGRAM(two_threads_two_streams),
      PROGRAM(joined_and_waited),
      PROGRAM(joined_and_not_waited),
      PROGRAM(joined_with_an_event),
      PROGRAM(read_from_the_other_end),
      PROGRAM(mutex_around_launches),
      PROGRAM(mutex_around_work),
      PROGRAM(counter_without_a_lock),
      PROGRAM(counter_with_a_lock),
      PROGRAM(read_before_join),
      PROGRAM(read_behind_a_flag),
      PROGRAM(flag_before_the_wait),
      PROGRAM(condition_variable),
      PROGRAM(streams_of_two_threads),
      PROGRAM(one_stream_of_two_threads),
      PROGRAM(future_not_asked),
      PROGRAM(future_asked),
  };
  return run(argc, argv, programs);
}
