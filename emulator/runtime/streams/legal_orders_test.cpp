/// \file
/// Random programs of streams and events beside a model of what they order: in every order of the
/// emulator nothing runs before what it waits for; and as late as is legal, nothing else runs.

#include <array>
#include <bitset>
#include <cstdint>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <vector>

#include "streams/work_queue.hpp"
#include "tests/support/queue_test.hpp"

using namespace host_test;
using emulator::streams::Order;

namespace {

constexpr std::size_t steps = 60;
constexpr std::size_t streams = 6;  // legacy, per thread, two blocking, two that are not
constexpr std::size_t events = 3;
using Steps = std::bitset<steps>;

bool is_blocking(std::size_t stream) {
  return stream >= 1 && stream <= 3;
}

// For each step the set of those that have to be done before: the definition, written down.
class Model {
 public:
  // Step `now` goes to a stream, and waits for what an event stands for.
  void issue(std::size_t now, std::size_t stream, const Steps& more = {}) {
    Steps before = more;
    for (std::size_t step = 0; step < now; ++step) {
      if (!stream_of_[step]) continue;
      const std::size_t other = *stream_of_[step];
      if (other == stream || (stream == 0 && is_blocking(other)) ||
          (other == 0 && is_blocking(stream))) {
        before |= upto_[step];
      }
    }
    stream_of_[now] = stream;
    upto_[now] = before.set(now);
  }
  void record(std::size_t now, std::size_t stream, std::size_t event) {
    issue(now, stream);
    recorded_[event] = upto_[now];
  }
  void wait(std::size_t now, std::size_t stream, std::size_t event) {
    issue(now, stream, recorded_[event]);
  }

  Steps upto(std::size_t step) const { return upto_[step]; }
  Steps of_event(std::size_t event) const { return recorded_[event]; }
  Steps of_stream(std::size_t stream) const {
    Steps all;
    for (std::size_t step = 0; step < steps; ++step) {
      if (!stream_of_[step]) continue;
      const std::size_t other = *stream_of_[step];
      if (other == stream || (stream == 0 && is_blocking(other))) all |= upto_[step];
    }
    return all;
  }

 private:
  std::array<std::optional<std::size_t>, steps> stream_of_;
  std::array<Steps, steps> upto_;  // the step itself included
  std::array<Steps, events> recorded_;
};

// The same sets, of what a watcher sees.
class Told : public emulator::streams::Watcher {
 public:
  Told() { emulator::streams::add_watcher(*this); }
  ~Told() override { emulator::streams::remove_watcher(*this); }
  Told(const Told&) = delete;
  Told& operator=(const Told&) = delete;

  void issued(const Issued& piece) override {
    Steps before = union_of(piece.after);
    upto_[piece.ticket] = before.set(now);
  }
  void begins(std::uint64_t ticket) override { CHECK(running_.insert(ticket).second); }
  void ended(std::uint64_t ticket) override { CHECK(running_.erase(ticket) == 1); }
  void host_waited(const std::vector<std::uint64_t>& tickets) override {
    waited = union_of(tickets);
  }

  Steps union_of(const std::vector<std::uint64_t>& tickets) const {
    Steps all;
    for (const std::uint64_t ticket : tickets) {
      const auto found = upto_.find(ticket);
      if (found != upto_.end()) all |= found->second;  // else it was before this program
    }
    return all;
  }
  // Of the last piece.
  Steps upto() const { return upto_.empty() ? Steps{} : upto_.rbegin()->second; }

  std::size_t now = 0;
  Steps waited;

 private:
  std::map<std::uint64_t, Steps> upto_;
  std::set<std::uint64_t> running_;
};

// The steps that leave a letter, which is their number plus 1.
Steps seen(const Letters& letters) {
  Steps set;
  for (const char letter : letters.text) set.set(static_cast<std::size_t>(letter - 1));
  return set;
}

// Runs the random program of that number. Returns what it did, in order.
std::string run_program(std::uint64_t number, Order order, std::uint64_t seed,
                        bool watched = false) {
  const InOrder in_order(order, seed);
  std::mt19937_64 random(number);
  const std::array<cudaStream_t, streams> handles{nullptr,
                                                  cudaStreamPerThread,
                                                  stream_with(),
                                                  stream_with(),
                                                  stream_with(cudaStreamNonBlocking),
                                                  stream_with(cudaStreamNonBlocking)};
  std::array<cudaEvent_t, events> event_handles{};
  for (cudaEvent_t& event : event_handles) event = some_event();

  Model model;
  std::optional<Told> told;
  if (watched) told.emplace();
  Letters letters;
  Steps visible;   // steps that leave a letter
  Steps required;  // what somebody has waited for
  for (std::size_t step = 0; step < steps; ++step) {
    const std::size_t stream = random() % streams;
    const std::size_t event = random() % events;
    bool issues = true;
    if (told) told->now = step;
    switch (random() % 10) {
      case 0:
        CHECK(cudaStreamSynchronize(handles[stream]) == cudaSuccess);
        required |= model.of_stream(stream);
        if (told) CHECK(told->waited == model.of_stream(stream));
        issues = false;
        break;
      case 1:
        CHECK(cudaEventSynchronize(event_handles[event]) == cudaSuccess);
        required |= model.of_event(event);
        if (told && model.of_event(event).any()) CHECK(told->waited == model.of_event(event));
        issues = false;
        break;
      case 2:
      case 3:
        CHECK(cudaEventRecord(event_handles[event], handles[stream]) == cudaSuccess);
        model.record(step, stream, event);
        break;
      case 4:
      case 5:
        CHECK(cudaStreamWaitEvent(handles[stream], event_handles[event]) == cudaSuccess);
        model.wait(step, stream, event);
        break;
      default:
        letters.issue(handles[stream], static_cast<char>(step + 1));
        model.issue(step, stream);
        visible.set(step);
    }
    if (told && issues) CHECK(told->upto() == model.upto(step));
    const Steps done = seen(letters);
    REQUIRE((required & visible & ~done).none());
    if (order == Order::late) REQUIRE(done == (required & visible));
  }
  CHECK(cudaDeviceSynchronize() == cudaSuccess);
  CHECK(seen(letters) == visible);
  CHECK(letters.text.size() == visible.count());
  Steps before;
  for (const char letter : letters.text) {
    const auto step = static_cast<std::size_t>(letter - 1);
    before.set(step);
    REQUIRE((model.upto(step) & visible & ~before).none());
  }
  return letters.text;
}

}  // namespace

TEST_CASE("random programs run in legal orders, and the same seed repeats one") {
  std::size_t orders = 0;
  for (std::uint64_t program = 0; program < 40; ++program) {
    CAPTURE(program);
    std::set<std::string> different{run_program(program, Order::as_issued, 0),
                                    run_program(program, Order::late, 0)};
    for (std::uint64_t seed = 0; seed < 8; ++seed) {
      different.insert(run_program(program, Order::random, seed));
    }
    CHECK(run_program(program, Order::random, 3) == run_program(program, Order::random, 3));
    for (const Order order : {Order::as_issued, Order::late, Order::random}) {
      CHECK(run_program(program, order, 3, true) == run_program(program, order, 3));
    }
    orders += different.size();
  }
  CHECK(orders > 300);  // of 400: hardly two runs are alike
}
