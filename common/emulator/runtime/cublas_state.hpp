#pragma once
/// \file
/// What the parts of the emulator's cuBLAS share: the state of handles, and the checks that come
/// before any work.

#include <cstdint>
#include <initializer_list>
#include <optional>

#include "emulator/cublas.h"
#include "emulator/host_api.h"
#include "host_state.hpp"

namespace emulator::detail {

/// What a handle remembers.
struct CublasContext {
  cudaStream_t stream = nullptr;
  cublasPointerMode_t pointer_mode = CUBLAS_POINTER_MODE_HOST;
  cublasAtomicsMode_t atomics_mode = CUBLAS_ATOMICS_NOT_ALLOWED;
  cublasMath_t math_mode = CUBLAS_DEFAULT_MATH;
};

/// The state of a live handle. Any thread may ask at any time.
std::optional<CublasContext> find_context(cublasHandle_t handle);

/// While one lives, this thread's last error is not the program's: the library's own calls of the
/// runtime leave no trace.
class QuietErrors {
 public:
  QuietErrors() : before_(cudaGetLastError()) {}
  ~QuietErrors() {
    cudaGetLastError();
    set_error(before_);
  }
  QuietErrors(const QuietErrors&) = delete;
  QuietErrors& operator=(const QuietErrors&) = delete;

 private:
  cudaError_t before_;
};

/// A vector or a matrix as it lies in memory: so many floats from its lowest address on.
struct Operand {
  const char* name;
  const float* lowest;
  std::uint64_t floats;
};

/// n elements, `increment` (not 0) apart. A count that no memory holds is the largest there is.
Operand vector_operand(const char* name, const float* x, std::int64_t n, std::int64_t increment);

/// A matrix that is stored with so many rows and columns, neither of them 0.
Operand matrix_operand(const char* name, const float* matrix, std::int64_t rows,
                       std::int64_t columns, std::int64_t leading_dimension);

/// Whether each lies in one allocation. If one does not, the device fails as from a kernel's
/// illegal access, and a line on stderr tells which.
bool are_reachable(const char* function, std::initializer_list<Operand> operands);

/// Whether work can run in that stream now.
bool can_run(const CublasContext& context);

/// Reads a factor from where the handle's pointer mode says that it is.
/// \return CUBLAS_STATUS_SUCCESS, or what the function has to return
cublasStatus_t read_factor(const char* function, const char* name, const CublasContext& context,
                           const float* pointer, float& value);

}  // namespace emulator::detail
