#pragma once
#pragma GCC system_header
/// \file
/// A launch that outlives the call: copies of its kernel and its arguments, for work that waits in
/// a stream. Included by launch.h.

namespace emulator::detail {

/// What decays on the way to a parameter.
template <class T>
constexpr bool decays = std::is_array_v<T> || std::is_function_v<T>;

/// An argument by value, or, if it decays, by its address.
template <std::size_t Index, class T, bool by_address = decays<T>>
struct KeptArgument {
  T value;

  const void* address() const { return static_cast<const void*>(__builtin_addressof(value)); }
};
template <std::size_t Index, class T>
struct KeptArgument<Index, T, true> {
  T& value;

  const void* address() const { return reinterpret_cast<const void*>(__builtin_addressof(value)); }
};

/// Whether the argument can be kept: anything goes that converts to a parameter, so that some of
/// them cannot even be copied.
template <class T>
constexpr bool can_keep =
    std::is_array_v<T> || std::is_function_v<T> || std::is_constructible_v<T, T&>;

template <class Callable, class Indices, class... Arguments>
struct KeptKernel;
template <class Callable, std::size_t... Index, class... Arguments>
struct KeptKernel<Callable, std::index_sequence<Index...>, Arguments...>
    : KeptArgument<Index, Arguments>... {
  using Bound = BoundKernel<Callable, Arguments...>;

  Callable kernel;
  Bound bound;

  explicit KeptKernel(const Bound& from)
      : KeptArgument<Index, Arguments>{*Bound::template argument<Arguments>(
            from.arguments[Index])}...,
        kernel(from.kernel),
        bound{kernel, {KeptArgument<Index, Arguments>::address()..., nullptr}} {}
  static const KeptKernel* with(const Bound& from, const void* const* others) {
    return new KeptKernel(Bound{from.kernel, {others[Index]..., nullptr}});
  }
  KeptKernel(const KeptKernel&) = delete;
  KeptKernel& operator=(const KeptKernel&) = delete;
};

/// Whether a callable can be kept: it holds nothing, or a pointer to a kernel. Anything else may be
/// a reference to a variable of the function that launches.
template <class Callable>
constexpr bool can_keep_callable = std::is_empty_v<Callable> || std::is_pointer_v<Callable>;
template <class Callable>
constexpr bool can_keep_callable<Chosen<Callable>> = std::is_trivially_copyable_v<Callable> &&
                                                     sizeof(Callable) == sizeof(void*);

/// The body of a launch. It can be kept unless an argument or the callable cannot be.
template <class Callable, class... Arguments>
ThreadBody body_of(const BoundKernel<Callable, Arguments...>& bound) {
  using Bound = BoundKernel<Callable, Arguments...>;
  ThreadBody body{&Bound::call, &bound, Bound::parameter_bytes};
  if constexpr (can_keep_callable<Callable> && (can_keep<Arguments> && ...)) {
    using Kept = KeptKernel<Callable, std::index_sequence_for<Arguments...>, Arguments...>;
    body.keep = [](const void* object, const void* const* others) {
      const Bound& from = *static_cast<const Bound*>(object);
      const auto* const kept = others == nullptr ? new Kept(from) : Kept::with(from, others);
      return KeptBody{&kept->bound, kept,
                      [](const void* it) { delete static_cast<const Kept*>(it); }};
    };
    if constexpr (!(decays<Arguments> || ...)) body.arguments = &Bound::arguments_of;
  }
  return body;
}

}  // namespace emulator::detail
