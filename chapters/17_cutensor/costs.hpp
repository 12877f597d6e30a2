// Chapter 17, last lesson: what a plan costs, and what it does with more workspace or less.
#pragma once

#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "contraction.hpp"

struct Limit {
  const char* name;
  WorkspaceLimit workspace;
};
constexpr Limit limits[] = {{"none", WorkspaceLimit::none},
                            {"default", WorkspaceLimit::by_default},
                            {"most", WorkspaceLimit::most}};

// One step before a call, which a program may repeat by mistake for each call.
struct Step {
  std::string name;
  std::function<void()> run;
};

inline std::vector<Step> steps_before_a_call(const Library& library, const Contraction& c,
                                             const UniqueOperation& operation) {
  std::vector<Step> steps = {{"describe", [&library, c] { Descriptor(library, c.tensor_a()); }},
                             {"plan again", [&] { Plan(library, operation); }}};
  for (const Limit& limit : limits) {
    steps.push_back({std::string("plan, ") + limit.name, [&, workspace = limit.workspace] {
                       Plan(library, operation, workspace, false);
                     }});
  }
  return steps;
}
