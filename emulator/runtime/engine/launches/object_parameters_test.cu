// Parameters with constructors and destructors, which are the host's.

#include <doctest/doctest.h>

#include "engine/launches/managed_buffer_test.hpp"

namespace {

// Owns a word of managed memory. Copies share it.
class Owner {
 public:
  Owner() : word_(nullptr) { OK(cudaMallocManaged(&word_, sizeof *word_)); }
  Owner(const Owner& other) : word_(other.word_) { ++copies; }
  ~Owner() { ++destroyed; }
  void free() const { OK(cudaFree(word_)); }
  int value() const { return *word_; }
  __device__ void add(int number) { atomicAdd(word_, number); }
  __device__ void forget() { word_ = nullptr; }

  static inline int copies = 0;
  static inline int destroyed = 0;

 private:
  int* word_;
};

__global__ void add_to(Owner owner, int number) {
  owner.add(number);
  owner.forget();  // each thread has a parameter of its own
}
template <class T, class Number>
__global__ void add_to_any(T owner, Number number) {
  owner.add(number);
}
template <class K>
void launch(K kernel, const Owner& owner) {
  kernel<<<1, 4>>>(owner, 3);
}

template <class Launch>
int copies_of(const Owner& owner, Launch launch) {
  Owner::copies = Owner::destroyed = 0;
  launch(owner);
  OK(cudaGetLastError());
  CHECK(Owner::copies == Owner::destroyed);
  OK(cudaDeviceSynchronize());
  return Owner::copies;
}

}  // namespace

TEST_CASE("a parameter with a destructor is copied and destroyed once, by the host") {
  const Owner owner;
  CHECK(copies_of(owner, [](const Owner& o) { add_to<<<1, 4>>>(o, 1); }) == 1);
  CHECK(owner.value() == 4);
  CHECK(copies_of(owner, [](const Owner& o) { add_to<<<2, 32>>>({o}, 1); }) == 1);
  CHECK(owner.value() == 68);
  CHECK(copies_of(owner, [](const Owner& o) { launch(add_to, o); }) == 1);
  CHECK(owner.value() == 80);
  CHECK(copies_of(owner, [](const Owner& o) {
          int number = 1;
          void* arguments[] = {const_cast<Owner*>(&o), &number};
          OK(cudaLaunchKernel(add_to, dim3(1), dim3(4), arguments));
        }) == 0);
  CHECK(owner.value() == 84);
  Owner::copies = Owner::destroyed = 0;
  add_to_any<Owner, int><<<1, 4>>>(owner, 1);
  OK(cudaDeviceSynchronize());
  CHECK(Owner::copies == 1);
  CHECK(owner.value() == 88);
  owner.free();
}
