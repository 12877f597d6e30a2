#include "host/nearest.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace course::tool;
using Names = std::vector<std::string>;

TEST_CASE("a part of a name, or a slip of a letter or two, finds the name") {
  const Names names{"01_global", "02_coalesced", "03_constant", "05_shuffle"};
  CHECK(nearest("glob", names) == Names{"01_global"});
  CHECK(nearest("GLOBAL", names) == Names{"01_global"});
  CHECK(nearest("globla", names) == Names{"01_global"});
  CHECK(nearest("05_shufle", names) == Names{"05_shuffle"});
  CHECK(nearest("warp", names).empty());
  CHECK(nearest("", names).empty());
}

TEST_CASE("a short word may differ by one letter, and few names are told, the nearest first") {
  CHECK(nearest("9a", {"09a", "09b", "19a"}) == Names{"09a", "19a"});
  CHECK(nearest("shard", {"shared", "shards", "shard"}) == Names{"shards", "shard", "shared"});
  CHECK(nearest("sum", {"sum1", "sum2", "sum3", "sum4", "sum5"}).size() == 4);
}

TEST_CASE("they are told in words") {
  CHECK(did_you_mean({}).empty());
  CHECK(did_you_mean({"01a"}) == "did you mean 01a?");
  CHECK(did_you_mean({"01a", "01b", "02a"}) == "did you mean 01a, 01b or 02a?");
}
