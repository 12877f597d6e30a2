#pragma once

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compiler/ptx/code.hpp"

/// \file
/// What an instruction of PTX may name: operands of the asm statement, registers that the text
/// declares, special registers, numbers, and addresses made of these; each as C++.

namespace emulator::compiler::ptx {

class SymbolTable {
 public:
  /// \param prefix of all names, which no other statement has
  SymbolTable(const Statement& statement, std::string prefix);

  /// C++ before the statement, which declares all variables, and after it, which writes results.
  const std::string& prologue() const { return prologue_; }
  const std::string& epilogue() const { return epilogue_; }

  /// A brace of the text: registers that are declared after it end with the one that closes.
  void open_scope() { scopes_.emplace_back(); }
  void close_scope();
  /// `.reg`, without that word: `.b32 a, b<4>`.
  void declare_registers(std::string_view text);

  /// What an operand is worth, as a value of the wanted type (`n`: a constant).
  /// \param wider whether a larger register may be there
  std::string value(std::string_view text, std::string_view wanted, bool wider = false) const;

  /// `[%1 + 16]` as a pointer. Those of shared memory may have 32 bits.
  std::string address(std::string_view text, bool is_shared) const;

  /// An assignment to an operand. `_` takes anything.
  std::string assign(std::string_view target, std::string_view type, const std::string& expression,
                     bool wider = false) const;

  /// A pointer to the variable of the statement that an operand stands for, which is written later.
  std::string output_pointer(std::string_view target, std::string_view type) const;

  /// The name in C++ of the carry of additions and subtractions.
  std::string carry();

 private:
  struct Symbol {
    std::string name;  // in C++
    std::string type;  // of PTX; n: a constant
    bool is_output = false;
    std::string expression{};  // that the statement has for it
  };

  void declare(const Operand& operand, bool is_output);
  void declare_register(const std::string& name, const std::string& type);
  std::optional<Symbol> variable(std::string_view text) const;

  std::string prefix_;
  std::vector<Symbol> operands_;
  std::map<std::string, std::size_t> named_;
  std::vector<std::map<std::string, Symbol>> scopes_{1};
  std::size_t registers_ = 0;
  bool has_carry_ = false;
  std::string prologue_;
  std::string epilogue_;
};

}  // namespace emulator::compiler::ptx
