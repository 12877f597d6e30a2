/// @file
/// Looking at the GPU while it works, through NVML, the library behind nvidia-smi. It comes with
/// the driver and is loaded while the program runs: a machine without it measures all the same.
#pragma once

#include <memory>
#include <optional>
#include <string>

#include "clocks/clocks.hpp"

namespace course::measure {

/// A thread that looks at one GPU every 10 ms or so.
class ClockWatch {
 public:
  /// @param pci_bus_id which GPU: what cudaDeviceGetPCIBusId says
  explicit ClockWatch(const std::string& pci_bus_id);
  ClockWatch(const ClockWatch&) = delete;
  ClockWatch& operator=(const ClockWatch&) = delete;
  ~ClockWatch();

  /// Why there is nothing to be seen; empty if there is.
  const std::string& problem() const { return problem_; }

  /// The driver's version, "580.65.06".
  std::optional<std::string> driver_version() const;
  /// The highest clock of the multiprocessors.
  std::optional<unsigned> max_sm_mhz() const;

  void begin();        ///< starts to look
  ClockSummary end();  ///< stops, and sums up what was seen since begin()

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;  ///< null without NVML
  std::string problem_;
};

}  // namespace course::measure
