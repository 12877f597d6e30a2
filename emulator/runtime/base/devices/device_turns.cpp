#include "base/devices/device_turns.hpp"

#include <utility>

#include "base/arena.hpp"
#include "base/arena_pages.hpp"
#include "base/device_variables.hpp"
#include "base/devices/devices.hpp"

namespace emulator::base {
namespace {

constinit thread_local unsigned turns_here = 0;  // one in the other
constinit thread_local Aside* launch_here = nullptr;

int variables_are_of = 0;  // the thread that has the turn may look

void give_variables_to(int device) {
  if (device == variables_are_of) return;
  keep_variables_of(std::exchange(variables_are_of, device));
  bring_variables_of(device);
}

}  // namespace

DeviceTurn::DeviceTurn() {
  if (device_count() == 1 || turns_here++ > 0) return;
  TurnQueue::get().begin(launch_here != nullptr ? std::exchange(launch_here->number, 0) : 0);
}

DeviceTurn::~DeviceTurn() {
  if (device_count() > 1 && --turns_here == 0) TurnQueue::get().end();
}

RunsAside::RunsAside(Aside& launch) {
  launch_here = &launch;
}

RunsAside::~RunsAside() {
  TurnQueue::get().ended(*std::exchange(launch_here, nullptr));
}

VariablesOf::VariablesOf(int device) : before_(variables_are_of) {
  give_variables_to(device);
}

VariablesOf::~VariablesOf() {
  give_variables_to(before_);
}

SharedTurn::SharedTurn() : launch_(turns_here == 1 ? launch_here : nullptr) {}

void SharedTurn::give_way(bool got_on) {
  TurnQueue::get().give_way(*launch_, got_on);
}

KernelView::KernelView() : device_(current_device()), variables_(device_) {
  hide();
}

KernelView::~KernelView() {
  show();
}

void KernelView::hide() {
  if (device_count() == 1) return;
  for (const Allocation& one : live_allocations()) {
    if (one.kind != MemoryKind::device || can_use(device_, one)) continue;
    protect_pages(one, PROT_NONE);
    hidden_.push_back(one);
  }
}

// What another host thread has freed meanwhile stays out of reach.
void KernelView::show() {
  for (const Allocation& one : hidden_) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what the table holds
    const auto now = lookup(reinterpret_cast<const void*>(one.base));
    if (now && now->serial == one.serial) protect_pages(one, PROT_READ | PROT_WRITE);
  }
  hidden_.clear();
}

void KernelView::give_way(bool got_on) {
  show();
  give_variables_to(0);
  turn_.give_way(got_on);
  give_variables_to(device_);
  hide();
}

}  // namespace emulator::base
