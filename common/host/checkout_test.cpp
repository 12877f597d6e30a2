#include "host/checkout.hpp"

#include <doctest/doctest.h>

#include <filesystem>

using course::tool::shown_path;

TEST_CASE("a path below the current folder is shown as seen from there, others are whole") {
  const std::filesystem::path here = std::filesystem::current_path();
  CHECK(shown_path(here / "build" / "logs") == "build/logs");
  CHECK(shown_path("/no/such/place") == "/no/such/place");
  CHECK(shown_path(here.parent_path() / "other") == (here.parent_path() / "other").string());
}
