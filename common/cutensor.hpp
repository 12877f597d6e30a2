/// @file
/// cuTENSOR, with CUDA_CHECK for its calls as well:
///
///     cutensorHandle_t handle = nullptr;
///     CUDA_CHECK(cutensorCreate(&handle));
#pragma once

#include <cutensor.h>

#include "check.hpp"

namespace course::detail {

/// The library has a text for each status, and no function for its name.
inline ErrorText error_text(cutensorStatus_t status) {
  return {"cuTENSOR", cutensorGetErrorString(status)};
}

}  // namespace course::detail
