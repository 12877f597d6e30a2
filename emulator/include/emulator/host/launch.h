#pragma once
#pragma GCC system_header
/// \file
/// Kernel launches: what `kernel<<<grid, block, shared, stream>>>(arguments)` becomes.

#include <cstddef>
#include <type_traits>
#include <utility>

#include "emulator/device/vector_types.h"
#include "emulator/discarded.h"
#include "emulator/host/host_types.h"
#include "emulator/inline.h"

namespace emulator {

/// What blockDim and gridDim are. A dim3 in all but its constructors: an object of a type that has
/// some does not count as const for instrumentation.
struct BuiltinExtent {
  unsigned x, y, z;
  operator dim3() const { return {x, y, z}; }
};

}  // namespace emulator

#ifdef EMULATOR_FAST
/// Marks a program with kernels that are not instrumented: it cannot show their traffic.
extern "C" {
inline char emulator_built_fast __attribute__((used)) = 1;
}
#endif

#ifdef EMULATOR_LOCKSTEP
/// Marks a program whose lanes are to run in step (emucc --lockstep).
extern "C" {
inline char emulator_built_for_steps __attribute__((used)) = 1;
}
#endif

/// Position of the thread in its block, of the block in its grid, and their sizes. They are const
/// for the compiler: within one CUDA thread they never change, and g++ does not instrument const
/// objects. The runtime, which owns them, sets them each time it resumes a thread.
#if defined(__clang__) && defined(__CUDA__)
#define EMULATOR_BUILTIN extern __attribute__((device)) const
#else
#define EMULATOR_BUILTIN extern __thread const
#endif
EMULATOR_BUILTIN uint3 threadIdx;
EMULATOR_BUILTIN uint3 blockIdx;
EMULATOR_BUILTIN emulator::BuiltinExtent blockDim;
EMULATOR_BUILTIN emulator::BuiltinExtent gridDim;
#undef EMULATOR_BUILTIN
inline constexpr int warpSize = 32;

namespace emulator {

/// Whether the code that asks runs for a kernel. A function with `__host__ __device__` asks this if
/// it differs where `__CUDA_ARCH__` is defined.
bool for_device() noexcept;

/// The part of a launch between `<<<` and `>>>`.
struct Configuration {
  Configuration(dim3 grid_size, dim3 block_size, std::size_t dynamic_shared_bytes = 0,
                cudaStream_t launch_stream = nullptr)
      : grid(grid_size),
        block(block_size),
        shared_bytes(dynamic_shared_bytes),
        stream(launch_stream) {}

  dim3 grid;
  dim3 block;
  std::size_t shared_bytes;
  cudaStream_t stream;
  dim3 cluster{0, 0, 0};  ///< blocks of a cluster in each direction; 0: the launch says nothing
};

/// A callable that holds a pointer to a kernel, which was worked out for the launch, and nothing
/// else.
template <class Callable>
struct Chosen : Callable {
  explicit Chosen(const Callable& callable) : Callable(callable) {}
};

namespace detail {

template <class Callable>
inline constexpr bool is_chosen = false;
template <class Callable>
inline constexpr bool is_chosen<Chosen<Callable>> = true;

/// An object for ThreadBody::call that lives until `destroy(owner)`.
struct KeptBody {
  const void* object;
  const void* owner;
  void (*destroy)(const void* owner);
};

/// One thread's run through a kernel: `call(object)`, once a thread.
struct ThreadBody {
  void (*call)(const void*);
  const void* object;
  std::size_t parameter_bytes = 0;  ///< how much of the host's memory it reads: its arguments
  /// Copies the object, with its arguments, or with others of the same types; null if it cannot
  /// outlive the call that launches.
  KeptBody (*keep)(const void* object, const void* const* other_arguments) = nullptr;
  /// Where the arguments are; null where they are not all values.
  const void* const* (*arguments)(const void* object) = nullptr;
  const void* function = nullptr;  ///< the kernel's address, if it is known
  bool is_bounded = false;         ///< whether the kernel calls declare_bound() before all else
};

/// What `__launch_bounds__(threads, …)` says of a block: 1,024 threads if it says nothing that is
/// possible.
template <class... Others>
constexpr unsigned bound_of(long long threads, Others...) {
  return threads < 1 || threads > 1024 ? 1024 : static_cast<unsigned>(threads);
}

/// What the translator makes of `__launch_bounds__`: the first statement of the kernel. It answers
/// a launch that asks how large a block may be; otherwise nothing happens.
void declare_bound(unsigned threads);

/// Checks the configuration, runs all threads of the grid, and leaves an error, if any, for
/// cudaGetLastError() to find.
/// \param cooperative the kernel's address if all blocks have to be alive at once, since they wait
///                    for each other; else null
cudaError_t launch(const char* kernel, const Configuration& configuration, ThreadBody body,
                   const void* cooperative = nullptr);

/// What a thread throws that ends before its kernel's last line: PTX's `exit`.
struct ThreadExit {};

/// An integer argument. Where the kernel takes a pointer it stands for a null pointer, elsewhere
/// for itself, or for what a class makes of it: `kernel<<<...>>>(NULL, n)`.
template <class Integer>
struct IntegerOrNull {
  Integer value;

  EMULATOR_UNSEEN operator Integer() const { return value; }

  template <class T>
  EMULATOR_UNSEEN operator T*() const {
    return nullptr;
  }

  template <class T,
            std::enable_if_t<std::is_class_v<T> && std::is_convertible_v<Integer, T>>* = nullptr>
  EMULATOR_UNSEEN operator T() const {
    return value;
  }
};

/// The value itself, or in place of an integer one that may be a null pointer.
template <class T>
EMULATOR_UNSEEN decltype(auto) null_if_integer(T& value) {
  if constexpr (std::is_integral_v<std::remove_cv_t<T>>) {
    return IntegerOrNull<std::remove_cv_t<T>>{value};
  } else {
    return (value);
  }
}

/// The type of an argument without `__restrict__`: nothing can be converted to a pointer to such a
/// pointer, and it says nothing about a copy.
template <class T>
struct Unrestricted {
  using type = T;
};
template <class T>
struct Unrestricted<T* __restrict__> {
  using type = T*;
};
template <class T>
struct Unrestricted<T* const __restrict__> {
  using type = T* const;
};

template <class T>
using ArgumentType = typename Unrestricted<std::remove_reference_t<T>>::type;

/// The size of an argument, which may be a function.
template <class T>
constexpr std::size_t argument_bytes() {
  if constexpr (std::is_function_v<T>) {
    return sizeof(T*);
  } else {
    return sizeof(T);
  }
}

/// Calls the kernel with the launch's arguments; each thread's parameters are copies of them. They
/// are held by address, so that anything goes that converts to a parameter, whether it can be
/// copied or not; a launch that has to wait in its stream keeps copies (kept_launch.h). Not
/// instrumented: fetching arguments is not memory traffic of the kernel's.
template <class Callable, class... Arguments>
struct BoundKernel {
  const Callable& kernel;
  const void* arguments[sizeof...(Arguments) + 1];  // one more: an array has to have an element
  static constexpr std::size_t parameter_bytes =
      sizeof(Callable) + (std::size_t{0} + ... + argument_bytes<Arguments>());

  EMULATOR_UNSEEN static const void* const* arguments_of(const void* object) {
    return static_cast<const BoundKernel*>(object)->arguments;
  }

  EMULATOR_UNSEEN static void call(const void* object) {
#if __cpp_exceptions
    try {
      call_with(*static_cast<const BoundKernel*>(object), std::index_sequence_for<Arguments...>{});
    } catch (const ThreadExit&) {
    }
#else
    call_with(*static_cast<const BoundKernel*>(object), std::index_sequence_for<Arguments...>{});
#endif
  }

  template <std::size_t... Index>
  EMULATOR_UNSEEN static void call_with(const BoundKernel& self, std::index_sequence<Index...>) {
    constexpr bool fits = std::is_invocable_v<const Callable&, Arguments&...>;
    constexpr bool fits_with_null = std::is_invocable_v<
        const Callable&,
        std::remove_reference_t<decltype(detail::null_if_integer(std::declval<Arguments&>()))>&...>;
    static_assert(fits || fits_with_null,
                  "the arguments of this launch do not fit the kernel's parameters");
    if constexpr (fits) {
      self.kernel(*argument<Arguments>(self.arguments[Index])...);
    } else {
      call_with_values(self.kernel,
                       detail::null_if_integer(*argument<Arguments>(self.arguments[Index]))...);
    }
  }

  // The kernel takes lvalues.
  template <class... Values>
  EMULATOR_UNSEEN static void call_with_values(const Callable& kernel, Values&&... values) {
    kernel(values...);
  }

  template <class T>
  EMULATOR_UNSEEN static T* argument(const void* address) {
    return static_cast<T*>(const_cast<void*>(address));
  }
};

}  // namespace detail
}  // namespace emulator

#include "emulator/host/kept_launch.h"

namespace emulator {
namespace detail {

/// A launch whose arguments become the kernel's parameters before it begins.
template <class Launch, class... Parameters>
struct TypedLauncher {
  Launch launch;

  void operator()(Parameters... parameters) const { launch(parameters...); }
};

}  // namespace detail

/// A launch that only lacks its arguments. The translator writes it in place of `kernel<<<...>>>`.
template <class Callable>
class Launcher {
 public:
  Launcher(const char* kernel, const Configuration& configuration, Callable callable)
      : kernel_(kernel), configuration_(configuration), callable_(callable) {}

  template <class... Arguments>
  void operator()(Arguments&&... arguments) const {
    const detail::BoundKernel<Callable, detail::ArgumentType<Arguments>...> bound{
        callable_, {static_cast<const void*>(__builtin_addressof(arguments))..., nullptr}};
    detail::ThreadBody body = detail::body_of(bound);
    if constexpr (detail::is_chosen<Callable>) {
      static_assert(sizeof(Callable) == sizeof(body.function));
      __builtin_memcpy(&body.function, &callable_, sizeof(body.function));
    }
    constexpr bool can_ask = (std::is_trivially_copyable_v<std::decay_t<Arguments>> && ...);
    body.is_bounded = is_bounded_ && can_ask;
    const cudaError_t error = detail::launch(kernel_, configuration_, body);
    if (error != cudaSuccess) detail::discarded_launch(error, kernel_);
  }

  /// The same of a kernel with `__launch_bounds__`.
  Launcher bounded() const {
    Launcher result = *this;
    result.is_bounded_ = true;
    return result;
  }

  /// The same of a kernel with this address, one of whose parameters may have a destructor.
  template <class... Parameters>
  auto of(void (*kernel)(Parameters...)) const;

  /// The same for arguments that are what the kernel's parameters make of them: `{1, 2}`.
  template <class... Parameters>
  auto typed(void (*)(Parameters...)) const {
    return detail::TypedLauncher<Launcher, Parameters...>{*this};
  }

 private:
  const char* kernel_;
  Configuration configuration_;
  Callable callable_;
  bool is_bounded_ = false;
};

template <class Callable>
Chosen<Callable> chosen(const Callable& callable) {
  return Chosen<Callable>(callable);
}

template <class Callable>
Launcher<Callable> launch_with(const char* kernel, const Configuration& configuration,
                               Callable callable) {
  return {kernel, configuration, callable};
}

/// Start of the dynamic shared memory of the block that the caller belongs to.
void* dynamic_shared();

}  // namespace emulator

#include "emulator/host/object_launch.h"

#if defined(__clang__) && defined(__CUDA__)
extern "C" unsigned __cudaPushCallConfiguration(dim3 grid, dim3 block, std::size_t shared = 0,
                                                void* stream = nullptr);
#endif
