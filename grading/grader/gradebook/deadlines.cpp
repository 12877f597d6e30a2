#include "grader/gradebook/deadlines.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <nlohmann/json.hpp>
#include <utility>

#include "grader/gradebook/roster.hpp"
#include "grader/gradebook/times.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/json.hpp"

namespace course::tool::grading {
namespace {

using Json = nlohmann::json;
using Clock = Deadlines::Clock;

constexpr std::int64_t day = 86400;

/// Names of clocks in the file, and in words.
struct ClockName {
  Clock clock;
  const char* name;
  const char* by;
};
constexpr std::array<ClockName, 3> clocks{{{Clock::commit, "commit", "by its last commit"},
                                           {Clock::file, "file", "by the time of its file"},
                                           {Clock::roster, "roster", "by the roster"}}};

/// Reads the file's parts; what is wrong is said with the file's name.
class Reader {
 public:
  Reader(std::string file, const ExerciseList& list) : file_(std::move(file)), list_(list) {}

  Deadlines read(const Json& json) const {
    Deadlines deadlines;
    deadlines.file = file_;
    check_keys(json, "", {"time", "percent_per_day", "grace_days", "labs"});
    deadlines.clock = clock(text(json, "time"));
    deadlines.percent_per_day = number(json, "percent_per_day", 100);
    if (json.contains("grace_days")) {
      deadlines.grace_days = number(json, "grace_days", most_grace_days);
    }
    if (!json.contains("labs") || !json["labs"].is_array() || json["labs"].empty()) {
      refuse("\"labs\" wants a list of labs");
    }
    for (const Json& one : json["labs"]) add(lab(one), deadlines);
    std::stable_sort(deadlines.labs.begin(), deadlines.labs.end(),
                     [](const Lab& a, const Lab& b) { return a.deadline < b.deadline; });
    return deadlines;
  }

  [[noreturn]] void refuse(const std::string& why) const {
    throw Failure(file_ + ": " + why, status_refused);
  }

 private:
  void check_keys(const Json& json, const std::string& where,
                  const std::vector<std::string>& known) const {
    if (!json.is_object()) refuse(where + "wants an object, {...}");
    for (const auto& [key, value] : json.items()) {
      if (std::find(known.begin(), known.end(), key) != known.end()) continue;
      std::string names;
      for (const std::string& one : known) names += (names.empty() ? "" : ", ") + one;
      refuse(where + "there is no key '" + key + "'; there are " + names);
    }
  }

  std::string text(const Json& json, const std::string& key) const {
    if (!json.contains(key) || !json[key].is_string() || json[key].get<std::string>().empty()) {
      refuse('"' + key + "\" wants a text");
    }
    return json[key].get<std::string>();
  }

  int number(const Json& json, const std::string& key, int most) const {
    const bool fits = json.contains(key) && json[key].is_number_unsigned() &&
                      json[key].get<std::uint64_t>() <= static_cast<std::uint64_t>(most);
    if (!fits) refuse('"' + key + "\" wants a whole number from 0 to " + std::to_string(most));
    return json[key].get<int>();
  }

  Clock clock(const std::string& name) const {
    const auto* const found = std::find_if(clocks.begin(), clocks.end(),
                                           [&](const ClockName& one) { return one.name == name; });
    if (found == clocks.end()) {
      refuse("\"time\" wants \"commit\", \"file\" or \"roster\", got '" + name + "'");
    }
    return found->clock;
  }

  Lab lab(const Json& json) const {
    check_keys(json, "a lab: ", {"lab", "exercises", "deadline"});
    Lab lab;
    lab.name = text(json, "lab");
    lab.deadline_text = text(json, "deadline");
    const auto deadline = parse_time(lab.deadline_text);
    if (!deadline) {
      refuse("the deadline of " + lab.name + " wants the form " + time_form + ", got '" +
             lab.deadline_text + "'");
    }
    lab.deadline = *deadline;
    if (!json.contains("exercises") || !json["exercises"].is_array() || json["exercises"].empty()) {
      refuse("the \"exercises\" of " + lab.name + " want a list, [\"01a\"]");
    }
    for (const Json& one : json["exercises"]) {
      if (!one.is_string()) refuse("the \"exercises\" of " + lab.name + " want texts, \"01a\"");
      try {
        for (const Exercise* const exercise : find_exercises(list_, one.get<std::string>())) {
          lab.exercises.push_back(exercise);
        }
      } catch (const Failure& failure) {
        refuse(lab.name + ": " + failure.what());
      }
    }
    return lab;
  }

  void add(Lab lab, Deadlines& deadlines) const {
    for (const Lab& other : deadlines.labs) {
      if (other.name == lab.name) refuse("there are two labs '" + lab.name + "'");
      for (const Exercise* const exercise : lab.exercises) {
        const auto& theirs = other.exercises;
        if (std::find(theirs.begin(), theirs.end(), exercise) == theirs.end()) continue;
        refuse(exercise->id + " is in two labs, " + other.name + " and " + lab.name);
      }
    }
    deadlines.labs.push_back(std::move(lab));
  }

  std::string file_;
  const ExerciseList& list_;
};

std::string days_text(int count, const char* what) {
  return std::to_string(count) + what + (count == 1 ? "" : "s");
}

}  // namespace

Deadlines read_deadlines(const std::filesystem::path& file, const ExerciseList& list) {
  const auto text = read_file(file);
  if (!text) throw Failure("cannot read " + file.string(), status_refused);
  const Reader reader(file.filename().string(), list);
  const Json json = parse_json_if_any(*text);
  if (json.is_discarded()) reader.refuse("this is not JSON");
  return reader.read(json);
}

std::vector<Lateness> lateness_of(const Deadlines& deadlines, int grace_days,
                                  const std::vector<Arrival>& arrivals) {
  std::vector<Lateness> all;
  for (std::size_t k = 0; k < deadlines.labs.size(); ++k) {
    Lateness lateness;
    const Arrival& arrival = arrivals[k];
    const std::int64_t over =
        arrival.has_files ? arrival.time.value_or(0) - deadlines.labs[k].deadline : 0;
    if (arrival.has_files && !arrival.time) {
      lateness.text = "when it was handed in is not known: nothing off";
    } else if (over > 0) {
      constexpr std::int64_t most = std::numeric_limits<int>::max();
      lateness.days = static_cast<int>(std::min(most, (over + day - 1) / day));
      lateness.grace = std::min(grace_days, lateness.days);
      grace_days -= lateness.grace;
      const std::int64_t percent =
          std::int64_t{lateness.days - lateness.grace} * deadlines.percent_per_day;
      lateness.percent_off = static_cast<int>(std::min<std::int64_t>(100, percent));
      lateness.text = days_text(lateness.days, " day") + " late";
      if (lateness.grace != 0) lateness.text += ", " + days_text(lateness.grace, " grace day");
      lateness.text += ": " + std::to_string(lateness.percent_off) + "% off";
    }
    all.push_back(std::move(lateness));
  }
  return all;
}

std::string arrival_text(const Deadlines& deadlines, const Lab& lab, const Arrival& arrival) {
  if (!arrival.has_files) return "";
  const auto* const clock = std::find_if(clocks.begin(), clocks.end(), [&](const ClockName& one) {
    return one.clock == deadlines.clock;
  });
  const std::string when = arrival.time ? time_text(*arrival.time) : "not known";
  return lab.name + ": " + when + ' ' + clock->by + "; the deadline was " + lab.deadline_text;
}

}  // namespace course::tool::grading
