// C++ functions that JavaScript can call.
#pragma once
#include "values.h"

namespace hearth {

using Arguments = std::vector<napi_value>;
using Function = napi_value (*)(napi_env, const Arguments &);

/** Calls `function` with `count` arguments; what it throws becomes a JavaScript exception. */
template <Function function, size_t count>
napi_value call(napi_env env, napi_callback_info info) {
  const auto raise = [env](napi_status (*raise_kind)(napi_env, const char *, const char *), const char *message) {
    bool is_pending = false;
    napi_is_exception_pending(env, &is_pending);
    if (!is_pending) raise_kind(env, nullptr, message);
    return nullptr;
  };
  try {
    size_t given = count;
    Arguments arguments(count);
    check(napi_get_cb_info(env, info, &given, arguments.data(), nullptr, nullptr), "arguments");
    if (given < count) throw BadArgument("bad argument: too few of them");
    return function(env, arguments);
  } catch (const BadArgument &mistake) {
    return raise(napi_throw_type_error, mistake.what());
  } catch (const std::exception &failure) {
    return raise(napi_throw_error, failure.what());
  }
}

template <Function function, size_t count>
void add(napi_env env, napi_value exports, const char *name) {
  napi_value made;
  if (napi_create_function(env, name, NAPI_AUTO_LENGTH, call<function, count>, nullptr, &made) == napi_ok)
    napi_set_named_property(env, exports, name, made);
}

} // namespace hearth
