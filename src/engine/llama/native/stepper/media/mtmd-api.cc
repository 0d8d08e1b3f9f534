#include "mtmd-api.h"

#include <dlfcn.h>

#include <stdexcept>

namespace hearth {
namespace {

thread_local std::string trouble;

void keep_trouble(ggml_log_level level, const char *text, void *) {
  if (level == GGML_LOG_LEVEL_ERROR && trouble.empty()) trouble = text;
}

template <typename Function>
void find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("libmtmd has no ") + name);
}

} // namespace

MtmdApi open_mtmd(const std::string &llama_addon_file, const std::string &file) {
  // It calls functions of llama.cpp without naming the libraries that have them, whose names differ from build to build.
  // So those that node-llama-cpp has loaded are made visible to what is loaded after them. Both stay open for good.
  const void *const llama = dlopen(llama_addon_file.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_GLOBAL);
  if (llama == nullptr) throw std::runtime_error("llama.cpp is not loaded");
  void *const library = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (library == nullptr) throw std::runtime_error(dlerror());
  MtmdApi api;
#define HEARTH_FIND(name) find(library, #name, api.name);
  HEARTH_MTMD_FUNCTIONS(HEARTH_FIND)
#undef HEARTH_FIND
  find(library, "hearth_mtmd_memory", api.hearth_mtmd_memory);
  find(library, "hearth_mtmd_log_set", api.hearth_mtmd_log_set);
  find(library, "hearth_mtmd_use_voice", api.hearth_mtmd_use_voice);
  find(library, "hearth_mtmd_pass_over", api.hearth_mtmd_pass_over);
  api.hearth_mtmd_log_set(keep_trouble);
  return api;
}

std::string take_mtmd_trouble() {
  std::string text = std::move(trouble);
  trouble.clear();
  // As in "clip_init: failed to load model 'FILE': what is wrong".
  const size_t name_end = text.find(": ");
  if (name_end != std::string::npos && text.find(' ') > name_end) text.erase(0, name_end + 2);
  while (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

} // namespace hearth
