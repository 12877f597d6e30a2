#pragma once
/// \file
/// How misuse of barriers and of asynchronous operations ends a launch.

#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"

namespace emulator::engine {

struct Lane;
struct Mbarrier;

inline std::uintptr_t address_of(const void* pointer) {
  return reinterpret_cast<std::uintptr_t>(pointer);
}

/// The lane's number in its block.
unsigned thread_of(const Lane& lane);

/// What a launch ends with.
struct Refusal {
  const char* kind;
  cudaError_t error;
};
inline constexpr Refusal misuse{"misused-barrier", cudaErrorLaunchFailure};
inline constexpr Refusal failed_kernel{"failed-kernel", cudaErrorLaunchFailure};
inline constexpr Refusal misaligned{"misaligned", cudaErrorMisalignedAddress};
inline constexpr Refusal wrong_space{"failed-kernel", cudaErrorInvalidAddressSpace};
/// What asynchronous stores, and copies between blocks, end with on an H200; a cluster of one block
/// is enough for them.
inline constexpr Refusal needs_clusters{"failed-kernel", cudaErrorIllegalInstruction};
inline constexpr Refusal beyond{"out-of-bounds", cudaErrorIllegalAddress};

/// Ends it. The text is put together without std::string: the linker may have chosen the program's
/// copy of its functions, which would count as the kernel's work.
[[noreturn, gnu::format(printf, 4, 5)]] void refuse(Lane& lane, const void* pc,
                                                    const Refusal& refusal, const char* format,
                                                    ...);

/// The barrier at that address, which must be one.
Mbarrier& barrier_at(Lane& lane, const void* pointer, const void* pc);

/// The blocks of the cluster that a multicast copy goes to, one bit per block: the cluster must
/// have them.
unsigned checked_blocks(Lane& lane, unsigned blocks, const void* pc);

/// Reads a byte of each page, so that what is not memory ends the launch here and not later.
void touch(const void* memory, std::size_t bytes);

}  // namespace emulator::engine
