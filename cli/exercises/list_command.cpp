#include "exercises/list_command.hpp"

#include <algorithm>
#include <iterator>

#include "console/terminal.hpp"
#include "exercises/exercise_commands.hpp"
#include "exercises/next_step.hpp"
#include "exercises/parts.hpp"
#include "host/errors.hpp"
#include "host/nearest.hpp"

namespace course::tool {
namespace {

/// The exercises of some chapters, and how many of them are solved.
struct Count {
  std::size_t solved = 0;
  std::size_t all = 0;
};

bool has_chapter(const Part& part, const std::string& number) {
  return std::find(part.chapters.begin(), part.chapters.end(), number) != part.chapters.end();
}

template <class IsOne>
Count count_if(const CourseContents& contents, const IsOne& is_one) {
  Count count;
  for (const Exercise& exercise : contents.exercises.exercises) {
    if (!is_one(exercise)) continue;
    ++count.all;
    count.solved += contents.record.solved(exercise) ? 1 : 0;
  }
  return count;
}

/// A line of the overview: a bar where there is room for it, a name, and a count.
class Lines {
 public:
  Lines(const Screen& screen, std::size_t widest_name) : screen_(screen), name_(widest_name) {
    const auto fits = [&](std::size_t columns) {
      return screen.width == any_width || columns <= screen.width;
    };
    has_bar_ = fits(bar_room + 4 + name_ + 2 + count_room);
    is_table_ = fits(name_ + 2 + count_room);
  }

  std::string line(const std::string& name, const Count& count) const {
    const std::string numbers = std::to_string(count.solved) + " of " + std::to_string(count.all);
    if (!is_table_) return wrapped(name + ": " + numbers, screen_.width, 2) + '\n';
    std::string text;
    if (has_bar_) text = progress_bar(count.solved, count.all, bar_room, screen_) + "  ";
    text += name + std::string(name_ - std::min(name_, display_width(name)), ' ');
    return text + std::string(2 + count_room - std::min(count_room, numbers.size()), ' ') +
           numbers + '\n';
  }

 private:
  static constexpr std::size_t bar_room = 10;
  static constexpr std::size_t count_room = 8;  // "16 of 16"

  const Screen& screen_;
  std::size_t name_;
  bool has_bar_ = false;
  bool is_table_ = false;
};

std::string part_name(const ExerciseList& list, const Part& part) {
  return std::to_string(&part - list.parts.data() + 1) + ' ' + part.title;
}

/// "01_global", or "chapter 01" where nothing is known of it but its number.
std::string chapter_name(const std::vector<Chapter>& chapters, const std::string& number) {
  const auto found = std::find_if(chapters.begin(), chapters.end(),
                                  [&](const Chapter& one) { return one.number == number; });
  return found == chapters.end() ? "chapter " + number : found->name;
}

/// The part where the student is; null if all is solved, or there are no parts.
const Part* open_part(const CourseContents& contents) {
  const Exercise* const next = where_to_go_on(all_of(contents.exercises), contents.record);
  return next == nullptr ? nullptr : part_of(contents.exercises, *next);
}

const Part& find_part(const ExerciseList& list, const std::string& wanted) {
  std::vector<std::string> titles;
  for (std::size_t k = 0; k < list.parts.size(); ++k) {
    if (wanted == std::to_string(k + 1) || wanted == list.parts[k].title) return list.parts[k];
    titles.push_back(list.parts[k].title);
  }
  const std::string meant = did_you_mean(nearest(wanted, titles));
  throw Failure("there is no part '" + wanted + "': " +
                    (meant.empty() ? "they go from 1 to " + std::to_string(titles.size()) : meant) +
                    " (./course list names them)",
                status_refused);
}

/// The chapters of a part and its exercises, or those of all parts.
std::string tables(const CourseContents& contents, const Part* part, const Screen& screen) {
  std::vector<Chapter> chapters;
  std::copy_if(
      contents.chapters.begin(), contents.chapters.end(), std::back_inserter(chapters),
      [&](const Chapter& one) { return part == nullptr || has_chapter(*part, one.number); });
  ExerciseList exercises = contents.exercises;
  std::erase_if(exercises.exercises, [&](const Exercise& one) {
    return part != nullptr && !has_chapter(*part, one.chapter);
  });
  const std::string table = exercise_table(exercises, contents.record, screen);
  return chapter_table(chapters, screen.width) + (table.empty() ? "" : '\n' + table);
}

}  // namespace

std::string progress_bar(std::size_t solved, std::size_t all, std::size_t room,
                         const Screen& screen) {
  const std::size_t full = room * solved / std::max<std::size_t>(all, 1);
  const std::string done(full, '#');
  return "[" + (full == 0 ? done : screen.green(done)) + std::string(room - full, '-') + "]";
}

namespace {

/// The overview without the full stop at its end.
std::string unended_overview(const CourseContents& contents, const Screen& screen) {
  const ExerciseList& list = contents.exercises;
  const std::string inset = "    ";
  std::size_t widest = 0;
  for (const Part& part : list.parts) {
    widest = std::max(widest, display_width(part_name(list, part)));
    for (const std::string& number : part.chapters) {
      widest =
          std::max(widest, inset.size() + display_width(chapter_name(contents.chapters, number)));
    }
  }
  const Lines lines(screen, widest);
  const Part* const open = open_part(contents);
  std::string text;
  for (const Part& part : list.parts) {
    const auto in_part = [&](const Exercise& one) { return has_chapter(part, one.chapter); };
    text += lines.line(part_name(list, part), count_if(contents, in_part));
    if (&part != open) continue;
    for (const std::string& number : part.chapters) {
      const auto in_chapter = [&](const Exercise& one) { return one.chapter == number; };
      text += lines.line(inset + chapter_name(contents.chapters, number),
                         count_if(contents, in_chapter));
    }
  }
  return text + so_far(list, contents.record);
}

}  // namespace

std::string parts_overview(const CourseContents& contents, const Screen& screen) {
  return unended_overview(contents, screen) + ".\n";
}

std::string course_list(const Checkout& checkout, const CourseContents& contents, bool all,
                        const std::string& part, const Screen& screen) {
  const ExerciseList& list = contents.exercises;
  const std::string next = '\n' + next_step(checkout, contents.chapters, list, contents.record);
  if (!part.empty()) {
    const Part& one = find_part(list, part);
    return screen.bold("Part " + part_name(list, one)) + "\n\n" + tables(contents, &one, screen) +
           next;
  }
  if (all || list.parts.empty()) return tables(contents, nullptr, screen) + next;
  std::string text = unended_overview(contents, screen);
  if (const Part* const open = open_part(contents)) {
    // Not on a line of its own: with one more, the longest part would fill a screen.
    text += "; see ./course list " + std::to_string(open - list.parts.data() + 1) + ", or --all";
  }
  return text + ".\n" + next;
}

}  // namespace course::tool
