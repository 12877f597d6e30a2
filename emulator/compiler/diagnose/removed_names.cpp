#include "compiler/diagnose/removed_names.hpp"

#include <algorithm>
#include <cctype>
#include <cstddef>
#include <set>
#include <utility>

#include "compiler/text/cuda_text.hpp"
#include "compiler/text/line_map.hpp"

namespace emulator::compiler::diagnose {
namespace {

using text::CudaText;
using text::lex;
using text::LexedText;
using text::LineMap;
using text::Position;
using text::unquoted;

enum class NameKind {
  function,
  member,  // of cudaDeviceProp
  type,    // a template
  constant,
  old_form,  // the name is still there, but takes other arguments
  warp       // a function for architectures before Volta only
};

struct RemovedName {
  std::string_view name;
  int last;  // the last version that has it
  NameKind kind;
  std::string_view instead;
};

// From a comparison of the headers of CUDA 11.8, 12.9 and 13.0.
// clang-format off
constexpr RemovedName removed_names[] = {
    {"cudaThreadSynchronize", 12, NameKind::function, "cudaDeviceSynchronize()"},
    {"cudaThreadExit", 12, NameKind::function, "cudaDeviceReset()"},
    {"cudaThreadSetLimit", 12, NameKind::function, "cudaDeviceSetLimit()"},
    {"cudaThreadGetLimit", 12, NameKind::function, "cudaDeviceGetLimit()"},
    {"cudaThreadSetCacheConfig", 12, NameKind::function, "cudaDeviceSetCacheConfig()"},
    {"cudaThreadGetCacheConfig", 12, NameKind::function, "cudaDeviceGetCacheConfig()"},
    {"cudaSetDoubleForDevice", 12, NameKind::function, "nothing: every device has double precision"},
    {"cudaSetDoubleForHost", 12, NameKind::function, "nothing: every device has double precision"},
    {"cudaLaunchCooperativeKernelMultiDevice", 12, NameKind::function, "cudaLaunchCooperativeKernel() on each device"},
    {"cudaMemPrefetchAsync_v2", 12, NameKind::function, "cudaMemPrefetchAsync()"},
    {"cudaMemAdvise_v2", 12, NameKind::function, "cudaMemAdvise()"},
    {"cudaEventElapsedTime_v2", 12, NameKind::function, "cudaEventElapsedTime()"},
    {"cudaMemPrefetchAsync", 12, NameKind::old_form, "a cudaMemLocation and flags in place of the device's number"},
    {"cudaMemAdvise", 12, NameKind::old_form, "a cudaMemLocation in place of the device's number"},

    {"__shfl", 12, NameKind::warp, "__shfl_sync(), with the mask of the lanes that take part"},
    {"__shfl_up", 12, NameKind::warp, "__shfl_up_sync(), with the mask of the lanes that take part"},
    {"__shfl_down", 12, NameKind::warp, "__shfl_down_sync(), with the mask of the lanes that take part"},
    {"__shfl_xor", 12, NameKind::warp, "__shfl_xor_sync(), with the mask of the lanes that take part"},
    {"__ballot", 12, NameKind::warp, "__ballot_sync(), with the mask of the lanes that take part"},
    {"__any", 12, NameKind::warp, "__any_sync(), with the mask of the lanes that take part"},
    {"__all", 12, NameKind::warp, "__all_sync(), with the mask of the lanes that take part"},

    {"clockRate", 12, NameKind::member, "cudaDeviceGetAttribute() with cudaDevAttrClockRate"},
    {"deviceOverlap", 12, NameKind::member, "asyncEngineCount"},
    {"kernelExecTimeoutEnabled", 12, NameKind::member, "cudaDeviceGetAttribute() with cudaDevAttrKernelExecTimeout"},
    {"computeMode", 12, NameKind::member, "cudaDeviceGetAttribute() with cudaDevAttrComputeMode"},
    {"maxTexture1DLinear", 12, NameKind::member, "cudaDeviceGetTexture1DLinearMaxWidth()"},
    {"memoryClockRate", 12, NameKind::member, "cudaDeviceGetAttribute() with cudaDevAttrMemoryClockRate"},
    {"singleToDoublePrecisionPerfRatio", 12, NameKind::member, "cudaDeviceGetAttribute() with cudaDevAttrSingleToDoublePrecisionPerfRatio"},
    {"cooperativeMultiDeviceLaunch", 12, NameKind::member, "nothing: there are no such launches any more"},
    {"CUFFT_INCOMPLETE_PARAMETER_LIST", 12, NameKind::constant, "nothing: no call returns it any more"},
    {"CUFFT_PARSE_ERROR", 12, NameKind::constant, "nothing: no call returns it any more"},
    {"CUFFT_LICENSE_ERROR", 12, NameKind::constant, "nothing: no call returns it any more"},

    {"texture", 11, NameKind::type, "texture objects: cudaCreateTextureObject()"},
    {"surface", 11, NameKind::type, "surface objects: cudaCreateSurfaceObject()"},
    {"textureReference", 11, NameKind::type, "texture objects: cudaCreateTextureObject()"},
    {"surfaceReference", 11, NameKind::type, "surface objects: cudaCreateSurfaceObject()"},
    {"cudaBindTexture", 11, NameKind::function, "cudaCreateTextureObject()"},
    {"cudaBindTexture2D", 11, NameKind::function, "cudaCreateTextureObject()"},
    {"cudaBindTextureToArray", 11, NameKind::function, "cudaCreateTextureObject()"},
    {"cudaBindTextureToMipmappedArray", 11, NameKind::function, "cudaCreateTextureObject()"},
    {"cudaBindSurfaceToArray", 11, NameKind::function, "cudaCreateSurfaceObject()"},
    {"cudaUnbindTexture", 11, NameKind::function, "cudaDestroyTextureObject()"},
    {"cudaGetTextureReference", 11, NameKind::function, "cudaCreateTextureObject()"},
    {"cudaGetSurfaceReference", 11, NameKind::function, "cudaCreateSurfaceObject()"},
    {"cudaGetTextureAlignmentOffset", 11, NameKind::function, "cudaCreateTextureObject(), which wants aligned memory"},
};
// clang-format on

std::string removed_by(const RemovedName& removed) {
  const std::string version = "CUDA " + std::to_string(removed.last + 1);
  if (removed.kind == NameKind::old_form) return version + " has changed its parameters";
  if (removed.kind == NameKind::member)
    return version + " has removed this member of cudaDeviceProp";
  if (removed.kind == NameKind::warp) {
    return version + " has removed it, with the architectures before Volta that had it";
  }
  return version + " has removed it";
}

// Whether token i, which is the name, means what CUDA had: and not a function or a member of the
// user's that is called so.
bool is_meant(const CudaText& text, std::size_t i, NameKind kind) {
  const bool is_member = i > 0 && (text.is(i - 1, ".") || text.is(i - 1, "->"));
  switch (kind) {
    case NameKind::member:
      return is_member && !text.is(i + 1, "(");
    case NameKind::type:
      return !is_member && (text.is(i + 1, "<") || text.word(i).ends_with("Reference"));
    case NameKind::constant:
      return !is_member;
    default:
      return !is_member && text.is(i + 1, "(");
  }
}

bool is_part_of_name(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != std::string_view::npos;
       at = text.find(word, at + 1)) {
    const std::size_t end = at + word.size();
    if ((at == 0 || !is_part_of_name(text[at - 1])) &&
        (end == text.size() || !is_part_of_name(text[end]))) {
      return true;
    }
  }
  return false;
}

// Whether an error is about that name, and not about something else that is called so.
bool is_about(std::string_view message, const RemovedName& removed) {
  if (removed.kind != NameKind::old_form && !has_word(message, removed.name)) return false;
  switch (removed.kind) {
    case NameKind::member:
      return has_word(message, "cudaDeviceProp");
    case NameKind::old_form:
      return has_word(message, "cudaMemLocation") && has_word(message, "int");
    case NameKind::type:  // not of a variable that is called so
      return message.find("was not declared") == std::string_view::npos;
    default:
      return true;
  }
}

}  // namespace

std::vector<std::string> removed_name_notes(std::string_view preprocessed, int version) {
  LexedText lexed = lex(preprocessed);
  const LineMap lines(preprocessed, lexed.directives);
  const CudaText text(preprocessed, std::move(lexed.tokens));
  std::vector<std::string> notes;
  std::set<std::string_view> told;
  for (std::size_t i = 0; i < text.tokens().size(); ++i) {
    if (!text.is_identifier(i)) continue;
    const auto* const removed =
        std::find_if(std::begin(removed_names), std::end(removed_names),
                     [&](const RemovedName& one) { return one.name == text.word(i); });
    if (removed == std::end(removed_names) || removed->last < version) continue;
    if (!is_meant(text, i, removed->kind)) continue;
    const Position position = lines.position(text.tokens()[i].begin);
    if (position.in_system_header || !told.insert(removed->name).second) continue;
    notes.push_back(std::string(unquoted(position.file)) + ':' + std::to_string(position.line) +
                    ':' + std::to_string(position.column + 1) + ": note: '" +
                    std::string(removed->name) + "': " + removed_by(*removed) +
                    "; instead: " + std::string(removed->instead));
  }
  return notes;
}

std::string removed_name_advice(std::string_view message, int version) {
  for (const RemovedName& removed : removed_names) {
    if (!is_about(message, removed)) continue;
    if (removed.kind == NameKind::old_form) {  // of an argument, g++ does not say whose it is
      if (version > removed.last) {
        return "cudaMemPrefetchAsync() and cudaMemAdvise(): CUDA 13 has changed their parameters, "
               "and emucc --cuda=12 takes the old form; or write a cudaMemLocation in place of the "
               "device's number, and for cudaMemPrefetchAsync() flags after it";
      }
      continue;
    }
    const std::string name(removed.name);
    const std::string instead = "; or write " + std::string(removed.instead);
    if (version > removed.last) {
      return "'" + name + "': " + removed_by(removed) +
             ", and emucc --cuda=" + std::to_string(removed.last) + " takes it" +
             (removed.kind == NameKind::warp ? " for an -arch below sm_70" : "") + instead;
    }
    if (removed.kind == NameKind::warp) {
      return "'" + name + "': CUDA has it for an -arch below sm_70 only" + instead;
    }
  }
  return "";
}

}  // namespace emulator::compiler::diagnose
