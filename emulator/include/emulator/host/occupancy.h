#pragma once
#pragma GCC system_header
/// \file
/// The part of the runtime API that says how many blocks a multiprocessor holds at a time.
/// host_api.h includes it.
///
/// A GPU asks for threads, blocks, shared memory and registers. How many registers a thread takes,
/// and how much static shared memory a block, the emulator does not know: it takes them to be few
/// enough not to matter.

#include <stddef.h>

#include "emulator/host/host_types.h"

#ifdef __cplusplus
#include <cstddef>
#endif

EMULATOR_C_BEGIN

/// \restricted As far as threads, blocks and dynamic shared memory limit them.
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks,
                                                                   const void* function,
                                                                   int block_size,
                                                                   size_t dynamic_shared_bytes,
                                                                   unsigned int flags);

/// The dynamic shared memory that a block may have if the given number of that size are to share a
/// multiprocessor. As on a GPU, what the system reserves in each block is left out of the sum.
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t* bytes, const void* function,
                                                      int blocks, int block_size);

EMULATOR_C_END

#ifdef __cplusplus

namespace emulator::detail {

/// Finds the block size, a multiple of the warp if `limit` allows it, that keeps the most threads
/// on a multiprocessor; the largest of several.
/// \param shared_bytes tells, for a pointer to the size, the dynamic shared memory of such a block
cudaError_t best_block_size(int* grid_size, int* block_size, const void* function,
                            std::size_t (*shared_bytes)(const void* context, int block_size),
                            const void* context, int limit, unsigned int flags);

}  // namespace emulator::detail

// C++ spellings: kernels in place of `const void*` ------------------------------------------------

inline cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, const void* function,
                                                                 int block_size,
                                                                 std::size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, function, block_size, dynamic_shared_bytes, cudaOccupancyDefault);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int* blocks, T function, int block_size,
                                                          std::size_t dynamic_shared_bytes) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void*)function, block_size, dynamic_shared_bytes, cudaOccupancyDefault);
}
template <class T>
cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int* blocks, T function,
                                                                   int block_size,
                                                                   std::size_t dynamic_shared_bytes,
                                                                   unsigned int flags) {
  return cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
      blocks, (const void*)function, block_size, dynamic_shared_bytes, flags);
}
template <class T>
cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(std::size_t* bytes, T function, int blocks,
                                                      int block_size) {
  return cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void*)function, blocks,
                                                   block_size);
}

/// Suggests a block size, and the number of blocks that fills the device with them.
/// \param block_size_limit no larger blocks than this; 0 for no limit
template <class SharedBytes, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int* min_grid_size, int* block_size, T function, SharedBytes dynamic_shared_bytes_of,
    int block_size_limit = 0, unsigned int flags = cudaOccupancyDefault) {
  return emulator::detail::best_block_size(
      min_grid_size, block_size, (const void*)function,
      [](const void* context, int size) -> std::size_t {
        SharedBytes shared_bytes = *static_cast<const SharedBytes*>(context);
        return shared_bytes(size);
      },
      &dynamic_shared_bytes_of, block_size_limit, flags);
}
template <class SharedBytes, class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int* min_grid_size, int* block_size,
                                                           T function,
                                                           SharedBytes dynamic_shared_bytes_of,
                                                           int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      min_grid_size, block_size, function, dynamic_shared_bytes_of, block_size_limit);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSizeWithFlags(int* min_grid_size, int* block_size,
                                                        T function,
                                                        std::size_t dynamic_shared_bytes = 0,
                                                        int block_size_limit = 0,
                                                        unsigned int flags = cudaOccupancyDefault) {
  return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
      min_grid_size, block_size, function, [=](int) { return dynamic_shared_bytes; },
      block_size_limit, flags);
}
template <class T>
cudaError_t cudaOccupancyMaxPotentialBlockSize(int* min_grid_size, int* block_size, T function,
                                               std::size_t dynamic_shared_bytes = 0,
                                               int block_size_limit = 0) {
  return cudaOccupancyMaxPotentialBlockSizeWithFlags(min_grid_size, block_size, function,
                                                     dynamic_shared_bytes, block_size_limit);
}

#endif  // __cplusplus
