/// @file
/// Drawing what a chapter's kernels ask of memory.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "chapters.hpp"
#include "checkout.hpp"
#include "progress.hpp"

namespace course::tool {

/// Looks at the options of `picture`, which emulator/picture/access_picture.py will obey: a slip
/// must not wait for a chapter to be built and run.
/// @throws Failure with status 2
void check_picture_options(const std::vector<std::string>& options);

/// Builds a chapter, runs it with the emulator's report, and hands that to
/// emulator/picture/access_picture.py. What the chapter prints is shown only if it fails.
/// @param options for access_picture.py, without the report
/// @param chapter_options for the chapter
/// @return the exit status: the drawing's, or the chapter's if it fails
/// @throws Failure if there is no Python 3, or if something cannot be built or started
int draw_picture(const Checkout& checkout, const Chapter& chapter,
                 const std::vector<std::string>& options,
                 const std::vector<std::string>& chapter_options, std::ostream& out,
                 std::ostream& err, Progress& progress);

/// A program that is run so that what its kernels ask of memory can be drawn.
struct Drawable {
  std::string name;
  std::vector<std::string> command;
  std::filesystem::path folder;  ///< to run in; ours if empty
  /// Whether an exit status of 1 leaves something to draw: a check that did not pass.
  bool may_fail = false;
};

/// The part of draw_picture() after the building: runs the program, quietly, and draws.
int draw_report(const Checkout& checkout, const Drawable& drawable,
                const std::vector<std::string>& options, std::ostream& out, std::ostream& err,
                Progress& progress);

/// @throws Failure if there is no Python 3 that can draw
void require_python();

}  // namespace course::tool
