#include "observers/checks/kernels/proxy_fences.hpp"

#include <utility>

#include "base/words.hpp"

namespace emulator::checks {

bool ProxyFences::is_missing(const Slot& write, unsigned starter) const {
  const Segments& segments = order_.segments();
  if (!segments.is_of_block(write) || write.is_unfinished() || segments.is_copier(write)) {
    return false;
  }
  return !order_.clocks().is_fenced(segments.thread_of(write), write.segment, starter, false);
}

bool ProxyFences::is_missing_behind_barrier(const Slot& made_by, unsigned starter) const {
  const Segments& segments = order_.segments();
  if (!segments.is_of_block(made_by)) return false;
  return !order_.clocks().is_fenced(segments.thread_of(made_by), made_by.segment, starter, true);
}

void ProxyFences::report_missing(const Slot& earlier, std::uint64_t pc, unsigned thread,
                                 std::string what) {
  const std::uint64_t earlier_pc = sites_.of(earlier).pc();
  const Repeat repeat{Repeat::What::fence, pc, earlier_pc};
  if (findings_.is_only_counted(repeat)) return;
  Finding finding;
  finding.kind = "missing-fence";
  finding.what = std::move(what);
  finding.remedy =
      "let the thread that wrote call fence_proxy_async() after its writes, before the barrier "
      "that leads to the copy; after the initialisation of mbarriers fence_mbarrier_init() is "
      "enough";
  finding.place.event = "copied by ";
  finding.others.push_back(
      place_at(earlier_pc, "written by " + findings_.earlier_thread_text(earlier)));
  findings_.report(std::move(finding), repeat, thread);
}

}  // namespace emulator::checks
