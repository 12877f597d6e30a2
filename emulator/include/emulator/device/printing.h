#pragma once
#pragma GCC system_header
/// \file
/// What a program's printf() is where its result is used. A kernel's returns how many arguments it
/// has printed, and not, as the C library's, how many characters. (Not <cstdio>, which programs
/// have to include.)

#include <cstdarg>

#include "emulator/host/launch.h"
#include "emulator/inline.h"

namespace emulator::detail {

/// How many arguments the format takes.
EMULATOR_LEAF int printed_arguments(const char* format) {
  int count = 0;
  while (*format != '\0') {
    if (*format++ != '%') continue;
    if (*format == '%') {
      ++format;
      continue;
    }
    for (; *format != '\0' && __builtin_strchr("-+ #0123456789.*", *format) != nullptr; ++format) {
      if (*format == '*') ++count;
    }
    ++count;
  }
  return count;
}

// Declared here, not read from <cstdio>: a program that uses printf has to include that itself.
extern "C" int vprintf(const char* format, std::va_list arguments);

}  // namespace emulator::detail

EMULATOR_LEAF __attribute__((format(printf, 1, 2))) int emulator_printf(const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  const int characters = emulator::detail::vprintf(format, arguments);
  va_end(arguments);
  return emulator::for_device() ? emulator::detail::printed_arguments(format) : characters;
}

// Programs may write std::printf.
namespace std {
using ::emulator_printf;
}  // namespace std
