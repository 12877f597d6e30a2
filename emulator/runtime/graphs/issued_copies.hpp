#pragma once
/// \file
/// Copies and sets that have been asked for: done in the call, put into their stream, or, where
/// that is captured, into a graph.

#include <cstddef>

#include "base/copy_waits.hpp"
#include "base/rooms.hpp"
#include "emulator/host/host_types.h"
#include "events/tasks.hpp"

namespace emulator::graphs {

/// The copy that a function's parameters ask for, or what is wrong with them. Copies of nothing are
/// the caller's affair.
cudaError_t make_copy(const cudaMemcpy3DParms& parameters, CopyTask& copy);
cudaError_t make_copy(void* to, const void* from, std::size_t bytes, cudaMemcpyKind kind,
                      CopyTask& copy);

/// Checks a copy and has it made.
/// \param form of the function that was called
cudaError_t copy_in_stream(CopyTask task, cudaStream_t stream, Form form);

/// The same for setting memory.
cudaError_t set_in_stream(const SetTask& task, cudaStream_t stream, Form form);

/// Puts the task into the stream, and waits for as much as that call does.
/// \return the error of a failed kernel, or cudaSuccess
cudaError_t issue(CopyTask copy, cudaStream_t stream, const CopyWaits& waits);
cudaError_t issue(const SetTask& set, cudaStream_t stream, Form form);

}  // namespace emulator::graphs
