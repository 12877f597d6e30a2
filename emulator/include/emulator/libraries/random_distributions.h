#pragma once
#pragma GCC system_header
/// \file
/// The distributions of curand_kernel.h. That header includes this one.

namespace emulator::detail {

/// Void for a generator's state; for anything else there is no such type.
template <class State>
using IfRandomState = decltype(::curand(static_cast<State*>(nullptr)),
                               static_cast<void>(static_cast<State*>(nullptr)->next_normal_double));

/// From 0, which is left out, to 1, which is not.
EMULATOR_LEAF float uniform_of(unsigned bits) {
  return static_cast<float>(bits) * 0x1p-32F + 0x1p-33F;
}
EMULATOR_LEAF double uniform_double_of(unsigned bits) {
  return static_cast<double>(bits) * 0x1p-32 + 0x1p-32;
}
/// The same from two words, with all bits that a double has.
EMULATOR_LEAF double uniform_double_of(unsigned low, unsigned high) {
  const unsigned long long bits = low ^ (static_cast<unsigned long long>(high) << 21);
  return static_cast<double>(bits) * 0x1p-53 + 0x1p-54;
}

/// The same of 64 bits: a float of the upper half, a double of the upper 53.
EMULATOR_LEAF float uniform_of(unsigned long long bits) {
  return uniform_of(static_cast<unsigned>(bits >> 32));
}
EMULATOR_LEAF double uniform_double_of(unsigned long long bits) {
  return static_cast<double>(bits >> 11) * 0x1p-53 + 0x1p-54;
}

/// The normal number below which such a share of all lies. Shares of more than a half are counted
/// from 1 down, where floating point has more places.
EMULATOR_LEAF float normal_of_share(unsigned bits) {
  constexpr float root = 1.4142135F;
  const bool upper = bits > 0x80000000U;
  const float tail = uniform_of(upper ? ~bits : bits);
  return (upper ? root : -root) * erfcinvf(2.0F * tail);
}
EMULATOR_LEAF float normal_of_share(unsigned long long bits) {
  return normal_of_share(static_cast<unsigned>(bits >> 32));
}
EMULATOR_LEAF double normal_double_of_share(unsigned bits) {
  constexpr double root = 1.4142135623730951;
  const bool upper = bits > 0x80000000U;
  const double tail = static_cast<double>(upper ? ~bits : bits) * 0x1p-32 + 0x1p-33;
  return (upper ? root : -root) * erfcinv(2.0 * tail);
}
EMULATOR_LEAF double normal_double_of_share(unsigned long long bits) {
  constexpr double root = 1.4142135623730951;
  constexpr unsigned long long last = (1ULL << 53) - 1;
  const unsigned long long share = bits >> 11;
  const bool upper = share > 1ULL << 52;
  const double tail = static_cast<double>(upper ? last - share : share) * 0x1p-53 + 0x1p-54;
  return (upper ? root : -root) * erfcinv(2.0 * tail);
}

/// Two normal numbers (Box and Muller, 1958).
EMULATOR_LEAF float2 normal_of(unsigned x, unsigned y) {
  constexpr float turn = 6.2831855F;
  const float radius = sqrtf(-2.0F * logf(uniform_of(x)));
  const float angle = fmaf(static_cast<float>(y), 0x1p-32F * turn, 0x1p-33F * turn);
  return {sinf(angle) * radius, cosf(angle) * radius};
}
EMULATOR_LEAF double2 normal_double_of(double x, double y) {
  constexpr double turn = 6.283185307179586;
  const double radius = sqrt(-2.0 * log(x));
  return {sin(turn * y) * radius, cos(turn * y) * radius};
}

/// What a state keeps of a pair: only the function that left it there takes it.
inline constexpr int kept_normal = 1;
inline constexpr int kept_log_normal = 2;

EMULATOR_LEAF float log_normal_of(float normal, float mean, float deviation) {
  return expf(mean + deviation * normal);
}
EMULATOR_LEAF double log_normal_of(double normal, double mean, double deviation) {
  return exp(mean + deviation * normal);
}

/// The constants of Hörmann's transformed rejection ("The transformed rejection method for
/// generating Poisson random variables", 1993).
struct PoissonHat {
  double a, b, inverse_alpha, limit;
};
EMULATOR_LEAF PoissonHat poisson_hat(double lambda) {
  const double b = 0.931 + 2.53 * sqrt(lambda);
  return {-0.059 + 0.02483 * b, b, 1.1239 + 1.1328 / (b - 3.4), 0.9277 - 3.6224 / (b - 2)};
}
/// The number that two uniform ones make, or -1 for a rejected pair.
EMULATOR_LEAF double poisson_of(const PoissonHat& hat, double lambda, double first, double second) {
  const double u = first - 0.5;
  const double distance = 0.5 - fabs(u);
  const double number = floor((2 * hat.a / distance + hat.b) * u + lambda + 0.43);
  if (distance >= 0.07 && second <= hat.limit) return number;
  if (number < 0 || (distance < 0.013 && second > distance)) return -1;
  int sign = 0;
  const double accepted = log(second * hat.inverse_alpha / (hat.a / (distance * distance) + hat.b));
  const bool accept = accepted <= number * log(lambda) - lambda - lgamma_r(number + 1, &sign);
  return accept ? number : -1;
}

/// The Poisson number below which such a share of all lies: sums of the probabilities, or, for
/// large means, the normal number next to it.
EMULATOR_LEAF unsigned poisson_of_share(double share, double lambda) {
  unsigned number = 0;
  double term = 1;
  double sum = 1;
  // e^-lambda may be too small for a double. The sums get its factors one after the other: each
  // time they are too large, so that no number is passed over.
  for (double left = lambda; left > 0; left -= 500) {
    const double factor = exp(-fmin(left, 500.0));
    term *= factor;
    sum *= factor;
    while (share > sum && term > 0) {
      term *= lambda / ++number;
      sum += term;
    }
  }
  return number;
}
EMULATOR_LEAF unsigned poisson_of_normal(double normal, double lambda) {
  return static_cast<unsigned>(sqrt(lambda) * normal + lambda + 0.5);
}
EMULATOR_LEAF unsigned poisson_of_bits(unsigned bits, double lambda) {
  if (lambda >= 1000) return poisson_of_normal(normal_double_of_share(bits), lambda);
  return poisson_of_share(static_cast<double>(bits) * 0x1p-32 + 0x1p-33, lambda);
}
EMULATOR_LEAF unsigned poisson_of_bits(unsigned long long bits, double lambda) {
  if (lambda >= 1000) return poisson_of_normal(normal_double_of_share(bits), lambda);
  return poisson_of_share(static_cast<double>(bits >> 11) * 0x1p-53 + 0x1p-55, lambda);
}

}  // namespace emulator::detail

// Uniform numbers, from 0, which is left out, to 1, which is not ----------------------------------

template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE float curand_uniform(State* state) {
  return emulator::detail::uniform_of(curand(state));
}
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE float curand_uniform(State* state) {
  return emulator::detail::uniform_of(curand(state));
}
EMULATOR_INLINE float curand_uniform(curandStateMRG32k3a_t* state) {
  return static_cast<float>(emulator::detail::mrg_step(state) / 4294967087.0);
}
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE double curand_uniform_double(State* state) {
  return emulator::detail::uniform_double_of(curand(state));
}
EMULATOR_INLINE double curand_uniform_double(curandStateXORWOW_t* state) {
  const unsigned low = curand(state);
  const unsigned high = curand(state);
  return emulator::detail::uniform_double_of(low, high);
}
EMULATOR_INLINE double curand_uniform_double(curandStateMRG32k3a_t* state) {
  return emulator::detail::mrg_step(state) / 4294967087.0;
}
/// Of one word: 32 random bits, as with cuRAND.
EMULATOR_INLINE double curand_uniform_double(curandStatePhilox4_32_10_t* state) {
  return emulator::detail::uniform_double_of(curand(state));
}
EMULATOR_INLINE float4 curand_uniform4(curandStatePhilox4_32_10_t* state) {
  using emulator::detail::uniform_of;
  const uint4 bits = curand4(state);
  return {uniform_of(bits.x), uniform_of(bits.y), uniform_of(bits.z), uniform_of(bits.w)};
}
EMULATOR_INLINE double2 curand_uniform2_double(curandStatePhilox4_32_10_t* state) {
  using emulator::detail::uniform_double_of;
  const uint4 bits = curand4(state);
  return {uniform_double_of(bits.x, bits.y), uniform_double_of(bits.z, bits.w)};
}
EMULATOR_INLINE double4 curand_uniform4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_uniform2_double(state);
  const double2 second = curand_uniform2_double(state);
  return {first.x, first.y, second.x, second.y};
}

// Normal numbers: mean 0, standard deviation 1. They come in pairs, the second of which is kept
// ----

template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE float2 curand_normal2(State* state) {
  const unsigned x = curand(state);
  const unsigned y = curand(state);
  return emulator::detail::normal_of(x, y);
}
template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE float curand_normal(State* state) {
  if (state->has_normal == emulator::detail::kept_normal) {
    state->has_normal = 0;
    return state->next_normal;
  }
  const float2 pair = curand_normal2(state);
  state->has_normal = emulator::detail::kept_normal;
  state->next_normal = pair.y;
  return pair.x;
}
/// Of a Sobol sequence: one number of one point, by the inverse of the distribution, here and
/// below.
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE float curand_normal(State* state) {
  return emulator::detail::normal_of_share(curand(state));
}
EMULATOR_INLINE float4 curand_normal4(curandStatePhilox4_32_10_t* state) {
  const float2 first = curand_normal2(state);
  const float2 second = curand_normal2(state);
  return {first.x, first.y, second.x, second.y};
}
template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE double2 curand_normal2_double(State* state) {
  using namespace emulator::detail;
  const unsigned x = curand(state);
  const unsigned y = curand(state);
  const unsigned z = curand(state);
  const unsigned w = curand(state);
  return normal_double_of(uniform_double_of(x, y), uniform_double_of(z, w));
}
template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE double curand_normal_double(State* state) {
  if (state->has_normal_double == emulator::detail::kept_normal) {
    state->has_normal_double = 0;
    return state->next_normal_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->has_normal_double = emulator::detail::kept_normal;
  state->next_normal_double = pair.y;
  return pair.x;
}
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE double curand_normal_double(State* state) {
  return emulator::detail::normal_double_of_share(curand(state));
}
EMULATOR_INLINE double4 curand_normal4_double(curandStatePhilox4_32_10_t* state) {
  const double2 first = curand_normal2_double(state);
  const double2 second = curand_normal2_double(state);
  return {first.x, first.y, second.x, second.y};
}

// Log-normal numbers: e to the power of normal ones with that mean and standard deviation ---------

template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE float curand_log_normal(State* state, float mean, float stddev) {
  using namespace emulator::detail;
  if (state->has_normal == kept_log_normal) {
    state->has_normal = 0;
    return state->next_normal;
  }
  const float2 pair = curand_normal2(state);
  state->has_normal = kept_log_normal;
  state->next_normal = log_normal_of(pair.y, mean, stddev);
  return log_normal_of(pair.x, mean, stddev);
}
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE float curand_log_normal(State* state, float mean, float stddev) {
  return emulator::detail::log_normal_of(curand_normal(state), mean, stddev);
}
template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE float2 curand_log_normal2(State* state, float mean, float stddev) {
  using emulator::detail::log_normal_of;
  const float2 normal = curand_normal2(state);
  return {log_normal_of(normal.x, mean, stddev), log_normal_of(normal.y, mean, stddev)};
}
EMULATOR_INLINE float4 curand_log_normal4(curandStatePhilox4_32_10_t* state, float mean,
                                          float stddev) {
  const float2 first = curand_log_normal2(state, mean, stddev);
  const float2 second = curand_log_normal2(state, mean, stddev);
  return {first.x, first.y, second.x, second.y};
}
template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE double curand_log_normal_double(State* state, double mean, double stddev) {
  using namespace emulator::detail;
  if (state->has_normal_double == kept_log_normal) {
    state->has_normal_double = 0;
    return state->next_normal_double;
  }
  const double2 pair = curand_normal2_double(state);
  state->has_normal_double = kept_log_normal;
  state->next_normal_double = log_normal_of(pair.y, mean, stddev);
  return log_normal_of(pair.x, mean, stddev);
}
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE double curand_log_normal_double(State* state, double mean, double stddev) {
  return emulator::detail::log_normal_of(curand_normal_double(state), mean, stddev);
}
template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE double2 curand_log_normal2_double(State* state, double mean, double stddev) {
  using emulator::detail::log_normal_of;
  const double2 normal = curand_normal2_double(state);
  return {log_normal_of(normal.x, mean, stddev), log_normal_of(normal.y, mean, stddev)};
}

// Poisson numbers ---------------------------------------------------------------------------------

/// Small means by Knuth's products, larger ones by Hörmann's rejection; both are exact, so that the
/// distribution is cuRAND's, but the numbers are others.
template <class State, class = emulator::detail::IfRandomState<State>>
EMULATOR_INLINE unsigned int curand_poisson(State* state, double lambda) {
  using namespace emulator::detail;
  if (lambda < 10) {
    const double limit = exp(-lambda);
    unsigned number = 0;
    for (double product = curand_uniform(state); product > limit;
         product *= curand_uniform(state)) {
      ++number;
    }
    return number;
  }
  const PoissonHat hat = poisson_hat(lambda);
  for (;;) {
    const double first = curand_uniform(state);
    const double second = curand_uniform(state);
    const double number = poisson_of(hat, lambda, first, second);
    if (number >= 0) return static_cast<unsigned>(number);
  }
}
/// Of a Sobol sequence: cuRAND's own numbers.
template <class State, emulator::detail::IfSobolState<State> = 0>
EMULATOR_INLINE unsigned int curand_poisson(State* state, double lambda) {
  return emulator::detail::poisson_of_bits(curand(state), lambda);
}
EMULATOR_INLINE uint4 curand_poisson4(curandStatePhilox4_32_10_t* state, double lambda) {
  const unsigned x = curand_poisson(state, lambda);
  const unsigned y = curand_poisson(state, lambda);
  const unsigned z = curand_poisson(state, lambda);
  const unsigned w = curand_poisson(state, lambda);
  return {x, y, z, w};
}
