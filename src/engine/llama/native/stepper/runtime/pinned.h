#pragma once
#include "values.h"

namespace hearth {

/** A typed array that JavaScript keeps meanwhile, so that no copy of many megabytes is made on its thread. */
struct Pinned {
  Pinned(napi_env env, napi_value array, napi_typedarray_type expected) {
    napi_typedarray_type type;
    check(napi_get_typedarray_info(env, array, &type, &length, &data, nullptr, nullptr), "not a typed array");
    if (type != expected) throw BadArgument("bad argument: a typed array of another type");
    check(napi_create_reference(env, array, 1, &reference_), "reference");
  }
  /** To be called on JavaScript's thread. Where that has ended, nothing needs to be done. */
  void release(napi_env env) { napi_delete_reference(env, reference_); }

  size_t length = 0;
  void *data = nullptr;

private:
  napi_ref reference_ = nullptr;
};

} // namespace hearth
