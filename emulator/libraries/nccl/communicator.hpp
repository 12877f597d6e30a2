#pragma once
/// \file
/// What a handle of a communicator stands for, and what host threads are told.

#include <nccl.h>

#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "events/stream_watcher.hpp"
#include "libraries/nccl/clique.hpp"

/// A rank.
struct ncclComm {
  std::shared_ptr<emulator::nccl::Clique> clique;
  int rank = 0;
  int device = 0;
  std::mutex mutex{};                            ///< of what follows
  std::vector<emulator::events::Ticket> last{};  ///< of the last group, which comes before the next
  std::map<int, std::pair<emulator::nccl::Reduction, ncclDataType_t>> own_reductions{};
  int next_reduction = ncclNumOps;
};

namespace emulator::nccl {

/// Leaves what is wrong for ncclGetLastError(), and returns the error.
ncclResult_t refuse(ncclResult_t error, const std::string& what);

/// Whether it is one that lives.
bool is_live(ncclComm_t comm);
/// Refuses one that does not.
ncclResult_t check_live(ncclComm_t comm);

/// Whether this host thread collects its calls, to issue them together.
bool is_in_group();
/// Issues it, or collects it.
ncclResult_t call(ncclComm_t comm, Operation operation, cudaStream_t stream);
/// Waits for all that the rank has issued.
void wait_for_all_of(ncclComm& comm);

}  // namespace emulator::nccl
