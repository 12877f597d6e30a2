/// @file
/// Which chapters' kernels are measured.
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace course::measure {

/// The chapters that the command line names: all of them, where it names none.
class ChapterFilter {
 public:
  /// @param numbers "06", "07"
  explicit ChapterFilter(std::vector<std::string> numbers) : numbers_(std::move(numbers)) {}

  /// @param chapter "06_unroll"
  bool operator()(const std::string& chapter) const {
    return numbers_.empty() ||
           std::any_of(numbers_.begin(), numbers_.end(), [&](const std::string& number) {
             return chapter.starts_with(number + "_");
           });
  }

 private:
  std::vector<std::string> numbers_;
};

}  // namespace course::measure
