// Exercise 17b, a bug hunt: images, turned, mixed and added up by cuTENSOR.
//
// README.md beside this file says what it is meant to do.
// TODO: find the mistakes and mend them. Then:   ./course check 17b

#include <string>
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

  Thing thing = nullptr;

 private:
  Destroy destroy_;
};

// A tensor of floats without gaps: a letter for each mode, and its extent. As in an array
// of C++, the last mode is the fastest.
struct Tensor {
  Tensor(cutensorHandle_t handle, const std::string& letters, const std::vector<int64_t>& extents)
      : modes(letters.begin(), letters.end()) {
    const size_t count = extents.size();
    std::vector<int64_t> strides(count);
    int64_t elements = 1;
    for (size_t k = 0; k < count; ++k) {
      strides[k] = elements;
      elements *= extents[k];
    }
    CUDA_CHECK(cutensorCreateTensorDescriptor(handle, &owner.thing, static_cast<uint32_t>(count),
                                              extents.data(), strides.data(), CUTENSOR_R_32F,
                                              sizeof(float)));
  }

  std::vector<int32_t> modes;
  UniqueHandle<cutensorTensorDescriptor_t> owner{cutensorDestroyTensorDescriptor};
};

// A plan for an operation, and the memory that it needs.
struct Plan {
  Plan(cutensorHandle_t handle, cutensorOperationDescriptor_t operation) {
    UniqueHandle<cutensorPlanPreference_t> preference(cutensorDestroyPlanPreference);
    CUDA_CHECK(cutensorCreatePlanPreference(handle, &preference.thing, CUTENSOR_ALGO_DEFAULT,
                                            CUTENSOR_JIT_MODE_NONE));
    CUDA_CHECK(cutensorEstimateWorkspaceSize(handle, operation, preference.thing,
                                             CUTENSOR_WORKSPACE_DEFAULT, &bytes));
    CUDA_CHECK(cutensorCreatePlan(handle, &owner.thing, operation, preference.thing, bytes));
    CUDA_CHECK(cutensorPlanGetAttribute(handle, owner.thing, CUTENSOR_PLAN_REQUIRED_WORKSPACE,
                                        &bytes, sizeof bytes));
    if (bytes != 0) CUDA_CHECK(cudaMalloc(&workspace, bytes));
  }
  Plan(const Plan&) = delete;
  Plan& operator=(const Plan&) = delete;
  ~Plan() { CUDA_WARN(cudaFree(workspace)); }

  UniqueHandle<cutensorPlan_t> owner{cutensorDestroyPlan};
  uint64_t bytes = 0;
  void* workspace = nullptr;
};

// out[n][h][w][c] = scale * in[n][c][h][w]: the channels of a pixel, which are a plane apart, come
// side by side.
void launch_channels_last(cutensorHandle_t handle, const float* in, float* out, float scale,
                          int images, int channels, int height, int width) {
  const Tensor from(handle, "nchw", {images, channels, height, width});
  const Tensor to(handle, "nwhc", {images, height, width, channels});
  UniqueHandle<cutensorOperationDescriptor_t> operation(cutensorDestroyOperationDescriptor);
  CUDA_CHECK(cutensorCreatePermutation(handle, &operation.thing, from.owner.thing,
                                       from.modes.data(), CUTENSOR_OP_IDENTITY, to.owner.thing,
                                       to.modes.data(), CUTENSOR_COMPUTE_DESC_32F));
  const Plan plan(handle, operation.thing);
  const double factor = scale;
  CUDA_CHECK(cutensorPermute(handle, plan.owner.thing, &factor, in, out, nullptr));
}

// out[n][o][p] = the sum over c of weights[o][c] in[n][c][p]: of each pixel p of each image n, new
// channels o are mixed from the old ones, c.
void launch_mix(cutensorHandle_t handle, const float* weights, const float* in, float* out,
                int images, int channels, int outputs, int pixels) {
  const Tensor mixture(handle, "co", {outputs, channels});
  const Tensor from(handle, "ncp", {images, channels, pixels});
  const Tensor to(handle, "op", {outputs, pixels});
  UniqueHandle<cutensorOperationDescriptor_t> operation(cutensorDestroyOperationDescriptor);
  CUDA_CHECK(cutensorCreateContraction(
      handle, &operation.thing, mixture.owner.thing, mixture.modes.data(), CUTENSOR_OP_IDENTITY,
      from.owner.thing, from.modes.data(), CUTENSOR_OP_IDENTITY, to.owner.thing, to.modes.data(),
      CUTENSOR_OP_IDENTITY, to.owner.thing, to.modes.data(), CUTENSOR_COMPUTE_DESC_32F));
  const Plan plan(handle, operation.thing);
  const float one = 1.0F;
  const float zero = 0.0F;
  CUDA_CHECK(cutensorContract(handle, plan.owner.thing, &one, weights, in, &zero, out, out,
                              plan.workspace, plan.bytes, nullptr));
}

// out[n][c] = the sum over p of in[n][c][p]: a number for each channel of each image.
void launch_sums(cutensorHandle_t handle, const float* in, float* out, int images, int channels,
                 int pixels) {
  const Tensor from(handle, "ncp", {images, channels, pixels});
  const Tensor to(handle, "np", {images, channels});
  UniqueHandle<cutensorOperationDescriptor_t> operation(cutensorDestroyOperationDescriptor);
  CUDA_CHECK(cutensorCreateReduction(handle, &operation.thing, from.owner.thing, from.modes.data(),
                                     CUTENSOR_OP_IDENTITY, to.owner.thing, to.modes.data(),
                                     CUTENSOR_OP_IDENTITY, to.owner.thing, to.modes.data(),
                                     CUTENSOR_OP_ADD, CUTENSOR_COMPUTE_DESC_32F));
  const Plan plan(handle, operation.thing);
  const float one = 1.0F;
  const float zero = 0.0F;
  CUDA_CHECK(cutensorReduce(handle, plan.owner.thing, &one, in, &zero, out, out, plan.workspace,
                            plan.bytes, nullptr));
}
