#include "testing/json_value.hpp"

#include <nlohmann/json.hpp>
#include <ostream>

namespace course::testing {
namespace {

using Json = nlohmann::json;

const Json& json_of(const std::shared_ptr<const void>& value) {
  static const Json null;
  return value == nullptr ? null : *static_cast<const Json*>(value.get());
}

// A part of a document, which lives as long as the part is in use.
std::shared_ptr<const void> part(const std::shared_ptr<const void>& whole, const Json& json) {
  return {whole, static_cast<const void*>(&json)};
}

}  // namespace

JsonValue JsonValue::parse(const std::string& text) {
  JsonValue value;
  Json json = Json::parse(text, nullptr, false);
  if (!json.is_discarded()) value.value_ = std::make_shared<const Json>(std::move(json));
  return value;
}

JsonValue JsonValue::operator[](const std::string& name) const {
  JsonValue member;
  const Json& json = json_of(value_);
  if (json.is_object() && json.contains(name)) member.value_ = part(value_, json[name]);
  return member;
}

JsonValue JsonValue::operator[](std::size_t index) const {
  JsonValue element;
  const Json& json = json_of(value_);
  if (json.is_array() && index < json.size()) element.value_ = part(value_, json[index]);
  return element;
}

bool JsonValue::contains(const std::string& name) const {
  return json_of(value_).contains(name);
}

std::size_t JsonValue::size() const {
  return json_of(value_).size();
}

bool JsonValue::is_null() const {
  return json_of(value_).is_null();
}

bool JsonValue::is_number() const {
  return json_of(value_).is_number();
}

bool JsonValue::is_object() const {
  return json_of(value_).is_object();
}

double JsonValue::number() const {
  return is_number() ? json_of(value_).get<double>() : 0.0;
}

std::string JsonValue::text() const {
  const Json& json = json_of(value_);
  return json.is_string() ? json.get<std::string>() : "";
}

bool JsonValue::is_text(const std::string& text) const {
  const Json& json = json_of(value_);
  return json.is_string() && json.get_ref<const std::string&>() == text;
}

bool operator==(const JsonValue& a, const JsonValue& b) {
  return json_of(a.value_) == json_of(b.value_);
}

bool operator==(const JsonValue& a, bool b) {
  const Json& json = json_of(a.value_);
  return json.is_boolean() && json.get<bool>() == b;
}

std::ostream& operator<<(std::ostream& stream, const JsonValue& value) {
  return stream << json_of(value.value_).dump();
}

}  // namespace course::testing
