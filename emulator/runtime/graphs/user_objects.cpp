#include "graphs/user_objects.hpp"

#include <bit>
#include <climits>
#include <cstdint>
#include <mutex>

#include "base/host_state.hpp"
#include "emulator/host/graphs.h"
#include "graphs/graph.hpp"

namespace emulator::graphs {
namespace {

struct UserObject {
  void* pointer;
  cudaHostFn_t destroy;
  std::uint64_t references;
};

// To use the members, hold the mutex.
struct UserObjects {
  std::mutex mutex;
  std::map<cudaUserObject_t, UserObject> live;
  std::uintptr_t next = 0x5000'0000;
};

// Never destroyed, for static objects' destructors.
UserObjects& user_objects() {
  static auto& all = *new UserObjects;
  return all;
}

bool is_count(unsigned count) {
  return count != 0 && count <= INT_MAX;
}

cudaError_t retain(cudaUserObject_t handle, unsigned count) {
  UserObjects& all = user_objects();
  const std::lock_guard lock(all.mutex);
  const auto found = all.live.find(handle);
  if (found == all.live.end()) return cudaErrorInvalidValue;
  found->second.references += count;
  return cudaSuccess;
}

// The destructor is called with nothing locked: what it does is the program's affair.
cudaError_t release(cudaUserObject_t handle, unsigned count) {
  UserObjects& all = user_objects();
  UserObject last{};
  {
    const std::lock_guard lock(all.mutex);
    const auto found = all.live.find(handle);
    if (found == all.live.end() || found->second.references < count) return cudaErrorInvalidValue;
    found->second.references -= count;
    if (found->second.references > 0) return cudaSuccess;
    last = found->second;
    all.live.erase(found);
  }
  const InStreamCallback inside;
  last.destroy(last.pointer);
  return cudaSuccess;
}

}  // namespace

UserReferences::UserReferences(const UserReferences& other) {
  for (const auto& [object, count] : other.counts_) add(object, 1, true);
}

UserReferences::~UserReferences() {
  for (const auto& [object, count] : counts_) release(object, count);
}

cudaError_t UserReferences::add(cudaUserObject_t object, unsigned count, bool is_new) {
  const cudaError_t error = is_new ? retain(object, count) : retain(object, 0);
  if (error == cudaSuccess) counts_[object] += count;
  return error;
}

cudaError_t UserReferences::remove(cudaUserObject_t object, unsigned count) {
  const auto found = counts_.find(object);
  if (found == counts_.end() || found->second < count) return cudaErrorInvalidValue;
  found->second -= count;
  if (found->second == 0) counts_.erase(found);
  return release(object, count);
}

}  // namespace emulator::graphs

using namespace emulator::graphs;

cudaError_t cudaUserObjectCreate(cudaUserObject_t* object, void* pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags) {
  if (object == nullptr || destroy == nullptr || !is_count(references) ||
      flags != cudaUserObjectNoDestructorSync) {
    return report(cudaErrorInvalidValue);
  }
  return device_call([&] {
    UserObjects& all = user_objects();
    const std::lock_guard lock(all.mutex);
    *object = std::bit_cast<cudaUserObject_t>(all.next);
    all.next += 16;
    all.live[*object] = {pointer, destroy, references};
    return cudaSuccess;
  });
}

cudaError_t cudaUserObjectRetain(cudaUserObject_t object, unsigned int count) {
  if (!is_count(count)) return report(cudaErrorInvalidValue);
  return device_call([&] { return retain(object, count); });
}

cudaError_t cudaUserObjectRelease(cudaUserObject_t object, unsigned int count) {
  if (!is_count(count)) return report(cudaErrorInvalidValue);
  return device_call([&] { return release(object, count); });
}

cudaError_t cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                      unsigned int count, unsigned int flags) {
  if (!is_count(count) || flags > cudaGraphUserObjectMove) return report(cudaErrorInvalidValue);
  return with_graph(graph, [&](Graph& live) {
    return live.references.add(object, count, flags != cudaGraphUserObjectMove);
  });
}

cudaError_t cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count) {
  if (!is_count(count)) return report(cudaErrorInvalidValue);
  return with_graph(graph, [&](Graph& live) { return live.references.remove(object, count); });
}
