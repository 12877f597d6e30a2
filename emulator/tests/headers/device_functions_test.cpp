/// \file
/// Vector types, accesses with cache hints, atomics, fences and the functions that stop a thread.
/// The runtime is not linked: its three functions that these headers need are stand-ins here.

#include <doctest/doctest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <climits>
#include <csignal>
#include <cstring>
#include <type_traits>

#include "emulator/device/fences.h"
#include "emulator/device/memory_hints.h"
#include "emulator/device/vector_types.h"

namespace {

int yields = 0;

}  // namespace

namespace emulator::detail {

void yield_thread() {
  ++yields;
}
void trap() {
  _exit(42);
}

}  // namespace emulator::detail

namespace {

// NVIDIA's sizes and alignments: this table holds for the toolkit's own vector_types.h just as
// well.
#define LAYOUT(type, size, alignment)                                    \
  static_assert(sizeof(type) == (size) && alignof(type) == (alignment)); \
  static_assert(std::is_trivial_v<type> && std::is_standard_layout_v<type>)
LAYOUT(char1, 1, 1);
LAYOUT(char2, 2, 2);
LAYOUT(char3, 3, 1);
LAYOUT(char4, 4, 4);
LAYOUT(uchar1, 1, 1);
LAYOUT(uchar2, 2, 2);
LAYOUT(uchar3, 3, 1);
LAYOUT(uchar4, 4, 4);
LAYOUT(short1, 2, 2);
LAYOUT(short2, 4, 4);
LAYOUT(short3, 6, 2);
LAYOUT(short4, 8, 8);
LAYOUT(ushort1, 2, 2);
LAYOUT(ushort2, 4, 4);
LAYOUT(ushort3, 6, 2);
LAYOUT(ushort4, 8, 8);
LAYOUT(int1, 4, 4);
LAYOUT(int2, 8, 8);
LAYOUT(int3, 12, 4);
LAYOUT(int4, 16, 16);
LAYOUT(uint1, 4, 4);
LAYOUT(uint2, 8, 8);
LAYOUT(uint3, 12, 4);
LAYOUT(uint4, 16, 16);
LAYOUT(long1, 8, 8);
LAYOUT(long2, 16, 16);
LAYOUT(long3, 24, 8);
LAYOUT(long4, 32, 16);
LAYOUT(long4_16a, 32, 16);
LAYOUT(long4_32a, 32, 32);
LAYOUT(ulong1, 8, 8);
LAYOUT(ulong2, 16, 16);
LAYOUT(ulong3, 24, 8);
LAYOUT(ulong4, 32, 16);
LAYOUT(ulong4_16a, 32, 16);
LAYOUT(ulong4_32a, 32, 32);
LAYOUT(longlong1, 8, 8);
LAYOUT(longlong2, 16, 16);
LAYOUT(longlong3, 24, 8);
LAYOUT(longlong4, 32, 16);
LAYOUT(longlong4_16a, 32, 16);
LAYOUT(longlong4_32a, 32, 32);
LAYOUT(ulonglong1, 8, 8);
LAYOUT(ulonglong2, 16, 16);
LAYOUT(ulonglong3, 24, 8);
LAYOUT(ulonglong4, 32, 16);
LAYOUT(ulonglong4_16a, 32, 16);
LAYOUT(ulonglong4_32a, 32, 32);
LAYOUT(float1, 4, 4);
LAYOUT(float2, 8, 8);
LAYOUT(float3, 12, 4);
LAYOUT(float4, 16, 16);
LAYOUT(double1, 8, 8);
LAYOUT(double2, 16, 16);
LAYOUT(double3, 24, 8);
LAYOUT(double4, 32, 16);
LAYOUT(double4_16a, 32, 16);
LAYOUT(double4_32a, 32, 32);
static_assert(sizeof(dim3) == 12 && alignof(dim3) == 4);
static_assert(std::is_same_v<decltype(char4::x), signed char>);
#undef LAYOUT

static_assert(make_float4(1, 2, 3, 4).w == 4.0f);
static_assert(make_char3(1, -2, 3).y == -2);
static_assert(make_double4_32a(1, 2, 3, 4).z == 3.0);
static_assert(make_ulonglong2(1, ULLONG_MAX).y == ULLONG_MAX);

static_assert(dim3().x == 1 && dim3().y == 1 && dim3().z == 1);
static_assert(dim3(5, 6).y == 6 && dim3(5, 6).z == 1);
static_assert(dim3(make_uint3(2, 3, 4)).z == 4);
static_assert(static_cast<uint3>(dim3(7, 8, 9)).y == 8);
constexpr unsigned product_of(dim3 shape) {
  return shape.x * shape.y * shape.z;
}
static_assert(product_of(12) == 12 && product_of({3, 4}) == 12, "a number or a list is a dim3");

template <class T>
bool same_bytes(const T& a, const T& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

template <class... T>
struct TypeList {};
using HintedTypes =
    TypeList<char, signed char, unsigned char, short, unsigned short, int, unsigned int, long,
             unsigned long, long long, unsigned long long, float, double, char2, char4, uchar2,
             uchar4, short2, short4, ushort2, ushort4, int2, int4, uint2, uint4, longlong2,
             ulonglong2, float2, float4, double2>;

/// Three different values of T: each byte differs from its neighbours.
template <class T>
std::array<T, 3> patterns() {
  std::array<T, 3> values;
  std::array<unsigned char, sizeof(values)> bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = static_cast<unsigned char>(i + 1);
  std::memcpy(&values, bytes.data(), sizeof(values));
  return values;
}

template <class T>
void check_hints() {
  const std::array<T, 3> values = patterns<T>();
  CHECK(same_bytes(__ldg(&values[1]), values[1]));
  CHECK(same_bytes(__ldca(&values[1]), values[1]));
  CHECK(same_bytes(__ldcg(&values[1]), values[1]));
  CHECK(same_bytes(__ldcs(&values[1]), values[1]));
  CHECK(same_bytes(__ldlu(&values[1]), values[1]));
  CHECK(same_bytes(__ldcv(&values[1]), values[1]));
  const auto check_store = [&](auto store) {
    std::array<T, 3> target = {values[0], values[0], values[0]};
    store(&target[1], values[2]);
    CHECK(same_bytes(target, std::array<T, 3>{values[0], values[2], values[0]}));
  };
  check_store([](T* p, T v) { __stwb(p, v); });
  check_store([](T* p, T v) { __stcg(p, v); });
  check_store([](T* p, T v) { __stcs(p, v); });
  check_store([](T* p, T v) { __stwt(p, v); });
}

template <class... T>
void check_all_hints(TypeList<T...>) {
  (check_hints<T>(), ...);
}

}  // namespace

TEST_CASE("a load or store with a cache hint moves the whole value and nothing beside it") {
  check_all_hints(HintedTypes{});
}

TEST_CASE("clocks only grow, and a pause lets others run") {
  const long long before = clock64();
  const clock_t before_host = clock();
  yields = 0;
  __nanosleep(100);
  CHECK(yields == 1);
  CHECK(clock64() > before);
  CHECK(clock() >= before_host);
}

TEST_CASE("__trap ends in the runtime, __brkpt in the debugger") {
  const auto status_of = [](void (*stop)()) {
    const pid_t child = fork();
    if (child == 0) {
      signal(SIGTRAP, SIG_DFL);  // the test framework's own handler would report it
      stop();
      _exit(0);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return status;
  };
  const int trapped = status_of([] { __trap(); });
  CHECK(WIFEXITED(trapped));
  CHECK(WEXITSTATUS(trapped) == 42);
  const int stopped = status_of([] { __brkpt(); });
  CHECK(WIFSIGNALED(stopped));
  CHECK(WTERMSIG(stopped) == SIGTRAP);
}
