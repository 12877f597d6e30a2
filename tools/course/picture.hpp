/// @file
/// Drawing what a chapter's kernels ask of memory.
#pragma once

#include <ostream>
#include <string>
#include <vector>

#include "chapters.hpp"
#include "checkout.hpp"
#include "progress.hpp"

namespace course::tool {

/// Looks at the options of `picture`, which tools/access_picture.py will obey: a slip must not
/// wait for a chapter to be built and run.
/// @throws Failure with status 2
void check_picture_options(const std::vector<std::string>& options);

/// Builds a chapter, runs it with the emulator's report, and hands that to
/// tools/access_picture.py. What the chapter prints is shown only if it fails.
/// @param options for access_picture.py, without the report
/// @param chapter_options for the chapter
/// @return the exit status: the drawing's, or the chapter's if it fails
/// @throws Failure if there is no Python 3, or if something cannot be built or started
int draw_picture(const Checkout& checkout, const Chapter& chapter,
                 const std::vector<std::string>& options,
                 const std::vector<std::string>& chapter_options, std::ostream& out,
                 std::ostream& err, Progress& progress);

}  // namespace course::tool
