#include "exercises/next_step.hpp"

#include <algorithm>

namespace course::tool {

int points_of(const Exercise& exercise, const ExerciseRecord& work) {
  return work.solved ? exercise.points : std::clamp(work.points, 0, exercise.points);
}

std::string so_far(const ExerciseList& list, const StudentRecord& record) {
  std::size_t solved = 0;
  int points = 0;
  int all_points = 0;
  for (const Exercise& exercise : list.exercises) {
    const ExerciseRecord work = record.of(exercise);
    solved += work.solved ? 1 : 0;
    points += points_of(exercise, work);
    all_points += exercise.points;
  }
  return std::to_string(solved) + " of " + std::to_string(list.exercises.size()) +
         " exercises solved, " + std::to_string(points) + " of " + std::to_string(all_points) +
         " points";
}

const Exercise* first_unsolved(const std::vector<const Exercise*>& exercises,
                               const StudentRecord& record, const Exercise* after) {
  const auto open = [&](const Exercise* one) { return !record.solved(*one); };
  const auto begin = exercises.begin();
  const auto end = exercises.end();
  const auto middle = after == nullptr ? begin : std::find(begin, end, after);
  auto found = std::find_if(middle, end, open);
  if (found != end) return *found;
  found = std::find_if(begin, middle, open);
  return found == middle ? nullptr : *found;
}

const Exercise* where_to_go_on(const std::vector<const Exercise*>& exercises,
                               const StudentRecord& record) {
  const auto latest = std::find_if(exercises.begin(), exercises.end(),
                                   [&](const Exercise* one) { return one->name == record.latest; });
  return first_unsolved(exercises, record, latest == exercises.end() ? nullptr : *latest);
}

const Exercise* next_unsolved(const std::vector<const Exercise*>& exercises,
                              const StudentRecord& record, const Exercise& but) {
  std::vector<const Exercise*> others = exercises;
  const auto here = std::find(others.begin(), others.end(), &but);
  if (here != others.end()) {
    std::rotate(others.begin(), here, others.end());
    others.erase(others.begin());
  }
  return first_unsolved(others, record);
}

std::string next_step(const Checkout& checkout, const std::vector<Chapter>& chapters,
                      const ExerciseList& list, const StudentRecord& record) {
  const Exercise* const exercise = where_to_go_on(all_of(list), record);
  if (exercise == nullptr) {
    return list.exercises.empty()
               ? "Next: read chapters/, from 00 on.\n"
               : "All exercises are solved. ./course solution 01a shows how we did one.\n";
  }
  const bool is_new =
      std::none_of(list.exercises.begin(), list.exercises.end(), [&](const Exercise& other) {
        return other.chapter == exercise->chapter && record.work.contains(other.name);
      });
  const auto chapter = std::find_if(chapters.begin(), chapters.end(), [&](const Chapter& one) {
    return one.number == exercise->chapter;
  });
  std::string text = "Next:\n";
  if (is_new && chapter != chapters.end()) {
    text += "  read     chapters/" + chapter->name + "/README.md\n";
  }
  return text + "  solve    " + exercise->id + ", " + exercise->title + ": " +
         path_in_checkout(checkout, exercise->handout()) + "\n  check    ./course watch " +
         exercise->id + "\n";
}

}  // namespace course::tool
