/// \file
/// Symbols: copies to and from the program's variables, their addresses and sizes.

#include "api/copies_test.hpp"

using namespace copies_test;
using namespace host_test;

namespace {

// As the translator leaves them: plain variables.
float device_values[4];
int device_number;
const int constant_number = 5;
thread_local int thread_number;

}  // namespace

TEST_CASE("symbols") {
  const Fresh fresh;
  const float sent[4] = {1, 2, 3, 4};
  float got[4] = {};
  CHECK(cudaMemcpyToSymbol(device_values, sent, sizeof(sent)) == cudaSuccess);
  CHECK(device_values[3] == 4);
  CHECK(cudaMemcpyToSymbolAsync(device_values, sent, 4, 8, to_device, nullptr) == cudaSuccess);
  CHECK(device_values[2] == 1);
  CHECK(cudaMemcpyFromSymbol(got, device_values, 8, 4) == cudaSuccess);
  CHECK(got[0] == 2);
  CHECK(got[1] == 1);
  CHECK(cudaMemcpyFromSymbolAsync(got, device_values, 4, 12, to_host, nullptr) == cudaSuccess);
  CHECK(got[0] == 4);
  const int number = 42;
  CHECK(cudaMemcpyToSymbol(device_number, &number, sizeof(int)) == cudaSuccess);
  CHECK(device_number == 42);

  CHECK(cudaMemcpyToSymbol(device_values, sent, 17) == invalid);
  CHECK(cudaMemcpyToSymbol(device_values, sent, 16, 1) == invalid);
  CHECK(cudaMemcpyToSymbol(device_values, sent, 4, huge) == invalid);
  CHECK(cudaMemcpyToSymbol(device_values, sent, 4, huge - 3) == invalid);
  CHECK(cudaMemcpyToSymbol(device_values, sent, huge, 4) == invalid);
  CHECK(cudaMemcpyToSymbol(device_values, nullptr, 4) == invalid);
  CHECK(cudaMemcpyToSymbol(device_values, nullptr, 0) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(got, device_values, 17) == invalid);
  CHECK(cudaMemcpyFromSymbol(nullptr, device_values, 0) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(nullptr, device_values, 1) == invalid);
  CHECK(cudaMemcpyFromSymbol(got, device_values, 4, 16) == invalid);
  CHECK(cudaMemcpyFromSymbol(nullptr, device_values, 4) == invalid);
  for (const auto kind : {to_host, on_host, bad_kind_below, bad_kind_above}) {
    CHECK(cudaMemcpyToSymbol(device_values, sent, 4, 0, kind) == bad_direction);
  }
  for (const auto kind : {to_device, on_host, bad_kind_below, bad_kind_above}) {
    CHECK(cudaMemcpyFromSymbol(got, device_values, 4, 0, kind) == bad_direction);
  }
  const Block block(16);
  CHECK(cudaMemcpyToSymbol(device_values, sent, 4, 0, on_device) == invalid);
  CHECK(cudaMemcpyToSymbol(device_values, block.get(), 4, 0, on_device) == cudaSuccess);
  CHECK(cudaMemcpyToSymbol(device_values, block.get(), 4, 0, to_device) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(block.get(), device_values, 16, 0, on_device) == cudaSuccess);
  CHECK(cudaMemcpyFromSymbol(got, device_values, 4, 0, on_device) == invalid);
  CHECK(cudaMemcpyFromSymbol(got, device_values, 4, 0, cudaMemcpyDefault) == cudaSuccess);
  CHECK(cudaMemcpyToSymbolAsync(device_values, sent, 4, 0, to_device, no_stream()) ==
        cudaErrorInvalidResourceHandle);
  CHECK(cudaMemcpyFromSymbolAsync(got, device_values, 4, 0, to_host, no_stream()) ==
        cudaErrorInvalidResourceHandle);
}

TEST_CASE("what is no variable of the program is no symbol") {
  const Fresh fresh;
  const auto bad_symbol = cudaErrorInvalidSymbol;
  int local = 0;
  int number = 7;
  void* address = nullptr;
  std::size_t size = 0;
  CHECK(cudaMemcpyToSymbol(local, &number, 4) == bad_symbol);
  CHECK(cudaMemcpyToSymbol(&device_values, &number, 4) == bad_symbol);  // a pointer's address
  CHECK(cudaMemcpyToSymbol(thread_number, &number, 4) == bad_symbol);
  CHECK(cudaMemcpyToSymbol(constant_number, &number, 4) == bad_symbol);  // cannot be written
  CHECK(cudaMemcpyFromSymbol(&number, constant_number, 4) == cudaSuccess);
  CHECK(number == 5);
  CHECK(cudaGetSymbolAddress(&address, constant_number) == cudaSuccess);
  CHECK(address == &constant_number);
  CHECK(cudaGetSymbolSize(&size, constant_number) == cudaSuccess);
  CHECK(size == sizeof(int));
  CHECK(cudaMemcpyFromSymbol(&number, local, 4) == bad_symbol);
  CHECK(cudaGetSymbolAddress(&address, local) == bad_symbol);
  CHECK(cudaGetSymbolSize(&size, local) == bad_symbol);
}

TEST_CASE("a symbol's address is device memory") {
  const Fresh fresh;
  const float sent[4] = {5, 6, 7, 8};
  std::size_t size = 0;
  CHECK(cudaGetSymbolSize(&size, device_values) == cudaSuccess);
  CHECK(size == 16);
  CHECK(cudaGetSymbolSize(nullptr, device_values) == invalid);
  float* address = nullptr;
  void* again = nullptr;
  CHECK(cudaGetSymbolAddress(&address, device_values) == cudaSuccess);
  CHECK(cudaGetSymbolAddress(&again, device_values) == cudaSuccess);
  CHECK(address == device_values);
  CHECK(again == device_values);
  CHECK(cudaGetSymbolAddress(static_cast<void**>(nullptr), device_values) == invalid);

  cudaPointerAttributes attributes{};
  CHECK(cudaPointerGetAttributes(&attributes, address + 3) == cudaSuccess);
  CHECK(attributes.type == cudaMemoryTypeDevice);
  CHECK(attributes.hostPointer == nullptr);
  CHECK(cudaMemcpy(address, sent, 16, to_device) == cudaSuccess);
  CHECK(device_values[3] == 8);
  CHECK(cudaMemcpy(address, sent, 17, to_device) == invalid);
  CHECK(cudaMemcpy(address, sent, 16, on_host) == invalid);
  CHECK(cudaMemset(address, 0, 16) == cudaSuccess);
  CHECK(cudaMemset(address + 1, 0, 16) == invalid);
  CHECK(device_values[3] == 0);
  CHECK(cudaFree(address) == invalid);
  CHECK(cudaHostUnregister(address) == invalid);
  CHECK(cudaHostRegister(address, 16, 0) == cudaErrorHostMemoryAlreadyRegistered);
}
