/// \file
/// The operations as programs call them, and the ways of combining elements.

#include <cstring>

#include "libraries/nccl/communicator.hpp"

namespace emulator::nccl {
namespace {

// One of NCCL's own, or one that the communicator has been given for this type.
ncclResult_t find_reduction(ncclComm_t comm, ncclRedOp_t op, ncclDataType_t type,
                            Reduction& reduction) {
  if (op >= 0 && op < ncclNumOps) {
    reduction.op = op;
    return ncclSuccess;
  }
  const std::lock_guard lock(comm->mutex);
  const auto found = comm->own_reductions.find(op);
  if (found == comm->own_reductions.end()) {
    return refuse(ncclInvalidArgument, "the communicator has no such ncclRedOp_t");
  }
  if (found->second.second != type) {
    return refuse(ncclInvalidArgument, "the ncclRedOp_t is for elements of another type");
  }
  reduction = found->second.first;
  return ncclSuccess;
}

ncclResult_t check(ncclComm_t comm, const Operation& operation) {
  if (const ncclResult_t error = check_live(comm)) return error;
  if (bytes_of(operation.type) == 0) {
    return refuse(ncclInvalidArgument, "there is no such ncclDataType_t");
  }
  if (operation.peer < 0 || operation.peer >= comm->clique->ranks()) {
    return refuse(ncclInvalidArgument,
                  "there is no rank " + std::to_string(operation.peer) + " in the communicator");
  }
  return ncclSuccess;
}

ncclResult_t combine(ncclComm_t comm, Operation operation, ncclRedOp_t op, cudaStream_t stream) {
  if (const ncclResult_t error = check(comm, operation)) return error;
  if (const ncclResult_t error = find_reduction(comm, op, operation.type, operation.reduction)) {
    return error;
  }
  return call(comm, operation, stream);
}

ncclResult_t move(ncclComm_t comm, const Operation& operation, cudaStream_t stream) {
  if (const ncclResult_t error = check(comm, operation)) return error;
  return call(comm, operation, stream);
}

}  // namespace
}  // namespace emulator::nccl

using namespace emulator::nccl;

ncclResult_t ncclRedOpCreatePreMulSum(ncclRedOp_t* op, void* scalar, ncclDataType_t type,
                                      ncclScalarResidence_t residence, ncclComm_t comm) {
  if (const ncclResult_t error = check_live(comm)) return error;
  if (op == nullptr || scalar == nullptr) return refuse(ncclInvalidArgument, "a null pointer");
  const std::size_t bytes = bytes_of(type);
  if (bytes == 0) return refuse(ncclInvalidArgument, "there is no such ncclDataType_t");
  Reduction reduction;
  if (residence == ncclScalarHostImmediate) {
    const auto* const first = static_cast<const std::byte*>(scalar);
    reduction.immediate.assign(first, first + bytes);
  } else {
    reduction.scalar = scalar;
  }
  const std::lock_guard lock(comm->mutex);
  const int number = comm->next_reduction++;
  comm->own_reductions.emplace(number, std::pair{reduction, type});
  *op = static_cast<ncclRedOp_t>(number);
  return ncclSuccess;
}

ncclResult_t ncclRedOpDestroy(ncclRedOp_t op, ncclComm_t comm) {
  if (const ncclResult_t error = check_live(comm)) return error;
  const std::lock_guard lock(comm->mutex);
  if (comm->own_reductions.erase(op) == 1) return ncclSuccess;
  return refuse(ncclInvalidArgument, "the communicator has no such ncclRedOp_t");
}

ncclResult_t ncclReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                        ncclRedOp_t op, int root, ncclComm_t comm, cudaStream_t stream) {
  return combine(comm, {Kind::reduce, "ncclReduce", send, receive, count, type, {}, root}, op,
                 stream);
}

ncclResult_t ncclBcast(void* buffer, size_t count, ncclDataType_t type, int root, ncclComm_t comm,
                       cudaStream_t stream) {
  return move(comm, {Kind::broadcast, "ncclBcast", buffer, buffer, count, type, {}, root}, stream);
}

ncclResult_t ncclBroadcast(const void* send, void* receive, size_t count, ncclDataType_t type,
                           int root, ncclComm_t comm, cudaStream_t stream) {
  return move(comm, {Kind::broadcast, "ncclBroadcast", send, receive, count, type, {}, root},
              stream);
}

ncclResult_t ncclAllReduce(const void* send, void* receive, size_t count, ncclDataType_t type,
                           ncclRedOp_t op, ncclComm_t comm, cudaStream_t stream) {
  return combine(comm, {Kind::all_reduce, "ncclAllReduce", send, receive, count, type, {}, 0}, op,
                 stream);
}

ncclResult_t ncclReduceScatter(const void* send, void* receive, size_t receive_count,
                               ncclDataType_t type, ncclRedOp_t op, ncclComm_t comm,
                               cudaStream_t stream) {
  return combine(
      comm, {Kind::reduce_scatter, "ncclReduceScatter", send, receive, receive_count, type, {}, 0},
      op, stream);
}

ncclResult_t ncclAllGather(const void* send, void* receive, size_t send_count, ncclDataType_t type,
                           ncclComm_t comm, cudaStream_t stream) {
  return move(comm, {Kind::all_gather, "ncclAllGather", send, receive, send_count, type, {}, 0},
              stream);
}

ncclResult_t ncclSend(const void* send, size_t count, ncclDataType_t type, int peer,
                      ncclComm_t comm, cudaStream_t stream) {
  return move(comm, {Kind::send, "ncclSend", send, nullptr, count, type, {}, peer}, stream);
}

ncclResult_t ncclRecv(void* receive, size_t count, ncclDataType_t type, int peer, ncclComm_t comm,
                      cudaStream_t stream) {
  return move(comm, {Kind::receive, "ncclRecv", nullptr, receive, count, type, {}, peer}, stream);
}
