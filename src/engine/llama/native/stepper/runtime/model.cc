#include "model.h"

#include <atomic>
#include <cstdint>
#include <stdexcept>
#include <vector>

#include "AddonModel.h"
#include "functions.h"
#include "handles.h"
#include "instance.h"

namespace hearth {

/** A load that somebody waits for. */
struct Load {
  std::atomic<bool> is_given_up{false};
};

template <>
const napi_type_tag handle_tag<Layout> = {0x6865617274687374, 7};
template <>
const napi_type_tag handle_tag<Load> = {0x6865617274687374, 8};

namespace {

/** A pointer that may be followed, as far as its number tells. */
bool is_pointer(const void *pointer) {
  const auto number = reinterpret_cast<uintptr_t>(pointer);
  return number > 4096 && number % alignof(void *) == 0;
}

/** node-llama-cpp's object. Throws as `model_of`. */
AddonModel *addon_model_of(napi_env env, const LlamaApi &api, napi_value model) {
  void *wrapped = nullptr;
  if (napi_unwrap(env, model, &wrapped) != napi_ok || wrapped == nullptr)
    throw std::runtime_error("this is no model of node-llama-cpp");
  AddonModel *const own = static_cast<AddonModel *>(wrapped);
  if (!is_pointer(own->model) || !is_pointer(own->vocab) || api.llama_model_get_vocab(own->model) != own->vocab)
    throw std::runtime_error("node-llama-cpp has no such model in memory, or lays its models out in another way");
  return own;
}

/** What keeps the experts of the first layers in main memory. llama.cpp looks at it only while it loads. */
class Overrides {
public:
  Overrides(const LlamaApi &api, const Placement &placement) {
    for (int layer = 0; layer < placement.expert_layers; layer++)
      patterns_.push_back("blk\\." + std::to_string(layer) + "\\.ffn_(up|down|gate|gate_up)_(ch|)exps");
    for (const std::string &pattern : patterns_) list_.push_back({pattern.c_str(), api.ggml_backend_cpu_buffer_type()});
    list_.push_back({nullptr, nullptr});
  }
  Overrides(const Overrides &) = delete;
  Overrides &operator=(const Overrides &) = delete;

  const llama_model_tensor_buft_override *list() const { return list_.data(); }

private:
  std::vector<std::string> patterns_;
  std::vector<llama_model_tensor_buft_override> list_;
};

llama_model_params parameters_of(const LlamaApi &api, const Placement &placement, const Overrides &overrides) {
  llama_model_params parameters = api.llama_model_default_params();
  static ggml_backend_dev_t no_devices[] = {nullptr};
  if (!placement.uses_gpus) parameters.devices = no_devices;
  parameters.n_gpu_layers = placement.gpu_layers;
  parameters.load_mtp = placement.with_heads;
  if (placement.expert_layers > 0) parameters.tensor_buft_overrides = overrides.list();
  // ../../model.ts says why weights are not mapped.
  parameters.load_mode = LLAMA_LOAD_MODE_NONE;
  parameters.lazy_mode = LLAMA_LAZY_MODE_OFF;
  return parameters;
}

Placement to_placement(napi_env env, napi_value object) {
  napi_valuetype type;
  check(napi_typeof(env, get(env, object, "withHeads"), &type), "heads");
  const bool has_heads = type != napi_undefined && to_bool(env, get(env, object, "withHeads"));
  return {to_bool(env, get(env, object, "usesGpu")), to_int(env, get(env, object, "gpuLayers"), 0, INT32_MAX),
          to_int(env, get(env, object, "expertLayers"), 0, 10'000), has_heads};
}

napi_value lay_out(napi_env env, const Arguments &arguments) {
  const auto machine = machine_of(env, to_string(env, arguments[0]));
  const std::string file = to_string(env, arguments[1]);
  const Placement placement = to_placement(env, arguments[2]);
  return loader_of(env).start(env, [=]() -> Result {
    const auto layout = std::make_shared<Layout>(machine, file, placement);
    return [layout](napi_env env) { return from_shared(env, layout); };
  });
}

/** Loads the weights of one file, and tells JavaScript of each tenth. */
class WeightsLoad {
public:
  WeightsLoad(napi_env env, std::shared_ptr<Machine> machine, std::shared_ptr<Load> load, napi_value listener)
      : machine_(std::move(machine)), load_(std::move(load)), worker_(loader_of(env)) {
    check(napi_create_reference(env, listener, 1, &listener_), "listener");
  }

  /** On the loader's thread. nullptr: it was given up, or failed. */
  llama_model *run(const std::string &file, const Placement &placement) {
    const LlamaApi &api = machine_->api;
    const Overrides overrides(api, placement);
    llama_model_params parameters = parameters_of(api, placement, overrides);
    parameters.progress_callback_user_data = this;
    parameters.progress_callback = [](float share, void *self) { return static_cast<WeightsLoad *>(self)->goes_on(share); };
    return api.llama_model_load_from_file(file.c_str(), parameters);
  }

  const LlamaApi &api() const { return machine_->api; }
  void end(napi_env env) { napi_delete_reference(env, listener_); }

private:
  bool goes_on(float share) {
    const int tenth = static_cast<int>(share * 10);
    if (tenth > told_) {
      told_ = tenth;
      worker_.post([listener = listener_, tenth](napi_env env) {
        napi_value function, outcome;
        check(napi_get_reference_value(env, listener, &function), "listener");
        const napi_value argument = from_number(env, tenth);
        napi_call_function(env, undefined(env), function, 1, &argument, &outcome);
      });
    }
    return !load_->is_given_up && !machine_->is_ending;
  }

  std::shared_ptr<Machine> machine_;
  std::shared_ptr<Load> load_;
  Worker &worker_;
  napi_ref listener_ = nullptr;
  int told_ = 0;
};

napi_value new_load(napi_env env, const Arguments &) { return from_shared(env, std::make_shared<Load>()); }

napi_value give_up_load(napi_env env, const Arguments &arguments) {
  to_shared<Load>(env, arguments[0])->is_given_up = true;
  return undefined(env);
}

napi_value load(napi_env env, const Arguments &arguments) {
  const auto machine = machine_of(env, to_string(env, arguments[1]));
  AddonModel *const own = addon_model_of(env, machine->api, arguments[2]);
  const std::string file = to_string(env, arguments[3]);
  const Placement placement = to_placement(env, arguments[4]);
  const auto loading =
      std::make_shared<WeightsLoad>(env, machine, to_shared<Load>(env, arguments[0]), arguments[5]);
  napi_ref object;
  check(napi_create_reference(env, arguments[2], 1, &object), "model");
  // Freed first, so that the vocabulary is not in memory twice.
  llama_model *const vocabulary = own->model;
  own->model = nullptr;
  own->vocab = nullptr;
  return loader_of(env).start(env, [=]() -> Result {
    loading->api().llama_model_free(vocabulary);
    llama_model *const model = loading->run(file, placement);
    return [=](napi_env env) {
      loading->end(env);
      napi_delete_reference(env, object);
      if (model == nullptr) throw std::runtime_error("llama.cpp cannot load it");
      own->model = model;
      own->vocab = loading->api().llama_model_get_vocab(model);
      return undefined(env);
    };
  });
}

napi_value close_layout(napi_env env, const Arguments &arguments) {
  std::shared_ptr<Layout> layout = to_shared<Layout>(env, arguments[0]);
  to_slot<Layout>(env, arguments[0]).reset();
  return loader_of(env).start(env, [layout = std::move(layout)]() -> Result { return undefined; });
}

} // namespace

Layout::Layout(std::shared_ptr<Machine> machine, const std::string &file, const Placement &placement)
    : machine_(std::move(machine)) {
  const LlamaApi &api = machine_->api;
  const Overrides overrides(api, placement);
  llama_model_params parameters = parameters_of(api, placement, overrides);
  parameters.no_alloc = true;
  model_ = api.llama_model_load_from_file(file.c_str(), parameters);
  if (model_ == nullptr) throw std::runtime_error("llama.cpp cannot lay it out in memory");
}

llama_model *model_of(napi_env env, const LlamaApi &api, napi_value model) {
  napi_valuetype type;
  check(napi_typeof(env, model, &type), "model");
  return type == napi_external ? to_shared<Layout>(env, model)->model() : addon_model_of(env, api, model)->model;
}

void add_model_functions(napi_env env, napi_value exports) {
  add<lay_out, 3>(env, exports, "layOut");
  add<close_layout, 1>(env, exports, "closeLayout");
  add<new_load, 0>(env, exports, "newLoad");
  add<load, 6>(env, exports, "load");
  add<give_up_load, 1>(env, exports, "giveUpLoad");
}

} // namespace hearth
