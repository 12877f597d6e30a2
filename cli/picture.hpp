/// @file
/// Drawing what a program's kernels ask of memory, and what its streams do when.
#pragma once

#include <filesystem>
#include <ostream>
#include <string>
#include <vector>

#include "chapters.hpp"
#include "host/checkout.hpp"
#include "host/progress.hpp"

namespace course::tool {

/// What is drawn.
struct Picture {
  enum class Subject {
    accesses,  ///< what a warp asks of memory: emulator/tools/picture/access_picture.py
    timeline   ///< what ran in which stream: emulator/tools/picture/timeline_picture.py
  };
  Subject subject = Subject::accesses;
  std::vector<std::string> options;  ///< for the program that draws
  /// On a GPU, the library that records a timeline. On the emulator the program does so itself.
  std::filesystem::path recorder{};
};

/// The options of `picture`.
std::vector<std::string> picture_options();

/// Takes out of the words after `picture NN` those options, with their values, that the command
/// does not know: they are the chapter's.
std::vector<std::string> take_chapter_options(std::vector<std::string>& words);

/// Looks at the options of `picture`, which the program that draws will obey: a slip must not wait
/// for a chapter to be built and run.
/// @throws Failure with status 2
void check_picture_options(const Picture& picture);

/// Whether a word names a timeline that was written before, in place of a chapter: run.json.
bool names_timeline(const std::string& word);

/// Draws such a file.
int draw_file(const Checkout& checkout, const std::filesystem::path& file, const Picture& picture,
              std::ostream& out, std::ostream& err);

/// Builds a chapter, runs it so that it writes what is to be drawn, and has that drawn. What the
/// chapter prints is shown only if it fails.
/// @param chapter_options for the chapter
/// @return the exit status: the drawing's, or the chapter's if it fails
/// @throws Failure if there is no Python 3, or if something cannot be built or started
int draw_picture(const Checkout& checkout, const Chapter& chapter, const Picture& picture,
                 const std::vector<std::string>& chapter_options, std::ostream& out,
                 std::ostream& err, Progress& progress);

/// A program that is run so that something of it can be drawn.
struct Drawable {
  std::string name;
  std::vector<std::string> command;
  std::filesystem::path folder;  ///< to run in; ours if empty
  /// Whether an exit status of 1 leaves something to draw: a check that did not pass.
  bool may_fail = false;
};

/// The part of draw_picture() after the building: runs the program, quietly, and draws.
int draw_report(const Checkout& checkout, const Drawable& drawable, const Picture& picture,
                std::ostream& out, std::ostream& err, Progress& progress);

/// @throws Failure if there is no Python 3 that can draw
void require_python(const std::string& command = "picture");

}  // namespace course::tool
