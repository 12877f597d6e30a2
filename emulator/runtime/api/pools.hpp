#pragma once
/// \file
/// What memory.cpp and pools.cpp know of each other.

#include <cstddef>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"

namespace emulator::api {

/// cudaMallocAsync() and the like. A null pool is the device's current one.
cudaError_t malloc_from_pool(void** pointer, std::size_t bytes, cudaMemPool_t pool,
                             cudaStream_t stream, const char* function);

/// Counts an allocation for its pool, and no longer.
void note_pool_allocation(const void* pointer, std::size_t bytes, cudaMemPool_t pool);
void note_pool_free(const void* pointer);

/// Whether the memory is of cudaMallocAsync() and the like.
bool is_from_pool(const void* pointer);

/// Whether the pool is live.
bool is_pool(cudaMemPool_t pool);

/// The pool's device; of none, the one in use.
int device_of_pool(cudaMemPool_t pool);

/// Destroys all pools of the device in use but its own, which is as new.
void reset_pools();

}  // namespace emulator::api
