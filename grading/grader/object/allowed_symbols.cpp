#include "grader/object/allowed_symbols.hpp"

#include <cxxabi.h>

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <string_view>
#include <unordered_set>

#include "grader/object/known_functions.hpp"

namespace course::tool::grading {
namespace {

using Names = std::vector<std::string_view>;

/// Variables, and the hooks that the compiler calls at every access.
const std::unordered_set<std::string_view> emulator_names{"threadIdx",
                                                          "blockIdx",
                                                          "blockDim",
                                                          "gridDim",
                                                          "emulator_dynamic_shared_memory",
                                                          "__sanitizer_cov_trace_pc"};
const Names hook_prefixes{"__tsan_", "__ubsan_handle_"};

// -------------------------------------------------------------------------------------------------
// C: memory, numbers, and words on the screen. No files, processes, threads or signals; nothing
// that finds functions by name; nothing that goes through memory without being counted.

/// What grading/judge/interposers.cpp has versions of, which count what they load and store, and
/// write nowhere.
const std::unordered_set<std::string_view> interposed{
    "memcpy", "memmove", "memset",  "memcmp",  "memchr",   "strlen",    "strcmp",    "frexp",
    "frexpf", "modf",    "modff",   "remquo",  "remquof",  "sincos",    "sincosf",   "stdout",
    "stderr", "printf",  "fprintf", "vprintf", "vfprintf", "puts",      "fputs",     "putchar",
    "putc",   "fputc",   "fwrite",  "fflush",  "perror",   "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog"};

const std::unordered_set<std::string_view> c_functions{
    "malloc", "calloc", "realloc", "free", "aligned_alloc", "strerror",
    // its own end
    "exit", "abort", "__assert_fail",
    // the rest
    "rand", "srand", "abs", "labs", "llabs", "div", "ldiv", "clock", "__errno_location",
    "__libc_single_threaded",
    // what the compiler itself asks for
    "_GLOBAL_OFFSET_TABLE_", "__stack_chk_fail", "__dso_handle", "__gxx_personality_v0",
    "_Unwind_Resume", "__dynamic_cast", "__tls_get_addr", "__popcountdi2", "__popcountsi2",
    "__divti3", "__udivti3", "__modti3", "__umodti3", "__multi3", "__mulsc3", "__muldc3",
    "__divsc3", "__divdc3", "__powisf2", "__powidf2", "__extendhfsf2", "__truncsfhf2",
    "__truncdfhf2", "__extendhfdf2", "__fixunshfti", "__fixhfti"};

/// libm: each also with f and l after it.
const std::unordered_set<std::string_view> math_functions{
    "acos",    "acosh",     "asin",      "asinh",   "atan",      "atan2", "atanh",  "cbrt",
    "ceil",    "copysign",  "cos",       "cosh",    "erf",       "erfc",  "exp",    "exp10",
    "exp2",    "expm1",     "fabs",      "fdim",    "floor",     "fma",   "fmax",   "fmin",
    "fmod",    "hypot",     "ilogb",     "j0",      "j1",        "jn",    "ldexp",  "llrint",
    "llround", "log",       "log10",     "log1p",   "log2",      "logb",  "lrint",  "lround",
    "nan",     "nearbyint", "nextafter", "pow",     "remainder", "rint",  "round",  "scalbln",
    "scalbn",  "sin",       "sinh",      "sqrt",    "tan",       "tanh",  "tgamma", "trunc",
    "y0",      "y1",        "yn",        "signbit", "isnan",     "isinf", "finite"};

// -------------------------------------------------------------------------------------------------
// C++: libstdc++ without its files, threads, processes and loaders. These are beginnings of mangled
// names, since a name's return type is after it there, but before it in a readable one.

const Names cxx_prefixes{
    "_Znw", "_Zna", "_Zdl", "_Zda",  // operator new and delete
    "__cxa_", "_ZTVN10__cxxabiv1", "_ZTIN10__cxxabiv1",
    // built-in types' type information: _ZTIi, _ZTIPKc
    "_ZTIi", "_ZTIj", "_ZTIf", "_ZTId", "_ZTIb", "_ZTIc", "_ZTIl", "_ZTIm", "_ZTIPKc",
    // std::__throw_..., terminate, uncaught_exception, get_new_handler
    "_ZSt17__throw", "_ZSt18__throw", "_ZSt19__throw", "_ZSt2", "_ZSt9terminatev", "_ZSt16__throw",
    "_ZSt15__throw", "_ZSt18uncaught_exception", "_ZSt19uncaught_exceptions", "_ZSt7nothrow",
    "_ZSt15get_new_handlerv",
    // strings, streams on the screen and in memory, locales that they need
    "_ZNSt7__cxx1112basic_string", "_ZNKSt7__cxx1112basic_string", "_ZTVNSt7__cxx1112basic_string",
    "_ZTTNSt7__cxx1112basic_string", "_ZTINSt7__cxx1112basic_string",
    "_ZNSt7__cxx1115basic_stringbuf", "_ZNKSt7__cxx1115basic_stringbuf",
    "_ZNKRSt7__cxx1115basic_stringbuf", "_ZNKRSt7__cxx1119basic_",
    "_ZNKRSt7__cxx1118basic_stringstream", "_ZTVNSt7__cxx1115basic_stringbuf",
    "_ZTINSt7__cxx1115basic_stringbuf", "_ZNSt7__cxx1118basic_stringstream",
    "_ZNSt7__cxx1119basic_", "_ZTVNSt7__cxx1118basic_", "_ZTVNSt7__cxx1119basic_",
    "_ZTTNSt7__cxx1118basic_", "_ZTTNSt7__cxx1119basic_", "_ZNSo", "_ZNSi", "_ZNKSo", "_ZNKSi",
    "_ZStls", "_ZStrs", "_ZSt16__ostream_insert", "_ZSt4endl", "_ZSt5flush", "_ZSt4ends",
    "_ZSt4cout", "_ZSt4cerr", "_ZSt4clog", "_ZSt7getline", "_ZNSt8ios_base", "_ZNKSt8ios_base",
    "_ZTVSt9basic_ios", "_ZNSt9basic_ios", "_ZNKSt9basic_ios", "_ZTVSt15basic_streambuf",
    "_ZNSt15basic_streambuf", "_ZNSt6locale", "_ZNKSt6locale", "_ZNSt5ctypeIcE", "_ZNKSt5ctypeIcE",
    "_ZSt9use_facetISt5ctype", "_ZNSt5ctypeIc2id", "_ZStplIcSt11char_traits",
    "_ZSteqIcSt11char_traits",
    // exceptions
    "_ZNSt9exception", "_ZNKSt9exception", "_ZTISt", "_ZTSSt", "_ZTVSt9exception",
    "_ZNSt13runtime_error", "_ZNKSt13runtime_error", "_ZTVSt13runtime_error", "_ZNSt11logic_error",
    "_ZNKSt11logic_error", "_ZTVSt11logic_error", "_ZNSt16invalid_argument",
    "_ZTVSt16invalid_argument", "_ZNSt12out_of_range", "_ZTVSt12out_of_range",
    "_ZNSt12length_error", "_ZTVSt12length_error", "_ZNSt12domain_error", "_ZTVSt12domain_error",
    "_ZNSt11range_error", "_ZTVSt11range_error", "_ZNSt14overflow_error", "_ZTVSt14overflow_error",
    "_ZNSt15underflow_error", "_ZTVSt15underflow_error", "_ZNSt9bad_alloc", "_ZNKSt9bad_alloc",
    "_ZTVSt9bad_alloc", "_ZNSt20bad_array_new_length", "_ZTVSt20bad_array_new_length",
    "_ZNSt8bad_cast", "_ZTVSt8bad_cast", "_ZNSt17bad_function_call", "_ZTVSt17bad_function_call",
    "_ZNKSt17bad_function_call", "_ZNSt15__exception_ptr", "_ZNKSt15__exception_ptr",
    "_ZSt17current_exception", "_ZSt17rethrow_exception",
    // containers, numbers and times
    "_ZSt18_Rb_tree", "_ZSt28_Rb_tree", "_ZSt29_Rb_tree", "_ZNSt8__detail15_List_node_base",
    "_ZNKSt8__detail20_Prime_rehash_policy", "_ZNSt8__detail20_Prime_rehash_policy",
    "_ZSt11_Hash_bytes", "_ZSt8to_chars", "_ZSt10from_chars", "_ZNSt6chrono3_V212steady_clock3now",
    "_ZNSt6chrono3_V212system_clock3now", "_ZNSt13mersenne", "_ZNSt3pmr", "_ZNKSt5ctype"};

bool begins_with_one_of(const std::string& symbol, const Names& prefixes) {
  return std::any_of(prefixes.begin(), prefixes.end(),
                     [&](std::string_view prefix) { return symbol.starts_with(prefix); });
}

/// Functions of a library, but for those that write to files or call what they are given.
bool is_of_library(const std::string& symbol, std::string_view library) {
  return symbol.starts_with(library) && symbol.find("Logger") == std::string::npos &&
         symbol.find("File") == std::string::npos;
}

bool is_math(const std::string& symbol) {
  if (math_functions.contains(symbol)) return true;
  if (symbol.empty() || (symbol.back() != 'f' && symbol.back() != 'l')) return false;
  return math_functions.contains(std::string_view(symbol).substr(0, symbol.size() - 1));
}

/// A function of libm that some g++ calls by another name: __sqrtf_finite.
std::string without_finite(const std::string& symbol) {
  if (!symbol.starts_with("__") || !symbol.ends_with("_finite")) return symbol;
  return symbol.substr(2, symbol.size() - 9);
}

std::string demangled(const std::string& symbol) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> text(
      abi::__cxa_demangle(symbol.c_str(), nullptr, nullptr, &status), std::free);
  return status == 0 && text ? std::string(text.get()) : symbol;
}

}  // namespace

std::string readable(const std::string& symbol) {
  const std::string text = demangled(symbol);
  if (text == symbol) return symbol + "()";
  // Up to the parameters, which begin at the first parenthesis that is in no template's arguments;
  // what is before a blank is a return type.
  int depth = 0;
  std::size_t begin = 0;
  for (std::size_t k = 0; k < text.size(); ++k) {
    if (text[k] == '<') ++depth;
    if (text[k] == '>') --depth;
    if (depth != 0) continue;
    if (text[k] == '(' && k != begin) return text.substr(begin, k - begin) + "()";
    const bool is_operator = text.compare(begin, 9, "operator ") == 0;
    if (text[k] == ' ' && !is_operator && text.compare(0, 4, "vtab") != 0 &&
        text.compare(0, 4, "type") != 0) {
      begin = k + 1;
    }
  }
  return text.substr(begin);
}

std::string readable_as_written(const std::string& symbol) {
  const KnownFunction* const function = known_function(symbol);
  if (function == nullptr || function->shown.empty()) return readable(symbol);
  return std::string(function->shown);
}

bool is_allowed(const std::string& symbol, const Permissions& needs) {
  if (emulator_names.contains(symbol) || c_functions.contains(symbol) ||
      interposed.contains(symbol) || is_math(without_finite(symbol))) {
    return true;
  }
  if (begins_with_one_of(symbol, hook_prefixes) || begins_with_one_of(symbol, cxx_prefixes)) {
    return true;
  }
  const KnownFunction* const function = known_function(symbol);
  if (function != nullptr && function->verdict == Verdict::allowed) return true;
  if (needs.cublas && is_of_library(symbol, "cublas")) return true;
  if (needs.cutensor &&
      (is_of_library(symbol, "cutensor") || symbol.starts_with("CUTENSOR_COMPUTE_DESC_"))) {
    return true;
  }
  return std::any_of(needs.allow.begin(), needs.allow.end(), [&](const std::string& name) {
    const std::string shown = readable_as_written(symbol);
    return symbol == name || shown == name || shown == name + "()";
  });
}

bool is_refused_on_purpose(const std::string& symbol) {
  const KnownFunction* const function = known_function(symbol);
  return function != nullptr && function->verdict == Verdict::refused;
}

bool may_define(const std::string& symbol) {
  return !begins_with_one_of(symbol, hook_prefixes) && !symbol.starts_with("course_") &&
         !emulator_names.contains(symbol);
}

std::vector<std::string> interposed_functions() {
  std::vector<std::string> names(interposed.begin(), interposed.end());
  std::sort(names.begin(), names.end());
  return names;
}

}  // namespace course::tool::grading
