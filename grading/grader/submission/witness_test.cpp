// The witness's report, and the map that it gets.

#include "grader/submission/witness.hpp"

#include <doctest/doctest.h>
#include <elf.h>

#include <cstring>
#include <string>

#include "grader/object/elf.hpp"
#include "grader/object/witness_map.hpp"
#include "host/files.hpp"

using namespace course::tool::grading;

TEST_CASE("witness: a report without findings, and one that never began") {
  const WitnessReport quiet =
      read_witness_report("witness\t1\ncall\tcudaMalloc\t2\nend\n", "sum.cu");
  CHECK(quiet.was_there);
  CHECK(quiet.finding.empty());
  CHECK_FALSE(read_witness_report("", "sum.cu").was_there);
  CHECK_FALSE(read_witness_report("valgrind: it failed\n", "sum.cu").was_there);
}

TEST_CASE("witness: of its findings the first in the student's file is told") {
  const std::string report =
      "witness\t1\n"
      "finding\tuncounted\tatomics.h\t28\tfirst\n"
      "finding\tuncounted\tsum.cu\t12\tsecond\n"
      "finding\tuncounted\tsum.cu\t13\tthird\n";
  CHECK(read_witness_report(report, "sum.cu").finding == "sum.cu:12: second");
  CHECK(read_witness_report(report, "other.cu").finding == "first");
  CHECK(read_witness_report(report, "sum.cu").remedy.empty());
  CHECK_FALSE(read_witness_report(
                  "finding\tuncounted\tsum.cu\t1\t4 bytes of device memory are read\n", "sum.cu")
                  .remedy.empty());
}

TEST_CASE("witness: a report that was cut off keeps what it has") {
  const std::string report = "witness\t1\nfinding\tjump\tsum.cu\t5\tit jumps\nfinding\tju";
  CHECK(read_witness_report(report, "sum.cu").finding == "sum.cu:5: it jumps");
}

TEST_CASE("witness: a program is read as it is, and damaged ones are errors and nothing worse") {
  const std::string program = course::tool::read_file("/proc/self/exe").value_or("");
  const Elf elf = read_elf(program);
  bool has_main = false;
  for (const ElfSymbol& symbol : elf.symbols) {
    has_main = has_main || (symbol.name == "main" && symbol.type == STT_FUNC);
  }
  CHECK(has_main);
  CHECK_FALSE(elf.relocations.empty());
  CHECK_FALSE(elf.segments.empty());
  CHECK_THROWS_AS(read_elf(""), ElfError);
  CHECK_THROWS_AS(read_elf("#!/bin/sh\n" + std::string(100, ' ')), ElfError);
  for (std::size_t size = 1; size < program.size(); size *= 3) {
    CHECK_THROWS_AS(read_elf(program.substr(0, size)), ElfError);
  }
  // Wherever the header leads.
  for (std::size_t at = 16; at < sizeof(Elf64_Ehdr); ++at) {
    std::string damaged = program;
    damaged[at] = static_cast<char>(damaged[at] ^ 0x7F);
    try {
      read_elf(damaged);
    } catch (const ElfError&) {
      continue;
    }
  }
}

TEST_CASE("witness: there is no map of a program in which nothing is marked") {
  const std::string program = course::tool::read_file("/proc/self/exe").value_or("");
  CHECK_THROWS_AS(witness_map(program, program), ElfError);
}
