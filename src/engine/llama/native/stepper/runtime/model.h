// Reads the objects of node-llama-cpp, which loads models: nothing else in this addon knows its headers.
#pragma once
#include <node_api.h>

#include "llama-api.h"

namespace hearth {

/**
 * The model behind node-llama-cpp's object `model`. Throws std::runtime_error where that is not loaded, or is not laid
 * out as in the release of node-llama-cpp that this was compiled for.
 */
llama_model *model_of(napi_env env, const LlamaApi &api, napi_value model);

} // namespace hearth
