// NCCL between three devices, as EMULATOR_DEVICES=3 gives them, in each order of the streams' work.

#include "libraries/nccl/nccl_test.hpp"

#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <cuda_fp8.h>

#include <cstdint>
#include <thread>

using namespace nccl_test;

namespace {

// \param wanted of the numbers 2, 4 and 6
template <class T>
void reduces(ncclDataType_t type, ncclRedOp_t op, double wanted) {
  CAPTURE(type);
  CAPTURE(op);
  Group group;
  group.fill<T>(
      [](int rank, std::size_t) { return static_cast<T>(2.0F * static_cast<float>(rank + 1)); });
  group.in_group([&](int rank) {
    CHECK(ncclAllReduce(group.send[rank], group.receive[rank], count, type, op, group.comms[rank],
                        group.streams[rank]) == ncclSuccess);
  });
  group.synchronise();
  for (int rank = 0; rank < ranks; ++rank) {
    for (const T value : group.received<T>(rank))
      CHECK(static_cast<double>(static_cast<float>(value)) == wanted);
  }
}

template <class T>
void sums(ncclDataType_t type) {
  reduces<T>(type, ncclSum, 12);
}

}  // namespace

TEST_CASE("NCCL: all types of elements are added up") {
  sums<std::int8_t>(ncclInt8);
  sums<std::uint8_t>(ncclUint8);
  sums<std::int32_t>(ncclInt32);
  sums<std::uint32_t>(ncclUint32);
  sums<std::int64_t>(ncclInt64);
  sums<std::uint64_t>(ncclUint64);
  sums<__half>(ncclFloat16);
  sums<float>(ncclFloat32);
  sums<double>(ncclFloat64);
  sums<__nv_bfloat16>(ncclBfloat16);
  sums<__nv_fp8_e4m3>(ncclFloat8e4m3);
  sums<__nv_fp8_e5m2>(ncclFloat8e5m2);
}

TEST_CASE("NCCL: ways to combine elements") {
  reduces<int>(ncclInt32, ncclProd, 48);
  reduces<int>(ncclInt32, ncclMax, 6);
  reduces<int>(ncclInt32, ncclMin, 2);
  reduces<int>(ncclInt32, ncclAvg, 4);
  reduces<float>(ncclFloat32, ncclProd, 48);
  reduces<float>(ncclFloat32, ncclMax, 6);
  reduces<double>(ncclFloat64, ncclAvg, 4);
}

TEST_CASE("NCCL: each rank's elements are multiplied first") {
  Group group;
  group.fill<float>([](int rank, std::size_t) { return static_cast<float>(rank + 1); });
  std::array<ncclRedOp_t, ranks> ops{};
  for (int rank = 0; rank < ranks; ++rank) {
    float factor = static_cast<float>(10 * rank);
    CHECK(ncclRedOpCreatePreMulSum(&ops[rank], &factor, ncclFloat, ncclScalarHostImmediate,
                                   group.comms[rank]) == ncclSuccess);
  }
  group.in_group([&](int rank) {
    CHECK(ncclAllReduce(group.send[rank], group.receive[rank], count, ncclFloat, ops[rank],
                        group.comms[rank], group.streams[rank]) == ncclSuccess);
  });
  group.synchronise();
  CHECK(group.received<float>(1).front() == 0 + 20 + 60);
  CHECK(ncclAllReduce(group.send[0], group.receive[0], count, ncclInt, ops[0], group.comms[0],
                      group.streams[0]) == ncclInvalidArgument);
  CHECK(ncclRedOpDestroy(ops[0], group.comms[0]) == ncclSuccess);
  CHECK(ncclRedOpDestroy(ops[0], group.comms[0]) == ncclInvalidArgument);
}

TEST_CASE("NCCL: where each rank's elements go") {
  Group group;
  group.fill<int>(number, count);
  group.in_group([&](int rank) {
    CHECK(ncclBroadcast(group.send[rank], group.receive[rank], count, ncclInt, 1, group.comms[rank],
                        group.streams[rank]) == ncclSuccess);
  });
  group.synchronise();
  for (int rank = 0; rank < ranks; ++rank) CHECK(group.received<int>(rank)[5] == number(1, 5));

  group.in_group([&](int rank) {
    CHECK(ncclReduce(group.send[rank], group.receive[rank], count, ncclInt, ncclSum, 2,
                     group.comms[rank], group.streams[rank]) == ncclSuccess);
  });
  group.synchronise();
  CHECK(group.received<int>(2)[5] == 60 + 15);
  CHECK(group.received<int>(0)[5] == number(1, 5));  // as it was

  group.in_group([&](int rank) {
    CHECK(ncclAllGather(group.send[rank], group.receive[rank], count, ncclInt, group.comms[rank],
                        group.streams[rank]) == ncclSuccess);
  });
  group.synchronise();
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK(group.received<int>(rank, ranks * count)[2 * count + 3] == number(2, 3));
  }

  group.fill<int>(number, ranks * count);
  group.in_group([&](int rank) {
    CHECK(ncclReduceScatter(group.send[rank], group.receive[rank], count, ncclInt, ncclMax,
                            group.comms[rank], group.streams[rank]) == ncclSuccess);
  });
  group.synchronise();
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK(group.received<int>(rank)[4] == number(2, static_cast<std::size_t>(rank) * count + 4));
  }
}

TEST_CASE("NCCL: a ring of sends and receives in one group") {
  Group group;
  group.fill<int>(number);
  group.in_group([&](int rank) {
    CHECK(ncclSend(group.send[rank], count, ncclInt, (rank + 1) % ranks, group.comms[rank],
                   group.streams[rank]) == ncclSuccess);
    CHECK(ncclRecv(group.receive[rank], count, ncclInt, (rank + 2) % ranks, group.comms[rank],
                   group.streams[rank]) == ncclSuccess);
  });
  group.synchronise();
  for (int rank = 0; rank < ranks; ++rank) {
    CHECK(group.received<int>(rank)[7] == number((rank + 2) % ranks, 7));
  }
}

TEST_CASE("NCCL: a host thread for each rank, and the checks have nothing to say") {
  const Checked checked;
  Group group;
  group.fill<int>(number);
  ncclUniqueId id;
  CHECK(ncclGetUniqueId(&id) == ncclSuccess);
  std::vector<std::thread> threads;
  for (int rank = 0; rank < ranks; ++rank) {
    threads.emplace_back([&, rank] {
      cudaSetDevice(rank);
      ncclComm_t comm = nullptr;
      ncclCommInitRank(&comm, ranks, id, rank);
      for (int round = 0; round < 2; ++round) {
        ncclAllReduce(group.send[rank], group.receive[rank], count, ncclInt, ncclSum, comm,
                      group.streams[rank]);
      }
      cudaStreamSynchronize(group.streams[rank]);
      ncclCommDestroy(comm);
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (int rank = 0; rank < ranks; ++rank) CHECK(group.received<int>(rank)[5] == 60 + 15);
  for (const emulator::Finding& finding : emulator::findings()) FAIL_CHECK(finding.what);
}

TEST_CASE("NCCL: in graphs") {
  Group group;
  group.fill<int>(number);
  std::array<cudaGraphExec_t, ranks> graphs{};
  group.for_each([&](int rank) {
    CHECK(cudaStreamBeginCapture(group.streams[rank], cudaStreamCaptureModeRelaxed) == cudaSuccess);
  });
  group.in_group([&](int rank) {
    CHECK(ncclAllReduce(group.send[rank], group.receive[rank], count, ncclInt, ncclSum,
                        group.comms[rank], group.streams[rank]) == ncclSuccess);
  });
  group.for_each([&](int rank) {
    cudaGraph_t graph = nullptr;
    CHECK(cudaMemcpyAsync(group.send[rank], group.receive[rank], count * sizeof(int),
                          cudaMemcpyDefault, group.streams[rank]) == cudaSuccess);
    CHECK(cudaStreamEndCapture(group.streams[rank], &graph) == cudaSuccess);
    CHECK(cudaGraphInstantiate(&graphs[rank], graph, 0) == cudaSuccess);
    CHECK(cudaGraphDestroy(graph) == cudaSuccess);
  });
  for (int round = 0; round < 2; ++round) {
    group.for_each([&](int rank) {
      CHECK(cudaGraphLaunch(graphs[rank], group.streams[rank]) == cudaSuccess);
    });
  }
  group.synchronise();
  for (int rank = 0; rank < ranks; ++rank) CHECK(group.received<int>(rank)[0] == 180);
  group.for_each([&](int rank) { CHECK(cudaGraphExecDestroy(graphs[rank]) == cudaSuccess); });
}
