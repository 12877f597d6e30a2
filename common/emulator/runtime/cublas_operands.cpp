/// \file
/// Whether what a cuBLAS function is given lies in memory that the device can reach.

#include <cstdio>
#include <cstring>
#include <limits>
#include <string>

#include "arena.hpp"
#include "cublas_state.hpp"
#include "shadow.hpp"

namespace emulator::detail {
namespace {

constexpr std::uint64_t too_many = std::numeric_limits<std::uint64_t>::max();

// blocks * distance + rest, or too_many.
std::uint64_t extent(std::int64_t blocks, std::uint64_t distance, std::int64_t rest) {
  std::uint64_t floats = 0;
  const bool overflows =
      __builtin_mul_overflow(static_cast<std::uint64_t>(blocks), distance, &floats) ||
      __builtin_add_overflow(floats, static_cast<std::uint64_t>(rest), &floats);
  return overflows ? too_many : floats;
}

// What is wrong with the operand as the target of a kernel's loads and stores, if anything.
std::string fault_of(const Operand& operand, cudaError_t& error) {
  const auto address = reinterpret_cast<std::uintptr_t>(operand.lowest);
  error = cudaErrorIllegalAddress;
  if (operand.lowest == nullptr) return " is a null pointer: illegal address";
  const auto memory = lookup(operand.lowest);
  if (!memory) return " is not in memory that the device can reach: illegal address";
  const std::size_t held = (memory->size - (address - memory->base)) / sizeof(float);
  if (held < operand.floats) {
    const std::string needed = operand.floats == too_many
                                   ? "more floats than any memory holds"
                                   : std::to_string(operand.floats) + " floats";
    return " needs " + needed + ", its allocation holds " + std::to_string(held) +
           " from there: illegal address";
  }
  error = cudaErrorMisalignedAddress;
  if (address % alignof(float) != 0) return " is not aligned to 4 bytes: misaligned address";
  error = cudaSuccess;
  return "";
}

bool is_device_memory(const void* pointer) {
  const auto memory = lookup(pointer);
  return memory && (memory->kind == MemoryKind::device || memory->kind == MemoryKind::symbol);
}

}  // namespace

Operand vector_operand(const char* name, const float* x, std::int64_t n, std::int64_t increment) {
  // The magnitude, which for the least of all numbers only an unsigned one holds.
  const auto bits = static_cast<std::uint64_t>(increment);
  return {name, x, extent(n - 1, increment < 0 ? 0 - bits : bits, 1)};
}

Operand matrix_operand(const char* name, const float* matrix, std::int64_t rows,
                       std::int64_t columns, std::int64_t leading_dimension) {
  return {name, matrix, extent(columns - 1, static_cast<std::uint64_t>(leading_dimension), rows)};
}

bool are_reachable(const char* function, std::initializer_list<Operand> operands) {
  for (const Operand& operand : operands) {
    cudaError_t error = cudaSuccess;
    const std::string fault = fault_of(operand, error);
    if (error == cudaSuccess) {
      note_written(operand.lowest, operand.floats * sizeof(float));  // if it is a result
      continue;
    }
    std::fprintf(stderr, "emulator: %s: %s%s\n", function, operand.name, fault.c_str());
    set_sticky_error(error);
    return false;
  }
  return true;
}

bool can_run(const CublasContext& context) {
  return device_state() == cudaSuccess && check_stream(context.stream) == cudaSuccess;
}

cublasStatus_t read_factor(const char* function, const char* name, const CublasContext& context,
                           const float* pointer, float& value) {
  if (context.pointer_mode == CUBLAS_POINTER_MODE_DEVICE) {
    if (!are_reachable(function, {{name, pointer, 1}})) return CUBLAS_STATUS_EXECUTION_FAILED;
  } else if (is_device_memory(pointer)) {
    std::fprintf(stderr, "emulator: %s: %s points to device memory, the handle's mode is %s\n",
                 function, name, "CUBLAS_POINTER_MODE_HOST: a GPU's host would crash");
    return CUBLAS_STATUS_INVALID_VALUE;
  }
  std::memcpy(&value, pointer, sizeof(value));
  return CUBLAS_STATUS_SUCCESS;
}

}  // namespace emulator::detail
