#define main chapter_main  // not the main() of the test
#include "memory.cu"
#undef main

#include <doctest/doctest.h>

#include <cstring>

#include "testing/guarded_array.hpp"

namespace {

using course::testing::GuardedArray;

// Around a sector, a piece, a warp, a block and a page; and none.
const std::vector<size_t> sizes = {0,   1,   2,   3,   7,   8,    9,    31,   32,   33,   127,
                                   255, 256, 257, 263, 264, 1023, 1024, 1025, 2047, 2049, 10007};

bool same(const float* got, const std::vector<double>& expected) {
  for (size_t i = 0; i < expected.size(); ++i) {
    if (got[i] != static_cast<float>(expected[i])) return false;
  }
  return true;
}

}  // namespace

TEST_CASE("journeys: there, computed and back, by every kind of memory") {
  course::device();  // ends the test as skipped where there is none
  for (const size_t n : sizes) {
    CAPTURE(n);
    const std::vector<float> x = course::exact_vector(n, 4);
    for (const MemoryRung& rung : rungs) {
      if (!can_run(rung)) continue;
      CAPTURE(rung.name);
      Setup setup(rung, x);
      for (int round = 0; round < 2; ++round) {  // the second finds what the first has left
        setup.restore();
        setup.run();
        CHECK(same(setup.y().data(), computed(x)));
      }
    }
  }
}

TEST_CASE("compute: nothing touched beside y") {
  course::device();
  for (const size_t n : sizes) {
    CAPTURE(n);
    std::vector<float> values = course::exact_vector(n + 1, 4);
    GuardedArray<float> x(values);  // with an element more: what becomes of it would show beside y
    GuardedArray<float> y(n);
    launch_compute(x.data(), y.data(), n);
    values.pop_back();
    CHECK(same(y.to_host().data(), computed(values)));
    CHECK(y.intact());
    CHECK(x.intact());
  }
}

TEST_CASE("accesses: the right elements, nothing touched beside y") {
  course::device();
  for (const size_t n : sizes) {
    CAPTURE(n);
    const std::vector<float> values = course::exact_vector(n + largest_offset, piece);
    GuardedArray<float> x(values);
    for (const Access& access : all_accesses()) {
      CAPTURE(access.name);
      GuardedArray<float> y(access.results(n));
      access.launch(x.data(), y.data(), n, access.distance);
      CHECK(same(y.to_host().data(), expected_of(access, values, n)));
      CHECK(y.intact());
    }
    CHECK(x.intact());
  }
}

// What the page says of addresses, on any device with unified addressing.
TEST_CASE("addresses say who lies where") {
  course::device();
  const auto type_of = [](const void* pointer) {
    cudaPointerAttributes about{};
    CUDA_CHECK(cudaPointerGetAttributes(&about, pointer));
    return about.type;
  };
  const struct {
    Kind kind;
    cudaMemoryType type;
  } all[] = {{Kind::pageable, cudaMemoryTypeUnregistered}, {Kind::registered, cudaMemoryTypeHost},
             {Kind::pinned, cudaMemoryTypeHost},           {Kind::portable, cudaMemoryTypeHost},
             {Kind::write_combined, cudaMemoryTypeHost},   {Kind::mapped, cudaMemoryTypeHost},
             {Kind::managed, cudaMemoryTypeManaged}};
  for (const auto& [kind, type] : all) {
    CAPTURE(static_cast<int>(kind));
    const HostArray array(100, kind);
    CHECK(type_of(array.data()) == type);
    CHECK(type_of(array.data() + 99) == type);
  }
  const course::DeviceArray<float> on_device(100);
  CHECK(type_of(static_cast<const float*>(on_device) + 99) == cudaMemoryTypeDevice);
}

TEST_CASE("flags are what was asked for") {
  course::device();
  const auto flags_of = [](HostArray& array) {
    unsigned flags = 0;
    CUDA_CHECK(cudaHostGetFlags(&flags, array.data()));
    return flags;
  };
  HostArray portable(9, Kind::portable), combined(9, Kind::write_combined), mapped(9, Kind::mapped);
  CHECK((flags_of(portable) & cudaHostAllocPortable) != 0);
  CHECK((flags_of(combined) & cudaHostAllocWriteCombined) != 0);
  CHECK((flags_of(mapped) & cudaHostAllocMapped) != 0);
  CHECK((flags_of(mapped) & cudaHostAllocWriteCombined) == 0);
}

// Whatever has become of it: the driver remembers what it was told.
TEST_CASE("advice and prefetches are as they were given") {
  course::device();
  if (!can_run(rungs.back())) {
    MESSAGE("SKIPPED: managed memory cannot move by pages here");
    return;
  }
  const auto attribute_of = [](const HostArray& array, cudaMemRangeAttribute attribute) {
    int answer = 12345;
    CUDA_CHECK(
        cudaMemRangeGetAttribute(&answer, sizeof answer, attribute, array.data(), array.bytes()));
    return answer;
  };
  HostArray x(10007, Kind::managed), y(10007, Kind::managed);
  x.poison();
  y.poison();
  CHECK(attribute_of(x, cudaMemRangeAttributePreferredLocation) == cudaInvalidDeviceId);
  advise(x);
  CHECK(attribute_of(x, cudaMemRangeAttributePreferredLocation) == cudaCpuDeviceId);
  CHECK(attribute_of(x, cudaMemRangeAttributeAccessedBy) == 0);
  CHECK(attribute_of(y, cudaMemRangeAttributeAccessedBy) == cudaInvalidDeviceId);
  with_prefetch({x, y, nullptr, nullptr});
  CHECK(attribute_of(y, cudaMemRangeAttributeLastPrefetchLocation) == cudaCpuDeviceId);
}

namespace {

// What one attribute of the device's pool is, after a megabyte was taken from it and given back.
std::uint64_t pool_after_use(std::uint64_t may_keep, cudaMemPoolAttr attribute) {
  set_release_threshold(may_keep);
  void* pointer = nullptr;
  CUDA_CHECK(cudaMallocAsync(&pointer, 1 << 20, nullptr));
  CUDA_CHECK(cudaFreeAsync(pointer, nullptr));
  CUDA_CHECK(cudaDeviceSynchronize());
  cudaMemPool_t pool = nullptr;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  std::uint64_t value = 0;
  CUDA_CHECK(cudaMemPoolGetAttribute(pool, attribute, &value));
  return value;
}

}  // namespace

TEST_CASE("a pool may keep what it was told, and by itself nothing") {
  course::device();
  CHECK(pool_after_use(12345, cudaMemPoolAttrReleaseThreshold) == 12345);
  CHECK(pool_after_use(0, cudaMemPoolAttrReleaseThreshold) == 0);
  CHECK(pool_after_use(0, cudaMemPoolAttrReservedMemCurrent) == 0);
}

TEST_CASE("a pool keeps what it may") {
  course::device();
  if (course::on_emulator) {
    MESSAGE("SKIPPED: the emulator's pools keep nothing");
    return;
  }
  CHECK(pool_after_use(UINT64_MAX, cudaMemPoolAttrReservedMemCurrent) >= 1 << 20);
  CHECK(pool_after_use(0, cudaMemPoolAttrReservedMemCurrent) == 0);
}

// Beyond 2^31 elements, where an int would no longer do, where they fit.
TEST_CASE("more elements than an int can count") {
  course::device();
  const size_t n = (size_t{1} << 31) + 12345;
  size_t free_bytes = 0, total_bytes = 0;
  CUDA_CHECK(cudaMemGetInfo(&free_bytes, &total_bytes));
  if (course::on_emulator || free_bytes < 9 * n) {
    MESSAGE("SKIPPED: wants a GPU with 18 GiB of free memory");
    return;
  }
  course::DeviceArray<float> x(n + largest_offset), y(n);
  CUDA_CHECK(cudaMemset(x, 0, x.bytes()));
  const float one = 1.0F;
  const auto put = [&](size_t place) {
    CUDA_CHECK(cudaMemcpy(static_cast<float*>(x) + place, &one, 4, cudaMemcpyHostToDevice));
  };
  const auto got = [&](size_t place) {
    float value = 0;
    CUDA_CHECK(cudaMemcpy(&value, static_cast<float*>(y) + place, 4, cudaMemcpyDeviceToHost));
    return value;
  };
  const size_t last = (n - 1) / 32 * 32;  // every stride's last element, and the first of a piece
  put(last);
  launch_compute(x, y, n);
  CHECK(got(last) == 3.0F);
  CHECK(got(last - 1) == 1.0F);
  for (const Access& access : all_accesses()) {
    CAPTURE(access.name);
    y.poison();
    access.launch(x, y, n, access.distance);
    const size_t place = access.pattern == Pattern::offset   ? last - access.distance
                         : access.pattern == Pattern::stride ? last / access.distance
                                                             : last / piece;
    CHECK(got(place) == 1.0F);
    CHECK(got(place - 1) == 0.0F);
  }
}

TEST_CASE("no elements") {
  course::device();
  launch_compute(nullptr, nullptr, 0);
  for (const Access& access : all_accesses()) access.launch(nullptr, nullptr, 0, access.distance);
  CUDA_CHECK(cudaDeviceSynchronize());
}
