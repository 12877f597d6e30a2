#include "grader/gradebook/times.hpp"

#include <array>
#include <charconv>
#include <chrono>
#include <cstdio>
#include <string_view>

namespace course::tool::grading {
namespace {

/// Takes numbers and signs off a text.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  bool take(char wanted) {
    if (text_.empty() || text_.front() != wanted) return false;
    text_.remove_prefix(1);
    return true;
  }

  /// A number of `digits` digits, up to `most`.
  std::optional<int> number(std::size_t digits, int most) {
    if (text_.size() < digits) return std::nullopt;
    int value = 0;
    const auto [end, error] = std::from_chars(text_.data(), text_.data() + digits, value);
    if (error != std::errc() || end != text_.data() + digits || value < 0 || value > most) {
      return std::nullopt;
    }
    text_.remove_prefix(digits);
    return value;
  }

  bool is_at_end() const { return text_.empty(); }

 private:
  std::string_view text_;
};

/// Seconds to be taken off for a zone.
std::optional<int> zone(Scanner& scanner) {
  if (scanner.take('Z') || scanner.take('z')) return 0;
  const bool is_west = scanner.take('-');
  if (!is_west && !scanner.take('+')) return std::nullopt;
  const auto hours = scanner.number(2, 14);
  scanner.take(':');
  const auto minutes = scanner.number(2, 59);
  if (!hours || !minutes) return std::nullopt;
  return (is_west ? -1 : 1) * (*hours * 3600 + *minutes * 60);
}

}  // namespace

std::optional<std::int64_t> parse_time(const std::string& text) {
  namespace chrono = std::chrono;
  Scanner scanner(text);
  const auto year = scanner.number(4, 9999);
  if (!year || !scanner.take('-')) return std::nullopt;
  const auto month = scanner.number(2, 12);
  if (!month || !scanner.take('-')) return std::nullopt;
  const auto day = scanner.number(2, 31);
  if (!day || !(scanner.take('T') || scanner.take(' '))) return std::nullopt;
  const auto hour = scanner.number(2, 23);
  if (!hour || !scanner.take(':')) return std::nullopt;
  const auto minute = scanner.number(2, 59);
  if (!minute) return std::nullopt;
  int second = 0;
  if (scanner.take(':')) {
    const auto given = scanner.number(2, 59);
    if (!given) return std::nullopt;
    second = *given;
    if (scanner.take('.')) {
      if (!scanner.number(1, 9)) return std::nullopt;
      while (scanner.number(1, 9)) {
      }
    }
  }
  scanner.take(' ');
  const auto shift = zone(scanner);
  if (!shift || !scanner.is_at_end()) return std::nullopt;
  const chrono::year_month_day date{chrono::year(*year),
                                    chrono::month(static_cast<unsigned>(*month)),
                                    chrono::day(static_cast<unsigned>(*day))};
  if (!date.ok()) return std::nullopt;
  const std::int64_t days = chrono::sys_days(date).time_since_epoch().count();
  return days * 86400 + *hour * 3600 + *minute * 60 + second - *shift;
}

std::string time_text(std::int64_t seconds) {
  namespace chrono = std::chrono;
  const chrono::sys_seconds time{chrono::seconds(seconds)};
  const auto day = chrono::floor<chrono::days>(time);
  const chrono::year_month_day date(day);
  const auto rest = static_cast<int>((time - day).count());
  std::array<char, 64> text{};
  std::snprintf(text.data(), text.size(), "%04d-%02u-%02uT%02d:%02d:%02dZ",
                static_cast<int>(date.year()), static_cast<unsigned>(date.month()),
                static_cast<unsigned>(date.day()), rest / 3600, rest / 60 % 60, rest % 60);
  return text.data();
}

}  // namespace course::tool::grading
