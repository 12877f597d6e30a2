#include "events/bulk_copies.hpp"

#include <algorithm>

namespace emulator::events {

std::uint64_t bulk_sectors(std::uint64_t global, std::uint64_t shared, std::size_t bytes) {
  constexpr std::uint64_t line_bytes = 128;
  std::uint64_t sectors = 0;
  for (std::uint64_t done = 0; done < bytes;) {
    const std::uint64_t to_line_end = line_bytes - (shared + done) % line_bytes;
    const std::uint64_t piece = std::min<std::uint64_t>(to_line_end, bytes - done);
    const std::uint64_t begin = global + done;
    sectors += (begin + piece - 1) / sector_bytes - begin / sector_bytes + 1;
    done += piece;
  }
  return sectors;
}

}  // namespace emulator::events
