// Traffic line by line. Figures are asked for by the text of the line that they belong to, so that
// lines may move.

#include <doctest/doctest.h>

#include <cstdint>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "emulator/traffic.h"

namespace {

using emulator::InstructionKind;
using emulator::InstructionTraffic;
using emulator::LaunchRecord;
using emulator::LineTraffic;
using emulator::Traffic;

template <class Launch>
LaunchRecord record(Launch launch) {
  emulator::clear_launches();
  emulator::set_recording(true);
  launch();
  emulator::set_recording(false);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(emulator::launches().size() == 1);
  return emulator::launches()[0];
}

// The number of the line of this file that holds a text. (The calls below hold it too, and come
// later.)
int line_with(const std::string& text) {
  std::ifstream file(__FILE__);
  std::string line;
  for (int number = 1; std::getline(file, line); ++number) {
    if (line.find(text) != std::string::npos) return number;
  }
  FAIL("no line with ", text);
  return 0;
}

LineTraffic traffic_at(const LaunchRecord& launch, const std::string& text) {
  const int number = line_with(text);
  for (const LineTraffic& line : emulator::lines(launch)) {
    if (line.line == number && line.file.ends_with("traffic_by_line_test.cu")) return line;
  }
  return {};
}

struct Floats {
  explicit Floats(size_t count) {
    REQUIRE(cudaMalloc(&data, count * sizeof(float)) == cudaSuccess);
    REQUIRE(cudaMemset(data, 0, count * sizeof(float)) == cudaSuccess);
  }
  ~Floats() { cudaFree(data); }
  Floats(const Floats&) = delete;
  Floats& operator=(const Floats&) = delete;
  operator float*() const { return data; }
  float* data = nullptr;
};

__device__ float third_of(const float* in, int i) {
  return in[i * 3];  // in a function
}

template <int stride, class T>
__global__ void several(const T* in, T* out) {
  __shared__ T tile[64 * stride];  // for two warps
  const int i = threadIdx.x;
  const T near = in[i];          // unit stride
  const T far = in[i * stride];  // far apart
  const T third = third_of(in, i);
  tile[i * stride] = near + far;  // in one bank
  __syncthreads();                // the barrier
  __syncthreads_or(i);            // the vote
  if (i < 8) {
    out[i] = tile[i] + third;  // a quarter of a warp
  }
  atomicAdd(out + 64, T{1});  // all at once
}

}  // namespace

TEST_CASE("lines: every access stands in its own line") {
  const Floats in(4096), out(4096);
  const LaunchRecord launch =
      record([&] { several<32><<<2, 64>>>(static_cast<const float*>(in.data), out.data); });
  CHECK(launch.kernel == "several");
  CHECK(emulator::instance(launch) == "several<32, float>");
  CHECK(launch.error.empty());

  const Traffic near = traffic_at(launch, "// unit stride").traffic;
  CHECK(near.global_load_requests == 4);
  CHECK(near.global_load_sectors == 16);
  CHECK(near.global_load_ideal_sectors == 16);
  CHECK(near.global_load_bytes == 4 * 128);
  const Traffic far = traffic_at(launch, "// far apart").traffic;
  CHECK(far.global_load_requests == 4);
  CHECK(far.global_load_sectors == 4 * 32);
  CHECK(far.global_load_ideal_sectors == 4 * 4);
  CHECK(far.global_load_bytes == 4 * 128);
  CHECK(traffic_at(launch, "// in a function").traffic.global_load_sectors == 4 * 12);
  const Traffic bank = traffic_at(launch, "// in one bank").traffic;
  CHECK(bank.shared_store_instructions == 4);
  CHECK(bank.shared_store_wavefronts == 4 * 32);
  CHECK(bank.shared_store_bank_conflicts == 4 * 31);
  CHECK(traffic_at(launch, "// the barrier").traffic.barriers == 4);
  CHECK(traffic_at(launch, "// the vote").traffic.barriers == 4);
  const LineTraffic quarter = traffic_at(launch, "// a quarter of a warp");
  CHECK(quarter.traffic.global_store_requests == 2);
  CHECK(quarter.traffic.global_store_sectors == 2);
  CHECK(quarter.traffic.shared_load_instructions == 2);
  CHECK(quarter.traffic.code_blocks == 2);
  CHECK(quarter.traffic.code_block_lanes == 2 * 8);
  const Traffic atomic = traffic_at(launch, "// all at once").traffic;
  CHECK(atomic.global_atomic_requests == 4);
  CHECK(atomic.global_atomic_sectors == 4 * 32);  // floats: one lane after the other
  CHECK(atomic.global_atomic_ideal_sectors == 4);

  Traffic sum;
  for (const LineTraffic& line : emulator::lines(launch)) sum += line.traffic;
  CHECK(sum == launch.traffic);
}

TEST_CASE("lines: an example shows the worst request") {
  const Floats in(4096), out(4096);
  const LaunchRecord launch =
      record([&] { several<5><<<1, 40>>>(static_cast<const float*>(in.data), out.data); });
  const LineTraffic far = traffic_at(launch, "// far apart");
  REQUIRE(far.instructions.size() == 1);
  const InstructionTraffic& load = far.instructions[0];
  CHECK(load.kind == InstructionKind::global_load);
  CHECK(load.bytes_a_lane == 4);
  CHECK(load.requests == 2);
  CHECK(load.active_lanes == 40);
  CHECK(load.example.warp == 0);
  CHECK(load.example.active == 0xFFFFFFFF);
  CHECK(load.example.sectors == 20);
  CHECK(load.example.ideal_sectors == 4);
  for (unsigned lane = 0; lane < 32; ++lane) CHECK(load.example.offset[lane] == lane * 20);

  // Shared memory begins at bank 0, wherever the thread's storage is.
  const LineTraffic store = traffic_at(launch, "// in one bank");
  REQUIRE(store.instructions.size() == 1);
  CHECK(store.instructions[0].kind == InstructionKind::shared_store);
  CHECK(store.instructions[0].wavefronts == 2);
  for (unsigned lane = 0; lane < 32; ++lane) {
    CHECK(store.instructions[0].example.offset[lane] == lane * 20);
  }
}

namespace {

__global__ void mixed(const float* in, float* out, int first) {
  __shared__ float tile[32];
  tile[threadIdx.x] = in[threadIdx.x];
  __syncwarp();
  const float* const source = static_cast<int>(threadIdx.x) < first ? tile : in;
  out[threadIdx.x] = source[threadIdx.x];  // of two kinds of memory
}

}  // namespace

TEST_CASE("lines: one instruction on two kinds of memory counts for both") {
  const Floats in(32), out(32);
  const LaunchRecord launch = record([&] { mixed<<<1, 32>>>(in, out, 16); });
  const LineTraffic line = traffic_at(launch, "// of two kinds of memory");
  CHECK(line.traffic.global_load_requests == 1);
  CHECK(line.traffic.global_load_sectors == 2);
  CHECK(line.traffic.shared_load_instructions == 1);
  CHECK(line.traffic.global_store_requests == 1);
}

// Structures of many kinds. But for Eight each has a size that no other type of this program has.
struct Mixed {
  unsigned char kind;
  double weight;
  short colour;
};
namespace shapes::inner {
union Either {
  double numbers[5];
  char text[40];
};
}  // namespace shapes::inner
typedef struct {
  float4 ends[3];
} Triangle;

namespace {

struct Particle {
  float x, y, z, mass;
};
struct Eight {
  float value[8];
};
struct alignas(32) Aligned {
  float value[24];
};
struct __attribute__((packed)) Record {
  char tag;
  double value;
};
struct Long {
  double value[40];
};
template <class T>
struct Seven {
  T value[7];
};

template <class T>
__global__ void copy_whole(const T* in, T* out) {
  const T value = in[threadIdx.x];  // a whole structure is loaded
  out[threadIdx.x] = value;
}

template <class T>
Traffic copy_traffic() {
  const Floats in(4096), out(4096);
  return record([&] {
           copy_whole<<<1, 32>>>(reinterpret_cast<const T*>(in.data),
                                 reinterpret_cast<T*>(out.data));
         })
      .traffic;
}

}  // namespace

TEST_CASE("lines: a structure is copied in pieces of its alignment") {
  // Members of 4 bytes allow no wider access, even where the addresses would.
  CHECK(copy_traffic<Particle>().global_load_requests == 4);
  CHECK(copy_traffic<Particle>().global_load_sectors == 4 * 16);
  CHECK(copy_traffic<Eight>().global_load_requests == 8);
  CHECK(copy_traffic<float4>().global_load_requests == 1);
  CHECK(copy_traffic<float3>().global_load_requests == 3);
  CHECK(copy_traffic<short2>().global_store_requests == 1);
  CHECK(copy_traffic<double2>().global_store_requests == 1);

  // Wider members allow wider accesses.
  CHECK(copy_traffic<double3>().global_load_requests == 3);
  CHECK(copy_traffic<double3>().global_load_sectors == 3 * 24);
  CHECK(copy_traffic<Mixed>().global_load_requests == 3);
  CHECK(copy_traffic<Mixed>().global_store_requests == 3);
  CHECK(copy_traffic<shapes::inner::Either>().global_load_requests == 5);
  CHECK(copy_traffic<Triangle>().global_load_requests == 3);
  CHECK(copy_traffic<Triangle>().global_load_sectors == 3 * 32);
  CHECK(copy_traffic<Aligned>().global_load_requests == 6);
  CHECK(copy_traffic<Long>().global_load_requests == 40);
  CHECK(copy_traffic<Record>().global_load_requests == 9);

  // Of two types of one size the emulator takes that with the smaller pieces: double4 has Eight's.
  CHECK(copy_traffic<double4>().global_load_requests == 8);
  // Instances of templates it does not know: members of 4 bytes.
  CHECK(copy_traffic<Seven<double>>().global_load_requests == 14);
}

namespace {

__global__ void until_it_fails(const float* in, float* out, int last) {
  const int i = static_cast<int>(threadIdx.x);
  out[i] = in[i];  // before the fault
  __syncthreads();
  if (i == last) out[i] = *static_cast<const float*>(nullptr);
}

}  // namespace

TEST_CASE("lines: a kernel that fails leaves what it did until then") {
  const Floats in(64), out(64);
  emulator::clear_launches();
  emulator::set_recording(true);
  until_it_fails<<<1, 64>>>(in, out, 40);
  emulator::set_recording(false);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  REQUIRE(emulator::launches().size() == 1);
  const LaunchRecord launch = emulator::launches()[0];
  CHECK(launch.error == "cudaErrorIllegalAddress");
  CHECK(traffic_at(launch, "// before the fault").traffic.global_load_requests == 2);
  REQUIRE(cudaDeviceReset() == cudaSuccess);
}

namespace {

__global__ void by_pointer(float* out) {
  out[threadIdx.x] = 1;
}

namespace inner {
template <class T, int n>
__global__ void by_pointer_too(T* out) {
  out[threadIdx.x] = n;
}
}  // namespace inner

}  // namespace

TEST_CASE("lines: a kernel that is launched through a pointer has its own name") {
  const Floats out(64);
  void (*const kernels[])(float*) = {by_pointer, inner::by_pointer_too<float, 3>};
  CHECK(emulator::instance(record([&] { kernels[0]<<<1, 32>>>(out); })) == "by_pointer");
  CHECK(emulator::instance(record([&] { kernels[1]<<<1, 32>>>(out); })) ==
        "by_pointer_too<float, 3>");
}
