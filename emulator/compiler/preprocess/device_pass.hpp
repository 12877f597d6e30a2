#pragma once

#include <string>
#include <string_view>
#include <vector>

/// \file
/// Sources that ask for `__CUDA_ARCH__`. To nvcc such a source is two programs: it preprocesses it
/// once for the host, without the macro, and once for the device, with it. The emulator makes one
/// program of both.

namespace emulator::compiler::preprocess {

/// Whether a file that the text stems from, system headers aside, has the word `__CUDA_ARCH__`.
/// Files that cannot be read have not.
/// \param preprocessed the output of g++ -E, with line markers
bool mentions_architecture(std::string_view preprocessed);

/// The host's text, with the device's functions as they are in the device's text.
///
/// - A function with `__global__` or `__device__` alone gets its body from there.
/// - One with `__host__ __device__` gets both bodies, if they differ, and takes the one for whom it
///   is called: `{ if (::emulator::for_device()) {...} else {...} }`.
/// - Functions belong together that have the same head in the same line of the same file, or, where
///   an `#else` has another definition, in another line of it.
/// - A function that only the device's text has comes in where it would be, with the class or
/// the
///   namespace around it if they are also the device's alone.
/// - Everything else is the host's.
///
/// \param host   preprocessed without `__CUDA_ARCH__`
/// \param device the same with it, and with `__host__` kept as a word (EMULATOR_DEVICE_PASS)
/// \param of_those_with if not empty: only functions whose body for the host has this text
std::string merge_device_bodies(std::string_view host, std::string_view device,
                                std::string_view of_those_with = {});

/// The system headers that the user's files include for the device alone, under
/// `#if __CUDA_ARCH__ >= 700`, as they are named there. What they declare the device's functions
/// use, so that the one program of both needs them.
/// \param host, device as for merge_device_bodies()
std::vector<std::string> device_only_headers(std::string_view host, std::string_view device);

}  // namespace emulator::compiler::preprocess
