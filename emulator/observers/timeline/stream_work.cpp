#include "events/stream_work.hpp"

#include <algorithm>
#include <iterator>
#include <map>
#include <memory>
#include <mutex>
#include <type_traits>
#include <utility>
#include <variant>

#include "base/call_site.hpp"
#include "events/stream_watcher.hpp"
#include "observers/timeline/work_steps.hpp"
#include "observers/timeline/work_text.hpp"

namespace emulator {
namespace {

using timeline::StreamInQueue;
using timeline::Ticket;
using Kind = StreamWork::Kind;
using Why = StreamWork::Why;

Kind kind_of(const timeline::Task& task) {
  return std::visit(
      [&](const auto& one) {
        using T = std::decay_t<decltype(one)>;
        if constexpr (std::is_same_v<T, timeline::KernelTask>) {
          return Kind::kernel;
        } else if constexpr (std::is_same_v<T, timeline::CopyTask>) {
          const timeline::Engine engine = timeline::steps_of(task).engine;
          return engine == timeline::Engine::copies_to_device ? Kind::copy_to_device
                 : engine == timeline::Engine::copies_to_host ? Kind::copy_to_host
                                                              : Kind::other;
        } else if constexpr (std::is_same_v<T, timeline::RecordTask> ||
                             std::is_same_v<T, timeline::WaitTask> ||
                             std::is_same_v<T, timeline::AssignTask>) {
          return Kind::mark;
        } else {
          return Kind::other;
        }
      },
      task);
}

/// Listens to the streams.
class List final : public timeline::Watcher {
 public:
  List() { timeline::add_watcher(*this); }
  ~List() override { timeline::remove_watcher(*this); }
  List(const List&) = delete;
  List& operator=(const List&) = delete;

  void issued(const Issued& issued) override {
    const std::lock_guard lock(mutex_);
    StreamWork work;
    work.kind = kind_of(issued.task);
    work.name = timeline::text_of(issued.task).name;
    if (const auto* const copy = std::get_if<timeline::CopyTask>(&issued.task)) {
      work.bytes = timeline::bytes_of(copy->extent);
    }
    for (const Ticket before : issued.after) wait_for(before, issued.stream, work);
    for (const std::size_t known : known_by_host_) work.after.push_back({known, Why::host});
    entries_[issued.ticket] = {work_.size(), issued.stream};
    work_.push_back(std::move(work));
    issued_at_.push_back(issued.at);
  }

  // Whatever thread has waited: threads that tell each other of it by other means are not seen.
  void host_waited(const std::vector<Ticket>& tickets) override {
    const std::lock_guard lock(mutex_);
    for (const Ticket ticket : tickets) {
      const auto found = entries_.find(ticket);
      if (found == entries_.end()) continue;
      const std::size_t work = found->second.work;
      if (std::ranges::find(known_by_host_, work) == known_by_host_.end()) {
        known_by_host_.push_back(work);
      }
    }
  }

  void add(std::vector<StreamWork> more) {
    const std::lock_guard lock(mutex_);
    const std::size_t first = work_.size();
    for (StreamWork& work : more) {
      for (StreamWork::Wait& wait : work.after) wait.work += first;
      work_.push_back(std::move(work));
      issued_at_.emplace_back();
    }
  }

  std::vector<StreamWork> work() const {
    const std::lock_guard lock(mutex_);
    std::vector<StreamWork> all = work_;
    for (std::size_t i = 0; i < all.size(); ++i) {
      const std::vector<timeline::SourceLine> lines = timeline::lines_of(issued_at_[i], 1);
      if (!lines.empty()) all[i].line = lines.front().line;
    }
    return all;
  }

 private:
  struct Entry {
    std::size_t work;
    StreamInQueue stream;
  };

  void wait_for(Ticket before, const StreamInQueue& stream, StreamWork& work) const {
    const auto found = entries_.find(before);
    if (found == entries_.end()) return;  // issued before the list began
    const StreamInQueue& other = found->second.stream;
    const auto one_is = [&](timeline::Blocks blocks) {
      return stream.blocks == blocks || other.blocks == blocks;
    };
    Why why = Why::event;
    if (other.number == stream.number) {
      why = Why::same_stream;
    } else if (one_is(timeline::Blocks::is_legacy) && one_is(timeline::Blocks::blocking)) {
      why = Why::default_stream;
    }
    work.after.push_back({found->second.work, why});
  }

  mutable std::mutex mutex_;
  std::vector<StreamWork> work_;
  std::vector<timeline::CallStack> issued_at_;
  std::map<Ticket, Entry> entries_;
  std::vector<std::size_t> known_by_host_;
};

std::unique_ptr<List>& list() {
  static auto& only = *new std::unique_ptr<List>;  // never destroyed: streams outlive main()
  return only;
}

struct Calls {
  std::mutex mutex;
  GraphCalls sum;
};

Calls& calls() {
  static auto& all = *new Calls;
  return all;
}

}  // namespace

void note_stream_work(bool on) {
  list() = nullptr;
  if (on) list() = std::make_unique<List>();
}

bool notes_stream_work() {
  return list() != nullptr;
}

std::vector<StreamWork> stream_work() {
  return list() ? list()->work() : std::vector<StreamWork>{};
}

void events::add_stream_work(std::vector<StreamWork> more) {
  if (list()) list()->add(std::move(more));
}

GraphCalls graph_calls() {
  const std::lock_guard lock(calls().mutex);
  return calls().sum;
}

void clear_graph_calls() {
  const std::lock_guard lock(calls().mutex);
  calls().sum = {};
}

void events::note_graph_calls(const GraphCalls& more) {
  const std::lock_guard lock(calls().mutex);
  GraphCalls& sum = calls().sum;
  sum.captures += more.captures;
  sum.instantiations += more.instantiations;
  sum.updates += more.updates;
  sum.launches += more.launches;
  sum.kernels += more.kernels;
  sum.destroyed_graphs += more.destroyed_graphs;
  sum.destroyed_executables += more.destroyed_executables;
}

}  // namespace emulator
