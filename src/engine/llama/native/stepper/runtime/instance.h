// What lives as long as the JavaScript that loaded the addon.
#pragma once
#include "handles.h"
#include "machine.h"
#include "worker.h"

namespace hearth {

struct Instance {
  std::shared_ptr<Machine> machine;
  /** Computes. Like the other ones it belongs to JavaScript, and ends before it does. */
  Worker *worker = nullptr;
  /** Makes draws that took too long for their steps. */
  Worker *finisher = nullptr;
  /** Opens contexts and projectors and makes media ready, which takes long and must not hold up steps. */
  Worker *preparer = nullptr;
  /** Loads models, which takes longer still: a medium must not wait for it. */
  Worker *loader = nullptr;
};

inline bool create_instance(napi_env env) {
  const auto release = [](napi_env, void *data, void *) { delete static_cast<Instance *>(data); };
  return napi_set_instance_data(env, new Instance, release, nullptr) == napi_ok;
}

inline Instance &instance_of(napi_env env) {
  void *data = nullptr;
  check(napi_get_instance_data(env, &data), "instance");
  return *static_cast<Instance *>(data);
}

inline Worker &worker_of(napi_env env) {
  Instance &instance = instance_of(env);
  if (instance.worker == nullptr) instance.worker = Worker::create(env);
  return *instance.worker;
}

/** Returns when no thread of this addon does anything any more. */
inline void stop(Instance &instance) {
  if (instance.machine != nullptr) instance.machine->is_ending = true;
  for (Worker *const worker : {instance.worker, instance.finisher, instance.preparer, instance.loader})
    if (worker != nullptr) worker->stop();
}

inline Worker &preparer_of(napi_env env) {
  Instance &instance = instance_of(env);
  if (instance.preparer == nullptr) instance.preparer = Worker::create(env);
  return *instance.preparer;
}

inline Worker &loader_of(napi_env env) {
  Instance &instance = instance_of(env);
  if (instance.loader == nullptr) instance.loader = Worker::create(env);
  return *instance.loader;
}

/** llama.cpp as node-llama-cpp's `addon_file` has loaded it. Throws std::runtime_error where something of it is missing. */
inline std::shared_ptr<Machine> machine_of(napi_env env, const std::string &addon_file) {
  Instance &instance = instance_of(env);
  if (instance.machine == nullptr) instance.machine = std::make_shared<Machine>(find_llama_api(addon_file));
  return instance.machine;
}

} // namespace hearth
