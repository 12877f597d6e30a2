// Prints accesses of a warp as the emulator counts them, a line of JSON each, for the site's
// explorer to be held against:
//
//   random_accesses COUNT
//
// {"bytes":4,"store":0,"lanes":[0,4,null,…],"sectors":…,"ideal":…,"wavefronts":…,"conflicts":…}

#include <array>
#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

#include "observers/traffic/banks.hpp"
#include "observers/traffic/sectors.hpp"

namespace {

using emulator::events::warp_size;
using emulator::traffic::SharedRequest;

std::mt19937 engine{24};  // NOLINT(cert-msc51-cpp): the same accesses every time

unsigned below(unsigned limit) {
  return std::uniform_int_distribution<unsigned>(0, limit - 1)(engine);
}

// Half of the accesses have all lanes; in the others the last ones are missing, or any.
std::uint32_t some_lanes() {
  switch (below(4)) {
    case 0:
      return ~0U >> below(32);
    case 1:
      return below(~0U) | 1U << below(32);
    default:
      return ~0U;
  }
}

// Indices as kernels have them: strides, rows, pairs of lanes, swaps, lookups in small and large
// tables.
SharedRequest random_request() {
  SharedRequest request;
  request.bytes = 1U << below(5);
  request.is_store = below(2) == 0;
  request.active = some_lanes();
  const unsigned kind = below(7), a = below(65), b = below(40), width = 1U << below(6);
  const unsigned shift = below(20) == 0 ? below(request.bytes) : 0;  // seldom: not aligned
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const std::array<unsigned, 7> index{a * lane + b,
                                        lane / width * a + b,
                                        lane % width * a,
                                        (lane ^ b % 32) * (1 + a / 32),
                                        (lane & ~3U) + b,
                                        below(1 + a),
                                        below(100'000) / (1 + b)};
    request.address[lane] = std::uint64_t{index[kind]} * request.bytes + shift;
  }
  return request;
}

void print(const SharedRequest& request) {
  std::array<std::uint64_t, warp_size> asked{};
  unsigned active = 0;
  std::cout << R"({"bytes":)" << request.bytes << R"(,"store":)" << request.is_store
            << R"(,"lanes":[)";
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    std::cout << (lane == 0 ? "" : ",");
    if ((request.active >> lane & 1U) == 0) {
      std::cout << "null";
      continue;
    }
    std::cout << request.address[lane];
    asked[active++] = request.address[lane];
  }
  const auto global = emulator::traffic::count_sectors(asked.data(), active, request.bytes);
  const auto shared = emulator::traffic::count_wavefronts(request);
  std::cout << R"(],"sectors":)" << global.sectors << R"(,"ideal":)" << ideal_sectors(global)
            << R"(,"wavefronts":)" << shared.wavefronts << R"(,"conflicts":)"
            << shared.wavefronts - shared.groups << "}\n";
}

}  // namespace

int main(int argc, char** argv) {
  const int count = argc == 2 ? std::atoi(argv[1]) : 0;  // NOLINT(cert-err34-c): 0 is refused
  if (count < 1) {
    std::cerr << "random_accesses: want the number of accesses\n";
    return 2;
  }
  for (int i = 0; i < count; ++i) print(random_request());
}
