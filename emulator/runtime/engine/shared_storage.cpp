#include "engine/shared_storage.hpp"

#include <link.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include "base/host_state.hpp"
#include "base/variables.hpp"

extern __thread unsigned char emulator_dynamic_shared_memory[];

namespace emulator::engine {

SharedStorage::SharedStorage() {
  dl_iterate_phdr(
      [](dl_phdr_info* info, std::size_t, void* result) {
        for (int i = 0; i < info->dlpi_phnum; ++i) {
          if (info->dlpi_phdr[i].p_type != PT_TLS || info->dlpi_tls_data == nullptr) continue;
          auto& storage = *static_cast<SharedStorage*>(result);
          storage.begin_ = reinterpret_cast<std::uintptr_t>(info->dlpi_tls_data);
          storage.bytes_ = info->dlpi_phdr[i].p_memsz;
        }
        return 1;  // the first object is the program itself
      },
      this);
  if (bytes_ == 0) {  // every program has some: the dynamic shared memory below
    std::fputs(
        "emulator: this system's loader does not say where thread-local storage is "
        "(dlpi_tls_data).\nShared memory is there, so kernels cannot run.\n",
        stderr);
    std::exit(2);
  }
  constexpr std::size_t told_apart = std::size_t{1} << 18;  // by a descriptor of wgmma's
  if (bytes_ > told_apart) asked_for_.resize(bytes_ / bytes_of_note + 1);
}

void SharedStorage::find_guards() {
  guards_ = shared_guards();
}

std::uintptr_t SharedStorage::dynamic_begin() {
  return reinterpret_cast<std::uintptr_t>(emulator_dynamic_shared_memory);
}

void SharedStorage::clear_notes() {
  std::fill(asked_for_.begin(), asked_for_.end(), 0);
  has_asked_ = false;
}

bool SharedStorage::has_asked_for_array_at(std::uintptr_t address,
                                           std::size_t dynamic_bytes) const {
  const std::uintptr_t dynamic = dynamic_begin();
  std::uintptr_t begin = dynamic - begin_;
  std::size_t bytes = dynamic_bytes;
  if (address - dynamic >= shared_bytes_per_block_optin) {
    const auto array = find_shared_variable(address - begin_);
    if (!array) return false;
    begin = array->begin;
    bytes = array->bytes;
  } else if (address - dynamic >= bytes) {
    return false;
  }
  const auto at = [&](std::uintptr_t offset) {
    return asked_for_.begin() + static_cast<std::ptrdiff_t>(offset / bytes_of_note);
  };
  return std::any_of(at(begin), at(begin + bytes - 1) + 1,
                     [](unsigned char asked) { return asked != 0; });
}

}  // namespace emulator::engine
