#pragma once

#include <string>
#include <string_view>

/// \file
/// NVIDIA's core libraries: Thrust, CUB and libcu++, of which a program has the headers.

namespace emulator::compiler::preprocess {

/// Whether these messages of g++'s preprocessor say that a header of theirs is missing.
bool misses_core_libraries(std::string_view messages);

/// Whether the preprocessed text has them.
bool has_core_libraries(std::string_view preprocessed);

/// Leaves out what they ask of g++ for their loops: `#pragma GCC unroll 65534`. Unrolled before
/// anything is known of it, a sort takes g++ gigabytes.
void remove_unroll_pragmas(std::string& preprocessed);

/// Has Thrust's kernels tuned for the architecture. They ask `__CUDA_ARCH__`, which is not defined
/// where host and device are read at once, and their host code asks the runtime: where the two
/// differ, blocks come out of another size than their kernels were made for.
void set_tuning_architecture(std::string& preprocessed, int architecture);

/// Lets a barrier in shared memory go without a destructor, which CUDA never calls there. g++ would
/// have the kernel see to that, and write and read a mark in the block's shared memory.
void remove_barrier_destructor(std::string& preprocessed);

/// What their functions call where an architecture is too old.
inline constexpr std::string_view unsupported_mark = "_before_SM_";

/// Lets the program be linked without the functions that mark code for older architectures than
/// this one, `..._is_not_supported_before_SM_80__()`. There are none; nvcc never compiles the
/// calls, g++ does, for a host that never makes them. For an older architecture they stay errors.
void weaken_unsupported_marks(std::string& preprocessed, int architecture);

}  // namespace emulator::compiler::preprocess
