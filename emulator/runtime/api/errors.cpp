/// \file
/// Errors: their names and texts, a thread's last one, and the one that a failed kernel leaves.

#include <array>
#include <atomic>
#include <cstdio>
#include <mutex>
#include <set>
#include <string>
#include <utility>

#include "base/devices/devices.hpp"
#include "base/host_state.hpp"
#include "emulator/host/host_api.h"
#include "emulator/host/unmodelled.h"
#include "engine/launches/child_launches.hpp"
#include "events/error_events.hpp"
#include "events/program_events.hpp"

namespace emulator::api {
namespace {

thread_local cudaError_t last_error = cudaSuccess;
thread_local int callback_depth = 0;
constinit std::array<std::atomic<cudaError_t>, most_devices> kernel_errors{};  // of the devices

std::atomic<cudaError_t>& kernel_error() {
  return kernel_errors[static_cast<std::size_t>(current_device())];
}

std::atomic<bool> in_use{false};

// Here, since every program that calls the API has this file's code: also one that launches nothing
// writes the report it was asked for. Before the program's static objects are made, since their
// constructors may call the API; after what register_at_exit() does in findings.cpp.
__attribute__((constructor(102))) void read_environment_at_start() {
  program_begins();
}

}  // namespace

}  // namespace emulator::api

namespace emulator::base {

using namespace api;

void set_error(cudaError_t error) {
  if (error == cudaSuccess) return;
  error_replaced(error);
  last_error = error;
}

cudaError_t take_last_error() {
  return std::exchange(last_error, cudaSuccess);
}

cudaError_t report(cudaError_t error) {
  in_use.store(true, std::memory_order_relaxed);
  set_error(error);
  if (error != cudaSuccess && error == kernel_error()) failed_kernel_reported();
  return error;
}

void set_sticky_error(cudaError_t error) {
  cudaError_t none = cudaSuccess;
  if (kernel_error().compare_exchange_strong(none, error)) kernel_failed();
}

cudaError_t sticky_error() {
  return kernel_error();
}

void clear_sticky_error() {
  failed_kernel_forgotten();
  kernel_error() = cudaSuccess;
}

InStreamCallback::InStreamCallback() {
  ++callback_depth;
}
InStreamCallback::~InStreamCallback() {
  --callback_depth;
}

cudaError_t device_state() {
  if (callback_depth != 0) return cudaErrorNotPermitted;
  return kernel_error();
}

bool runtime_is_in_use() {
  return in_use.load(std::memory_order_relaxed);
}

}  // namespace emulator::base

// What programs call.
namespace emulator::detail {

using namespace api;

cudaError_t not_modelled(const char* what) {
  // Never destroyed: destructors of the program's static objects may still call the API.
  static auto& mutex = *new std::mutex;
  static auto& told = *new std::set<std::string>;
  const std::lock_guard lock(mutex);
  if (told.insert(what).second) std::fprintf(stderr, "emulator: %s is not modelled\n", what);
  return report(cudaErrorNotSupported);
}

}  // namespace emulator::detail

cudaError_t cudaPeekAtLastError() {
  if (emulator::for_device()) return emulator::api::last_error_in_kernel(false);
  emulator::api::error_looked_at(emulator::api::last_error);
  return emulator::api::last_error;
}

cudaError_t cudaGetLastError() {
  if (emulator::for_device()) return emulator::api::last_error_in_kernel(true);
  const cudaError_t error = emulator::api::last_error;
  emulator::api::last_error = cudaSuccess;
  emulator::api::error_looked_at(error);
  return error;
}

const char* cudaGetErrorName(cudaError_t error) {
  switch (error) {
#define EMULATOR_ERROR(name, value, text) \
  case name:                              \
    return #name;
#include "emulator/host/error_codes.inc"
#undef EMULATOR_ERROR
  }
  return "unrecognized error code";
}

const char* cudaGetErrorString(cudaError_t error) {
  switch (error) {
#define EMULATOR_ERROR(name, value, text) \
  case name:                              \
    return text;
#include "emulator/host/error_codes.inc"
#undef EMULATOR_ERROR
  }
  return "unrecognized error code";
}
