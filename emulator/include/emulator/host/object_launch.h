#pragma once
#pragma GCC system_header
/// \file
/// Launches of kernels that have parameters with constructors and destructors. The host copies such
/// an argument once and destroys the copy when the launch returns; the threads get its bytes, and
/// run neither. Included by launch.h.

namespace emulator {
namespace detail {

/// Whether the ABI passes a parameter by the address of a copy, which the caller destroys. (Itanium
/// C++ ABI, 3.1.2.3: whoever is called cannot tell who has made the copy, and how.)
template <class T>
constexpr bool is_object = std::is_class_v<T> &&
                           (!std::is_trivially_destructible_v<T> ||
                            (std::is_copy_constructible_v<T> && !std::is_trivially_copyable_v<T> &&
                             !std::is_trivially_copy_constructible_v<T>));

/// The bytes of an object.
template <class T>
struct ObjectBytes {
  alignas(T) unsigned char bytes[sizeof(T)];
};

/// As what a launch keeps a parameter.
template <class T>
using KeptParameter = std::conditional_t<is_object<T>, ObjectBytes<T>, T>;

/// A thread's own copy of a parameter.
template <class T, bool by_bytes = is_object<T>>
struct OwnParameter {
  const T& value;

  EMULATOR_UNSEEN explicit OwnParameter(T& kept) : value(kept) {}
  EMULATOR_UNSEEN const T& pass() { return value; }
};
template <class T>
struct OwnParameter<T, true> {
  ObjectBytes<T> object;

  EMULATOR_UNSEEN explicit OwnParameter(ObjectBytes<T>& kept) : object(kept) {}
  EMULATOR_UNSEEN T& pass() { return *reinterpret_cast<T*>(object.bytes); }
};

/// A kernel, called with the bytes of objects.
template <class... Parameters>
struct ObjectKernel {
  void (*kernel)(Parameters...);

  EMULATOR_UNSEEN void operator()(KeptParameter<Parameters>&... kept) const {
    using ByAddress =
        void (*)(std::conditional_t<is_object<Parameters>, Parameters&, Parameters>...);
    reinterpret_cast<ByAddress>(kernel)(OwnParameter<Parameters>(kept).pass()...);
  }
};

/// What calls a kernel with parameters as a launch keeps them.
template <class... Parameters>
auto callable_of(void (*kernel)(Parameters...)) {
  if constexpr ((is_object<Parameters> || ...)) {
    return Chosen<ObjectKernel<Parameters...>>(ObjectKernel<Parameters...>{kernel});
  } else {
    return kernel;
  }
}

template <class T>
KeptParameter<T> kept_parameter(T& parameter) {
  if constexpr (is_object<T>) {
    ObjectBytes<T> object;
    __builtin_memcpy(object.bytes, __builtin_addressof(parameter), sizeof(T));
    return object;
  } else {
    return parameter;
  }
}

/// A launch of such a kernel: its parameters live as long as the call.
template <class... Parameters>
struct ObjectLauncher {
  Launcher<Chosen<ObjectKernel<Parameters...>>> launch;

  void operator()(Parameters... parameters) const { launch(kept_parameter(parameters)...); }
  ObjectLauncher typed(void (*)(Parameters...)) const { return *this; }
};

}  // namespace detail

template <class Callable>
template <class... Parameters>
auto Launcher<Callable>::of(void (*kernel)(Parameters...)) const {
  if constexpr ((detail::is_object<Parameters> || ...)) {
    return detail::ObjectLauncher<Parameters...>{
        {kernel_, configuration_, detail::callable_of(kernel)}};
  } else {
    return *this;
  }
}

}  // namespace emulator
