/// @file
/// What the witness must know of a program before it watches it: see grading/witness/map.c.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace course::tool::grading {

/// The marks that grading/witness/student.ld leaves around what is a student's.
const std::vector<std::string>& witness_marks();

/// The map, a line a fact.
/// @param program the bytes of the linked program
/// @param object those of the student's object, as it was linked
/// @throws ElfError
std::string witness_map(std::string_view program, std::string_view object);

}  // namespace course::tool::grading
