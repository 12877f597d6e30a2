#pragma once
/// \file
/// What the arena asks the host's kernel for. Where the host refuses, the program ends.

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <utility>
#include <vector>

#include "base/arena.hpp"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000  // Linux 4.17; older kernels take the address as a hint
#endif

namespace emulator::base {

/// The least multiple of `unit` that is no less.
constexpr std::size_t round_up(std::size_t value, std::size_t unit) {
  return (value + unit - 1) / unit * unit;
}

/// Says that the host refuses what the arena wants to do with its addresses.
[[noreturn]] inline void give_up(const char* what) {
  std::fprintf(
      stderr,
      "emulator: cannot %s the addresses from %#zx on (%s): is there a limit on virtual memory "
      "(ulimit -v)?\n",
      what, std::size_t{arena_base}, std::strerror(errno));
  std::exit(1);
}

/// The arena is reserved in parts of this size, as qemu keeps books of each page of it.
inline constexpr std::size_t arena_part = std::size_t{1} << 34;

/// Reserves a part of the arena, with no page that may be used.
inline void reserve_addresses(std::uintptr_t part) {
  void* const wanted = std::bit_cast<void*>(part);
  void* const got = mmap(wanted, arena_part, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED_NOREPLACE, -1, 0);
  if (got == MAP_FAILED) give_up("reserve");
  if (got != wanted) {
    errno = EEXIST;
    give_up("reserve");
  }
}

/// The first pass over a large array would wait for the host's kernel at each of its small pages,
/// and a kernel that reads to and fro in it would wait for the page tables. If the host has no
/// large pages to give, nothing is lost.
inline void prefer_large_pages(std::uintptr_t begin, std::size_t bytes) {
  constexpr std::size_t large = std::size_t{4} << 20;
  if (bytes >= large) madvise(std::bit_cast<void*>(begin), bytes, MADV_HUGEPAGE);
}

/// Takes pages back; their addresses stay reserved.
inline void unmap_pages(std::uintptr_t begin, std::size_t pages) {
  // A fresh mapping in place of the old one: the pages are gone at once, and a use faults.
  if (mmap(std::bit_cast<void*>(begin), pages, PROT_NONE,
           MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED) {
    give_up("take back a part of");
  }
}

/// Says what may touch an allocation's pages: PROT_NONE, or PROT_READ | PROT_WRITE.
inline void protect_pages(const Allocation& allocation, int access) {
  const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
  const std::uintptr_t begin = allocation.base / page * page;
  const std::size_t pages = round_up(allocation.base - begin + allocation.size, page);
  if (mprotect(std::bit_cast<void*>(begin), pages, access) != 0) give_up("protect a part of");
}

/// Memory of the host's that its own code may not touch, or only read: whole pages.
class Guards {
 public:
  void (*looked)() = nullptr;  // what at_first_look() was given

  /// \param closed whether that holds already
  void add(std::uintptr_t begin, std::size_t bytes, bool closed) {
    ranges_.emplace_back(begin, bytes);
    if (closed) protect(PROT_NONE);
  }
  void protect(int access) const {
    if (access == PROT_NONE && may_be_read_) access = PROT_READ;
    for (const auto& [begin, bytes] : ranges_) {
      if (mprotect(std::bit_cast<void*>(begin), bytes, access) != 0) give_up("guard memory beside");
    }
  }
  void let_read() {
    may_be_read_ = true;
    protect(PROT_NONE);
  }
  void end() {
    protect(PROT_READ | PROT_WRITE);
    ranges_.clear();
    may_be_read_ = false;
    looked = nullptr;
  }
  bool hold(std::uintptr_t address) const {
    return std::any_of(ranges_.begin(), ranges_.end(),
                       [&](const auto& range) { return address - range.first < range.second; });
  }

 private:
  std::vector<std::pair<std::uintptr_t, std::size_t>> ranges_;  // begin, bytes
  bool may_be_read_ = false;
};

}  // namespace emulator::base
