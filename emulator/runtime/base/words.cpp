#include "base/words.hpp"

#include <string>
#include <utility>

#include "base/source_places.hpp"

namespace emulator::base {

std::string triple(const dim3& value) {
  return "(" + std::to_string(value.x) + "," + std::to_string(value.y) + "," +
         std::to_string(value.z) + ")";
}

std::string counted_bytes(std::uint64_t bytes) {
  return std::to_string(bytes) + (bytes == 1 ? " byte" : " bytes");
}

std::string thread_text(const dim3& thread, const dim3& block) {
  return "thread " + triple(thread) + " of block " + triple(block);
}

FindingPlace place_at(std::uint64_t pc, std::string event) {
  const SourcePlace& source = place_of(pc);
  FindingPlace place;
  if (source.line != 0) place.file = source.file;
  place.line = source.line;
  place.event = std::move(event);
  return place;
}

std::vector<FindingPlace> places_at(std::uint64_t pc, std::string event) {
  const SourcePlace& source = place_of(pc);
  const SourceLine* const programs = source.programs_line();
  std::vector<FindingPlace> places{place_at(pc, std::move(event))};
  if (programs == nullptr || programs == &source) return places;
  places.insert(places.begin(), {programs->file, programs->line, places[0].event});
  places[1].event = in_library;
  return places;
}

const char* remedy_of(const std::string& kind) {
  if (kind == "bad-mask") {
    return "call it outside the branch, so that every lane in the mask reaches it; or, if the "
           "values of the other lanes are not needed, make the mask with __ballot_sync() before "
           "the branch";
  }
  if (kind == "divergent-barrier") {
    return "let every thread of the block reach the same barrier: move it out of branches that "
           "only "
           "some of them take";
  }
  if (kind == "misused-barrier") {
    return "count for each phase: how many threads arrive, how many bytes are expected "
           "(arrive_expect_tx), how many the copies bring, and which parity the waiting threads "
           "ask for";
  }
  if (kind == "use-after-free") {
    return "free memory only after the last kernel that uses it, and destroy its textures and "
           "surfaces first";
  }
  if (kind == "misaligned") {
    return "align the address: declare the array with alignas(), and begin at an offset that is "
           "such a multiple";
  }
  return "look at this line, and at the arguments of the launch";
}

}  // namespace emulator::base
