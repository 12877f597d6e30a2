/// @file
/// cuTENSOR, with CUDA_CHECK for its calls as well:
///
///     cutensorHandle_t handle = nullptr;
///     CUDA_CHECK(cutensorCreate(&handle));
#pragma once

#include <cutensor.h>

#include "check.hpp"

namespace course::detail {

/// The library's text for a status is its name, and it has no other.
inline ErrorText error_text(cutensorStatus_t status) {
  return {cutensorGetErrorString(status), "cuTENSOR"};
}

}  // namespace course::detail
