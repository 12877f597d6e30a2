// What host code does wrong, as the checks see it. Lines are tested by
// emulator/observers/checks/host_checks_test.py: this file is compiled without the information that
// they need.

#include <string>
#include <thread>
#include <vector>

#include "base/arena.hpp"
#include "base/host_state.hpp"
#include "emulator/discarded.h"
#include "emulator/findings.h"
#include "observers/checks/host_findings.hpp"
#include "observers/checks/unchecked_errors.hpp"
#include "tests/support/host_test.hpp"

using namespace host_test;
using emulator::discarded_result;
using emulator::Finding;
using emulator::checks::find_freed;
using emulator::checks::find_leaks;
using emulator::checks::find_unchecked_errors;
using emulator::checks::set_sticky_error;

namespace {

// Checks, on for the length of a scope.
class Checks {
 public:
  Checks() {
    emulator::clear_findings();
    emulator::set_checking(true);
  }
  ~Checks() {
    cudaGetLastError();
    emulator::set_checking(before_);
    emulator::clear_findings();
  }
  Checks(const Checks&) = delete;
  Checks& operator=(const Checks&) = delete;

 private:
  Fresh fresh_;
  bool before_ = emulator::checking();
};

// The finding since the last call, if there is one and no more: `kind: what`.
std::string found() {
  const std::vector<Finding> all = emulator::findings();
  emulator::clear_findings();
  if (all.empty()) return "nothing";
  return all.size() == 1 ? all[0].kind + ": " + all[0].what : "several";
}

std::string kind() {
  const std::string text = found();
  return text.substr(0, text.find(':'));
}

}  // namespace

TEST_CASE("a copy that cannot be: which side, and how long it is") {
  const Checks checks;
  char* data = nullptr;
  std::vector<char> host(1000);
  REQUIRE(cudaMalloc(&data, 100) == cudaSuccess);
  const auto to_device = cudaMemcpyHostToDevice;
  const auto to_host = cudaMemcpyDeviceToHost;
  CHECK(cudaMemcpy(data + 40, host.data(), 100, to_device) == cudaErrorInvalidValue);
  CHECK(found() ==
        "invalid-copy: the destination has 60 bytes from there on, but the call needs 100 bytes");
  CHECK(cudaMemcpy2D(host.data(), 10, data, 10, 10, 11, to_host) == cudaErrorInvalidValue);
  CHECK(found() ==
        "invalid-copy: the source has 100 bytes from there on, but the call needs 110 bytes");
  CHECK(cudaMemset(data, 0, 101) == cudaErrorInvalidValue);
  CHECK(
      found() ==
      "invalid-copy: the memory to set has 100 bytes from there on, but the call needs 101 bytes");
  CHECK(cudaMemcpy(data, host.data(), 100, to_host) == cudaErrorInvalidValue);
  CHECK(found() ==
        "invalid-copy: the source is memory of the host, but the call needs memory of the device");
  CHECK(cudaMemcpy(host.data(), data, 100, to_device) == cudaErrorInvalidValue);
  CHECK(found() ==
        "invalid-copy: the destination is memory of the host, but the call needs memory of the "
        "device");
  CHECK(cudaMemcpy(host.data(), data, 100, cudaMemcpyHostToHost) == cudaErrorInvalidValue);
  CHECK(found() ==
        "invalid-copy: the source is memory of the device, but this direction needs memory of the "
        "host");
  CHECK(cudaMemcpy(host.data(), nullptr, 100, to_host) == cudaErrorInvalidValue);
  CHECK(found() == "invalid-copy: the source is a null pointer");
  CHECK(cudaMemcpy(host.data(), data, 100, to_host) == cudaSuccess);
  emulator::clear_findings();  // of what nothing has written
  REQUIRE(cudaFree(data) == cudaSuccess);
  CHECK(cudaMemcpy(host.data(), data, 100, to_host) == cudaErrorInvalidValue);
  CHECK(found() == "invalid-copy: the source is memory that was freed");
}

TEST_CASE("memory freed twice is found") {
  const Checks checks;
  char* data = nullptr;
  REQUIRE(cudaMalloc(&data, 100) == cudaSuccess);
  CHECK(cudaFree(data) == cudaSuccess);
  CHECK(found() == "nothing");
  CHECK(cudaFree(data) == cudaErrorInvalidValue);
  REQUIRE(emulator::findings().size() == 1);
  CHECK(emulator::findings()[0].memory == "100 bytes allocated by cudaMalloc");
  CHECK(emulator::findings()[0].bytes == 100);
  CHECK(found() == "double-free: cudaFree() of memory that was already freed");
  CHECK(cudaFree(data + 7) == cudaErrorInvalidValue);
  CHECK(found() ==
        "invalid-free: cudaFree() of a pointer to byte 7 of memory that was already freed");
  CHECK(cudaFree(nullptr) == cudaSuccess);
  CHECK(found() == "nothing");
  char* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 100) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaErrorInvalidValue);
  CHECK(kind() == "double-free");
  REQUIRE(cudaMallocAsync(&data, 100, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(data, nullptr) == cudaSuccess);
  CHECK(cudaFreeAsync(data, nullptr) == cudaErrorInvalidValue);
  CHECK(kind() == "double-free");
  REQUIRE(cudaMalloc(&data, 100) == cudaSuccess);
  CHECK(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaFree(data) == cudaErrorInvalidValue);
  CHECK(kind() == "double-free");
}

TEST_CASE("memory freed the wrong way is found") {
  const Checks checks;
  const auto remedy = [] { return emulator::findings().at(0).remedy; };
  char* data = nullptr;
  REQUIRE(cudaMalloc(&data, 100) == cudaSuccess);
  CHECK(cudaFree(data + 4) == cudaErrorInvalidValue);
  CHECK(remedy() == "keep the pointer that cudaMalloc() returned, and free that one");
  CHECK(found() ==
        "invalid-free: cudaFree() of a pointer to byte 4 of an allocation, not to its start");
  CHECK(cudaFreeHost(data) == cudaErrorInvalidValue);
  CHECK(remedy() == "free it with cudaFree()");
  CHECK(kind() == "invalid-free");
  char* pinned = nullptr;
  REQUIRE(cudaHostAlloc(&pinned, 100, cudaHostAllocDefault) == cudaSuccess);
  CHECK(cudaFree(pinned) == cudaErrorInvalidValue);
  CHECK(remedy() == "free it with cudaFreeHost()");
  CHECK(kind() == "invalid-free");
  char host[16];
  CHECK(cudaFree(host) == cudaErrorInvalidValue);
  CHECK(found() == "invalid-free: cudaFree() of a pointer to the host's own memory");
  REQUIRE(cudaHostRegister(host, sizeof(host), cudaHostRegisterDefault) == cudaSuccess);
  CHECK(cudaFreeHost(host) == cudaErrorInvalidValue);
  CHECK(remedy() == "call cudaHostUnregister(), and free the memory the way it was allocated");
  CHECK(kind() == "invalid-free");
  CHECK(cudaHostUnregister(host) == cudaSuccess);
  CHECK(cudaFree(reinterpret_cast<void*>(emulator::checks::arena_base +
                                         emulator::checks::arena_size - 8192)) ==
        cudaErrorInvalidValue);
  CHECK(found() == "invalid-free: cudaFree() of a pointer that points to no allocation");
  CHECK(cudaFree(data) == cudaSuccess);
  CHECK(cudaFreeHost(pinned) == cudaSuccess);
  CHECK(found() == "nothing");
}

TEST_CASE("nothing is found while the checks are off") {
  const Checks checks;
  emulator::set_checking(false);
  char* data = nullptr;
  REQUIRE(cudaMalloc(&data, 100) == cudaSuccess);
  CHECK(cudaFree(data) == cudaSuccess);
  CHECK(cudaFree(data) == cudaErrorInvalidValue);
  CHECK(!find_freed(reinterpret_cast<std::uintptr_t>(data)).has_value());
  discarded_result(cudaErrorInvalidValue, "cudaMemcpy");
  emulator::checks::discarded_launch(cudaErrorInvalidValue, "kernel");
  set_sticky_error(cudaErrorAssert);
  find_unchecked_errors();
  CHECK(found() == "nothing");
}

TEST_CASE("freed memory is remembered") {
  const Checks checks;
  char* data = nullptr;
  std::size_t pitch = 0;
  REQUIRE(cudaMallocPitch(&data, &pitch, 100, 2) == cudaSuccess);
  const auto address = reinterpret_cast<std::uintptr_t>(data);
  CHECK(!find_freed(address).has_value());
  CHECK(cudaFree(data) == cudaSuccess);
  REQUIRE(find_freed(address + 1023).has_value());
  CHECK(find_freed(address)->allocation.base == address);
  CHECK(find_freed(address)->allocation.size == 1024);
  CHECK(std::string(find_freed(address)->allocation.made_by) == "cudaMallocPitch");
  CHECK(std::string(find_freed(address)->freed_by) == "cudaFree");
  CHECK(!find_freed(address - 1).has_value());
  CHECK(!find_freed(address + 1024).has_value());
}

TEST_CASE("memory that is still allocated leaks") {
  const Checks checks;
  find_leaks();
  CHECK(found() == "nothing");
  char* data[3];
  for (char*& each : data) REQUIRE(cudaMalloc(&each, 100) == cudaSuccess);
  CHECK(cudaFree(data[1]) == cudaSuccess);
  char* pinned = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 1) == cudaSuccess);
  static char symbol[4];
  REQUIRE(cudaHostRegister(symbol, 4, cudaHostRegisterDefault) == cudaSuccess);
  find_leaks();
  const std::vector<Finding> all = emulator::findings();
  REQUIRE(all.size() >= 1);
  std::uint64_t times = 0;
  for (const Finding& finding : all) {
    CHECK(finding.kind == "leak");
    times += finding.times;
  }
  CHECK(times == 3);
  emulator::clear_findings();
  CHECK(cudaDeviceReset() == cudaSuccess);
  find_leaks();
  CHECK(found() == "nothing");
}

TEST_CASE("an error that is thrown away and never asked for is found") {
  const Checks checks;
  discarded_result(cudaSetDevice(7), "cudaSetDevice");
  CHECK(found() == "nothing");  // there is still time to look
  find_unchecked_errors();
  CHECK(found() ==
        "unchecked-error: cudaSetDevice() failed with cudaErrorInvalidDevice (invalid device "
        "ordinal), and this was never checked");
  find_unchecked_errors();
  CHECK(found() == "nothing");

  discarded_result(cudaSetDevice(7), "cudaSetDevice");
  CHECK(cudaGetLastError() == cudaErrorInvalidDevice);
  find_unchecked_errors();
  CHECK(found() == "nothing");
  discarded_result(cudaSetDevice(7), "cudaSetDevice");
  CHECK(cudaPeekAtLastError() == cudaErrorInvalidDevice);
  find_unchecked_errors();
  CHECK(found() == "nothing");
  CHECK(cudaSetDevice(7) == cudaErrorInvalidDevice);  // its result was used
  find_unchecked_errors();
  CHECK(found() == "nothing");
}

TEST_CASE("an error that another takes the place of is found at once") {
  const Checks checks;
  discarded_result(cudaSetDevice(7), "cudaSetDevice");
  discarded_result(cudaSetDevice(8), "cudaSetDevice");  // the same again
  CHECK(found() == "nothing");
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(found() == "nothing");
  CHECK(cudaMalloc(static_cast<void**>(nullptr), 1) == cudaErrorInvalidValue);
  CHECK(kind() == "unchecked-error");
  find_unchecked_errors();
  CHECK(found() == "nothing");
}

TEST_CASE("other results may be thrown away") {
  const Checks checks;
  discarded_result(cudaSuccess, "cudaFree");
  discarded_result(cudaErrorNotReady, "cudaStreamQuery");
  discarded_result(cudaErrorInvalidValue, "cudaGetLastError");
  discarded_result(cudaErrorInvalidValue, "cudaPeekAtLastError");
  discarded_result("no error", "cudaGetErrorString");
  find_unchecked_errors();
  CHECK(found() == "nothing");
  enum class Status { fine, bad = 3 };
  discarded_result(Status::fine, "cublasSgemm");
  CHECK(found() == "nothing");
  discarded_result(Status::bad, "cublasSgemm");
  CHECK(found() ==
        "unchecked-error: cublasSgemm() failed with status 3, and this was never checked");
}

TEST_CASE("each host thread looks at its own errors") {
  const Checks checks;
  std::thread([] { discarded_result(cudaSetDevice(7), "cudaSetDevice"); }).join();
  CHECK(cudaGetLastError() == cudaSuccess);
  std::thread([] { cudaGetLastError(); }).join();
  find_unchecked_errors();
  CHECK(kind() == "unchecked-error");
}

TEST_CASE("a launch that failed has to be asked about") {
  const Checks checks;
  emulator::checks::discarded_launch(cudaErrorInvalidConfiguration, "fill");
  find_unchecked_errors();
  REQUIRE(emulator::findings().size() == 1);
  CHECK(emulator::findings()[0].kernel == "fill");
  CHECK(found() ==
        "unchecked-error: the launch failed with cudaErrorInvalidConfiguration (invalid "
        "configuration argument), and this was never checked");
  emulator::checks::discarded_launch(cudaErrorInvalidConfiguration, "fill");
  cudaGetLastError();
  find_unchecked_errors();
  CHECK(found() == "nothing");
}

TEST_CASE("somebody has to look at a kernel's failure") {
  const Checks checks;
  SUBCASE("nobody asks") {
    set_sticky_error(cudaErrorAssert);
    find_unchecked_errors();
    CHECK(found() == "unchecked-error: a kernel failed while it ran, and this was never checked");
    find_unchecked_errors();
    CHECK(found() == "nothing");
  }
  SUBCASE("all answers are thrown away") {
    set_sticky_error(cudaErrorAssert);
    discarded_result(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    discarded_result(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    find_unchecked_errors();
    CHECK(kind() == "unchecked-error");
  }
  SUBCASE("too early") {
    set_sticky_error(cudaErrorAssert);
    CHECK(cudaGetLastError() == cudaSuccess);
    find_unchecked_errors();
    CHECK(kind() == "unchecked-error");
  }
  SUBCASE("the device is reset first") {
    set_sticky_error(cudaErrorAssert);
    CHECK(cudaDeviceReset() == cudaSuccess);
    CHECK(kind() == "unchecked-error");
  }
  SUBCASE("a call tells") {
    set_sticky_error(cudaErrorAssert);
    discarded_result(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    CHECK(cudaDeviceSynchronize() == cudaErrorAssert);
    discarded_result(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    find_unchecked_errors();
    CHECK(found() == "nothing");
  }
  SUBCASE("cudaGetLastError() tells") {
    set_sticky_error(cudaErrorAssert);
    discarded_result(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    CHECK(cudaGetLastError() == cudaErrorAssert);
    find_unchecked_errors();
    CHECK(found() == "nothing");
  }
}
