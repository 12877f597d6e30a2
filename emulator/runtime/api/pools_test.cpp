/// \file
/// Memory pools, copies between devices and the hints of CUDA 12: errors as on an H200.

#include <cstdint>
#include <cstring>

#include "tests/support/host_test.hpp"

using namespace host_test;

namespace {

constexpr auto invalid = cudaErrorInvalidValue;

cudaMemPool_t own_pool() {
  cudaMemPool_t pool = nullptr;
  REQUIRE(cudaDeviceGetDefaultMemPool(&pool, 0) == cudaSuccess);
  return pool;
}

std::uint64_t number_of(cudaMemPool_t pool, cudaMemPoolAttr attribute) {
  std::uint64_t number = 77;
  REQUIRE(cudaMemPoolGetAttribute(pool, attribute, &number) == cudaSuccess);
  return number;
}

cudaMemPoolProps device_pool() {
  cudaMemPoolProps properties{};
  properties.allocType = cudaMemAllocationTypePinned;
  properties.location = {cudaMemLocationTypeDevice, 0};
  return properties;
}

}  // namespace

TEST_CASE("a pool counts what is in use") {
  const Fresh fresh;
  const cudaMemPool_t pool = own_pool();
  char* memory = nullptr;
  char* more = nullptr;
  REQUIRE(cudaMallocFromPoolAsync(&memory, 1000, pool, nullptr) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&more, 24, nullptr) == cudaSuccess);
  CHECK(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == 1024);
  CHECK(cudaFreeAsync(memory, nullptr) == cudaSuccess);
  CHECK(cudaFree(more) == cudaSuccess);
  CHECK(number_of(pool, cudaMemPoolAttrUsedMemCurrent) == 0);
  CHECK(number_of(pool, cudaMemPoolAttrUsedMemHigh) == 1024);
  REQUIRE(cudaMallocAsync(&more, 24, nullptr) == cudaSuccess);
  CHECK(number_of(pool, cudaMemPoolAttrUsedMemHigh) == 1024);
  std::uint64_t none = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &none) == cudaSuccess);
  CHECK(number_of(pool, cudaMemPoolAttrUsedMemHigh) == 24);
  CHECK(cudaFree(more) == cudaSuccess);
  CHECK(cudaMemPoolTrimTo(pool, 0) == cudaSuccess);
  CHECK(cudaMallocFromPoolAsync(&memory, 16, nullptr, nullptr) == invalid);
}

TEST_CASE("a pool remembers what is set") {
  const Fresh fresh;
  const cudaMemPool_t pool = own_pool();
  CHECK(number_of(pool, cudaMemPoolAttrReleaseThreshold) == 0);
  int on = 9;
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &on) == cudaSuccess);
  CHECK(on == 1);
  int off = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &off) == cudaSuccess);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &on) == cudaSuccess);
  CHECK(on == 1);
  CHECK(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseAllowOpportunistic, &on) == cudaSuccess);
  CHECK(on == 0);
  std::uint64_t number = 123;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &number) == cudaSuccess);
  CHECK(number_of(pool, cudaMemPoolAttrReleaseThreshold) == 123);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &number) == invalid);
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &number) == invalid);
  CHECK(cudaMemPoolSetAttribute(pool, static_cast<cudaMemPoolAttr>(99), &number) == invalid);
  CHECK(cudaMemPoolGetAttribute(pool, static_cast<cudaMemPoolAttr>(99), &number) == invalid);
  CHECK(cudaMemPoolSetAttribute(nullptr, cudaMemPoolAttrReleaseThreshold, &number) == invalid);
  number = 0;
  CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &number) == cudaSuccess);
}

TEST_CASE("pools are made, made the current one, and destroyed") {
  const Fresh fresh;
  cudaMemPool_t pool = nullptr;
  cudaMemPool_t current = nullptr;
  cudaMemPoolProps properties{};
  CHECK(cudaMemPoolCreate(&pool, &properties) == invalid);
  properties = device_pool();
  properties.allocType = cudaMemAllocationTypeInvalid;
  CHECK(cudaMemPoolCreate(&pool, &properties) == invalid);
  properties = device_pool();
  REQUIRE(cudaMemPoolCreate(&pool, &properties) == cudaSuccess);
  REQUIRE(cudaDeviceSetMemPool(0, pool) == cudaSuccess);
  REQUIRE(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == pool);
  CHECK(cudaMemPoolDestroy(pool) == cudaSuccess);
  REQUIRE(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == own_pool());
  CHECK(cudaMemPoolDestroy(pool) == invalid);
  CHECK(cudaMemPoolDestroy(own_pool()) == invalid);
  CHECK(cudaDeviceGetDefaultMemPool(&pool, 3) == cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetDefaultMemPool(nullptr, 0) == invalid);
}

TEST_CASE("each pool counts its own memory, until the device is reset") {
  const Fresh fresh;
  cudaMemPool_t first = nullptr;
  cudaMemPool_t second = nullptr;
  const cudaMemPoolProps properties = device_pool();
  REQUIRE(cudaMemPoolCreate(&first, &properties) == cudaSuccess);
  REQUIRE(cudaMemPoolCreate(&second, &properties) == cudaSuccess);
  REQUIRE(cudaDeviceSetMemPool(0, second) == cudaSuccess);
  char* memory = nullptr;
  REQUIRE(cudaMallocFromPoolAsync(&memory, 100, first, nullptr) == cudaSuccess);
  REQUIRE(cudaMallocAsync(&memory, 20, nullptr) == cudaSuccess);
  CHECK(number_of(first, cudaMemPoolAttrUsedMemCurrent) == 100);
  CHECK(number_of(second, cudaMemPoolAttrUsedMemCurrent) == 20);
  CHECK(number_of(own_pool(), cudaMemPoolAttrUsedMemCurrent) == 0);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
  CHECK(cudaMemPoolDestroy(first) == invalid);
  cudaMemPool_t current = nullptr;
  REQUIRE(cudaDeviceGetMemPool(&current, 0) == cudaSuccess);
  CHECK(current == own_pool());
}

TEST_CASE("the device reaches its own pools, and there is no other") {
  const Fresh fresh;
  cudaMemAccessDesc access{{cudaMemLocationTypeDevice, 0}, cudaMemAccessFlagsProtReadWrite};
  CHECK(cudaMemPoolSetAccess(own_pool(), &access, 1) == cudaSuccess);
  cudaMemAccessFlags flags{};
  CHECK(cudaMemPoolGetAccess(&flags, own_pool(), &access.location) == cudaSuccess);
  CHECK(flags == cudaMemAccessFlagsProtReadWrite);
  access.flags = cudaMemAccessFlagsProtRead;
  CHECK(cudaMemPoolSetAccess(own_pool(), &access, 1) == invalid);
  access.location.id = 1;
  CHECK(cudaMemPoolSetAccess(own_pool(), &access, 1) == cudaErrorInvalidDevice);
  CHECK(cudaMemPoolGetAccess(&flags, own_pool(), &access.location) == cudaErrorInvalidDevice);
  int value = 0;
  CHECK(cudaDeviceGetP2PAttribute(&value, cudaDevP2PAttrAccessSupported, 0, 1) ==
        cudaErrorInvalidDevice);
  CHECK(cudaDeviceGetP2PAttribute(nullptr, cudaDevP2PAttrAccessSupported, 0, 1) == invalid);
  CHECK(cudaCtxResetPersistingL2Cache() == cudaSuccess);
}

TEST_CASE("copies between devices stay on the only one") {
  const Fresh fresh;
  const Block a(1024);
  const Block b(1024);
  CHECK(cudaMemset(b.get(), 5, 1024) == cudaSuccess);
  CHECK(cudaMemcpyPeer(a.get(), 0, b.get(), 0, 1024) == cudaSuccess);
  char last = 0;
  CHECK(cudaMemcpy(&last, a.get() + 1023, 1, cudaMemcpyDeviceToHost) == cudaSuccess);
  CHECK(last == 5);
  CHECK(cudaMemcpyPeer(a.get(), 0, b.get(), 1, 1024) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyPeer(a.get(), -1, b.get(), 0, 1024) == cudaErrorInvalidDevice);
  CHECK(cudaMemcpyPeer(a.get(), 9, b.get(), 0, 0) == cudaSuccess);
  CHECK(cudaMemcpyPeer(nullptr, 0, b.get(), 0, 4) == invalid);
  CHECK(cudaMemcpyPeer(a.get(), 0, b.get(), 0, 1025) == invalid);
  char host[64] = {};
  CHECK(cudaMemcpyPeer(a.get(), 0, host, 0, 64) == invalid);
  CHECK(cudaMemcpyPeerAsync(a.get(), 0, b.get(), 0, 4, reinterpret_cast<cudaStream_t>(0x99)) ==
        cudaErrorInvalidResourceHandle);
}
