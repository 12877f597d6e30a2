#include "streams/symbol_copies.hpp"

#include <link.h>

#include <cstdint>

#include "base/arena.hpp"
#include "base/device_variables.hpp"
#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "streams/copy_sides.hpp"
#include "streams/untrusted_host.hpp"

namespace emulator::streams {

namespace {

bool within(std::size_t offset, std::size_t bytes, std::size_t size) {
  return offset <= size && bytes <= size - offset;
}

// The observers already know of the copy.
CopyTask bytes_between(void* to, const void* from, std::size_t bytes) {
  const auto row_at = [](const void* pointer) {
    return Box{static_cast<unsigned char*>(const_cast<void*>(pointer)), 0, 0, 0};
  };
  const Sides anywhere{Where::anywhere, Where::anywhere};
  return {nullptr, row_at(to), row_at(from), {bytes, 1, 1}, anywhere};
}

}  // namespace

bool is_variable(const void* object, std::size_t bytes, bool writable) {
  // What kernels or copies can write is a symbol only if it is out of the host's sight.
  if (is_host_distrusted() && is_in_parted(reinterpret_cast<std::uintptr_t>(object), bytes)) {
    return true;
  }
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
            const bool is_open = is_host_distrusted() && (segment.p_flags & PF_W) != 0;
            wanted.found = !is_open && (segment.p_flags & wanted.flags) != 0;
            return 1;
          }
        }
        return 0;
      },
      &query);
  return query.found;
}

cudaError_t make_copy_to_symbol(void* symbol, std::size_t symbol_bytes, const void* source,
                                std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                CopyTask& copy) {
  Sides sides{};
  if (!sides_of(kind, sides) || kind == cudaMemcpyHostToHost || kind == cudaMemcpyDeviceToHost) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (!is_variable(symbol, symbol_bytes, true)) return cudaErrorInvalidSymbol;
  if (!within(offset, bytes, symbol_bytes) || !is_usable("source", source, bytes, sides.source)) {
    return cudaErrorInvalidValue;
  }
  copy = bytes_between(static_cast<char*>(symbol) + offset, source, bytes);
  copy.variables_of = current_device();
  return cudaSuccess;
}

cudaError_t make_copy_from_symbol(void* destination, const void* symbol, std::size_t symbol_bytes,
                                  std::size_t bytes, std::size_t offset, cudaMemcpyKind kind,
                                  CopyTask& copy) {
  Sides sides{};
  if (!sides_of(kind, sides) || kind == cudaMemcpyHostToHost || kind == cudaMemcpyHostToDevice) {
    return cudaErrorInvalidMemcpyDirection;
  }
  if (!is_variable(symbol, symbol_bytes, false)) return cudaErrorInvalidSymbol;
  if (!within(offset, bytes, symbol_bytes) ||
      !is_usable("destination", destination, bytes, sides.destination)) {
    return cudaErrorInvalidValue;
  }
  const auto memory = lookup(destination);
  if ((!memory || memory->kind != MemoryKind::device) && !may_copy_to_host(destination, bytes)) {
    return cudaErrorNotPermitted;
  }
  copy = bytes_between(destination, static_cast<const char*>(symbol) + offset, bytes);
  copy.variables_of = current_device();
  return cudaSuccess;
}

}  // namespace emulator::streams
