#pragma once
#pragma GCC system_header
/// \file
/// How the emulator's device functions are compiled: the two attributes that everything else here
/// uses.
///
/// A kernel is compiled with `-fsanitize=thread`, which turns every load and store into a call of
/// the emulator's runtime; the return address of that call says which line made the access. Hence
/// two kinds of functions:
/// - a function that touches the caller's memory is *always inlined*, so that the access has an
/// address in
///   the caller's line, the same one for all lanes of a warp;
/// - a function with inner workings of its own (a loop, a branch, a host atomic) is a *leaf*: it is
/// never
///   inlined and never instrumented, so that its inner workings are neither counted as the caller's
///   accesses nor seen as the caller's divergence.

/// A device function whose accesses belong to the calling line.
#define EMULATOR_INLINE inline __attribute__((always_inline))

/// Around functions that only a kernel can call. To g++ it is all the same; clang_begin.h has these
/// where clang is asked for its opinion.
#ifndef EMULATOR_DEVICE_ONLY_BEGIN
#define EMULATOR_DEVICE_ONLY_BEGIN
#define EMULATOR_DEVICE_ONLY_END
#endif

#if __has_attribute(no_sanitize_coverage)
/// On a function: the instrumentation must not see into it, but its code may be inlined elsewhere.
#define EMULATOR_UNSEEN __attribute__((no_sanitize("thread"), no_sanitize_coverage))
/// A function that the instrumentation must not see into (g++ 11 cannot leave out basic-block
/// coverage).
#define EMULATOR_LEAF inline __attribute__((noinline, no_sanitize("thread"), no_sanitize_coverage))
#else
#define EMULATOR_UNSEEN __attribute__((no_sanitize("thread")))
#define EMULATOR_LEAF inline __attribute__((noinline, no_sanitize("thread")))
#endif
