#pragma once
/// \file
/// Callbacks: device functions of the program's that load or store each element of a transform.
/// Each is called in a launch, so that it can do what a kernel does, and is checked like one.

#include <bit>
#include <complex>
#include <cstddef>
#include <cstdint>

#include "events/tasks.hpp"
#include "libraries/cufft/plans.hpp"
#include "libraries/cufft/side.hpp"

namespace emulator::cufft {

/// What callbacks take and return for a number.
template <class T>
struct CallbackElement {
  using Type = T;
};
template <>
struct CallbackElement<std::complex<float>> {
  using Type = cufftComplex;
};
template <>
struct CallbackElement<std::complex<double>> {
  using Type = cufftDoubleComplex;
};

inline void* shared_memory_of(const Callback& callback) {
  return callback.shared_bytes == 0 ? nullptr : dynamic_shared();
}

/// The number of the calling thread in its grid.
inline std::int64_t number_in_grid() {
  return std::int64_t{blockIdx.x} * blockDim.x + threadIdx.x;
}

/// The kernels: each thread has one element.
template <class T>
void load_element(Side<T> side, Callback callback, T* loaded) {
  using Element = typename CallbackElement<T>::Type;
  const std::int64_t i = number_in_grid();
  if (i >= side.elements()) return;
  const auto load =
      reinterpret_cast<Element (*)(void*, std::size_t, void*, void*)>(callback.function);
  loaded[i] = std::bit_cast<T>(load(side.data, static_cast<std::size_t>(side.offset(i)),
                                    callback.info, shared_memory_of(callback)));
}
template <class T>
void store_element(Side<T> side, Callback callback, T* to_store) {
  using Element = typename CallbackElement<T>::Type;
  const std::int64_t i = number_in_grid();
  if (i >= side.elements()) return;
  const auto store =
      reinterpret_cast<void (*)(void*, std::size_t, Element, void*, void*)>(callback.function);
  store(side.data, static_cast<std::size_t>(side.offset(i)), std::bit_cast<Element>(to_store[i]),
        callback.info, shared_memory_of(callback));
}

/// Launches one of them for all elements, and waits for its end. The stream's turn is the caller's.
/// \return false if the device has failed in it
template <class T>
bool launch_for_all(const char* name, void (*kernel)(Side<T>, Callback, T*), const Side<T>& side,
                    const Callback& callback, T* elements) {
  constexpr std::int64_t threads = 128;
  const std::int64_t blocks = (side.elements() + threads - 1) / threads;
  if (blocks > 0x7FFF'FFFF) return false;
  const Configuration configuration(static_cast<unsigned>(blocks), threads, callback.shared_bytes);
  const BoundKernel<decltype(kernel), const Side<T>, const Callback, T*> bound{
      kernel, {&side, &callback, &elements, nullptr}};
  KernelTask task{name, configuration, body_of(bound), nullptr};
  if (keep_launch(name, configuration, task.body, nullptr, task) != cudaSuccess) return false;
  return task.perform() == cudaSuccess && device_state() == cudaSuccess;
}

/// What the callback returns for each element of a side, in the order of Side::gather().
template <class T>
bool load_all(const Side<T>& side, const Callback& callback, T* loaded) {
  return launch_for_all("cufft_load_callback", &load_element<T>, side, callback, loaded);
}
/// Has the callback store them.
template <class T>
bool store_all(const Side<T>& side, const Callback& callback, T* to_store) {
  return launch_for_all("cufft_store_callback", &store_element<T>, side, callback, to_store);
}

}  // namespace emulator::cufft
