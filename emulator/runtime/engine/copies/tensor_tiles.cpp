#include "engine/copies/tensor_tiles.hpp"

#include <algorithm>

#include "events/bulk_copies.hpp"

namespace emulator::engine {
namespace {

constexpr std::uint32_t chunk = 16;  // bytes that a swizzle leaves together

// Runs through the rows of a box, slowest dimension last.
class Rows {
 public:
  Rows(const TensorMap& map, const std::array<int, 5>& corner) : map_(map), corner_(corner) {
    for (unsigned d = 1; d < map.rank; ++d) {
      counts_[d] = (map.box[d] + map.steps[d] - 1U) / map.steps[d];
    }
  }

  // Where the running row is in the tensor; 0: outside.
  std::uint64_t address() const {
    std::uint64_t address = map_.address;
    for (unsigned d = 1; d < map_.rank; ++d) {
      const std::int64_t index =
          std::int64_t{corner_[d]} + std::int64_t{indices_[d]} * map_.steps[d];
      if (index < 0 || index > std::int64_t{map_.lasts[d]}) return 0;
      address += static_cast<std::uint64_t>(index) * map_.strides[d - 1];
    }
    return address;
  }

  bool next() {
    for (unsigned d = 1; d < map_.rank; ++d) {
      if (++indices_[d] < counts_[d]) return true;
      indices_[d] = 0;
    }
    return false;
  }

 private:
  const TensorMap& map_;
  const std::array<int, 5>& corner_;
  std::array<unsigned, 5> counts_{1, 1, 1, 1, 1};
  std::array<unsigned, 5> indices_{};
};

void append(TensorTile& tile, const TilePiece& piece) {
  if (!tile.pieces.empty()) {
    TilePiece& last = tile.pieces.back();
    const bool follows = piece.global == 0
                             ? last.global == 0
                             : last.global != 0 && last.global + last.bytes == piece.global;
    if (follows && last.shared + last.bytes == piece.shared) {
      last.bytes += piece.bytes;
      return;
    }
  }
  tile.pieces.push_back(piece);
}

}  // namespace

unsigned element_bytes(unsigned type) {
  switch (type) {
    case CU_TENSOR_MAP_DATA_TYPE_UINT8:
      return 1;
    case CU_TENSOR_MAP_DATA_TYPE_UINT16:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT16:
    case CU_TENSOR_MAP_DATA_TYPE_BFLOAT16:
      return 2;
    case CU_TENSOR_MAP_DATA_TYPE_UINT32:
    case CU_TENSOR_MAP_DATA_TYPE_INT32:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT32:
    case CU_TENSOR_MAP_DATA_TYPE_TFLOAT32:
      return 4;
    case CU_TENSOR_MAP_DATA_TYPE_UINT64:
    case CU_TENSOR_MAP_DATA_TYPE_INT64:
    case CU_TENSOR_MAP_DATA_TYPE_FLOAT64:
      return 8;
    default:
      return 0;
  }
}

bool is_floating_point(unsigned type) {
  return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16 && type <= CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ;
}

unsigned swizzle_bits(unsigned swizzle) {
  switch (swizzle) {
    case CU_TENSOR_MAP_SWIZZLE_32B:
      return 1;
    case CU_TENSOR_MAP_SWIZZLE_64B:
      return 3;
    case CU_TENSOR_MAP_SWIZZLE_128B:
      return 7;
    default:
      return 0;
  }
}

TensorTile tile_of(const TensorMap& map, const std::array<int, 5>& corner, std::uintptr_t shared) {
  TensorTile tile;
  const unsigned element = element_bytes(map.type);
  const std::uint32_t row_bytes = map.box[0] * element;
  const unsigned bits = swizzle_bits(map.swizzle);
  if (map.fills_with_nan != 0) tile.fill = element == 2 ? 0x7FFF7FFFU : 0x7FFFFFFFU;

  // The part of a row that is in the tensor is the same for all rows.
  const std::int64_t first = corner[0];
  const std::int64_t inside_from = std::clamp<std::int64_t>(-first, 0, map.box[0]);
  const std::int64_t inside_to =
      std::clamp<std::int64_t>(std::int64_t{map.lasts[0]} + 1 - first, inside_from, map.box[0]);
  const auto from = static_cast<std::uint32_t>(inside_from * element);
  const auto to = static_cast<std::uint32_t>(inside_to * element);

  Rows rows(map, corner);
  do {
    const std::uint64_t address = rows.address();
    // Of the row's first element, which may be outside.
    const std::uint64_t row = address + static_cast<std::uint64_t>(first * element);
    const bool has_part = address != 0 && to > from;
    if (has_part) {
      tile.sectors += bulk_sectors(row + from, shared + tile.bytes + from, to - from);
      tile.bytes_inside += to - from;
    }
    for (std::uint32_t at = 0; at < row_bytes;) {
      const bool is_inside = has_part && at >= from && at < to;
      std::uint32_t end = !has_part || at >= to ? row_bytes : at < from ? from : to;
      if (bits != 0) end = std::min(end, at / chunk * chunk + chunk);
      append(tile, {swizzled(shared + tile.bytes + at, bits), is_inside ? row + at : 0, end - at});
      at = end;
    }
    tile.bytes += row_bytes;
  } while (rows.next());
  return tile;
}

}  // namespace emulator::engine
