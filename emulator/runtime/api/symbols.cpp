/// \file
/// Symbols: the program's variables in the device's memory. The checks are those that a GPU's
/// driver makes.

#include <cstdint>
#include <utility>

#include "base/arena.hpp"
#include "base/copy_waits.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "emulator/host/unmodelled.h"
#include "events/tasks.hpp"
#include "graphs/capture.hpp"
#include "graphs/issued_copies.hpp"
#include "streams/copy_sides.hpp"
#include "streams/copy_tasks.hpp"
#include "streams/symbol_copies.hpp"
#include "streams/untrusted_host.hpp"

namespace emulator::api {
namespace {

// \param waits whether the plain form was called
cudaError_t issue_copy(CopyTask copy, Side to, Side from, cudaStream_t stream, bool waits) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  if (waits) {
    const cudaError_t error = refuse_unsafe_while_capturing();
    if (error != cudaSuccess) return error;
  }
  const Form form = waits ? Form::plain : Form::asynchronous;
  copy.is_asynchronous = !waits;
  return issue(std::move(copy), stream, waits_of_copy(to, from, form));
}

}  // namespace

}  // namespace emulator::api

// What programs call.
namespace emulator::detail {

using namespace api;

cudaError_t copy_to_symbol(void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                           cudaStream_t stream, bool waits) {
  if (bytes == 0) return cudaSuccess;
  CopyTask copy{};
  const cudaError_t error =
      make_copy_to_symbol(symbol, symbol_bytes, source, bytes, offset, kind, copy);
  if (error != cudaSuccess) return report(error);
  copy.symbol_call = "cudaMemcpyToSymbol";
  return device_call([&] {
    if (is_the_devices(source, bytes)) {
      const void* const to = static_cast<const char*>(symbol) + offset;
      note_device_call("cudaMemcpyToSymbol", to, source, bytes);
    }
    return issue_copy(copy, Side::device, side_of(source), stream, waits);
  });
}

cudaError_t copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                             std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                             cudaStream_t stream, bool waits) {
  if (bytes == 0) return cudaSuccess;
  CopyTask copy{};
  const cudaError_t error =
      make_copy_from_symbol(destination, symbol, symbol_bytes, bytes, offset, kind, copy);
  if (error != cudaSuccess) return report(error);
  copy.symbol_call = "cudaMemcpyFromSymbol";
  return device_call([&] {
    if (is_the_devices(destination, bytes)) {
      note_device_call("cudaMemcpyFromSymbol", destination, nullptr, bytes);
    }
    return issue_copy(copy, side_of(destination), Side::device, stream, waits);
  });
}

cudaError_t symbol_address(void** address, void* symbol, std::size_t symbol_bytes) {
  if (address == nullptr) return report(cudaErrorInvalidValue);
  if (!is_variable(symbol, symbol_bytes, false)) return report(cudaErrorInvalidSymbol);
  // What a pointer points to is one device's for all that use it.
  if (current_device() != 0) {
    return not_modelled("the address of a variable on another device than 0");
  }
  return device_call([&] {
    add_outside(symbol, symbol_bytes, MemoryKind::symbol, 0);  // once; later calls change nothing
    *address = symbol;
    return cudaSuccess;
  });
}

cudaError_t symbol_size(std::size_t* size, const void* symbol, std::size_t symbol_bytes) {
  if (size == nullptr) return report(cudaErrorInvalidValue);
  if (!is_variable(symbol, symbol_bytes, false)) return report(cudaErrorInvalidSymbol);
  return device_call([&] {
    *size = symbol_bytes;
    return cudaSuccess;
  });
}

}  // namespace emulator::detail
