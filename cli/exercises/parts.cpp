#include "exercises/parts.hpp"

#include <algorithm>

namespace course::tool {
namespace {

std::string counted(int count, const std::string& one, const std::string& several) {
  return std::to_string(count) + ' ' + (count == 1 ? one : several);
}

}  // namespace

const Part* part_of(const ExerciseList& list, const Exercise& exercise) {
  const auto found = std::find_if(list.parts.begin(), list.parts.end(), [&](const Part& part) {
    return std::find(part.chapters.begin(), part.chapters.end(), exercise.chapter) !=
           part.chapters.end();
  });
  return found == list.parts.end() ? nullptr : &*found;
}

std::string congratulation(const ExerciseList& list, const Exercise& exercise,
                           StudentRecord& record) {
  const Part* const part = part_of(list, exercise);
  if (part == nullptr) return "";
  std::vector<std::string>& told = record.congratulated;
  if (std::find(told.begin(), told.end(), part->title) != told.end()) return "";

  int exercises = 0;
  int points = 0;
  int attempts = 0;
  int hints = 0;
  for (const Exercise& one : list.exercises) {
    if (part_of(list, one) != part) continue;
    const ExerciseRecord work = record.of(one);
    if (!work.solved) return "";
    ++exercises;
    points += one.points;
    attempts += work.attempts;
    hints += work.hints;
  }
  told.push_back(part->title);

  std::string text = "Well done: you have solved all of part " +
                     std::to_string(part - list.parts.data() + 1) + " of the course, " +
                     part->title + ".\n\n" + part->can_do + "\n\n";
  text += counted(exercises, "exercise", "exercises") + ", " + counted(points, "point", "points") +
          ", " + counted(attempts, "attempt", "attempts") + ", " +
          (hints == 0 ? "and not one hint" : counted(hints, "hint", "hints")) + ".\n";
  const auto open = [&](const Exercise& one) {
    return part_of(list, one) != part && !record.solved(one);
  };
  // From here on, and what was passed over last: as first_unsolved() has it.
  const auto begin = list.exercises.begin();
  const auto end = list.exercises.end();
  const auto here =
      std::find_if(begin, end, [&](const Exercise& one) { return one.id == exercise.id; });
  auto next = std::find_if(here, end, open);
  if (next == end) next = std::find_if(begin, here, open);
  if (next == here) next = end;
  if (next == list.exercises.end()) {
    text += "And with that, all exercises there are. ./course tour shows the whole ladder again.\n";
  } else {
    const Part* const other = part_of(list, *next);
    text += "What comes next: " + (other == nullptr ? "" : other->title + ", ") + "exercise " +
            next->id + ", \"" + next->title + "\".\n";
  }
  return text;
}

}  // namespace course::tool
