/// \file
/// What is forbidden while streams are captured, and what it does to the capture. NVIDIA's compiler
/// takes this file as well.

#include <functional>
#include <thread>

#include "graphs/capture_test.hpp"

using namespace graph_test;

TEST_CASE("capture: a stream that joined has to come back") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const first = stream_with();
  cudaStream_t const second = stream_with();
  cudaEvent_t const fork = some_event();
  begin(first);
  CHECK(cudaEventRecord(fork, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, fork) == cudaSuccess);
  put<<<1, 1, 0, second>>>(out, 2);
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
  CHECK(cudaStreamEndCapture(first, &graph) == cudaErrorStreamCaptureUnjoined);
  CHECK(graph == nullptr);
  CHECK(status_of(second) == cudaStreamCaptureStatusNone);
  CHECK(cudaStreamEndCapture(first, &graph) == cudaErrorIllegalState);
}

TEST_CASE("capture: whoever ends it in a stream that joined spoils it") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const first = stream_with(cudaStreamNonBlocking);
  cudaStream_t const second = stream_with(cudaStreamNonBlocking);
  cudaEvent_t const fork = some_event();
  begin(first);
  CHECK(cudaEventRecord(fork, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, fork) == cudaSuccess);
  put<<<1, 1, 0, second>>>(out, 2);
  cudaGraph_t graph = reinterpret_cast<cudaGraph_t>(1);
  CHECK(cudaStreamEndCapture(second, &graph) == cudaErrorStreamCaptureUnmatched);
  CHECK(graph == nullptr);
  CHECK(status_of(second) == cudaStreamCaptureStatusInvalidated);
  end_invalidated(first);
  CHECK(status_of(second) == cudaStreamCaptureStatusNone);
}

TEST_CASE("capture: what is outside of it cannot be waited for, and two do not merge") {
  const Fresh fresh;
  cudaStream_t const first = stream_with(cudaStreamNonBlocking);
  cudaStream_t const second = stream_with(cudaStreamNonBlocking);
  cudaEvent_t const event = some_event();
  CHECK(cudaEventRecord(event, second) == cudaSuccess);
  begin(first);
  CHECK(cudaStreamWaitEvent(first, event) == cudaErrorStreamCaptureIsolation);
  end_invalidated(first);

  begin(first);
  begin(second);
  CHECK(cudaStreamBeginCapture(first, cudaStreamCaptureModeGlobal) == cudaErrorIllegalState);
  CHECK(cudaEventRecord(event, first) == cudaSuccess);
  CHECK(cudaStreamWaitEvent(second, event) == cudaErrorStreamCaptureMerge);
  end_invalidated(first);
  end_invalidated(second);
}

TEST_CASE("capture: the legacy default stream cannot be captured, nor be used beside") {
  const Fresh fresh;
  int* const out = managed_ints();
  int host = 0;
  CHECK(cudaStreamBeginCapture(nullptr, cudaStreamCaptureModeGlobal) ==
        cudaErrorStreamCaptureUnsupported);
  const auto implicit = [&](const std::function<cudaError_t()>& call) {
    const cudaError_t error = forbidden([&](cudaStream_t) { return call(); }, cudaStreamDefault,
                                        cudaStreamCaptureModeRelaxed);
    CHECK(error == cudaErrorStreamCaptureImplicit);
  };
  implicit([&] {
    put<<<1, 1>>>(out, 1);
    return cudaGetLastError();
  });
  implicit([&] { return cudaMemsetAsync(out, 0, 4, nullptr); });
  implicit([&] { return cudaMemcpy(&host, out, 4, cudaMemcpyDefault); });
  implicit([&] { return cudaStreamSynchronize(nullptr); });
  // A question invalidates nothing; and a stream that the legacy one does not wait for is no
  // trouble.
  cudaStream_t const blocking = stream_with();
  begin(blocking);
  cudaStreamCaptureStatus status = cudaStreamCaptureStatusNone;
  CHECK(cudaStreamIsCapturing(nullptr, &status) == cudaErrorStreamCaptureImplicit);
  cudaStream_t const beside = stream_with(cudaStreamNonBlocking);
  cudaGetLastError();
  put<<<1, 1, 0, beside>>>(out, 6);
  CHECK(cudaGetLastError() == cudaSuccess);
  end(blocking);
  CHECK(cudaStreamSynchronize(beside) == cudaSuccess);
  CHECK(*out == 6);
  cudaStream_t const other = stream_with(cudaStreamNonBlocking);
  begin(other);
  put<<<1, 1>>>(out, 7);
  CHECK(cudaGetLastError() == cudaSuccess);
  end(other);
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(*out == 7);
}

TEST_CASE("capture: nobody waits for work that is not going to be done") {
  const Fresh fresh;
  const auto unsupported = [](const std::function<cudaError_t(cudaStream_t)>& call) {
    CHECK(forbidden(call) == cudaErrorStreamCaptureUnsupported);
  };
  unsupported([](cudaStream_t stream) { return cudaStreamSynchronize(stream); });
  unsupported([](cudaStream_t stream) { return cudaStreamQuery(stream); });
  unsupported([](cudaStream_t) { return cudaDeviceSynchronize(); });
  unsupported([](cudaStream_t stream) {
    return cudaStreamAddCallback(
        stream, [](cudaStream_t, cudaError_t, void*) {}, nullptr, 0);
  });
  cudaEvent_t const event = some_event();
  const auto captured = [&](cudaError_t (*ask)(cudaEvent_t)) {
    const auto record_and_ask = [&](cudaStream_t stream) {
      CHECK(cudaEventRecord(event, stream) == cudaSuccess);
      return ask(event);
    };
    for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                            cudaStreamCaptureModeRelaxed}) {
      CHECK(forbidden(record_and_ask, cudaStreamNonBlocking, mode) == cudaErrorCapturedEvent);
    }
  };
  captured(cudaEventQuery);
  captured(cudaEventSynchronize);
}

TEST_CASE("capture: unless it is relaxed, nobody waits for other work beside it, or asks for it") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const beside = stream_with(cudaStreamNonBlocking);
  cudaEvent_t const event = some_event();
  CHECK(cudaEventRecord(event, beside) == cudaSuccess);
  CHECK(cudaStreamSynchronize(beside) == cudaSuccess);
  const std::function<cudaError_t()> calls[] = {
      [&] { return cudaStreamSynchronize(beside); },
      [&] { return cudaStreamQuery(beside); },
      [&] { return cudaEventSynchronize(event); },
      [&] { return cudaEventQuery(event); },
  };
  for (const auto& call : calls) {
    const auto in_capture = [&](cudaStream_t) { return call(); };
    for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal}) {
      CHECK(forbidden(in_capture, cudaStreamNonBlocking, mode) ==
            cudaErrorStreamCaptureUnsupported);
    }
    cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
    begin(stream, cudaStreamCaptureModeRelaxed);
    CHECK(call() == cudaSuccess);
    end(stream);
  }
  // To put more work there is no trouble in any mode.
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                          cudaStreamCaptureModeRelaxed}) {
    cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
    begin(stream, mode);
    put<<<1, 1, 0, beside>>>(out, 5);
    CHECK(cudaGetLastError() == cudaSuccess);
    CHECK(cudaEventRecord(event, beside) == cudaSuccess);
    end(stream);
  }
  CHECK(cudaStreamSynchronize(beside) == cudaSuccess);
  CHECK(*out == 5);
}

TEST_CASE("capture: no executable graph is launched into it, in no mode") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaGraph_t const graph = some_graph();
  kernel_node(graph, (void*)add, out, 2);
  cudaGraphExec_t const executable = instantiated(graph);
  for (int launches = 0; launches < 2; ++launches) {
    for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal,
                            cudaStreamCaptureModeRelaxed}) {
      const auto launch_it = [&](cudaStream_t stream) {
        return cudaGraphLaunch(executable, stream);
      };
      CHECK(forbidden(launch_it, cudaStreamNonBlocking, mode) == cudaErrorStreamCaptureUnsupported);
    }
    CHECK(*out == 2 * launches);
    if (launches == 0) launch(executable);
  }
}

TEST_CASE("capture: an event of it stands for nothing when it is over") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  cudaStream_t const other = stream_with(cudaStreamNonBlocking);
  cudaEvent_t const event = some_event();
  for (const bool is_spoilt : {false, true}) {
    begin(stream);
    put<<<1, 1, 0, stream>>>(out, 1);
    CHECK(cudaEventRecord(event, stream) == cudaSuccess);
    if (is_spoilt) {
      CHECK(cudaEventQuery(event) == cudaErrorCapturedEvent);
      end_invalidated(stream);
    } else {
      end(stream);
    }
    CHECK(cudaEventQuery(event) == cudaErrorInvalidValue);
    CHECK(cudaEventSynchronize(event) == cudaErrorInvalidValue);
    CHECK(cudaStreamWaitEvent(other, event) == cudaErrorInvalidValue);
    float milliseconds = 0;
    CHECK(cudaEventElapsedTime(&milliseconds, event, event) == cudaErrorInvalidValue);
    cudaGetLastError();
    CHECK(cudaEventRecord(event, stream) == cudaSuccess);
    CHECK(cudaEventSynchronize(event) == cudaSuccess);
  }
}

TEST_CASE("capture: its mode says which calls are too dangerous, and in which threads") {
  const Fresh fresh;
  const auto allocate = [](cudaStream_t) {
    void* memory = nullptr;
    const cudaError_t error = cudaMalloc(&memory, 16);
    if (error == cudaSuccess) CHECK(cudaFree(memory) == cudaSuccess);
    return error;
  };
  CHECK(forbidden(allocate) == cudaErrorStreamCaptureUnsupported);
  CHECK(forbidden(allocate, cudaStreamNonBlocking, cudaStreamCaptureModeThreadLocal) ==
        cudaErrorStreamCaptureUnsupported);
  const auto from_thread = [&](cudaStreamCaptureMode mode, cudaStreamCaptureMode threads_mode) {
    cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
    begin(stream, mode);
    cudaError_t error = cudaSuccess;
    std::thread([&] {
      cudaThreadExchangeStreamCaptureMode(&threads_mode);
      error = allocate(stream);
    }).join();
    const bool valid = status_of(stream) == cudaStreamCaptureStatusActive;
    cudaGraph_t graph = nullptr;
    cudaStreamEndCapture(stream, &graph);
    CHECK(valid == (error == cudaSuccess));
    return error;
  };
  const auto global = cudaStreamCaptureModeGlobal;
  const auto local = cudaStreamCaptureModeThreadLocal;
  const auto relaxed = cudaStreamCaptureModeRelaxed;
  CHECK(from_thread(global, global) == cudaErrorStreamCaptureUnsupported);
  CHECK(from_thread(global, local) == cudaSuccess);
  CHECK(from_thread(global, relaxed) == cudaSuccess);
  CHECK(from_thread(local, global) == cudaSuccess);
  CHECK(from_thread(relaxed, global) == cudaSuccess);

  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  begin(stream, relaxed);
  CHECK(allocate(stream) == cudaSuccess);
  end(stream);
  begin(stream);
  cudaStreamCaptureMode mode = relaxed;
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == global);
  CHECK(allocate(stream) == cudaSuccess);
  CHECK(cudaThreadExchangeStreamCaptureMode(&mode) == cudaSuccess);
  CHECK(mode == relaxed);
  end(stream);
}

TEST_CASE("capture: it ends in the thread in which it began, unless it is relaxed") {
  const Fresh fresh;
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  cudaGraph_t graph = nullptr;
  cudaError_t error = cudaSuccess;
  const auto end_elsewhere = [&] {
    std::thread([&] { error = cudaStreamEndCapture(stream, &graph); }).join();
  };
  for (const auto mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeThreadLocal}) {
    begin(stream, mode);
    graph = reinterpret_cast<cudaGraph_t>(1);
    end_elsewhere();
    CHECK(error == cudaErrorStreamCaptureWrongThread);
    // It has ended, without a graph.
    CHECK(graph == nullptr);
    CHECK(status_of(stream) == cudaStreamCaptureStatusNone);
    CHECK(cudaStreamEndCapture(stream, &graph) == cudaErrorIllegalState);
  }
  begin(stream, cudaStreamCaptureModeRelaxed);
  end_elsewhere();
  CHECK(error == cudaSuccess);
  CHECK(graph != nullptr);
}

TEST_CASE("capture: once it is invalid, its streams and events are of no use until it is ended") {
  const Fresh fresh;
  int* const out = managed_ints();
  cudaStream_t const stream = stream_with(cudaStreamNonBlocking);
  cudaStream_t const other = stream_with(cudaStreamNonBlocking);
  cudaEvent_t const event = some_event();
  begin(stream);
  CHECK(cudaEventRecord(event, stream) == cudaSuccess);
  CHECK(cudaStreamSynchronize(stream) == cudaErrorStreamCaptureUnsupported);
  put<<<1, 1, 0, stream>>>(out, 1);
  CHECK(cudaGetLastError() == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaMemsetAsync(out, 0, 4, stream) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaEventQuery(event) == cudaErrorInvalidValue);
  CHECK(cudaStreamWaitEvent(other, event) == cudaErrorInvalidValue);
  CHECK(cudaEventRecord(event, stream) == cudaErrorStreamCaptureInvalidated);
  CHECK(cudaStreamWaitEvent(stream, event) == cudaErrorStreamCaptureInvalidated);
  end_invalidated(stream);
  CHECK(cudaStreamWaitEvent(other, event) == cudaErrorInvalidValue);
  cudaGetLastError();
  put<<<1, 1, 0, stream>>>(out, 8);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  CHECK(*out == 8);
}
