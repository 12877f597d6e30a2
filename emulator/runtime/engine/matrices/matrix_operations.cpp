#include "engine/matrices/matrix_operations.hpp"

#include <bit>
#include <cstdio>
#include <cstring>
#include <vector>

#include "emulator/device/matrix_access.h"
#include "engine/accesses/record.hpp"
#include "engine/barriers/refusals.hpp"
#include "engine/barriers/warp_operations.hpp"
#include "engine/copies/async_copies.hpp"
#include "engine/engine.hpp"
#include "engine/lane_findings.hpp"
#include "engine/matrices/matrix_products.hpp"
#include "engine/matrices/matrix_sequences.hpp"
#include "engine/matrices/sparse_matrices.hpp"

namespace emulator::engine {
namespace {

using Requests = std::array<MatrixRequest*, warp_size>;

bool is_same(const MatrixRequest& one, const MatrixRequest& other) {
  if (one.kind != other.kind || one.count != other.count ||
      one.is_transposed != other.is_transposed) {
    return false;
  }
  if (one.kind != MatrixRequest::Kind::product) return true;
  const MatrixProduct& p = *one.product;
  const MatrixProduct& q = *other.product;
  return p.m == q.m && p.n == q.n && p.k == q.k && p.a == q.a && p.b == q.b && p.c == q.c &&
         p.d == q.d && p.saturates == q.saturates && p.bits == q.bits && p.form == q.form &&
         p.a_by_columns == q.a_by_columns && p.b_by_rows == q.b_by_rows &&
         one.metadata.selector == other.metadata.selector;
}

// Element `index` of a fragment. The machine's first byte is the lowest, as a GPU's.
std::uint64_t element(const void* fragment, MatrixType type, unsigned index) {
  const unsigned bits = bits_of(type);
  const auto* const bytes = static_cast<const unsigned char*>(fragment);
  std::uint64_t value = 0;
  if (bits < 8) {
    value = bytes[index * bits / 8] >> (index * bits % 8) & ((1U << bits) - 1);
  } else {
    std::memcpy(&value, bytes + std::size_t{index} * bits / 8, bits / 8);
  }
  return value;
}

void set_element(void* fragment, MatrixType type, unsigned index, std::uint64_t value) {
  const unsigned bytes = bits_of(type) / 8;
  std::memcpy(static_cast<unsigned char*>(fragment) + std::size_t{index} * bytes, &value, bytes);
}

// mma.sync.m8n8k4 of halves: the lanes i to i + 3 and 16 + i to 19 + i have a product of their own.
// Each lane has a row of A and a column of B, or, by the other layouts, a column and a row. The PTX
// ISA says which elements of C are whose.
void perform_quads(const Requests& requests) {
  const MatrixProduct& product = *requests[0]->product;
  const bool of_floats = product.d == MatrixType::f32;
  using Four = std::array<std::uint64_t, 4>;
  for (unsigned first = 0; first < 16; first += 4) {
    const auto lane_of = [&](unsigned i) { return first + i % 4 + (i >= 4 ? 16 : 0); };
    std::array<Four, 8> a{};  // by rows of A
    std::array<Four, 8> b{};  // by columns of B
    const auto take = [&](std::array<Four, 8>& to, const void* fragment, unsigned i,
                          bool across_k) {
      for (unsigned j = 0; j < 4; ++j) {
        const std::uint64_t value = element(fragment, MatrixType::f16, j);
        if (across_k) {
          to[j + (i >= 4 ? 4 : 0)][i % 4] = value;
        } else {
          to[i][j] = value;
        }
      }
    };
    for (unsigned i = 0; i < 8; ++i) {
      const MatrixRequest& request = *requests[lane_of(i)];
      take(a, request.a, i, product.a_by_columns);
      take(b, request.b, i, product.b_by_rows);
    }
    for (unsigned i = 0; i < 8; ++i) {
      const MatrixRequest& request = *requests[lane_of(i)];
      for (unsigned j = 0; j < 8; ++j) {
        const unsigned row = of_floats ? i % 2 + (j & 2U) + (i >= 4 ? 4 : 0) : i;
        const unsigned column = of_floats ? (j & 4U) + (i & 2U) + j % 2 : j;
        set_element(request.d, product.d, j,
                    multiply_four(a[row], b[column], element(request.c, product.c, j), product.d));
      }
    }
  }
}

// The product of what the lanes have brought. False if a sparse matrix's metadata say nothing.
bool multiply_what_came(const Requests& requests, const MatrixProduct& product,
                        const MatrixBits& bits) {
  if (product.form == MatrixForm::dense) {
    multiply(product, bits);
    return true;
  }
  std::array<std::uint32_t, 32> metadata{};
  for (unsigned lane = 0; lane < warp_size; ++lane) metadata[lane] = requests[lane]->metadata.bits;
  const auto positions = sparse_positions(product, metadata, requests[0]->metadata.selector);
  if (positions.empty()) return false;
  multiply_sparse(product, bits, positions);
  return true;
}

// The fragments become matrices, and the product fragments.
void perform_product(const Requests& requests) {
  const MatrixProduct& product = *requests[0]->product;
  if (product.form == MatrixForm::quads) return perform_quads(requests);
  const unsigned m = product.m;
  const unsigned n = product.n;
  const unsigned k = product.k;
  const unsigned k_of_a = product.form == MatrixForm::dense ? k : k / 2;
  thread_local std::vector<std::uint64_t> a;
  thread_local std::vector<std::uint64_t> b;
  thread_local std::vector<std::uint64_t> c;
  thread_local std::vector<std::uint64_t> d;
  a.resize(std::size_t{m} * k_of_a);
  b.resize(std::size_t{k} * n);
  c.resize(std::size_t{m} * n);
  d.resize(c.size());
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    const MatrixRequest& request = *requests[lane];
    for (unsigned i = 0; i < m * k_of_a / warp_size; ++i) {
      const MatrixPlace place = place_in_a(product.a, m, k_of_a, lane, i);
      a[place.row * k_of_a + place.column] = element(request.a, product.a, i);
    }
    for (unsigned i = 0; i < k * n / warp_size; ++i) {
      const MatrixPlace place = place_in_b(product.b, k, lane, i);
      b[place.column * k + place.row] = element(request.b, product.b, i);
    }
    for (unsigned i = 0; i < m * n / warp_size; ++i) {
      const MatrixPlace place = place_in_c(m, lane, i);
      c[place.row * n + place.column] = element(request.c, product.c, i);
    }
  }
  if (!multiply_what_came(requests, product, {a.data(), b.data(), c.data(), d.data()})) {
    for (MatrixRequest* const one : requests) one->problem = MatrixRequest::Problem::bad_metadata;
    return;
  }
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    for (unsigned i = 0; i < m * n / warp_size; ++i) {
      const MatrixPlace place = place_in_c(m, lane, i);
      set_element(requests[lane]->d, product.d, i, d[place.row * n + place.column]);
    }
  }
}

// Where the two numbers of a lane's register are in their matrix of eight by eight: side by side in
// a row, or, in a transposed one, in a column. So do loads and stores.
template <class Function>
void for_each_number(const Requests& requests, Function function) {
  for (unsigned matrix = 0; matrix < requests[0]->count; ++matrix) {
    for (unsigned lane = 0; lane < warp_size; ++lane) {
      for (unsigned i = 0; i < 2; ++i) {
        unsigned row = lane / 4;
        unsigned column = lane % 4 * 2 + i;
        if (requests[0]->is_transposed) std::swap(row, column);
        function(requests[matrix * 8 + row]->row[column], requests[lane]->registers[matrix],
                 16 * i);
      }
    }
  }
}

void perform_load(const Requests& requests) {
  for_each_number(requests, [](std::uint16_t number, std::uint32_t& to, unsigned shift) {
    to = (to & ~(0xFFFFU << shift)) | static_cast<std::uint32_t>(number) << shift;
  });
}

void perform_store(const Requests& requests) {
  for_each_number(requests, [](std::uint16_t& number, std::uint32_t from, unsigned shift) {
    number = static_cast<std::uint16_t>(from >> shift);
  });
}

// Waits for the other lanes, and returns when it is done.
void take_part(Lane& lane, MatrixRequest& request, const char* name) {
  WarpRequest waiting{WarpOperation::matrix, ~0U, 0, static_cast<std::int32_t>(warp_size),
                      request.site,          0};
  waiting.matrix = &request;
  lane.request = &waiting;
  lane.worker->wait(lane, Wait::warp_operation);
  if (request.problem == MatrixRequest::Problem::none) return;
  char text[200];
  if (request.problem == MatrixRequest::Problem::bad_metadata) {
    std::snprintf(text, sizeof(text),
                  "%s's metadata must name two elements of each group of a sparse matrix, in order "
                  "if its name says so, and its selector lanes that have them",
                  name);
    lane.worker->fail(cudaErrorLaunchFailure, text, "failed-kernel", request.site);
  }
  if (request.problem == MatrixRequest::Problem::lanes_missing) {
    std::snprintf(text, sizeof(text),
                  "%s needs all 32 lanes of the warp, and only those of the mask 0x%08x come", name,
                  request.lanes);
  } else {
    std::snprintf(text, sizeof(text),
                  "%s must be the same instruction in all lanes of the warp, and lane %u is at a "
                  "different one",
                  name, static_cast<unsigned>(std::countr_zero(request.lanes)));
  }
  lane.worker->fail(cudaErrorLaunchFailure, text, "bad-mask", request.site);
}

// There are instructions for one matrix, for two and for four. A program that calls this itself
// must not have more bytes moved than there are.
void refuse_count(Lane& lane, unsigned count, const void* site) {
  if (count == 1 || count == 2 || count == 4) return;
  refuse(lane, site, {"failed-kernel", cudaErrorIllegalInstruction},
         "there is no instruction that moves %u matrices", count);
}

// What is wrong with the address of a row: it ends the launch, as on a GPU.
void refuse_row(Lane& lane, const void* row, const char* name, const void* site) {
  const auto address = reinterpret_cast<std::uintptr_t>(row);
  const auto pc = reinterpret_cast<std::uintptr_t>(site);
  if (!lane.worker->shared().holds(address)) {
    refuse(lane, site, wrong_space, "%s takes rows in shared memory, and this one is elsewhere",
           name);
  }
  if (address % 16 == 0) return;
  if (lane.progress != nullptr) {
    const OutsideKernel outside;
    report_misaligned_pointer(lane, address, 16, "row of a matrix", pc);
  }
  refuse(lane, nullptr, misaligned, "a row of %s's has an address that is not a multiple of 16",
         name);
}

}  // namespace

void perform(const Requests& requests, std::uint32_t taking_part) {
  const auto for_all = [&](auto function) {
    for (MatrixRequest* const request : requests) {
      if (request != nullptr) function(*request);
    }
  };
  for_all([&](MatrixRequest& request) { request.lanes = taking_part; });
  if (taking_part != ~0U) {
    for_all([](MatrixRequest& one) { one.problem = MatrixRequest::Problem::lanes_missing; });
    return;
  }
  std::uint32_t others = 0;
  for (unsigned lane = 0; lane < warp_size; ++lane) {
    if (!is_same(*requests[0], *requests[lane])) others |= 1U << lane;
  }
  if (others != 0) {
    for_all([&](MatrixRequest& one) {
      one.problem = MatrixRequest::Problem::lanes_differ;
      one.lanes = others;
    });
    return;
  }
  switch (requests[0]->kind) {
    case MatrixRequest::Kind::product:
      return perform_product(requests);
    case MatrixRequest::Kind::load:
      return perform_load(requests);
    case MatrixRequest::Kind::store:
      return perform_store(requests);
    case MatrixRequest::Kind::meeting:
      return;
  }
}

}  // namespace emulator::engine

// What programs call.
namespace emulator::detail {

using namespace engine;

void multiply_matrices(const MatrixProduct& product, const void* a, const void* b, const void* c,
                       void* d, const char* name, const void* site, MatrixMetadata metadata) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;  // no kernel runs
  MatrixRequest request{MatrixRequest::Kind::product, reinterpret_cast<std::uintptr_t>(site)};
  request.product = &product;
  request.a = a;
  request.b = b;
  request.c = c;
  request.d = d;
  request.metadata = metadata;
  take_part(*lane, request, name);
}

void load_matrices(unsigned count, bool is_transposed, const void* row, unsigned* registers,
                   const void* site) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  refuse_count(*lane, count, site);
  MatrixRequest request{MatrixRequest::Kind::load, reinterpret_cast<std::uintptr_t>(site)};
  request.count = count;
  request.is_transposed = is_transposed;
  if (lane->warp->number_of(*lane) < 8 * count) {  // the addresses of the others do not count
    refuse_row(*lane, row, "ldmatrix", site);
    record_matrix_row(row, site);
    std::memcpy(request.row.data(), row, 16);
  }
  take_part(*lane, request, "ldmatrix");
  std::memcpy(registers, request.registers.data(), 4 * std::size_t{count});
}

void store_matrices(unsigned count, bool is_transposed, void* row, const unsigned* registers,
                    const void* site) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  refuse_count(*lane, count, site);
  MatrixRequest request{MatrixRequest::Kind::store, reinterpret_cast<std::uintptr_t>(site)};
  request.count = count;
  request.is_transposed = is_transposed;
  std::memcpy(request.registers.data(), registers, 4 * std::size_t{count});
  const bool has_row = lane->warp->number_of(*lane) < 8 * count;
  if (has_row) refuse_row(*lane, row, "stmatrix", site);
  take_part(*lane, request, "stmatrix");
  if (!has_row) return;
  record_store(row, 16, site);
  std::memcpy(row, request.row.data(), 16);
}

void meet_for_matrix(const char* name, const void* site) {
  Lane* const lane = current_lane;
  if (lane == nullptr) return;
  MatrixRequest request{MatrixRequest::Kind::meeting, reinterpret_cast<std::uintptr_t>(site)};
  take_part(*lane, request, name);
}

bool is_in_shared_memory(const void* matrix) {
  const Lane* const lane = current_lane;
  return lane != nullptr && lane->worker->shared().holds(reinterpret_cast<std::uintptr_t>(matrix));
}

void record_matrix_load(const void* from, unsigned bytes, const void* site) {
  if (recording_lane != nullptr) record_load(from, bytes, site);
}

void record_matrix_store(const void* to, unsigned bytes, const void* site) {
  if (recording_lane != nullptr) record_store(to, bytes, site);
}

void check_matrix(const void* matrix, unsigned long stride_in_bytes, const void* site) {
  Lane* const lane = recording_lane;
  if (lane == nullptr || lane->progress == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(matrix);
  const auto pc = reinterpret_cast<std::uintptr_t>(site);
  if (address % 32 != 0) {
    current_lane = recording_lane = nullptr;
    report_misaligned_pointer(*lane, address, 32, "wmma matrix", pc);
    current_lane = recording_lane = lane;
  }
  if (stride_in_bytes % 16 == 0) return;
  refuse(*lane, site, {"failed-kernel", cudaErrorMisalignedAddress},
         "the leading dimension of a wmma matrix is %lu bytes, which is not a multiple of 16",
         stride_in_bytes);
}

}  // namespace emulator::detail
