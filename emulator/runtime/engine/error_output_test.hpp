#pragma once
/// \file
/// For tests of what the emulator says.

#include <doctest/doctest.h>
#include <unistd.h>

#include <cstdio>
#include <string>

/// What the function writes to stderr.
template <class Function>
std::string error_output_of(Function function) {
  std::FILE* const file = std::tmpfile();
  REQUIRE(file != nullptr);
  std::fflush(stderr);
  const int before = dup(STDERR_FILENO);
  dup2(fileno(file), STDERR_FILENO);
  function();
  std::fflush(stderr);
  dup2(before, STDERR_FILENO);
  close(before);
  std::rewind(file);
  std::string text;
  for (int c = 0; (c = std::fgetc(file)) != EOF;) text += static_cast<char>(c);
  std::fclose(file);
  return text;
}
