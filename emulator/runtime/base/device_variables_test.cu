// Device variables, found by their addresses.

#include "base/device_variables.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <cstdint>
#include <string>

using emulator::base::DeviceVariable;
using emulator::base::find_device_variable;

namespace {

__device__ float device_array[5];
__managed__ int managed_number;
__device__ const float device_table[] = {1.0F, 2.0F, 3.0F};
__device__ float (*device_function)(float);
[[maybe_unused]] float host_array[5];

class Holder {
  static __device__ int of_class;

 public:
  static int* address() { return &of_class; }
};
__device__ int Holder::of_class = 1;

template <class T>
struct Template {
  static __device__ T of_template[3];
};
template <class T>
__device__ T Template<T>::of_template[3];

__global__ void keep_addresses(const void** addresses) {
  static int of_kernel = 1;
  if (threadIdx.x == 0) ++of_kernel;
  addresses[0] = &of_kernel;
}

std::string name_at(const volatile void* address, std::size_t offset = 0) {
  const DeviceVariable* const found =
      find_device_variable(reinterpret_cast<std::uintptr_t>(address) + offset);
  return found == nullptr ? "" : found->name + ' ' + std::to_string(found->bytes);
}

}  // namespace

TEST_CASE("device variables: wherever they are declared") {
  CHECK(name_at(device_array) == "device_array 20");
  CHECK(name_at(device_array, 19) == "device_array 20");
  CHECK(name_at(device_array, 20) != "device_array 20");
  CHECK(name_at(&managed_number) == "managed_number 4");
  CHECK(name_at(&device_table[1]) == "device_table 12");
  CHECK(name_at(&device_function) == "device_function 8");
  CHECK(name_at(Holder::address()) == "of_class 4");
  CHECK(name_at(Template<double>::of_template) == "of_template 24");
}

TEST_CASE("device variables: the static ones of kernels") {
  const void** addresses = nullptr;
  REQUIRE(cudaMallocManaged(&addresses, sizeof(void*)) == cudaSuccess);
  keep_addresses<<<1, 1>>>(addresses);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(name_at(addresses[0]) == "of_kernel 4");
  CHECK(cudaFree(addresses) == cudaSuccess);
}

TEST_CASE("device variables: nothing else") {
  static int of_host = 1;
  int on_stack = 0;
  CHECK(name_at(host_array) == "");
  CHECK(name_at(&of_host) == "");
  CHECK(name_at(&on_stack) == "");
  CHECK(name_at(nullptr) == "");
}
