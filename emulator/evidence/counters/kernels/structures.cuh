/// @file
/// Arrays of structures, and structures of arrays.
#pragma once

#include "table.cuh"

/// Four floats that may start at any multiple of 4 bytes.
struct Particle {
  float x, y, z, mass;
};

/// The same, always at a multiple of 16 bytes.
struct alignas(16) AlignedParticle {
  float x, y, z, mass;
};

/// 32 bytes: a sector.
struct Body {
  float position[4];
  float velocity[4];
};

/// Members of three sizes, with holes between them: 24 bytes.
struct Mixed {
  unsigned char kind;
  int number;
  double weight;
  short colour;
};

/// Three bytes.
struct Pixel {
  unsigned char red, green, blue;
};

/// The members of many particles, an array each.
struct ParticleArrays {
  const float* x;
  const float* y;
  const float* z;
  const float* mass;
};

__global__ void aos_one_member(const Particle* in, float* out) {
  const int i = global_index();
  out[i] = in[i].mass;
}
__global__ void aos_two_members(const Particle* in, float* out) {
  const int i = global_index();
  out[i] = in[i].x * in[i].mass;
}
__global__ void aos_all_members(const Particle* in, float* out) {
  const int i = global_index();
  out[i] = (in[i].x + in[i].y + in[i].z) * in[i].mass;
}
__global__ void aos_copied(const Particle* in, Particle* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void aos_by_local_copy(const Particle* in, float* out) {
  const int i = global_index();
  const Particle p = in[i];
  out[i] = (p.x + p.y + p.z) * p.mass;
}
__global__ void aos_member_changed(const Particle* in, Particle* out) {
  const int i = global_index();
  Particle p = in[i];
  p.x += p.mass;
  out[i] = p;
}
__global__ void aos_one_member_written(const float* in, Particle* out) {
  const int i = global_index();
  out[i].y = in[i];
}
__global__ void aos_all_members_written(const float* in, Particle* out) {
  const int i = global_index();
  const float value = in[i];
  out[i].x = value;
  out[i].y = value * 2;
  out[i].z = value * 3;
  out[i].mass = value * 4;
}

__global__ void aligned_aos_one_member(const AlignedParticle* in, float* out) {
  const int i = global_index();
  out[i] = in[i].mass;
}
__global__ void aligned_aos_all_members(const AlignedParticle* in, float* out) {
  const int i = global_index();
  out[i] = (in[i].x + in[i].y + in[i].z) * in[i].mass;
}
__global__ void aligned_aos_copied(const AlignedParticle* in, AlignedParticle* out) {
  const int i = global_index();
  out[i] = in[i];
}

__global__ void body_copied(const Body* in, Body* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void body_moved(const Body* in, Body* out) {
  const int i = global_index();
  for (int k = 0; k < 4; ++k) {
    out[i].position[k] = in[i].position[k] + in[i].velocity[k];
  }
}
__global__ void mixed_read(const Mixed* in, double* out) {
  const int i = global_index();
  out[i] = in[i].weight * in[i].number + in[i].kind + in[i].colour;
}
__global__ void mixed_copied(const Mixed* in, Mixed* out) {
  const int i = global_index();
  out[i] = in[i];
}
__global__ void pixel_grey(const Pixel* in, unsigned char* out) {
  const int i = global_index();
  out[i] = static_cast<unsigned char>((in[i].red + 2 * in[i].green + in[i].blue) / 4);
}
__global__ void pixel_copied(const Pixel* in, Pixel* out) {
  const int i = global_index();
  out[i] = in[i];
}

__global__ void soa_one_member(ParticleArrays in, float* out) {
  const int i = global_index();
  out[i] = in.mass[i];
}
__global__ void soa_all_members(ParticleArrays in, float* out) {
  const int i = global_index();
  out[i] = (in.x[i] + in.y[i] + in.z[i]) * in.mass[i];
}

/// Four arrays in one: 4096 elements each.
inline ParticleArrays particle_arrays(const float* in) {
  return {in, in + 4096, in + 8192, in + 12288};
}

inline counters::Table structure_kernels() {
  return {
      COUNTERS_KERNEL(aos_one_member, 4, 128, arrays.floats_as<Particle>(), arrays.out_as()),
      COUNTERS_KERNEL(aos_two_members, 4, 128, arrays.floats_as<Particle>(), arrays.out_as()),
      COUNTERS_KERNEL(aos_all_members, 4, 128, arrays.floats_as<Particle>(), arrays.out_as()),
      COUNTERS_KERNEL(aos_copied, 4, 128, arrays.floats_as<Particle>(), arrays.out_as<Particle>()),
      COUNTERS_KERNEL(aos_by_local_copy, 4, 128, arrays.floats_as<Particle>(), arrays.out_as()),
      COUNTERS_KERNEL(aos_member_changed, 4, 128, arrays.floats_as<Particle>(),
                      arrays.out_as<Particle>()),
      COUNTERS_KERNEL(aos_one_member_written, 4, 128, arrays.floats, arrays.out_as<Particle>()),
      COUNTERS_KERNEL(aos_all_members_written, 4, 128, arrays.floats, arrays.out_as<Particle>()),
      COUNTERS_KERNEL(aligned_aos_one_member, 4, 128, arrays.floats_as<AlignedParticle>(),
                      arrays.out_as()),
      COUNTERS_KERNEL(aligned_aos_all_members, 4, 128, arrays.floats_as<AlignedParticle>(),
                      arrays.out_as()),
      COUNTERS_KERNEL(aligned_aos_copied, 4, 128, arrays.floats_as<AlignedParticle>(),
                      arrays.out_as<AlignedParticle>()),
      COUNTERS_KERNEL(body_copied, 4, 128, arrays.floats_as<Body>(), arrays.out_as<Body>()),
      COUNTERS_KERNEL(body_moved, 4, 128, arrays.floats_as<Body>(), arrays.out_as<Body>()),
      COUNTERS_KERNEL(mixed_read, 4, 128, arrays.doubles_as<Mixed>(), arrays.out_as<double>()),
      COUNTERS_KERNEL(mixed_copied, 4, 128, arrays.doubles_as<Mixed>(), arrays.out_as<Mixed>()),
      COUNTERS_KERNEL(pixel_grey, 4, 128, arrays.bytes_as<Pixel>(), arrays.out_as<unsigned char>()),
      COUNTERS_KERNEL(pixel_copied, 4, 128, arrays.bytes_as<Pixel>(), arrays.out_as<Pixel>()),
      COUNTERS_KERNEL(soa_one_member, 4, 128, particle_arrays(arrays.floats), arrays.out_as()),
      COUNTERS_KERNEL(soa_all_members, 4, 128, particle_arrays(arrays.floats), arrays.out_as()),
  };
}
