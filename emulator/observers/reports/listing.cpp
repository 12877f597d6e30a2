#include "observers/reports/listing.hpp"

namespace emulator {

std::string listing(const std::vector<LaunchRecord>& launches, const ListingStyle& style) {
  return reports::render(reports::group(launches, instance, lines), style);
}

}  // namespace emulator
