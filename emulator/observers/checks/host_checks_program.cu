// Goes wrong in host code, in one way or another: what
// emulator/observers/checks/host_checks_test.py looks at.

#include <signal.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <iostream>
#include <string>

#include "emulator/findings.h"
#include "events/findings.hpp"

namespace {

float* kept = nullptr;

// A wrapper, as programs have them.
float* allocate(int count) {
  float* data = nullptr;
  if (cudaMalloc(&data, count * sizeof(float)) != cudaSuccess) std::exit(1);  // in the wrapper
  return data;
}

void release(float* data) {
  if (cudaFree(data) != cudaSuccess) std::puts("cudaFree fails");  // in the wrapper, too
}

struct Owner {
  float* data = nullptr;
  ~Owner() {
    if (data != nullptr) release(data);
  }
};
Owner owner;

void release_kept() {
  release(kept);
}

emulator::Finding made_up(emulator::Severity severity, int line) {
  emulator::Finding finding;
  finding.severity = severity;
  finding.kind = "race";
  finding.what = "made up";
  finding.place = {"made_up.cu", line, "here"};
  return finding;
}

void add_made_up(emulator::Severity severity, int count) {
  for (int i = 0; i < count; ++i) emulator::checks::add_finding(made_up(severity, i + 1));
  emulator::checks::print_new_findings();
}

void free_twice() {
  float* const data = allocate(100);  // for free_twice
  release(data);                      // for the first time
  release(data);                      // for the second time
}

}  // namespace

__global__ void fill(float* data) {
  data[threadIdx.x] = 1;
}

__global__ void fails(float* data) {
  data[threadIdx.x] = 1;
  if (threadIdx.x == 7) __trap();
}

int main(int argc, char** argv) {
  const std::string way = argc > 1 ? argv[1] : "";
  const auto is = [&](const char* name) { return way == name; };
  float* const data = allocate(64);  // freed at the end
  fill<<<1, 64>>>(data);
  if (cudaGetLastError() != cudaSuccess || cudaDeviceSynchronize() != cudaSuccess) return 1;

  if (is("leak") || is("leak-and-exit-5") || is("leak-and-exit-0")) {
    for (int i = 0; i < 3; ++i) kept = allocate(100);  // three leaks
    kept = allocate(10);                               // another leak
    if (is("leak-and-exit-5")) std::exit(5);
    if (is("leak-and-exit-0")) std::exit(0);
  }
  if (is("leak-and-reset")) {
    allocate(100);
    return cudaDeviceReset() == cudaSuccess ? 0 : 1;
  }
  if (is("static-object")) owner.data = allocate(10);
  if (is("atexit")) {
    kept = allocate(10);
    std::atexit(release_kept);
  }
  if (is("static-object-twice")) {
    owner.data = allocate(10);
    release(owner.data);
  }
  if (is("free-twice")) free_twice();
  if (is("free-twice-and-clear")) {
    free_twice();
    emulator::clear_findings();
  }
  if (is("free-twice-a-hundred-times")) {
    for (int i = 0; i < 100; ++i) free_twice();
  }
  if (is("free-twice-and-exit-5")) {
    free_twice();
    std::exit(5);
  }
  if (is("free-twice-and-abort")) {
    free_twice();
    std::abort();
  }
  if (is("kernel-out-of-bounds-and-abort")) {
    fill<<<1, 65>>>(data);  // beyond the end
    std::abort();
  }
  if (is("free-twice-and-kill")) {
    free_twice();
    kill(getpid(), SIGKILL);
  }
  if (is("free-twice-between")) {
    std::printf("before\n");
    free_twice();
    std::printf("after\n");
  }
  if (is("free-twice-and-cout")) {
    std::ios::sync_with_stdio(false);
    std::cout << "before\n";
    std::printf("before, too\n");
    free_twice();
    std::cout << "after\n";
  }
  if (is("too-many-threads")) {
    fill<<<1, 1025>>>(data);  // too many
    if (cudaGetLastError() != cudaErrorInvalidConfiguration) return 1;
  }
  if (is("nobody-looks-at-a-launch")) fill<<<1, 1025>>>(data);  // nobody looks
  if (is("nobody-looks-at-a-call")) {
    emulator::discarded_result(cudaMemset(data, 0, 1000), "cudaMemset");  // goes unseen
  }
  if (is("nobody-looks-at-a-failed-kernel")) {
    fails<<<1, 32>>>(data);  // fails unseen
    return 0;
  }
  if (is("warning")) add_made_up(emulator::Severity::warning, 1);
  if (is("note")) add_made_up(emulator::Severity::note, 2);
  if (is("fifty")) add_made_up(emulator::Severity::error, 50);
  if (is("fifty-one")) add_made_up(emulator::Severity::error, 51);
  if (is("seventy")) add_made_up(emulator::Severity::error, 70);
  if (is("fifty-seventy-and-kill")) {
    for (const int count : {50, 70}) add_made_up(emulator::Severity::error, count);
    kill(getpid(), SIGKILL);
  }
  release(data);
  return 0;
}
