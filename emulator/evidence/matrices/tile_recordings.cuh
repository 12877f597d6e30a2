#pragma once
/// \file
/// A program that records the tiles of its series, each what one instruction gives, and compares
/// them with a recording: digests of all results, and of a few tiles results themselves.

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "recordings.cuh"

namespace matrices {

/// An instruction, of which there are many tiles.
struct TileSeries {
  const char* name;
  unsigned of_tile;  ///< results
  int result_bits;
  /// The results of the first tiles.
  std::vector<std::uint64_t> (*results)(unsigned number, unsigned tiles);
  /// The product behind a result, in hexadecimal numbers.
  void (*print_operands)(unsigned number, unsigned tile, unsigned index);
};

/// Of a block that computes tiles, each by one.
constexpr unsigned warps_of_block = 4;

/// What a kernel stores of the first tiles: a word for each result.
template <class Word>
std::vector<std::uint64_t> stored_results(void (*products)(Word*, unsigned, unsigned),
                                          unsigned of_tile, unsigned number, unsigned tiles) {
  const std::size_t count = std::size_t{tiles} * of_tile;
  const Managed<Word> words(count);
  const unsigned blocks = (tiles + warps_of_block - 1) / warps_of_block;
  products<<<blocks, 32 * warps_of_block>>>(words.get(), number, tiles);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());
  return {words.get(), words.get() + count};
}

/// How a program records.
struct TileForm {
  unsigned first_number;   ///< of its series: the numbers of other programs' are others
  unsigned chunk;          ///< tiles of a digest
  unsigned word_bytes;     ///< of a result, in a digest
  unsigned results_shown;  ///< of a tile that is recorded
  bool digests_first;      ///< in the file, before those results
  unsigned part;           ///< of the tiles that are compared unless all are to be: 1 / part
  unsigned (*shown_tile)(unsigned kind, unsigned tiles);  ///< the tile that is recorded of a kind
};

class TileRecordings {
 public:
  TileRecordings(std::vector<TileSeries> series, const TileForm& form)
      : series_(std::move(series)), form_(form) {}

  /// Does what the command line says. The exit status: 0, or 1 if something differs.
  int run(int count, char** arguments) const {
    if (count == 1) return write(all_tiles);
    const std::string option = arguments[1];
    if (count == 3 && option == "--compare") return compare(arguments[2], false);
    if (count == 3 && option == "--compare-all") return compare(arguments[2], true);
    if (count == 3 && option == "--tiles") return write(tiles_in(arguments[2], all_tiles));
    if (count == 3 && option == "--results") {
      return write_results(tiles_in(arguments[2], all_tiles));
    }
    refuse(std::string("usage: ") + program_name +
           " [--tiles N | --results N | --compare FILE | --compare-all FILE]");
  }

 private:
  static constexpr unsigned all_tiles = 8192;

  // Of one series, as words: of each kind some results of a tile, and digests.
  struct Record {
    std::vector<std::vector<std::string>> shown;
    std::vector<std::string> digests;
  };

  unsigned digests_of(unsigned tiles) const { return (tiles + form_.chunk - 1) / form_.chunk; }

  // FNV-1a.
  std::uint32_t digest(const std::uint64_t* results, std::size_t count) const {
    std::uint64_t hash = 0xCBF29CE484222325ULL;
    for (std::size_t i = 0; i < count; ++i) {
      for (unsigned byte = 0; byte < form_.word_bytes; ++byte) {
        hash = (hash ^ (results[i] >> (8 * byte) & 0xFFU)) * 0x100000001B3ULL;
      }
    }
    return static_cast<std::uint32_t>(hash ^ hash >> 32);
  }

  // What is recorded of that many tiles; the tiles that are shown are those of `recorded` tiles.
  Record computed(unsigned number, unsigned tiles, unsigned recorded) const {
    const TileSeries& series = series_[number];
    const std::vector<std::uint64_t> results = series.results(form_.first_number + number, tiles);
    Record record;
    for (unsigned kind = 0; kind < kinds; ++kind) {
      record.shown.emplace_back();
      const std::size_t tile = form_.shown_tile(kind, recorded);
      for (unsigned i = 0; i < form_.results_shown; ++i) {
        record.shown[kind].push_back(
            in_hex(results[tile * series.of_tile + i], series.result_bits));
      }
    }
    for (unsigned tile = 0; tile < tiles; tile += form_.chunk) {
      const std::size_t count = std::size_t{std::min(form_.chunk, tiles - tile)} * series.of_tile;
      record.digests.push_back(
          in_hex(digest(&results[std::size_t{tile} * series.of_tile], count), 32));
    }
    return record;
  }

  // Hands on the record's lines in the order in which the file has them.
  template <class OneRecord, class Function>
  void for_each_line(OneRecord& record, Function function) const {
    if (form_.digests_first) function(record.digests);
    for (auto& words : record.shown) function(words);
    if (!form_.digests_first) function(record.digests);
  }

  int write(unsigned tiles) const {
    write_head(tiles);
    for (unsigned i = 0; i < series_.size(); ++i) {
      const Record record = computed(i, tiles, tiles);
      std::printf("series %s\n", series_[i].name);
      for_each_line(record, [](const std::vector<std::string>& words) {
        for (std::size_t j = 0; j < words.size(); ++j) {
          std::printf("%s%c", words[j].c_str(), j % 12 == 11 || j + 1 == words.size() ? '\n' : ' ');
        }
      });
    }
    return 0;
  }

  int write_results(unsigned tiles) const {
    for (unsigned i = 0; i < series_.size(); ++i) {
      const auto results = series_[i].results(form_.first_number + i, tiles);
      std::printf("series %s\n", series_[i].name);
      for (std::size_t j = 0; j < results.size(); ++j) {
        std::printf("%s%c", in_hex(results[j], series_[i].result_bits).c_str(),
                    j % 8 == 7 ? '\n' : ' ');
      }
    }
    return 0;
  }

  // Says what differs first; whether nothing does, in that many of the recorded tiles.
  bool is_equal(unsigned number, unsigned tiles, unsigned recorded_tiles,
                const Record& recorded) const {
    const TileSeries& series = series_[number];
    const Record here = computed(number, tiles, recorded_tiles);
    for (unsigned kind = 0; kind < kinds; ++kind) {
      for (unsigned i = 0; i < form_.results_shown; ++i) {
        if (here.shown[kind][i] == recorded.shown[kind][i]) continue;
        const unsigned tile = form_.shown_tile(kind, recorded_tiles);
        std::printf("%s: tile %u, row %u, column %u: recorded %s, here %s\n", series.name, tile,
                    i / 8, i % 8, recorded.shown[kind][i].c_str(), here.shown[kind][i].c_str());
        series.print_operands(form_.first_number + number, tile, i);
        return false;
      }
    }
    for (std::size_t i = 0; i < here.digests.size(); ++i) {
      if (here.digests[i] == recorded.digests[i]) continue;
      std::printf("%s: a result among those of tiles %zu to %zu differs\n", series.name,
                  i * form_.chunk, std::min<std::size_t>((i + 1) * form_.chunk, tiles) - 1);
      return false;
    }
    std::printf("%s: equal, %u results\n", series.name, tiles * series.of_tile);
    return true;
  }

  int compare(const std::string& path, bool all) const {
    std::ifstream file(path);
    const RecordingHeader head = read_head(file, path, all_tiles);
    std::printf("recorded on %s\n", head.device.c_str());
    // Whole chunks, as only those have digests.
    const unsigned tiles =
        all ? head.tiles : std::min(head.tiles, digests_of(head.tiles / form_.part) * form_.chunk);
    unsigned equal = 0;
    for (unsigned i = 0; i < series_.size(); ++i) {
      Record recorded;
      recorded.shown.assign(kinds, std::vector<std::string>(form_.results_shown));
      recorded.digests.resize(digests_of(head.tiles));
      std::string word;
      std::string name;
      file >> word >> name;
      for_each_line(recorded, [&](std::vector<std::string>& words) {
        for (std::string& one : words) file >> one;
      });
      if (!file || word != "series" || name != series_[i].name) {
        refuse(path + " lacks the series " + series_[i].name);
      }
      equal += is_equal(i, tiles, head.tiles, recorded) ? 1 : 0;
    }
    std::printf("%u of %zu series are equal\n", equal, series_.size());
    return equal == series_.size() ? 0 : 1;
  }

  std::vector<TileSeries> series_;
  TileForm form_;
};

}  // namespace matrices
