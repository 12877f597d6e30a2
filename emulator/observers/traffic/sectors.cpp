#include "observers/traffic/sectors.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <limits>

namespace emulator::traffic {
namespace {

constexpr std::uint64_t nothing = std::numeric_limits<std::uint64_t>::max();

// For addresses that ascend. Returns how many lanes it got through before one did not.
unsigned count_ascending(const std::uint64_t* addresses, unsigned active, unsigned bytes,
                         GlobalCost& cost) {
  std::uint64_t sectors_to = 0;  // one past the last sector counted so far
  std::uint64_t bytes_to = 0;    // one past the last byte
  cost = {0, 0};
  for (unsigned i = 0; i < active; ++i) {
    const std::uint64_t begin = addresses[i];
    const std::uint64_t end = begin + bytes;
    if (end < bytes_to) return i;
    const std::uint64_t sectors_from = std::max(begin / sector_bytes, sectors_to);
    sectors_to = (end - 1) / sector_bytes + 1;
    cost.sectors += static_cast<unsigned>(sectors_to - sectors_from);
    cost.bytes += static_cast<unsigned>(end - std::max(begin, bytes_to));
    bytes_to = end;
  }
  return active;
}

// The sectors that a request touches, and which of their bytes: a small hash table.
class TouchedSectors {
 public:
  TouchedSectors() { number_.fill(nothing); }

  void add(std::uint64_t address, unsigned bytes) {
    while (bytes > 0) {
      const auto first = static_cast<unsigned>(address % sector_bytes);
      const unsigned here = std::min(bytes, sector_bytes - first);
      mark(address / sector_bytes, (here == 32 ? ~0U : (1U << here) - 1U) << first);
      address += here;
      bytes -= here;
    }
  }
  const GlobalCost& cost() const { return cost_; }

 private:
  // Twice as many as 32 lanes can touch.
  static constexpr std::size_t slots = 128;

  void mark(std::uint64_t number, std::uint32_t bytes) {
    std::size_t slot = static_cast<std::size_t>((number * 0x9E3779B97F4A7C15U) >> 57);
    while (number_[slot] != number) {
      if (number_[slot] == nothing) {
        number_[slot] = number;
        bytes_[slot] = 0;
        ++cost_.sectors;
        break;
      }
      slot = (slot + 1) % slots;
    }
    cost_.bytes += static_cast<unsigned>(std::popcount(bytes & ~bytes_[slot]));
    bytes_[slot] |= bytes;
  }

  std::array<std::uint64_t, slots> number_;
  std::array<std::uint32_t, slots> bytes_;  // one bit per byte; only where there is a number
  GlobalCost cost_{0, 0};
};

}  // namespace

GlobalCost count_sectors(const std::uint64_t* addresses, unsigned active, unsigned bytes) {
  // Neighbouring lanes mostly ask for ascending addresses, and then no memory is needed.
  GlobalCost cost;
  if (count_ascending(addresses, active, bytes, cost) == active) return cost;
  TouchedSectors touched;
  for (unsigned i = 0; i < active; ++i) touched.add(addresses[i], bytes);
  return touched.cost();
}

}  // namespace emulator::traffic
