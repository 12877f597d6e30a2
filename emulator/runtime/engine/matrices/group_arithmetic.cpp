/// \file
/// What a product of a warpgroup's does when its time has come.

#include <algorithm>
#include <cstring>
#include <vector>

#include "engine/barriers/mbarriers.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/engine.hpp"
#include "engine/matrices/group_products.hpp"
#include "engine/matrices/matrix_products.hpp"

namespace emulator::engine {

// A descriptor has 18 bits of an address: the rest is that of the block's memory. A block has less
// than these tell apart, but here the static arrays of all of the program's kernels are side by
// side. Of several places the one is meant whose array's address the block has asked for: that is
// how a kernel gets at the 18 bits.
std::uintptr_t start_of(Lane& lane, const MatrixDescriptor& descriptor, const void* site) {
  constexpr std::uintptr_t span = std::uintptr_t{1} << 18;
  const SharedStorage& shared = lane.worker->shared();
  const std::size_t dynamic_bytes = lane.worker->grid().configuration.shared_bytes;
  std::uintptr_t start = shared.base() + descriptor.start;
  if (!shared.holds(start)) start += span;
  if (!shared.holds(start)) {
    refuse(lane, site, wrong_space, "a wgmma matrix descriptor names no shared memory");
  }
  if (!shared.holds(start + span)) return start;
  std::uintptr_t meant = 0;
  unsigned places = 0;
  for (; shared.holds(start); start += span) {
    const OutsideKernel outside;  // the first time all variables are read
    if (!shared.has_asked_for_array_at(start, dynamic_bytes)) continue;
    meant = start;
    ++places;
  }
  if (places == 0) {
    refuse(lane, site, beyond,
           "a wgmma matrix descriptor names shared memory without an array whose address the block "
           "has");
  }
  if (places > 1) {
    refuse(lane, site, failed_kernel,
           "a wgmma matrix descriptor is ambiguous: the shared arrays of all kernels take more "
           "than 256 KB, and the block has the addresses of several at that place");
  }
  return meant;
}

unsigned first_line_of_a(const Lane& lane) {
  return thread_of(lane) / warp_size % warps_of_group * 16;
}

namespace {

using ElementBits = std::vector<std::uint64_t>;

std::uint64_t sign_of(MatrixType type) {
  return std::uint64_t{1} << (bits_of(type) - 1);
}

// An operand's elements, line by line, as multiply() takes them.
void read_operand(const OperandLayout& layout, unsigned first_line, unsigned lines, unsigned k,
                  unsigned element, std::uint64_t sign, ElementBits& to) {
  to.resize(std::size_t{lines} * k);
  for (unsigned line = 0; line < lines; ++line) {
    for (unsigned i = 0; i < k; ++i) {
      std::uint64_t value = 0;
      // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what a descriptor has
      std::memcpy(&value, reinterpret_cast<const void*>(layout.address(first_line + line, i)),
                  element);
      to[std::size_t{line} * k + i] = value ^ sign;
    }
  }
}

void read_a(Lane& lane, const WarpProduct& made, ElementBits& a) {
  const GroupProduct& product = *made.product;
  const MatrixType type = product.part.a;
  const unsigned k = product.part.k;
  const std::uint64_t sign = product.negates_a ? sign_of(type) : 0;
  if (product.a_is_shared) {
    const MatrixDescriptor descriptor(made.a);
    const OperandLayout layout(descriptor, made.a_start, product.turns_a, bits_of(type) / 8);
    read_operand(layout, first_line_of_a(lane), 16, k, bits_of(type) / 8, sign, a);
    return;
  }
  a.resize(std::size_t{16} * k);
  const unsigned bits = bits_of(type);
  for (unsigned from = 0; from < warp_size; ++from) {
    for (unsigned i = 0; i < 16 * k / warp_size; ++i) {
      const MatrixPlace place = place_in_a(type, 16, k, from, i);
      const unsigned per_register = elements_of_register(type);
      const std::uint64_t all = made.lanes[from].a[i / per_register];
      const std::uint64_t value =
          bits == 32 ? all : all >> (i % per_register * bits) & ((std::uint64_t{1} << bits) - 1);
      a[std::size_t{place.row} * k + place.column] = value ^ sign;
    }
  }
}

// Register and shift of element `index` of a lane's part of D.
std::uint32_t accumulator(const WarpProduct::Part& part, MatrixType type, unsigned index) {
  std::uint32_t bits = 0;
  if (type != MatrixType::f16) {
    std::memcpy(&bits, part.registers[index], sizeof(bits));
    return bits;
  }
  std::memcpy(&bits, part.registers[index / 2], sizeof(bits));
  return bits >> (16 * (index % 2)) & 0xFFFFU;
}

void set_accumulator(const WarpProduct::Part& part, MatrixType type, unsigned index,
                     std::uint64_t value) {
  auto* const to =
      static_cast<unsigned char*>(part.registers[type == MatrixType::f16 ? index / 2 : index]);
  const std::size_t offset = type == MatrixType::f16 ? index % 2 * std::size_t{2} : 0;
  std::memcpy(to + offset, &value, type == MatrixType::f16 ? 2 : 4);
}

}  // namespace

// Some columns at a time.
void perform(Lane& lane, const WarpProduct& made) {
  constexpr unsigned most_columns = 32;
  thread_local ElementBits a;
  thread_local ElementBits b;
  thread_local ElementBits c;
  thread_local ElementBits d;
  const GroupProduct& product = *made.product;
  const unsigned k = product.part.k;
  const MatrixType type = product.part.d;
  read_a(lane, made, a);
  const MatrixDescriptor descriptor(made.b);
  const unsigned element = bits_of(product.part.b) / 8;
  const OperandLayout layout(descriptor, made.b_start, product.turns_b, element);
  const std::uint64_t sign = product.negates_b ? sign_of(product.part.b) : 0;
  for (unsigned first = 0; first < product.part.n; first += most_columns) {
    MatrixProduct slice = product.part;
    slice.n = std::min(most_columns, product.part.n - first);
    slice.form = MatrixForm::warpgroup;
    read_operand(layout, first, slice.n, k, element, sign, b);
    c.assign(std::size_t{16} * slice.n, 0);
    d.resize(c.size());
    const auto for_each_element = [&](auto function) {
      for (unsigned i = 0; i < warp_size; ++i) {
        for (unsigned index = 0; index < 16 * slice.n / warp_size; ++index) {
          const MatrixPlace place = place_in_c(16, i, index);
          function(made.lanes[i], first / 2 + index,
                   std::size_t{place.row} * slice.n + place.column);
        }
      }
    };
    if (made.adds) {
      for_each_element([&](const WarpProduct::Part& part, unsigned index, std::size_t at) {
        c[at] = accumulator(part, type, index);
      });
    }
    multiply(slice, {a.data(), b.data(), c.data(), d.data()});
    for_each_element([&](const WarpProduct::Part& part, unsigned index, std::size_t at) {
      set_accumulator(part, type, index, d[at]);
    });
  }
}

}  // namespace emulator::engine
