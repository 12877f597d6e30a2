// Exercise 17a: from index notation to a contraction of cuTENSOR's.
//
// README.md beside this file says what is asked. Write where it says TODO; what is given can
// stay as it is. Then:   ./course check 17a

#include <cstring>
#include <vector>

#include "cutensor.hpp"

// Destroys what the library has made, when it is not needed any more.
template <class Thing>
class UniqueHandle {
 public:
  using Destroy = cutensorStatus_t (*)(Thing);

  explicit UniqueHandle(Destroy destroy) : destroy_(destroy) {}
  UniqueHandle(const UniqueHandle&) = delete;
  UniqueHandle& operator=(const UniqueHandle&) = delete;
  ~UniqueHandle() {
    if (thing != nullptr) CUDA_WARN(destroy_(thing));
  }

  Thing thing = nullptr;  // what the library's function is to put it into: &owner.thing

 private:
  Destroy destroy_;
};
using Descriptor = UniqueHandle<cutensorTensorDescriptor_t>;

// The descriptor of a tensor of floats, stored as in an array of C++, without gaps: the last
// mode is the fastest. `modes` has a letter for each mode, and extents[letter - 'a'] is its extent.
// The tensor may begin at any float.
void describe(cutensorHandle_t handle, const char* modes, const int64_t* extents,
              Descriptor& descriptor) {
  // TODO (12 lines): an extent and a stride for each mode, and the alignment that holds.
}

// The modes as the library wants their names: a number each, any at all.
std::vector<int32_t> names_of(const char* modes) {
  return {modes, modes + std::strlen(modes)};
}

// C = alpha A B + beta C, summed over what C does not have. The modes of the three are letters:
// with "ik", "kj" and "ij" it is a product of matrices. All are as describe() says, in device
// memory. If beta is 0, C holds anything before. Memory that the library needs besides is freed
// before the function returns.
void launch_contraction(cutensorHandle_t handle, const char* modes_a, const char* modes_b,
                        const char* modes_c, const int64_t* extents, float alpha, const float* A,
                        const float* B, float beta, float* C) {
  Descriptor descriptor_a(cutensorDestroyTensorDescriptor);
  Descriptor descriptor_b(cutensorDestroyTensorDescriptor);
  Descriptor descriptor_c(cutensorDestroyTensorDescriptor);
  describe(handle, modes_a, extents, descriptor_a);
  describe(handle, modes_b, extents, descriptor_b);
  describe(handle, modes_c, extents, descriptor_c);
  const std::vector<int32_t> names_a = names_of(modes_a);
  const std::vector<int32_t> names_b = names_of(modes_b);
  const std::vector<int32_t> names_c = names_of(modes_c);
  UniqueHandle<cutensorOperationDescriptor_t> operation(cutensorDestroyOperationDescriptor);
  UniqueHandle<cutensorPlanPreference_t> preference(cutensorDestroyPlanPreference);
  UniqueHandle<cutensorPlan_t> plan(cutensorDestroyPlan);

  // TODO (17 lines): the operation, which adds and multiplies floats as floats; the
  // preference; an estimate of the workspace; the plan, and what it really needs; that much
  // memory; the contraction; and the memory is freed.
}
