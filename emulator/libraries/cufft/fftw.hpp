#pragma once
/// \file
/// FFTW, of which the few functions that are needed are declared here: so no package with its
/// headers has to be there, only its two libraries.

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <mutex>
#include <type_traits>

extern "C" {
void* fftw_plan_dft(int rank, const int* n, void* in, void* out, int sign, unsigned flags);
void* fftw_plan_dft_r2c(int rank, const int* n, double* in, void* out, unsigned flags);
void* fftw_plan_dft_c2r(int rank, const int* n, void* in, double* out, unsigned flags);
void fftw_execute(void* plan);
void fftw_destroy_plan(void* plan);
void* fftw_malloc(std::size_t bytes);
void fftw_free(void* memory);
void* fftwf_plan_dft(int rank, const int* n, void* in, void* out, int sign, unsigned flags);
void* fftwf_plan_dft_r2c(int rank, const int* n, float* in, void* out, unsigned flags);
void* fftwf_plan_dft_c2r(int rank, const int* n, void* in, float* out, unsigned flags);
void fftwf_execute(void* plan);
void fftwf_destroy_plan(void* plan);
}

namespace emulator::cufft {

/// One transform, of arrays of its own in which the elements follow each other.
template <class In, class Out>
class Fftw {
  static constexpr bool of_floats =
      sizeof(In) == 4 || sizeof(Out) == 4 || std::is_same_v<In, std::complex<float>>;

 public:
  /// \param n the sizes, of real elements where one side is real; leading ones may be 1
  /// \param sign -1 forward, 1 back
  Fftw(const std::array<std::int64_t, 3>& n, int sign) {
    for (std::size_t i = 0; i < 3; ++i) {
      if (n[i] > 0x7FFFFFFF) return;
      n_[i] = static_cast<int>(n[i]);
    }
    const std::size_t rows = static_cast<std::size_t>(n[0]) * static_cast<std::size_t>(n[1]);
    const std::size_t padded = rows * 2 * (static_cast<std::size_t>(n[2]) / 2 + 1);
    input_ = allocate<In>(padded);
    output_ = allocate<Out>(padded);
    if (!input_ || !output_) return;
    const std::lock_guard lock(planner());
    plan_ = planned(sign);
  }
  ~Fftw() {
    if (plan_ == nullptr) return;
    const std::lock_guard lock(planner());
    of_floats ? fftwf_destroy_plan(plan_) : fftw_destroy_plan(plan_);
  }
  Fftw(const Fftw&) = delete;
  Fftw& operator=(const Fftw&) = delete;

  bool is_made() const { return plan_ != nullptr; }
  In* input() { return input_.get(); }
  const Out* output() const { return output_.get(); }
  /// The input may be overwritten.
  void run() { of_floats ? fftwf_execute(plan_) : fftw_execute(plan_); }

 private:
  struct FftwDeleter {
    void operator()(void* memory) const { fftw_free(memory); }
  };
  template <class T>
  static std::unique_ptr<T[], FftwDeleter> allocate(std::size_t count) {
    return std::unique_ptr<T[], FftwDeleter>(static_cast<T*>(fftw_malloc(count * sizeof(T))));
  }
  // Only executing is free of shared data in FFTW.
  static std::mutex& planner() {
    static auto& mutex = *new std::mutex;
    return mutex;
  }

  void* planned(int sign) {
    constexpr unsigned estimate = 1U << 6;
    In* const in = input_.get();
    Out* const out = output_.get();
    if constexpr (std::is_same_v<In, float>) {
      return fftwf_plan_dft_r2c(3, n_.data(), in, out, estimate);
    } else if constexpr (std::is_same_v<Out, float>) {
      return fftwf_plan_dft_c2r(3, n_.data(), in, out, estimate);
    } else if constexpr (std::is_same_v<In, double>) {
      return fftw_plan_dft_r2c(3, n_.data(), in, out, estimate);
    } else if constexpr (std::is_same_v<Out, double>) {
      return fftw_plan_dft_c2r(3, n_.data(), in, out, estimate);
    } else if constexpr (of_floats) {
      return fftwf_plan_dft(3, n_.data(), in, out, sign, estimate);
    } else {
      return fftw_plan_dft(3, n_.data(), in, out, sign, estimate);
    }
  }

  std::array<int, 3> n_{};
  std::unique_ptr<In[], FftwDeleter> input_;
  std::unique_ptr<Out[], FftwDeleter> output_;
  void* plan_ = nullptr;
};

}  // namespace emulator::cufft
