// The main function of a submission's process: carries out what the judge asks for.
//
// The judge is at file descriptor 3. Neither the data nor the checks are here before they are sent,
// and the references never are. The device's memory is out of reach of the student's host code: see
// relay.hpp of the emulator.

#include "checks/entries.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <bit>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/arena.hpp"
#include "base/host_state.hpp"
#include "check.hpp"
#include "emulator/findings.h"
#include "emulator/host_copies.h"
#include "emulator/order.h"
#include "emulator/planned_failures.h"
#include "emulator/stream_work.h"
#include "emulator/strict_checks.h"
#include "events/findings.hpp"
#include "events/opaque_numbers.hpp"
#include "events/witnessed.hpp"
#include "judge/host_array.hpp"
#include "judge/traces.hpp"
#include "judge/wire.hpp"
#include "observers/checks/host_findings.hpp"
#include "observers/checks/shadow.hpp"
#include "observers/checks/unchecked_errors.hpp"
#include "streams/untrusted_host.hpp"

namespace course::boundary {

struct Arguments::Message {
  grading::Reader words;
};

}  // namespace course::boundary

namespace course::grading {
namespace {

using boundary::Arguments;
using boundary::Entry;
using boundary::MakeHandle;

namespace device = emulator::program;

constexpr std::size_t most_bytes = std::size_t{1} << 31;

std::map<std::string, Entry>& entries() {
  static auto& all = *new std::map<std::string, Entry>;
  return all;
}

MakeHandle make_handle = nullptr;
int calls = 0;
int judge = -1;
bool memory_is_to_be_freed = false;
bool finishing = false;

std::vector<std::unique_ptr<HostArray>>& host_arrays() {
  static auto& all = *new std::vector<std::unique_ptr<HostArray>>;
  return all;
}

/// Device memory of the judge's.
struct Region {
  std::uintptr_t base;
  std::size_t size;
};

std::vector<Region> adopt_regions(Reader& message) {
  std::vector<Region> regions;
  const device::DeviceWindow window;
  for (std::size_t left = message.get_count(); left > 0; --left) {
    const auto base = static_cast<std::uintptr_t>(message.get<std::uint64_t>());
    const std::string_view contents = message.get_bytes();
    if (!device::adopt(base, contents.size())) throw OutOfMemory("no memory for an allocation");
    std::memcpy(std::bit_cast<void*>(base), contents.data(), contents.size());
    // The message is the host's memory, which the student's code can read.
    std::memset(const_cast<char*>(contents.data()), 0, contents.size());
    device::memory_written(std::bit_cast<const void*>(base), contents.size());
    regions.push_back({base, contents.size()});
  }
  return regions;
}

/// What is in them goes back, and they are ours no more. Nothing, for one that was freed.
void return_regions(const std::vector<Region>& regions, Writer& answer) {
  const device::DeviceWindow window;
  for (const Region& region : regions) {
    const auto* const address = std::bit_cast<const void*>(region.base);
    const auto memory = device::lookup(address);
    const bool alive = memory && memory->base == region.base;
    answer.put_bytes(address, alive ? region.size : 0);
    if (alive) device::let_go(region.base);
  }
}

/// What the function has brought to the host, as it stands.
std::vector<Bytes> take_outputs() {
  std::vector<Bytes> outputs;
  const device::DeviceWindow window;  // they are guarded
  for (const std::unique_ptr<HostArray>& array : host_arrays()) {
    if (array->is_output()) outputs.emplace_back(array->data(), array->data() + array->size());
  }
  return outputs;
}

/// The arrays that the judge sees, the device's and the host's.
struct Results {
  std::vector<Bytes> regions;
  std::vector<Bytes> outputs;
};

std::vector<Bytes> contents_of(const std::vector<Region>& regions) {
  std::vector<Bytes> contents;
  const device::DeviceWindow window;
  for (const Region& region : regions) {
    const auto* const address = std::bit_cast<const char*>(region.base);
    const auto memory = device::lookup(address);
    const bool alive = memory && memory->base == region.base;
    contents.emplace_back(address, alive ? address + region.size : address);
  }
  return contents;
}

/// As they were when the host's code first looked at the data, as to print a result. It may, if
/// nothing changes afterwards: then no result can be made of what it has seen.
struct {
  const std::vector<Region>* regions = nullptr;
  Results results;
} at_first_look;

void note_first_look() {
  at_first_look.results = {contents_of(*at_first_look.regions), take_outputs()};
}

/// A call, from the request to the answer.
Bytes call(Reader& message) {
  const std::string name = message.get_text();
  const auto entry = entries().find(name);
  if (entry == entries().end()) throw WireError("no function " + name);
  emulator::set_order(message.get_text());
  emulator::plan_failure(message.get<emulator::PlannedFailure>());
  emulator::note_stream_work(message.get<char>() != 0);
  emulator::count_host_copies(message.get<bool>());
  const std::vector<Region> regions = adopt_regions(message);
  at_first_look.regions = &regions;
  device::allow_looks(note_first_look);
  Arguments::Message words{Reader(message.get_bytes())};
  Arguments arguments(words);
  CallOutcome outcome = CallOutcome::returned;
  std::string what;
  Bytes result;
  try {
    result = entry->second(arguments);
  } catch (const Error& error) {
    outcome = CallOutcome::cuda_error;
    what = error.what();
  } catch (const std::exception& error) {
    outcome = CallOutcome::other_exception;
    what = error.what();
  } catch (...) {
    outcome = CallOutcome::other_exception;
    what = "of a type that is not a std::exception";
  }
  ++calls;
  const emulator::PlannedFailure to_come = emulator::planned_failure();
  emulator::plan_failure({});
  // What is not there when the function returns came too late, even if a copy is in flight.
  const std::vector<Bytes> outputs = take_outputs();
  const cudaError_t last_error = device::take_last_error();
  static_cast<void>(cudaDeviceSynchronize());  // the traces report a kernel's failure
  // Nobody asks for what an exception or a failed kernel leaves behind.
  if (memory_is_to_be_freed && outcome == CallOutcome::returned &&
      device::sticky_error() == cudaSuccess) {
    device::find_leaks();
  }
  const Results& seen = at_first_look.results;
  if (device::has_looked() &&
      (outputs != seen.outputs || contents_of(regions) != seen.regions || !result.empty())) {
    device::refuse_look();
  }
  const emulator::HostCopies copies = emulator::host_copies();
  emulator::count_host_copies(false);
  Traces traces = take_traces();
  traces.last_error = last_error;

  device::end_guards();
  device::forget_opaque_numbers();
  device::forget_copies();
  Writer answer;
  answer.put(outcome);
  answer.put_text(what);
  answer.put_bytes(result.data(), result.size());
  for (const Bytes& output : outputs) answer.put_bytes(output.data(), output.size());
  host_arrays().clear();
  return_regions(regions, answer);
  answer.put(copies);
  answer.put(to_come);
  put_traces(answer, traces);
  return answer.bytes();
}

/// The program ends, and what it says then goes to the judge.
void tell_the_end(int, void*) {
  if (!finishing) return;
  device::find_unchecked_errors();
  device::find_leaks();
  Writer answer;
  put_traces(answer, take_traces());
  send_message(judge, answer.bytes());
  _exit(0);
}

// Before the student's static objects are made: what they do falls under the rules as well. After
// the emulator's own preparations, whose last words at the end come after ours. A witness that runs
// this program says so by its first word.
__attribute__((constructor(103))) void prepare(int count, char** words) {
  device::is_witnessed = count > 1 && std::string_view(words[1]) == "--witnessed";
  on_exit(tell_the_end, nullptr);
  emulator::set_checking(true);
  emulator::forbid_split_updates();
  emulator::set_recording(true);
  device::distrust_host();
  try {
    send_message(3, {greeting.begin(), greeting.end()});
  } catch (const WireError&) {
    // Nobody is there: main() will say so.
  }
}

int serve() {
  judge = fcntl(3, F_DUPFD_CLOEXEC, 10);
  if (judge < 0) {
    std::fprintf(stderr,
                 "submission: nothing is at file descriptor 3: a judge starts this program\n");
    return 2;
  }
  close(3);
  for (;;) {
    Bytes request;
    try {
      request = receive_message(judge, most_bytes);
    } catch (const WireError&) {
      _exit(0);  // the case is over
    }
    Reader message(request);
    if (message.get<Request>() == Request::finish) break;
    send_message(judge, call(message));
  }
  finishing = true;
  return 0;
}

}  // namespace
}  // namespace course::grading

namespace course::boundary {

using namespace grading;

const void* Arguments::next_pointer() {
  Reader& words = message_.words;
  switch (words.get<Argument>()) {
    case Argument::device:
      return words.get<const void*>();
    case Argument::handle:
      if (words.get<char>() == 0) return nullptr;
      if (make_handle == nullptr) throw WireError("a handle of unknown origin");
      return make_handle();
    case Argument::host_array: {
      const bool is_there = words.get<char>() != 0;
      const bool is_output = words.get<char>() != 0;
      const bool is_pinned = words.get<char>() != 0;
      const bool is_opaque = words.get<char>() != 0;
      words.get<std::uint64_t>();
      if (!is_there) return nullptr;
      const std::string_view contents = words.get_bytes();
      host_arrays().push_back(std::make_unique<HostArray>(contents, is_output, is_pinned));
      const HostArray& array = *host_arrays().back();
      if (is_opaque) {
        if (!device::make_opaque(array.data(), array.size())) throw OutOfMemory("too many numbers");
        // The message is the host's memory, which the student's code can read.
        std::memset(const_cast<char*>(contents.data()), 0, contents.size());
      }
      return array.data();
    }
    case Argument::value:
      break;
  }
  throw WireError("not a pointer");
}

std::string_view Arguments::next_value(std::size_t bytes) {
  if (message_.words.get<Argument>() != Argument::value) throw WireError("not a value");
  const std::string_view value = message_.words.get_bytes();
  if (value.size() != bytes) throw WireError("an argument of another size");
  return value;
}

void Arguments::end() const {
  if (!message_.words.at_end()) throw WireError("an argument too many");
  bool has_output = false;
  for (const std::unique_ptr<HostArray>& array : host_arrays()) {
    if (!array->is_output()) continue;
    has_output = true;
    device::allow_copies_to(array->data(), array->size());
  }
  if (!has_output) return;
  for (const std::unique_ptr<HostArray>& array : host_arrays()) array->guard();
}

bool enter(const char* name, Entry entry) {
  return entries().emplace(name, std::move(entry)).second;
}

bool want_memory_freed() {
  memory_is_to_be_freed = true;
  return true;
}

bool share_at_most(std::size_t bytes) {
  device::share_at_most(bytes);
  return true;
}

bool set_handle_maker(MakeHandle make) {
  make_handle = make;
  return true;
}

}  // namespace course::boundary

int main() {
  try {
    return course::grading::serve();
  } catch (const course::grading::OutOfMemory& error) {
    std::fprintf(stderr, "submission: %s\n", error.what());
    // Later it may be the student's function that has taken all there is.
    return course::grading::calls == 0 ? course::grading::status_no_room : 1;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "submission: %s\n", error.what());
    return 1;
  }
}
