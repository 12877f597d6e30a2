#pragma once
#pragma GCC system_header
/// \file
/// NVTX for C++: ranges, marks, categories, colors and payloads. Without a profiler they do
/// nothing, here as with NVIDIA's header; what they hold can be asked for.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <type_traits>

#include "nvtx3/nvToolsExt.h"

#define NVTX3_CPP_INLINED_VERSION_MAJOR 1
#define NVTX3_CPP_INLINED_VERSION_MINOR 0

namespace nvtx3 {
inline namespace v1 {

/// A name space of ranges and marks: `get<D>()` is that of a type with a constant `name`.
class domain {
 public:
  struct global {};

  domain(const domain&) = delete;
  domain& operator=(const domain&) = delete;

  template <class D = global>
  [[nodiscard]] static const domain& get() noexcept {
    static_assert(std::is_same_v<D, global> || has_text<D>,
                  "the type of an NVTX domain needs a static member 'name', a C string");
    static const domain it;
    return it;
  }
  operator nvtxDomainHandle_t() const noexcept { return nullptr; }

 private:
  template <class D, class = void>
  struct HasText : std::false_type {};
  template <class D>
  struct HasText<D, std::void_t<decltype(D::name)>>
      : std::bool_constant<std::is_convertible_v<decltype(D::name), const char*> ||
                           std::is_convertible_v<decltype(D::name), const wchar_t*>> {};
  template <class D>
  static constexpr bool has_text = HasText<D>::value;

  constexpr domain() noexcept = default;
};

struct rgb {
  using component_type = std::uint8_t;
  constexpr rgb(component_type red_, component_type green_, component_type blue_) noexcept
      : red(red_), green(green_), blue(blue_) {}
  component_type red, green, blue;
};
struct argb final : rgb {
  constexpr argb(component_type alpha_, component_type red_, component_type green_,
                 component_type blue_) noexcept
      : rgb(red_, green_, blue_), alpha(alpha_) {}
  component_type alpha;
};

class color {
 public:
  using value_type = std::uint32_t;
  constexpr explicit color(value_type hex_code) noexcept : value_(hex_code) {}
  constexpr color(argb c) noexcept : color(value_of(c.alpha, c)) {}
  constexpr color(rgb c) noexcept : color(value_of(0xFF, c)) {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxColorType_t get_type() const noexcept { return NVTX_COLOR_ARGB; }

 private:
  static constexpr value_type value_of(value_type alpha, rgb c) noexcept {
    return alpha << 24 | value_type{c.red} << 16 | value_type{c.green} << 8 | value_type{c.blue};
  }
  value_type value_;
};

class category {
 public:
  using id_type = std::uint32_t;
  constexpr explicit category(id_type id) noexcept : id_(id) {}
  constexpr id_type get_id() const noexcept { return id_; }

 private:
  id_type id_;
};

/// A category with a name: `get<C>()` is that of a type with constants `id` and `name`.
template <class D = domain::global>
class named_category_in final : public category {
 public:
  template <class C>
  [[nodiscard]] static const named_category_in& get() noexcept {
    static const named_category_in it(C::id, C::name);
    return it;
  }
  named_category_in(id_type id, const char*) noexcept : category(id) {}
  named_category_in(id_type id, const wchar_t*) noexcept : category(id) {}
};
using named_category = named_category_in<>;

/// A text that is registered once: `get<M>()` is that of a type with a constant `message`.
template <class D = domain::global>
class registered_string_in {
 public:
  template <class M>
  [[nodiscard]] static const registered_string_in& get() noexcept {
    static const registered_string_in it(M::message);
    return it;
  }
  explicit registered_string_in(const char*) noexcept {}
  explicit registered_string_in(const std::string&) noexcept {}
  explicit registered_string_in(const wchar_t*) noexcept {}
  explicit registered_string_in(const std::wstring&) noexcept {}
  nvtxStringHandle_t get_handle() const noexcept { return nullptr; }
};
using registered_string = registered_string_in<>;

class message {
 public:
  using value_type = nvtxMessageValue_t;
  constexpr message(const char* text) noexcept : type_(NVTX_MESSAGE_TYPE_ASCII) {
    value_.ascii = text;
  }
  constexpr message(const wchar_t* text) noexcept : type_(NVTX_MESSAGE_TYPE_UNICODE) {
    value_.unicode = text;
  }
  message(const std::string& text) noexcept : message(text.c_str()) {}
  message(const std::wstring& text) noexcept : message(text.c_str()) {}
  message(std::string&&) = delete;
  message(std::wstring&&) = delete;
  constexpr message(nvtxStringHandle_t handle) noexcept : type_(NVTX_MESSAGE_TYPE_REGISTERED) {
    value_.registered = handle;
  }
  template <class D>
  constexpr message(const registered_string_in<D>& text) noexcept : message(text.get_handle()) {}
  constexpr message(nvtxMessageType_t type, value_type value) noexcept
      : type_(type), value_(value) {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxMessageType_t get_type() const noexcept { return type_; }

 private:
  nvtxMessageType_t type_;
  value_type value_{};
};

class payload {
 public:
  using value_type = nvtxEventAttributes_v2::payload_t;
  constexpr explicit payload(std::int64_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_INT64) {
    value_.llValue = value;
  }
  constexpr explicit payload(std::int32_t value) noexcept : type_(NVTX_PAYLOAD_TYPE_INT32) {
    value_.iValue = value;
  }
  constexpr explicit payload(std::uint64_t value) noexcept
      : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT64) {
    value_.ullValue = value;
  }
  constexpr explicit payload(std::uint32_t value) noexcept
      : type_(NVTX_PAYLOAD_TYPE_UNSIGNED_INT32) {
    value_.uiValue = value;
  }
  constexpr explicit payload(float value) noexcept : type_(NVTX_PAYLOAD_TYPE_FLOAT) {
    value_.fValue = value;
  }
  constexpr explicit payload(double value) noexcept : type_(NVTX_PAYLOAD_TYPE_DOUBLE) {
    value_.dValue = value;
  }
  constexpr payload(nvtxPayloadType_t type, value_type value) noexcept
      : type_(type), value_(value) {}
  constexpr value_type get_value() const noexcept { return value_; }
  constexpr nvtxPayloadType_t get_type() const noexcept { return type_; }

 private:
  nvtxPayloadType_t type_;
  value_type value_{};
};

/// The attributes of a range or a mark: a message, a category, a color and a payload, in any order;
/// of two of a kind the first.
class event_attributes {
 public:
  using value_type = nvtxEventAttributes_t;
  constexpr event_attributes() noexcept {
    attributes_.version = NVTX_VERSION;
    attributes_.size = sizeof(value_type);
  }
  template <class... Others>
  constexpr explicit event_attributes(const category& c, const Others&... others) noexcept
      : event_attributes(others...) {
    attributes_.category = c.get_id();
  }
  template <class... Others>
  constexpr explicit event_attributes(const color& c, const Others&... others) noexcept
      : event_attributes(others...) {
    attributes_.color = c.get_value();
    attributes_.colorType = c.get_type();
  }
  template <class... Others>
  constexpr explicit event_attributes(const payload& p, const Others&... others) noexcept
      : event_attributes(others...) {
    attributes_.payload = p.get_value();
    attributes_.payloadType = p.get_type();
  }
  template <class... Others>
  constexpr explicit event_attributes(const message& m, const Others&... others) noexcept
      : event_attributes(others...) {
    attributes_.message = m.get_value();
    attributes_.messageType = m.get_type();
  }
  constexpr const value_type* get() const noexcept { return &attributes_; }

 private:
  value_type attributes_{};
};

/// A range from its beginning to the end of the scope.
template <class D = domain::global>
class [[maybe_unused]] scoped_range_in {
 public:
  explicit scoped_range_in(const event_attributes&) noexcept { (void)domain::get<D>(); }
  template <class... Attributes>
  explicit scoped_range_in(const Attributes&... attributes) noexcept
      : scoped_range_in(event_attributes{attributes...}) {}
  scoped_range_in() noexcept : scoped_range_in(event_attributes{}) {}
  ~scoped_range_in() noexcept {}
  void* operator new(std::size_t) = delete;
  scoped_range_in(const scoped_range_in&) = delete;
  scoped_range_in& operator=(const scoped_range_in&) = delete;
};
using scoped_range = scoped_range_in<>;

class range_handle {
 public:
  using value_type = nvtxRangeId_t;
  constexpr range_handle() noexcept = default;
  constexpr explicit range_handle(value_type id) noexcept : id_(id) {}
  constexpr range_handle(std::nullptr_t) noexcept {}
  constexpr explicit operator bool() const noexcept { return id_ != 0; }
  constexpr value_type get_value() const noexcept { return id_; }
  friend constexpr bool operator==(range_handle a, range_handle b) noexcept {
    return a.id_ == b.id_;
  }
  friend constexpr bool operator!=(range_handle a, range_handle b) noexcept { return !(a == b); }

 private:
  value_type id_ = 0;
};

template <class D = domain::global>
[[nodiscard]] range_handle start_range_in(const event_attributes&) noexcept {
  (void)domain::get<D>();
  return {};
}
template <class D = domain::global, class... Attributes>
[[nodiscard]] range_handle start_range_in(const Attributes&... attributes) noexcept {
  return start_range_in<D>(event_attributes{attributes...});
}
template <class... Attributes>
[[nodiscard]] range_handle start_range(const Attributes&... attributes) noexcept {
  return start_range_in<domain::global>(attributes...);
}
template <class D = domain::global>
void end_range_in(range_handle) noexcept {}
inline void end_range(range_handle) noexcept {}

/// A range that ends with its owner, in any thread.
template <class D = domain::global>
class [[maybe_unused]] unique_range_in {
 public:
  explicit unique_range_in(const event_attributes& attributes) noexcept
      : handle_(start_range_in<D>(attributes)) {}
  template <class... Attributes>
  explicit unique_range_in(const Attributes&... attributes) noexcept
      : unique_range_in(event_attributes{attributes...}) {}
  unique_range_in() noexcept : unique_range_in(event_attributes{}) {}

 private:
  struct End {
    using pointer = range_handle;
    void operator()(range_handle range) const noexcept { end_range_in<D>(range); }
  };
  std::unique_ptr<range_handle, End> handle_;
};
using unique_range = unique_range_in<>;

template <class D = domain::global>
void mark_in(const event_attributes&) noexcept {
  (void)domain::get<D>();
}
template <class D = domain::global, class... Attributes>
void mark_in(const Attributes&... attributes) noexcept {
  mark_in<D>(event_attributes{attributes...});
}
template <class... Attributes>
void mark(const Attributes&... attributes) noexcept {
  mark_in<domain::global>(attributes...);
}

}  // namespace v1
}  // namespace nvtx3

#define NVTX3_V1_FUNC_RANGE_IN(D)                       \
  const ::nvtx3::v1::scoped_range_in<D> nvtx3_range__ { \
    ::nvtx3::v1::message(__func__)                      \
  }
#define NVTX3_V1_FUNC_RANGE_IF_IN(D, C) (void)(::nvtx3::v1::domain::get<D>(), (C))
#define NVTX3_V1_FUNC_RANGE() NVTX3_V1_FUNC_RANGE_IN(::nvtx3::v1::domain::global)
#define NVTX3_V1_FUNC_RANGE_IF(C) NVTX3_V1_FUNC_RANGE_IF_IN(::nvtx3::v1::domain::global, C)
#define NVTX3_FUNC_RANGE NVTX3_V1_FUNC_RANGE
#define NVTX3_FUNC_RANGE_IF NVTX3_V1_FUNC_RANGE_IF
#define NVTX3_FUNC_RANGE_IN NVTX3_V1_FUNC_RANGE_IN
#define NVTX3_FUNC_RANGE_IF_IN NVTX3_V1_FUNC_RANGE_IF_IN
