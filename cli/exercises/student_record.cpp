#include "exercises/student_record.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <system_error>

#include "host/errors.hpp"
#include "host/exercises/stub.hpp"
#include "host/files.hpp"
#include "host/json.hpp"

namespace course::tool {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

constexpr char file_name[] = "progress.json";

StudentRecord parse(const std::string& text) {
  const Json json = parse_json<Json>(text);
  StudentRecord record;
  for (const auto& [name, entry] : json.at("exercises").items()) {
    ExerciseRecord work;
    work.attempts = entry.at("attempts").get<int>();
    work.hints = entry.at("hints").get<int>();
    work.points = entry.value("points", 0);  // older records have none
    work.solved = entry.at("solved").get<bool>();
    work.last = entry.at("last").get<std::string>();
    if (work.attempts < 0 || work.hints < 0) throw std::runtime_error("a count below 0");
    record.work[name] = work;
  }
  record.congratulated = json.at("congratulated").get<std::vector<std::string>>();
  record.latest = json.value("latest", "");
  return record;
}

std::string text_of(const StudentRecord& record) {
  Json exercises = Json::object();
  for (const auto& [name, work] : record.work) {
    exercises[name] = {{"attempts", work.attempts},
                       {"hints", work.hints},
                       {"points", work.points},
                       {"solved", work.solved},
                       {"last", work.last}};
  }
  return Json{{"exercises", exercises},
              {"congratulated", record.congratulated},
              {"latest", record.latest}}
             .dump(1, ' ', false, Json::error_handler_t::replace) +
         '\n';
}

/// Held by the one program that changes the record. Where a file system knows no locks we do
/// without.
class Lock {
 public:
  explicit Lock(const fs::path& file)
      : descriptor_(open(file.c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0666)) {
    if (descriptor_ >= 0) flock(descriptor_, LOCK_EX);
  }
  ~Lock() {
    if (descriptor_ >= 0) close(descriptor_);
  }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int descriptor_;
};

}  // namespace

ExerciseRecord StudentRecord::of(const Exercise& exercise) const {
  const auto found = work.find(exercise.name);
  return found == work.end() ? ExerciseRecord{} : found->second;
}

fs::path student_record_folder(const Checkout& checkout, bool to_write) {
  const fs::path folder = checkout.source_dir / ".course";
  const fs::path other = checkout.build_dir / ".course";
  std::error_code error;
  if (fs::is_directory(folder, error)) {
    return access(folder.c_str(), W_OK | X_OK) == 0 ? folder : other;
  }
  if (fs::is_directory(other, error)) return other;
  if (to_write) fs::create_directory(folder, error);  // or another program has, meanwhile
  if (!to_write || fs::is_directory(folder, error)) return folder;
  fs::create_directories(other, error);
  return other;
}

StudentRecord read_student_record(const Checkout& checkout, std::ostream& err) {
  const fs::path file = student_record_folder(checkout) / file_name;
  const auto text = read_file(file);
  if (!text) return {};
  try {
    return parse(*text);
  } catch (const std::exception&) {
    const fs::path bad = file.string() + ".bad";
    std::error_code error;
    fs::rename(file, bad, error);
    err << "course: " << shown_path(file) << " is damaged: "
        << (error ? std::string("it counts for nothing") : "it is now " + shown_path(bad))
        << ", and your progress starts from the beginning" << std::endl;
    return {};
  }
}

StudentRecord change_student_record(const Checkout& checkout, std::ostream& err,
                                    const std::function<void(StudentRecord&)>& change) {
  const fs::path file = student_record_folder(checkout, true) / file_name;
  const Lock lock(file.parent_path() / "lock");
  StudentRecord record = read_student_record(checkout, err);
  const std::string before = text_of(record);
  change(record);
  const std::string after = text_of(record);
  if (after != before && !write_file(file, after)) {
    err << "course: your progress cannot be remembered: cannot write " << shown_path(file)
        << std::endl;
  }
  return record;
}

std::string stub_text(const Exercise& exercise) {
  try {
    return read_stub(exercise.model());
  } catch (const Failure&) {
    return "";
  }
}

void note_attempt(StudentRecord& record, const Exercise& exercise, const std::string& text) {
  if (text == stub_text(exercise)) return;
  ExerciseRecord& work = record.work[exercise.name];
  const std::string hash = std::to_string(hash_of(text));
  if (work.last == hash) return;
  work.last = hash;
  ++work.attempts;
}

}  // namespace course::tool
