#include "llama-api.h"

#include <dlfcn.h>

#include <stdexcept>

namespace hearth {
namespace {

template <typename Function>
void find(void *library, const char *name, Function &function) {
  function = reinterpret_cast<Function>(dlsym(library, name));
  if (function == nullptr) throw std::runtime_error(std::string("llama.cpp has no ") + name);
}

template <typename Function>
void find_in_backend(const LlamaApi &api, ggml_backend_reg_t backend, const char *name, Function &function) {
  function = reinterpret_cast<Function>(api.ggml_backend_reg_get_proc_address(backend, name));
  if (function == nullptr) throw std::runtime_error(std::string("the CPU's backend has no ") + name);
}

} // namespace

LlamaApi find_llama_api(const std::string &addon_file) {
  // A search in this handle goes on in the libraries that the file was linked to. It is never closed: the functions
  // are needed until the process ends.
  void *const library = dlopen(addon_file.c_str(), RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) throw std::runtime_error("llama.cpp is not loaded");
  LlamaApi api;
#define HEARTH_FIND(name) find(library, #name, api.name);
  HEARTH_LLAMA_FUNCTIONS(HEARTH_FIND)
#undef HEARTH_FIND
  find(library, "_Z26llama_get_memory_breakdownPK13llama_context", api.llama_get_memory_breakdown);
  find(library, "_Z19llama_graph_reserveP13llama_contextjjj", api.llama_graph_reserve);
  find(library, "_Z26llama_set_embeddings_nextnP13llama_contextbb", api.llama_set_embeddings_nextn);
  find(library, "_Z26llama_get_embeddings_nextnP13llama_context", api.llama_get_embeddings_nextn);
  find(library, "_Z30llama_get_embeddings_nextn_ithP13llama_contexti", api.llama_get_embeddings_nextn_ith);
  const ggml_backend_reg_t cpu = api.ggml_backend_reg_by_name("CPU");
  if (cpu == nullptr) throw std::runtime_error("llama.cpp has no backend for the CPU");
  find_in_backend(api, cpu, "ggml_threadpool_new", api.ggml_threadpool_new);
  find_in_backend(api, cpu, "ggml_threadpool_free", api.ggml_threadpool_free);
  return api;
}

} // namespace hearth
