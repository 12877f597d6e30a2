/// @file
/// Reading JSON that somebody may have damaged.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "host/errors.hpp"

namespace course::tool {

/// Parses a text. What the library makes of a million brackets within each other takes a million
/// calls within each other to remove: the stack has no room for them.
/// @throws Json::exception, or Failure, if it is not JSON that any of us would write
template <typename Json = nlohmann::json>
Json parse_json(const std::string& text) {
  constexpr int deepest = 100;
  return Json::parse(text, [](int depth, typename Json::parse_event_t, Json&) {
    if (depth > deepest) throw Failure("it is nested too deeply");
    return true;
  });
}

/// The same; `discarded` if it is not JSON.
template <typename Json = nlohmann::json>
Json parse_json_if_any(const std::string& text) {
  try {
    return parse_json<Json>(text);
  } catch (const typename Json::exception&) {
  } catch (const Failure&) {
  }
  return Json(nlohmann::detail::value_t::discarded);
}

}  // namespace course::tool
