/// \file
/// The rule of steps, as users read it.

#include "observers/timeline/work_steps.hpp"

#include <vector>

#include "observers/timeline/trace_file.hpp"
#include "tests/support/queue_test.hpp"

using namespace host_test;
using namespace emulator::timeline;

namespace {

CopyTask copy(void* to, void* from, std::size_t bytes) {
  const auto box = [](void* pointer) { return Box{static_cast<unsigned char*>(pointer), 0, 0, 0}; };
  return {"cudaMemcpy", box(to), box(from), {bytes, 1, 1}, {}};
}

}  // namespace

TEST_CASE("timeline: copies take a step for each 4 KiB, on the engine of their direction") {
  const Fresh fresh;
  void* device = nullptr;
  void* managed = nullptr;
  void* pinned = nullptr;
  std::vector<char> pageable(8);
  REQUIRE(cudaMalloc(&device, 8) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 8) == cudaSuccess);
  REQUIRE(cudaMallocHost(&pinned, 8) == cudaSuccess);

  const WorkSteps to_device = steps_of(copy(device, pinned, 8192));
  CHECK(to_device.engine == Engine::copies_to_device);
  CHECK(to_device.steps == 2);
  CHECK(to_device.staged_before == 0);
  CHECK(steps_of(copy(device, pinned, 8193)).steps == 3);
  const WorkSteps to_host = steps_of(copy(pinned, managed, 1));
  CHECK(to_host.engine == Engine::copies_to_host);
  CHECK(to_host.steps == 1);
  CHECK(to_host.staged_after == 0);
  CHECK(steps_of(copy(device, pageable.data(), 8192)).staged_before == 2);
  CHECK(steps_of(copy(pageable.data(), device, 8192)).staged_after == 2);

  const WorkSteps within = steps_of(copy(device, managed, 131072));
  CHECK(within.engine == Engine::none);
  CHECK(within.steps == 2);
  CHECK(steps_of(copy(pinned, pageable.data(), 8192)).engine == Engine::none);
}

TEST_CASE("timeline: a kernel takes a step for each 1,024 threads, and marks take none") {
  const emulator::Configuration configuration(dim3(3, 2), dim3(256));
  CHECK(steps_of(KernelTask{"k", configuration, {}, nullptr}).steps == 2);
  CHECK(steps_of(HostTask{}).engine == Engine::host_functions);
  CHECK(steps_of(HostTask{}).steps == 1);
  CHECK(steps_of(CallTask{"cublasSgemm"}).steps == 1);
  CHECK(steps_of(SetTask{"cudaMemset", {}, 0, {65537, 1, 1}}).steps == 2);
  CHECK(steps_of(RecordTask{}).steps == 0);
  CHECK(steps_of(WaitTask{}).steps == 0);
  CHECK(steps_of(FreeTask{}).steps == 0);
}

TEST_CASE("timeline: sizes are said in the largest unit") {
  CHECK(size_text(12) == "12 B");
  CHECK(size_text(4608) == "4.5 KiB");
  CHECK(size_text(4 << 20) == "4 MiB");
}
