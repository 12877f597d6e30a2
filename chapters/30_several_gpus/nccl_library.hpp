/// @file
/// Chapter 30: the same by NVIDIA's library NCCL, if there was one when this was compiled: with
/// -DCOURSE_NCCL and -lnccl. It is not part of the CUDA toolkit.
#pragma once

#include "devices.hpp"

#ifdef COURSE_NCCL
#include <nccl.h>

namespace course::detail {

inline ErrorText error_text(ncclResult_t status) {
  return {"NCCL", ncclGetErrorString(status)};
}

}  // namespace course::detail
#endif

namespace gpus {

#ifdef COURSE_NCCL
inline constexpr bool has_nccl = true;

class Nccl {
 public:
  explicit Nccl(const Group& group) : group_(group), comms_(group.size()) {
    CUDA_CHECK(ncclCommInitAll(comms_.data(), group.size(), nullptr));
  }
  Nccl(const Nccl&) = delete;
  Nccl& operator=(const Nccl&) = delete;
  ~Nccl() {
    for (const ncclComm_t comm : comms_) CUDA_WARN(ncclCommDestroy(comm));
  }
  /// One host thread calls for all devices: so the calls are a group, or the first would wait for
  /// the second, which has not been made.
  void launch(const Arrays<float>& in, const Arrays<float>& out, std::size_t n) const {
    CUDA_CHECK(ncclGroupStart());
    for (int me = 0; me < group_.size(); ++me) {
      CUDA_CHECK(
          ncclAllReduce(in[me], out[me], n, ncclFloat, ncclSum, comms_[me], group_.stream(me)));
    }
    CUDA_CHECK(ncclGroupEnd());
  }
  static int version() {
    int version = 0;
    CUDA_CHECK(ncclGetVersion(&version));
    return version;
  }

 private:
  const Group& group_;
  std::vector<ncclComm_t> comms_;
};
#else
inline constexpr bool has_nccl = false;

class Nccl {
 public:
  explicit Nccl(const Group&) {}
  void launch(const Arrays<float>&, const Arrays<float>&, std::size_t) const {
    throw course::Error("NCCL is not there");
  }
  static int version() { return 0; }
};
#endif

}  // namespace gpus
