#pragma once
/// \file
/// Whether accesses stay within an allocation or a variable, and what is said of those that do not:
/// out of bounds, after the memory was freed, to the host's memory.

#include <cstdint>
#include <optional>

#include "base/rooms.hpp"
#include "events/access.hpp"
#include "events/findings.hpp"
#include "observers/checks/kernels/code_sites.hpp"
#include "observers/checks/kernels/launch_findings.hpp"
#include "observers/checks/kernels/running_block.hpp"
#include "observers/checks/kernels/shared_memories.hpp"

namespace emulator::checks {

/// Holds accesses against the bounds of memory.
class BoundsCheck {
 public:
  BoundsCheck(const RunningBlock& running, const SharedMemories& shared, LaunchFindings& findings)
      : running_(running), shared_(shared), findings_(findings) {}

  /// Whether the bytes of the request's lane number i are in one allocation or variable, which
  /// becomes the site's. If not, it is a finding.
  bool check(const Request& request, CodeSite& site, unsigned i);

  /// That lane uses an address at which the device has no memory.
  void report_outside(const Request& request, const CodeSite& site, unsigned i);

 private:
  std::optional<Extent> extent_at(std::uint64_t address, AccessKind kind) const;
  void report_bounds(const Request& request, const CodeSite& site, unsigned i);
  void report_host_memory(const Request& request, unsigned i);
  bool is_kept_from(std::uint64_t address) const;
  void report_peer(const Request& request, unsigned i);
  std::string remedy_of_bounds(const Finding& finding, bool is_global, bool is_dynamic) const;
  bool counts_elements_as_bytes(const Finding& finding) const;

  const RunningBlock& running_;
  const SharedMemories& shared_;
  LaunchFindings& findings_;
};

}  // namespace emulator::checks
