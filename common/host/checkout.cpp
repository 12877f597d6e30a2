#include "host/checkout.hpp"

#include <system_error>

namespace course::tool {

std::string shown_path(const std::filesystem::path& path) {
  std::error_code error;
  const std::filesystem::path here = std::filesystem::current_path(error);
  const std::filesystem::path below = path.lexically_relative(here);
  const bool is_below = !error && !below.empty() && *below.begin() != "..";
  return is_below ? below.string() : path.string();
}

}  // namespace course::tool
