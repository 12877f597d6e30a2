#pragma once
/// \file
/// Copies and sets that have been asked for: done in the call, or put into their stream.

#include <cstddef>

#include "emulator/host/host_types.h"
#include "streams/copy_waits.hpp"
#include "streams/tasks.hpp"

namespace emulator::detail {

/// Whether all of the memory is there, and where it has to be; if not, the checks say what is
/// wrong.
bool are_usable(const CopyTask& copy);
bool is_usable(const SetTask& set);

/// cudaSuccess if the copy may be made: all of the memory is there, and where the host is not
/// trusted, it does not read what it may not.
cudaError_t check_copy(const CopyTask& copy);

/// The copy that a function's parameters ask for, or what is wrong with them. Copies of nothing are
/// the caller's affair.
cudaError_t make_copy(const cudaMemcpy3DParms& parameters, CopyTask& copy);
cudaError_t make_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                      CopyTask& copy);

/// The box of that extent at a position in a pitched allocation. False if it does not fit there:
/// rows end with their pitch, and slices with the rows of one, unless there is only one.
bool place_box(const cudaPitchedPtr& memory, const cudaPos& position, const cudaExtent& extent,
               Box& box);

/// Checks a copy and has it made.
/// \param form of the function that was called
cudaError_t copy_in_stream(CopyTask task, cudaStream_t stream, Form form);

/// The same for setting memory.
cudaError_t set_in_stream(const SetTask& task, cudaStream_t stream, Form form);

/// Puts the task into the stream, and waits for as much as that call does.
/// \return the error of a failed kernel, or cudaSuccess
cudaError_t issue(CopyTask copy, cudaStream_t stream, const CopyWaits& waits);
cudaError_t issue(const SetTask& set, cudaStream_t stream, Form form);

}  // namespace emulator::detail
