// cuFFT with callbacks: each element goes through the program's function, once and with its offset.

#include <cufftXt.h>
#include <doctest/doctest.h>

#include <string>
#include <type_traits>
#include <vector>

#include "emulator/order.h"
#include "libraries/common/capture_test.hpp"
#include "tests/kernel_test.hpp"

namespace {

// What the callbacks are called with.
struct Notes {
  unsigned loads[128];   // of each offset
  unsigned stores[128];  // likewise
  int factor;
  unsigned without_shared_memory;
};

template <class T>
__device__ T times(T element, int factor) {
  if constexpr (std::is_floating_point_v<T>) {
    return element * factor;
  } else {
    return {element.x * factor, element.y * factor};
  }
}

template <class T>
__device__ T load(void* data, size_t offset, void* info, void*) {
  Notes* const notes = static_cast<Notes*>(info);
  atomicAdd(&notes->loads[offset], 1U);
  return times(static_cast<const T*>(data)[offset], notes->factor);
}
template <class T>
__device__ void store(void* data, size_t offset, T element, void* info, void*) {
  Notes* const notes = static_cast<Notes*>(info);
  atomicAdd(&notes->stores[offset], 1U);
  static_cast<T*>(data)[offset] = times(element, notes->factor);
}
__device__ cufftCallbackLoadC load_c = load<cufftComplex>;
__device__ cufftCallbackLoadZ load_z = load<cufftDoubleComplex>;
__device__ cufftCallbackLoadR load_r = load<cufftReal>;
__device__ cufftCallbackLoadD load_d = load<cufftDoubleReal>;
__device__ cufftCallbackStoreC store_c = store<cufftComplex>;
__device__ cufftCallbackStoreZ store_z = store<cufftDoubleComplex>;
__device__ cufftCallbackStoreR store_r = store<cufftReal>;
__device__ cufftCallbackStoreD store_d = store<cufftDoubleReal>;

// From bytes; without anything to be called with.
__device__ cufftReal load_byte(void* data, size_t offset, void* info, void*) {
  return info == nullptr ? static_cast<const signed char*>(data)[offset] : 0;
}
__device__ cufftCallbackLoadR load_bytes = load_byte;

// By way of shared memory, of which each thread has an element of its own.
__device__ void store_by_shared(void* data, size_t offset, cufftComplex element, void* info,
                                void* shared) {
  if (shared == nullptr) {
    atomicAdd(&static_cast<Notes*>(info)->without_shared_memory, 1U);
    return;
  }
  cufftComplex& mine = static_cast<cufftComplex*>(shared)[threadIdx.x];
  mine = element;
  static_cast<cufftComplex*>(data)[offset] = mine;
}
__device__ cufftCallbackStoreC store_shared = store_by_shared;

// Two with mistakes, 2 and 6 lines below the line that has this number.
constexpr int line_of_mistakes = __LINE__;
__device__ void store_behind(void* data, size_t offset, cufftComplex element, void*, void*) {
  static_cast<cufftComplex*>(data)[offset + 1] = element;
}
__device__ cufftCallbackStoreC store_far = store_behind;
__device__ void store_in_pairs(void* data, size_t offset, cufftComplex element, void*, void*) {
  static_cast<cufftComplex*>(data)[offset / 2] = element;
}
__device__ cufftCallbackStoreC store_twice = store_in_pairs;

__global__ void prepare(cufftComplex* data, Notes* notes, int factor) {
  data[threadIdx.x] = {static_cast<float>(threadIdx.x * 7 % 11), 2};
  notes->factor = factor;
}

class Plan {
 public:
  Plan(int n, cufftType type, int batch = 1) {
    REQUIRE(cufftPlan1d(&plan_, n, type, batch) == CUFFT_SUCCESS);
  }
  // Of 2 rows each, with gaps everywhere.
  struct Strided {};
  Plan(Strided, int n, cufftType type, int batch) {
    int sizes[] = {2, n};
    int embed[] = {2, n + 1};
    std::size_t bytes = 0;
    REQUIRE(cufftCreate(&plan_) == CUFFT_SUCCESS);
    REQUIRE(cufftMakePlanMany(plan_, 2, sizes, embed, 2, 40, embed, 3, 60, type, batch, &bytes) ==
            CUFFT_SUCCESS);
  }
  ~Plan() { cufftDestroy(plan_); }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  operator cufftHandle() const { return plan_; }

  template <class Function>
  cufftResult set(Function& variable, cufftXtCallbackType type, Notes* notes) const {
    Function function = nullptr;
    REQUIRE(cudaMemcpyFromSymbol(&function, variable, sizeof function) == cudaSuccess);
    void* info = notes;
    return cufftXtSetCallback(plan_, reinterpret_cast<void**>(&function), type, &info);
  }

 private:
  cufftHandle plan_ = 0;
};

template <class T>
void fill(Shared<T>& data, unsigned count) {
  for (unsigned i = 0; i < count; ++i) {
    const int number = static_cast<int>(i * 7 % 11) - 4;
    if constexpr (std::is_floating_point_v<T>) {
      data[i] = static_cast<T>(number);
    } else {
      data[i] = {static_cast<decltype(data[i].x)>(number), 3};
    }
  }
}

template <class T>
bool are_equal(T a, T b, int factor) {
  const T expected = times(b, factor);
  if constexpr (std::is_floating_point_v<T>) {
    return a == expected;
  } else {
    return a.x == expected.x && a.y == expected.y;
  }
}

constexpr int width = 5;
constexpr unsigned count = 128;

// One with both callbacks, which double each element, beside one without any.
template <class In, class Out, class Load, class Store>
void check_both(cufftType type, Load& load_variable, Store& store_variable) {
  const bool of_doubles = std::is_same_v<In, double> || std::is_same_v<Out, double> ||
                          std::is_same_v<In, cufftDoubleComplex>;
  const int real_in = std::is_floating_point_v<In> ? 2 : 0;
  const int real_out = std::is_floating_point_v<Out> ? 2 : 0;
  const auto load_type = static_cast<cufftXtCallbackType>(real_in + of_doubles);
  const auto store_type = static_cast<cufftXtCallbackType>(4 + real_out + of_doubles);
  Shared<In> in(count);
  Shared<Out> expected(count);
  Shared<Out> out(count);
  Shared<Notes> notes(1);
  fill(in, count);
  notes[0].factor = 2;
  const Plan plan(Plan::Strided{}, width, type, 2);
  REQUIRE(cufftXtExec(plan, in.get(), expected.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  REQUIRE(plan.set(load_variable, load_type, notes.get()) == CUFFT_SUCCESS);
  REQUIRE(plan.set(store_variable, store_type, notes.get()) == CUFFT_SUCCESS);
  REQUIRE(cufftXtExec(plan, in.get(), out.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);

  // By twice 2 and times 2, which rounds nothing.
  for (unsigned i = 0; i < count; ++i) CHECK(are_equal(out[i], expected[i], 4));
  const unsigned in_row = real_out != 0 ? width / 2 + 1 : width;
  const unsigned out_row = real_in != 0 ? width / 2 + 1 : width;
  for (unsigned i = 0; i < count; ++i) {
    CAPTURE(i);
    const auto times_called = [&](unsigned row, unsigned stride, unsigned distance) {
      const unsigned element = i % distance / stride;
      const bool is_one = i < 2 * distance && i % distance % stride == 0 &&
                          element / (width + 1) < 2 && element % (width + 1) < row;
      return is_one ? 1U : 0U;
    };
    CHECK(notes[0].loads[i] == times_called(in_row, 2, 40));
    CHECK(notes[0].stores[i] == times_called(out_row, 3, 60));
  }
}

std::vector<emulator::Finding> findings_of(cufftCallbackStoreC& variable) {
  emulator::clear_findings();
  emulator::set_checking(true);
  cufftComplex* data = nullptr;
  REQUIRE(cudaMalloc(&data, 64 * sizeof *data) == cudaSuccess);
  REQUIRE(cudaMemset(data, 0, 64 * sizeof *data) == cudaSuccess);
  const Plan plan(64, CUFFT_C2C);
  Shared<Notes> notes(1);
  REQUIRE(plan.set(variable, CUFFT_CB_ST_COMPLEX, notes.get()) == CUFFT_SUCCESS);
  const cufftResult result = cufftExecC2C(plan, data, data, CUFFT_FORWARD);
  std::vector<emulator::Finding> found = emulator::findings();
  emulator::clear_findings();
  emulator::set_checking(false);
  CHECK((result == CUFFT_SUCCESS || cudaDeviceReset() == cudaSuccess));
  return found;
}

}  // namespace

TEST_CASE("cuFFT: callbacks load and store each element once, of all types of transforms") {
  check_both<cufftComplex, cufftComplex>(CUFFT_C2C, load_c, store_c);
  check_both<cufftDoubleComplex, cufftDoubleComplex>(CUFFT_Z2Z, load_z, store_z);
  check_both<cufftReal, cufftComplex>(CUFFT_R2C, load_r, store_c);
  check_both<cufftDoubleReal, cufftDoubleComplex>(CUFFT_D2Z, load_d, store_z);
  check_both<cufftComplex, cufftReal>(CUFFT_C2R, load_c, store_r);
  check_both<cufftDoubleComplex, cufftDoubleReal>(CUFFT_Z2D, load_z, store_d);
}

TEST_CASE("cuFFT: a callback reads what is no array of the transform's elements") {
  constexpr unsigned n = 150;  // more than a block
  Shared<signed char> bytes(n);
  Shared<float> numbers(n);
  Shared<cufftComplex> expected(n);
  Shared<cufftComplex> out(n);
  for (unsigned i = 0; i < n; ++i) {
    bytes[i] = static_cast<signed char>(i * 7 % 11);
    numbers[i] = bytes[i];
  }
  const Plan plan(n, CUFFT_R2C);
  REQUIRE(cufftExecR2C(plan, numbers.get(), expected.get()) == CUFFT_SUCCESS);
  REQUIRE(plan.set(load_bytes, CUFFT_CB_LD_REAL, nullptr) == CUFFT_SUCCESS);
  REQUIRE(cufftExecR2C(plan, reinterpret_cast<float*>(bytes.get()), out.get()) == CUFFT_SUCCESS);
  for (unsigned i = 0; i < n / 2 + 1; ++i) CHECK(are_equal(out[i], expected[i], 1));
}

TEST_CASE("cuFFT: a callback is replaced and cleared, in place") {
  Shared<cufftComplex> data(8);
  Shared<Notes> notes(2);
  notes[0].factor = 3;
  notes[1].factor = 5;
  const Plan plan(4, CUFFT_C2C, 2);
  const auto result = [&] {
    for (unsigned i = 0; i < 8; ++i) data[i] = {i == 0 ? 1.0F : 0.0F, 0};
    REQUIRE(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
    return data[3].x;
  };
  REQUIRE(plan.set(load_c, CUFFT_CB_LD_COMPLEX, &notes[0]) == CUFFT_SUCCESS);
  REQUIRE(plan.set(store_c, CUFFT_CB_ST_COMPLEX, &notes[0]) == CUFFT_SUCCESS);
  CHECK(result() == 9);
  REQUIRE(plan.set(load_c, CUFFT_CB_LD_COMPLEX, &notes[1]) == CUFFT_SUCCESS);
  CHECK(result() == 15);
  CHECK(cufftXtClearCallback(plan, CUFFT_CB_ST_COMPLEX) == CUFFT_SUCCESS);
  CHECK(result() == 5);
  CHECK(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX) == CUFFT_SUCCESS);
  CHECK(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX) == CUFFT_SUCCESS);
  CHECK(result() == 1);
}

TEST_CASE("cuFFT: a callback has the shared memory that it was given, and else none") {
  Shared<cufftComplex> data(200);
  Shared<Notes> notes(1);
  data[0] = {4, 0};
  const Plan plan(200, CUFFT_C2C);
  REQUIRE(plan.set(store_shared, CUFFT_CB_ST_COMPLEX, notes.get()) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(notes[0].without_shared_memory == 200);
  CHECK(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_ST_COMPLEX, 16384) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(notes[0].without_shared_memory == 200);
  for (unsigned i = 0; i < 200; ++i) CHECK(data[i].x == 4);
  // Another callback inherits it, and one that comes after it was set has it as well.
  REQUIRE(plan.set(store_shared, CUFFT_CB_ST_COMPLEX, notes.get()) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(notes[0].without_shared_memory == 200);
  const Plan other(200, CUFFT_C2C);
  CHECK(cufftXtSetCallbackSharedSize(other, CUFFT_CB_ST_COMPLEX, 16384) == CUFFT_SUCCESS);
  REQUIRE(other.set(store_shared, CUFFT_CB_ST_COMPLEX, notes.get()) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(other, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(notes[0].without_shared_memory == 200);
}

// The statuses are those of an H200, but for the pointer to null, which it takes.
TEST_CASE("cuFFT: what is no callback of a plan's is refused") {
  const Plan plan(8, CUFFT_C2R);
  Notes* const none = nullptr;
  CHECK(plan.set(load_c, CUFFT_CB_LD_COMPLEX, none) == CUFFT_SUCCESS);
  CHECK(plan.set(load_z, CUFFT_CB_LD_COMPLEX_DOUBLE, none) == CUFFT_INVALID_TYPE);
  CHECK(plan.set(load_r, CUFFT_CB_LD_REAL, none) == CUFFT_INVALID_TYPE);
  CHECK(plan.set(store_r, CUFFT_CB_ST_REAL, none) == CUFFT_SUCCESS);
  CHECK(plan.set(store_c, CUFFT_CB_ST_COMPLEX, none) == CUFFT_INVALID_TYPE);
  CHECK(plan.set(load_c, CUFFT_CB_UNDEFINED, none) == CUFFT_INVALID_TYPE);
  void* null = nullptr;
  CHECK(cufftXtSetCallback(plan, &null, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_INTERNAL_ERROR);
  CHECK(cufftXtSetCallback(plan, nullptr, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_INTERNAL_ERROR);
  CHECK(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16385) == CUFFT_INVALID_SIZE);
  CHECK(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_REAL, 16) == CUFFT_INVALID_TYPE);
  CHECK(cufftXtClearCallback(plan, CUFFT_CB_LD_REAL) == CUFFT_INVALID_TYPE);
  CHECK(cufftXtClearCallback(plan, CUFFT_CB_UNDEFINED) == CUFFT_INVALID_TYPE);
  CHECK(cufftXtClearCallback(plan, CUFFT_CB_LD_COMPLEX) == CUFFT_SUCCESS);
  CHECK(cufftXtSetCallbackSharedSize(plan, CUFFT_CB_LD_COMPLEX, 16) == CUFFT_SUCCESS);

  cufftHandle unmade = 0;
  REQUIRE(cufftCreate(&unmade) == CUFFT_SUCCESS);
  void* function = &null;
  for (const cufftHandle handle : {unmade, cufftHandle{0}}) {
    CHECK(cufftXtSetCallback(handle, &function, CUFFT_CB_LD_REAL, nullptr) == CUFFT_INVALID_PLAN);
    CHECK(cufftXtClearCallback(handle, CUFFT_CB_LD_REAL) == CUFFT_INVALID_PLAN);
    CHECK(cufftXtSetCallbackSharedSize(handle, CUFFT_CB_LD_REAL, 16) == CUFFT_INVALID_PLAN);
  }
  CHECK(cufftDestroy(unmade) == CUFFT_SUCCESS);
}

TEST_CASE("cuFFT: callbacks come in their stream's order") {
  Shared<cufftComplex> data(8);
  Shared<Notes> notes(1);
  cudaStream_t stream = nullptr;
  REQUIRE(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking) == cudaSuccess);
  const Plan plan(8, CUFFT_C2C);
  REQUIRE(cufftSetStream(plan, stream) == CUFFT_SUCCESS);
  REQUIRE(plan.set(load_c, CUFFT_CB_LD_COMPLEX, notes.get()) == CUFFT_SUCCESS);
  emulator::set_order("late");
  prepare<<<1, 8, 0, stream>>>(data.get(), notes.get(), 3);
  CHECK(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  CHECK(cudaStreamSynchronize(stream) == cudaSuccess);
  emulator::set_order("issue");
  CHECK(data[0].y == 8 * 2 * 3);
  CHECK(cudaStreamDestroy(stream) == cudaSuccess);
}

// As an H200 does it: a callback that loads is captured in place only.
TEST_CASE("cuFFT: a graph's transforms call back, but for one out of place that loads so") {
  Shared<cufftComplex> in(8);
  Shared<cufftComplex> out(8);
  Shared<Notes> notes(1);
  notes[0].factor = 2;
  const auto captured = [&](bool loads, bool stores, cufftComplex* to) {
    libraries::Capture capture;
    const Plan plan(8, CUFFT_C2C);
    REQUIRE(cufftSetStream(plan, capture.stream()) == CUFFT_SUCCESS);
    if (loads) REQUIRE(plan.set(load_c, CUFFT_CB_LD_COMPLEX, notes.get()) == CUFFT_SUCCESS);
    if (stores) REQUIRE(plan.set(store_c, CUFFT_CB_ST_COMPLEX, notes.get()) == CUFFT_SUCCESS);
    capture.begin();
    const cufftResult result = cufftExecC2C(plan, in.get(), to, CUFFT_FORWARD);
    const cudaError_t end = capture.end();
    CHECK(end == (result == CUFFT_SUCCESS ? cudaSuccess : cudaErrorStreamCaptureInvalidated));
    if (end != cudaSuccess) return result;
    for (int i = 0; i < 2; ++i) capture.launch();
    return result;
  };
  in[0] = {1, 0};
  CHECK(captured(true, false, out.get()) == CUFFT_EXEC_FAILED);
  CHECK(notes[0].loads[0] == 0);
  CHECK(captured(false, true, out.get()) == CUFFT_SUCCESS);
  CHECK(notes[0].stores[7] == 2);
  CHECK(out[7].x == 2);
  CHECK(captured(true, true, in.get()) == CUFFT_SUCCESS);
  CHECK(notes[0].loads[7] == 2);
  CHECK(notes[0].stores[7] == 4);
  // 2 * 1, transformed, times 2 is 4 everywhere; then 2 * 4 * 8 * 2 at the first element.
  CHECK(in[0].x == 128);
  CHECK(in[7].x == 0);
}

TEST_CASE("cuFFT: callbacks run in launches whose traffic is counted") {
  Shared<cufftComplex> data(64);
  Shared<Notes> notes(1);
  const Plan plan(64, CUFFT_C2C);
  REQUIRE(plan.set(load_c, CUFFT_CB_LD_COMPLEX, notes.get()) == CUFFT_SUCCESS);
  emulator::clear_launches();
  emulator::set_recording(true);
  CHECK(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_SUCCESS);
  emulator::set_recording(false);
  REQUIRE(emulator::launches().size() == 1);
  CHECK(emulator::launches()[0].kernel == "cufft_load_callback");
  // Two warps, each of which loads the factor and 32 elements of 8 bytes.
  CHECK(emulator::launches()[0].traffic.global_load_bytes == 2 * 4 + 64 * 8);
  CHECK(emulator::launches()[0].traffic.global_atomic_requests == 2);
  CHECK(emulator::launches()[0].traffic.global_store_requests == 0);
  emulator::clear_launches();
}

TEST_CASE("cuFFT: what a callback does wrong is found, with its line") {
  const std::vector<emulator::Finding> behind = findings_of(store_far);
  REQUIRE(behind.size() >= 1);
  CHECK(behind[0].kind == "out-of-bounds");
  CHECK(behind[0].place.line == line_of_mistakes + 2);
  const std::vector<emulator::Finding> twice = findings_of(store_twice);
  REQUIRE(twice.size() >= 1);
  CHECK(twice[0].kind == "race");
  CHECK(twice[0].place.line == line_of_mistakes + 6);
  CHECK(findings_of(store_c).empty());
}

TEST_CASE("cuFFT: a callback's illegal access fails the transform and the device") {
  Shared<cufftComplex> data(8);
  const Plan plan(8, CUFFT_C2C);
  REQUIRE(plan.set(load_c, CUFFT_CB_LD_COMPLEX, nullptr) == CUFFT_SUCCESS);
  CHECK(cufftExecC2C(plan, data.get(), data.get(), CUFFT_FORWARD) == CUFFT_EXEC_FAILED);
  CHECK(cudaDeviceSynchronize() == cudaErrorIllegalAddress);
  CHECK(cudaDeviceReset() == cudaSuccess);
}
