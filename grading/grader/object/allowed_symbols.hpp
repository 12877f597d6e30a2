/// @file
/// What a submission's object may ask of others: a table, and the question.
#pragma once

#include <string>
#include <vector>

namespace course::tool::grading {

/// What differs from exercise to exercise.
struct Permissions {
  bool cublas = false;             ///< it calls cuBLAS
  bool cutensor = false;           ///< it calls cuTENSOR
  std::vector<std::string> allow;  ///< what the teacher allows besides, as a person writes it
};

/// Whether an object may leave this symbol undefined.
/// @param symbol as the object file has it, that is, mangled
bool is_allowed(const std::string& symbol, const Permissions& needs);

/// Whether it is a function of CUDA's that the emulator models and that no solution may use.
bool is_refused_on_purpose(const std::string& symbol);

/// Whether an object may define a symbol of this name, for itself even: not if the compiler's own
/// calls would go there.
bool may_define(const std::string& symbol);

/// The functions, and streams, whose calls go to course_ and the name: see
/// grading/judge/interposers.cpp.
std::vector<std::string> interposed_functions();

/// A symbol as a person reads it, without parameters: "cudaMalloc()", "std::thread::join()".
std::string readable(const std::string& symbol);

/// The same of a function that a submission uses, by the name that the submission knows:
/// "map_shared_rank()" for what the emulator's header calls there.
std::string readable_as_written(const std::string& symbol);

}  // namespace course::tool::grading
