#include "host/build_lock.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "host/files.hpp"
#include "host/process.hpp"
#include "processes/signal_watch.hpp"

namespace course::tool {
namespace {

namespace fs = std::filesystem;

/// Whether a program runs whose id a file holds.
bool is_alive(const fs::path& file) {
  const std::string id = read_file(file).value_or("").substr(0, 20);
  const std::string digits = id.substr(0, id.find_first_not_of("0123456789"));
  std::error_code error;
  return !digits.empty() && fs::exists("/proc/" + digits, error);
}

/// The script makes this folder where the machine has no program `flock`.
bool script_holds(const fs::path& file) {
  return is_alive(file.string() + ".d/pid");
}

/// The file stays, since somebody may be waiting for it; but our number goes.
void give_back(int descriptor) {
  [[maybe_unused]] const int emptied = ftruncate(descriptor, 0);
  flock(descriptor, LOCK_UN);
}

/// Takes the lock; false if somebody else has it.
bool take(int descriptor, const fs::path& file) {
  if (flock(descriptor, LOCK_EX | LOCK_NB) != 0) return errno != EWOULDBLOCK && errno != EINTR;
  // First our number, then the look at the other: so one of two sees the other one.
  const std::string id = std::to_string(getpid()) + '\n';
  if (ftruncate(descriptor, 0) == 0) {
    [[maybe_unused]] const ssize_t written = pwrite(descriptor, id.data(), id.size(), 0);
  }
  if (!script_holds(file)) return true;
  give_back(descriptor);
  return false;
}

void wait_for(int descriptor, const fs::path& file, Progress& progress) {
  if (take(descriptor, file)) return;
  // While we wait, nothing is at work that a signal could interrupt.
  const processes::SignalWatch stop_watch{SIGINT, SIGTERM, SIGHUP};
  const auto start = std::chrono::steady_clock::now();
  // The script ./course, which has waited before us, has said so.
  if (std::getenv("COURSE_TOLD_OF_WAITING") == nullptr) {
    progress.begin("waiting for another ./course in this checkout ...");
  }
  do {
    progress.update(duration_text(std::chrono::duration_cast<std::chrono::milliseconds>(
        std::chrono::steady_clock::now() - start)));
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    if (const int signal = stop_watch.received(); signal != 0) throw Interrupted(signal);
  } while (!take(descriptor, file));
  progress.done();
}

/// @param flags O_CLOEXEC, unless our children are to keep the lock when we are killed
int locked(const fs::path& file, int flags, Progress& progress) {
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  const int descriptor = open(file.c_str(), O_CREAT | O_RDWR | flags, 0666);
  if (descriptor < 0) return descriptor;
  try {
    wait_for(descriptor, file, progress);
  } catch (...) {
    close(descriptor);
    throw;
  }
  return descriptor;
}

}  // namespace

BuildLock BuildLock::of_build(const Checkout& checkout, Progress& progress) {
  // ninja also has it: if we are killed, it is at work for a while yet.
  return BuildLock(locked(checkout.build_dir / "course.lock", 0, progress));
}

BuildLock BuildLock::of_folder(const fs::path& folder, Progress& progress) {
  // What a student's program leaves running must not keep it.
  return BuildLock(locked(folder / "course.lock", O_CLOEXEC, progress));
}

BuildLock::BuildLock(BuildLock&& other) noexcept
    : descriptor_(std::exchange(other.descriptor_, -1)) {}

BuildLock::~BuildLock() {
  if (descriptor_ < 0) return;
  give_back(descriptor_);
  close(descriptor_);
}

}  // namespace course::tool
