/// \file
/// Copies and sets of memory, in one, two and three dimensions.

#include "api/copies_test.hpp"

#include <cstring>
#include <numeric>
#include <vector>

#include "base/host_state.hpp"

using namespace copies_test;
using namespace host_test;

namespace {

std::vector<char> counting(std::size_t size) {
  std::vector<char> values(size);
  std::iota(values.begin(), values.end(), '\0');
  return values;
}

}  // namespace

TEST_CASE("bytes travel to the device, on it, and back") {
  const Fresh fresh;
  const std::vector<char> sent = counting(1000);
  std::vector<char> got(1000);
  const Block a(1000);
  const Block b(1000);
  CHECK(cudaMemcpy(a.get(), sent.data(), 1000, to_device) == cudaSuccess);
  CHECK(cudaMemcpy(b.get(), a.get(), 1000, on_device) == cudaSuccess);
  CHECK(cudaMemcpy(got.data(), b.get(), 1000, to_host) == cudaSuccess);
  CHECK(got == sent);
  CHECK(cudaMemset(b.get() + 10, 0x5A, 5) == cudaSuccess);
  CHECK(cudaMemcpyAsync(got.data(), b.get() + 9, 7, cudaMemcpyDefault, nullptr) == cudaSuccess);
  CHECK(std::vector<char>(got.begin(), got.begin() + 7) ==
        std::vector<char>{9, 0x5A, 0x5A, 0x5A, 0x5A, 0x5A, 15});
  CHECK(cudaMemcpy(a.get() + 1, a.get(), 999, on_device) == cudaSuccess);  // they may overlap
  CHECK(a.get()[999] == sent[998]);
}

TEST_CASE("the kind has to be one, and must suit the pointers") {
  const Fresh fresh;
  char host[16] = {};
  const Block a(16);
  const Block b(16);
  char* pinned = nullptr;
  char* managed = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 16) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 16) == cudaSuccess);
  for (const auto kind : {bad_kind_below, bad_kind_above, static_cast<cudaMemcpyKind>(1 << 30)}) {
    CHECK(cudaMemcpy(a.get(), host, 4, kind) == bad_direction);
    CHECK(cudaMemcpyAsync(a.get(), host, 4, kind) == bad_direction);
    CHECK(cudaMemcpy2D(a.get(), 4, host, 4, 4, 1, kind) == bad_direction);
    CHECK(cudaMemcpy(a.get(), host, 0, kind) == cudaSuccess);  // as on a GPU
  }
  // The side that the kind puts on the device must be there.
  CHECK(cudaMemcpy(host, host + 8, 4, to_device) == invalid);
  CHECK(cudaMemcpy(host, a.get(), 4, to_device) == invalid);
  CHECK(cudaMemcpy(host, host + 8, 4, to_host) == invalid);
  CHECK(cudaMemcpy(a.get(), host, 4, to_host) == invalid);
  CHECK(cudaMemcpy(host, host + 8, 4, on_device) == invalid);
  CHECK(cudaMemcpy(a.get(), host, 4, on_device) == invalid);
  CHECK(cudaMemcpy(host, a.get(), 4, on_device) == invalid);
  CHECK(cudaMemcpy(host, a.get(), 4, on_host) == invalid);
  CHECK(cudaMemcpy(a.get(), host, 4, on_host) == invalid);
  // The other side may be anywhere, and pinned and managed memory are on both.
  CHECK(cudaMemcpy(a.get(), b.get(), 4, to_device) == cudaSuccess);
  CHECK(cudaMemcpy(a.get(), b.get(), 4, to_host) == cudaSuccess);
  CHECK(cudaMemcpy(pinned, host, 4, to_device) == cudaSuccess);
  CHECK(cudaMemcpy(pinned, a.get(), 4, on_device) == cudaSuccess);
  CHECK(cudaMemcpy(a.get(), pinned, 4, on_device) == cudaSuccess);
  CHECK(cudaMemcpy(managed, host, 4, to_device) == cudaSuccess);
  CHECK(cudaMemcpy(managed, host, 4, on_host) == cudaSuccess);
  CHECK(cudaMemcpy(host, host + 8, 4, on_host) == cudaSuccess);
  CHECK(cudaMemcpy(host, host + 8, 4, cudaMemcpyDefault) == cudaSuccess);
}

TEST_CASE("a copy must not leave an allocation, not by one byte") {
  const Fresh fresh;
  std::vector<char> host(100000);
  const Block a(1000);
  const Block b(2000);
  char* pinned = nullptr;
  char* managed = nullptr;
  REQUIRE(cudaMallocHost(&pinned, 1000) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&managed, 1000) == cudaSuccess);
  CHECK(cudaMemcpy(a.get(), host.data(), 1000, to_device) == cudaSuccess);
  CHECK(cudaMemcpy(a.get(), host.data(), 1001, to_device) == invalid);
  CHECK(cudaMemcpy(a.get() + 1, host.data(), 1000, to_device) == invalid);
  CHECK(cudaMemcpy(a.get() - 1, host.data(), 2, to_device) == invalid);
  CHECK(cudaMemcpy(a.get() + 1000, host.data(), 1, to_device) == invalid);
  CHECK(cudaMemcpy(host.data(), a.get(), 1001, to_host) == invalid);
  CHECK(cudaMemcpy(b.get(), a.get(), 1001, on_device) == invalid);
  CHECK(cudaMemcpy(a.get(), b.get(), 1001, on_device) == invalid);
  CHECK(cudaMemcpy(a.get(), host.data(), huge, to_device) == invalid);
  CHECK(cudaMemcpy(a.get(), host.data(), 50000, cudaMemcpyDefault) == invalid);
  CHECK(cudaMemcpy(pinned, host.data(), 1001, cudaMemcpyDefault) == invalid);
  CHECK(cudaMemcpy(managed, host.data(), 1001, on_host) == invalid);
  CHECK(cudaMemcpy(host.data(), host.data() + 9, huge, cudaMemcpyDefault) == invalid);
  CHECK(cudaMemcpyAsync(a.get(), host.data(), 1001, to_device) == invalid);
  CHECK(cudaMemcpyAsync(a.get(), host.data(), 4, to_device, no_stream()) ==
        cudaErrorInvalidResourceHandle);

  CHECK(cudaMemset(a.get(), 0, 1000) == cudaSuccess);
  CHECK(cudaMemset(a.get(), 0, 1001) == invalid);
  CHECK(cudaMemset(a.get() + 4, 0, 997) == invalid);
  CHECK(cudaMemset(a.get(), 0, huge) == invalid);
  CHECK(cudaMemset(pinned, 0, 1000) == cudaSuccess);
  CHECK(cudaMemset(pinned, 0, 1001) == invalid);
  CHECK(cudaMemset(host.data(), 0, 4) == invalid);
  CHECK(cudaMemsetAsync(a.get(), 0, 4, no_stream()) == cudaErrorInvalidResourceHandle);

  // Memory of which a part is registered is neither the one nor the other.
  REQUIRE(cudaHostRegister(host.data() + 50, 100, 0) == cudaSuccess);
  CHECK(cudaMemcpy(a.get(), host.data(), 50, to_device) == cudaSuccess);
  CHECK(cudaMemcpy(a.get(), host.data(), 51, to_device) == invalid);
  CHECK(cudaMemcpy(a.get(), host.data() + 50, 100, on_device) == cudaSuccess);
  CHECK(cudaMemcpy(a.get(), host.data() + 50, 101, to_device) == invalid);
}

TEST_CASE("null and freed pointers") {
  const Fresh fresh;
  char host[16] = {};
  char* freed = nullptr;
  const Block a(16);
  REQUIRE(cudaMalloc(&freed, 16) == cudaSuccess);
  REQUIRE(cudaFree(freed) == cudaSuccess);
  CHECK(cudaMemcpy(nullptr, host, 4, to_device) == invalid);
  CHECK(cudaMemcpy(a.get(), nullptr, 4, to_device) == invalid);
  CHECK(cudaMemcpy(nullptr, a.get(), 4, to_host) == invalid);
  CHECK(cudaMemcpy(host, nullptr, 4, cudaMemcpyDefault) == invalid);
  CHECK(cudaMemcpy(nullptr, nullptr, 0, to_device) == cudaSuccess);
  CHECK(cudaMemset(nullptr, 0, 4) == invalid);
  CHECK(cudaMemset(nullptr, 0, 0) == cudaSuccess);
  CHECK(cudaMemcpy(freed, host, 4, to_device) == invalid);
  CHECK(cudaMemcpy(freed, host, 4, cudaMemcpyDefault) == invalid);
  CHECK(cudaMemcpy(host, freed, 4, to_host) == invalid);
  CHECK(cudaMemcpy(freed, host, 4, on_host) == invalid);
  CHECK(cudaMemset(freed, 0, 4) == invalid);
  CHECK(cudaGetLastError() == invalid);
}

TEST_CASE("two-dimensional copies and sets") {
  const Fresh fresh;
  const std::vector<char> host = counting(64);
  std::vector<char> got(64, '\x7F');
  const Block block(1000);
  char* const a = block.get();
  CHECK(cudaMemset2D(a, 10, 1, 10, 100) == cudaSuccess);
  CHECK(cudaMemset2D(a + 1, 10, 2, 3, 99) == cudaSuccess);
  CHECK(a[0] == 1);
  CHECK(a[1] == 2);
  CHECK(a[3] == 2);
  CHECK(a[4] == 1);
  CHECK(a[983] == 2);
  CHECK(a[991] == 1);
  // Three rows of four bytes, from rows of eight to rows of ten and on to rows of six.
  CHECK(cudaMemcpy2D(a, 10, host.data() + 2, 8, 4, 3, to_device) == cudaSuccess);
  CHECK(cudaMemcpy2DAsync(got.data(), 6, a, 10, 4, 3, to_host) == cudaSuccess);
  CHECK(
      std::vector<char>(got.begin(), got.begin() + 17) ==
      std::vector<char>{2, 3, 4, 5, 0x7F, 0x7F, 10, 11, 12, 13, 0x7F, 0x7F, 18, 19, 20, 21, 0x7F});

  CHECK(cudaMemcpy2D(a, 10, host.data(), 8, 1, 2, to_device) == cudaSuccess);
  CHECK(a[0] == 0);
  CHECK(a[10] == 8);
  CHECK(cudaMemset2D(a, 10, 77, 2, 1) == cudaSuccess);
  CHECK(a[1] == 77);

  const auto copy = [&](std::size_t to_pitch, std::size_t from_pitch, std::size_t width,
                        std::size_t height) {
    return cudaMemcpy2D(a, to_pitch, a + 500, from_pitch, width, height, on_device);
  };
  CHECK(copy(8, 16, 9, 2) == cudaErrorInvalidPitchValue);
  CHECK(copy(16, 8, 9, 2) == cudaErrorInvalidPitchValue);
  CHECK(copy(8, 8, 9, 1) == cudaErrorInvalidPitchValue);
  CHECK(copy(0, 0, 0, 2) == cudaSuccess);
  CHECK(copy(8, 8, 8, 0) == cudaSuccess);
  CHECK(copy(100, 100, 100, 5) == cudaSuccess);  // ends with the allocation
  CHECK(copy(100, 100, 100, 6) == invalid);
  CHECK(copy(8, 8, 8, huge) == invalid);
  CHECK(copy(huge, 8, 8, 2) == invalid);
  CHECK(copy(8, huge, 8, 2) == invalid);
  CHECK(copy(huge / 2 + 1, 8, 8, 3) == invalid);              // whose double is 0
  CHECK(copy(std::size_t{1} << 33, 8, 8, 1) == cudaSuccess);  // one row has no pitch
  CHECK(copy(std::size_t{1} << 33, 8, 8, 2) == invalid);
  CHECK(cudaMemcpy2D(a, 8, host.data(), 8, 8, 2, on_device) == invalid);
  CHECK(cudaMemcpy2D(nullptr, 8, host.data(), 8, 8, 2, to_device) == invalid);
  CHECK(cudaMemcpy2D(a, 8, nullptr, 8, 8, 2, to_device) == invalid);
  CHECK(cudaMemcpy2DAsync(a, 8, host.data(), 8, 8, 2, to_device, no_stream()) ==
        cudaErrorInvalidResourceHandle);

  CHECK(cudaMemset2D(a, 8, 0, 8, 125) == cudaSuccess);
  CHECK(cudaMemset2D(a, 8, 0, 8, 126) == invalid);
  CHECK(cudaMemset2D(a, 8, 0, 9, 2) == invalid);
  CHECK(cudaMemset2D(a, 8, 0, 9, 1) == cudaSuccess);
  CHECK(cudaMemset2D(a, huge, 0, 8, 2) == invalid);
  CHECK(cudaMemset2D(a, 8, 0, 8, huge) == invalid);
  CHECK(cudaMemset2D(got.data(), 8, 0, 8, 2) == invalid);
  CHECK(cudaMemset2D(nullptr, 8, 0, 0, 2) == cudaSuccess);
  CHECK(cudaMemset2DAsync(a, 8, 0, 8, 2, no_stream()) == cudaErrorInvalidResourceHandle);
}

TEST_CASE("three-dimensional copies and sets") {
  const Fresh fresh;
  std::vector<char> host = counting(24);  // 4 x 3 x 2
  std::vector<char> got(24);
  cudaPitchedPtr box{};
  const cudaExtent all = make_cudaExtent(4, 3, 2);
  REQUIRE(cudaMalloc3D(&box, all) == cudaSuccess);
  CHECK(cudaMemset3D(box, 9, all) == cudaSuccess);
  CHECK(static_cast<char*>(box.ptr)[0] == 9);
  CHECK(static_cast<char*>(box.ptr)[5 * 512 + 3] == 9);
  cudaMemcpy3DParms in{};
  in.srcPtr = make_cudaPitchedPtr(host.data(), 4, 4, 3);
  in.dstPtr = box;
  in.extent = all;
  in.kind = to_device;
  CHECK(cudaMemcpy3D(&in) == cudaSuccess);
  cudaMemcpy3DParms out{};
  out.srcPtr = box;
  out.dstPtr = make_cudaPitchedPtr(got.data(), 4, 4, 3);
  out.extent = all;
  out.kind = to_host;
  CHECK(cudaMemcpy3DAsync(&out) == cudaSuccess);
  CHECK(got == host);

  // One byte, from (3, 2, 1) to (1, 2, 0).
  out.srcPos = make_cudaPos(3, 2, 1);
  out.dstPos = make_cudaPos(1, 2, 0);
  out.extent = make_cudaExtent(1, 1, 1);
  CHECK(cudaMemcpy3D(&out) == cudaSuccess);
  CHECK(got[9] == 23);
  got[9] = 9;
  CHECK(got == host);

  const auto with = [&](auto change) {
    cudaMemcpy3DParms changed = in;
    change(changed);
    return cudaMemcpy3D(&changed);
  };
  CHECK(with([](auto& p) { p.kind = bad_kind_above; }) == bad_direction);
  CHECK(with([](auto& p) { p.kind = on_device; }) == invalid);
  CHECK(with([](auto& p) { p.extent.width = 5; }) == invalid);
  CHECK(with([](auto& p) { p.extent.height = 4; }) == invalid);
  CHECK(with([](auto& p) { p.extent.depth = 3; }) == invalid);
  CHECK(with([](auto& p) { p.extent.depth = huge; }) == invalid);
  CHECK(with([](auto& p) { p.extent.depth = 0; }) == cudaSuccess);
  CHECK(with([](auto& p) { p.extent.height = 0; }) == cudaSuccess);
  CHECK(with([](auto& p) { p.extent.width = 0; }) == cudaSuccess);
  // Rows beyond the slice belong to the next one, which is fine only if no slice is to follow.
  const auto tall = [](auto& p) {
    p.srcPtr.ysize = 6;
    p.extent.height = 4;
    p.extent.depth = 1;
  };
  CHECK(with(tall) == cudaSuccess);
  CHECK(with([&](auto& p) {
          tall(p);
          p.dstPtr.ysize = 2;
          p.extent.depth = 2;
          p.srcPtr.ysize = 3;
          p.extent.height = 3;
        }) == invalid);
  CHECK(with([](auto& p) { p.dstPos.z = 1; }) == invalid);
  CHECK(with([](auto& p) { p.dstPos.y = 1; }) == invalid);
  CHECK(with([](auto& p) { p.srcPos.x = 1; }) == invalid);
  CHECK(with([](auto& p) { p.srcPos.x = huge; }) == invalid);
  CHECK(with([](auto& p) { p.dstPos.z = huge; }) == invalid);
  CHECK(with([](auto& p) { p.dstPtr.pitch = huge; }) == invalid);
  CHECK(with([](auto& p) { p.dstPtr.ptr = nullptr; }) == invalid);
  CHECK(cudaMemcpy3D(nullptr) == invalid);
  CHECK(cudaMemcpy3DAsync(&in, no_stream()) == cudaErrorInvalidResourceHandle);
  // An array and a pointer for the same side; an array that is not live.
  CHECK(with([](auto& p) { p.srcArray = reinterpret_cast<cudaArray_t>(0x10); }) == invalid);
  CHECK(with([](auto& p) {
          p.srcArray = reinterpret_cast<cudaArray_t>(0x10);
          p.srcPtr.ptr = nullptr;
          p.kind = cudaMemcpyDefault;
        }) == cudaErrorInvalidResourceHandle);

  CHECK(cudaMemset3D(box, 0, make_cudaExtent(513, 3, 2)) == invalid);
  CHECK(cudaMemset3D(box, 0, make_cudaExtent(4, 4, 2)) == invalid);
  CHECK(cudaMemset3D(box, 0, make_cudaExtent(4, 3, 3)) == invalid);
  CHECK(cudaMemset3D(box, 0, make_cudaExtent(4, 3, 0)) == cudaSuccess);
  CHECK(cudaMemset3DAsync(box, 0, all, no_stream()) == cudaErrorInvalidResourceHandle);
  // A position beyond an allocation is no place in the next one.
  cudaPitchedPtr neighbour{};
  REQUIRE(cudaMalloc3D(&neighbour, all) == cudaSuccess);
  const auto gap =
      static_cast<std::size_t>(static_cast<char*>(neighbour.ptr) - static_cast<char*>(box.ptr));
  REQUIRE(gap % 512 == 0);
  CHECK(with([&](auto& p) {
          p.dstPtr.ysize = gap / 512;
          p.dstPos.z = 1;
          p.extent = make_cudaExtent(1, 1, 1);
        }) == invalid);
}
