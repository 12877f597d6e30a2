#include "observers/reports/listing.hpp"

namespace emulator {

std::string listing(const std::vector<LaunchRecord>& launches, const ListingStyle& style) {
  return detail::render(detail::group(launches, instance, lines), style);
}

}  // namespace emulator
