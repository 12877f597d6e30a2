#pragma once
#pragma GCC system_header
/// \file
/// Cooperative groups: copies that the threads of a group share, and that go on while they do
/// something else. From global to shared memory in pieces of 4, 8 or 16 bytes they are asynchronous
/// (emulator/device/async_copies.h); anything else is copied at once, as on a GPU.

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "cooperative_groups.h"
#include "emulator/device/async_copies.h"

namespace emulator::detail {

/// The widest pieces, up to 16 bytes, that both addresses can have in common.
EMULATOR_LEAF std::size_t widest_piece(const void* to, const void* from, std::size_t bytes,
                                       std::size_t known) {
  const std::uintptr_t different =
      reinterpret_cast<std::uintptr_t>(to) ^ reinterpret_cast<std::uintptr_t>(from);
  std::size_t piece = 16;
  while (piece > known && (different & (piece - 1)) != 0) piece /= 2;
  return bytes < piece ? known : piece;
}

/// The thread's share of `count` elements, copied at once.
template <class T, class Group>
EMULATOR_INLINE void copy_elements(const Group& group, void* to, const void* from,
                                   std::size_t count) {
  const auto step = static_cast<std::size_t>(group.size());
  for (auto i = static_cast<std::size_t>(group.thread_rank()); i < count; i += step) {
    static_cast<T*>(to)[i] = static_cast<const T*>(from)[i];
  }
}

template <std::size_t bytes>
struct alignas(bytes) CopiedPiece {
  std::conditional_t<bytes == 4, std::uint32_t, std::uint64_t> words[bytes == 16 ? 2 : 1];
};

/// The thread's share of `count` pieces of `piece` bytes, to which both addresses are aligned.
template <std::size_t piece, class Group>
EMULATOR_INLINE void copy_pieces(const Group& group, void* to, const void* from,
                                 std::size_t count) {
  if (!is_from_global_to_shared(to, from)) {
    if constexpr (piece == 16) {
      copy_elements<uint4>(group, to, from, count);
    } else {
      copy_elements<CopiedPiece<piece>>(group, to, from, count);
    }
    return;
  }
  const auto step = static_cast<std::size_t>(group.size());
  for (auto i = static_cast<std::size_t>(group.thread_rank()); i < count; i += step) {
    start_copy(static_cast<char*>(to) + i * piece, static_cast<const char*>(from) + i * piece,
               piece, 0);
  }
}

/// The same of any number of bytes: what comes before the first and after the last whole piece is
/// copied byte by byte.
template <std::size_t piece, class Group>
EMULATOR_INLINE void copy_ragged(const Group& group, void* to, const void* from,
                                 std::size_t bytes) {
  char* const target = static_cast<char*>(to);
  const char* const source = static_cast<const char*>(from);
  const std::size_t head = (0 - reinterpret_cast<std::uintptr_t>(from)) & (piece - 1);
  const std::size_t count = (bytes - head) / piece;
  const std::size_t tail = head + count * piece;
  if (head > 0) copy_elements<char>(group, target, source, head);
  copy_pieces<piece>(group, target + head, source + head, count);
  if (tail < bytes) copy_elements<char>(group, target + tail, source + tail, bytes - tail);
}

/// Copies `bytes` bytes between addresses that are known to be aligned to `alignment`: as a GPU
/// does, in pieces of that if they are large enough, else of what the addresses turn out to allow.
template <std::size_t alignment, class Group>
EMULATOR_INLINE void copy_together(const Group& group, void* to, const void* from,
                                   std::size_t bytes) {
  if constexpr (alignment >= 4) {
    constexpr std::size_t piece = alignment < 16 ? alignment : 16;
    copy_pieces<piece>(group, to, from, bytes / piece);
  } else {
    const std::size_t piece = widest_piece(to, from, bytes, alignment);
    if (piece == 16) {
      copy_ragged<16>(group, to, from, bytes);
    } else if (piece == 8) {
      copy_ragged<8>(group, to, from, bytes);
    } else if (piece == 4) {
      copy_ragged<4>(group, to, from, bytes);
    } else if (piece == 2) {
      copy_elements<short>(group, to, from, bytes / 2);
    } else {
      copy_elements<char>(group, to, from, bytes);
    }
  }
  commit_copies();
}

template <class T>
inline constexpr std::size_t known_alignment = alignof(T);
template <>
inline constexpr std::size_t known_alignment<void> = 1;

}  // namespace emulator::detail

namespace cooperative_groups {

/// Starts to copy `bytes` bytes.
template <class Group, class T, class Size, class = std::enable_if_t<std::is_integral_v<Size>>>
EMULATOR_INLINE void memcpy_async(const Group& group, T* __restrict__ destination,
                                  const T* __restrict__ source, const Size& bytes) {
  emulator::detail::copy_together<emulator::detail::known_alignment<T>>(
      group, destination, source, static_cast<std::size_t>(bytes));
}

/// The same of a number of bytes that says how the addresses are aligned:
/// `cuda::aligned_size_t<16>(bytes)`.
template <class Group, class T, template <std::size_t> class Aligned, std::size_t alignment>
EMULATOR_INLINE void memcpy_async(const Group& group, T* __restrict__ destination,
                                  const T* __restrict__ source, const Aligned<alignment>& bytes) {
  emulator::detail::copy_together<alignment>(group, destination, source,
                                             static_cast<std::size_t>(bytes));
}

/// Starts to copy elements: as many as there are and as fit.
template <class Group, class T, class Room, class Count>
EMULATOR_INLINE void memcpy_async(const Group& group, T* __restrict__ destination, const Room& room,
                                  const T* __restrict__ source, const Count& count) {
  const auto most = static_cast<std::size_t>(room);
  const auto there = static_cast<std::size_t>(count);
  emulator::detail::copy_together<alignof(T)>(group, destination, source,
                                              (there < most ? there : most) * sizeof(T));
}

/// Waits for all copies that the threads of the group have started.
template <class Group>
EMULATOR_INLINE void wait(const Group& group) {
  emulator::detail::wait_for_copies(0);
  group.sync();
}

/// Waits for all but those of the last `newest` calls of memcpy_async().
template <unsigned int newest, class Group>
EMULATOR_INLINE void wait_prior(const Group& group) {
  emulator::detail::wait_for_copies(newest);
  group.sync();
}

}  // namespace cooperative_groups
