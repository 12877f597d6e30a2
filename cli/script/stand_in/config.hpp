// In place of config.hpp.in, for the test of the whole program: it takes from the environment what
// CMake knows otherwise.
#pragma once

#include <cstdlib>
#include <string>

namespace course::tool::config {

inline std::string from_environment(const char* name) {
  const char* const value = std::getenv(name);
  return value == nullptr ? "" : value;
}

inline constexpr char version[] = "0";
inline const std::string source_dir = from_environment("COURSE_TEST_SOURCE_DIR");
inline const std::string build_dir = from_environment("COURSE_TEST_BUILD_DIR");
inline const std::string backend = from_environment("COURSE_TEST_BACKEND");
inline const std::string cmake = from_environment("COURSE_TEST_CMAKE");
inline const std::string ctest = from_environment("COURSE_TEST_CTEST");

}  // namespace course::tool::config
