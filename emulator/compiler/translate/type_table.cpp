#include "compiler/translate/type_table.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <string_view>
#include <vector>

namespace emulator::compiler::translate {
namespace {

using text::contains;
using text::LineMap;
using text::nowhere;
using text::TokenText;

// Words that can be before a class's `struct`. Others are left out for a reason: `template`,
// `friend`, `enum`.
constexpr std::array<std::string_view, 11> leading_words = {
    "__constant__", "__device__", "__extension__", "__managed__", "__shared__", "const",
    "constexpr",    "extern",     "inline",        "static",      "typedef"};

constexpr std::array<std::string_view, 3> class_keys = {"class", "struct", "union"};

// CUDA's vector types of more than 16 bytes. Those of at most 16 need no table: they are aligned to
// their size, or they have three elements of at most 4 bytes, as the runtime takes for granted.
constexpr std::array<std::string_view, 20> wide_vectors = {
    "double3",       "double4",       "double4_16a", "double4_32a",    "long3",
    "long4",         "long4_16a",     "long4_32a",   "longlong3",      "longlong4",
    "longlong4_16a", "longlong4_32a", "ulong3",      "ulong4",         "ulong4_16a",
    "ulong4_32a",    "ulonglong3",    "ulonglong4",  "ulonglong4_16a", "ulonglong4_32a"};

struct Namespace {
  std::string_view name;  // empty for an unnamed one
  bool is_inline = false;
};

struct Class {
  std::vector<Namespace> path;
  std::string_view key;  // `struct` before its name, which a function may also have; or nothing
  std::string_view name;
};

// Finds the classes. Reads declaration by declaration and looks into namespaces only.
class ClassCollector {
 public:
  ClassCollector(const TokenText& text, const LineMap& lines) : text_(text), lines_(lines) {}

  // Returns false if the text makes no sense: its brackets do not match, or it ends in the middle
  // of a declaration, or with a class without the semicolon.
  bool run() {
    const std::size_t end = text_.tokens().size();
    std::size_t last = 0;
    for (std::size_t i = 0; i < end;) {
      last = i;
      i = read_declaration(i);
      if (i == nowhere) return false;
    }
    return open_.empty() && !(text_.is(end - 1, "}") && is_class_key(skip_leading(last)));
  }

  const std::vector<Class>& classes() const { return classes_; }

 private:
  // Each of these reads what begins at token i and returns the token after it.

  std::size_t read_declaration(std::size_t i) {
    if (text_.is(i, "}")) return close_scope(i);
    if (text_.is_linkage(i + 2)) {
      open_.push_back(path_.size());
      return i + 3;
    }
    if (const std::size_t after = open_namespace(i); after != i) return after;
    read_class(i);
    return skip_declaration(i);
  }

  std::size_t close_scope(std::size_t i) {
    if (open_.empty()) return nowhere;
    path_.resize(open_.back());
    open_.pop_back();
    return i + 1;
  }

  // `inline namespace a {`, `namespace a::inline b {`. Leaves `namespace a = b;` alone.
  std::size_t open_namespace(std::size_t i) {
    const std::size_t begin = i;
    std::vector<Namespace> names(1);
    if (text_.is(i, "inline")) {
      names.back().is_inline = true;
      ++i;
    }
    if (!text_.is(i, "namespace")) return begin;
    for (i = skip_attributes(i + 1); !text_.is(i, "{"); i = skip_attributes(i + 1)) {
      if (text_.is(i, "::")) {
        names.emplace_back();
      } else if (text_.is(i, "inline")) {
        names.back().is_inline = true;
      } else if (text_.is_identifier(i)) {
        names.back().name = text_.word(i);
      } else {
        return begin;
      }
    }
    open_.push_back(path_.size());
    path_.insert(path_.end(), names.begin(), names.end());
    return i + 1;
  }

  // A declaration ends with a semicolon or with a body in braces. (After the body of a class there
  // is more, which passes for a declaration of its own.)
  std::size_t skip_declaration(std::size_t i) const {
    for (; i < text_.tokens().size(); ++i) {
      if (text_.is(i, ";")) return i + 1;
      if (text_.closes(i)) return nowhere;
      if (text_.opens(i)) {
        const bool ends = text_.is(i, "{") && !is_requirement(i);
        i = text_.closing(i);
        if (i == nowhere) return nowhere;
        if (ends) return i + 1;
      }
    }
    return nowhere;
  }

  // The `{` of `requires { typename T::type; }` or `requires(T v) { v.f(); }`, after which a
  // template goes on. (A function's body after `requires (condition)` is also taken for one; that
  // costs the declaration that follows, no more.)
  bool is_requirement(std::size_t i) const {
    if (text_.is(i - 1, "requires")) return true;
    return text_.is(i - 1, ")") && text_.is(text_.opening(i - 1) - 1, "requires");
  }

  std::size_t skip_attributes(std::size_t i) const {
    for (std::size_t next = i;; i = next) {
      next = text_.skip_attribute(i);
      if (next == i) return i;
    }
  }

  // What may be before `struct`.
  std::size_t skip_leading(std::size_t i) const {
    for (;; ++i) {
      i = skip_attributes(i);
      const bool leads = text_.is_identifier(i) && contains(leading_words, text_.word(i));
      if (!leads && !(text_.is_literal(i) && text_.is(i - 1, "extern"))) return i;
    }
  }

  bool is_class_key(std::size_t i) const {
    return text_.is_identifier(i) && contains(class_keys, text_.word(i));
  }

  // If the declaration that begins at token i defines a class, notes it.
  void read_class(std::size_t i) {
    std::size_t alias = nowhere;  // `using T = struct {`
    if (text_.is(i, "using") && text_.is_identifier(i + 1) && text_.is(i + 2, "=")) {
      alias = i + 1;
      i += 3;
    }
    const std::size_t begin = i;
    i = skip_leading(i);
    if (!is_class_key(i)) return;
    bool is_typedef = false;
    for (std::size_t k = begin; k < i; ++k) is_typedef = is_typedef || text_.is(k, "typedef");
    if (lines_.position(text_.tokens()[i].begin).in_system_header) return;

    const std::string_view key = text_.word(i);
    const std::size_t attributes = i + 1;
    i = skip_attributes(attributes);
    for (std::size_t k = attributes; k < i; ++k) {
      if (text_.is(k, "unavailable") || text_.is(k, "__unavailable__")) return;
    }
    if (text_.is_identifier(i)) {
      const std::size_t after = text_.is(i + 1, "final") ? i + 2 : i + 1;
      if (text_.is_one_of(after, "{:")) classes_.push_back({path_, key, text_.word(i)});
    } else if (text_.is(i, "{")) {
      const std::size_t close = text_.closing(i);
      if (close == nowhere) return;
      const std::size_t after = skip_attributes(close + 1);
      if (alias != nowhere) {
        if (text_.is(after, ";")) classes_.push_back({path_, "", text_.word(alias)});
      } else if (is_typedef && text_.is_identifier(after) && text_.is_one_of(after + 1, ",;")) {
        classes_.push_back({path_, "", text_.word(after)});
      }
    }
  }

  const TokenText& text_;
  const LineMap& lines_;
  std::vector<Namespace> path_;    // where we are
  std::vector<std::size_t> open_;  // for each open brace, the length of the path before it
  std::vector<Class> classes_;
};

// Whether the name of `outer`, looked for in its namespace, is also that of `inner` in an inline
// namespace of that: the compiler would call it ambiguous.
bool is_ambiguous(const Class& outer, const Class& inner) {
  const std::size_t depth = outer.path.size();
  if (outer.name != inner.name || depth >= inner.path.size()) return false;
  for (std::size_t i = 0; i < inner.path.size(); ++i) {
    const Namespace& part = inner.path[i];
    if (i < depth ? part.name != outer.path[i].name : !part.is_inline) return false;
  }
  return true;
}

// The wide vector types that the program itself mentions, as such or as make_...().
std::vector<std::string_view> mentioned_vectors(const TokenText& text, const LineMap& lines) {
  constexpr std::string_view make = "make_";
  std::vector<std::string_view> result;
  for (std::size_t i = 0; i < text.tokens().size(); ++i) {
    std::string_view word = text.word(i);
    if (word.substr(0, make.size()) == make) word.remove_prefix(make.size());
    const bool may_be_one = word.size() > 4 && (word[0] == 'd' || word[0] == 'l' || word[0] == 'u');
    if (may_be_one && contains(wide_vectors, word) &&
        std::find(result.begin(), result.end(), word) == result.end() &&
        !lines.position(text.tokens()[i].begin).in_system_header) {
      result.push_back(word);
    }
  }
  return result;
}

// One array for each unnamed namespace, from within: from outside its classes cannot always be
// named. One for all other classes.
class TypeTable {
 public:
  void add(const Class& type) {
    std::string begin;
    std::string end;
    std::string qualifiers = "::";
    bool is_unnamed = false;
    for (const Namespace& part : type.path) {
      is_unnamed = is_unnamed || part.name.empty();
      begin.append("namespace ").append(part.name).append(part.name.empty() ? "{ " : " { ");
      end += " }";
      qualifiers.append(part.name).append("::");
    }
    std::string name(type.key);
    if (!name.empty()) name += ' ';
    if (!is_unnamed) {
      begin.clear();
      end.clear();
      name += qualifiers;
    }
    name += type.name;

    Array& array = array_at(begin);
    array.end = end;
    // __is_trivially_copyable: a builtin, which needs no header.
    if (!array.types.empty()) array.types += ", ";
    array.types.append("{__is_trivially_copyable(").append(name).append(") ? sizeof(");
    array.types.append(name).append(") : 0, alignof(").append(name).append(")}");
  }

  // `used`, since nothing refers to it; `aligned`, since g++ would align it as it likes, and leave
  // holes in the section.
  std::string text() const {
    std::string result;
    for (const Array& array : arrays_) {
      if (!result.empty()) result += ' ';
      result.append(array.begin);
      result +=
          "static const struct { unsigned long size, alignment; } emulator_types[] "
          "__attribute__((used, aligned(16), section(\"emulator_types\"))) = {";
      result.append(array.types).append("};").append(array.end);
    }
    return result;
  }

 private:
  struct Array {
    std::string begin;
    std::string types;
    std::string end;
  };

  Array& array_at(const std::string& begin) {
    for (Array& array : arrays_) {
      if (array.begin == begin) return array;
    }
    arrays_.push_back({begin, "", ""});
    return arrays_.back();
  }

  std::vector<Array> arrays_;
};

}  // namespace

std::optional<std::string> type_table(const TokenText& text, const LineMap& lines) {
  ClassCollector collector(text, lines);
  if (!collector.run()) return std::nullopt;
  const std::vector<Class>& classes = collector.classes();
  TypeTable table;
  for (const Class& type : classes) {
    const bool ambiguous = std::any_of(classes.begin(), classes.end(), [&](const Class& other) {
      return is_ambiguous(type, other);
    });
    if (!ambiguous) table.add(type);
  }
  for (const std::string_view vector : mentioned_vectors(text, lines)) {
    table.add({{}, "", vector});
  }
  return table.text();
}

}  // namespace emulator::compiler::translate
