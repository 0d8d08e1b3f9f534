// What is read out of the objects of node-llama-cpp.
#pragma once
#include <node_api.h>

#include "llama-api.h"

namespace hearth {

/** A context of node-llama-cpp, and the batch that its JavaScript fills. */
struct OpenedContext {
  llama_context *context;
  const llama_batch *batch;
  const llama_vocab *vocab;
  int vocabulary_size;
};

/** What node-llama-cpp says about a context. */
struct ContextFacts {
  unsigned context_tokens;
  unsigned sequences;
};

/**
 * The context behind the object `context`, whose model is the object `model`. Throws std::runtime_error where the
 * objects are not laid out as in the release of node-llama-cpp that this was compiled for.
 */
OpenedContext open_context(napi_env env, const LlamaApi &api, napi_value context, napi_value model,
                           const ContextFacts &facts);

} // namespace hearth
