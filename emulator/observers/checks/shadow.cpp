#include "observers/checks/shadow.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <bit>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <vector>

#include "base/arena.hpp"
#include "events/findings.hpp"

extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

namespace emulator::checks {

LazyPages::LazyPages(std::size_t bytes)
    : data_(mmap(nullptr, bytes, PROT_READ | PROT_WRITE,
                 MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0)),
      bytes_(bytes) {
  if (data_ == MAP_FAILED) {
    std::fprintf(stderr, "emulator: error: no memory for the checks (%zu bytes)\n", bytes);
    std::exit(1);
  }
}

LazyPages::~LazyPages() {
  munmap(data_, bytes_);
}

// ---------------------------------------------------------------- one region

Region::Region(std::uintptr_t begin, std::size_t bytes, bool written, std::uint64_t serial)
    : begin_(begin), bytes_(bytes), serial_(serial), unwritten_(written ? 0 : bytes) {
  // Reads and writes apart: memory that is only read then costs half as much.
  const std::size_t words = bytes / 4 + 2;
  cells_ = std::make_unique<LazyPages>(
      words * (sizeof(WriteCell) + sizeof(ReadCell) + sizeof(std::uint64_t)));
  writes_ = static_cast<WriteCell*>(cells_->data());
  reads_ = reinterpret_cast<ReadCell*>(writes_ + words);
  values_ = reinterpret_cast<std::uint64_t*>(reads_ + words);
  if (!written) bits_ = std::make_unique<LazyPages>(bytes / 8 + 16);
  written_ = written ? nullptr : static_cast<std::uint64_t*>(bits_->data());
}

namespace {

// Calls function(word index, mask) for each word of bits in [first, first + count).
template <class Function>
void for_each_word(std::size_t first, std::size_t count, Function function) {
  while (count > 0) {
    const auto bit = static_cast<unsigned>(first % 64);
    const std::size_t here = std::min<std::size_t>(count, 64 - bit);
    const std::uint64_t mask = (here == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << here) - 1)
                               << bit;
    function(first / 64, mask);
    first += here;
    count -= here;
  }
}

}  // namespace

void Region::mark_written(std::uint64_t address, std::size_t bytes) {
  if (unwritten_ == 0) return;
  for_each_word(address - begin_, bytes, [&](std::size_t word, std::uint64_t mask) {
    unwritten_ -= static_cast<std::size_t>(std::popcount(mask & ~written_[word]));
    written_[word] |= mask;
  });
}

std::size_t Region::unwritten(std::uint64_t address, std::size_t bytes) const {
  std::size_t count = 0;
  if (unwritten_ == 0) return count;
  for_each_word(address - begin_, bytes, [&](std::size_t word, std::uint64_t mask) {
    count += static_cast<std::size_t>(std::popcount(mask & ~written_[word]));
  });
  return count;
}

// ---------------------------------------------------------------- all regions

namespace {

struct Regions {
  std::mutex mutex;
  std::map<std::uintptr_t, Region> by_begin;
  std::vector<std::map<std::uintptr_t, Region>::node_type> freed;  // a launch may know them
};

Regions& regions() {
  static auto& all = *new Regions;
  return all;
}

}  // namespace

Region* region_of(std::uint64_t address) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was recorded
  const std::optional<Allocation> allocation = lookup(reinterpret_cast<const void*>(address));
  if (!allocation) return nullptr;
  Regions& all = regions();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_begin.find(allocation->base);
  if (found != all.by_begin.end()) {
    if (found->second.serial() == allocation->serial) return &found->second;
    all.freed.push_back(all.by_begin.extract(found));
  }
  // What the host can write itself, without a call, may have been written at any time.
  const bool written = allocation->kind != MemoryKind::device;
  return &all.by_begin
              .try_emplace(allocation->base, allocation->base, allocation->size, written,
                           allocation->serial)
              .first->second;
}

Region& variables_region() {
  static auto& region = *new Region(
      reinterpret_cast<std::uintptr_t>(__data_start) & ~std::uintptr_t{15},
      static_cast<std::size_t>(_end - __data_start) + 16, /*written=*/true, /*serial=*/0);
  return region;
}

void forget_freed_regions() {
  Regions& all = regions();
  const std::lock_guard lock(all.mutex);
  all.freed.clear();
  std::erase_if(all.by_begin, [](const auto& entry) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): as above
    const auto allocation = lookup(reinterpret_cast<const void*>(entry.first));
    return !allocation || allocation->serial != entry.second.serial();
  });
}

}  // namespace emulator::checks

namespace emulator::events {

using namespace checks;

void memory_written(const void* address, std::size_t bytes) {
  if (!details_wanted()) return;
  Region* const region = region_of(reinterpret_cast<std::uintptr_t>(address));
  if (region == nullptr) return;
  const auto begin = reinterpret_cast<std::uintptr_t>(address);
  region->mark_written(begin, std::min(bytes, region->bytes() - (begin - region->begin())));
}

void memory_copied(const void* to, const void* from, std::size_t bytes) {
  if (!details_wanted()) return;
  const Region* const source = region_of(reinterpret_cast<std::uintptr_t>(from));
  if (source == nullptr || source->is_written()) return memory_written(to, bytes);
  const auto begin = reinterpret_cast<std::uintptr_t>(from);
  for (std::size_t i = 0; i < bytes; ++i) {
    if (source->unwritten(begin + i, 1) == 0) memory_written(static_cast<const char*>(to) + i, 1);
  }
}

}  // namespace emulator::events
