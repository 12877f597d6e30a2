/// @file
/// Chapter 30: what is joined to what, and what a hop costs.
#pragma once

#include <algorithm>
#include <cstdio>
#include <string>

#include "flags.hpp"

namespace gpus {

/// What a device is to another one: from its memory's access to the link's rank, which CUDA counts
/// from 0, the best.
inline std::string topology_line(const Group& group) {
  std::string line = std::to_string(group.size()) + " devices";
  if (group.size() < 2) return "1 device";
  int atomics = 0, rank = 0;
  CUDA_CHECK(cudaDeviceGetP2PAttribute(&atomics, cudaDevP2PAttrNativeAtomicSupported, 0, 1));
  CUDA_CHECK(cudaDeviceGetP2PAttribute(&rank, cudaDevP2PAttrPerformanceRank, 0, 1));
  return line + ", each with access to the memory of all others; atomics over the link: " +
         (atomics != 0 ? "yes" : "no") + "; rank of the link: " + std::to_string(rank);
}

/// Copies between devices 0 and 1.
class PeerCopies {
 public:
  PeerCopies(const Group& group, std::size_t bytes)
      : group_(group), bytes_(bytes), from_(group, bytes), to_(group, bytes) {}
  /// Device 0's array to device 1, or both to each other at the same time; several times, in the
  /// streams of kernels.
  void launch(int times, bool both) const {
    group_.fork();
    for (int i = 0; i < times; ++i) {
      CUDA_CHECK(cudaMemcpyPeerAsync(to_[1], 1, from_[0], 0, bytes_, group_.stream(0)));
      if (both) {
        CUDA_CHECK(cudaMemcpyPeerAsync(to_[0], 0, from_[1], 1, bytes_, group_.stream(1)));
      }
    }
    group_.join();
  }
  void fill(unsigned char value) const {
    group_.for_each([&](int me) { CUDA_CHECK(cudaMemset(from_[me], value + me, bytes_)); });
    to_.poison();
  }
  /// Whether the copies of the last launch are there.
  bool is_right(unsigned char value, bool both) const {
    const auto all_are = [&](int me, unsigned char wanted) {
      const std::vector<unsigned char> got = to_.to_host(me);
      return std::all_of(got.begin(), got.end(), [=](unsigned char c) { return c == wanted; });
    };
    return all_are(1, value) && (!both || all_are(0, value + 1));
  }

 private:
  const Group& group_;
  std::size_t bytes_;
  Arrays<unsigned char> from_, to_;
};

/// Devices 0 and 1 meet again and again, in kernels of one block each.
inline void launch_meetings(const Group& group, const Arrays<unsigned>& flags, unsigned times) {
  flags.clear();
  Peers peers{};
  for (int me = 0; me < 2; ++me) peers.flags[me] = flags[me];
  for (int me = 0; me < 2; ++me) {
    const OnDevice there(me);
    meetings<2><<<1, 32, 0, group.stream(me)>>>(peers, me, times);
    CUDA_CHECK_LAUNCH();
  }
}

}  // namespace gpus
