#include "observers/reports/sarif_report.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <set>
#include <system_error>
#include <utility>

#include "events/findings.hpp"
#include "observers/reports/sarif_result.hpp"

namespace emulator::reports {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr const char* not_ours = "the file is there, and holds something else";

// Processes that write to one file take turns. The file itself is replaced each time, so it is its
// folder that they lock.
class FolderLock {
 public:
  explicit FolderLock(const fs::path& folder)
      : folder_(open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
    while (folder_ >= 0 && flock(folder_, LOCK_EX) != 0 && errno == EINTR) {
    }
  }
  ~FolderLock() {
    if (folder_ >= 0) close(folder_);
  }
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int folder_;
};

[[noreturn]] void give_up(const std::string& path, const char* why) {
  std::fprintf(stderr, "emulator: error: cannot write EMULATOR_SARIF=%s: %s\n", path.c_str(), why);
  std::_Exit(2);  // destructors would find half a program
}

std::string now() {
  using Clock = std::chrono::system_clock;
  const auto since = Clock::now().time_since_epoch();
  const std::time_t seconds = std::chrono::duration_cast<std::chrono::seconds>(since).count();
  const auto milliseconds = std::chrono::duration_cast<std::chrono::milliseconds>(since).count();
  std::tm parts{};
  gmtime_r(&seconds, &parts);
  char date[32];
  std::strftime(date, sizeof date, "%Y-%m-%dT%H:%M:%S", &parts);
  char text[48];
  std::snprintf(text, sizeof text, "%s.%03dZ", date, static_cast<int>(milliseconds % 1000));
  return text;
}

std::string program_uri() {
  std::error_code error;
  return file_uri(fs::read_symlink("/proc/self/exe", error).string());
}

// What the file says; if it is not there, or empty, what it says before anybody has written to it.
Json read(const std::string& path, const std::string& as_given, const std::string& folder) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (fs::exists(status) && !fs::is_regular_file(status)) give_up(as_given, "it is not a file");
  std::ifstream file(path);
  if (fs::exists(status) && !file) give_up(as_given, std::strerror(errno));
  if (!file || file.peek() == std::ifstream::traits_type::eof()) {
    const std::string root = file_uri(folder == "/" ? folder : folder + "/");
    const Json run = {{"tool", Json::object()},
                      {"columnKind", "unicodeCodePoints"},
                      {"originalUriBaseIds", {{"%SRCROOT%", {{"uri", root}}}}},
                      {"invocations", Json::array()},
                      {"results", Json::array()}};
    return {{"$schema", "https://json.schemastore.org/sarif-2.1.0.json"},
            {"version", "2.1.0"},
            {"runs", Json::array({run})}};
  }
  return Json::parse(file);
}

// Puts this process among those that have written, and returns its number. A fork is one of its
// own.
std::size_t put_invocation(Json& all, const std::string& folder, const std::string& start,
                           const int* status) {
  std::size_t index = 0;
  while (index < all.size() &&
         (all[index].at("processId") != getpid() || all[index].at("startTimeUtc") != start)) {
    ++index;
  }
  if (index == all.size()) {
    all.push_back({{"executableLocation", {{"uri", program_uri()}}},
                   {"workingDirectory", {{"uri", file_uri(folder)}}},
                   {"processId", getpid()},
                   {"startTimeUtc", start},
                   {"executionSuccessful", false}});
  }
  if (status != nullptr) {
    all[index]["executionSuccessful"] = true;
    all[index]["exitCode"] = *status;
  }
  return index;
}

// The findings of this process, the one of that number, in place of those that it wrote before.
// What others have found already is there once.
void put_findings(Json& run, std::size_t invocation) {
  run["tool"] = sarif_tool();
  const std::string root = run.at("originalUriBaseIds").at("%SRCROOT%").at("uri");
  Json results = Json::array();
  std::set<std::string> known;
  for (Json& result : run.at("results")) {
    if (result.at("provenance").at("invocationIndex") == invocation) continue;
    known.insert(result.at("partialFingerprints").dump());
    results.push_back(std::move(result));
  }
  for (const Finding& finding : findings_so_far()) {
    Json result = sarif_result(finding, root);
    if (!known.insert(result["partialFingerprints"].dump()).second) continue;
    result["provenance"] = {{"invocationIndex", invocation}};
    results.push_back(std::move(result));
  }
  run["results"] = std::move(results);
}

}  // namespace

SarifReport::SarifReport(const std::string& path) : as_given_(path), start_(now()) {
  std::error_code error;
  path_ = fs::weakly_canonical(fs::absolute(path, error), error).string();
  if (error) give_up(path, error.message().c_str());
  folder_ = fs::current_path(error).string();
  write(nullptr);
}

void SarifReport::write(const int* status) {
  const FolderLock lock(fs::path(path_).parent_path());
  Json log;
  try {
    log = read(path_, as_given_, folder_);
    Json& run = log.at("runs").at(0);
    const bool is_ours =
        run.at("tool").empty() || run.at("tool").at("driver").at("name") == "emucc";
    if (!is_ours || log.at("runs").size() > 1) give_up(as_given_, not_ours);
    put_findings(run, put_invocation(run.at("invocations"), folder_, start_, status));
  } catch (const Json::exception&) {
    give_up(as_given_, not_ours);
  }

  const std::string fresh = path_ + "." + std::to_string(getpid()) + ".tmp";
  std::FILE* const file = std::fopen(fresh.c_str(), "we");
  if (file == nullptr) give_up(as_given_, std::strerror(errno));
  const std::string text = log.dump(1, ' ', false, Json::error_handler_t::replace) + "\n";
  bool good = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  good = std::fclose(file) == 0 && good;
  if (good && std::rename(fresh.c_str(), path_.c_str()) == 0) return;
  const int problem = errno;
  std::remove(fresh.c_str());
  give_up(as_given_, std::strerror(problem));
}

}  // namespace emulator::reports
