// Lesson 1: kinds of host memory. x is in the host's memory, and y = 2 x + 1 must end up there; in
// between a kernel computes. What does that cost, depending on the kind of memory and on what moves
// the data?
#pragma once

#include <cuda_runtime.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "check.hpp"
#include "device.hpp"

// In CUDA 12 the calls that take a location have other names.
#if CUDART_VERSION < 13000
#define cudaMemAdvise cudaMemAdvise_v2
#define cudaMemPrefetchAsync cudaMemPrefetchAsync_v2
#endif

constexpr int block = 256;
constexpr size_t page = 4096;  // bytes that the operating system moves and maps as a unit

// One thread per element. It works wherever x and y are.
__global__ void compute(const float* x, float* y, size_t n) {
  const size_t i = static_cast<size_t>(blockIdx.x) * block + threadIdx.x;
  if (i < n) y[i] = 2.0F * x[i] + 1.0F;
}

void launch_compute(const float* x, float* y, size_t n) {
  if (n == 0) return;
  compute<<<static_cast<unsigned>((n - 1) / block + 1), block>>>(x, y, n);
  CUDA_CHECK_LAUNCH();
}

enum class Kind { pageable, registered, pinned, portable, write_combined, mapped, managed };

// An array that the host can use, of one of these kinds.
class HostArray {
 public:
  HostArray(size_t count, Kind kind) : count_(count), kind_(kind) {
    if (count == 0) return;
    switch (kind) {
      case Kind::pageable:  // what malloc() and std::vector return
        data_ = std::malloc(bytes());
        break;
      case Kind::registered:  // the same, pinned afterwards; only whole pages can be pinned
        data_ = std::aligned_alloc(page, (bytes() + page - 1) / page * page);
        CUDA_CHECK(cudaHostRegister(data_, bytes(), cudaHostRegisterDefault));
        break;
      case Kind::pinned:  // the operating system must not move it
        CUDA_CHECK(cudaHostAlloc(&data_, bytes(), cudaHostAllocDefault));
        break;
      case Kind::portable:  // for all devices and not only the current one
        CUDA_CHECK(cudaHostAlloc(&data_, bytes(), cudaHostAllocPortable));
        break;
      case Kind::write_combined:  // the host's caches do not hold it
        CUDA_CHECK(cudaHostAlloc(&data_, bytes(), cudaHostAllocWriteCombined));
        break;
      case Kind::mapped:  // kernels access it in place
        CUDA_CHECK(cudaHostAlloc(&data_, bytes(), cudaHostAllocMapped));
        break;
      case Kind::managed:  // its pages move to the processor that touches them
        CUDA_CHECK(cudaMallocManaged(&data_, bytes()));
        break;
    }
    if (data_ == nullptr) throw course::Error("no memory on the host");
  }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;
  ~HostArray() {
    if (kind_ == Kind::registered && count_ != 0) CUDA_WARN(cudaHostUnregister(data_));
    if (kind_ == Kind::pageable || kind_ == Kind::registered) {
      std::free(data_);
    } else if (kind_ == Kind::managed) {
      CUDA_WARN(cudaFree(data_));
    } else {
      CUDA_WARN(cudaFreeHost(data_));
    }
  }

  float* data() { return static_cast<float*>(data_); }
  const float* data() const { return static_cast<const float*>(data_); }
  size_t size() const { return count_; }
  size_t bytes() const { return count_ * sizeof(float); }

  // The host writes: all of it, front to back.
  void copy_from(const std::vector<float>& values) {
    if (count_ != 0) std::memcpy(data_, values.data(), bytes());
  }
  void poison() {
    if (count_ != 0) std::memset(data_, 0xFF, bytes());
  }
  // The same memory as kernels address it. With unified addressing that is the same address.
  float* on_device() {
    void* pointer = nullptr;
    if (count_ != 0) CUDA_CHECK(cudaHostGetDevicePointer(&pointer, data_, 0));
    return static_cast<float*>(pointer);
  }

 private:
  void* data_ = nullptr;
  size_t count_;
  Kind kind_;
};

// x and y on the host, and buffers for both on the device.
struct Buffers {
  HostArray& x;
  HostArray& y;
  float* d_x;
  float* d_y;
};

// Copy in, compute, copy out. cudaMemcpyDefault: the addresses say which side each is on.
void by_copies(Buffers b) {
  CUDA_CHECK(cudaMemcpyAsync(b.d_x, b.x.data(), b.x.bytes(), cudaMemcpyDefault));
  launch_compute(b.d_x, b.d_y, b.x.size());
  CUDA_CHECK(cudaMemcpyAsync(b.y.data(), b.d_y, b.y.bytes(), cudaMemcpyDefault));
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

// The same with memory that is allocated for this one run.
void with_malloc(Buffers b) {
  CUDA_CHECK(cudaMalloc(&b.d_x, b.x.bytes()));
  CUDA_CHECK(cudaMalloc(&b.d_y, b.y.bytes()));
  by_copies(b);
  CUDA_CHECK(cudaFree(b.d_x));
  CUDA_CHECK(cudaFree(b.d_y));
}

// How much freed memory the device's pool may keep, when the host next waits for the device.
void set_release_threshold(std::uint64_t bytes) {
  cudaMemPool_t pool = nullptr;
  CUDA_CHECK(cudaDeviceGetDefaultMemPool(&pool, 0));
  CUDA_CHECK(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &bytes));
}

// Or taken from a pool, and returned to it, in stream order.
void from_pool(Buffers b) {
  CUDA_CHECK(cudaMallocAsync(&b.d_x, b.x.bytes(), nullptr));
  CUDA_CHECK(cudaMallocAsync(&b.d_y, b.y.bytes(), nullptr));
  by_copies(b);
  CUDA_CHECK(cudaFreeAsync(b.d_x, nullptr));
  CUDA_CHECK(cudaFreeAsync(b.d_y, nullptr));
}

void with_pool(Buffers b) {
  set_release_threshold(0);  // the default
  from_pool(b);
}

void with_kept_pool(Buffers b) {
  set_release_threshold(UINT64_MAX);
  from_pool(b);
}

// Zero-copy: the kernel reads x and writes y in place, over the bus.
void in_place(Buffers b) {
  launch_compute(b.x.on_device(), b.y.on_device(), b.x.size());
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

// A page of managed memory moves when it is touched. So the host touches all of y, as any reader
// would.
void touch_pages(const HostArray& y) {
  for (size_t i = 0; i < y.size(); i += page / sizeof(float)) {
    static_cast<void>(*static_cast<const volatile float*>(y.data() + i));
  }
}

// Managed memory without hints: pages move as they are touched.
void by_page_faults(Buffers b) {
  launch_compute(b.x.data(), b.y.data(), b.x.size());
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
  touch_pages(b.y);
}

const cudaMemLocation the_device = {cudaMemLocationTypeDevice, 0};
const cudaMemLocation the_host = {cudaMemLocationTypeHost, 0};

// Advice, given once: these pages stay on the host, and the device accesses them there.
void advise(HostArray& array) {
  if (array.size() == 0) return;
  float* const data = array.data();
  CUDA_CHECK(cudaMemAdvise(data, array.bytes(), cudaMemAdviseSetPreferredLocation, the_host));
  CUDA_CHECK(cudaMemAdvise(data, array.bytes(), cudaMemAdviseSetAccessedBy, the_device));
}

// Managed memory that is moved before it is needed. y is also moved to the device: the driver
// cannot know that its contents are not needed.
void with_prefetch(Buffers b) {
  if (b.x.size() == 0) return;
  CUDA_CHECK(cudaMemPrefetchAsync(b.x.data(), b.x.bytes(), the_device, 0, nullptr));
  CUDA_CHECK(cudaMemPrefetchAsync(b.y.data(), b.y.bytes(), the_device, 0, nullptr));
  launch_compute(b.x.data(), b.y.data(), b.x.size());
  CUDA_CHECK(cudaMemPrefetchAsync(b.y.data(), b.y.bytes(), the_host, 0, nullptr));
  CUDA_CHECK(cudaStreamSynchronize(nullptr));
}

struct MemoryRung {
  const char* name;
  Kind x, y;
  void (*run)(Buffers);
  bool advised = false;
};
const std::vector<MemoryRung> rungs = {
    {"pageable", Kind::pageable, Kind::pageable, by_copies},
    {"registered", Kind::registered, Kind::registered, by_copies},
    {"pinned", Kind::pinned, Kind::pinned, by_copies},
    {"portable", Kind::portable, Kind::portable, by_copies},
    {"write-combined", Kind::write_combined, Kind::pinned, by_copies},
    {"with cudaMalloc", Kind::pinned, Kind::pinned, with_malloc},
    {"with a pool", Kind::pinned, Kind::pinned, with_pool},
    {"with a pool, kept", Kind::pinned, Kind::pinned, with_kept_pool},
    {"mapped", Kind::mapped, Kind::mapped, in_place},
    {"managed", Kind::managed, Kind::managed, by_page_faults},
    {"managed, advised", Kind::managed, Kind::managed, by_page_faults, true},
    {"managed, prefetched", Kind::managed, Kind::managed, with_prefetch}};

// On Windows, and in some virtual machines, managed memory cannot move page by page.
bool can_run(const MemoryRung& rung) {
  return rung.x != Kind::managed ||
         course::device_attribute(cudaDevAttrConcurrentManagedAccess) == 1;
}

// Everything that a rung needs. Each run begins with x and y written by the host.
class Setup {
 public:
  Setup(const MemoryRung& rung, const std::vector<float>& values)
      : rung_(rung),
        values_(values),
        x_(values.size(), rung.x),
        y_(values.size(), rung.y),
        d_x_(values.size()),
        d_y_(values.size()) {
    if (rung.advised) advise(x_), advise(y_);
  }
  void restore() {
    x_.copy_from(values_);
    y_.poison();
    d_x_.poison();
    d_y_.poison();
  }
  void run() { rung_.run({x_, y_, d_x_, d_y_}); }
  const HostArray& y() const { return y_; }

 private:
  const MemoryRung& rung_;
  const std::vector<float>& values_;
  HostArray x_, y_;
  course::DeviceArray<float> d_x_, d_y_;
};

// What the driver knows of an address: cudaMemcpyDefault uses that to find out its side.
std::string describe_pointer(const void* pointer) {
  cudaPointerAttributes about{};
  CUDA_CHECK(cudaPointerGetAttributes(&about, pointer));
  const char* const types[] = {"nothing of CUDA's", "the host's", "the device's", "managed"};
  const char* const reach = about.devicePointer == nullptr   ? "not for kernels"
                            : about.devicePointer == pointer ? "the same address for kernels"
                                                             : "another address for kernels";
  return std::string(types[about.type]) + ", " + reach;
}
