#include "judge/wire.hpp"

#include <doctest/doctest.h>
#include <sys/socket.h>
#include <unistd.h>

#include <array>
#include <cstdint>
#include <string>
#include <thread>

#include "judge/traces.hpp"

using namespace course::grading;

namespace {

struct SocketPair {
  SocketPair() { REQUIRE(socketpair(AF_UNIX, SOCK_STREAM, 0, both.data()) == 0); }
  ~SocketPair() {
    for (const int end : both) close(end);
  }
  SocketPair(const SocketPair&) = delete;
  SocketPair& operator=(const SocketPair&) = delete;
  std::array<int, 2> both{};
};

Traces some_traces() {
  Traces traces;
  traces.last_error = cudaErrorInvalidValue;
  traces.kernel_error = cudaErrorIllegalAddress;
  emulator::LaunchRecord launch;
  launch.kernel = "kernel";
  launch.grid = dim3(1, 2, 3);
  launch.block = dim3(4, 5, 6);
  launch.traffic.global_load_sectors = 1234567890123;
  launch.error = "cudaErrorIllegalAddress";
  traces.launches = {launch, launch};
  emulator::Finding finding;
  finding.severity = emulator::Severity::warning;
  finding.kind = "race";
  finding.what = "what";
  finding.remedy = "remedy";
  finding.kernel = "kernel";
  finding.memory = "memory";
  finding.place = {"/etc/secrets/residual.cu", 12, "written"};
  finding.others = {{"../../shadow", 13, "read"}};
  finding.in_kernel = true;
  finding.block = dim3(7, 8, 9);
  finding.thread = dim3(10, 11, 12);
  finding.bytes = 14;
  finding.offset = -15;
  finding.access_bytes = 16;
  finding.times = 17;
  traces.findings = {finding};
  traces.device_calls = {{"cudaMemset", launch.traffic}};
  traces.violation = "violation";
  return traces;
}

Bytes written(const Traces& traces) {
  Writer message;
  put_traces(message, traces);
  return message.bytes();
}

}  // namespace

TEST_CASE("grading: what is written can be read") {
  Writer writer;
  writer.put(std::uint32_t{5});
  writer.put_text("text");
  writer.put_bytes(nullptr, 0);
  Reader reader(writer.bytes());
  CHECK(reader.get<std::uint32_t>() == 5);
  CHECK(reader.get_text() == "text");
  CHECK_FALSE(reader.at_end());
  CHECK(reader.get_bytes().empty());
  CHECK(reader.at_end());
  CHECK_THROWS_AS(reader.get<char>(), WireError);
}

TEST_CASE("grading: lengths that lie are found") {
  Writer writer;
  writer.put(~std::uint64_t{0});
  writer.put(char{1});
  CHECK_THROWS_AS(Reader(writer.bytes()).get_bytes(), WireError);
  CHECK_THROWS_AS(Reader(writer.bytes()).get_text(), WireError);
  CHECK_THROWS_AS(Reader(writer.bytes()).get_count(), WireError);
  Writer text;
  text.put_text(std::string(100, 'x'));
  CHECK(Reader(text.bytes()).get_text(7) == "xxxxxxx");
}

TEST_CASE("grading: messages go from end to end whole") {
  const SocketPair ends;
  Bytes message(3'000'000, 'm');
  message.back() = 'e';
  std::thread sender([&] { send_message(ends.both[0], message); });
  CHECK(receive_message(ends.both[1], message.size()) == message);
  sender.join();
}

TEST_CASE("grading: a message that is too long or is cut off is an error") {
  {
    const SocketPair ends;
    send_message(ends.both[0], Bytes(100));
    CHECK_THROWS_AS(receive_message(ends.both[1], 99), WireError);
  }
  const SocketPair ends;
  const std::uint64_t size = std::uint64_t{1} << 40;
  REQUIRE(write(ends.both[0], &size, sizeof size) == sizeof size);
  REQUIRE(write(ends.both[0], "abc", 3) == 3);
  shutdown(ends.both[0], SHUT_WR);
  CHECK_THROWS_AS(receive_message(ends.both[1], ~std::size_t{0}), WireError);
}

TEST_CASE("grading: traces arrive as they were, but for the folders of files") {
  const Bytes bytes = written(some_traces());
  Reader reader(bytes);
  const Traces got = get_traces(reader);
  CHECK(reader.at_end());
  CHECK(got.findings.at(0).place.file == "residual.cu");
  CHECK(got.findings.at(0).others.at(0).file == "shadow");
  Traces wanted = some_traces();
  wanted.findings[0].place.file = "residual.cu";
  wanted.findings[0].others[0].file = "shadow";
  CHECK(written(got) == written(wanted));
  CHECK(got.launches.size() == 2);
  REQUIRE(got.device_calls.size() == 1);
  CHECK(got.device_calls[0].name == "cudaMemset");
  CHECK(got.device_calls[0].traffic == wanted.device_calls[0].traffic);
  CHECK(got.launches[1].traffic.global_load_sectors == 1234567890123);
}

TEST_CASE("grading: traces cut off anywhere are an error and nothing worse") {
  const Bytes bytes = written(some_traces());
  for (std::size_t size = 0; size < bytes.size(); ++size) {
    const Bytes part(bytes.begin(), bytes.begin() + static_cast<std::ptrdiff_t>(size));
    Reader reader(part);
    CHECK_THROWS_AS(get_traces(reader), WireError);
  }
}
