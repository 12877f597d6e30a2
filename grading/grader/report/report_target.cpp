#include "grader/report/report_target.hpp"

#include <filesystem>
#include <system_error>

#include "host/errors.hpp"

namespace course::tool::grading {

namespace fs = std::filesystem;

void check_report_target(const std::string& option, const std::string& file) {
  if (file.empty() || file == to_stdout) return;
  std::error_code error;
  const fs::file_status found = fs::status(file, error);
  std::string what;
  switch (found.type()) {
    case fs::file_type::regular:
      return;
    case fs::file_type::not_found:
      if (fs::is_symlink(fs::symlink_status(file, error))) what = "a link that leads nowhere";
      if (file.back() == '/') what = "a folder";
      if (what.empty()) return;
      break;
    case fs::file_type::directory:
      what = "a folder";
      break;
    case fs::file_type::fifo:
      what = "a pipe";
      break;
    case fs::file_type::character:
    case fs::file_type::block:
      what = "a device";
      break;
    default:
      what = error ? "out of reach (" + error.message() + ")" : "no ordinary file";
  }
  throw Failure(option + " writes an ordinary file, or to standard output (" + option +
                    " -), and " + file + " is " + what,
                status_refused);
}

}  // namespace course::tool::grading
