/// \file
/// Numbers of 8 bits, beside their definition. nvcc compiles this file as well.

#include <cuda_fp8.h>
#include <doctest/doctest.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <vector>

namespace {

constexpr float infinity = std::numeric_limits<float>::infinity();

struct Format {
  __nv_fp8_interpretation_t kind;
  int places;
  int bias;
  float greatest;
};
constexpr Format formats[] = {{__NV_E4M3, 3, 7, 448}, {__NV_E5M2, 2, 15, 57344}};

// What a byte stands for, by the definition of its format.
float value_of(unsigned bits, const Format& format) {
  const unsigned size = bits & 0x7FU;
  const auto exponent = static_cast<int>(size >> format.places);
  const auto fraction = static_cast<float>(size & ((1U << format.places) - 1));
  const float one = static_cast<float>(1 << format.places);
  float value = exponent == 0 ? std::ldexp(fraction / one, 1 - format.bias)
                              : std::ldexp(1 + fraction / one, exponent - format.bias);
  if (format.kind == __NV_E4M3 && size == 0x7F) value = NAN;
  if (format.kind == __NV_E5M2 && size >= 0x7C) value = size == 0x7C ? infinity : NAN;
  return (bits & 0x80U) != 0 ? -value : value;
}

float as_float(__half_raw raw) {
  return __half2float(__half(raw));
}

__global__ void convert(const float* in, float* out, __nv_fp8x4_e4m3* four) {
  const unsigned i = threadIdx.x;
  out[2 * i] = static_cast<float>(__nv_fp8_e4m3(in[i]));
  out[2 * i + 1] = static_cast<float>(__nv_fp8_e5m2(in[i]));
  if (i == 0) *four = __nv_fp8x4_e4m3(float4{in[0], in[1], in[2], in[3]});
}

}  // namespace

TEST_CASE("fp8: each of the 256 bytes is a half of the same value, and comes back") {
  for (const Format& format : formats) {
    for (unsigned bits = 0; bits < 256; ++bits) {
      CAPTURE(bits);
      const auto byte = static_cast<__nv_fp8_storage_t>(bits);
      const float value = value_of(bits, format);
      const float half = as_float(__nv_cvt_fp8_to_halfraw(byte, format.kind));
      CHECK((half == value || (std::isnan(half) && std::isnan(value))));
      if (std::isnan(value)) continue;
      CHECK(__nv_cvt_float_to_fp8(value, __NV_NOSAT, format.kind) == byte);
    }
  }
}

TEST_CASE("fp8: what lies between two numbers goes to the nearer one, or to the even one") {
  for (const Format& format : formats) {
    const unsigned last = format.kind == __NV_E4M3 ? 0x7E : 0x7B;
    for (unsigned bits = 0; bits < last; ++bits) {
      const float low = value_of(bits, format);
      const float high = value_of(bits + 1, format);
      const float middle = (low + high) / 2;
      const unsigned even = bits % 2 == 0 ? bits : bits + 1;
      for (const unsigned sign : {0U, 0x80U}) {
        CAPTURE(bits);
        const auto byte = [&](float x) {
          return __nv_cvt_float_to_fp8(sign != 0 ? -x : x, __NV_SATFINITE, format.kind) ^ sign;
        };
        CHECK(byte(std::nextafter(middle, 0.0F)) == bits);
        CHECK(byte(middle) == even);
        CHECK(byte(std::nextafter(middle, high)) == bits + 1);
      }
    }
  }
}

TEST_CASE("fp8: what is too large saturates or not, and NaN stays NaN") {
  for (const float x : {500.0F, 1e30F, infinity}) {
    CHECK(__nv_cvt_float_to_fp8(x, __NV_SATFINITE, __NV_E4M3) == 0x7E);
    CHECK(__nv_cvt_float_to_fp8(-x, __NV_SATFINITE, __NV_E4M3) == 0xFE);
    CHECK(__nv_cvt_float_to_fp8(x, __NV_NOSAT, __NV_E4M3) == 0x7F);
    CHECK(__nv_cvt_float_to_fp8(200 * x, __NV_SATFINITE, __NV_E5M2) == 0x7B);
    CHECK(__nv_cvt_float_to_fp8(-200 * x, __NV_NOSAT, __NV_E5M2) == 0xFC);
  }
  CHECK(__nv_cvt_float_to_fp8(464, __NV_NOSAT, __NV_E4M3) == 0x7E);  // a tie, down to the even one
  CHECK(__nv_cvt_float_to_fp8(61440, __NV_NOSAT, __NV_E5M2) == 0x7C);
  CHECK(__nv_cvt_float_to_fp8(-NAN, __NV_SATFINITE, __NV_E4M3) == 0x7F);
  CHECK(__nv_cvt_double_to_fp8(-std::nan(""), __NV_SATFINITE, __NV_E5M2) == 0xFE);
  CHECK(__nv_cvt_halfraw_to_fp8(__half_raw(__float2half(-3.0F)), __NV_SATFINITE, __NV_E4M3) ==
        0xC4);
}

TEST_CASE("fp8: the types convert from and to others, pairs and fours in order") {
  CHECK(static_cast<int>(__nv_fp8_e4m3(-3.75)) == -3);
  CHECK(static_cast<unsigned>(__nv_fp8_e5m2(-3)) == 0);
  CHECK(static_cast<signed char>(__nv_fp8_e4m3(448.0F)) == 127);
  CHECK(static_cast<float>(__nv_fp8_e5m2(static_cast<unsigned short>(1000))) == 1024);
  CHECK_FALSE(static_cast<bool>(__nv_fp8_e4m3(-0.0F)));
  CHECK(__half2float(static_cast<__half>(__nv_fp8_e4m3(__float2half(0.3F)))) == 0.3125F);
  CHECK(__bfloat162float(static_cast<__nv_bfloat16>(__nv_fp8_e5m2(__float2bfloat16(0.3F)))) ==
        0.3125F);
  const __nv_fp8x2_e4m3 pair(float2{1, -2});
  CHECK(pair.__x == 0xC038);
  CHECK(static_cast<float2>(pair).y == -2);
  CHECK(__half2float(__high2half(static_cast<__half2>(__nv_fp8x2_e5m2(double2{1, 4})))) == 4);
  const __nv_fp8x4_e5m2 four(__floats2half2_rn(1, 2), __floats2half2_rn(-4, 0));
  CHECK(four.__x == 0x00C4403C);
  CHECK(static_cast<float4>(four).z == -4);
  static_assert(sizeof(__nv_fp8_e4m3) == 1 && alignof(__nv_fp8x4_e4m3) == 4);
}

TEST_CASE("fp8: in a kernel") {
  const std::vector<float> given{0.3F, 1e6F, -7.1F, 1e-3F};
  float* in = nullptr;
  float* out = nullptr;
  __nv_fp8x4_e4m3* four = nullptr;
  REQUIRE(cudaMallocManaged(&in, 4 * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&out, 8 * sizeof(float)) == cudaSuccess);
  REQUIRE(cudaMallocManaged(&four, sizeof(*four)) == cudaSuccess);
  for (unsigned i = 0; i < 4; ++i) in[i] = given[i];
  convert<<<1, 4>>>(in, out, four);
  REQUIRE(cudaDeviceSynchronize() == cudaSuccess);
  const float expected[] = {0.3125F, 0.3125F, 448, 57344, -7, -7, 0.001953125F, 0.0009765625F};
  for (unsigned i = 0; i < 8; ++i) CHECK(out[i] == expected[i]);
  CHECK(static_cast<float4>(*four).w == 0.001953125F);
  cudaFree(in);
  cudaFree(out);
  cudaFree(four);
}
