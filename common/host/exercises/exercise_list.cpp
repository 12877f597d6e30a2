#include "host/exercises/exercise_list.hpp"

#include <algorithm>
#include <cctype>
#include <nlohmann/json.hpp>

#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/json.hpp"
#include "host/nearest.hpp"

namespace course::tool {
namespace {

using Json = nlohmann::json;
using Words = std::vector<std::string>;

Exercise exercise_of(const Json& entry) {
  Exercise exercise;
  exercise.id = entry.at("id").get<std::string>();
  exercise.name = entry.at("name").get<std::string>();
  exercise.title = entry.at("title").get<std::string>();
  exercise.kind = entry.at("kind").get<std::string>();
  exercise.chapter = entry.at("chapter").get<std::string>();
  exercise.points = entry.at("points").get<int>();
  exercise.cublas = entry.value("cublas", false);
  exercise.cutensor = entry.value("cutensor", false);
  exercise.needs = entry.value("needs", Words{});
  exercise.lacks = entry.value("lacks", "");
  exercise.folder = entry.at("folder").get<std::string>();
  exercise.file = entry.at("file").get<std::string>();
  exercise.solution = entry.at("solution").get<std::string>();
  exercise.target = entry.at("target").get<std::string>();
  exercise.objects = entry.at("objects").get<Words>();
  exercise.libraries = entry.at("libraries").get<Words>();
  exercise.compile = entry.at("compile").get<Words>();
  exercise.compiler = entry.value("compiler", Words{});
  exercise.cases = entry.at("cases").get<Words>();
  exercise.case_points = entry.value("case_points", std::vector<int>{});
  exercise.not_graded = entry.value("not_graded", "");
  exercise.judge = entry.value("judge", "");
  exercise.judge_target = entry.value("judge_target", "");
  if (entry.contains("submission")) {
    exercise.submission_objects = entry.at("submission").at("objects").get<Words>();
    exercise.submission_libraries = entry.at("submission").at("libraries").get<Words>();
  }
  return exercise;
}

std::string without_zeros(const std::string& id) {
  return id.substr(std::min(id.find_first_not_of('0'), id.size()));
}

/// "01", "1" or "01_global": the digits that it begins with, or nothing if it means no chapter.
std::string chapter_number(const std::string& word) {
  const std::string digits = word.substr(0, word.find_first_not_of("0123456789"));
  const bool ends = digits.size() == word.size() || word[digits.size()] == '_';
  return ends ? digits : "";
}

/// What a mistyped word may have meant: the exercises of its chapter, or those with such a name.
std::vector<std::string> meant_ids(const ExerciseList& list, const std::string& wanted) {
  std::vector<std::string> ids;
  std::vector<std::string> names;
  const std::string number =
      without_zeros(wanted.substr(0, wanted.find_first_not_of("0123456789")));
  for (const Exercise& exercise : list.exercises) {
    if (!number.empty() && without_zeros(exercise.chapter) == number) ids.push_back(exercise.id);
    names.insert(names.end(), {exercise.id, exercise.name});
  }
  if (ids.empty()) ids = nearest(wanted, names);
  constexpr std::size_t most = 4;
  ids.resize(std::min(ids.size(), most));
  return ids;
}

[[noreturn]] void refuse(const ExerciseList& list, const std::string& wanted) {
  const std::string meant = did_you_mean(meant_ids(list, wanted));
  throw Failure("there is no exercise '" + wanted + '\'' +
                    (list.exercises.empty() ? ": there are none yet" : "") +
                    (meant.empty() ? "" : ": " + meant) + " (./course list --all names them)",
                status_refused);
}

}  // namespace

ExerciseList read_exercises(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) refuse_damaged(file, "it cannot be read");
  try {
    const Json json = parse_json(*text);
    ExerciseList list;
    list.backend = json.at("backend").get<std::string>();
    list.compile = json.at("compile").get<Words>();
    list.link = json.at("link").get<Words>();
    if (list.compile.empty() || list.link.empty()) throw Failure("it names no compiler");
    if (json.contains("witness")) {
      list.witness = json.at("witness").at("folder").get<std::string>();
      list.student_script = json.at("witness").at("script").get<std::string>();
    }
    for (const Json& entry : json.at("parts")) {
      list.parts.push_back({entry.at("title").get<std::string>(), entry.at("chapters").get<Words>(),
                            entry.at("can_do").get<std::string>()});
    }
    for (const Json& entry : json.at("exercises")) list.exercises.push_back(exercise_of(entry));
    return list;
  } catch (const Json::exception& error) {
    refuse_damaged(file, error.what());
  } catch (const Failure& failure) {
    refuse_damaged(file, failure.what());
  }
}

bool names_exercise(const std::string& word) {
  const std::size_t letter = word.find_first_not_of("0123456789");
  if (letter == 0 || letter == std::string::npos) return false;
  if (std::isalpha(static_cast<unsigned char>(word[letter])) == 0) return false;
  return letter + 1 == word.size() || word[letter + 1] == '_';
}

const Exercise& find_exercise(const ExerciseList& list, const std::string& wanted) {
  const auto found =
      std::find_if(list.exercises.begin(), list.exercises.end(), [&](const Exercise& exercise) {
        return exercise.name == wanted ||
               (names_exercise(wanted) && without_zeros(exercise.id) == without_zeros(wanted));
      });
  if (found == list.exercises.end()) refuse(list, wanted);
  return *found;
}

std::vector<const Exercise*> find_exercises(const ExerciseList& list, const std::string& wanted) {
  const std::string number = chapter_number(wanted);
  if (number.empty()) return {&find_exercise(list, wanted)};
  std::vector<const Exercise*> found;
  for (const Exercise& exercise : list.exercises) {
    if (without_zeros(exercise.chapter) == without_zeros(number)) found.push_back(&exercise);
  }
  if (found.empty()) refuse(list, wanted);
  return found;
}

std::vector<const Exercise*> all_of(const ExerciseList& list) {
  std::vector<const Exercise*> all;
  for (const Exercise& exercise : list.exercises) all.push_back(&exercise);
  return all;
}

std::vector<const Exercise*> meant_exercises(const ExerciseList& list, const std::string& wanted) {
  if (!wanted.empty()) return find_exercises(list, wanted);
  std::vector<const Exercise*> all = all_of(list);
  if (all.empty()) throw Failure("there are no exercises yet");
  return all;
}

std::string path_in_checkout(const Checkout& checkout, const std::filesystem::path& path) {
  const std::filesystem::path below = path.lexically_relative(checkout.source_dir);
  const bool is_below = !below.empty() && *below.begin() != "..";
  return is_below ? below.string() : path.string();
}

}  // namespace course::tool
