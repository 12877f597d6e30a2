#include "exercises/check_json.hpp"

#include <nlohmann/json.hpp>

namespace course::tool {
namespace {

using Json = nlohmann::ordered_json;

const char* state_word(CaseState state) {
  switch (state) {
    case CaseState::passed:
      return "passed";
    case CaseState::skipped:
      return "skipped";
    case CaseState::failed:
    case CaseState::crashed:
      return "failed";
    case CaseState::not_run:
    case CaseState::not_judged:
      break;
  }
  return "not run";
}

Json case_json(const Exercise& exercise, const CaseResult& result) {
  const auto points = case_points(exercise, result.name);
  return {{"name", result.name},
          {"state", state_word(result.state)},
          {"points", points ? Json(*points) : Json()},
          {"message", result.message}};
}

}  // namespace

std::string check_json(const Checkout& checkout, const std::vector<CheckedExercise>& checked) {
  Json exercises = Json::array();
  for (const auto& [exercise, verdict] : checked) {
    Json cases = Json::array();
    for (const CaseResult& result : verdict.cases) cases.push_back(case_json(*exercise, result));
    exercises.push_back({{"id", exercise->id},
                         {"name", exercise->name},
                         {"title", exercise->title},
                         {"file", path_in_checkout(checkout, exercise->source())},
                         {"as_handed_out", verdict.as_handed_out},
                         {"solved", verdict.solved},
                         {"summary", verdict.summary},
                         {"points", verdict.points ? Json(*verdict.points) : Json()},
                         {"of", exercise->points},
                         {"messages", verdict.messages},
                         {"cases", cases}});
  }
  return Json{{"exercises", exercises}}.dump(1, ' ', false, Json::error_handler_t::replace) + '\n';
}

}  // namespace course::tool
