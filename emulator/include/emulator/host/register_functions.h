#pragma once
#pragma GCC system_header
/// \file
/// Special registers as functions of `cuda::ptx`.

#include <cstdint>

#include "cuda_runtime.h"
#include "emulator/device/clusters.h"
#include "emulator/device/special_registers.h"

namespace cuda::ptx {

EMULATOR_DEVICE_ONLY_BEGIN

#define EMULATOR_PTX_REGISTER(name, Type, value) \
  EMULATOR_INLINE Type get_sreg_##name() {       \
    return value;                                \
  }
EMULATOR_PTX_REGISTER(tid_x, std::uint32_t, threadIdx.x)
EMULATOR_PTX_REGISTER(tid_y, std::uint32_t, threadIdx.y)
EMULATOR_PTX_REGISTER(tid_z, std::uint32_t, threadIdx.z)
EMULATOR_PTX_REGISTER(ntid_x, std::uint32_t, blockDim.x)
EMULATOR_PTX_REGISTER(ntid_y, std::uint32_t, blockDim.y)
EMULATOR_PTX_REGISTER(ntid_z, std::uint32_t, blockDim.z)
EMULATOR_PTX_REGISTER(ctaid_x, std::uint32_t, blockIdx.x)
EMULATOR_PTX_REGISTER(ctaid_y, std::uint32_t, blockIdx.y)
EMULATOR_PTX_REGISTER(ctaid_z, std::uint32_t, blockIdx.z)
EMULATOR_PTX_REGISTER(nctaid_x, std::uint32_t, gridDim.x)
EMULATOR_PTX_REGISTER(nctaid_y, std::uint32_t, gridDim.y)
EMULATOR_PTX_REGISTER(nctaid_z, std::uint32_t, gridDim.z)
EMULATOR_PTX_REGISTER(laneid, std::uint32_t, ::emulator::special::laneid())
EMULATOR_PTX_REGISTER(lanemask_eq, std::uint32_t, ::emulator::special::lanemask_eq())
EMULATOR_PTX_REGISTER(lanemask_lt, std::uint32_t, ::emulator::special::lanemask_lt())
EMULATOR_PTX_REGISTER(lanemask_le, std::uint32_t, ::emulator::special::lanemask_le())
EMULATOR_PTX_REGISTER(lanemask_gt, std::uint32_t, ::emulator::special::lanemask_gt())
EMULATOR_PTX_REGISTER(lanemask_ge, std::uint32_t, ::emulator::special::lanemask_ge())
EMULATOR_PTX_REGISTER(clock, std::uint32_t, ::emulator::special::clock())
EMULATOR_PTX_REGISTER(clock64, std::uint64_t, ::emulator::special::clock64())
EMULATOR_PTX_REGISTER(globaltimer, std::uint64_t, ::emulator::special::globaltimer())
EMULATOR_PTX_REGISTER(cluster_ctarank, std::uint32_t, ::emulator::detail::cluster_rank())
EMULATOR_PTX_REGISTER(cluster_nctarank, std::uint32_t, ::emulator::detail::cluster_blocks())
EMULATOR_PTX_REGISTER(cluster_ctaid_x, std::uint32_t, ::emulator::detail::cluster_index(0))
EMULATOR_PTX_REGISTER(cluster_nctaid_x, std::uint32_t, ::emulator::detail::cluster_extent(0))
EMULATOR_PTX_REGISTER(clusterid_x, std::uint32_t, ::__clusterIdx().x)
EMULATOR_PTX_REGISTER(nclusterid_x, std::uint32_t, ::__clusterGridDimInClusters().x)
EMULATOR_PTX_REGISTER(cluster_ctaid_y, std::uint32_t, ::emulator::detail::cluster_index(1))
EMULATOR_PTX_REGISTER(cluster_nctaid_y, std::uint32_t, ::emulator::detail::cluster_extent(1))
EMULATOR_PTX_REGISTER(clusterid_y, std::uint32_t, ::__clusterIdx().y)
EMULATOR_PTX_REGISTER(nclusterid_y, std::uint32_t, ::__clusterGridDimInClusters().y)
EMULATOR_PTX_REGISTER(cluster_ctaid_z, std::uint32_t, ::emulator::detail::cluster_index(2))
EMULATOR_PTX_REGISTER(cluster_nctaid_z, std::uint32_t, ::emulator::detail::cluster_extent(2))
EMULATOR_PTX_REGISTER(clusterid_z, std::uint32_t, ::__clusterIdx().z)
EMULATOR_PTX_REGISTER(nclusterid_z, std::uint32_t, ::__clusterGridDimInClusters().z)
EMULATOR_PTX_REGISTER(is_explicit_cluster, bool, ::emulator::detail::is_explicit_cluster())
#undef EMULATOR_PTX_REGISTER

EMULATOR_DEVICE_ONLY_END

}  // namespace cuda::ptx
