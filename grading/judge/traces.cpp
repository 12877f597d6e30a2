#include "judge/traces.hpp"

#include <utility>

#include "base/host_state.hpp"
#include "events/findings.hpp"
#include "events/stream_work.hpp"
#include "program/recorded_launches.hpp"
#include "streams/untrusted_host.hpp"

namespace course::grading {
namespace {

using emulator::Finding;
using emulator::FindingPlace;
using emulator::LaunchRecord;

void put_place(Writer& message, const FindingPlace& place) {
  message.put_text(place.file);
  message.put(place.line);
  message.put_text(place.event);
}

/// The judge may show a line of the file that is named. A bare name is not a file of the judge's.
FindingPlace get_place(Reader& message) {
  FindingPlace place;
  const std::string file = message.get_text();
  place.file = file.substr(file.find_last_of('/') + 1);
  place.line = message.get<int>();
  place.event = message.get_text();
  return place;
}

void put_finding(Writer& message, const Finding& finding) {
  message.put(finding.severity);
  for (const std::string* const text :
       {&finding.kind, &finding.what, &finding.remedy, &finding.kernel, &finding.memory}) {
    message.put_text(*text);
  }
  put_place(message, finding.place);
  message.put(std::uint64_t{finding.others.size()});
  for (const FindingPlace& other : finding.others) put_place(message, other);
  message.put(finding.in_kernel);
  message.put(finding.block);
  message.put(finding.thread);
  message.put(finding.bytes);
  message.put(finding.offset);
  message.put(finding.access_bytes);
  message.put(finding.times);
}

Finding get_finding(Reader& message) {
  Finding finding;
  finding.severity = message.get<emulator::Severity>();
  if (finding.severity > emulator::Severity::note) throw WireError("no such severity");
  for (std::string* const text :
       {&finding.kind, &finding.what, &finding.remedy, &finding.kernel, &finding.memory}) {
    *text = message.get_text();
  }
  finding.place = get_place(message);
  for (std::size_t left = message.get_count(); left > 0; --left) {
    finding.others.push_back(get_place(message));
  }
  finding.in_kernel = message.get<char>() != 0;
  finding.block = message.get<dim3>();
  finding.thread = message.get<dim3>();
  finding.bytes = message.get<std::uint64_t>();
  finding.offset = message.get<std::int64_t>();
  finding.access_bytes = message.get<unsigned>();
  finding.times = message.get<std::uint64_t>();
  return finding;
}

void put_work(Writer& message, const emulator::StreamWork& work) {
  message.put(work.kind);
  message.put_text(work.name);
  message.put(work.bytes);
  message.put(std::uint64_t{work.after.size()});
  for (const emulator::StreamWork::Wait& wait : work.after) {
    message.put(std::uint64_t{wait.work});
    message.put(wait.why);
  }
}

/// Work waits for what comes before it in the list only: following that comes to an end.
emulator::StreamWork get_work(Reader& message, std::size_t place) {
  using emulator::StreamWork;
  StreamWork work;
  work.kind = message.get<StreamWork::Kind>();
  if (work.kind > StreamWork::Kind::mark) throw WireError("no such kind of work");
  work.name = message.get_text();
  work.bytes = message.get<std::uint64_t>();
  for (std::size_t left = message.get_count(); left > 0; --left) {
    const auto other = static_cast<std::size_t>(message.get<std::uint64_t>());
    const auto why = message.get<StreamWork::Why>();
    if (other >= place || why > StreamWork::Why::host) throw WireError("no such work to wait for");
    work.after.push_back({other, why});
  }
  return work;
}

}  // namespace

Traces take_traces() {
  Traces traces;
  traces.last_error = emulator::program::take_last_error();
  traces.kernel_error = emulator::program::sticky_error();
  traces.launches = emulator::launches();
  traces.pace = emulator::pace();
  emulator::clear_launches();
  traces.findings = emulator::findings();
  emulator::clear_findings();
  for (emulator::program::DeviceCall& call : emulator::program::take_device_calls()) {
    traces.device_calls.push_back({std::move(call.name), call.traffic});
  }
  traces.stream_work = emulator::stream_work();
  emulator::note_stream_work(false);
  traces.graph_calls = emulator::graph_calls();
  emulator::clear_graph_calls();
  traces.violation = emulator::program::violation();
  return traces;
}

void put_traces(Writer& message, const Traces& traces) {
  message.put(traces.last_error);
  message.put(traces.kernel_error);
  message.put(std::uint64_t{traces.launches.size()});
  for (const LaunchRecord& launch : traces.launches) {
    message.put_text(launch.kernel);
    message.put(launch.grid);
    message.put(launch.block);
    message.put(launch.traffic);
    message.put_text(launch.error);
  }
  message.put(traces.pace);
  message.put(std::uint64_t{traces.findings.size()});
  for (const Finding& finding : traces.findings) put_finding(message, finding);
  message.put(std::uint64_t{traces.device_calls.size()});
  for (const DeviceCall& call : traces.device_calls) {
    message.put_text(call.name);
    message.put(call.traffic);
  }
  message.put(std::uint64_t{traces.stream_work.size()});
  for (const emulator::StreamWork& work : traces.stream_work) put_work(message, work);
  message.put(traces.graph_calls);
  message.put_text(traces.violation);
}

Traces get_traces(Reader& message) {
  Traces traces;
  traces.last_error = static_cast<cudaError_t>(message.get<int>());
  traces.kernel_error = static_cast<cudaError_t>(message.get<int>());
  for (std::size_t left = message.get_count(); left > 0; --left) {
    LaunchRecord launch;
    launch.kernel = message.get_text();
    launch.grid = message.get<dim3>();
    launch.block = message.get<dim3>();
    launch.traffic = message.get<emulator::Traffic>();
    launch.error = message.get_text();
    traces.launches.push_back(std::move(launch));
  }
  traces.pace = message.get<emulator::Pace>();
  for (std::size_t left = message.get_count(); left > 0; --left) {
    traces.findings.push_back(get_finding(message));
  }
  for (std::size_t left = message.get_count(); left > 0; --left) {
    DeviceCall call;
    call.name = message.get_text();
    call.traffic = message.get<emulator::Traffic>();
    traces.device_calls.push_back(std::move(call));
  }
  for (std::size_t left = message.get_count(); left > 0; --left) {
    traces.stream_work.push_back(get_work(message, traces.stream_work.size()));
  }
  traces.graph_calls = message.get<emulator::GraphCalls>();
  traces.violation = message.get_text();
  return traces;
}

void adopt_traces(const Traces& traces) {
  for (const LaunchRecord& launch : traces.launches) emulator::program::add_launch(launch, {});
  emulator::program::add_pace(traces.pace);
  // A launch without a grid, which counts for nothing but its traffic.
  for (const DeviceCall& call : traces.device_calls) {
    LaunchRecord record;
    record.kernel = call.name + "()";
    record.grid = dim3(0, 0, 0);
    record.traffic = call.traffic;
    emulator::program::add_launch(record, {});
  }
  for (const Finding& finding : traces.findings) emulator::program::add_told_finding(finding);
  emulator::program::add_stream_work(traces.stream_work);
  emulator::program::note_graph_calls(traces.graph_calls);
  emulator::program::set_error(traces.last_error);
  if (traces.kernel_error != cudaSuccess) emulator::program::set_sticky_error(traces.kernel_error);
}

}  // namespace course::grading
