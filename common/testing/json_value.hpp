/// @file
/// A value read from a JSON file, for tests. The library that reads it takes seconds to compile, so
/// tests do without its header.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>
#include <string>

namespace course::testing {

/// A value; null where there is none. Keeps the whole document alive.
class JsonValue {
 public:
  JsonValue() = default;
  /// Reads a text; null if it is not JSON.
  static JsonValue parse(const std::string& text);

  JsonValue operator[](const std::string& name) const;
  JsonValue operator[](const char* name) const { return (*this)[std::string(name)]; }
  JsonValue operator[](std::size_t index) const;
  JsonValue operator[](int index) const { return (*this)[static_cast<std::size_t>(index)]; }
  bool contains(const std::string& name) const;
  /// Elements of an array, or members of an object.
  std::size_t size() const;

  bool is_null() const;
  bool is_number() const;
  bool is_object() const;
  /// The number, or 0.
  double number() const;
  /// A whole number, or 0.
  long whole() const { return static_cast<long>(number()); }
  /// The text, or an empty one.
  std::string text() const;

  friend bool operator==(const JsonValue& a, const JsonValue& b);
  friend bool operator==(const JsonValue& a, bool b);
  friend bool operator==(const JsonValue& a, const char* b) { return a.is_text(b); }
  friend bool operator==(const JsonValue& a, const std::string& b) { return a.is_text(b); }
  friend bool operator==(const JsonValue& a, double b) { return a.is_number() && a.number() == b; }
  friend bool operator==(const JsonValue& a, int b) { return a == static_cast<double>(b); }
  friend bool operator==(const JsonValue& a, long b) { return a == static_cast<double>(b); }
  friend bool operator==(const JsonValue& a, unsigned long b) {
    return a == static_cast<double>(b);
  }
  friend bool operator>(const JsonValue& a, double b) { return a.is_number() && a.number() > b; }
  friend bool operator>=(const JsonValue& a, double b) { return a.is_number() && a.number() >= b; }
  friend std::ostream& operator<<(std::ostream& stream, const JsonValue& value);

  /// The elements of an array, one after the other.
  class Iterator {
   public:
    Iterator(const JsonValue* array, std::size_t at) : array_(array), at_(at) {}
    JsonValue operator*() const { return (*array_)[at_]; }
    Iterator& operator++() {
      ++at_;
      return *this;
    }
    bool operator!=(const Iterator& other) const { return at_ != other.at_; }

   private:
    const JsonValue* array_;
    std::size_t at_;
  };
  Iterator begin() const { return {this, 0}; }
  Iterator end() const { return {this, size()}; }

 private:
  bool is_text(const std::string& text) const;

  std::shared_ptr<const void> value_;  // of the library's type
};

}  // namespace course::testing
