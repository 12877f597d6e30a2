/// \file
/// Communicators: how ranks come together, and what they tell of themselves.

#include <algorithm>
#include <cstring>
#include <set>
#include <thread>
#include <utility>

#include "base/devices/devices.hpp"
#include "emulator/host/host_api.h"
#include "libraries/common/device_work.hpp"
#include "libraries/nccl/communicator.hpp"

namespace emulator::nccl {
namespace {

thread_local std::string last_refusal;

struct Joining {
  std::shared_ptr<Clique> clique;
  std::set<int> joined;
  std::set<int> devices;
  std::thread::id without_group;  // who has called for a rank outside of a group
};

struct All {
  std::mutex mutex;
  std::set<ncclComm_t> live;
  std::map<std::uint64_t, Joining> joining;  // by what their id says
  std::uint64_t last_id = 0;
};

All& all() {
  static auto& state = *new All;  // never destroyed
  return state;
}

constexpr char mark[] = "emulator";

ncclUniqueId next_id() {
  const std::lock_guard lock(all().mutex);
  const std::uint64_t number = ++all().last_id;
  ncclUniqueId id{};
  std::memcpy(id.internal, mark, sizeof(mark));
  std::memcpy(id.internal + sizeof(mark), &number, sizeof(number));
  return id;
}

// 0 for what ncclGetUniqueId() has not made.
std::uint64_t number_in(const ncclUniqueId& id) {
  std::uint64_t number = 0;
  if (std::memcmp(id.internal, mark, sizeof(mark)) != 0) return number;
  std::memcpy(&number, id.internal + sizeof(mark), sizeof(number));
  return number;
}

// One host thread that makes several ranks without a group waits in the first call.
bool lacks_group(Joining& joining) {
  if (is_in_group()) return false;
  const std::thread::id before = std::exchange(joining.without_group, std::this_thread::get_id());
  return before == std::this_thread::get_id();
}

// \param lacks_group_to gets whether it does; null for a rank that is made with all others
ncclResult_t join(ncclComm_t* comm, int ranks, const ncclUniqueId& id, int rank, int device,
                  bool* lacks_group_to = nullptr) {
  const std::uint64_t number = number_in(id);
  const std::lock_guard lock(all().mutex);
  if (number == 0 || number > all().last_id) {
    return refuse(ncclInvalidArgument, "the id is not one of ncclGetUniqueId() in this process");
  }
  Joining& joining = all().joining[number];
  if (joining.clique == nullptr) joining.clique = std::make_shared<Clique>(ranks);
  if (joining.clique->ranks() != ranks) {
    return refuse(ncclInvalidArgument, "another rank has given another number of ranks");
  }
  if (!joining.joined.insert(rank).second) {
    return refuse(ncclInvalidUsage, "rank " + std::to_string(rank) + " has joined before");
  }
  if (!joining.devices.insert(device).second) {
    return refuse(ncclInvalidUsage,
                  "two ranks are on device " + std::to_string(device) + ": each needs its own");
  }
  if (lacks_group_to != nullptr) *lacks_group_to = lacks_group(joining);
  auto* const made = new ncclComm{joining.clique, rank, device};
  made->clique->join();
  all().live.insert(made);
  *comm = made;
  if (joining.joined.size() == static_cast<std::size_t>(ranks)) all().joining.erase(number);
  return ncclSuccess;
}

ncclResult_t leave(ncclComm_t comm) {
  {
    const std::lock_guard lock(all().mutex);
    all().live.erase(comm);
  }
  if (comm->clique->quit()) comm->clique->free_order_word();
  delete comm;
  return ncclSuccess;
}

void report_missing_group() {
  report_ranks(
      "ncclCommInitRank: one host thread calls it for several ranks, one after the other: the "
      "first call may wait for the others forever",
      "put the thread's calls between ncclGroupStart() and ncclGroupEnd(), or call "
      "ncclCommInitAll()");
}

// What `value_of` says of a rank.
template <class Value, class ValueOf>
ncclResult_t tell(ncclComm_t comm, Value* to, ValueOf value_of) {
  if (const ncclResult_t error = check_live(comm)) return error;
  if (to == nullptr) return refuse(ncclInvalidArgument, "a null pointer");
  *to = value_of(*comm);
  return ncclSuccess;
}

}  // namespace

ncclResult_t refuse(ncclResult_t error, const std::string& what) {
  last_refusal = what;
  return error;
}

bool is_live(ncclComm_t comm) {
  const std::lock_guard lock(all().mutex);
  return all().live.contains(comm);
}

ncclResult_t check_live(ncclComm_t comm) {
  return is_live(comm) ? ncclSuccess : refuse(ncclInvalidArgument, "there is no such communicator");
}

}  // namespace emulator::nccl

using namespace emulator::nccl;

ncclResult_t ncclGetVersion(int* version) {
  if (version == nullptr) return refuse(ncclInvalidArgument, "a null pointer");
  *version = NCCL_VERSION_CODE;
  return ncclSuccess;
}

const char* ncclGetErrorString(ncclResult_t result) {
  switch (result) {
    case ncclSuccess:
      return "no error";
    case ncclUnhandledCudaError:
      return "unhandled cuda error";
    case ncclSystemError:
      return "unhandled system error";
    case ncclInternalError:
      return "internal error";
    case ncclInvalidArgument:
      return "invalid argument";
    case ncclInvalidUsage:
      return "invalid usage";
    case ncclRemoteError:
      return "remote process exited or there was a network error";
    case ncclInProgress:
      return "NCCL operation in progress";
    default:
      return "unknown result code";
  }
}

const char* ncclGetLastError(ncclComm_t) {
  return last_refusal.c_str();
}

ncclResult_t ncclGetUniqueId(ncclUniqueId* id) {
  if (id == nullptr) return refuse(ncclInvalidArgument, "a null pointer");
  *id = next_id();
  return ncclSuccess;
}

ncclResult_t ncclCommInitRank(ncclComm_t* comm, int ranks, ncclUniqueId id, int rank) {
  if (comm == nullptr) return refuse(ncclInvalidArgument, "a null pointer");
  if (ranks < 1 || rank < 0 || rank >= ranks) {
    return refuse(ncclInvalidArgument,
                  "there is no rank " + std::to_string(rank) + " of " + std::to_string(ranks));
  }
  bool lacks = false;
  const ncclResult_t result = join(comm, ranks, id, rank, current_device(), &lacks);
  if (lacks) report_missing_group();
  return result;
}

ncclResult_t ncclCommInitAll(ncclComm_t* comms, int ranks, const int* devices) {
  if (comms == nullptr) return refuse(ncclInvalidArgument, "a null pointer");
  if (ranks < 1 || ranks > device_count()) {
    return refuse(ncclInvalidArgument, "there are " + std::to_string(device_count()) +
                                           " devices: EMULATOR_DEVICES says how many");
  }
  const auto device_of = [devices](int rank) { return devices != nullptr ? devices[rank] : rank; };
  std::set<int> used;
  for (int rank = 0; rank < ranks; ++rank) {
    const int device = device_of(rank);
    if (!is_device(device)) {
      return refuse(ncclInvalidArgument, "there is no device " + std::to_string(device));
    }
    if (!used.insert(device).second) {
      return refuse(ncclInvalidUsage, "device " + std::to_string(device) + " is there twice");
    }
  }
  const ncclUniqueId id = next_id();
  for (int rank = 0; rank < ranks; ++rank) {
    if (const ncclResult_t error = join(&comms[rank], ranks, id, rank, device_of(rank))) {
      return error;
    }
  }
  return ncclSuccess;
}

ncclResult_t ncclCommFinalize(ncclComm_t comm) {
  if (const ncclResult_t error = check_live(comm)) return error;
  wait_for_all_of(*comm);
  return ncclSuccess;
}

ncclResult_t ncclCommDestroy(ncclComm_t comm) {
  if (comm == nullptr) return ncclSuccess;
  if (const ncclResult_t error = ncclCommFinalize(comm)) return error;
  return leave(comm);
}

ncclResult_t ncclCommAbort(ncclComm_t comm) {
  if (comm == nullptr) return ncclSuccess;
  if (const ncclResult_t error = check_live(comm)) return error;
  comm->clique->fail(ncclInProgress);
  wait_for_all_of(*comm);
  return leave(comm);
}

ncclResult_t ncclCommGetAsyncError(ncclComm_t comm, ncclResult_t* error) {
  return tell(comm, error, [](const ncclComm& one) { return one.clique->error(); });
}

ncclResult_t ncclCommCount(ncclComm_t comm, int* count) {
  return tell(comm, count, [](const ncclComm& one) { return one.clique->ranks(); });
}

ncclResult_t ncclCommCuDevice(ncclComm_t comm, int* device) {
  return tell(comm, device, [](const ncclComm& one) { return one.device; });
}

ncclResult_t ncclCommUserRank(ncclComm_t comm, int* rank) {
  return tell(comm, rank, [](const ncclComm& one) { return one.rank; });
}
