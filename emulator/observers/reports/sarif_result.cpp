#include "observers/reports/sarif_result.hpp"

#include <cctype>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/words.hpp"
#include "observers/reports/finding_rules.hpp"

namespace emulator::reports {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

// GitHub finds no file by the name of a link.
std::string resolved(const std::string& file) {
  std::error_code error;
  const fs::path path = fs::weakly_canonical(fs::absolute(file, error), error);
  return error ? file : path.string();
}

Json artifact_location(const std::string& file, const std::string& root) {
  const std::string uri = file_uri(resolved(file));
  if (!uri.starts_with(root)) return {{"uri", uri}};
  return {{"uri", uri.substr(root.size())}, {"uriBaseId", "%SRCROOT%"}};
}

// The line, from its first character to its last, where the file can be read. Which column it was
// is not known.
Json region(const FindingPlace& place) {
  Json result = {{"startLine", place.line}};
  std::ifstream file(place.file);
  std::string line;
  for (int number = 0; number < place.line && std::getline(file, line);) ++number;
  const std::size_t first = file ? line.find_first_not_of(" \t") : std::string::npos;
  if (first == std::string::npos) return result;
  std::size_t length = 0;
  for (const char c : line) {
    length += (static_cast<unsigned char>(c) & 0xC0) != 0x80 ? 1 : 0;  // characters of UTF-8
  }
  result["startColumn"] = first + 1;
  result["endLine"] = place.line;
  result["endColumn"] = length + 1;
  return result;
}

Json location(const FindingPlace& place, const std::string& root) {
  return {{"physicalLocation",
           {{"artifactLocation", artifact_location(place.file, root)}, {"region", region(place)}}}};
}

// Braces would be those of placeholders.
std::string message_text(std::string_view text) {
  std::string result;
  for (const char c : text) result.append(c == '{' || c == '}' ? 2 : 1, c);
  return result;
}

std::string link(const std::string& text, std::size_t id) {
  std::string result = "[";
  for (const char c : text) {
    if (c == '[' || c == ']' || c == '\\') result += '\\';
    result += c;
  }
  return result + "](" + std::to_string(id) + ")";
}

std::string event_of(const Finding& finding) {
  std::string event = finding.place.event;
  if (!finding.in_kernel) return event;
  const std::string thread = thread_text(finding.thread, finding.block);
  if (event.find(thread) == std::string::npos) event += (event.empty() ? "" : ", ") + thread;
  return event;
}

// The same in every run that finds the same at the same lines.
std::string fingerprint(const Finding& finding, const Json& locations) {
  std::uint64_t hash = 0xcbf29ce484222325;  // FNV-1a
  const std::string text = finding.kind + "\n" + finding.kernel + "\n" +
                           locations.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  std::string digits;
  for (; digits.size() < 16; hash >>= 4) digits += "0123456789abcdef"[hash & 15];
  return digits;
}

std::string severity_for_github(Severity severity) {
  return severity == Severity::note ? "recommendation" : name_of(severity);
}

}  // namespace

std::string file_uri(const std::string& path) {
  constexpr const char* digits = "0123456789ABCDEF";
  constexpr std::string_view plain = "-._~/";
  std::string uri = "file://";
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 128 && (std::isalnum(byte) != 0 || plain.find(c) != std::string_view::npos)) {
      uri += c;
    } else {
      uri += {'%', digits[byte >> 4], digits[byte & 15]};
    }
  }
  return uri;
}

Json sarif_tool() {
  constexpr const char* homepage = EMULATOR_HOMEPAGE;
  const bool is_known = *homepage != '\0';
  const std::string help = std::string(homepage) + "/blob/HEAD/docs/finding-bugs.md#the-kinds";
  Json rules = Json::array();
  for (const FindingRule& rule : finding_rules()) {
    Json json = {{"id", rule.kind},
                 {"shortDescription", {{"text", rule.title}}},
                 {"fullDescription", {{"text", rule.description}}},
                 {"help", {{"text", rule.description}}},
                 {"defaultConfiguration", {{"level", name_of(rule.severity)}}},
                 {"properties",
                  {{"tags", {"cuda", "correctness"}},
                   {"problem.severity", severity_for_github(rule.severity)}}}};
    if (is_known) json["helpUri"] = help;
    rules.push_back(std::move(json));
  }
  Json driver = {{"name", "emucc"}, {"version", EMULATOR_VERSION}};
  if (is_known) driver["informationUri"] = homepage;
  driver["rules"] = std::move(rules);
  return {{"driver", std::move(driver)}};
}

Json sarif_result(const Finding& finding, const std::string& root) {
  // Where its own line is not known, that of another part of the finding has to do, or the program.
  FindingPlace place = finding.place;
  for (const FindingPlace& other : finding.others) {
    if (place.line == 0) place = other;
  }
  std::error_code error;
  if (place.line == 0) place = {fs::read_symlink("/proc/self/exe", error).string(), 1, ""};

  const std::string event = event_of(finding);
  std::string text = finding.what + ".";
  if (finding.place.line == 0) {
    text += " At an unknown place" + (event.empty() ? "" : ": " + event) + ".";
  } else if (!event.empty()) {
    text += " Here: " + event + ".";
  }
  Json related = Json::array();
  for (const FindingPlace& other : finding.others) {
    if (other.line == 0) {
      if (!other.event.empty()) text += " At an unknown place: " + other.event + ".";
      continue;
    }
    Json json = {{"id", related.size() + 1}};
    json.update(location(other, root));
    json["message"]["text"] = message_text(other.event.empty() ? "also involved" : other.event);
    related.push_back(std::move(json));
    text += " See " + link(other.event.empty() ? "there" : other.event, related.size()) + ".";
  }
  if (!finding.kernel.empty()) text += " Kernel: " + finding.kernel + ".";
  if (!finding.memory.empty()) text += " Memory: " + finding.memory + ".";
  if (!finding.remedy.empty()) text += " To fix it: " + finding.remedy + ".";

  Json locations = Json::array({location(place, root)});
  Json places = {locations, related};
  for (Json& each : places[1]) each.erase("message");
  if (!finding.kernel.empty()) {
    locations[0]["logicalLocations"] = {
        {{"fullyQualifiedName", finding.kernel}, {"kind", "function"}}};
  }
  Json result = {{"ruleId", finding.kind},
                 {"level", name_of(finding.severity)},
                 {"message", {{"text", message_text(text)}}},
                 {"locations", std::move(locations)},
                 {"partialFingerprints", {{"emuccFinding/v1", fingerprint(finding, places)}}},
                 {"occurrenceCount", finding.times}};
  if (!related.empty()) result["relatedLocations"] = std::move(related);
  return result;
}

}  // namespace emulator::reports
