/// @file
/// Library calls that take their workspace from the caller, as CUB's do.
#pragma once

#include <cstddef>
#include <functional>
#include <memory>

#include "check.hpp"
#include "device.hpp"

namespace course::measure {

/// `call(workspace, bytes)` with the workspace that it asks for. Called with nullptr, it only says
/// how many bytes that is.
template <class Call>
std::function<void()> with_workspace(Call call) {
  std::size_t bytes = 0;
  CUDA_CHECK(call(nullptr, bytes));
  const auto workspace = std::make_shared<DeviceArray<unsigned char>>(bytes);
  return [=] {
    std::size_t size = workspace->bytes();
    CUDA_CHECK(call(static_cast<void*>(static_cast<unsigned char*>(*workspace)), size));
  };
}

}  // namespace course::measure
