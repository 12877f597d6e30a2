#pragma once

#include <stdexcept>
#include <string>
#include <string_view>

/// \file
/// The translator: turns the little of CUDA C++ that g++ cannot parse into C++.

namespace emulator::compiler::translate {

/// What translate() throws. what() is one line in a compiler's style:
/// `file.cu:12: error: '<<<' without a matching '>>>('`.
class TranslationError : public std::runtime_error {
 public:
  using std::runtime_error::runtime_error;
};

struct TranslationOptions {
  bool flat_kernels = false;  ///< functions become part of the kernels that call them
  bool is_separate = false;   ///< device code is to be linked: kernels may launch kernels
  bool is_module = false;     ///< a module of the driver API, whose kernels are found by name
};

/// Rewrites preprocessed CUDA C++ (the output of g++ -E, line markers and all) into C++.
///
/// - A launch, `kernel<<<grid, block>>>(arguments)`, becomes the postfix expression
///   `::emulator::launch_with("kernel", ::emulator::Configuration(grid, block),
///   LAMBDA)(arguments)`, where LAMBDA calls the kernel with whatever it is given. The name leaves
///   template arguments out. `kernel << <grid, block >> >(arguments)` is the same.
///   With arguments in braces `.typed(kernel)` follows: the parameters say what they are.
/// - `__shared__ T x;` becomes `static thread_local T x;`: a host thread runs one block at a time.
/// - `extern __shared__ T x[];` becomes another name for the runtime's buffer: in a function
///   `T (&x)[] = *static_cast<T (*)[]>(::emulator::dynamic_shared());`, at namespace scope
///   `extern __thread T x[] __asm__("emulator_dynamic_shared_memory");`.
/// - `__constant__ T x;` puts x into the section `emulator_constant`, unless x is const.
/// - `cudaFree(p);` becomes `cudaFree(p), ::emulator::Discarded{"cudaFree"};`, as does every call
///   of CUDA's functions whose result is thrown away (see emulator/discarded.h).
/// - `__device__`, `__global__` and `__managed__` are left out. A table at the end of the program
///   tells the runtime which variables are the device's (see device_variables.hpp).
/// - `__noinline__` becomes `__attribute__((noinline))`, unless it is in an attribute already.
///   Where kernels are flat (EMULATOR_FLAT_KERNELS in emulator/qualifiers.h) it is left out.
/// - `asm("...")` with PTX in it becomes what it reads, or a call that is an error (see
///   inline_assembly.hpp).
/// - `memcpy(a, b, n)` and its siblings become `emulator_memcpy(a, b, n)` (see
///   emulator/device/memory_functions.h).
/// - `Caster<T>::cast<8>(x)` becomes `Caster<T>::template cast<8>(x)` (see template_names.hpp).
/// - Of `__forceinline__` on a function that calls itself, `inline` is left (see
///   forced_inlining.hpp).
/// - In a module, `static const ::emulator::detail::ModuleKernel` follows each kernel: it tells the
///   runtime how to launch it (see emulator/host/launch_api.h).
/// - `#pragma unroll` and other pragmas for nvcc alone become empty lines.
///
/// Nothing else changes. Compiler messages and debuggers stay on the lines of the original file:
/// line breaks are kept, and where a launch or a call is rewritten line markers are added, which
/// give what follows its line and column back and mark the generated code as no business of
/// -Wall's. (Text without line markers gets none.)
///
/// \throws TranslationError if a `<<<` is not part of a launch, or for a word of CUDA's that is not
/// modelled and would change what the program does.
std::string translate(std::string_view preprocessed, const TranslationOptions& options = {});

}  // namespace emulator::compiler::translate
