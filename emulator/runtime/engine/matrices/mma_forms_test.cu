// Products of matrices of 8 bits, of quads, and with a sparse A. Which lane holds what is written
// down here once more, by the figures of the PTX ISA. nvcc compiles this file as well, for 9.0a.

#include <doctest/doctest.h>

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "tests/kernel_test.hpp"

namespace {

// What the lanes bring: registers of 32 bits, of which an instruction takes as many as it has.
struct Lanes {
  std::uint32_t a[32][4];
  std::uint32_t b[32][4];
  std::uint32_t c[32][8];
  std::uint32_t metadata[32];
};

#define INPUTS_2_1(l) "r"((l).a[t][0]), "r"((l).a[t][1]), "r"((l).b[t][0])
#define INPUTS_2_2(l) INPUTS_2_1(l), "r"((l).b[t][1])
#define INPUTS_4_2(l)                                                                       \
  "r"((l).a[t][0]), "r"((l).a[t][1]), "r"((l).a[t][2]), "r"((l).a[t][3]), "r"((l).b[t][0]), \
      "r"((l).b[t][1])
#define INPUTS_4_4(l) INPUTS_4_2(l), "r"((l).b[t][2]), "r"((l).b[t][3])
#define FLOATS(c) "+f"((c)[0]), "+f"((c)[1]), "+f"((c)[2]), "+f"((c)[3])

// Kernels that end with their results in the place of C.
#define KERNEL_4(Name, Number, body)                                    \
  __global__ void Name(Lanes* lanes) {                                  \
    const unsigned t = threadIdx.x;                                     \
    Number c[4];                                                        \
    for (unsigned i = 0; i < 4; ++i) memcpy(&c[i], &lanes->c[t][i], 4); \
    body;                                                               \
    for (unsigned i = 0; i < 4; ++i) memcpy(&lanes->c[t][i], &c[i], 4); \
  }
#define OUT_4_f FLOATS(c)
#define OUT_4_r "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3])

KERNEL_4(bytes_to_float, float,
         asm volatile("mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, "
                      "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                      : OUT_4_f
                      : INPUTS_4_2(*lanes)))
KERNEL_4(bytes_to_float_16, float,
         asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.e4m3.e5m2.f32 {%0, %1, %2, %3}, "
                      "{%4, %5}, {%6}, {%0, %1, %2, %3};"
                      : OUT_4_f
                      : INPUTS_2_1(*lanes)))
KERNEL_4(bytes_to_half, unsigned,
         asm volatile("mma.sync.aligned.m16n8k32.row.col.f16.e4m3.e5m2.f16 {%0, %1}, "
                      "{%2, %3, %4, %5}, {%6, %7}, {%0, %1};"
                      : "+r"(c[0]), "+r"(c[1])
                      : INPUTS_4_2(*lanes)))
KERNEL_4(bytes_to_half_16, unsigned,
         asm volatile("mma.sync.aligned.m16n8k16.row.col.f16.e4m3.e5m2.f16 {%0, %1}, {%2, %3}, "
                      "{%4}, {%0, %1};"
                      : "+r"(c[0]), "+r"(c[1])
                      : INPUTS_2_1(*lanes)))

#define QUADS_TO_FLOAT(Name, layouts)                                                        \
  __global__ void Name##_float(Lanes* lanes) {                                               \
    const unsigned t = threadIdx.x;                                                          \
    float c[8];                                                                              \
    for (unsigned i = 0; i < 8; ++i) memcpy(&c[i], &lanes->c[t][i], 4);                      \
    asm volatile("mma.sync.aligned.m8n8k4." layouts                                          \
                 ".f32.f16.f16.f32 {%0, %1, %2, %3, %4, %5, %6, %7}, {%8, %9}, {%10, %11}, " \
                 "{%0, %1, %2, %3, %4, %5, %6, %7};"                                         \
                 : FLOATS(c), FLOATS(c + 4)                                                  \
                 : INPUTS_2_2(*lanes));                                                      \
    for (unsigned i = 0; i < 8; ++i) memcpy(&lanes->c[t][i], &c[i], 4);                      \
  }                                                                                          \
  KERNEL_4(Name##_half, unsigned,                                                            \
           asm volatile("mma.sync.aligned.m8n8k4." layouts                                   \
                        ".f16.f16.f16.f16 {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, "            \
                        "{%0, %1, %2, %3};"                                                  \
                        : OUT_4_r                                                            \
                        : INPUTS_2_2(*lanes)))
QUADS_TO_FLOAT(row_col, "row.col")
QUADS_TO_FLOAT(row_row, "row.row")
QUADS_TO_FLOAT(col_col, "col.col")
QUADS_TO_FLOAT(col_row, "col.row")

#define SPARSE_4(Name, Number, letter, name, selector)                             \
  KERNEL_4(Name, Number,                                                           \
           asm volatile("mma.sp" name " {%0, %1, %2, %3}, {%4, %5, %6, %7}, "      \
                        "{%8, %9, %10, %11}, {%0, %1, %2, %3}, %12, " selector ";" \
                        : OUT_4_##letter                                           \
                        : INPUTS_4_4(*lanes), "r"(lanes->metadata[t])))
#define SPARSE_2(Name, Number, letter, name, selector)                          \
  KERNEL_4(Name, Number,                                                        \
           asm volatile("mma.sp" name " {%0, %1, %2, %3}, {%4, %5}, {%6, %7}, " \
                        "{%0, %1, %2, %3}, %8, " selector ";"                   \
                        : OUT_4_##letter                                        \
                        : INPUTS_2_2(*lanes), "r"(lanes->metadata[t])))
#define ORDERED "::ordered_metadata.sync.aligned."
SPARSE_2(sparse_half_16, float, f, ORDERED "m16n8k16.row.col.f32.f16.f16.f32", "0x3")
SPARSE_4(sparse_half_32, float, f, ORDERED "m16n8k32.row.col.f32.f16.f16.f32", "0x1")
SPARSE_4(sparse_unordered, float, f, ".sync.aligned.m16n8k32.row.col.f32.f16.f16.f32", "0x1")
SPARSE_2(sparse_tf32_8, float, f, ORDERED "m16n8k8.row.col.f32.tf32.tf32.f32", "0x2")
SPARSE_4(sparse_tf32_16, float, f, ORDERED "m16n8k16.row.col.f32.tf32.tf32.f32", "0x0")
SPARSE_2(sparse_bytes_32, unsigned, r, ORDERED "m16n8k32.row.col.s32.s8.s8.s32", "0x1")
SPARSE_4(sparse_bytes_64, unsigned, r, ORDERED "m16n8k64.row.col.s32.s8.s8.s32", "0x0")
SPARSE_4(sparse_nibbles_128, unsigned, r, ORDERED "m16n8k128.row.col.s32.s4.s4.s32", "0x0")
SPARSE_4(sparse_float8_64, float, f, ORDERED "m16n8k64.row.col.f32.e4m3.e4m3.f32", "0x0")

// Small whole numbers, and what they are in each format.
enum class Type { half, tf32, e4m3, e5m2, s8, s4 };
unsigned bits_of(Type type) {
  return type == Type::tf32 ? 32 : type == Type::half ? 16 : type == Type::s4 ? 4 : 8;
}
std::uint32_t encoded(int value, Type type) {  // -2 to 2
  const unsigned size = static_cast<unsigned>(value < 0 ? -value : value);
  const unsigned exponent = size == 0 ? 0 : size - 1;  // 1 or 2
  const unsigned sign = value < 0 ? 1 : 0;
  switch (type) {
    case Type::half:
      return sign << 15 | (size == 0 ? 0 : (15 + exponent) << 10);
    case Type::tf32:
      return sign << 31 | (size == 0 ? 0 : (127 + exponent) << 23);
    case Type::e4m3:
      return sign << 7 | (size == 0 ? 0 : (7 + exponent) << 3);
    case Type::e5m2:
      return sign << 7 | (size == 0 ? 0 : (15 + exponent) << 2);
    case Type::s8:
      return static_cast<std::uint32_t>(value) & 0xFFU;
    default:
      return static_cast<std::uint32_t>(value) & 0xFU;
  }
}

int some_number(unsigned seed) {
  return static_cast<int>((seed * 2654435761U >> 13) % 5) - 2;
}

void put(std::uint32_t* registers, unsigned index, std::uint32_t value, Type type) {
  const unsigned each = 32 / bits_of(type);
  registers[index / each] |= value << (index % each * bits_of(type));
}

// A of 16 rows, B of 8 columns, in the registers of the lanes.
void spread(Lanes& lanes, const std::vector<std::vector<int>>& a,
            const std::vector<std::vector<int>>& b, Type of_a, Type of_b) {
  const unsigned per_register = 32 / bits_of(of_a);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < a[0].size() / 2; ++i) {
      const unsigned part = i / per_register;  // rows of the upper half first
      put(lanes.a[lane], i,
          encoded(a[lane / 4 + part % 2 * 8]
                   [part / 2 * 4 * per_register + lane % 4 * per_register + i % per_register],
                  of_a),
          of_a);
    }
    for (unsigned i = 0; i < b[0].size() / 4; ++i) {
      put(lanes.b[lane], i,
          encoded(b[lane / 4][i / per_register * 4 * per_register + lane % 4 * per_register +
                              i % per_register],
                  of_b),
          of_b);
    }
  }
}

std::vector<std::vector<int>> numbers(unsigned rows, unsigned columns, unsigned seed) {
  std::vector<std::vector<int>> result(rows, std::vector<int>(columns));
  for (unsigned i = 0; i < rows; ++i) {
    for (unsigned j = 0; j < columns; ++j) {
      result[i][j] = some_number(seed + i * columns + j);
    }
  }
  return result;
}

int product(const std::vector<int>& row, const std::vector<int>& column) {
  int sum = 0;
  for (std::size_t l = 0; l < row.size(); ++l) sum += row[l] * column[l];
  return sum;
}

float as_float(std::uint32_t bits) {
  float value = 0;
  memcpy(&value, &bits, 4);
  return value;
}
std::uint32_t as_bits(float value) {
  std::uint32_t bits = 0;
  memcpy(&bits, &value, 4);
  return bits;
}
int whole(std::uint32_t half) {  // a small whole number
  const unsigned size = half & 0x7FFFU;
  if (size == 0) return 0;
  const int value = static_cast<int>((1024U + (size & 1023U)) >> (25 - (size >> 10)));
  return (half & 0x8000U) != 0 ? -value : value;
}

// Runs a product with a sparse A. The metadata that no lane has to give are nonsense.
void check_sparse(void (*kernel)(Lanes*), Type type, unsigned k, unsigned selector,
                  bool turned = false) {
  CAPTURE(static_cast<int>(type));
  CAPTURE(k);
  Shared<Lanes> lanes(1);
  lanes[0] = {};
  const bool is_small = bits_of(type) < 16;
  const unsigned group = type == Type::tf32 ? 2 : type == Type::s4 ? 8 : 4;
  const unsigned groups = k / group;
  std::vector<std::vector<int>> whole_a(16, std::vector<int>(k));
  std::vector<std::vector<int>> a = numbers(16, k / 2, 7);
  const unsigned lanes_of_four = groups / 4;
  for (std::uint32_t& word : lanes[0].metadata) word = 0xFFFFFFFF;
  for (unsigned lane = 0; lane < 32; ++lane) {
    if (lane % 4 / lanes_of_four == selector) lanes[0].metadata[lane] = 0;
  }
  constexpr unsigned pairs[6][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}};
  for (unsigned row = 0; row < 16; ++row) {
    for (unsigned g = 0; g < groups; ++g) {
      const unsigned choice = (row * 5 + g * 7 + row * g) % 6;
      unsigned first = pairs[choice][0];
      unsigned second = pairs[choice][1];
      if (turned) std::swap(first, second);
      unsigned bits = first | second << 2;
      if (type == Type::tf32) {
        bits = choice % 2 == 0 ? 0b0100 : 0b1110;
        whole_a[row][g * 2 + choice % 2] = a[row][g];
      } else {
        const unsigned at_once = group / 4;
        for (unsigned j = 0; j < at_once; ++j) {
          whole_a[row][g * group + first * at_once + j] = a[row][g * 2 * at_once + j];
          whole_a[row][g * group + second * at_once + j] = a[row][(g * 2 + 1) * at_once + j];
        }
      }
      const unsigned begin = 4 * (row % 8) + selector * lanes_of_four;
      if (is_small) {
        lanes[0].metadata[begin + row / 8 + g / 8 * 2] |= bits << (g % 8 * 4);
      } else {
        lanes[0].metadata[begin + g / 4] |= bits << (g % 4 * 4 + row / 8 * 16);
      }
    }
  }
  const auto b = numbers(8, k, 1000);
  spread(lanes[0], a, b, type, type);
  const bool to_float = type != Type::s8 && type != Type::s4;
  for (auto& c : lanes[0].c) {
    for (unsigned i = 0; i < 4; ++i) c[i] = to_float ? as_bits(static_cast<float>(i)) : i;
  }
  kernel<<<1, 32>>>(lanes.get());
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  for (unsigned lane = 0; lane < 32; ++lane) {
    for (unsigned i = 0; i < 4; ++i) {
      const int expected =
          static_cast<int>(i) + product(whole_a[lane / 4 + i / 2 * 8], b[lane % 4 * 2 + i % 2]);
      CAPTURE(lane);
      CAPTURE(i);
      CHECK((to_float ? static_cast<int>(as_float(lanes[0].c[lane][i]))
                      : static_cast<int>(lanes[0].c[lane][i])) == expected);
    }
  }
}

// Four products of 8 x 8 x 4.
void check_quads(void (*to_float)(Lanes*), void (*to_half)(Lanes*), bool a_by_columns,
                 bool b_by_rows) {
  CAPTURE(a_by_columns);
  CAPTURE(b_by_rows);
  for (const bool of_floats : {true, false}) {
    Shared<Lanes> lanes(1);
    lanes[0] = {};
    const auto a = numbers(32, 4, 3);
    const auto b = numbers(32, 4, 500);  // column by column
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned first = lane % 16 / 4 * 8;  // of the quad's rows of A and columns of B
      const unsigned mine = lane % 4;
      const unsigned low = lane < 16 ? 0 : 4;
      for (unsigned i = 0; i < 4; ++i) {
        put(lanes[0].a[lane], i,
            encoded(a_by_columns ? a[first + low + i][mine] : a[first + low + mine][i], Type::half),
            Type::half);
        put(lanes[0].b[lane], i,
            encoded(b_by_rows ? b[first + low + i][mine] : b[first + low + mine][i], Type::half),
            Type::half);
      }
      for (unsigned i = 0; i < 8; ++i) {
        if (of_floats) lanes[0].c[lane][i] = as_bits(static_cast<float>(i));
      }
    }
    (of_floats ? to_float : to_half)<<<1, 32>>>(lanes.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned lane = 0; lane < 32; ++lane) {
      const unsigned first = lane % 16 / 4 * 8;
      const unsigned low = lane < 16 ? 0 : 4;
      for (unsigned i = 0; i < 8; ++i) {
        const unsigned row = (of_floats ? (lane & 1U) + (i & 2U) : lane % 4) + low;
        const unsigned column = of_floats ? (i & 4U) + (lane & 2U) + (i & 1U) : i;
        const int expected = product(a[first + row], b[first + column]);
        const int got = of_floats
                            ? static_cast<int>(as_float(lanes[0].c[lane][i])) - static_cast<int>(i)
                            : whole(lanes[0].c[lane][i / 2] >> (16 * (i % 2)) & 0xFFFFU);
        CAPTURE(lane);
        CAPTURE(i);
        CHECK(got == expected);
      }
    }
  }
}

}  // namespace

TEST_CASE("mma.sync of numbers of 8 bits, to float and to half") {
  struct Case {
    void (*kernel)(Lanes*);
    unsigned k;
    bool to_half;
  };
  for (const auto& [kernel, k, to_half] : {Case{bytes_to_float, 32, false},
                                           {bytes_to_half, 32, true},
                                           {bytes_to_float_16, 16, false},
                                           {bytes_to_half_16, 16, true}}) {
    CAPTURE(k);
    const auto a = numbers(16, k, 5);
    const auto b = numbers(8, k, 77);
    Shared<Lanes> lanes(1);
    lanes[0] = {};
    spread(lanes[0], a, b, Type::e4m3, Type::e5m2);
    kernel<<<1, 32>>>(lanes.get());
    REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
    for (unsigned lane = 0; lane < 32; ++lane) {
      for (unsigned i = 0; i < 4; ++i) {
        const int expected = product(a[lane / 4 + i / 2 * 8], b[lane % 4 * 2 + i % 2]);
        const int got = to_half ? whole(lanes[0].c[lane][i / 2] >> (16 * (i % 2)) & 0xFFFFU)
                                : static_cast<int>(as_float(lanes[0].c[lane][i]));
        CHECK(got == expected);
      }
    }
  }
}

TEST_CASE("mma.sync.m8n8k4 of halves is four products, in each of its layouts") {
  check_quads(row_col_float, row_col_half, false, false);
  check_quads(row_row_float, row_row_half, false, true);
  check_quads(col_col_float, col_col_half, true, false);
  check_quads(col_row_float, col_row_half, true, true);
}

TEST_CASE("mma.sp multiplies what the metadata name") {
  check_sparse(sparse_half_16, Type::half, 16, 3);
  check_sparse(sparse_half_32, Type::half, 32, 1);
  check_sparse(sparse_unordered, Type::half, 32, 1, true);
  check_sparse(sparse_tf32_8, Type::tf32, 8, 2);
  check_sparse(sparse_tf32_16, Type::tf32, 16, 0);
  check_sparse(sparse_bytes_32, Type::s8, 32, 1);
  check_sparse(sparse_bytes_64, Type::s8, 64, 0);
  check_sparse(sparse_nibbles_128, Type::s4, 128, 0);
  check_sparse(sparse_float8_64, Type::e4m3, 64, 0);
}

#ifdef CUDA_EMULATOR
TEST_CASE("mma.sp: metadata that name no two elements in order end the launch") {
  Shared<Lanes> lanes(1);
  lanes[0] = {};
  sparse_half_32<<<1, 32>>>(lanes.get());  // twice the first one
  CHECK(cudaDeviceSynchronize() == cudaErrorLaunchFailure);
  CHECK(cudaDeviceReset() == cudaSuccess);
}
#endif
