/// @file
/// Checks of what a function under test puts into streams, and of what it does with graphs: more
/// parts for an exercise's check.cpp.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

#include "checks/exercise.hpp"

namespace course::exercise {

namespace detail {
struct StreamList;
}

/// What run_in_streams() saw. On a GPU, which does not tell, there is nothing in it.
struct StreamRun {
  Run run;
  std::shared_ptr<const detail::StreamList> streams;
};

/// Calls `work` as run() does, and notes what it puts into streams and does with graphs.
StreamRun run_in_streams(const std::function<void()>& work, Kernels kernels = Kernels::expected);

/// The calls of libraries that gave the device work, by their names, in their order: cublasSgemm.
/// On a GPU there are none.
std::vector<std::string> library_calls(const StreamRun& run);

/// Fails the case if something was copied between host and device, or if the host waited for the
/// device before it issued the last piece of work. Does nothing on a GPU.
/// @param read where to read again
void expect_no_waits(const StreamRun& run, const std::string& read);

/// Fails the case if more kernels than `most` wait one for the other, in a chain: all devices of a
/// ring are at work at once. Does nothing on a GPU.
/// @param read where to read again
void expect_chain_at_most(const StreamRun& run, std::size_t most, const std::string& read);

/// A pipeline: an array comes in piece by piece, a kernel works on each, and each goes out again.
struct Pipeline {
  std::size_t pieces;         ///< a copy in and a copy out for each of them, in their order
  std::uint64_t bytes_in;     ///< of all copies
  std::uint64_t bytes_out;    ///< the same
  std::string read;           ///< where to read again
  std::size_t copies_in = 1;  ///< that bring a piece, one after the other in their order
};

/// Fails the case unless nothing orders a piece's copy in with the kernels and the copy out of the
/// piece before it, nor its kernels with that copy out; so that they can all run at the same time.
/// What runs when in this run does not matter, only what waits for what. Does nothing on a GPU.
void expect_pipeline(const StreamRun& run, const Pipeline& pipeline);

/// A graph that is made once, and launched again and again.
struct RepeatedGraph {
  std::uint64_t launches;
  std::string read;  ///< where to read again
};

/// Fails the case unless one graph was captured and instantiated, once, it was launched that often,
/// no kernel was launched but by these launches, which all do as much, and both were destroyed.
/// Does nothing on a GPU.
void expect_repeated_graph(const StreamRun& run, const RepeatedGraph& graph);

}  // namespace course::exercise
