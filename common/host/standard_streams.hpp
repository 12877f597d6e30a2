/// @file
/// Standard input, output and errors: what a program of the course does where they are not in
/// order.
#pragma once

#include <fcntl.h>

#include <cstdio>
#include <iostream>
#include <string>

#include "host/errors.hpp"

namespace course::tool {

/// Opens those that the calling process has closed. Otherwise the next file that we open takes the
/// place, and what is meant for the reader goes into it. What is written to these is an error
/// still.
inline void open_closed_streams() {
  for (int stream = 0; stream < 3; ++stream) {
    if (fcntl(stream, F_GETFD) < 0) {
      // The lowest number that is free.
      [[maybe_unused]] const int opened = open("/dev/null", stream == 2 ? O_WRONLY : O_RDONLY);
    }
  }
}

/// What could not be written is no success: says so in one line, and gives another exit status.
inline int if_all_was_written(int status, const std::string& program) {
  const bool written = std::cout.flush().good() && std::fflush(stdout) == 0;
  if (written) return status;
  std::cerr << program << ": cannot write to standard output: it is full, or closed" << std::endl;
  return status == status_ok ? status_failed : status;
}

}  // namespace course::tool
