/// @file
/// Timelines of GPUs, from records made by hand.

#include "gpu_records.hpp"

#include <doctest/doctest.h>

#include <utility>

#include "observers/timeline/trace_file.hpp"

using namespace course::timeline;
using Json = nlohmann::json;
namespace category = emulator::timeline::category;

namespace {

// Two streams; in the second a kernel that waits for an event in the first. Then the host waits.
GpuRecords two_streams() {
  GpuRecords all;
  all.streams = {{7, Stream::Kind::is_default},
                 {13, Stream::Kind::blocking},
                 {14, Stream::Kind::non_blocking}};
  all.calls = {{"cudaMemcpyAsync", 10'000, 11'000, 5, 1},
               {"cudaLaunchKernel", 12'000, 13'000, 5, 4},
               {"cudaStreamSynchronize", 14'000, 40'500, 5, 5}};
  all.work = {{category::kernel, "sum", 30'250, 40'000, 14, 4},
              {category::to_device, "copy to device 4 MiB", 20'000, 30'000, 13, 1}};
  all.recordings = {{100, 13, 1, 2}};
  all.waits = {{Wait::Target::event_in_a_stream, 0, 0, 14, 100, 3},
               {Wait::Target::stream, 14'000, 40'500, 14, 0, 5}};
  return all;
}

Json file_of(GpuRecords records) {
  return Json::parse(timeline_of(std::move(records), "sums"));
}

// The events of that kind, each by what `show` makes of it.
template <class Show>
std::string shown(const Json& file, const std::string& phase, Show show) {
  std::string text;
  for (const Json& event : file["traceEvents"]) {
    if (event["ph"] == phase) text += show(event) + "; ";
  }
  return text;
}

std::string number(const Json& value) {
  return value.dump();
}

std::string items(const Json& file) {
  return shown(file, "X", [](const Json& event) {
    return number(event["pid"]) + "." + number(event["tid"]) + " " +
           event["name"].get<std::string>() + " " + number(event["ts"]) + "+" +
           number(event["dur"]);
  });
}

std::string ends(const Json& file, const std::string& phase) {
  return shown(file, phase, [](const Json& event) {
    return number(event["pid"]) + "." + number(event["tid"]) + " " + number(event["ts"]);
  });
}

std::string lanes(const Json& file) {
  return shown(file, "M", [](const Json& event) {
    return event["name"] == "thread_name" ? event["args"]["name"].get<std::string>() : "";
  });
}

}  // namespace

TEST_CASE("work lies in its stream's lane, in microseconds from the first call on") {
  const Json file = file_of(two_streams());
  CHECK(file["otherData"]["unit"] == "microsecond");
  CHECK(items(file) ==
        "2.1 copy to device 4 MiB 10+10; 1.1 cudaMemcpyAsync 0+1; 2.2 sum 20.25+9.75; "
        "1.1 cudaLaunchKernel 2+1; 1.1 waits for a stream 4+26.5; ");
  const std::string names = lanes(file);
  CHECK(names.find("host; ") != std::string::npos);
  CHECK(names.find("stream 1; ") != std::string::npos);
  CHECK(names.find("stream 2, non-blocking; ") != std::string::npos);
  CHECK(names.find("default") == std::string::npos);  // nothing runs in it
}

TEST_CASE("a stream that nobody has made is a default one") {
  GpuRecords all = two_streams();
  all.streams = {{14, Stream::Kind::non_blocking}};
  const std::string names = lanes(file_of(all));
  CHECK(names.find("default stream; ") != std::string::npos);
  CHECK(names.find("stream 1, non-blocking; ") != std::string::npos);
}

TEST_CASE("an event makes an arrow from the work before it to the work that waits") {
  const Json file = file_of(two_streams());
  CHECK(ends(file, "s") == "2.1 19.5; 2.2 29.5; ");
  CHECK(ends(file, "f") == "2.2 20.75; 1.1 30; ");
  CHECK(shown(file, "i", [](const Json& event) { return event["name"].get<std::string>(); }) ==
        "records event 1; waits for event 1; ");
  GpuRecords other = two_streams();
  other.waits[0].record = 101;  // of which nothing is known
  CHECK(ends(file_of(other), "s") == "2.2 29.5; ");
}

TEST_CASE("the host waits for everything, or for an event") {
  GpuRecords everything = two_streams();
  everything.waits[1].target = Wait::Target::everything;
  const Json file = file_of(everything);
  CHECK(items(file).find("waits for everything 4+26.5") != std::string::npos);
  CHECK(ends(file, "s") == "2.1 19.5; 2.1 19.5; 2.2 29.5; ");

  GpuRecords event = two_streams();
  event.waits[1] = {Wait::Target::event, 14'000, 30'500, 0, 100, 5};
  CHECK(items(file_of(event)).find("waits for event 1 4+16.5") != std::string::npos);
  // What has ended by then is not waited for.
  event.waits[1].begin = 30'100;
  CHECK(ends(file_of(event), "s") == "2.1 19.5; ");
}

TEST_CASE("a call that returns after its work has waited for it") {
  GpuRecords all = two_streams();
  all.waits.clear();
  all.calls[0].end = 30'500;
  const Json file = file_of(all);
  CHECK(items(file).find("1.1 cudaMemcpyAsync 0+1; 1.1 waits in cudaMemcpyAsync 1+19.5; ") !=
        std::string::npos);
  CHECK(ends(file, "f") == "1.1 20; ");
}

TEST_CASE("without records there is a timeline without work, and what was left out is said") {
  CHECK(items(file_of({})).empty());
  GpuRecords all;
  all.left_out = 7;
  CHECK(file_of(all)["otherData"]["left_out"] == 7);
}

TEST_CASE("kernels have the names of the source") {
  CHECK(kernel_name("_Z3sumPKfS0_Pfi") == "sum");
  CHECK(kernel_name("_ZN5space4tileILi32EEEvPf") == "space::tile<32>");
  CHECK(kernel_name("_Z5applyIPFffEEvT_") == "apply<float (*)(float)>");
  CHECK(kernel_name("plain") == "plain");
}
