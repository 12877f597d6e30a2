#include "grader/report/marks.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "host/errors.hpp"
#include "host/json.hpp"

namespace course::tool::grading {
namespace {

using Json = nlohmann::ordered_json;

constexpr int format = 1;

Json json_of(const Points& points) {
  return {{"points", points.points}, {"of", points.of}};
}

Json json_of(const CaseMark& mark) {
  return {{"case", mark.name},
          {"result", mark.result},
          {"points", mark.points.points},
          {"of", mark.points.of},
          {"message", mark.message}};
}

Json json_of(const ExerciseMark& mark) {
  const Points points = mark.points();
  Json json{{"id", mark.id},           {"name", mark.name},     {"title", mark.title},
            {"state", mark.state},     {"reason", mark.reason}, {"details", mark.details},
            {"points", points.points}, {"of", points.of}};
  if (!mark.is_graded()) json["points"] = nullptr;
  json["criteria"] = Json::object();
  for (const auto& [name, part] : mark.criteria()) json["criteria"][name] = json_of(part);
  json["cases"] = Json::array();
  for (const CaseMark& one : mark.cases) json["cases"].push_back(json_of(one));
  json["seconds"] = mark.seconds;
  return json;
}

CaseMark case_from(const Json& json) {
  return {json.at("case").get<std::string>(),
          json.at("result").get<std::string>(),
          {json.at("points").get<int>(), json.at("of").get<int>()},
          json.at("message").get<std::string>()};
}

ExerciseMark exercise_from(const Json& json) {
  ExerciseMark mark;
  mark.id = json.at("id").get<std::string>();
  mark.name = json.at("name").get<std::string>();
  mark.title = json.at("title").get<std::string>();
  mark.state = json.at("state").get<std::string>();
  mark.reason = json.at("reason").get<std::string>();
  mark.details = json.at("details").get<std::vector<std::string>>();
  mark.seconds = json.at("seconds").get<double>();
  for (const Json& one : json.at("cases")) mark.cases.push_back(case_from(one));
  return mark;
}

}  // namespace

std::string CaseMark::criterion() const {
  const std::string word = name.substr(0, name.find(':'));
  return word == "correct" || word == "safe" || word == "efficient" ? word : "other";
}

Points ExerciseMark::points() const {
  Points sum;
  for (const CaseMark& one : cases) sum += one.points;
  return sum;
}

int ExerciseMark::deduction() const {
  return settlement.by_hand ? 0 : points().points * settlement.percent_off;
}

int ExerciseMark::mark() const {
  return settlement.by_hand.value_or(100 * points().points - deduction());
}

std::vector<std::pair<std::string, Points>> ExerciseMark::criteria() const {
  std::vector<std::pair<std::string, Points>> criteria;
  for (const CaseMark& one : cases) {
    const std::string word = one.criterion();
    auto found = std::find_if(criteria.begin(), criteria.end(),
                              [&](const auto& entry) { return entry.first == word; });
    if (found == criteria.end()) found = criteria.insert(criteria.end(), {word, Points{}});
    found->second += one.points;
  }
  return criteria;
}

Points Marks::points() const {
  Points sum;
  for (const ExerciseMark& one : exercises) sum += one.points();
  return sum;
}

int Marks::mark() const {
  int sum = 0;
  for (const ExerciseMark& one : exercises) sum += one.mark();
  return sum;
}

bool Marks::has_mark() const {
  return std::all_of(exercises.begin(), exercises.end(),
                     [](const ExerciseMark& one) { return one.has_mark(); });
}

bool Marks::has_failure_of_ours() const {
  return std::any_of(exercises.begin(), exercises.end(),
                     [](const ExerciseMark& one) { return !one.is_graded(); });
}

std::string to_json(const Marks& marks) {
  const Points points = marks.points();
  Json json{{"format", format},
            {"submission", marks.submission},
            {"graded", marks.graded},
            {"seed", marks.seed},
            {"judge", marks.judge},
            {"fingerprint", marks.fingerprint},
            {"isolation",
             {{"level", marks.isolation.level}, {"not_enforced", marks.isolation.not_enforced}}},
            {"points", points.points},
            {"of", points.of}};
  if (marks.has_failure_of_ours()) json["points"] = nullptr;
  json["exercises"] = Json::array();
  for (const ExerciseMark& one : marks.exercises) json["exercises"].push_back(json_of(one));
  return json.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

std::optional<Marks> marks_from_json(const std::string& text) {
  try {
    const Json json = parse_json<Json>(text);
    if (json.at("format").get<int>() != format) return std::nullopt;
    Marks marks;
    marks.submission = json.at("submission").get<std::string>();
    marks.graded = json.at("graded").get<std::string>();
    marks.seed = json.at("seed").get<std::uint64_t>();
    marks.judge = json.at("judge").get<std::string>();
    marks.fingerprint = json.at("fingerprint").get<std::string>();
    marks.isolation.level = json.at("isolation").at("level").get<std::string>();
    marks.isolation.not_enforced =
        json.at("isolation").at("not_enforced").get<std::vector<std::string>>();
    for (const Json& one : json.at("exercises")) marks.exercises.push_back(exercise_from(one));
    return marks;
  } catch (const Json::exception&) {
    return std::nullopt;
  } catch (const Failure&) {
    return std::nullopt;
  }
}

}  // namespace course::tool::grading
