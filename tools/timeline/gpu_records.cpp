#include "gpu_records.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <set>

#include "observers/timeline/trace_file.hpp"

namespace course::timeline {
namespace {

using emulator::timeline::Lane;
using emulator::timeline::TraceFile;
namespace category = emulator::timeline::category;

class TimelineWriter {
 public:
  TimelineWriter(GpuRecords& records, const std::string& program)
      : all_(records), file_(TraceFile::Unit::microseconds, program) {
    const auto by_call = [](const auto& a, const auto& b) { return a.correlation < b.correlation; };
    std::ranges::stable_sort(all_.work, by_call);
    std::ranges::stable_sort(all_.waits, by_call);
    for (const Call& call : all_.calls) calls_[call.correlation] = &call;
    for (const EventRecord& recording : all_.recordings) recordings_[recording.record] = &recording;
    for (const Work& work : all_.work) by_stream_[work.stream].push_back(&work);
    find_start();
    name_streams();
    name_threads();
  }

  std::string text() {
    for (const Work& work : all_.work) add_work(work);
    for (const EventRecord& recording : all_.recordings) {
      mark(recording.correlation, recording.stream, "records ", recording);
    }
    for (const Wait& wait : all_.waits) {
      if (wait.target == Wait::Target::event_in_a_stream) {
        add_wait_of_a_stream(wait);
      } else {
        add_wait_of_the_host(wait);
      }
    }
    return file_.text(all_.left_out);
  }

 private:
  // The clock begins with the first thing that is drawn.
  void find_start() {
    start_ = ~Nanoseconds{0};
    for (const Work& work : all_.work) {
      start_ = std::min(start_, work.begin);
      if (const Call* const call = call_of(work.correlation))
        start_ = std::min(start_, call->begin);
    }
  }
  double at(Nanoseconds time) const {
    return time > start_ ? static_cast<double>(time - start_) / 1000 : 0;
  }

  // CUPTI reports each new stream. One that nobody has made is a default one.
  void name_streams() {
    std::map<std::uint32_t, Stream::Kind> used;
    const auto unknown = all_.streams.empty() ? Stream::Kind::blocking : Stream::Kind::is_default;
    for (const Work& work : all_.work) used[work.stream] = unknown;
    for (const Stream& stream : all_.streams) {
      if (used.contains(stream.id)) used[stream.id] = stream.kind;
    }
    const auto put = [this](std::uint32_t id, const std::string& name) {
      const Lane lane{Lane::Of::streams, lanes_.size() + 1};
      lanes_[id] = lane;
      file_.name_lane(lane, name);
    };
    for (const auto& [id, kind] : used) {
      if (kind != Stream::Kind::is_default) continue;
      put(id, lanes_.empty() ? "default stream" : "default stream of a thread");
    }
    std::size_t count = 0;
    for (const auto& [id, kind] : used) {
      if (kind == Stream::Kind::is_default) continue;
      const bool is_apart = kind == Stream::Kind::non_blocking;
      put(id, "stream " + std::to_string(++count) + (is_apart ? ", non-blocking" : ""));
    }
  }

  // Those that issue work, in the order in which they began to.
  void name_threads() {
    for (const Work& work : all_.work) {
      if (const Call* const call = call_of(work.correlation)) {
        threads_.try_emplace(call->thread, Lane{Lane::Of::host, threads_.size() + 1});
      }
    }
    for (const auto& [thread, lane] : threads_) {
      file_.name_lane(lane, threads_.size() > 1 ? "host " + std::to_string(lane.row) : "host");
    }
  }

  const Call* call_of(Correlation correlation) const {
    const auto found = calls_.find(correlation);
    return found == calls_.end() ? nullptr : found->second;
  }

  TraceFile::Item item(const Work& work) const {
    return {lanes_.at(work.stream), at(work.begin), at(work.end)};
  }

  // The last piece in the stream before a call, and the first after it; null if there is none.
  const Work* last_before(Correlation correlation, std::uint32_t stream) const {
    const auto found = by_stream_.find(stream);
    if (found == by_stream_.end()) return nullptr;
    const auto after = std::ranges::lower_bound(found->second, correlation, {}, &number);
    return after == found->second.begin() ? nullptr : *(after - 1);
  }
  const Work* first_after(Correlation correlation, std::uint32_t stream) const {
    const auto found = by_stream_.find(stream);
    if (found == by_stream_.end()) return nullptr;
    const auto after = std::ranges::upper_bound(found->second, correlation, {}, &number);
    return after == found->second.end() ? nullptr : *after;
  }
  static Correlation number(const Work* work) { return work->correlation; }

  void add_work(const Work& work) {
    const TraceFile::Item to = item(work);
    file_.add(to.lane, to.begin, to.end, work.category, work.name, work.arguments);
    const Call* const call = call_of(work.correlation);
    if (call == nullptr || !called_.insert(work.correlation).second) return;
    const Lane host = threads_.at(call->thread);
    const double begin = at(call->begin);
    const double end = at(call->end);
    // A call that returns only after its work has ended has waited for it.
    if (call->end < work.end) return file_.add(host, begin, end, category::call, call->name);
    const double issued = std::min(begin + 1, end);
    file_.add(host, begin, issued, category::call, call->name);
    file_.add(host, issued, end, category::wait, "waits in " + call->name);
    file_.arrow(to, {host, issued, end, /*is_wait=*/true});
  }

  std::string name_of(const EventRecord& recording) {
    const auto number = std::to_string(events_.size() + 1);
    return events_.try_emplace(recording.event, "event " + number).first->second;
  }

  // An event's mark is where what it stands for ended, or where what waits for it began.
  void mark(Correlation call, std::uint32_t stream, const std::string& what,
            const EventRecord& recording) {
    const std::string name = what + name_of(recording);
    if (const Work* const work = last_before(call, stream)) {
      file_.mark(lanes_.at(stream), at(work->end), category::event, name);
    }
  }

  void add_wait_of_a_stream(const Wait& wait) {
    const auto found = recordings_.find(wait.record);
    if (found == recordings_.end()) return;
    const EventRecord& recording = *found->second;
    const Work* const from = last_before(recording.correlation, recording.stream);
    const Work* const to = first_after(wait.correlation, wait.stream);
    if (from == nullptr || to == nullptr || from->stream == to->stream) return;
    file_.mark(lanes_.at(to->stream), at(to->begin), category::event,
               "waits for " + name_of(recording));
    file_.arrow(item(*from), item(*to));
  }

  void add_wait_of_the_host(const Wait& wait) {
    if (wait.begin == 0) return;  // its times are not known
    std::vector<const Work*> awaited;
    const auto add = [&](Correlation before, std::uint32_t stream) {
      if (const Work* const work = last_before(before, stream)) awaited.push_back(work);
    };
    std::string name = "waits for everything";
    if (wait.target == Wait::Target::event) {
      const auto found = recordings_.find(wait.record);
      if (found == recordings_.end()) return;
      name = "waits for " + name_of(*found->second);
      add(found->second->correlation, found->second->stream);
    } else if (wait.target == Wait::Target::stream) {
      name = "waits for a stream";
      add(wait.correlation, wait.stream);
    } else {
      for (const auto& [stream, lane] : lanes_) add(wait.correlation, stream);
    }
    const Call* const call = call_of(wait.correlation);
    if (awaited.empty() || call == nullptr || !threads_.contains(call->thread)) return;
    const TraceFile::Item to{threads_.at(call->thread), at(wait.begin), at(wait.end),
                             /*is_wait=*/true};
    file_.add(to.lane, to.begin, to.end, category::wait, name);
    for (const Work* const work : awaited) {
      // What was done before it began to wait was not waited for.
      if (work->end > wait.begin) file_.arrow(item(*work), to);
    }
  }

  GpuRecords& all_;
  TraceFile file_;
  Nanoseconds start_ = 0;
  std::map<Correlation, const Call*> calls_;
  std::map<std::uint64_t, const EventRecord*> recordings_;
  std::map<std::uint32_t, std::vector<const Work*>> by_stream_;
  std::map<std::uint32_t, Lane> lanes_;
  std::map<std::uint32_t, Lane> threads_;
  std::map<std::uint32_t, std::string> events_;
  std::set<Correlation> called_;  // several pieces of work may come from one call
};

}  // namespace

std::string kernel_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> plain(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  std::string name = status == 0 ? plain.get() : mangled;
  if (!name.ends_with(')')) return name;
  // The parameters end the name, and may hold brackets themselves; a template says what it returns.
  std::size_t depth = 0;
  std::size_t end = name.size();
  do {
    --end;
    if (name[end] == ')') ++depth;
    if (name[end] == '(') --depth;
  } while (depth != 0 && end != 0);
  name.erase(end);
  if (name.starts_with("void ")) name.erase(0, 5);
  return name;
}

std::string timeline_of(GpuRecords records, const std::string& program) {
  return TimelineWriter(records, program).text();
}

}  // namespace course::timeline
