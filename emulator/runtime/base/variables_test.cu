// The program's variables by their addresses. That a stripped program has none is not tested here.

#include "base/variables.hpp"

#include <doctest/doctest.h>

#include <cstdint>
#include <set>
#include <string>

using emulator::base::find_data_variable;
using emulator::base::find_shared_variable;
using emulator::base::Variable;

__device__ float variables_table[10];
namespace variables_scope {
__constant__ int coefficients[3];
struct Tag {};
}  // namespace variables_scope
template <int n>
__device__ int variables_of_template[n];
template <class T>
__device__ int variables_of_type[2];

namespace {

template <class T>
std::uintptr_t address(const T* place) {
  return reinterpret_cast<std::uintptr_t>(place);
}

__global__ void two_tiles(float* out) {
  {
    __shared__ float variables_tile[7];
    variables_tile[0] = 1;
    out[0] = variables_tile[0];
  }
  {
    __shared__ float variables_tile[9];
    variables_tile[0] = 2;
    out[1] = variables_tile[0];
  }
}

}  // namespace

template <int n>
__global__ void variables_kernel(float* out) {
  __shared__ float variables_square[n][n];
  variables_square[0][0] = n;
  out[n] = variables_square[0][0];
}

TEST_CASE("variables are found by the addresses of their bytes") {
  const auto begin = address(variables_table);
  for (const std::uintptr_t inside : {begin, begin + 39}) {
    const auto variable = find_data_variable(inside);
    REQUIRE(variable.has_value());
    CHECK(variable->name == "variables_table");
    CHECK(variable->begin == begin);
    CHECK(variable->bytes == 40);
    CHECK(!variable->weak);
  }
  for (const std::uintptr_t outside : {begin - 1, begin + 40}) {
    const auto variable = find_data_variable(outside);
    CHECK((!variable || variable->name != "variables_table"));
  }
  const auto constant = find_data_variable(address(variables_scope::coefficients));
  REQUIRE(constant.has_value());
  CHECK(constant->name == "coefficients");
  CHECK(constant->bytes == 12);
  const auto of_template = find_data_variable(address(variables_of_template<5>));
  REQUIRE(of_template.has_value());
  CHECK(of_template->name == "variables_of_template<5>");
  CHECK(of_template->bytes == 20);
  CHECK(of_template->weak);
  const auto of_type = find_data_variable(address(variables_of_type<variables_scope::Tag>));
  REQUIRE(of_type.has_value());
  CHECK(of_type->name == "variables_of_type<variables_scope::Tag>");
  int local = 0;
  CHECK(!find_data_variable(address(&local)).has_value());
}

TEST_CASE("shared variables are found by their offsets") {
  float* out = nullptr;
  REQUIRE(cudaMalloc(&out, 100 * sizeof(float)) == cudaSuccess);
  two_tiles<<<1, 1>>>(out);  // so that the compiler keeps them
  variables_kernel<4><<<1, 1>>>(out);
  variables_kernel<8><<<1, 1>>>(out);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  REQUIRE(cudaFree(out) == cudaSuccess);
  std::multiset<std::size_t> tiles;
  std::multiset<std::size_t> squares;
  for (std::uintptr_t offset = 0; offset < (1U << 20);) {
    const auto variable = find_shared_variable(offset);
    if (!variable) {
      ++offset;
      continue;
    }
    CHECK(variable->begin == offset);
    if (variable->name == "variables_tile") tiles.insert(variable->bytes);
    if (variable->name == "variables_square") squares.insert(variable->bytes);
    offset += variable->bytes;
  }
  CHECK(tiles == std::multiset<std::size_t>{28, 36});
  CHECK(squares == std::multiset<std::size_t>{64, 256});
}
