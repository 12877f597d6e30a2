/// \file
/// Symbols: the program's variables in the device's memory. The checks are those that a GPU's
/// driver makes.

#include <link.h>

#include <cstdint>

#include "base/arena.hpp"
#include "api/copy_sides.hpp"
#include "api/copy_tasks.hpp"
#include "base/host_state.hpp"
#include "api/symbol_copies.hpp"
#include "api/untrusted_host.hpp"
#include "emulator/host/host_api.h"
#include "graphs/capture.hpp"
#include "streams/copy_waits.hpp"
#include "streams/tasks.hpp"

namespace emulator::detail {
namespace {

// Whether the object is a variable of the program or of a library, as symbols are; writable, if it
// is to be written. Objects on a stack or on the heap are not.
bool is_variable(const void* object, bool writable) {
  struct Query {
    std::uintptr_t address;
    ElfW(Word) flags;
    bool found;
  };
  Query query{reinterpret_cast<std::uintptr_t>(object),
              static_cast<ElfW(Word)>(writable ? PF_W : PF_R), false};
  dl_iterate_phdr(
      [](dl_phdr_info* library, std::size_t, void* data) {
        Query& wanted = *static_cast<Query*>(data);
        for (int i = 0; i < library->dlpi_phnum; ++i) {
          const auto& segment = library->dlpi_phdr[i];
          const std::uintptr_t begin = library->dlpi_addr + segment.p_vaddr;
          if (segment.p_type == PT_LOAD && wanted.address - begin < segment.p_memsz) {
            wanted.found = (segment.p_flags & wanted.flags) != 0;
            return 1;
          }
        }
        return 0;
      },
      &query);
  return query.found;
}

bool within(std::size_t offset, std::size_t bytes, std::size_t size) {
  return offset <= size && bytes <= size - offset;
}

// Whoever has to be told of the copy has been.
CopyTask bytes_between(void* to, const void* from, std::size_t bytes) {
  const auto row_at = [](const void* pointer) {
    return Box{static_cast<unsigned char*>(const_cast<void*>(pointer)), 0, 0, 0};
  };
  const Sides anywhere{Where::anywhere, Where::anywhere};
  return {nullptr, row_at(to), row_at(from), {bytes, 1, 1}, anywhere};
}

// \param waits whether the plain form was called
cudaError_t issue_copy(const CopyTask& copy, Side to, Side from, cudaStream_t stream, bool waits) {
  if (const cudaError_t error = check_stream(stream); error != cudaSuccess) return error;
  if (waits) {
    const cudaError_t error = refuse_unsafe_while_capturing();
    if (error != cudaSuccess) return error;
  }
  const Form form = waits ? Form::plain : Form::asynchronous;
  return issue(copy, stream, waits_of_copy(to, from, form));
}

}  // namespace

cudaError_t make_copy_to_symbol(void* symbol, std::size_t symbol_bytes, const void* source,
                                std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                CopyTask& copy) {
  Sides sides{};
  if (!sides_of(kind, sides) || kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (!is_variable(symbol, true)) return cudaErrorInvalidSymbol;
  if (!within(offset, bytes, symbol_bytes) || !is_usable("source", source, bytes, sides.source)) {
    return cudaErrorInvalidValue;
  }
  copy = bytes_between(static_cast<char*>(symbol) + offset, source, bytes);
  return cudaSuccess;
}

cudaError_t make_copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                                  std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                  CopyTask& copy) {
  Sides sides{};
  if (!sides_of(kind, sides) || kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (!is_variable(symbol, false)) return cudaErrorInvalidSymbol;
  if (!within(offset, bytes, symbol_bytes) ||
      !is_usable("destination", destination, bytes, sides.destination)) {
    return cudaErrorInvalidValue;
  }
  const auto memory = lookup(destination);
  if ((!memory || memory->kind != MemoryKind::device) && !may_copy_to_host(destination, bytes)) {
    return cudaErrorNotPermitted;
  }
  copy = bytes_between(destination, static_cast<const char*>(symbol) + offset, bytes);
  return cudaSuccess;
}

cudaError_t copy_to_symbol(void* symbol, std::size_t symbol_bytes, const void* source,
                           std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                           cudaStream_t stream, bool waits) {
  if (bytes == 0) return cudaSuccess;
  CopyTask copy{};
  const cudaError_t error =
      make_copy_to_symbol(symbol, symbol_bytes, source, bytes, offset, kind, copy);
  if (error != cudaSuccess) return report(error);
  return device_call([&] {
    // No traffic, as far as it brings constants.
    if (is_the_devices(source)) note_device_call("cudaMemcpyToSymbol", nullptr, nullptr, bytes);
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
  return device_call([&] {
    if (is_the_devices(destination)) {
      note_device_call("cudaMemcpyFromSymbol", destination, nullptr, bytes);
    }
    return issue_copy(copy, side_of(destination), Side::device, stream, waits);
  });
}

cudaError_t symbol_address(void** address, void* symbol, std::size_t symbol_bytes) {
  if (address == nullptr) return report(cudaErrorInvalidValue);
  if (!is_variable(symbol, false)) return report(cudaErrorInvalidSymbol);
  return device_call([&] {
    add_outside(symbol, symbol_bytes, MemoryKind::symbol, 0);  // once; later calls change nothing
    *address = symbol;
    return cudaSuccess;
  });
}

cudaError_t symbol_size(std::size_t* size, const void* symbol, std::size_t symbol_bytes) {
  if (size == nullptr) return report(cudaErrorInvalidValue);
  if (!is_variable(symbol, false)) return report(cudaErrorInvalidSymbol);
  return device_call([&] {
    *size = symbol_bytes;
    return cudaSuccess;
  });
}

}  // namespace emulator::detail
