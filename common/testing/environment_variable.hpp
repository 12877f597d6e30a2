/// @file
/// A variable of the environment, for the programs that a test runs.
#pragma once

#include <cstdlib>
#include <string>

namespace course::testing {

/// Sets a variable of the environment for as long as it lives.
class EnvironmentVariable {
 public:
  EnvironmentVariable(const char* name, const std::string& value) : name_(name) {
    setenv(name, value.c_str(), 1);
  }
  EnvironmentVariable(const EnvironmentVariable&) = delete;
  EnvironmentVariable& operator=(const EnvironmentVariable&) = delete;
  ~EnvironmentVariable() { unsetenv(name_); }

 private:
  const char* name_;
};

}  // namespace course::testing
