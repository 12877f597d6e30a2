#include "compiler/diagnose/rule_messages.hpp"

namespace emulator::compiler::diagnose {

using text::Position;
using text::unquoted;

void RuleMessages::add(std::size_t i, const std::string& message) {
  messages_.emplace(text_.tokens()[i].begin, message);
}

std::vector<std::string> RuleMessages::lines() const {
  std::vector<std::string> result;
  for (const auto& [offset, message] : messages_) {
    const Position position = lines_.position(offset);
    const std::string place =
        std::string(unquoted(position.file)) + ':' + std::to_string(position.line) + ':';
    // One a line: the first.
    if (!result.empty() && result.back().starts_with(place)) continue;
    result.push_back(place + std::to_string(position.column + 1) + ": error: " + message);
  }
  return result;
}

bool has_host_body(const text::CudaText& text, const text::DeviceFunction& function) {
  for (std::size_t i = function.open; i < function.close; ++i) {
    if (text.is(i, "for_device")) return true;
  }
  return false;
}

}  // namespace emulator::compiler::diagnose
