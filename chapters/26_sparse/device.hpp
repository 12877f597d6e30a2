// Chapter 26: matrices on the device, with the memory that they are in.
#pragma once

#include <memory>

#include "graph.hpp"
#include "launch.hpp"

// A matrix by its rows, and what a product with it needs.
struct DeviceCsr {
  explicit DeviceCsr(const HostCsr& A)
      : rows(A.rows),
        cols(A.cols),
        elements(A.elements()),
        offsets(A.offsets),
        columns(A.columns),
        values(A.values),
        workspace(workspace_bytes(A.rows, A.elements())) {
    if (workspace.size() > 0) CUDA_CHECK(cudaMemset(workspace, 0, workspace.size()));
  }
  Csr view() const { return {rows, cols, elements, offsets, columns, values}; }

  int rows, cols, elements;
  course::DeviceArray<int> offsets, columns;
  course::DeviceArray<float> values;
  mutable course::DeviceArray<unsigned char> workspace;  // each product leaves it as it was
};

// The other forms, made on the device. ELL has as many elements per row as the longest row: where
// that is more than `most_padding` times the matrix, it is left out.
constexpr double most_padding = 4;
struct OtherForms {
  explicit OtherForms(const DeviceCsr& A)
      : csr(A.view()),
        row_of(A.elements),
        offsets(A.rows + size_t{1}),
        widths(blocks_of(A.rows, slice_rows)),
        begins(widths.size() + 1),
        longest(1) {
    find_widths();
    width = longest.to_host()[0];
    const int sliced = begins.to_host().back();
    sliced_columns = std::make_unique<course::DeviceArray<int>>(sliced);
    sliced_values = std::make_unique<course::DeviceArray<float>>(sliced);
    const double padded = static_cast<double>(width) * csr.rows;
    if (padded <= most_padding * std::max(1, csr.elements)) {
      const auto count = static_cast<size_t>(padded);
      ell_columns = std::make_unique<course::DeviceArray<int>>(count);
      ell_values = std::make_unique<course::DeviceArray<float>>(count);
    }
  }

  bool has_ell() const { return ell_columns != nullptr; }
  void find_widths() { launch_widths(csr, widths, longest, begins); }
  void make_coo() { launch_rows_of_elements(csr, row_of); }
  void make_csr() { launch_offsets_of_rows(coo(), offsets); }
  void make_ell() { launch_to_ell(csr, width, *ell_columns, *ell_values); }
  void make_sliced() { launch_to_sliced_ell(csr, begins, *sliced_columns, *sliced_values); }

  Coo coo() const { return {csr.rows, csr.cols, csr.elements, row_of, csr.columns, csr.values}; }
  Ell ell() const { return {csr.rows, csr.cols, width, *ell_columns, *ell_values}; }
  SlicedEll sliced() const { return {csr.rows, csr.cols, begins, *sliced_columns, *sliced_values}; }

  Csr csr;
  int width = 0;
  course::DeviceArray<int> row_of, offsets, widths, begins, longest;
  std::unique_ptr<course::DeviceArray<int>> ell_columns, sliced_columns;
  std::unique_ptr<course::DeviceArray<float>> ell_values, sliced_values;
};
