#include "opened-context.h"

#include <stdexcept>

// node-llama-cpp's own headers: nothing else in this addon knows them.
#include "AddonContext.h"
#include "AddonModel.h"

namespace hearth {
namespace {

template <typename Wrapped>
Wrapped *unwrap(napi_env env, napi_value object) {
  void *wrapped = nullptr;
  if (napi_unwrap(env, object, &wrapped) != napi_ok || wrapped == nullptr)
    throw std::runtime_error("this is no object of node-llama-cpp");
  return static_cast<Wrapped *>(wrapped);
}

void check(bool holds, const char *what) {
  if (!holds) throw std::runtime_error(std::string("node-llama-cpp is laid out in another way: ") + what);
}

} // namespace

OpenedContext open_context(napi_env env, const LlamaApi &api, napi_value context, napi_value model,
                           const ContextFacts &facts) {
  const AddonContext *const own = unwrap<AddonContext>(env, context);
  const AddonModel *const own_model = unwrap<AddonModel>(env, model);
  // In this order: each comparison makes sure that what the next one follows is a pointer.
  check(own->model == own_model, "the context's model");
  check(own->context_params.n_seq_max == facts.sequences, "the context's sequences");
  check(own->ctx != nullptr, "the context");
  check(api.llama_get_model(own->ctx) == own_model->model, "the model");
  check(api.llama_n_ctx(own->ctx) == facts.context_tokens, "the context's size");
  const llama_vocab *const vocab = api.llama_model_get_vocab(own_model->model);
  check(vocab == own_model->vocab, "the vocabulary");
  return {own->ctx, &own->batch, vocab, api.llama_vocab_n_tokens(vocab)};
}

} // namespace hearth
