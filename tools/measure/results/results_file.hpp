/// @file
/// Writing the results: as JSON, and as a table for the terminal.
#pragma once

#include <filesystem>
#include <string>

#include "results/record.hpp"

namespace course::measure {

/// A device's name as a file name: "NVIDIA H200" becomes "nvidia-h200".
std::string slug(const std::string& device);

/// The whole file. Everything in it must have been verified.
/// @throws Error if something was not, or a ceiling is missing, or there are no kernels
std::string to_json(const Measurement& measurement);

/// Writes a file under another name and renames it: nobody ever sees half of it.
/// @throws Error naming the file
void write_atomically(const std::filesystem::path& file, const std::string& text);

/// The name under which write_atomically() writes first.
std::filesystem::path temporary_name(const std::filesystem::path& file);

/// "16384 x 16384"; "20971520 elements" for vectors.
std::string shape_text(const KernelRecord& record);

/// Ceilings and kernels for a person to read.
std::string to_table(const Measurement& measurement);

}  // namespace course::measure
