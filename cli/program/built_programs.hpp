/// @file
/// The commands that build a program and become it.
#pragma once

#include <filesystem>
#include <string>

#include "command_line.hpp"
#include "host/checkout.hpp"
#include "host/progress.hpp"

namespace course::tool {

/// Builds, or ends the program with the errors on stderr.
/// @param target empty: everything
/// @param program what the target makes, if that is a program
void build_or_stop(const Checkout& checkout, const std::string& target, Progress& progress,
                   const std::filesystem::path& program = {});

/// What counts traffic is the emulator, and what grades. The script sees to that; but this program
/// can be called without it.
/// @throws Failure with status 2 where the build is for a GPU
void require_emulator(const std::string& command);

/// `run`: a chapter.
[[noreturn]] void run(const Checkout& checkout, const CommandLine& line, Progress& progress);
/// `emucc`: compiles a program of the user's. The checks are on, unless the environment says
/// otherwise.
[[noreturn]] void emucc(const Checkout& checkout, const CommandLine& line, Progress& progress);
/// `traffic`: a chapter, an exercise or a file, with the listing of its traffic at the end.
[[noreturn]] void traffic(const Checkout& checkout, CommandLine line, Progress& progress);
/// `picture`: draws what a program's kernels ask of memory, or what its streams do when.
int picture(const Checkout& checkout, const CommandLine& line, Progress& progress);
/// `measure`: the measuring bench.
int measure(const Checkout& checkout, const CommandLine& line, Progress& progress);
/// `grade`: a program of its own, for which students need not wait.
[[noreturn]] void grade(const Checkout& checkout, const CommandLine& line, Progress& progress);

}  // namespace course::tool
