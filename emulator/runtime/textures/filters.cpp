#include "textures/filters.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <utility>

#include "engine/engine.hpp"
#include "engine/lane_findings.hpp"
#include "events/findings.hpp"
#include "events/memory_events.hpp"

namespace emulator::textures {
namespace {

// Large enough for every texture, and small enough for sums of a few.
constexpr double far_away = 1 << 30;

unsigned bits_of(float value) {
  unsigned bits = 0;
  std::memcpy(&bits, &value, sizeof(bits));
  return bits;
}

float float_of(unsigned bits) {
  float value = 0;
  std::memcpy(&value, &bits, sizeof(value));
  return value;
}

float half_value(std::uint16_t bits) {
  const int exponent = bits >> 10U & 31U;
  const auto mantissa = static_cast<float>(bits & 1023U);
  float value = 0;
  if (exponent == 0) {
    value = std::ldexp(mantissa, -24);
  } else if (exponent == 31) {
    value = mantissa == 0 ? INFINITY : NAN;
  } else {
    value = std::ldexp(mantissa + 1024, exponent - 25);
  }
  return (bits & 0x8000U) != 0 ? -value : value;
}

// One component as it is: the bits of a float, or of an integer.
unsigned component_of(const unsigned char* at, const ElementFormat& format) {
  const bool is_signed = format.kind == cudaChannelFormatKindSigned;
  if (format.bits == 8) {
    return is_signed ? static_cast<unsigned>(static_cast<signed char>(*at)) : *at;
  }
  if (format.bits == 16) {
    std::uint16_t bits = 0;
    std::memcpy(&bits, at, sizeof(bits));
    if (format.kind == cudaChannelFormatKindFloat) return bits_of(half_value(bits));
    return is_signed ? static_cast<unsigned>(static_cast<std::int16_t>(bits)) : bits;
  }
  unsigned bits = 0;
  std::memcpy(&bits, at, sizeof(bits));
  return bits;
}

// An integer as a number from 0 to 1, or from -1 to 1.
float normalised(unsigned bits, const ElementFormat& format) {
  if (format.kind == cudaChannelFormatKindUnsigned) {
    return static_cast<float>(bits) / static_cast<float>((1U << format.bits) - 1);
  }
  const auto largest = static_cast<float>((1U << (format.bits - 1)) - 1);
  return std::max(static_cast<float>(static_cast<int>(bits)) / largest, -1.0F);
}

// For the checks: textures see nothing of what surfaces write in the same launch, or only some.
void check_read(const Level& level, const unsigned char* at, unsigned bytes, const void* pc) {
  work_reads(at, bytes);
  if (level.array == nullptr || level.array->written_in.empty()) return;
  const Lane& lane = *current_lane;
  const auto number = static_cast<std::size_t>(at - level.data) / bytes;
  if (level.array->written_in[number] != lane.worker->grid().number) return;
  Finding finding;
  finding.kind = "race";
  finding.what =
      "a texture reads an element that this kernel has written through a surface, which is "
      "undefined";
  finding.remedy =
      "read it through the surface as well, or write in one kernel and read in another, launched "
      "after it";
  report_finding(lane, std::move(finding), reinterpret_cast<std::uintptr_t>(pc));
}

Texel element_at(const TextureObject& texture, const Level& level, const unsigned char* at,
                 const void* pc) {
  if (details_wanted()) check_read(level, at, texture.format.bytes(), pc);
  const bool normalises = texture.how.readMode == cudaReadModeNormalizedFloat &&
                          texture.format.kind != cudaChannelFormatKindFloat;
  Texel result{};
  for (unsigned c = 0; c < texture.format.components; ++c) {
    const unsigned bits = component_of(at + c * texture.format.bits / 8, texture.format);
    result.components[c] = normalises ? bits_of(normalised(bits, texture.format)) : bits;
  }
  return result;
}

Texel border_of(const TextureObject& texture) {
  Texel result{};
  for (unsigned c = 0; c < 4; ++c) {
    const float value = texture.how.borderColor[c];
    result.components[c] =
        texture.gives_floats() ? bits_of(value) : static_cast<unsigned>(static_cast<int>(value));
  }
  return result;
}

// The index that stands for any index, or -1 for the border. Coordinates that are not normalised
// cannot wrap or mirror.
long address(long i, std::size_t size, cudaTextureAddressMode mode, bool is_normalised) {
  const auto n = static_cast<long>(size);
  if (i >= 0 && i < n) return i;
  if (mode == cudaAddressModeBorder) return -1;
  if (is_normalised && mode == cudaAddressModeWrap) return ((i % n) + n) % n;
  if (is_normalised && mode == cudaAddressModeMirror) {
    const long twice = ((i % (2 * n)) + 2 * n) % (2 * n);
    return twice < n ? twice : 2 * n - 1 - twice;
  }
  return std::clamp(i, 0L, n - 1);
}

// A coordinate in elements.
double in_elements(double x, std::size_t size, bool is_normalised) {
  if (std::isnan(x)) return 0;
  const double scaled = is_normalised ? x * static_cast<double>(size) : x;
  return std::clamp(scaled, -far_away, far_away);
}

// The elements between which a coordinate lies, and the weight of the second.
struct Between {
  long first;
  double weight;
};

// Weights have 8 fraction bits.
Between between(double x) {
  const double shifted = std::floor((x - 0.5) * 256 + 0.5);
  const double first = std::floor(shifted / 256);
  return {static_cast<long>(first), shifted / 256 - first};
}

// Reads one level.
class Sampler {
 public:
  Sampler(const TextureObject& texture, const Level& level)
      : texture_(texture),
        level_(level),
        is_normalised_(texture.how.normalizedCoords != 0),
        dimensions_(dimensions_of(texture.shape)) {}

  Texel nearest(const TexturePoint& p) const {
    return element(floor_of(p.x, level_.width), floor_of(p.y, level_.height),
                   dimensions_ == 3 ? floor_of(p.z, level_.depth) : 0, p);
  }

  Texel linear(const TexturePoint& p) const {
    const Between x = between(in_elements(p.x, level_.width, is_normalised_));
    const Between y =
        dimensions_ > 1 ? between(in_elements(p.y, level_.height, is_normalised_)) : Between{0, 0};
    const Between z =
        dimensions_ > 2 ? between(in_elements(p.z, level_.depth, is_normalised_)) : Between{0, 0};
    // Many programs ask a linear filter for the middle of an element.
    if (x.weight == 0 && y.weight == 0 && z.weight == 0) {
      return element(x.first, y.first, z.first, p);
    }
    // Of most textures' elements the other components are nothing to compute with.
    const unsigned components = texture_.format.components;
    double sums[4] = {};
    for (unsigned corner = 0; corner < 1U << dimensions_; ++corner) {
      const unsigned right = corner & 1U;
      const unsigned down = corner >> 1U & 1U;
      const unsigned behind = corner >> 2U;
      const double weight = (right != 0 ? x.weight : 1 - x.weight) *
                            (down != 0 ? y.weight : 1 - y.weight) *
                            (behind != 0 ? z.weight : 1 - z.weight);
      if (weight == 0) continue;
      const Texel texel = element(x.first + right, y.first + down, z.first + behind, p);
      for (unsigned c = 0; c < components; ++c) sums[c] += weight * float_of(texel.components[c]);
    }
    Texel result{};
    for (unsigned c = 0; c < components; ++c) {
      result.components[c] = bits_of(static_cast<float>(sums[c]));
    }
    return result;
  }

  Texel gather(const TexturePoint& p, unsigned component) const {
    const Between x = between(in_elements(p.x, level_.width, is_normalised_));
    const Between y = between(in_elements(p.y, level_.height, is_normalised_));
    const auto one = [&](long i, long j) { return element(i, j, 0, p).components[component]; };
    return {{one(x.first, y.first + 1), one(x.first + 1, y.first + 1), one(x.first + 1, y.first),
             one(x.first, y.first)}};
  }

 private:
  static unsigned dimensions_of(TextureShape shape) {
    if (shape == TextureShape::line || shape == TextureShape::lines) return 1;
    return shape == TextureShape::volume ? 3 : 2;
  }

  long floor_of(double x, std::size_t size) const {
    return static_cast<long>(std::floor(in_elements(x, size, is_normalised_)));
  }

  Texel element(long i, long j, long k, const TexturePoint& p) const {
    const auto& mode = texture_.how.addressMode;
    const long x = address(i, level_.width, mode[0], is_normalised_);
    const long y = dimensions_ > 1 ? address(j, level_.height, mode[1], is_normalised_) : 0;
    const long z = dimensions_ > 2
                       ? address(k, level_.depth, mode[2], is_normalised_)
                       : std::clamp<long>(p.layer, 0, static_cast<long>(level_.depth) - 1);
    if (x < 0 || y < 0 || z < 0) return border_of(texture_);
    return element_at(texture_, level_,
                      level_.element(static_cast<std::size_t>(x), static_cast<std::size_t>(y),
                                     static_cast<std::size_t>(z), texture_.format.bytes()),
                      p.pc);
  }

  const TextureObject& texture_;
  const Level& level_;
  bool is_normalised_;
  unsigned dimensions_;
};

// A direction from the middle of a cube becomes a place on one of its faces: the table of the
// Programming Guide. The layer counts faces afterwards.
TexturePoint on_face(const TexturePoint& p) {
  const double x = std::fabs(p.x);
  const double y = std::fabs(p.y);
  const double z = std::fabs(p.z);
  int face = 0;
  double m = 0;
  double s = 0;
  double t = 0;
  if (x >= y && x >= z) {
    face = p.x < 0 ? 1 : 0;
    m = x;
    s = p.x < 0 ? p.z : -p.z;
    t = -p.y;
  } else if (y >= z) {
    face = p.y < 0 ? 3 : 2;
    m = y;
    s = p.x;
    t = p.y < 0 ? -p.z : p.z;
  } else {
    face = p.z < 0 ? 5 : 4;
    m = z;
    s = p.z < 0 ? -p.x : p.x;
    t = -p.y;
  }
  if (m == 0) m = 1;
  return {(s / m + 1) / 2, (t / m + 1) / 2, 0, 6 * p.layer + face, p.level, p.pc};
}

Texel sample(const TextureObject& texture, const Level& level, const TexturePoint& point) {
  const Sampler sampler(texture, level);
  return texture.how.filterMode == cudaFilterModeLinear ? sampler.linear(point)
                                                        : sampler.nearest(point);
}

}  // namespace

Texel read_element(const TextureObject& texture, unsigned index, const void* pc) {
  const Level& level = texture.levels[0];
  if (index >= level.width) return {};
  return element_at(texture, level, level.element(index, 0, 0, texture.format.bytes()), pc);
}

Texel read_texture(const TextureObject& texture, const TexturePoint& point) {
  const bool is_cube = texture.shape == TextureShape::cube || texture.shape == TextureShape::cubes;
  const TexturePoint p = is_cube ? on_face(point) : point;
  const std::size_t last = texture.levels.size() - 1;
  if (last == 0) return sample(texture, texture.levels[0], p);
  const cudaTextureDesc& how = texture.how;
  double wanted = p.level + how.mipmapLevelBias;
  wanted = std::max<double>(wanted, how.minMipmapLevelClamp);
  wanted = std::min<double>(wanted, how.maxMipmapLevelClamp);
  wanted = std::clamp(wanted, 0.0, static_cast<double>(last));
  if (how.mipmapFilterMode == cudaFilterModePoint) {
    return sample(texture, texture.levels[static_cast<std::size_t>(std::lround(wanted))], p);
  }
  const Between levels = between(wanted + 0.5);
  const auto first = static_cast<std::size_t>(levels.first);
  const Texel fine = sample(texture, texture.levels[first], p);
  if (levels.weight == 0) return fine;
  const Texel coarse = sample(texture, texture.levels[std::min(first + 1, last)], p);
  Texel result{};
  for (unsigned c = 0; c < 4; ++c) {
    result.components[c] =
        bits_of(static_cast<float>((1 - levels.weight) * float_of(fine.components[c]) +
                                   levels.weight * float_of(coarse.components[c])));
  }
  return result;
}

Texel gather_texels(const TextureObject& texture, const TexturePoint& point, unsigned component) {
  return Sampler(texture, texture.levels[0]).gather(point, component);
}

}  // namespace emulator::textures
