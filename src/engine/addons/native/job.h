// Work on another thread than JavaScript's, and the promise of what it gives.
#pragma once
#include <functional>

#include "values.h"

namespace hearth {

/** Makes the outcome of some work a value, on JavaScript's thread. */
using Result = std::function<napi_value(napi_env)>;
using Work = std::function<Result()>;

struct Job {
  Work work;
  Result result;
  std::string error;
  napi_deferred deferred = nullptr;

  /** On the other thread. */
  void run() {
    try {
      result = work();
    } catch (const std::exception &failure) {
      error = failure.what();
    } catch (...) {
      error = "unknown error";
    }
    work = nullptr;
  }

  /** On JavaScript's thread, after `run`. */
  void settle(napi_env env) {
    if (error.empty()) {
      try {
        napi_resolve_deferred(env, deferred, result(env));
      } catch (const std::exception &failure) {
        error = failure.what();
      }
    }
    if (!error.empty()) napi_reject_deferred(env, deferred, to_error(env, error));
  }
};

} // namespace hearth
