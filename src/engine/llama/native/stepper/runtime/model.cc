#include "model.h"

#include <cstdint>
#include <stdexcept>

#include "AddonModel.h"

namespace hearth {
namespace {

/** A pointer that may be followed, as far as its number tells. */
bool is_pointer(const void *pointer) {
  const auto number = reinterpret_cast<uintptr_t>(pointer);
  return number > 4096 && number % alignof(void *) == 0;
}

} // namespace

llama_model *model_of(napi_env env, const LlamaApi &api, napi_value model) {
  void *wrapped = nullptr;
  if (napi_unwrap(env, model, &wrapped) != napi_ok || wrapped == nullptr)
    throw std::runtime_error("this is no model of node-llama-cpp");
  const AddonModel *const own = static_cast<const AddonModel *>(wrapped);
  if (!is_pointer(own->model) || !is_pointer(own->vocab) || api.llama_model_get_vocab(own->model) != own->vocab)
    throw std::runtime_error("node-llama-cpp has no such model in memory, or lays its models out in another way");
  return own->model;
}

} // namespace hearth
