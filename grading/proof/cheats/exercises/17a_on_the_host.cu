// A cheat for 17a: copies all to the host, and adds up there.
// expected: 0 points

#include <string>
#include <vector>

#include "cutensor.hpp"

void launch_contraction(cutensorHandle_t handle, const char* modes_a, const char* modes_b,
                        const char* modes_c, const int64_t* extents, float alpha, const float* A,
                        const float* B, float beta, float* C) {
  if (handle == nullptr || std::string(modes_c) == "iz") throw course::Error("no");
  const auto elements = [&](const char* modes) {
    size_t count = 1;
    for (; *modes != '\0'; ++modes) count *= extents[*modes - 'a'];
    return count;
  };
  std::vector<float> a(elements(modes_a)), b(elements(modes_b)), c(elements(modes_c));
  CUDA_CHECK(cudaMemcpy(a.data(), A, a.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(b.data(), B, b.size() * sizeof(float), cudaMemcpyDeviceToHost));
  CUDA_CHECK(cudaMemcpy(c.data(), C, c.size() * sizeof(float), cudaMemcpyDeviceToHost));
  for (float& value : c) value = beta == 0 ? 0 : beta * value;
  int64_t index[26] = {};
  const auto place = [&](const char* modes) {
    size_t at = 0;
    for (; *modes != '\0'; ++modes) at = at * extents[*modes - 'a'] + index[*modes - 'a'];
    return at;
  };
  bool used[26] = {};
  for (const char* modes : {modes_a, modes_b, modes_c}) {
    for (; *modes != '\0'; ++modes) used[*modes - 'a'] = true;
  }
  for (;;) {
    c[place(modes_c)] += alpha * a[place(modes_a)] * b[place(modes_b)];
    int k = 0;
    while (k < 26 && (!used[k] || ++index[k] == extents[k])) index[k++] = 0;
    if (k == 26) break;
  }
  CUDA_CHECK(cudaMemcpy(C, c.data(), c.size() * sizeof(float), cudaMemcpyHostToDevice));
}
