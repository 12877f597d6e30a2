#define main chapter_26_main  // not the main() of the bench
#include "sparse.cu"
#undef main

#include <cusparse.h>

#include "measure/registry.hpp"

namespace course::measure {
namespace {

void check(cusparseStatus_t status) {
  if (status != CUSPARSE_STATUS_SUCCESS) throw Error(cusparseGetErrorString(status));
}

cusparseHandle_t handle() {
  static const cusparseHandle_t made = [] {
    cusparseHandle_t one = nullptr;
    check(cusparseCreate(&one));
    return one;
  }();
  return made;
}

// cuSPARSE's product with one matrix, by one of its algorithms.
class Library {
 public:
  Library(const DeviceCsr& A, DeviceArray<float>& x, DeviceArray<float>& y,
          cusparseSpMVAlg_t algorithm)
      : algorithm_(algorithm) {
    check(cusparseCreateConstCsr(&A_, A.rows, A.cols, A.elements, A.view().offsets,
                                 A.view().columns, A.view().values, CUSPARSE_INDEX_32I,
                                 CUSPARSE_INDEX_32I, CUSPARSE_INDEX_BASE_ZERO, CUDA_R_32F));
    check(cusparseCreateDnVec(&x_, A.cols, x, CUDA_R_32F));
    check(cusparseCreateDnVec(&y_, A.rows, y, CUDA_R_32F));
    size_t bytes = 0;
    check(cusparseSpMV_bufferSize(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, A_, x_, &zero_,
                                  y_, CUDA_R_32F, algorithm_, &bytes));
    buffer_ = std::make_unique<DeviceArray<unsigned char>>(bytes);
  }
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() {
    cusparseDestroySpMat(A_);
    cusparseDestroyDnVec(x_);
    cusparseDestroyDnVec(y_);
  }
  void launch() {
    check(cusparseSpMV(handle(), CUSPARSE_OPERATION_NON_TRANSPOSE, &one_, A_, x_, &zero_, y_,
                       CUDA_R_32F, algorithm_, static_cast<unsigned char*>(*buffer_)));
  }

 private:
  cusparseSpMVAlg_t algorithm_;
  cusparseConstSpMatDescr_t A_ = nullptr;
  cusparseDnVecDescr_t x_ = nullptr, y_ = nullptr;
  std::unique_ptr<DeviceArray<unsigned char>> buffer_;
  float one_ = 1, zero_ = 0;
};

// A matrix, what its product has to be, and all that makes it.
struct Data {
  explicit Data(const HostCsr& host)
      : x(exact_vector(host.cols, std::max(1, host.longest()), 1)),
        expected(host, x, true),
        A(host),
        d_x(x),
        y(host.rows),
        first(A, d_x, y, CUSPARSE_SPMV_CSR_ALG1),
        second(A, d_x, y, CUSPARSE_SPMV_CSR_ALG2) {}

  std::vector<float> x;
  Expected expected;
  DeviceCsr A;
  DeviceArray<float> d_x, y;
  Library first, second;
};

template <class Launch>
Competitor competitor(const std::shared_ptr<Data>& data, const std::string& name, Launch launch) {
  return {name, [=] { data->y.poison(); }, launch,
          [=] { return data->expected.verify(data->y.to_host()); },
          bytes_of_product(data->A.view())};
}

Competitor by_variant(const std::shared_ptr<Data>& data, const Variant& variant,
                      const std::string& name) {
  return competitor(data, name, [=] {
    variant.launch({data->A.view(), data->d_x, data->y, data->A.workspace});
  });
}

// All rungs, the other forms, and both of cuSPARSE's algorithms.
std::vector<Competitor> make_banded(int rows, int mean) {
  const auto data = std::make_shared<Data>(make_matrix("banded", rows, mean));
  const auto forms = std::make_shared<OtherForms>(data->A);
  forms->make_coo();
  forms->make_ell();
  forms->make_sliced();
  std::vector<Competitor> all = {
      competitor(data, "COO", [=] { launch_coo(forms->coo(), data->d_x, data->y); }),
      competitor(data, "ELL", [=] { launch_ell(forms->ell(), data->d_x, data->y); }),
      competitor(data, "sliced ELL",
                 [=] { launch_sliced_ell(forms->sliced(), data->d_x, data->y); })};
  for (const Variant& variant : variants) all.push_back(by_variant(data, variant, variant.name));
  all.push_back(competitor(data, "CSR_ALG1", [=] { data->first.launch(); }));
  all.push_back(competitor(data, "CSR_ALG2", [=] { data->second.launch(); }));
  return all;
}

// Merged and ours, of one kind; the kind is part of the names.
std::vector<Competitor> make_kind(const std::string& kind, int rows, int mean) {
  const auto data = std::make_shared<Data>(make_matrix(kind, rows, mean));
  std::vector<Competitor> all;
  for (const Variant& variant : variants) {
    if (variant.name != std::string("merge path") && variant.name != std::string("ours")) continue;
    all.push_back(by_variant(data, variant, variant.name + (", " + kind)));
  }
  all.push_back(competitor(data, "CSR_ALG1, " + kind, [=] { data->first.launch(); }));
  all.push_back(competitor(data, "CSR_ALG2, " + kind, [=] { data->second.launch(); }));
  return all;
}

double median_of(Library& library) {
  EventTimer timer;
  std::vector<double> times(9);
  library.launch();
  for (double& time : times) {
    timer.start();
    library.launch();
    time = timer.stop();
  }
  return summarise(times).median_ms;
}

// A drawn matrix: ours against the faster of cuSPARSE's algorithms.
Problem drawn(int number, std::uint64_t seed) {
  const auto host = std::make_shared<HostCsr>(drawn_matrix(number, seed));
  const Csr shape = {host->rows, host->cols, host->elements(), nullptr, nullptr, nullptr};
  const double bytes = bytes_of_product(shape);
  const auto make = [=] {
    const auto data = std::make_shared<Data>(*host);
    const bool is_first = median_of(data->first) <= median_of(data->second);
    Library* const best = is_first ? &data->first : &data->second;
    return std::vector<Competitor>{by_variant(data, variants.back(), variants.back().name),
                                   competitor(data, "cuSPARSE", [=] {
                                     static_cast<void>(data);  // keeps it
                                     best->launch();
                                   })};
  };
  return {"26_sparse",
          static_cast<size_t>(host->rows),
          static_cast<size_t>(host->cols),
          bytes,
          2.0 * shape.elements,
          "read",
          4 * bytes,
          3 * bytes,
          "cuSPARSE",
          make};
}

}  // namespace

void add_chapter_26(Registry& registry) {
  constexpr int mean = 32;
  for (const int rows : {1 << 14, 1 << 22}) {
    const double elements = static_cast<double>(rows) * mean;
    registry.add(Problem{"26_sparse", static_cast<size_t>(rows), static_cast<size_t>(rows),
                         8 * elements + 12.0 * rows + 4, 2 * elements, "read", 40 * elements,
                         48 * elements, "CSR_ALG1", [=] { return make_banded(rows, mean); }});
  }
  constexpr int rows = 1 << 20;
  for (const std::string& kind : kinds) {
    if (kind == "banded" || kind == "rectangular") continue;  // the latter's extents are drawn
    const size_t cols = kind == "half" ? size_t{rows} * mean / 2 : rows;
    const double bytes = 8.0 * rows * mean + 8.0 * rows + 4.0 * static_cast<double>(cols) + 4;
    registry.add(Problem{"26_sparse", rows, cols, bytes, 2.0 * rows * mean, "read", 8 * bytes,
                         6 * bytes, "CSR_ALG1, " + kind,
                         [=] { return make_kind(kind, rows, mean); }});
  }
  registry.add(DrawnProblems{"26_sparse", drawn});
}

}  // namespace course::measure
