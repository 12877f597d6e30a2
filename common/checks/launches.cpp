#include "checks/launches.hpp"

#include "checks/costs.hpp"
#include "traffic.hpp"

namespace course::exercise {

#ifdef CUDA_EMULATOR

void expect_grids(const Run& run, std::uint64_t launches, std::uint64_t blocks) {
  std::uint64_t launched = 0;
  for (const emulator::LaunchRecord& launch : run.launches().records) {
    if (launch.grid.x == 0) continue;  // what a function of the API copied or set
    ++launched;
    const std::uint64_t its_blocks = std::uint64_t{launch.grid.x} * launch.grid.y * launch.grid.z;
    if (its_blocks < blocks) {
      FAIL(launch.kernel, " was launched with ", its_blocks, " blocks, and ", blocks,
           " are to share the work");
    }
  }
  if (launched != launches) {
    FAIL(launched, " kernels were launched, and ", launches, " is what is asked for");
  }
}

void expect_no_shared_atomics(const Run& run) {
  const std::uint64_t atomics = total(run.launches().records).shared_atomic_instructions;
  if (atomics == 0) return;
  FAIL("atomic operations in shared memory: ", detail::grouped(atomics),
       " instructions of warps, and none is needed where each thread has counters of its own");
}

void expect_copies_ahead(const Run& run, std::uint64_t least, const std::string& read) {
  const std::uint64_t ahead = run.launches().pace.copies_ahead;
  if (ahead >= least) return;
  FAIL("copies that begin while an earlier batch is in flight: ", detail::grouped(ahead),
       ", and at least ", detail::grouped(least),
       " are asked for. A step that waits for all copies lets nothing run ahead\nread again: ",
       read);
}

void expect_loads_of_a_warp(const Run& run, std::uint64_t most, const std::string& where) {
  const std::uint64_t loads = run.launches().pace.most_loads_of_a_warp;
  if (loads <= most) return;
  FAIL(where, ": one warp makes ", detail::grouped(loads),
       " load requests, one after the other, and at most ", detail::grouped(most), " pass");
}

#else

void expect_grids(const Run&, std::uint64_t, std::uint64_t) {}

void expect_no_shared_atomics(const Run&) {}

void expect_copies_ahead(const Run&, std::uint64_t, const std::string&) {}

void expect_loads_of_a_warp(const Run&, std::uint64_t, const std::string&) {}

#endif

}  // namespace course::exercise
