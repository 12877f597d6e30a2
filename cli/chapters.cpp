#include "chapters.hpp"

#include <algorithm>
#include <iterator>
#include <nlohmann/json.hpp>

#include "console/table.hpp"
#include "host/errors.hpp"
#include "host/files.hpp"
#include "host/json.hpp"
#include "host/nearest.hpp"

namespace course::tool {

std::vector<Chapter> read_chapters(const std::filesystem::path& file) {
  const auto text = read_file(file);
  if (!text) refuse_damaged(file, "it cannot be read");
  try {
    std::vector<Chapter> chapters;
    const nlohmann::json list = parse_json(*text);
    if (!list.is_array()) throw Failure("it is not a list of chapters");
    for (const nlohmann::json& entry : list) {
      Chapter chapter;
      chapter.number = entry.at("number").get<std::string>();
      chapter.name = entry.at("name").get<std::string>();
      chapter.title = entry.at("title").get<std::string>();
      chapter.program = entry.at("program").get<std::string>();
      chapter.target = entry.at("target").get<std::string>();
      chapter.ladder = entry.at("ladder").get<bool>();
      chapter.best_kernel = entry.value("best_kernel", "");
      chapter.devices = entry.value("devices", 0);
      if (entry.contains("fast")) {
        chapter.fast_program = entry.at("fast").at("program").get<std::string>();
        chapter.fast_target = entry.at("fast").at("target").get<std::string>();
      }
      chapters.push_back(chapter);
    }
    return chapters;
  } catch (const nlohmann::json::exception& error) {
    refuse_damaged(file, error.what());
  } catch (const Failure& failure) {
    refuse_damaged(file, failure.what());
  }
}

namespace {

using Names = std::vector<std::string>;

/// So that "01" and "1" are the same.
std::string without_zeros(const std::string& number) {
  return number.substr(std::min(number.find_first_not_of('0'), number.size()));
}

bool is_number(const std::string& text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
}

}  // namespace

const Chapter& find_chapter(const std::vector<Chapter>& chapters, const std::string& wanted) {
  const auto found = std::find_if(chapters.begin(), chapters.end(), [&](const Chapter& chapter) {
    return chapter.name == wanted ||
           (is_number(wanted) && without_zeros(chapter.number) == without_zeros(wanted));
  });
  if (found != chapters.end()) return *found;
  Names names;
  for (const Chapter& chapter : chapters) names.push_back(chapter.name);
  std::string meant = did_you_mean(is_number(wanted) ? Names{} : nearest(wanted, names));
  if (meant.empty() && !chapters.empty()) {
    meant = "they go from " + chapters.front().number + " to " + chapters.back().number;
  }
  throw Failure(
      "there is no chapter '" + wanted + "': " + meant + " (./course list --all names them)",
      status_refused);
}

std::vector<Chapter> tour_chapters(const std::vector<Chapter>& chapters) {
  std::vector<Chapter> tour;
  std::copy_if(chapters.begin(), chapters.end(), std::back_inserter(tour),
               [](const Chapter& chapter) { return chapter.on_tour(); });
  return tour;
}

std::string chapter_table(const std::vector<Chapter>& chapters, std::size_t width) {
  Table table({{"chapter", Align::left}, {"on the tour", Align::left, 1}, {"title", Align::left}});
  for (const Chapter& chapter : chapters) {
    table.add({chapter.name, chapter.on_tour() ? "yes" : "", chapter.title});
  }
  return table.text(width);
}

}  // namespace course::tool
