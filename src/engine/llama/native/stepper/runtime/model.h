// Models: those of node-llama-cpp, whose objects nothing else in this addon knows, and those that are only laid out.
#pragma once
#include <node_api.h>

#include <memory>
#include <string>

#include "machine.h"

namespace hearth {

/** Which part of a model is computed where. */
struct Placement {
  /** Without layers there, GPUs still help with long prompts, by buffers of their own. */
  bool uses_gpus;
  /** Layers on GPUs, counted from the last one; the output is one of them. */
  int gpu_layers;
  /** Of the first layers, so many have their experts in main memory, wherever the rest of them is. */
  int expert_layers;
  /** Its draft heads are loaded, too. */
  bool with_heads;
};

/** A model as llama.cpp lays it out in memory, without its weights: contexts of it allocate nothing. */
class Layout {
public:
  /** Throws std::runtime_error where llama.cpp cannot read the file. */
  Layout(std::shared_ptr<Machine> machine, const std::string &file, const Placement &placement);
  Layout(const Layout &) = delete;
  Layout &operator=(const Layout &) = delete;
  ~Layout() { machine_->api.llama_model_free(model_); }

  llama_model *model() const { return model_; }

private:
  std::shared_ptr<Machine> machine_;
  llama_model *model_;
};

/**
 * The model behind `model`, a handle of a `Layout` or node-llama-cpp's object. Throws std::runtime_error where that is not
 * loaded, or is not laid out as in the release of node-llama-cpp that this was compiled for.
 */
llama_model *model_of(napi_env env, const LlamaApi &api, napi_value model);

void add_model_functions(napi_env env, napi_value exports);

} // namespace hearth
