/// \file
/// From what was noted to the file: lanes with names, pieces where the model has placed them, and
/// arrows for what waited for what.

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "base/devices/devices.hpp"
#include "observers/timeline/notes.hpp"
#include "observers/timeline/trace_file.hpp"

namespace emulator::timeline {
namespace {

using Index = StepModel::Index;

// in_queue() in api/streams.cpp numbers them: handles are multiples of 16.
bool is_of_a_thread(const StreamInQueue& stream) {
  return stream.number % 16 == 1;
}

class Writer {
 public:
  Writer(const TimelineNotes& notes, const std::string& program)
      : notes_(notes), placed_(notes.model.place()), file_(TraceFile::Unit::steps, program) {
    name_streams();
    name_threads();
  }

  std::string text() {
    for (Index piece = 0; piece < notes_.pieces.size(); ++piece) add_piece(piece);
    for (std::size_t wait = 0; wait < notes_.waits.size(); ++wait) add_wait(wait);
    for (std::size_t number = 0; number < notes_.stagings.size(); ++number) {
      const auto& [thread, name] = notes_.stagings[number];
      const Span span = placed_.busy[number];
      file_.add(thread_lane(thread), at(span.begin), at(span.end), category::staging, name);
    }
    return file_.text(notes_.left_out);
  }

 private:
  static double at(Steps step) { return static_cast<double>(step); }
  static Lane thread_lane(std::size_t thread) { return {Lane::Of::host, thread + 1}; }

  // In the order in which they were created; the default streams first.
  void name_streams() {
    std::map<std::uint64_t, StreamInQueue> streams;
    for (const auto& piece : notes_.pieces) streams.emplace(piece.stream.number, piece.stream);
    const auto is_default = [](const StreamInQueue& stream) {
      return stream.number == numbered_for(stream.device, 0);
    };
    const auto put = [&](const StreamInQueue& stream, std::string name) {
      if (device_count() > 1) name += " of device " + std::to_string(stream.device);
      const Lane lane{Lane::Of::streams, lanes_.size() + 1};
      lanes_[stream.number] = lane;
      names_[stream.number] = (is_default(stream) ? "the " : "") + name;
      if (stream.blocks == Blocks::non_blocking) name += ", non-blocking";
      file_.name_lane(lane, name);
    };
    std::size_t threads = 0;
    std::size_t created = 0;
    for (const auto& [number, stream] : streams) {
      if (is_default(stream)) put(stream, "default stream");
    }
    for (const auto& [number, stream] : streams) {
      if (is_of_a_thread(stream))
        put(stream, "default stream of thread " + std::to_string(++threads));
    }
    for (const auto& [number, stream] : streams) {
      if (!lanes_.contains(number)) put(stream, "stream " + std::to_string(++created));
    }
  }

  void name_threads() {
    std::set<std::size_t> threads;
    for (const auto& piece : notes_.pieces) threads.insert(piece.thread);
    for (const auto& wait : notes_.waits) threads.insert(wait.thread);
    for (const std::size_t thread : threads) {
      const std::string number = " " + std::to_string(thread + 1);
      file_.name_lane(thread_lane(thread), "host" + (threads.size() > 1 ? number : ""));
    }
  }

  Lane lane_of(Index piece) const { return lanes_.at(notes_.pieces[piece].stream.number); }

  TraceFile::Item item(Index piece) const {
    const Span span = placed_.pieces[piece];
    return {lane_of(piece), at(span.begin), at(span.end)};
  }

  // The pieces that took steps and that these wait for: of each stream the last. What only makes an
  // order is replaced by what it has waited for itself.
  std::vector<Index> work_before(const std::vector<Index>& after) const {
    std::map<std::uint64_t, Index> last;
    std::set<Index> seen;
    std::vector<Index> to_visit = after;
    while (!to_visit.empty()) {
      const Index piece = to_visit.back();
      to_visit.pop_back();
      if (!seen.insert(piece).second) continue;
      const auto& noted = notes_.pieces[piece];
      if (!noted.takes_steps) {
        to_visit.insert(to_visit.end(), noted.after.begin(), noted.after.end());
        continue;
      }
      const auto [found, is_new] = last.emplace(noted.stream.number, piece);
      if (!is_new) found->second = std::max(found->second, piece);
    }
    std::vector<Index> result;
    result.reserve(last.size());
    for (const auto& [stream, piece] : last) result.push_back(piece);
    std::ranges::sort(result, std::greater<>());  // what comes later may have waited for the rest
    return result;
  }

  // Of each stream the last piece that has to come before, or is, this one; 0 is none, 1 the first.
  using Known = std::vector<Index>;
  static void learn(Known& known, const Known& more) {
    for (std::size_t lane = 0; lane < known.size(); ++lane) {
      known[lane] = std::max(known[lane], more[lane]);
    }
  }
  std::size_t column(Index piece) const { return lane_of(piece).row - 1; }

  // An arrow for each of these that is not known yet.
  void add_arrows(const std::vector<Index>& work, Known& known, const TraceFile::Item& to) {
    for (const Index other : work) {
      if (known[column(other)] > other) continue;
      file_.arrow(item(other), to);
      learn(known, known_[other]);
    }
  }

  void add_piece(Index piece) {
    const auto& noted = notes_.pieces[piece];
    const Span call = placed_.calls[piece];
    if (call.begin < call.end) {  // else it is of the call before
      file_.add(thread_lane(noted.thread), at(call.begin), at(call.end), category::call,
                noted.call);
    }
    const TraceFile::Item to = item(piece);
    if (!noted.takes_steps) return file_.mark(to.lane, to.begin, noted.category, noted.name);
    file_.add(to.lane, to.begin, to.end, noted.category, noted.name, noted.arguments);
    const std::vector<Index> work = work_before(noted.after);
    Known known(lanes_.size(), 0);
    for (const Index other : work) {
      if (column(other) == column(piece)) learn(known, known_[other]);
    }
    add_arrows(work, known, to);
    known[column(piece)] = piece + 1;
    known_[piece] = std::move(known);
  }

  // A wait for what is already done does not count.
  void add_wait(std::size_t number) {
    const auto& [thread, pieces] = notes_.waits[number];
    const Span span = placed_.waits[number];
    if (span.begin == span.end) return;
    std::set<std::string> names;
    for (const Index piece : pieces) names.insert(names_.at(notes_.pieces[piece].stream.number));
    std::string name = "waits for ";
    if (names.size() == 1) {
      name += *names.begin();
    } else {
      name += std::to_string(names.size()) + " streams";
    }
    const TraceFile::Item to{thread_lane(thread), at(span.begin), at(span.end), /*is_wait=*/true};
    file_.add(to.lane, to.begin, to.end, category::wait, name);
    Known known(lanes_.size(), 0);
    add_arrows(work_before(pieces), known, to);
  }

  const TimelineNotes& notes_;
  StepModel::Placed placed_;
  TraceFile file_;
  std::map<std::uint64_t, Lane> lanes_;
  std::map<std::uint64_t, std::string> names_;
  std::map<Index, Known> known_;  // of what takes steps
};

}  // namespace

std::string written(const TimelineNotes& notes, const std::string& program) {
  return Writer(notes, program).text();
}

}  // namespace emulator::timeline
