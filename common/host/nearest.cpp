#include "host/nearest.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "host/characters.hpp"

namespace course::tool {
namespace {

/// How many letters have to be put in, taken out or replaced to make one of the other.
std::size_t edits(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({replaced, row[j] + 1, row[j + 1] + 1});
    }
  }
  return row.back();
}

}  // namespace

std::vector<std::string> nearest(const std::string& word, const std::vector<std::string>& names) {
  constexpr std::size_t most = 4;
  constexpr std::size_t long_enough = 3;  // to be looked for within a name
  const std::string wanted = lower_case(word);
  const std::size_t tolerated = wanted.size() <= long_enough ? 1 : 2;
  std::vector<std::pair<std::size_t, std::string>> found;
  if (wanted.empty()) return {};
  for (const std::string& name : names) {
    const std::string whole = lower_case(name);
    const std::size_t score =
        std::min(edits(wanted, whole), edits(wanted, whole.substr(whole.find('_') + 1)));
    const bool is_part = wanted.size() >= long_enough && whole.find(wanted) != std::string::npos;
    if (is_part || score <= tolerated) found.emplace_back(is_part ? 0 : score, name);
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first < b.first; });
  found.resize(std::min(found.size(), most));
  std::vector<std::string> result;
  result.reserve(found.size());
  for (auto& [score, name] : found) result.push_back(std::move(name));
  return result;
}

std::string did_you_mean(const std::vector<std::string>& names) {
  if (names.empty()) return "";
  std::string text = names.front();
  for (std::size_t k = 1; k < names.size(); ++k) {
    text += (k + 1 == names.size() ? " or " : ", ") + names[k];
  }
  return "did you mean " + text + '?';
}

}  // namespace course::tool
