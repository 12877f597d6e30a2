// What is wrong with calls of NCCL, and what each is told.

#include <utility>

#include "libraries/nccl/nccl_test.hpp"

using namespace nccl_test;

TEST_CASE("NCCL: ranks of one host thread without a group") {
  const Checked checked;
  Group group;
  group.fill<int>(number);
  group.for_each([&](int rank) {
    CHECK(ncclAllReduce(group.send[rank], group.receive[rank], count, ncclInt, ncclSum,
                        group.comms[rank], group.streams[rank]) == ncclSuccess);
  });
  CHECK(checked.has_found("calls it for rank 0 and then for rank 1, in no group"));
  group.synchronise();
}

TEST_CASE("NCCL: counts and operations that do not go together") {
  for (const bool is_count : {true, false}) {
    const Checked checked;
    Group group;
    group.fill<int>(number);
    group.in_group([&](int rank) {
      if (is_count || rank != 1) {
        ncclAllReduce(group.send[rank], group.receive[rank], rank == 1 ? count / 2 : count, ncclInt,
                      ncclSum, group.comms[rank], group.streams[rank]);
      } else {
        ncclBroadcast(group.send[rank], group.receive[rank], count, ncclInt, 0, group.comms[rank],
                      group.streams[rank]);
      }
    });
    group.for_each([&](int rank) {
      CHECK(cudaStreamSynchronize(group.streams[rank]) == cudaErrorLaunchFailure);
    });
    CHECK(checked.has_found(is_count ? "24 elements of 4 bytes and 12 of 4"
                                     : "ncclAllReduce of rank 0 meets ncclBroadcast of rank 1"));
    ncclResult_t error = ncclSuccess;
    CHECK(ncclCommGetAsyncError(group.comms[0], &error) == ncclSuccess);
    CHECK(error == ncclInvalidUsage);
  }
}

TEST_CASE("NCCL: a rank waits for one that never comes") {
  const Checked checked;
  Group group;
  group.fill<int>(number);
  cudaSetDevice(0);
  CHECK(ncclAllReduce(group.send[0], group.receive[0], count, ncclInt, ncclSum, group.comms[0],
                      group.streams[0]) == ncclSuccess);
  CHECK(cudaStreamSynchronize(group.streams[0]) == cudaErrorLaunchFailure);
  CHECK(checked.has_found("of rank 0 waits forever for rank 1, which has come to no operation"));
}

TEST_CASE("NCCL: an aborted communicator waits for nobody") {
  Group group;
  group.fill<int>(number);
  cudaSetDevice(0);
  CHECK(ncclAllReduce(group.send[0], group.receive[0], count, ncclInt, ncclSum, group.comms[0],
                      group.streams[0]) == ncclSuccess);
  CHECK(ncclCommAbort(std::exchange(group.comms[0], nullptr)) == ncclSuccess);
  CHECK(cudaStreamSynchronize(group.streams[0]) == cudaSuccess);
}

TEST_CASE("NCCL: buffers that are not the rank's") {
  for (const bool is_freed : {true, false}) {
    const Checked checked;
    Group group;
    group.fill<int>(number);
    void* const given = is_freed ? group.send[0] : group.send[1];
    if (is_freed) CHECK(cudaFree(group.send[0]) == cudaSuccess);
    group.in_group([&](int rank) {
      ncclAllReduce(rank == 0 ? given : group.send[rank], group.receive[rank], count, ncclInt,
                    ncclSum, group.comms[rank], group.streams[rank]);
    });
    cudaSetDevice(0);
    CHECK(cudaStreamSynchronize(group.streams[0]) == cudaErrorIllegalAddress);
    CHECK(checked.has_found(is_freed ? "is not in memory that the device can reach"
                                     : "is device 1's memory"));
  }
}

TEST_CASE("NCCL: what is asked and refused") {
  Group group;
  int value = -1;
  CHECK(ncclCommCount(group.comms[1], &value) == ncclSuccess);
  CHECK(value == ranks);
  CHECK(ncclCommUserRank(group.comms[1], &value) == ncclSuccess);
  CHECK(value == 1);
  CHECK(ncclCommCuDevice(group.comms[2], &value) == ncclSuccess);
  CHECK(value == 2);
  CHECK(ncclGetVersion(&value) == ncclSuccess);
  CHECK(value == NCCL_VERSION_CODE);
  CHECK(ncclGetVersion(nullptr) == ncclInvalidArgument);
  CHECK(std::string(ncclGetErrorString(ncclInvalidUsage)) == "invalid usage");

  std::array<ncclComm_t, 4> none{};
  CHECK(ncclCommInitAll(none.data(), 4, nullptr) == ncclInvalidArgument);
  CHECK(std::string(ncclGetLastError(nullptr)).find("EMULATOR_DEVICES") != std::string::npos);
  const std::array<int, 2> twice{1, 1};
  CHECK(ncclCommInitAll(none.data(), 2, twice.data()) == ncclInvalidUsage);
  CHECK(ncclGroupEnd() == ncclInvalidUsage);
  cudaSetDevice(0);
  CHECK(ncclAllReduce(group.send[0], group.receive[0], 1, ncclNumTypes, ncclSum, group.comms[0],
                      group.streams[0]) == ncclInvalidArgument);
  CHECK(ncclBroadcast(group.send[0], group.receive[0], 1, ncclInt, ranks, group.comms[0],
                      group.streams[0]) == ncclInvalidArgument);
  CHECK(ncclAllReduce(group.send[0], group.receive[0], 1, ncclInt, ncclSum, group.comms[0],
                      group.streams[1]) == ncclUnhandledCudaError);
}

TEST_CASE("NCCL: one host thread makes several ranks by an id") {
  for (const bool in_group : {true, false}) {
    const Checked checked;
    ncclUniqueId id;
    CHECK(ncclGetUniqueId(&id) == ncclSuccess);
    std::array<ncclComm_t, 2> comms{};
    if (in_group) ncclGroupStart();
    for (int rank = 0; rank < 2; ++rank) {
      cudaSetDevice(rank);
      CHECK(ncclCommInitRank(&comms[rank], 2, id, rank) == ncclSuccess);
    }
    if (in_group) ncclGroupEnd();
    CHECK(checked.has_found("ncclCommInitRank: one host thread") != in_group);
    for (ncclComm_t comm : comms) CHECK(ncclCommDestroy(comm) == ncclSuccess);
  }
}
