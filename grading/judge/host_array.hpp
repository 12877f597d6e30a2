/// @file
/// An array of the host's in the submission's process.
#pragma once

#include <sys/mman.h>
#include <unistd.h>

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "base/arena.hpp"
#include "check.hpp"
#include "events/witnessed.hpp"
#include "judge/wire.hpp"

namespace course::grading {

namespace device = emulator::program;

/// There is no memory for what the judge sends.
class OutOfMemory : public WireError {
 public:
  using WireError::WireError;
};

/// An array of the host's that is lent to the function for a call, on pages of its own, between two
/// stretches of poison.
class HostArray {
 public:
  HostArray(std::string_view contents, bool is_output, bool is_pinned)
      : bytes_(contents.size()), out_(is_output) {
    const std::size_t page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    mapped_ = (bytes_ + 2 * beside + page - 1) / page * page;
    base_ = static_cast<char*>(
        mmap(nullptr, mapped_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0));
    if (base_ == MAP_FAILED) throw OutOfMemory("no memory for an array");
    std::memset(base_, 0xFF, mapped_);
    std::memcpy(data(), contents.data(), bytes_);
    tell(device::Announcement::loan);
    if (!is_pinned || bytes_ == 0) return;
    if (cudaHostRegister(data(), bytes_, cudaHostRegisterDefault) != cudaSuccess) {
      throw OutOfMemory("an array cannot be page-locked");
    }
    pinned_ = true;
  }
  ~HostArray() {
    if (pinned_) static_cast<void>(cudaHostUnregister(data()));
    tell(device::Announcement::loan_ends);
    munmap(base_, mapped_);
  }
  HostArray(const HostArray&) = delete;
  HostArray& operator=(const HostArray&) = delete;

  char* data() const { return base_ + beside; }
  std::size_t size() const { return bytes_; }
  bool is_output() const { return out_; }
  void guard() const {
    device::guard_host_memory(reinterpret_cast<std::uintptr_t>(base_), mapped_);
  }

 private:
  void tell(device::Announcement what) const {
    if (!device::is_witnessed) return;
    const auto begin = reinterpret_cast<std::uintptr_t>(base_);
    device::emulator_tell_witness(what, begin, begin + mapped_);
  }

  static constexpr std::size_t beside = 256;
  std::size_t bytes_;
  bool out_;
  bool pinned_ = false;
  std::size_t mapped_ = 0;
  char* base_ = nullptr;
};

}  // namespace course::grading
