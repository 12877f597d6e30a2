#pragma once
/// \file
/// Which lane knows what of which of a warp, which meet at __syncwarp().

#include <array>
#include <cstdint>
#include <memory>
#include <vector>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "observers/checks/happens_before/sync_log.hpp"

namespace emulator::checks {

/// What the lanes of a block's warps know of each other, by the clocks of the warps.
class WarpClocks {
 public:
  void begin_block(unsigned warps);

  /// Lanes have waited for each other; `all`: all that the warp has.
  /// \param time of the warp's clock, after that
  void meet(unsigned warp, std::uint32_t lanes, bool all, std::uint32_t time);

  /// Before what time all that `other` did comes before what `lane` does now.
  std::uint32_t known(unsigned warp, unsigned lane, unsigned other) const {
    const Warp& here = warps_[warp];
    return here.known != nullptr ? (*here.known)[lane][other] : here.synchronised;
  }
  /// Has a fence of a lane cover what the lane knows of its warp.
  void cover(unsigned warp, unsigned lane, Fence& fence) const;

 private:
  using Known = std::array<LaneTimes, warp_size>;
  struct Warp {
    std::uint32_t synchronised = 0;  // all lanes know all that was before that time
    // What lane i knows of lane j, where only some lanes have synchronised.
    std::unique_ptr<Known> known;
  };
  std::vector<Warp> warps_;
};

}  // namespace emulator::checks
