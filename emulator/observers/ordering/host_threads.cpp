#include "observers/ordering/host_threads.hpp"

#include <dlfcn.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <utility>

#include "observers/ordering/ordering.hpp"

namespace emulator::events {
constinit std::atomic<bool> several_host_threads{false};
}

namespace emulator::ordering {

namespace {

constinit thread_local Agent* own = nullptr;                  // null: as the first thread
constinit thread_local const volatile void* taken = nullptr;  // to be found before the next deed

constinit std::atomic<bool> are_one{false};  // for good

std::uintptr_t number(const volatile void* object) {
  return reinterpret_cast<std::uintptr_t>(object);
}

}  // namespace

void* replaced_function(const char* name, const char* version) {
  void* found = version != nullptr ? dlvsym(RTLD_NEXT, name, version) : nullptr;
  if (found == nullptr) found = dlsym(RTLD_NEXT, name);
  if (found != nullptr) return found;
  // Build systems that link by themselves do not ask emucc, which refuses to link like this.
  std::fprintf(stderr,
               "emulator: error: this program is linked statically, without the shared library "
               "whose %s() the runtime calls: link it without -static\n",
               name);
  std::_Exit(2);
}

Agent& Ordering::host() {
  Agent* const piece = piece_of_this_thread();
  Agent& agent = is_host_function(piece)                  ? *piece
                 : own != nullptr && several_host_threads ? *own
                                                          : unseen_host_;
  if (const volatile void* const object = std::exchange(taken, nullptr)) {
    const auto found = left_.find(number(object));
    if (found != left_.end()) learn(agent, found->second);
  }
  return agent;
}

void note_another_host_thread() {
  several_host_threads = !are_one;
}

void become_host_thread(Agent& agent) {
  own = &agent;
}

void Ordering::learn_of_all_hosts() {
  Agent& agent = host();
  learn(agent, tell(unseen_host_));
  for (const std::weak_ptr<Agent>& thread : host_threads_) {
    if (const std::shared_ptr<Agent> other = thread.lock()) learn(agent, tell(*other));
  }
}

void stop_telling_host_threads_apart() {
  are_one = true;
  several_host_threads = false;
}

std::shared_ptr<Agent> Ordering::begin_host_thread() {
  auto thread = std::make_shared<Agent>();
  thread->actor = actors_++;
  thread->clock = tell(host());
  thread->clock.set(thread->actor, 1);
  ++live_host_threads_;
  host_threads_.push_back(thread);
  return thread;
}

void Ordering::end_host_thread(const Agent& thread) {
  learn(host(), thread.clock);
  --live_host_threads_;
}

struct Team {
  Clock before;
  Clock after;
};

Team* begin_team() {
  if (!order_checks_on || Ordering::Lock::is_held()) return nullptr;
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  auto team = std::make_unique<Team>();
  team->before = all.tell(all.host());
  return team.release();
}

void enter_team(Team* team) {
  if (team == nullptr) return;
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  all.learn(all.host(), team->before);
}

void leave_team(Team* team) {
  if (team == nullptr) return;
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  team->after.learn(all.tell(all.host()));
}

void end_team(Team* team) {
  if (team == nullptr) return;
  const std::unique_ptr<Team> owner(team);
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  all.learn(all.host(), team->after);
}

}  // namespace emulator::ordering

namespace emulator::events {

using namespace ordering;

void thread_hands_on(const volatile void* object) {
  if (!is_handing_on() || Ordering::Lock::is_held()) return;
  Ordering& all = Ordering::get();
  const Ordering::Lock lock(all);
  all.leave_at(number(object));
}

void thread_takes_over(const volatile void* object) {
  if (!is_handing_on() || Ordering::Lock::is_held()) return;
  const Ordering::Lock lock(Ordering::get());
  Ordering::get().host();
  taken = object;
}

void thread_takes_over_from_all() {
  if (!is_handing_on() || Ordering::Lock::is_held()) return;
  const Ordering::Lock lock(Ordering::get());
  Ordering::get().learn_of_all_hosts();
}

}  // namespace emulator::events
