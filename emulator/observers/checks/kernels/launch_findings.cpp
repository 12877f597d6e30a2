#include "observers/checks/kernels/launch_findings.hpp"

#include <algorithm>
#include <utility>

#include "base/source_places.hpp"
#include "base/words.hpp"
#include "observers/checks/access_words.hpp"

namespace emulator::checks {

void LaunchFindings::begin_launch() {
  unwritten_.clear();
  repeats_.clear();
  launched_at_ = call_stack();
}

namespace {

// The kernel with its template arguments, if code of its own is at `pc`; else as the launch names
// it, if that is not a variable.
std::string kernel_at(std::uint64_t pc, const ObservedLaunch& launch) {
  std::string instance = instance_among(launch.kernel, place_of(pc).functions);
  return instance.empty() ? kernel_name(launch.kernel, launch.function) : instance;
}

}  // namespace

void LaunchFindings::complete(Finding& finding, std::uint64_t pc, unsigned thread) const {
  finding.kernel = kernel_at(pc, running_.launch());
  finding.place.event += running_.thread_text(thread);
  put_place(finding, pc);
  finding.in_kernel = true;
  finding.block = running_.block_of(thread);
  finding.thread = running_.index_of(thread);
}

// The program's line first, which has called a library's function or launched its kernel. What has
// no line is also reported with the launch.
void LaunchFindings::put_place(Finding& finding, std::uint64_t pc) const {
  std::vector<FindingPlace> places = places_at(pc, finding.place.event);
  const bool is_known = places[0].line != 0 && !is_of_library(places[0].file);
  if (!is_known) {
    if (const auto launched = lines_of(launched_at_, 1); !launched.empty()) {
      places.insert(places.begin(), {launched[0].file, launched[0].line, "launched here"});
    }
  }
  finding.place = std::move(places[0]);
  finding.others.insert(finding.others.begin(), places.begin() + 1, places.end());
}

void LaunchFindings::add_earlier(Finding& finding, std::uint64_t pc, const std::string& event) {
  const std::vector<FindingPlace> places = places_at(pc, event);
  finding.others.insert(finding.others.begin(), places.begin(), places.end());
}

FindingId LaunchFindings::report(Finding finding, std::uint64_t pc, unsigned thread) {
  complete(finding, pc, thread);
  ++count_;
  return add_finding(std::move(finding));
}

std::string LaunchFindings::earlier_thread_text(const Slot& slot) const {
  const Segments& segments = order_.segments();
  if (segments.is_copier(slot)) return "an asynchronous copy";
  if (segments.is_of_block(slot)) return running_.thread_text(segments.thread_of(slot));
  return running_.other_block_text(segments.count_of_block(slot));
}

// ---------------------------------------------------------------- found again and again

std::size_t LaunchFindings::RepeatHash::operator()(const Repeat& repeat) const {
  const std::uint64_t mixed = (repeat.pc * 31 + repeat.other_pc) * 31;
  return std::hash<std::uint64_t>()(mixed + static_cast<std::uint64_t>(repeat.what));
}

// The first ones are described in full: the same two places of the code may be wrong in several
// ways. From then on that would cost more than everything else.
bool LaunchFindings::is_only_counted(const Repeat& repeat) {
  RepeatCount& known = repeats_[repeat];
  if (++known.times <= most_described || known.latest.clearings == 0) return false;
  ++count_;
  count_finding(known.latest);
  return true;
}

FindingId LaunchFindings::report(Finding finding, const Repeat& repeat, unsigned thread) {
  return repeats_[repeat].latest = report(std::move(finding), repeat.pc, thread);
}

// ---------------------------------------------------------------- told at the end

LaunchFindings::Unwritten& LaunchFindings::unwritten_at(const CodeSite& site) {
  const auto known = std::find_if(unwritten_.begin(), unwritten_.end(),
                                  [&](const Unwritten& one) { return one.site == &site; });
  return known != unwritten_.end() ? *known : unwritten_.emplace_back(Unwritten{&site});
}

bool LaunchFindings::is_unwritten_only_counted(const CodeSite& site) {
  Unwritten& unwritten = unwritten_at(site);
  if (unwritten.described.size() < most_described) return false;
  ++count_;
  ++unwritten.more;
  return true;
}

void LaunchFindings::keep_unwritten(Finding finding, const CodeSite& site, unsigned thread) {
  ++count_;
  complete(finding, site.pc(), thread);
  unwritten_at(site).described.push_back(std::move(finding));
}

void LaunchFindings::tell_unwritten() {
  for (Unwritten& unwritten : unwritten_) {
    const bool races = unwritten.site->races();
    for (Finding& finding : unwritten.described) {
      if (races) {
        finding.remedy =
            "fix the race above first: it lets a thread read before another has written. If this "
            "remains, " +
            finding.remedy;
      }
      finding.times += std::exchange(unwritten.more, 0);
      add_finding(std::move(finding));
    }
  }
  unwritten_.clear();
}

}  // namespace emulator::checks
