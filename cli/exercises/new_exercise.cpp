#include "exercises/new_exercise.hpp"

#include "host/process.hpp"
#include "picture.hpp"

namespace course::tool {

int new_exercise_command(const Checkout& checkout, const std::string& id, const std::string& name) {
  require_python("new-exercise");
  const std::string script = (checkout.source_dir / "tools/exercises/new_exercise.py").string();
  return run_in_foreground({"python3", "-B", script, checkout.build_dir.string(), id, name});
}

}  // namespace course::tool
