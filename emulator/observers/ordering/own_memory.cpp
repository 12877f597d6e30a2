#include "observers/ordering/own_memory.hpp"

#include <pthread.h>

#include <algorithm>

#include "events/host_accesses.hpp"
#include "observers/ordering/touched_memory.hpp"

extern char __data_start[] __attribute__((weak));
extern char _end[] __attribute__((weak));

namespace emulator::events {

constinit SharedRange own_variables_range;
constinit SharedRange own_stack_range;
constinit thread_local const void* host_function_frame = nullptr;

}  // namespace emulator::events

namespace emulator::ordering {
namespace {

struct Range {
  std::uintptr_t begin = 0;
  std::uintptr_t end = 0;

  bool holds(std::uintptr_t address) const { return address - begin < end - begin; }
  void widen(std::uintptr_t from, std::uintptr_t to) {
    begin = begin == end ? from : std::min(begin, from);
    end = std::max(end, to);
  }
};

// What was used so far.
constinit Range used_variables;
constinit Range used_stack;
constinit int running = 0;

constinit thread_local Range stack_here;  // while a host function runs

Range all_variables() {
  return {reinterpret_cast<std::uintptr_t>(__data_start), reinterpret_cast<std::uintptr_t>(_end)};
}

std::uintptr_t end_of_stack() {
  pthread_attr_t attributes;
  if (pthread_getattr_np(pthread_self(), &attributes) != 0) return 0;
  void* begin = nullptr;
  std::size_t bytes = 0;
  pthread_attr_getstack(&attributes, &begin, &bytes);
  pthread_attr_destroy(&attributes);
  return reinterpret_cast<std::uintptr_t>(begin) + bytes;
}

void watch(SharedRange& watched, const Range& range) {
  watched.bytes = 0;
  watched.begin = range.begin;
  watched.bytes = range.end - range.begin;
}

}  // namespace

void host_function_begins(const void* frame) {
  static thread_local const std::uintptr_t end = end_of_stack();
  const auto begin = reinterpret_cast<std::uintptr_t>(frame);
  stack_here = begin < end ? Range{begin, end} : Range{};
  ++running;
  Range stack = used_stack;
  if (begin < end) stack.widen(begin, end);
  watch(own_stack_range, stack);
  watch(own_variables_range, all_variables());
}

void host_function_ended() {
  stack_here = {};
  if (--running > 0) return;
  watch(own_stack_range, used_stack);
  watch(own_variables_range, used_variables);
}

bool is_shared_by_host_function(std::uintptr_t address) {
  if (stack_here.begin == stack_here.end) return false;
  const auto frame = reinterpret_cast<std::uintptr_t>(host_function_frame);
  return (stack_here.holds(address) && address > frame) ||
         (all_variables().holds(address) && !is_in_device_variable(address));
}

void watch_own_memory(std::uintptr_t address) {
  Range& used = stack_here.holds(address) ? used_stack : used_variables;
  used.widen(address, address + 16);
}

void forget_own_memory() {
  used_variables = used_stack = {};
  if (running > 0) return;
  watch(own_stack_range, {});
  watch(own_variables_range, {});
}

}  // namespace emulator::ordering
