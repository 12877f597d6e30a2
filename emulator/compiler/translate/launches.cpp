// Launches: kernel<<<grid, block>>>(arguments).

#include <string>
#include <string_view>
#include <utility>

#include "compiler/translate/translator.hpp"

namespace emulator::compiler::translate {
namespace {

using text::nowhere;

// Goes to the lambda that a launch becomes: no instrumentation. (g++ 11 has no word for the
// second.)
constexpr std::string_view unseen =
    "__attribute__((no_sanitize(\"thread\"), no_sanitize_coverage))";

}  // namespace

// `<<<`. A launch becomes
//
//     ::emulator::launch_with("k", ::emulator::Configuration(CONFIGURATION),
//         [&](auto&... emulator_arguments) UNSEEN
//             -> decltype(static_cast<void>((k<T>)(emulator_arguments...))) {
//           (k<T>)(emulator_arguments...);
//         })(ARGUMENTS)
//
// one postfix expression for another, so that it can be wherever the launch was. The lambda
// is generic because only the call says which overload or instance of a kernel is meant; its
// trailing return type lets the runtime ask whether arguments fit. UNSEEN, its attributes, keeps
// it out of the counts, and the kernel, which is not UNSEEN, from being inlined. The parentheses
// around the kernel keep g++ from putting off its look-up until the arguments are known: a
// misspelt name is an error where it is. The configuration and the arguments stay in place,
// so launches inside them get their turn by themselves. A kernel that has to be worked
// out, as `kernels.at(i)` has, is so once, by the host, and so is one that a function has been
// given as a parameter: the lambda begins
//
//         ::emulator::chosen([&, emulator_kernel = kernels.at(i)]
//
// and calls that. So it holds nothing but a pointer to the kernel, and can wait in a stream. If the
// kernel has __launch_bounds__, `.bounded()` follows, by which the runtime asks for them; if one of
// its parameters may have a destructor, or the kernel is a variable, `.of(k<T>)`.
void Translator::begin_launch(std::size_t open) {
  const std::size_t begin = kernel_begin(open);
  if (begin == nowhere) fail(open, "'<<<' without a kernel's name before it");
  const std::size_t close = configuration_end(open);
  if (close == nowhere) fail(open, "'<<<' without a matching '>>>('");
  const bool is_variable = begin + 1 == open && is_parameter(begin);
  Launch launch{on_one_line(begin, open),
                begin,
                close,
                is_variable || kernel_is_computed(begin, open),
                is_bounded(begin, open),
                is_variable || has_objects(begin, open)};
  const std::string_view original =
      text_.substr(tokens_[begin].begin, tokens_[open].begin - tokens_[begin].begin);
  for (std::size_t i = begin; i < open; ++i) {
    if (is(i, "<<<")) fail(i, "a launch inside the expression that names a kernel");
  }
  output_.resize(output_begins_[begin]);
  resume_at(tokens_[begin].begin, Origin::generated);
  output_.append("::emulator::launch_with(").append(quoted_name(begin, open));
  output_.append(", ::emulator::Configuration(");
  if (!resume_at(tokens_[open].end, Origin::user)) keep_line_breaks(original);
  copied_ = tokens_[open].end;
  launches_.push_back(std::move(launch));
}

// `>>>`
void Translator::finish_launch() {
  const Launch launch = std::move(launches_.back());
  launches_.pop_back();
  const std::size_t kernel_at = tokens_[launch.kernel_begin].begin;
  resume_at(tokens_[launch.close].begin, Origin::generated);
  const auto append_kernel = [&] {
    resume_at(kernel_at, Origin::generated);
    output_ += launch.kernel;
  };
  output_ += launch.computed ? "), ::emulator::chosen([&" : "), [&";
  if (launch.computed) {
    output_ += ", emulator_kernel = ";
    append_kernel();
  }
  output_.append("](auto&... emulator_arguments) ").append(unseen);
  if (g_plus_plus_fails(launch)) {
    output_ += " -> void { (";
  } else {
    output_ += " -> decltype(static_cast<void>((";
    append_kernel();
    output_ += ")(emulator_arguments...))) { (";
  }
  if (launch.computed) {
    output_ += "emulator_kernel";
  } else {
    append_kernel();
  }
  output_ += launch.computed ? ")(emulator_arguments...); }))" : ")(emulator_arguments...); })";
  if (launch.bounded && !launch.computed) output_ += ".bounded()";
  if (launch.has_objects) {
    output_ += ".of(";
    append_kernel();
    output_ += ")";
  }
  if (has_braced_argument(launch.close + 3)) {
    // Only the kernel's parameters say what such an argument is.
    output_ += launch.computed ? ".typed(static_cast<decltype(+(" : ".typed(";
    append_kernel();
    output_ += launch.computed ? "))>(nullptr))" : ")";
  }
  copied_ = tokens_[launch.close + 2].end;
  resume_at(copied_, Origin::user);
}

// Whether `ns::k<T>` names a kernel whose definition begins by telling its bound.
bool Translator::is_bounded(std::size_t begin, std::size_t open) const {
  std::size_t name = begin;
  while (name < open && !is(name, "<")) ++name;
  return name > begin && bounds_.bounded.contains(word(name - 1));
}

// Whether `ns::k<T>` is all that names a kernel, one of whose parameters may be an object.
bool Translator::has_objects(std::size_t begin, std::size_t open) const {
  std::size_t name = begin;
  while (name < open && !is(name, "<")) ++name;
  const auto kernel = name > begin ? object_kernels_.find(word(name - 1)) : object_kernels_.end();
  return kernel != object_kernels_.end() &&
         kernel->second == count_template_arguments(*this, name, open);
}

// Whether the lambda does without its trailing return type. g++ 13 cannot read one that names a
// constant of a lambda around it, `[&](auto size) { k<size.value><<<...>>>(p); }`: it says that
// no arguments fit, or breaks down. Then g++ itself says of a wrong argument that it is wrong;
// only an integer that stands for a null pointer needs the runtime's question.
bool Translator::g_plus_plus_fails(const Launch& launch) const {
  const std::size_t open = launch.close + 3;
  const std::size_t close = closing(open);
  if (launch.computed || launch.kernel.find('<') == std::string::npos || close == nowhere) {
    return false;
  }
  for (std::size_t i = open; i < close; ++i) {
    if (is(i, "0") || is(i, "NULL") || is(i, "__null")) return false;
  }
  return stands_in_lambda(launch.kernel_begin);
}

// Whether one of the braces around token i is a lambda's body: `](...) {`, `] {`, `] mutable {`.
bool Translator::stands_in_lambda(std::size_t i) const {
  std::size_t depth = 0;
  while (i-- > 0) {
    if (is(i, "}")) ++depth;
    if (!is(i, "{")) continue;
    if (depth > 0) {
      --depth;
      continue;
    }
    std::size_t head = i;  // back to the declaration's begin, or to the lambda's captures
    for (std::size_t parentheses = 0; head > 0; --head) {
      const std::size_t before = head - 1;
      if (is(before, ")")) ++parentheses;
      if (is(before, "(") && parentheses-- == 0) break;
      if (parentheses > 0) continue;
      if (is(before, "]")) return true;
      if (is_one_of(before, ";{}")) break;
    }
  }
  return false;
}

// `(p, {1, 2})`, from the bracket at token i on
bool Translator::has_braced_argument(std::size_t i) const {
  const std::size_t close = closing(i);
  for (; close != nowhere && i < close; ++i) {
    if (is(i + 1, "{") && is_one_of(i, "(,")) return true;
    if (opens(i + 1)) i = closing(i + 1);
  }
  return false;
}

}  // namespace emulator::compiler::translate
