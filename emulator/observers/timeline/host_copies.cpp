#include "observers/timeline/host_copies.hpp"

#include <algorithm>
#include <memory>
#include <mutex>
#include <set>
#include <variant>
#include <vector>

#include "base/copy_waits.hpp"
#include "events/stream_watcher.hpp"
#include "observers/timeline/work_steps.hpp"

namespace emulator {
namespace {

using namespace timeline;

/// Whether a copy is one between host and device, and which side of it is the host's.
bool find_host_side(const CopyTask& copy, Side& host) {
  const Side to = side_of(copy.to.origin);
  const Side from = copy.staged ? Side::pageable : side_of(copy.from.origin);
  const auto is_hosts = [](Side side) { return side == Side::pageable || side == Side::pinned; };
  if (is_hosts(to) == is_hosts(from)) return false;
  host = is_hosts(to) ? to : from;
  return true;
}

class Counter final : public Watcher {
 public:
  void issued(const Issued& issued) override {
    const auto* const copy = std::get_if<CopyTask>(&issued.task);
    Side host{};
    if (copy == nullptr || !find_host_side(*copy, host)) return;
    const std::scoped_lock lock(mutex_);
    if (host == Side::pageable) {
      ++counted_.pageable;
      counted_.pageable_bytes += bytes_of(copy->extent);
      return;
    }
    ++counted_.pinned;
    counted_.pinned_bytes += bytes_of(copy->extent);
    on_their_way_.insert(issued.ticket);
    counted_.most_on_their_way =
        std::max(counted_.most_on_their_way, std::uint64_t{on_their_way_.size()});
  }
  void ended(Ticket ticket) override {
    const std::scoped_lock lock(mutex_);
    on_their_way_.erase(ticket);
  }

  HostCopies counted() const {
    const std::scoped_lock lock(mutex_);
    return counted_;
  }
  void add(const HostCopies& copies) {
    const std::scoped_lock lock(mutex_);
    counted_ += copies;
  }

 private:
  mutable std::mutex mutex_;
  HostCopies counted_;
  std::set<Ticket> on_their_way_;
};

std::unique_ptr<Counter>& counter() {
  static auto& one = *new std::unique_ptr<Counter>;  // never destroyed
  return one;
}

}  // namespace

HostCopies& HostCopies::operator+=(const HostCopies& other) {
  pinned += other.pinned;
  pageable += other.pageable;
  pinned_bytes += other.pinned_bytes;
  pageable_bytes += other.pageable_bytes;
  most_on_their_way = std::max(most_on_their_way, other.most_on_their_way);
  return *this;
}

void timeline::watch_host_copies(bool on) {
  if (counter()) remove_watcher(*counter());
  counter() = on ? std::make_unique<Counter>() : nullptr;
  if (counter()) add_watcher(*counter());
}

bool host_copies_are_counted() {
  return counter() != nullptr;
}

HostCopies host_copies() {
  return counter() ? counter()->counted() : HostCopies{};
}

void timeline::add_host_copies(const HostCopies& copies) {
  if (counter()) counter()->add(copies);
}

}  // namespace emulator
