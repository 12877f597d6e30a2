/// \file
/// What waits for what, seen in the order in which it is as late as is legal.

#include "streams/work_queue.hpp"

#include <cstring>
#include <thread>

#include "tests/support/queue_test.hpp"

using namespace host_test;
using emulator::streams::Order;

TEST_CASE("as issued, work is done when the call returns") {
  const Fresh fresh;
  Letters letters;
  letters.issue(stream_with(), 'a');
  CHECK(letters.text == "a");
}

TEST_CASE("as late as is legal, work is done when somebody waits for it, and no other is") {
  const InOrder late(Order::late);
  Letters letters;
  auto* const first = stream_with();
  auto* const second = stream_with();
  letters.issue(first, 'a');
  letters.issue(second, 'b');
  letters.issue(first, 'c');
  CHECK(letters.text.empty());
  CHECK(cudaStreamSynchronize(first) == cudaSuccess);
  CHECK(letters.text == "ac");
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(letters.text == "acb");
}

TEST_CASE("the legacy default stream waits for blocking streams, and they for it") {
  const InOrder late(Order::late);
  Letters letters;
  auto* const blocking = stream_with();
  auto* const other = stream_with();
  auto* const free = stream_with(cudaStreamNonBlocking);
  letters.issue(free, 'x');
  letters.issue(blocking, 'a');
  letters.issue(nullptr, 'b');
  letters.issue(other, 'c');
  letters.issue(cudaStreamPerThread, 'd');
  CHECK(cudaStreamSynchronize(other) == cudaSuccess);
  CHECK(letters.text == "abc");
  letters.issue(cudaStreamLegacy, 'e');
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(letters.text == "abcde");
  letters.issue(blocking, 'f');
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(letters.text == "abcdef");
  CHECK(cudaStreamSynchronize(free) == cudaSuccess);
  CHECK(letters.text == "abcdefx");
}

TEST_CASE("each host thread has a default stream of its own") {
  const InOrder late(Order::late);
  Letters letters;
  letters.issue(cudaStreamPerThread, 'a');
  std::thread([&] {
    letters.issue(cudaStreamPerThread, 'b');
    CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
    CHECK(letters.text == "b");
  }).join();
  CHECK(cudaStreamSynchronize(cudaStreamPerThread) == cudaSuccess);
  CHECK(letters.text == "ba");
}

TEST_CASE("a destroyed stream's work is still done, in its place") {
  const InOrder late(Order::late);
  Letters letters;
  auto* const stream = stream_with();
  letters.issue(stream, 'a');
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
  CHECK(letters.text.empty());
  letters.issue(nullptr, 'b');
  CHECK(cudaStreamSynchronize(nullptr) == cudaSuccess);
  CHECK(letters.text == "ab");
}

TEST_CASE("an event stands for what was issued before its last record") {
  const InOrder late(Order::late);
  Letters letters;
  auto* const first = stream_with(cudaStreamNonBlocking);
  auto* const second = stream_with(cudaStreamNonBlocking);
  auto* const event = some_event();
  letters.issue(first, 'a');
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  letters.issue(first, 'b');
  CHECK(cudaStreamWaitEvent(second, event) == cudaSuccess);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);  // comes too late for the wait
  letters.issue(second, 'c');
  CHECK(cudaStreamSynchronize(second) == cudaSuccess);
  CHECK(letters.text == "ac");
  CHECK(cudaEventSynchronize(event) == cudaSuccess);
  CHECK(letters.text == "acb");

  // Nothing is recorded, nothing to wait for.
  letters.issue(first, 'd');
  CHECK(cudaStreamWaitEvent(second, some_event()) == cudaSuccess);
  CHECK(cudaStreamSynchronize(second) == cudaSuccess);
  CHECK(letters.text == "acb");
  // An event that is destroyed after the wait was issued is waited for all the same.
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, event) == cudaSuccess);
  CHECK(cudaEventDestroy(event) == cudaSuccess);
  CHECK(cudaStreamSynchronize(second) == cudaSuccess);
  CHECK(letters.text == "acbd");
}

TEST_CASE("who asks again and again gets an end") {
  const InOrder late(Order::late);
  Letters letters;
  auto* const stream = stream_with();
  auto* const start = some_event();
  auto* const end = some_event();
  CHECK(cudaStreamQuery(stream) == cudaSuccess);
  for (cudaStream_t asked : {stream, cudaStream_t{nullptr}}) {
    letters.issue(stream, 'a');
    letters.issue(stream, 'b');
    int asks = 0;
    while (cudaStreamQuery(asked) == cudaErrorNotReady && asks < 9) ++asks;
    CHECK(asks == 2);
  }
  CHECK(cudaEventRecord(start, stream) == cudaSuccess);
  letters.issue(stream, 'c');
  CHECK(cudaEventRecord(end, stream) == cudaSuccess);
  CHECK(cudaEventQuery(end) == cudaErrorNotReady);
  float time = 0;
  int asks = 0;
  while (cudaEventElapsedTime(&time, start, end) == cudaErrorNotReady && asks < 9) ++asks;
  CHECK(asks == 2);
  CHECK(cudaEventQuery(end) == cudaSuccess);
  CHECK(time >= 0);
  CHECK(letters.text == "ababc");
}

TEST_CASE("a callback in a stream may not use the device, and comes at its turn") {
  const InOrder late(Order::late);
  auto* const stream = stream_with();
  cudaError_t seen = cudaErrorUnknown;
  const cudaStreamCallback_t callback = [](cudaStream_t, cudaError_t, void* data) {
    *static_cast<cudaError_t*>(data) = cudaDeviceSynchronize();
  };
  CHECK(cudaStreamAddCallback(stream, callback, &seen, 0) == cudaSuccess);
  CHECK(seen == cudaErrorUnknown);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(seen == cudaErrorNotPermitted);
}

TEST_CASE("memory that is freed in a stream is there until then") {
  const InOrder late(Order::late);
  auto* const stream = stream_with();
  char* memory = nullptr;
  char* plain = nullptr;
  char* pinned = nullptr;
  CHECK(cudaMallocHost(&pinned, 8) == cudaSuccess);
  CHECK(cudaMallocAsync(&memory, 8, stream) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 7, 8, stream) == cudaSuccess);
  CHECK(cudaMemcpyAsync(pinned, memory, 8, cudaMemcpyDeviceToHost, stream) == cudaSuccess);
  CHECK(cudaFreeAsync(memory + 1, stream) == cudaErrorInvalidValue);
  CHECK(cudaFreeAsync(memory, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(pinned[0] == 7);

  // cudaFree() waits for all work, but not for memory of a pool.
  Letters letters;
  CHECK(cudaMalloc(&plain, 8) == cudaSuccess);
  CHECK(cudaMallocAsync(&memory, 8, stream) == cudaSuccess);
  letters.issue(stream, 'a');
  CHECK(cudaFree(memory) == cudaSuccess);
  CHECK(letters.text.empty());
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(letters.text.empty());
  CHECK(cudaFree(plain) == cudaSuccess);
  CHECK(letters.text == "a");
  letters.issue(stream, 'b');
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(letters.text == "ab");
}

TEST_CASE("work on memory that was freed before it in the stream makes the device fail") {
  const InOrder late(Order::late);
  Letters letters;
  char* memory = nullptr;
  char back = 5;
  CHECK(cudaMallocAsync(&memory, 8, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(memory, nullptr) == cudaSuccess);
  CHECK(cudaMemsetAsync(memory, 7, 8, nullptr) == cudaSuccess);
  letters.issue(nullptr, 'a');  // is not called any more
  CHECK(cudaMemcpy(&back, memory, 1, cudaMemcpyDeviceToHost) == cudaErrorIllegalAddress);
  CHECK(back == 5);
  CHECK(letters.text.empty());
  CHECK(cudaStreamSynchronize(nullptr) == cudaErrorIllegalAddress);
}
