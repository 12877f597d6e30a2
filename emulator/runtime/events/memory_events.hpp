#pragma once
/// \file
/// What is announced of memory outside kernels: allocations, copies, what streams' work reads
/// and writes, and requests that are refused. Nothing comes of it unless somebody wants details.

#include <cstddef>
#include <cstdint>

#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "events/stream_watcher.hpp"
#include "events/tasks.hpp"

namespace emulator::events {

// Contents ----------------------------------------------------------------------------------------

/// Notes that the host, or a library, has written device memory. Does nothing while checks are off.
void memory_written(const void* address, std::size_t bytes);

/// Notes that the host has copied device memory elsewhere: what was not written at the source is
/// not written at the destination.
void memory_copied(const void* to, const void* from, std::size_t bytes);

/// A copy has been made, row by row: within the device, or to the host.
void box_copied(const Box& to, const Box& from, const cudaExtent& extent);

// What the work of a stream does, announced by the thread that does it. Nothing happens while the
// checks are off.
void work_reads(const void* memory, std::size_t bytes);
void work_writes(const void* memory, std::size_t bytes);

// Lifetimes ---------------------------------------------------------------------------------------

/// cudaHostRegister(), and its end.
void memory_registered(const void* memory, std::size_t bytes);
void memory_unregistered(const void* memory);

/// The host is about to free memory, or to take it from the device, by a function of which CUDA
/// does not say that it waits. Where order_checks_on all work is done before.
void memory_taken_back(const void* memory, const char* function);

/// The running piece of work frees memory.
void freed_in_stream(const void* memory);
/// The memory is gone, or no longer registered.
void memory_gone(const void* memory);
/// The piece of work with that ticket allocates memory.
void allocated_in_stream(const void* memory, std::uint64_t ticket);

// Requests ----------------------------------------------------------------------------------------

/// Finds out why memory could not be freed: `double-free` or `invalid-free`.
/// \param function the API's function that was asked to
void free_refused(const void* pointer, const char* function);

/// One side of a copy, or what is to be set, is not what it has to be: `invalid-copy`, a note
/// beside the error that the API's function returns. \param side what it is called: "destination"
/// \param bytes from the pointer to the end of what is copied
/// \param of_device whether it has to be the device's; else it has to be the host's, or may be
/// either
void copy_refused(const char* side, const void* pointer, std::size_t bytes, bool of_device);

/// Host code uses memory that is the device's, or nobody's: `device-pointer`. To be called where it
/// faulted, before the program ends by it.
void host_faulted(const void* address);

/// An event is waited for that nobody has recorded.
void unrecorded_event_awaited(const char* function);
/// An asynchronous copy has a side in pageable memory.
void pageable_copy_issued(const StreamInQueue& stream);

}  // namespace emulator::events
