#include "graphs/conditions.hpp"

#include <cstdio>
#include <map>
#include <mutex>

#include "base/arena.hpp"
#include "emulator/host/graphs.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/launches/kernel_calls.hpp"
#include "events/memory_events.hpp"

namespace emulator::graphs {
namespace {

// By their handles. Nothing else is locked while this is.
struct Conditions {
  std::mutex mutex;
  std::map<cudaGraphConditionalHandle, std::weak_ptr<Condition>> by_handle;
  cudaGraphConditionalHandle next = 0x6000'0001;  // a number that nobody passes by mistake
};

// Never destroyed: destructors of the program's static objects may still destroy graphs.
Conditions& conditions() {
  static auto& all = *new Conditions;
  return all;
}

}  // namespace

std::shared_ptr<Condition> Condition::create(cudaGraph_t graph, unsigned initial,
                                             bool has_initial) {
  void* const word =
      allocate(sizeof(unsigned), MemoryKind::device, 0, "cudaGraphConditionalHandleCreate");
  if (word == nullptr) return nullptr;
  const std::shared_ptr<Condition> made(
      new Condition(graph, initial, has_initial, static_cast<unsigned*>(word)));
  Conditions& all = conditions();
  const std::lock_guard lock(all.mutex);
  made->handle_ = all.next;
  all.next += 16;
  all.by_handle[made->handle_] = made;
  return made;
}

std::shared_ptr<Condition> Condition::find(cudaGraphConditionalHandle handle) {
  Conditions& all = conditions();
  const std::lock_guard lock(all.mutex);
  const auto found = all.by_handle.find(handle);
  return found == all.by_handle.end() ? nullptr : found->second.lock();
}

Condition::Condition(cudaGraph_t graph, unsigned initial, bool has_initial, unsigned* word)
    : handle_(0), graph_(graph), initial_(initial), has_initial_(has_initial), word_(word) {}

Condition::~Condition() {
  release(word_, MemoryKind::device, MemoryKind::device, "cudaGraphDestroy");
  Conditions& all = conditions();
  const std::lock_guard lock(all.mutex);
  all.by_handle.erase(handle_);
}

bool Condition::is_in_launch() const {
  const Ticket last = last_of_launch_;
  return last == being_issued || !is_done(last);
}

void Condition::begin_launch() {
  is_set_ = has_initial_;
  if (!has_initial_) return;
  work_writes(word_, sizeof(*word_));
  std::atomic_ref(*word_).store(initial_);
}

void Condition::set(unsigned value) {
  std::atomic_ref(*word_).store(value);
  is_set_ = true;
}

Condition::Found Condition::look() const {
  work_reads(word_, sizeof(*word_));
  return {std::atomic_ref(*word_).load(), is_set_.load()};
}

}  // namespace emulator::graphs

using namespace emulator::graphs;

namespace {

constexpr Refusal no_value{"failed-kernel", cudaErrorIllegalAddress};

}  // namespace

// What a GPU makes of it is the driver's affair, and unknown; so it counts as no traffic.
void cudaGraphSetConditional(cudaGraphConditionalHandle handle, unsigned int value) {
  const void* const pc = __builtin_return_address(0);
  Lane* const lane = current_lane;
  if (lane == nullptr) {
    std::fprintf(stderr, "emulator: error: cudaGraphSetConditional() is for kernels only\n");
    return;
  }
  bool is_in_launch = false;
  const auto find = [&] {
    const KernelCall call;
    Condition* const found = Condition::find(handle).get();  // lives while a kernel of it runs
    is_in_launch = found != nullptr && found->is_in_launch();
    return found;
  };
  Condition* const condition = find();
  if (condition == nullptr) {
    refuse(*lane, pc, no_value,
           "cudaGraphSetConditional() of 0x%llx, which is the handle of no existing graph", handle);
  }
  // An H200 gives the same error to a kernel outside the graph, whether that lives or not.
  if (!is_in_launch) {
    refuse(*lane, pc, no_value,
           "cudaGraphSetConditional() of 0x%llx by a kernel that is in no launch of its graph",
           handle);
  }
  record_uncounted_store(condition->word(), sizeof(unsigned), pc);
  condition->set(value);
}
