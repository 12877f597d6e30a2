#include "base/devices/devices.hpp"

#include <array>
#include <atomic>
#include <bit>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <string_view>

namespace emulator::base {
namespace {

static_assert(most_devices <= 16);

thread_local int used_device = 0;

// For each device the peers whose memory it may use, a bit each.
constinit std::array<std::atomic<std::uint16_t>, most_devices> reachable{};

std::uint16_t bit_of(int device) {
  return static_cast<std::uint16_t>(1U << static_cast<unsigned>(device));
}

}  // namespace

int device_count() {
  static const int count = [] {
    const char* const text = std::getenv("EMULATOR_DEVICES");
    if (text == nullptr || *text == '\0') return 1;
    const std::string_view all = text;
    int value = 0;
    const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), value);
    if (error != std::errc() || end != all.data() + all.size() || value < 1 ||
        value > most_devices) {
      std::fprintf(stderr, "emulator: error: EMULATOR_DEVICES=%s: want 1 to %d\n", text,
                   most_devices);
      std::_Exit(2);
    }
    return value;
  }();
  return count;
}

int current_device() {
  return used_device;
}

void use_device(int device) {
  used_device = device;
}

Addresses addresses_of(int device) {
  if (device_count() == 1) return {arena_base, arena_size};
  const std::size_t bytes = arena_size / 2 / std::bit_ceil(static_cast<unsigned>(device_count()));
  return {arena_base + arena_size / 2 + static_cast<std::size_t>(device) * bytes, bytes};
}

int device_at(std::uintptr_t address) {
  if (address - arena_base >= arena_size) return -1;
  if (device_count() == 1) return 0;
  const Addresses first = addresses_of(0);
  if (address < first.begin) return -1;
  const auto device = static_cast<int>((address - first.begin) / first.bytes);
  return is_device(device) ? device : -1;
}

bool can_reach(int device, int owner) {
  return device == owner ||
         (reachable[static_cast<std::size_t>(device)].load() & bit_of(owner)) != 0;
}

bool can_use(int device, const Allocation& allocation) {
  if (allocation.kind != MemoryKind::device && allocation.kind != MemoryKind::symbol) return true;
  if (!allocation.users) return can_reach(device, allocation.device);
  return device == allocation.device || (*allocation.users & bit_of(device)) != 0;
}

bool allow_peer(int device, int peer, bool allowed) {
  std::atomic<std::uint16_t>& peers = reachable[static_cast<std::size_t>(device)];
  const std::uint16_t before = allowed ? peers.fetch_or(bit_of(peer))
                                       : peers.fetch_and(static_cast<std::uint16_t>(~bit_of(peer)));
  return ((before & bit_of(peer)) != 0) != allowed;
}

void forget_peers(int device) {
  reachable[static_cast<std::size_t>(device)] = 0;
  for (std::atomic<std::uint16_t>& peers : reachable) {
    peers.fetch_and(static_cast<std::uint16_t>(~bit_of(device)));
  }
}

}  // namespace emulator::base
