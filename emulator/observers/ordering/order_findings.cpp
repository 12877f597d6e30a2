/// \file
/// What is said of two accesses that nothing orders.

#include <algorithm>
#include <string>
#include <utility>

#include "base/arena.hpp"
#include "base/devices/devices.hpp"
#include "base/variables.hpp"
#include "base/words.hpp"
#include "observers/checks/access_words.hpp"
#include "observers/checks/checker.hpp"
#include "observers/checks/finding_text.hpp"
#include "observers/checks/host_findings.hpp"
#include "observers/ordering/ordering.hpp"

namespace emulator::ordering {
namespace {

bool is_by_host(const Place& place) {
  return place.work == Work::host || (place.work == Work::free && place.actor == place.issuer);
}

// `a kernel`
std::string who(Work work) {
  switch (work) {
    case Work::host:
      return "the host";
    case Work::host_function:
      return "a host function";
    case Work::kernel:
      return "a kernel";
    case Work::copy:
      return "a copy";
    case Work::set:
      return "a call of cudaMemset";
    case Work::library:
      return "a library's call";
    case Work::condition:
      return "a conditional node";
    case Work::allocation:
      return "an allocation";
    case Work::free:
      return "a call that frees memory";
  }
  return "";
}

// `the launch of fill`, after "after" or "before"
std::string the(const Place& place) {
  switch (place.work) {
    case Work::kernel:
      return std::string("the launch of ") + place.name;
    case Work::copy:
      return "the copy";
    case Work::allocation:
      return "the allocation";
    case Work::host_function:
      return "the host function";
    case Work::condition:
      return "the conditional node";
    case Work::free:
      return "the memory is freed";
    default:
      return std::string("the call of ") + place.name;
  }
}

// What it does to the memory, while the other one may be at it.
std::string does(const Side& side) {
  if (side.place.work == Work::allocation) return "allocates";
  if (side.place.work == Work::free) return "frees";
  return side.writes ? "writes" : "reads";
}

std::string may_still(const Side& side) {
  return side.writes ? "may still be writing" : "may still be reading";
}

bool is_free(const Side& side) {
  return side.place.work == Work::free;
}

bool are_nodes(const Side& first, const Side& second) {
  return first.place.blocks == Blocks::beside && second.place.blocks == Blocks::beside;
}

std::string event_of(const Side& side) {
  const std::string verb = side.writes ? "written" : "read";
  switch (side.place.work) {
    case Work::allocation:
      return "allocated here";
    case Work::free:
      return std::string("freed here by ") + side.place.name;
    case Work::host:
      return verb + " here by the host";
    case Work::host_function:
      return verb + " here by a host function";
    case Work::condition:
      return verb + " here by a conditional node";
    case Work::kernel:
      return verb + " here by the kernel " + side.place.name;
    case Work::library:
      return side.place.pc != 0 ? verb + " here" : verb + " here by " + side.place.name;
    default:
      return std::string(side.writes ? "written here by " : "read here by ") + side.place.name;
  }
}

std::string asked_for(const Place& place) {
  return place.work == Work::kernel ? std::string(place.name) + " launched here" : "issued here";
}

void add_side(std::vector<FindingPlace>& places, const Side& side, const CallStack& stack) {
  Finding one;
  if (side.place.pc != 0 && side.place.work != Work::host) {
    one.others.push_back(place_at(side.place.pc, event_of(side)));
    add_other(one, stack, asked_for(side.place));
  } else {
    add_other(one, stack, event_of(side));
    if (one.others.empty()) one.others.push_back({"", 0, event_of(side)});
  }
  places.insert(places.end(), one.others.begin(), one.others.end());
}

void put_memory(Finding& finding, std::uintptr_t address, unsigned bytes) {
  // NOLINTNEXTLINE(performance-no-int-to-ptr): an address is what was noted
  if (const auto allocation = lookup(reinterpret_cast<const void*>(address))) {
    finding.memory = describe(*allocation);
    finding.bytes = allocation->size;
    finding.offset = static_cast<std::int64_t>(address - allocation->base);
  } else if (const auto variable = find_data_variable(address)) {
    finding.memory = "variable `" + variable->name + "`, " + counted_bytes(variable->bytes);
    finding.bytes = variable->bytes;
    finding.offset = static_cast<std::int64_t>(address - variable->begin);
  }
  finding.access_bytes = bytes;
}

std::string wait_of_host(const Side& work) {
  if (work.place.blocks != Blocks::is_legacy) return "cudaStreamSynchronize(stream)";
  if (device_count() == 1) return "cudaDeviceSynchronize()";
  return "cudaDeviceSynchronize() with device " + std::to_string(work.place.device) + " in use";
}

// Where the other one of two pieces of work is.
const char* elsewhere(const Side& first, const Side& second) {
  if (first.place.device != second.place.device) return " on another device ";
  return are_nodes(first, second) ? " in another branch of a graph " : " in another stream ";
}

// Two devices tell each other something, and not so that it arrives.
void describe_scope(Finding& finding, Wrong wrong) {
  finding.kind = "narrow-scope";
  if (wrong == Wrong::scope) {
    finding.what =
        "kernels on two devices use the same word, and one of them by an atomic operation that is "
        "atomic for its own device only, and not for the other";
    finding.remedy =
        "use the function for the whole system, atomicAdd_system() for example, or an atomic of "
        "cuda::thread_scope_system";
    return;
  }
  finding.what =
      "a kernel tells another device by a flag of what it has written, and no fence for the whole "
      "system is between the two: the other device may see the flag first";
  finding.remedy =
      "call __threadfence_system() between the data and the flag (__threadfence() is for the own "
      "device only), or store the flag with memory_order_release in cuda::thread_scope_system";
}

}  // namespace

std::string sentence_of(const Side& first, const Side& second) {
  const std::string nothing_orders = ", and nothing orders the two";
  if (is_free(second) || is_free(first)) {
    const Side& use = is_free(second) ? first : second;
    const Side& end = is_free(second) ? second : first;
    return std::string(end.place.name) + " frees memory that " + who(use.place.work) + " " +
           may_still(use) + nothing_orders;
  }
  if (is_by_host(first.place)) {
    return "two host threads use the same memory, and at least one of them writes" + nothing_orders;
  }
  if (second.place.work == Work::host) {
    const std::string verb = second.writes ? "the host writes " : "the host reads ";
    return verb + "memory that " + who(first.place.work) + " " + may_still(first) +
           ": nothing makes it wait";
  }
  if (first.place.work == Work::allocation) {
    return who(second.place.work) + " uses memory that another stream allocates" + nothing_orders;
  }
  return who(second.place.work) + " " + does(second) + " memory that " + who(first.place.work) +
         elsewhere(first, second) + (first.writes ? "writes" : "reads") + nothing_orders;
}

std::string remedy_of(const Side& first, const Side& second) {
  const bool one_thread = first.place.issuer == second.place.issuer;
  if (is_by_host(first.place)) {
    return "let one thread wait for the other before it uses the memory: join() it, or hand over "
           "with a mutex, a condition variable or an atomic";
  }
  if (is_by_host(second.place)) {
    const std::string what = second.place.work == Work::free
                                 ? std::string(second.place.name) + "()"
                                 : std::string("the host ") + (second.writes ? "writes" : "reads");
    const std::string wait =
        "call " + wait_of_host(first) + " after " + the(first.place) + " and before " + what;
    if (one_thread) return wait;
    return wait +
           ": in the thread that issued the work, and then let the other thread wait for that one";
  }
  if (!one_thread) {
    return "two host threads issue the two: let one of them call cudaEventRecord(event, stream) "
           "after " +
           the(first.place) +
           ", tell the other (join(), a mutex, an atomic), and let that one call "
           "cudaStreamWaitEvent(its stream, event) before " +
           the(second.place);
  }
  const bool lost_default =
      (first.place.blocks == Blocks::is_legacy && second.place.blocks == Blocks::non_blocking) ||
      (first.place.blocks == Blocks::non_blocking && second.place.blocks == Blocks::is_legacy);
  const std::string events = "call cudaEventRecord(event, stream) after " + the(first.place) +
                             " and cudaStreamWaitEvent(other, event) before " + the(second.place);
  if (lost_default) {
    return "a stream made with cudaStreamNonBlocking and the default stream do not wait for each "
           "other: " +
           events + ", or issue both to one stream";
  }
  if (are_nodes(first, second)) {
    return "if streams are captured, or there are two graphs, " + events +
           "; in a graph that is built node by node put an edge between the two "
           "(cudaGraphAddDependencies(), or among the dependencies of the one that is added)";
  }
  return events + ", or issue both to one stream";
}

// Which of the two is named first does not depend on which was done first, but on what was asked
// for first; of two host threads the one that began later is the guilty one. The host's own access
// is the guilty one: it is there that a wait is missing.
Finding Ordering::describe(const Conflict& conflict) const {
  Side first{places_[conflict.earlier.place], conflict.earlier.ticket, conflict.earlier_writes};
  Side second{places_[conflict.later.place], conflict.later.ticket, conflict.later_writes};
  const auto rank = [](const Side& side) {
    const bool by_host = is_by_host(side.place);
    return std::tuple(by_host, side.place.issuer, side.ticket, side.place);
  };
  const bool is_swapped = rank(second) < rank(first);
  const Side& one = is_swapped ? second : first;
  const Side& other = is_swapped ? first : second;

  Finding finding;
  finding.kind = is_free(one) || is_free(other) ? "freed-in-use" : "unordered";
  finding.what = sentence_of(one, other);
  finding.remedy = remedy_of(one, other);
  if (conflict.wrong != Wrong::order) describe_scope(finding, conflict.wrong);
  std::vector<FindingPlace> places;
  add_side(places, other, stack_of(other.place.stack));
  add_side(places, one, stack_of(one.place.stack));
  finding.place = places.front();
  finding.others.assign(places.begin() + 1, places.end());
  put_memory(finding, conflict.address, conflict.bytes);
  return finding;
}

void Ordering::report(const Conflict& conflict) {
  auto places = std::minmax(conflict.earlier.place, conflict.later.place);
  Reported& reported = reported_[{places.first, places.second}];
  if (reported.described == most_described) return count_finding(reported.latest);
  ++reported.described;
  reported.latest = add_finding(describe(conflict));
  has_found_ = true;
}

}  // namespace emulator::ordering
