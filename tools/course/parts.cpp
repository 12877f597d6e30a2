#include "parts.hpp"

#include <algorithm>
#include <cstdlib>

namespace course::tool {
namespace {

std::string counted(int count, const std::string& one, const std::string& several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

/// Breaks a text at blanks so that no line is longer than a terminal is wide.
std::string wrapped(const std::string& text, std::size_t width = 80) {
  std::string result;
  std::size_t column = 0;
  for (std::size_t begin = 0; begin < text.size();) {
    const std::size_t end = std::min(text.find(' ', begin), text.size());
    const std::size_t length = end - begin;
    if (column != 0 && column + 1 + length > width) {
      result += '\n';
      column = 0;
    } else if (column != 0) {
      result += ' ';
      ++column;
    }
    result.append(text, begin, length);
    column += length;
    begin = end + 1;
  }
  return result + '\n';
}

}  // namespace

const std::vector<Part>& parts() {
  static const std::vector<Part> all{
      {0, 0, "first steps",
       "You can write a kernel, launch it over any number of elements, bring data to the device "
       "and "
       "back, and see to it that no error goes by unnoticed."},
      {1, 7, "the SGEMV ladder",
       "You can say what a warp asks of memory at every line of a kernel, and have it ask for "
       "less: "
       "accesses that coalesce, constant memory where all lanes read the same, tiles that a block "
       "reads together, values handed around a warp, wide loads. And you know what cuBLAS takes "
       "for rows and what for columns."},
      {8, 9, "matrix products",
       "You can cut a product of matrices into tiles in shared memory, ragged edges included, and "
       "lay them out so that no bank is in the way; you can unroll a loop and keep its tail; and "
       "you can reckon beforehand how much memory traffic all that saves."},
  };
  return all;
}

const Part* part_of(const Exercise& exercise) {
  const int chapter = std::atoi(exercise.chapter.c_str());
  const auto found = std::find_if(parts().begin(), parts().end(), [&](const Part& part) {
    return part.first <= chapter && chapter <= part.last;
  });
  return found == parts().end() ? nullptr : &*found;
}

std::string congratulation(const ExerciseList& list, const Exercise& exercise,
                           StudentRecord& record) {
  const Part* const part = part_of(exercise);
  if (part == nullptr) return "";
  std::vector<std::string>& told = record.congratulated;
  if (std::find(told.begin(), told.end(), part->title) != told.end()) return "";

  int exercises = 0;
  int points = 0;
  int attempts = 0;
  int hints = 0;
  for (const Exercise& one : list.exercises) {
    if (part_of(one) != part) continue;
    const Work work = record.of(one);
    if (!work.solved) return "";
    ++exercises;
    points += one.points;
    attempts += work.attempts;
    hints += work.hints;
  }
  told.push_back(part->title);

  std::string text = "Well done: you have solved all of part " +
                     std::to_string(part - parts().data() + 1) + " of the course, " + part->title +
                     ".\n\n" + wrapped(part->can_do) + '\n';
  text += counted(exercises, "exercise", "exercises") + ", " + counted(points, "point", "points") +
          ", " + counted(attempts, "attempt", "attempts") + ", " +
          (hints == 0 ? "and not one hint" : counted(hints, "hint", "hints")) + ".\n";
  const auto next = std::find_if(
      list.exercises.begin(), list.exercises.end(),
      [&](const Exercise& one) { return part_of(one) != part && !record.solved(one); });
  if (next == list.exercises.end()) {
    text += "And with that, all exercises there are. ./course tour shows the whole ladder again.\n";
  } else {
    const Part* const other = part_of(*next);
    text += "What comes next: " + (other == nullptr ? "" : other->title + ", ") + "exercise " +
            next->id + ", \"" + next->title + "\".\n";
  }
  return text;
}

}  // namespace course::tool
