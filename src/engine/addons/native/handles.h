// Handles: shared pointers that JavaScript holds.
#pragma once
#include <memory>

#include "values.h"

namespace hearth {

/** Tells a handle of one kind from all others; a type that JavaScript holds defines it. */
template <typename Held>
extern const napi_type_tag handle_tag;

template <typename Held>
napi_value from_shared(napi_env env, std::shared_ptr<Held> held) {
  using Pointer = std::shared_ptr<Held>;
  auto pointer = std::make_unique<Pointer>(std::move(held));
  const auto release = [](napi_env, void *data, void *) { delete static_cast<Pointer *>(data); };
  napi_value handle;
  check(napi_create_external(env, pointer.get(), release, nullptr, &handle), "handle");
  pointer.release(); // `release` owns it now.
  check(napi_type_tag_object(env, handle, &handle_tag<Held>), "handle");
  return handle;
}

/** The object that the handle holds; empty once it was taken away from it. */
template <typename Held>
std::shared_ptr<Held> &to_slot(napi_env env, napi_value handle) {
  bool fits = false;
  check(napi_check_object_type_tag(env, handle, &handle_tag<Held>, &fits), "not a handle");
  if (!fits) throw BadArgument("bad argument: a handle of another kind");
  void *data = nullptr;
  check(napi_get_value_external(env, handle, &data), "not a handle");
  return *static_cast<std::shared_ptr<Held> *>(data);
}

template <typename Held>
std::shared_ptr<Held> to_shared(napi_env env, napi_value handle) {
  std::shared_ptr<Held> held = to_slot<Held>(env, handle);
  if (held == nullptr) throw BadArgument("bad argument: the handle was freed");
  return held;
}

} // namespace hearth
