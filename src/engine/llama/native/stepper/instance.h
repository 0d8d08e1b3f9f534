// What lives as long as the JavaScript that loaded the addon.
#pragma once
#include "handles.h"
#include "stepper.h"
#include "worker.h"

namespace hearth {

template <>
inline const napi_type_tag handle_tag<Stepper> = {0x6865617274687374, 1};

struct Instance {
  std::shared_ptr<Machine> machine;
  /** Computes. Like the other ones it belongs to JavaScript, and ends before it does. */
  Worker *worker = nullptr;
  /** Makes draws that took too long for their steps. */
  Worker *finisher = nullptr;
  /** Opens projectors and makes media ready for them, which takes long and must not hold up steps. */
  Worker *preparer = nullptr;
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

} // namespace hearth
