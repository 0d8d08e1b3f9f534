// How functions of C++ become functions of JavaScript.
#pragma once
#include "values.h"

namespace hearth {

using Arguments = std::vector<napi_value>;
using Lists = std::vector<std::vector<double>>;
using Function = napi_value (*)(napi_env, const Arguments &);

/** Calls `function`; what it throws becomes a JavaScript exception. */
template <Function function, size_t count>
napi_value call(napi_env env, napi_callback_info info) {
  try {
    size_t given = count;
    Arguments arguments(count);
    check(napi_get_cb_info(env, info, &given, arguments.data(), nullptr, nullptr), "arguments");
    if (given < count) throw BadArgument("bad argument: too few of them");
    return function(env, arguments);
  } catch (const std::exception &failure) {
    bool is_pending = false;
    napi_is_exception_pending(env, &is_pending);
    if (!is_pending) napi_throw_error(env, nullptr, failure.what());
    return nullptr;
  }
}

template <Function function, size_t count>
void add(napi_env env, napi_value exports, const char *name) {
  napi_value made;
  if (napi_create_function(env, name, NAPI_AUTO_LENGTH, call<function, count>, nullptr, &made) == napi_ok)
    napi_set_named_property(env, exports, name, made);
}

} // namespace hearth
