/// \file
/// Stores and reductions whose end an mbarrier signals (st.async, red.async): like bulk copies in,
/// but that they bring a value of the thread's and not what is in memory.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <utility>

#include "emulator/device/mbarriers.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"

namespace emulator::engine {
namespace {

template <class T>
T combined(AsyncOperation operation, T old, T value) {
  switch (operation) {
    case AsyncOperation::add:
      return old + value;
    case AsyncOperation::min:
    case AsyncOperation::signed_min:
      return std::min(old, value);
    case AsyncOperation::max:
    case AsyncOperation::signed_max:
      return std::max(old, value);
    case AsyncOperation::inc:
      return old >= value ? 0 : old + 1;
    case AsyncOperation::dec:
      return old == 0 || old > value ? value : old - 1;
    case AsyncOperation::bits_and:
      return old & value;
    case AsyncOperation::bits_or:
      return old | value;
    case AsyncOperation::bits_xor:
      return old ^ value;
    default:
      return value;
  }
}

template <class T>
void combine(const BulkCopy& copy) {
  T old{};
  T value{};
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was kept
  void* const to = reinterpret_cast<void*>(copy.to);
  std::memcpy(&old, to, sizeof(T));
  std::memcpy(&value, copy.stored.data(), sizeof(T));
  value = combined(copy.operation, old, value);
  std::memcpy(to, &value, sizeof(T));
}

void start(void* to, const void* value, unsigned bytes, void* barrier, AsyncOperation operation,
           const void* pc) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  const char* const what =
      operation == AsyncOperation::store ? "an asynchronous store" : "an asynchronous reduction";
  if (!lane->worker->grid().has_explicit_clusters()) {
    refuse(*lane, pc, needs_clusters, "%s in a launch without clusters", what);
  }
  if (address_of(to) % bytes != 0) {
    refuse(*lane, pc, misaligned, "%s of %u bytes has an address that is not a multiple of that",
           what, bytes);
  }
  if (!lane->worker->is_shared_of_cluster(address_of(to))) {
    refuse(*lane, pc, wrong_space, "%s goes outside shared memory", what);
  }
  if (lane->worker->seat().owner_of(address_of(to)) !=
      lane->worker->seat().owner_of(address_of(barrier))) {
    refuse(*lane, pc, misuse, "%s signals an mbarrier in another block than its target", what);
  }
  BulkCopy copy;
  copy.operation = operation;
  copy.is_store = true;
  copy.bytes = bytes;
  copy.to = address_of(to);
  std::memcpy(copy.stored.data(), value, bytes);
  const std::size_t number =
      add_copy_in(*lane, std::move(copy), barrier_at(*lane, barrier, pc), pc);
  record_event(AsyncEvent::stores, number, pc);
}

}  // namespace

void write_store(const BulkCopy& copy) {
  const bool is_signed =
      copy.operation == AsyncOperation::signed_min || copy.operation == AsyncOperation::signed_max;
  if (copy.operation == AsyncOperation::store) {
    // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was kept
    std::memcpy(reinterpret_cast<void*>(copy.to), copy.stored.data(), copy.bytes);
  } else if (copy.bytes == 8) {
    combine<std::uint64_t>(copy);
  } else if (is_signed) {
    combine<std::int32_t>(copy);
  } else {
    combine<std::uint32_t>(copy);
  }
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void async_store(void* to, const void* value, unsigned bytes, void* barrier) {
  start(to, value, bytes, barrier, AsyncOperation::store, __builtin_return_address(0));
}

void async_reduce(void* to, const void* value, unsigned bytes, void* barrier,
                  AsyncOperation operation) {
  start(to, value, bytes, barrier, operation, __builtin_return_address(0));
}

}  // namespace emulator::detail
