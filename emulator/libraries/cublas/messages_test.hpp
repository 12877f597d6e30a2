#pragma once
/// \file
/// What the emulator's cuBLAS prints.

#include <string>

#include "libraries/cublas/cublas_test.hpp"
#include "tests/support/host_test.hpp"

namespace cublas_test {

/// What the action prints, in a child process, where the device's state may be corrupted.
/// \param action  is given a handle, and four numbers in the device's memory
template <class T, class Action>
std::string messages_of(Action action) {
  return host_test::in_child([&] {
           const Handle handle;
           const Array<T> numbers({1, 2, 3, 4});
           action(handle, numbers.get());
         })
      .error_output;
}

}  // namespace cublas_test
